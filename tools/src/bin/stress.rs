//! Searches an input on which a program fails, and makes it short.

use clap::Parser;
use indicatif::ProgressBar;
use std::fs;
use std::path::PathBuf;
use std::process::{ExitCode, Stdio};
use tools::cli::{self, Prepared, Program};
use tools::evict::lockstep::{self, Options};
use tools::evict::Input;
use tools::problem::Problem;
use tools::run::run;
use tools::solver::workspace;
use tools::stress::{shrink, Choices, Made};
use tools::verdict::Verdict;

/// Search a small input on which a program fails, shrink it and keep it as a sample.
///
/// Small dense inputs are drawn, and the program's output is compared with that of a brute force;
/// plans of kv_evict are judged in lock-step instead. Ends with exit code 1 if the program fails on
/// an input, which is then cut as short as it goes and saved as samples/PROBLEM/hack-NAME.in, the
/// right answer beside it.
#[derive(Parser)]
#[command(name = "stress", version, after_help = EXAMPLES)]
struct Arguments {
    /// The problem
    problem: Problem,

    #[command(flatten)]
    program: Program,

    /// Inputs to try
    #[arg(long, default_value_t = 1000, value_name = "COUNT")]
    tries: u64,

    /// The seed of the first input; the next has the next
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,

    /// What to call the input that is found; its seed if absent
    #[arg(long)]
    name: Option<String>,

    /// Where to save it instead of in samples/PROBLEM
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

const EXAMPLES: &str = "Examples:
  stress prefix_opt                                     the workspace's solver
  stress kv_retain --tries 100000 -- ./my_solver        a program of yours
  stress kv_retain --folder . -- oracle kv_retain --wrong 1   a mistake, to see how it is found";

/// Inputs that may be tried to make one shorter.
const SHRINKING: usize = 3000;

fn main() -> ExitCode {
    cli::verdict("stress", search(&Arguments::parse()))
}

/// Whether the program passes all inputs.
fn search(arguments: &Arguments) -> Result<bool, String> {
    let problem = arguments.problem;
    let program = arguments.program.find(problem.name())?;
    let generate = problem.small();
    let progress = ProgressBar::new(arguments.tries);
    for seed in (arguments.seed..).take(arguments.tries as usize) {
        let made = Made::of(Choices::random(seed), generate);
        let verdict = judge(problem, &program, &made.text)?;
        if verdict != Verdict::Accepted {
            progress.finish_and_clear();
            cli::print(format!("seed {seed}: {verdict}\n"))?;
            let name = arguments.name.clone().unwrap_or_else(|| seed.to_string());
            report(arguments, &program, made, &name)?;
            return Ok(false);
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    cli::print(format!("AC  {} inputs\n", arguments.tries))?;
    Ok(true)
}

/// Shrinks an input on which the program fails, saves it and shows it.
fn report(arguments: &Arguments, program: &Prepared, made: Made, name: &str) -> Result<(), String> {
    let problem = arguments.problem;
    let length = made.text.len();
    let fails = |text: &str| Ok(judge(problem, program, text)? != Verdict::Accepted);
    let (least, tried) = shrink(made, problem.small(), SHRINKING, fails)?;
    let text = &least.text;
    let verdict = judge(problem, program, text)?;
    let folder = match &arguments.folder {
        Some(folder) => folder.clone(),
        None => workspace()?.join("samples").join(problem.name()),
    };
    let path = folder.join(format!("hack-{name}.in"));
    save(&path, text)?;
    if let Some(batch) = problem.batch() {
        save(&path.with_extension("out"), &(batch.answer)(text.as_bytes())?)?;
    }
    cli::print(format!(
        "{length} bytes cut to {} by {tried} runs, saved as {}:\n\n{text}\n{verdict}\n",
        text.len(),
        path.display(),
    ))
}

fn save(path: &PathBuf, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn judge(problem: Problem, program: &Prepared, text: &str) -> Result<Verdict, String> {
    let mut command = program.command();
    command.stderr(Stdio::null());
    let cannot_run = |error| format!("cannot run the program: {error}");
    let Some(batch) = problem.batch() else {
        let input = Input::parse(text).map_err(|error| error.to_string())?;
        let options = Options { limit: program.limit, ..Options::default() };
        let report = lockstep::run(command, &input, &options).map_err(cannot_run)?;
        return Ok(report.outcome.as_ref().err().map_or(Verdict::Accepted, Verdict::from));
    };
    let expected = (batch.answer)(text.as_bytes())?;
    let run = run(command, text.as_bytes(), program.limit).map_err(cannot_run)?;
    Ok(Verdict::of(&run, expected.as_bytes(), program.limit))
}
