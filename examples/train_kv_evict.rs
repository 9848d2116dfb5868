//! Trains the priors of `kv_evict`: where its experts start.
//!
//! `cargo run --release --example train_kv_evict` plays the workloads of the laboratory's own
//! families with seed 2, nothing that is held out, and prints the table of
//! `src/bin/kv_evict/forecast/prior.rs`. Each workload is an expert's who foretold it best, and an
//! expert starts next time from the mean of where its workloads have led it. In the first epoch
//! there is one expert; then they start alike, with the families dealt out.
//! `cargo run --release --example train_kv_evict -- score` plays seed 1 with the present table. Where
//! the number of features has changed, first bring the rows of the table to its length, by any bytes.
//!
//! The house rule is that `tools` never sees a solver. Training needs both: it includes the
//! solver's own modules, and is an example of the root package for that reason.

#[path = "../src/bin/kv_evict/choice.rs"]
mod choice;
#[path = "../src/bin/kv_evict/forecast/mod.rs"]
mod forecast;
#[path = "../src/bin/kv_evict/recency.rs"]
mod recency;
#[allow(dead_code)] // what only the protocol asks for is not used here
#[path = "../src/bin/kv_evict/state.rs"]
mod state;

use forecast::features::FEATURES;
use forecast::ranking::{decode, priors, Prior};
use forecast::Forecast;
use state::State;
use std::collections::BTreeMap;
use std::path::Path;
use tools::evict::score::{by_family, by_subtask, score, Measured, Player, Sums};
use tools::evict::suite::{self, Entry};
use tools::evict::{
    play, workload, Action, Batch, Command, Input, Policy, RequestId, Round, Rules,
};

const EXPERTS: usize = 8;
const EPOCHS: usize = 9;
const JOBS: usize = 2;

/// The solver inside this process.
struct Solver {
    state: State,
    forecast: Forecast,
    batch: Vec<usize>,
    planned: Vec<state::Action>,
}

impl Solver {
    fn new(input: &Input, priors: &[Prior]) -> Self {
        Solver {
            state: State::new(input.s, input.c),
            forecast: Forecast::new(priors),
            batch: Vec::new(),
            planned: Vec::new(),
        }
    }

    fn see(&mut self, ids: impl Iterator<Item = RequestId>) {
        self.state.open_batch();
        self.batch = ids.map(|id| self.state.request(id.0.into()).expect("known")).collect();
        for &request in &self.batch {
            assert!(self.state.join_batch(request));
        }
        self.forecast.seen(&self.state, &self.batch);
        self.planned = choice::plan(&self.state, &mut self.forecast, &self.batch);
    }
}

impl Policy for Solver {
    fn plan(&mut self, rules: &Rules, batch: &Batch) -> Vec<Action> {
        self.see(batch.requests.iter().map(|&ix| rules.request(ix).id));
        let id = |id: u64| u32::try_from(id).expect("an id of the input");
        let planned = self.planned.iter().map(|action| match *action {
            state::Action::Evict(block) => {
                Action::Evict(tools::evict::BlockId(id(self.state.block_id(block))))
            }
            state::Action::Preempt(request) => {
                Action::Preempt(RequestId(id(self.state.request_id(request))))
            }
        });
        planned.collect()
    }

    fn applied(&mut self, _: &Rules, command: &Command) {
        let state = &mut self.state;
        match command {
            Command::CreateBlock(id) => assert!(state.create_block(id.0.into())),
            Command::DropBlock(id) => {
                let block = state.block(id.0.into()).expect("known");
                state.drop_block(block);
            }
            Command::Add { id, blocks, p, m } => {
                let blocks: Vec<usize> = blocks
                    .iter()
                    .map(|block| state.block(block.0.into()).expect("known"))
                    .collect();
                let shared = state.tokens_in(blocks.len());
                state.add(id.0.into(), &blocks, p - shared, *m);
                self.forecast.added(state, state.requests.len() - 1);
            }
            Command::Cancel(id) => {
                let request = state.request(id.0.into()).expect("known");
                state.cancel(request);
            }
            Command::Decode(_) => unreachable!("rounds come by themselves"),
        }
    }

    fn decoded(&mut self, rules: &Rules, round: &Round) {
        // Without a shortage there was no question.
        if self.batch.is_empty() {
            self.see(round.requests.iter().map(|&ix| rules.request(ix).id));
        }
        self.state.decode(&self.batch, &self.planned);
        self.batch.clear();
    }
}

/// T and the solver at the end.
fn run(input: &Input, priors: &[Prior]) -> Result<(u64, Solver), String> {
    let mut solver = Solver::new(input, priors);
    let cost = play(input, &mut solver).map_err(|failure| failure.to_string())?;
    Ok((cost.total(), solver))
}

