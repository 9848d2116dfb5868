//! Scores eviction policies of `kv_evict` on a folder of inputs or on the built-in corpus.

mod measure;
mod report;
mod table;

use clap::Parser;
use measure::{Contender, Measuring};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use tools::cli;
use tools::evict::baselines::names;
use tools::evict::suite::{self, Entry};
use tools::evict::workload::{cases, corpus, held_out, HELD_OUT_SEED};
use tools::solver;

/// Score an eviction policy of kv_evict.
///
/// Plays every input, a program in lock-step through the judge, a baseline inside this process,
/// and prints for each subtask and family the sum of T, its ratio to the best T known (from .best
/// files) or to a lower bound, and beside it LRU, the best fixed rule, the leader among simple
/// predictors and a clairvoyant greedy. The score is the contest's: the sum of
/// W·(0.2 + 0.8·ΣT_best/ΣT) over the subtasks.
#[derive(Parser)]
#[command(name = "score", version, after_help = EXAMPLES)]
struct Arguments {
    /// A path to a program, a program of this workspace (built first), or a baseline
    #[arg(default_value = "kv_evict")]
    policy: String,

    /// Inputs named stNN_family….in, with .best files beside them or not, instead of the corpus
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,

    /// The part of the corpus that is set aside for the last measurement of a policy
    #[arg(long, conflicts_with_all = ["folder", "seed"])]
    held_out: bool,

    /// Another seed of the built-in corpus
    #[arg(long, value_parser = clap::value_parser!(u64).range(..HELD_OUT_SEED), conflicts_with = "folder")]
    seed: Option<u64>,

    /// Only these families
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    family: Vec<String>,

    /// Only these subtasks
    #[arg(long, value_name = "N", value_delimiter = ',')]
    subtask: Vec<u8>,

    /// Compare case by case with another policy, named in the same ways
    #[arg(long, value_name = "OTHER")]
    against: Option<String>,

    /// Print the score of every baseline as well
    #[arg(long)]
    baselines: bool,

    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,

    /// Seconds for a program and a case
    #[arg(long, default_value = "10", value_name = "SECONDS", value_parser = cli::seconds)]
    limit: Duration,

    /// Cases at a time; all cores if absent
    #[arg(long, value_name = "COUNT")]
    jobs: Option<usize>,
}

const EXAMPLES: &str = "Examples:
  score                                 the workspace's solver on the built-in corpus
  score lru --baselines                 all baselines
  score kv_evict --family rr,srpt       two families only
  score ./new --against ./old           two builds case by case
  score kv_evict --folder tests --json  a folder of inputs, for further processing";

fn main() -> ExitCode {
    cli::finish("score", run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let entries = entries(arguments)?;
    let mut contenders = vec![contender(&arguments.policy)?];
    if let Some(other) = &arguments.against {
        contenders.push(contender(other)?);
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = arguments.jobs.unwrap_or(cores).max(1);
    let measured =
        Measuring { contenders: &contenders, limit: arguments.limit, jobs }.all(&entries)?;
    if arguments.json {
        println!("{}", report::json(&contenders, &measured));
        return Ok(());
    }
    table::print(&contenders, &measured, arguments.baselines);
    Ok(())
}

fn entries(arguments: &Arguments) -> Result<Vec<Entry>, String> {
    let all: Vec<Entry> = match (&arguments.folder, arguments.held_out, arguments.seed) {
        (Some(path), ..) => suite::folder(path)?,
        (_, true, _) => held_out().into_iter().map(Entry::from).collect(),
        (_, _, Some(seed)) => {
            cases(seed, |family| !family.held_out).into_iter().map(Entry::from).collect()
        }
        _ => corpus().into_iter().map(Entry::from).collect(),
    };
    let wanted = |entry: &Entry| {
        let family = arguments.family.is_empty() || arguments.family.contains(&entry.family);
        let number = entry.subtask.number();
        family && (arguments.subtask.is_empty() || arguments.subtask.contains(&number))
    };
    let entries: Vec<Entry> = all.into_iter().filter(wanted).collect();
    if entries.is_empty() {
        return Err("no input is left".into());
    }
    Ok(entries)
}

fn contender(name: &str) -> Result<Contender, String> {
    if let Some(at) = names().iter().position(|&(baseline, _)| baseline == name) {
        return Ok(Contender::Baseline { name: name.to_string(), at });
    }
    let path = solver::find(name).map_err(|error| error.to_string())?;
    Ok(Contender::Program { name: name.to_string(), path })
}
