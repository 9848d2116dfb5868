//! `kv_evict` through pipes, in lock-step with the judge.

mod common;

use common::executable;
use rand::rngs::StdRng;
use rand::seq::index::sample;
use rand::{RngExt, SeedableRng};
use std::path::{Path, PathBuf};
use std::process;
use std::time::Duration;
use tools::evict::lockstep::{run, Options, Pace};
use tools::evict::{
    limits, play, random, Action, Batch, BlockId, Command, Cost, Input, Limits, Policy, RequestId,
    Rules, Shape,
};
use tools::problem::Problem;

/// The cost of the solver's run on `input`, which must keep all rules.
#[track_caller]
fn judged(input: &Input, options: &Options, case: &str) -> Cost {
    let report =
        run(process::Command::new(executable("kv_evict")), input, options).expect("it starts");
    report.outcome.unwrap_or_else(|rejection| panic!("{case}: {rejection}"))
}

/// The inputs in `samples/kv_evict`, with their names.
fn samples() -> Vec<(String, Input)> {
    let parse = |text: Vec<u8>| Input::parse(&String::from_utf8(text).expect("a sample is text"));
    let read = |(path, text, _): (PathBuf, Vec<u8>, String)| {
        (path.display().to_string(), parse(text).expect("a sample is valid"))
    };
    common::samples("kv_evict").into_iter().map(read).collect()
}

#[test]
fn the_statements_sample_takes_the_time_that_it_says() {
    let (_, input) = samples().into_iter().find(|(name, _)| name.ends_with("sample-1.in")).unwrap();
    assert_eq!(judged(&input, &Options::default(), "sample-1").total(), 7);
}

/// A policy that insists on having no choice: it takes the only plan that is legal.
struct OnlyChoice {
    plan: Vec<Action>,
}

impl Policy for OnlyChoice {
    fn action(&mut self, rules: &Rules, batch: &Batch) -> Option<Action> {
        if self.plan.is_empty() {
            let mut plans = Vec::new();
            complete_plans(&mut rules.clone(), batch, &mut Vec::new(), &mut plans);
            assert_eq!(plans.len(), 1, "more than one plan is legal: {plans:?}");
            self.plan = plans.remove(0);
            self.plan.reverse();
        }
        self.plan.pop()
    }
}

/// Appends all legal plans that begin with `plan`.
fn complete_plans(
    rules: &mut Rules,
    batch: &Batch,
    plan: &mut Vec<Action>,
    plans: &mut Vec<Vec<Action>>,
) {
    if rules.met(batch) {
        plans.push(plan.clone());
        return;
    }
    for action in rules.legal_actions(batch) {
        let mut next = rules.clone();
        next.act(batch, action).expect("a legal action");
        plan.push(action);
        complete_plans(&mut next, batch, plan, plans);
        plan.pop();
    }
}

#[test]
fn the_samples_leave_no_choice_so_their_outputs_may_be_compared() {
    for (name, input) in samples() {
        let played = play(&input, &mut OnlyChoice { plan: Vec::new() });
        played.unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
    }
}

#[test]
fn every_sample_is_answered_legally() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    for path in Problem::KvEvict.samples(&folder) {
        let input = Input::parse(&std::fs::read_to_string(&path).unwrap()).expect("it is valid");
        judged(&input, &Options::default(), &path.display().to_string());
    }
}

#[test]
fn small_dense_inputs_are_answered_legally_at_every_pace() {
    for seed in 0..1500 {
        let shape = if seed % 2 == 0 { Shape::TINY } else { Shape::SMALL };
        let input = random(&mut StdRng::seed_from_u64(seed), &shape);
        let pace = [Pace::Round, Pace::Line, Pace::Byte][seed as usize % 3];
        let options = Options { pace, ..Options::default() };
        judged(&input, &options, &format!("seed {seed}"));
    }
}

#[test]
fn sizes_at_the_end_of_64_bits_neither_wrap_nor_panic() {
    let most = u64::MAX;
    let inputs = [
        format!("1 {most} 3\nADD 1 0 {} 1\nADD 2 0 0 1\nDECODE 2 1 2\n", most - 1),
        format!("1 {most} 2\nADD 1 0 {most} 1\nDECODE 1 1\n"),
        format!("1 {most} 2\nADD 1 0 {} 2\n", most - 1),
        format!("{} {most} 2\nCREATE_BLOCK 1\nADD 1 1 1 {most} 1\n", most / 2),
    ];
    for input in inputs {
        let run = common::run("kv_evict", input.as_bytes());
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{input}: {}", run.stderr);
        assert!(run.stderr.starts_with("kv_evict: line "), "{}", run.stderr);
    }
    let input = format!("{most} 2 3\nADD 1 0 {} 1\nADD 2 0 0 5\nDECODE 2 1 2\n", most - 1);
    common::assert_output("kv_evict", &input, "EVICT 0\n");
}

