//! Prints the right answer to an input of a batch problem, or a plausible wrong one. The answers in
//! `samples/` are made with it.

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use tools::cli;
use tools::problem::Problem;

/// Print the right answer to an input of a problem but kv_evict, by brute force.
///
/// With --wrong, the answer of a plausible wrong solver: something for judge and stress to find.
#[derive(Parser)]
#[command(name = "oracle", version, after_help = EXAMPLES)]
struct Arguments {
    /// The problem
    problem: Problem,

    /// The input; standard input if absent or "-"
    #[arg(default_value = "-")]
    input: PathBuf,

    /// Make the N-th of the problem's known mistakes
    #[arg(long, value_name = "N")]
    wrong: Option<usize>,

    /// List the problem's known mistakes
    #[arg(long)]
    mistakes: bool,
}

const EXAMPLES: &str = "Examples:
  oracle prefix_opt < small.in > small.out
  oracle kv_retain --mistakes
  oracle kv_retain --wrong 1 samples/kv_retain/sample-1.in";

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    cli::finish("oracle", output(&arguments).and_then(cli::print))
}

fn output(arguments: &Arguments) -> Result<String, String> {
    let name = arguments.problem.name();
    let batch = arguments.problem.batch();
    let batch = batch.ok_or_else(|| format!("{name} has many right answers"))?;
    if arguments.mistakes {
        let mistakes = (1..).zip(batch.wrong);
        return Ok(mistakes.map(|(number, (what, _))| format!("{number:>2}  {what}\n")).collect());
    }
    let input = cli::read(&arguments.input)?;
    let fault = |error: String| format!("{}: {error}", cli::name(&arguments.input));
    let right = (batch.answer)(&input).map_err(fault)?;
    let Some(number) = arguments.wrong else {
        return Ok(right);
    };
    let mistake = number.checked_sub(1).and_then(|at| batch.wrong.get(at));
    let (_, wrong) = mistake.ok_or_else(|| format!("no mistake {number}, see --mistakes"))?;
    Ok(wrong(std::str::from_utf8(&input).map_err(|error| error.to_string())?))
}
