//! Judges a program on one input. Each solver has a subcommand with rules of its own.

mod kv_evict;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Judge a program on an input: AC, or the first thing that is wrong.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    solver: Solver,
}

#[derive(Subcommand)]
enum Solver {
    /// Cache eviction, in lock-step
    #[command(name = "kv_evict")]
    KvEvict(kv_evict::Arguments),
}

const EXAMPLES: &str = "Examples:
  judge kv_evict samples/kv_evict/sample-1.in
  judge kv_evict large.in --limit 3 -- ./my_solver --verbose
  gen kv_evict rr | judge kv_evict - -- evict_lru";

fn main() -> ExitCode {
    let Arguments { solver: Solver::KvEvict(arguments) } = Arguments::parse();
    match kv_evict::judge(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("judge: {message}");
            ExitCode::from(2)
        }
    }
}
