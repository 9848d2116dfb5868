//! Prints a solver as one self-contained source file.

use clap::Parser;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use tools::bundle::{bundle, solvers, Crates, SIZE_LIMIT};
use tools::cli;
use tools::solver::workspace;

/// Print a solver as one self-contained source file, ready for an online judge.
///
/// The file needs nothing but the standard library, unless --crates is given.
#[derive(Parser)]
#[command(
    name = "bundle",
    version,
    after_help = "Examples:\n  \
    bundle kv_retain > kv_retain.rs\n  \
    bundle --all submissions"
)]
struct Arguments {
    /// The solver, as `kv_retain`
    #[arg(required_unless_present = "all")]
    solver: Option<String>,

    /// Write every solver to DIR/SOLVER.rs instead
    #[arg(long, value_name = "DIR", conflicts_with = "solver")]
    all: Option<PathBuf>,

    /// Leave `proconio` and `itertools` to the judge, as for AtCoder
    #[arg(long)]
    crates: bool,
}

fn main() -> ExitCode {
    cli::finish("bundle", run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let root = workspace()?;
    let crates = if arguments.crates { Crates::Judge } else { Crates::StandIns };
    let sized = |solver: &str| {
        let text = bundle(&root, solver, crates)?;
        let excess = if text.len() > SIZE_LIMIT { ", more than Codeforces takes" } else { "" };
        eprintln!("{solver}: {} bytes{excess}", text.len());
        Ok::<_, String>(text)
    };
    if let Some(solver) = &arguments.solver {
        cli::print(sized(solver)?)?;
    }
    if let Some(folder) = &arguments.all {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for solver in solvers(&root)? {
            let path = folder.join(format!("{solver}.rs"));
            let written = fs::write(&path, sized(&solver)?);
            written.map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}