/// An epoch: the workloads' experts' means, and the mean merit. `deal` is who takes what.
fn epoch(
    entries: &[Entry],
    priors: &[Prior],
    deal: impl Fn(&Entry, &[f64]) -> usize,
) -> Result<(Vec<Prior>, f64), String> {
    let play = |entry: &Entry| Ok(run(&entry.input()?, priors)?.1.forecast.experts);
    let played = suite::each(entries, JOBS, play, |_| ())?;
    let mut sums = vec![([0.0; FEATURES], 0.0); priors.len()];
    let mut merit = 0.0;
    for (entry, experts) in entries.iter().zip(&played) {
        let merits: Vec<f64> = experts.iter().map(|expert| expert.merit).collect();
        let taker = deal(entry, &merits);
        merit += merits[taker] / entries.len() as f64;
        let (sum, count) = &mut sums[taker];
        *count += 1.0;
        for (sum, weight) in sum.iter_mut().zip(&experts[taker].weights) {
            *sum += weight;
        }
    }
    let mean = |((sum, count), prior): (([f32; FEATURES], f32), &Prior)| match count {
        0.0 => *prior,
        _ => sum.map(|sum| sum / count),
    };
    Ok((sums.into_iter().zip(priors).map(mean).collect(), merit))
}

fn train() -> Result<(), String> {
    let cases = workload::cases(2, |family| !family.held_out).into_iter();
    let queues = cases.filter(|case| (3..=7).contains(&case.subtask.number()));
    let entries: Vec<Entry> = queues.map(Entry::from).collect();
    let mut families: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in &entries {
        let next = families.len();
        families.entry(&entry.family).or_insert(next);
    }
    let best = |merits: &[f64]| {
        (0..merits.len()).max_by(|&a, &b| merits[a].total_cmp(&merits[b])).expect("experts")
    };
    let (one, _) = epoch(&entries, &[[0.0; FEATURES]], |_, _| 0)?;
    let mut priors = vec![one[0]; EXPERTS];
    for number in 1..EPOCHS {
        let merit;
        (priors, merit) = epoch(&entries, &priors, |entry, merits| match number {
            1 => families[entry.family.as_str()] % EXPERTS,
            _ => best(merits),
        })?;
        eprintln!("epoch {number} of {EPOCHS}: merit {merit:.3}");
    }
    print(&priors);
    Ok(())
}

/// Prints the table, each weight as the byte that comes nearest.
fn print(priors: &[Prior]) {
    println!("//! Where the experts start, a byte a weight: made by");
    println!("//! `cargo run --release --example train_kv_evict`.\n");
    println!("use super::features::FEATURES;\n");
    println!("pub static PRIORS: [[u8; FEATURES]; {}] = [", priors.len());
    for prior in priors {
        let byte = |weight: &f32| {
            let distance = |&byte: &u8| (decode(byte) - weight).abs();
            (b'#'..=b'~').min_by(|a, b| distance(a).total_cmp(&distance(b))).expect("a byte")
        };
        let bytes: Vec<u8> = prior.iter().map(byte).collect();
        println!("    *br\"{}\",", String::from_utf8(bytes).expect("ASCII"));
    }
    println!("];");
}

fn measure(folder: Option<&String>) -> Result<(), String> {
    let entries = match folder {
        Some(folder) => suite::folder(Path::new(folder))?,
        None => workload::corpus().into_iter().map(Entry::from).collect(),
    };
    let play = |entry: &Entry| {
        let input = entry.input()?;
        Ok(Measured {
            name: entry.name.clone(),
            family: entry.family.clone(),
            subtask: entry.subtask,
            reference: entry.reference(&input)?,
            baselines: Vec::new(),
            policies: vec![Some(run(&input, &priors())?.0)],
        })
    };
    let measured = suite::each(&entries, JOBS, play, |_| ())?;
    let player = Player::Policy(0);
    let ratio = |group: Vec<&Measured>| Sums::of(group, player).ratio().unwrap_or(0.0);
    for (family, group) in by_family(&measured) {
        print!("{family} {:.3}  ", ratio(group));
    }
    println!();
    for (subtask, group) in by_subtask(&measured) {
        print!("{}: {:.4}  ", subtask.number(), ratio(group));
    }
    println!("\nscore {:.3}", score(&measured, player));
    Ok(())
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        None => train(),
        Some("score") => measure(arguments.get(1)),
        Some(other) => Err(format!("{other}: expected nothing, or score and perhaps a folder")),
    }
}
