//! Prints generated inputs. Each solver has a subcommand with generators of its own.

mod batch;
mod kv_evict;

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use tools::cli;

/// Print a generated input.
///
/// The same arguments give the same input on every machine.
#[derive(Parser)]
#[command(name = "gen", version, after_help = EXAMPLES)]
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

    /// Sparse retention: scores drawn evenly
    #[command(name = "kv_retain")]
    KvRetain(batch::KvRetain),

    /// Offline prefix cache: shapes at the limits
    #[command(name = "prefix_opt")]
    PrefixOpt(batch::PrefixOpt),

    /// Router: shapes at the limits
    #[command(name = "prefix_router")]
    PrefixRouter(batch::PrefixRouter),

    /// Quantized product: numbers drawn evenly
    #[command(name = "quant_matmul")]
    QuantMatmul(batch::QuantMatmul),
}

const EXAMPLES: &str = "Examples:
  gen --list
  gen kv_evict rr --subtask 3 --level 2 --seed 1 > rr.in
  gen kv_evict wide --seed 5 > wide.in
  gen kv_retain --positions 10000 --decimals 17 > large.in
  gen prefix_opt broom --capacity 1000000 > broom.in
  gen prefix_router deep --nodes 50 --requests 100 --tokens 3000 > deep.in
  gen quant_matmul 512 512 512 > cube.in";

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let text = match (&arguments.solver, arguments.list) {
        (_, true) => Ok(list()),
        (Some(Solver::KvEvict(arguments)), _) => kv_evict::generate(arguments),
        (Some(Solver::KvRetain(arguments)), _) => arguments.generate(),
        (Some(Solver::PrefixOpt(arguments)), _) => arguments.generate(),
        (Some(Solver::PrefixRouter(arguments)), _) => arguments.generate(),
        (Some(Solver::QuantMatmul(arguments)), _) => arguments.generate(),
        (None, false) => Err("a solver is missing, see --help".to_string()),
    };
    cli::finish("gen", text.and_then(cli::print))
}

/// A line for each generator: solver, name, what it makes.
fn list() -> String {
    let evict = kv_evict::list().into_iter().map(|(name, about)| ("kv_evict", name, about));
    let others = batch::list().map(|(solver, name, about)| (solver, name.into(), about.into()));
    let lines = evict.chain(others);
    let line =
        |(solver, name, about)| format!("{solver:<14}{name:<23}{about}").trim_end().to_string();
    lines.map(|parts| line(parts) + "\n").collect()
}
