//! Runs a program in lock-step and prints the verdict with T in its parts, time and memory.

use clap::Args;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tools::evict::lockstep::{run, Options, Report};
use tools::evict::{bound, Input};
use tools::solver;

#[derive(Args)]
pub struct Arguments {
    /// The input; standard input if "-"
    input: PathBuf,

    /// A path or a program of this workspace, which is built first, with its arguments
    #[arg(last = true, default_value = "kv_evict", value_name = "SOLVER ARGS")]
    solver: Vec<String>,

    /// Seconds until the program is stopped
    #[arg(long, default_value_t = 10.0, value_name = "SECONDS")]
    limit: f64,
}

/// Whether the program is accepted; the verdict is printed.
///
/// # Errors
/// The input is unsound or the program cannot be run.
pub fn judge(arguments: &Arguments) -> Result<bool, String> {
    let name = arguments.input.display();
    let text = read(&arguments.input).map_err(|error| format!("{name}: {error}"))?;
    let input = Input::parse(&text).map_err(|error| format!("{name}: {error}"))?;
    let limit = Duration::try_from_secs_f64(arguments.limit)
        .map_err(|error| format!("--limit {}: {error}", arguments.limit))?;
    let [program, rest @ ..] = &arguments.solver[..] else {
        return Err("the solver is missing behind --".into());
    };
    let path = solver::find(program).map_err(|error| error.to_string())?;
    let mut command = Command::new(&path);
    command.args(rest);
    let options = Options { limit, ..Options::default() };
    let report = run(command, &input, &options).map_err(|error| format!("{program}: {error}"))?;
    print(&report, &input);
    Ok(report.outcome.is_ok())
}

fn print(report: &Report, input: &Input) {
    match &report.outcome {
        Ok(cost) => println!(
            "AC  T = {}: {} loads, {} allocations, {} rounds; no T is below {}",
            cost.total(),
            cost.loads,
            cost.allocations,
            cost.rounds,
            bound(input).expect("a checked input"),
        ),
        Err(rejection) => println!("REJECTED  {rejection}"),
    }
    print!(
        "{:.3} s, {:.3} s of it waiting",
        report.wall.as_secs_f64(),
        report.waiting.as_secs_f64()
    );
    match report.peak_memory {
        Some(bytes) => println!(", {:.1} MiB", bytes as f64 / f64::from(1 << 20)),
        None => println!(),
    }
}

fn read(path: &Path) -> io::Result<String> {
    if path.as_os_str() == "-" {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text)?;
        return Ok(text);
    }
    fs::read_to_string(path)
}
