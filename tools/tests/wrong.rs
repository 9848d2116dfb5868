//! The project's own cases reject every wrong solver.

use rand::rngs::StdRng;
use rand::SeedableRng;
use std::fs;
use std::path::Path;
use tools::evict::{self, Action, Batch, Command, Rules, Shape};
use tools::problem::{self, Problem};
use tools::wrong;

/// The samples of a problem, and as many small random inputs as a test takes.
fn cases(problem: Problem) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let read = |path| fs::read_to_string(path).expect("a sample is text");
    let short = |input: &String| input.len() < 5000;
    let random = (0..1000).map(|seed| (problem.small())(&mut StdRng::seed_from_u64(seed)));
    problem.samples(&folder).into_iter().map(read).filter(short).chain(random).collect()
}

fn assert_rejected(problem: Problem, batch: problem::Batch) {
    let cases = cases(problem);
    let problem = problem.name();
    let solved =
        cases.iter().filter_map(|input| Some((input, (batch.answer)(input.as_bytes()).ok()?)));
    let solved: Vec<_> = solved.collect();
    for (input, expected) in &solved {
        assert_eq!((batch.right)(input), *expected, "{problem}: without a mistake, on\n{input}");
    }
    for (mistake, wrong) in batch.wrong {
        let rejecting = solved.iter().filter(|(input, right)| wrong(input) != *right).count();
        println!("{problem}: {mistake}: {rejecting} of {}", solved.len());
        assert!(rejecting > 0, "{problem}: no case rejects that {mistake}");
        assert!(rejecting < solved.len(), "{problem}: it is not just wrong that {mistake}");
    }
}

#[test]
fn wrong_solvers_of_batch_problems_are_rejected() {
    for problem in Problem::all() {
        if let Some(batch) = problem.batch() {
            assert_rejected(*problem, batch);
        }
    }
}

/// How many of 300 random inputs a planner makes an illegal plan for.
fn rejected(planner: fn(&Rules, &Batch) -> Vec<Action>) -> usize {
    let illegal = |seed: &u64| {
        let input = evict::random(&mut StdRng::seed_from_u64(*seed), &Shape::SMALL);
        let mut rules = Rules::new(input.s, input.c);
        input.commands.iter().any(|command| match command {
            Command::Decode(ids) => {
                let batch = rules.batch(ids).expect("a legal batch");
                let plan = planner(&rules, &batch);
                rules.decode(batch, &plan).is_err()
            }
            other => rules.apply(other).is_err(),
        })
    };
    (0..300).filter(illegal).count()
}

#[test]
fn wrong_planners_of_kv_evict_are_rejected() {
    assert_eq!(rejected(wrong::kv_evict::right), 0);
    for (mistake, planner) in wrong::kv_evict::ALL {
        let rejected = rejected(planner);
        println!("{mistake}: {rejected} of 300");
        assert!(rejected > 0, "no input rejects that {mistake}");
    }
}
