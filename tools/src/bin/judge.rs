//! Judges a program on one input.

use clap::Parser;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use tools::cli::{self, Prepared, Program};
use tools::evict::lockstep::{self, Options};
use tools::evict::{bound, Input};
use tools::problem::{Batch, Problem};
use tools::run::run;
use tools::verdict::Verdict;

/// Judge a program on an input, as an online judge does.
///
/// The verdict is AC, WA with the first difference, RE with the way in which the program failed, TLE,
/// or, for kv_evict, ILLEGAL with the command, the reply and the rule that it breaks. Ends with exit
/// code 1 unless it is AC. The right answer is that of --answer, or else of the .out file beside the
/// input, or else of a brute force, which checks the input too. kv_evict is played in lock-step;
/// any legal plans are accepted, and their logical time T is given in its parts.
#[derive(Parser)]
#[command(name = "judge", version, after_help = EXAMPLES)]
struct Arguments {
    /// The problem
    problem: Problem,

    /// The input; standard input if "-"
    input: PathBuf,

    #[command(flatten)]
    program: Program,

    /// The right answer
    #[arg(long, value_name = "FILE")]
    answer: Option<PathBuf>,
}

const EXAMPLES: &str = "Examples:
  judge kv_retain samples/kv_retain/sample-1.in
  judge kv_evict large.in --limit 3 -- ./my_solver --verbose
  judge prefix_opt large.in --answer large.answer -- python3 my_solver.py
  gen kv_evict rr | judge kv_evict - -- evict_lru";

fn main() -> ExitCode {
    cli::verdict("judge", judge(&Arguments::parse()))
}

/// Whether the program is accepted; the verdict is printed.
fn judge(arguments: &Arguments) -> Result<bool, String> {
    let Arguments { problem, input: path, answer, program } = arguments;
    let input = cli::read(path)?;
    let fault = |error: String| format!("{}: {error}", cli::name(path));
    let program = || program.find(problem.name());
    let (verdict, text) = match (problem.batch(), answer) {
        (Some(batch), _) => {
            let expected = expected(&batch, &input, path, answer.as_deref())?;
            batch_verdict(&program()?, &input, &expected)?
        }
        (None, Some(_)) => {
            return Err(format!("{} has many right answers, --answer is none", problem.name()))
        }
        (None, None) => {
            let text = String::from_utf8(input).map_err(|error| fault(error.to_string()))?;
            let input = Input::parse(&text).map_err(|error| fault(error.to_string()))?;
            evict_verdict(&program()?, &input)?
        }
    };
    cli::print(text)?;
    Ok(verdict == Verdict::Accepted)
}

fn expected(
    batch: &Batch,
    input: &[u8],
    path: &Path,
    answer: Option<&Path>,
) -> Result<Vec<u8>, String> {
    let beside = path.with_extension("out");
    if let Some(given) = answer.or(beside.is_file().then_some(&beside)) {
        return cli::read(given);
    }
    let answer = (batch.answer)(input).map_err(|error| format!("{}: {error}", cli::name(path)))?;
    Ok(answer.into_bytes())
}

fn batch_verdict(
    program: &Prepared,
    input: &[u8],
    expected: &[u8],
) -> Result<(Verdict, String), String> {
    let run = run(program.command(), input, program.limit).map_err(cannot_run)?;
    let verdict = Verdict::of(&run, expected, program.limit);
    let memory = (run.peak_memory > 0).then_some(run.peak_memory);
    let text = format!("{verdict}\n{}", costs(run.wall, run.cpu, "busy", memory));
    Ok((verdict, text))
}

fn evict_verdict(program: &Prepared, input: &Input) -> Result<(Verdict, String), String> {
    let options = Options { limit: program.limit, ..Options::default() };
    let report = lockstep::run(program.command(), input, &options).map_err(cannot_run)?;
    let (verdict, text) = match &report.outcome {
        Ok(cost) => {
            let text = format!(
                "AC  T = {}: {} loads, {} allocations, {} rounds; no T is below {}",
                cost.total(),
                cost.loads,
                cost.allocations,
                cost.rounds,
                bound(input).expect("a checked input"),
            );
            (Verdict::Accepted, text)
        }
        Err(rejection) => {
            let verdict = Verdict::from(rejection);
            let text = verdict.to_string();
            (verdict, text)
        }
    };
    let costs = costs(report.wall, report.waiting, "waited for", report.peak_memory);
    Ok((verdict, format!("{text}\n{costs}")))
}

fn cannot_run(error: std::io::Error) -> String {
    format!("cannot run the program: {error}")
}

/// The second line of a verdict: wall time, a part of it, peak memory where it is known.
fn costs(wall: Duration, part: Duration, name: &str, memory: Option<u64>) -> String {
    let times = format!("{:.3} s, {:.3} s of it {name}", wall.as_secs_f64(), part.as_secs_f64());
    match memory {
        Some(bytes) => format!("{times}, {:.1} MiB\n", bytes as f64 / f64::from(1 << 20)),
        None => times + "\n",
    }
}
