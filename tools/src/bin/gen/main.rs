//! Prints generated inputs. Each solver has a subcommand with generators of its own.

mod kv_evict;

use clap::{Parser, Subcommand};
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

/// Print a generated input.
///
/// The same arguments give the same input on every machine.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Arguments {
    /// List the generators of every solver
    #[arg(long)]
    list: bool,

    #[command(subcommand)]
    solver: Option<Solver>,
}

#[derive(Subcommand)]
enum Solver {
    /// Cache eviction: workloads of many schedulers
    #[command(name = "kv_evict")]
    KvEvict(kv_evict::Arguments),
}

const EXAMPLES: &str = "Examples:
  gen --list
  gen kv_evict rr --subtask 3 --level 2 --seed 1 > rr.in
  gen kv_evict wide --seed 5 > wide.in";

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let text = match (&arguments.solver, arguments.list) {
        (_, true) => Ok(list()),
        (Some(Solver::KvEvict(arguments)), _) => kv_evict::generate(arguments),
        (None, false) => Err("a solver is missing, see --help".to_string()),
    };
    let written = text.and_then(|text| match io::stdout().lock().write_all(text.as_bytes()) {
        // Whoever reads the output has seen enough.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("cannot write the output: {error}"))
        }
        _ => Ok(()),
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("gen: {message}");
            ExitCode::FAILURE
        }
    }
}

/// A line for each generator: solver, name, what it makes.
fn list() -> String {
    let line = |(name, about): (String, String)| format!("kv_evict {name:<10} {about}\n");
    kv_evict::list().into_iter().map(line).collect()
}
