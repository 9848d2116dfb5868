//! How fast the solvers are, each against its floor.
//!
//! A floor is a plain program that reads the input, splits it and parses every number in a sensible
//! way, and does nothing else; for `quant_matmul` it also writes as many bytes as the answer has.
//! What a solver takes beyond it is the price of solving. Ways to read numbers are measured as
//! solvers are; their floor only asks for the bytes. The measuring program is its own floor: it
//! runs itself with a hidden argument. It makes the inputs in processes of their own, too, because
//! some systems count what a process has in memory when it starts another one as that one's.

mod measure;
mod plain;
mod rows;
mod table;

use clap::Parser;
use measure::{run, Usage};
pub use rows::{Row, READING};
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Measure the solvers against floors, programs that only read and parse the input, and ways to read
/// against asking for the bytes alone.
///
/// Prints processor time (user and system, the minimum of runs in turn) and peak memory.
#[derive(Parser)]
#[command(name = "floors", bin_name = "cargo floors")]
struct Arguments {
    /// Measure only inputs with one of these in `problem/name`
    filters: Vec<String>,

    /// Runs of the solver and of the floor on each input
    #[arg(long, default_value_t = 7, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,

    /// List the inputs
    #[arg(long)]
    list: bool,

    /// What cargo passes to every benchmark
    #[arg(long, hide = true)]
    bench: bool,

    /// Print an input
    #[arg(long, hide = true, value_name = "ROW")]
    input: Option<String>,
}

/// Makes the program the floor of a problem; the problem and the number of bytes to write follow.
const FLOOR: &str = "--floor";

/// The whole program. `solver` tells what to run for a row.
pub fn main(solver: impl Fn(&Row) -> Command) -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match &words[..] {
        // Before all else, for the floor not to pay for what it does not need.
        [mode, problem, writes] if mode == FLOOR => {
            plain::read_and_parse(problem, writes.parse().unwrap_or(0))
        }
        _ => act(&Arguments::parse(), solver),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("floors: {message}");
            ExitCode::FAILURE
        }
    }
}

fn act(arguments: &Arguments, solver: impl Fn(&Row) -> Command) -> Result<(), String> {
    let is_chosen = |row: &Row| {
        let filters = &arguments.filters;
        filters.is_empty() || filters.iter().any(|part| row.to_string().contains(part))
    };
    let rows = rows::all();
    if let Some(name) = &arguments.input {
        let row = rows.iter().find(|row| row.to_string() == *name);
        let row = row.ok_or_else(|| format!("no input {name}"))?;
        return plain::write(row.text().as_bytes());
    }
    let rows: Vec<Row> = rows.into_iter().filter(is_chosen).collect();
    if arguments.list {
        rows.iter().for_each(|row| println!("{row}"));
        return Ok(());
    }
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let mut table = table::Table::new();
    for row in rows {
        let measured = measured(&row, solver(&row), arguments.runs, folder.path());
        table.add(&row, &measured.map_err(|error| format!("{row}: {error}"))?);
    }
    table.finish();
    Ok(())
}

/// What a row's runs took.
struct Measured {
    solver: Usage,
    /// None where nothing can be read ahead.
    floor: Option<Usage>,
    input_bytes: u64,
}

fn measured(row: &Row, mut solver: Command, runs: u16, folder: &Path) -> Result<Measured, String> {
    let (input, output) = (folder.join("input"), folder.join("output"));
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    // Any file will do as the input of the program that makes the input.
    run(Command::new(&this).args(["--input", &row.to_string()]), &this, &input)?;

    let first = run(&mut solver, &input, &output)?;
    let bytes = |path: &Path| fs::metadata(path).map_or(0, |about| about.len());
    let writes = if row.problem == "quant_matmul" { bytes(&output) } else { 0 };
    let mut floor = Command::new(&this);
    floor.args([FLOOR, row.problem, &writes.to_string()]);
    let mut measured = Measured { solver: first, floor: None, input_bytes: bytes(&input) };
    for _ in 0..runs {
        if row.has_floor() {
            let usage = run(&mut floor, &input, &output)?;
            measured.floor = Some(measured.floor.map_or(usage, |least| least.min(usage)));
        }
        measured.solver = measured.solver.min(run(&mut solver, &input, &output)?);
    }
    Ok(measured)
}