/// A legal input of numbers at the statement's limits: blocks of 10^5 tokens, 30 of them to a
/// request, 10^12 private tokens or tokens to generate, ids of blocks and requests that coincide
/// below 10^9. Requests are cancelled and blocks dropped in whatever state they are.
fn large_numbers(random: &mut StdRng) -> Input {
    const S: u64 = 100_000;
    const REFERENCES: usize = 30;
    let mut last_id = 1_000_000_000;
    let mut blocks: Vec<BlockId> =
        (1..=REFERENCES as u32 + 10).map(|back| BlockId(last_id - back)).collect();
    let mut commands: Vec<_> = blocks.iter().map(|&block| Command::CreateBlock(block)).collect();
    // Requests that can be decoded for ever, and some that never fit.
    let (mut small, mut huge) = (Vec::new(), Vec::new());
    for _ in 0..400 {
        last_id -= 1;
        let id = RequestId(last_id);
        let chosen = sample(random, blocks.len(), REFERENCES).into_iter().map(|at| blocks[at]);
        let is_huge = random.random_bool(0.1);
        let private = if is_huge {
            1_000_000_000_000 - REFERENCES as u64 * S
        } else {
            random.random_range(0..3 * S)
        };
        let (p, m) = (REFERENCES as u64 * S + private, 1_000_000_000_000);
        commands.push(Command::Add { id, blocks: chosen.collect(), p, m });
        if is_huge { &mut huge } else { &mut small }.push(id);
        for _ in 0..random.random_range(0..3) {
            let members = sample(random, small.len(), small.len().min(2)).into_iter();
            if members.len() > 0 {
                commands.push(Command::Decode(members.map(|at| small[at]).collect()));
            }
        }
        // A block may only be dropped once nobody refers to it.
        if random.random_bool(0.1) {
            for id in small.drain(..).chain(huge.drain(..)) {
                commands.push(Command::Cancel(id));
            }
            commands.push(Command::DropBlock(blocks.swap_remove(random.random_range(0..5))));
            let fresh = BlockId(last_id - 1000);
            commands.push(Command::CreateBlock(fresh));
            blocks.push(fresh);
        } else if small.len() > 8 {
            commands.push(Command::Cancel(small.swap_remove(random.random_range(0..small.len()))));
        }
    }
    Input { s: S, c: 70, commands }
}

#[test]
fn large_numbers_are_answered_legally_even_if_they_come_byte_by_byte() {
    for seed in 0..20 {
        let input = large_numbers(&mut StdRng::seed_from_u64(seed));
        input.check().expect("a legal input");
        let pace = if seed == 0 { Pace::Byte } else { Pace::Round };
        judged(&input, &Options { pace, ..Options::default() }, &format!("seed {seed}"));
    }
}

#[test]
fn a_slow_judge_is_waited_for() {
    let (name, input) = samples().swap_remove(0);
    let delay = Duration::from_millis(20);
    judged(&input, &Options { delay, pace: Pace::Line, ..Options::default() }, &name);
}

#[test]
fn the_limits_are_answered_legally_and_in_time() {
    for family in [Limits::Full, Limits::Halves, Limits::Churn, Limits::Wide] {
        let input = limits(&mut StdRng::seed_from_u64(1), family);
        // A round trip through the pipes takes longer than the answer.
        let options = Options { limit: Duration::from_secs(60), ..Options::default() };
        judged(&input, &options, &format!("{family:?}"));
        // The solver does not need the judge to wait for its replies.
        let alone = common::run("kv_evict", input.to_string().as_bytes());
        assert_eq!(alone.code, Some(0), "{}", alone.stderr);
        let limit = Duration::from_secs(10);
        assert!(alone.time < limit, "{family:?} takes {:?}", alone.time);
    }
}

#[test]
fn a_request_may_refer_to_very_many_blocks() {
    let blocks = 100_000;
    let created: String = (1..=blocks).map(|id| format!("CREATE_BLOCK {id}\n")).collect();
    let references: String = (1..=blocks).map(|id| format!(" {id}")).collect();
    let add = |id: u64, more: &str, count: u64| {
        format!("ADD {id} {count}{references}{more} {count} 1\nDECODE 1 {id}\n")
    };
    let input =
        |last: &str| format!("1 200000 {}\n{created}{}{last}", blocks + 4, add(1, "", blocks));
    let answer = common::run("kv_evict", input(&add(2, "", blocks)).as_bytes());
    assert_eq!((answer.code, &answer.stdout[..]), (Some(0), "EVICT 0\nEVICT 0\n"));
    assert!(answer.time < Duration::from_secs(3), "it takes {:?}", answer.time);
    let answer = common::run("kv_evict", input(&add(2, " 1", blocks + 1)).as_bytes());
    assert_eq!(answer.code, Some(1));
    assert!(answer.stderr.contains("expected blocks that differ from each other, found \"1\""));
}
