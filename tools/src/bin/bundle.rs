//! Prints a solver as one self-contained source file.

use clap::Parser;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tools::bundle::{bundle, solvers, Crates, SIZE_LIMIT};

/// Print a solver as one self-contained source file, ready for an online judge.
///
/// The file needs nothing but the standard library, unless --crates is given.
#[derive(Parser)]
#[command(
    version,
    after_help = "Examples:\n  \
    cargo run --bin bundle -- kv_retain > kv_retain.rs\n  \
    cargo run --bin bundle -- --all submissions"
)]
struct Arguments {
    /// The solver, as `kv_retain`
    #[arg(required_unless_present = "all")]
    solver: Option<String>,

    /// Write every solver to DIR/<solver>.rs instead
    #[arg(long, value_name = "DIR", conflicts_with = "solver")]
    all: Option<PathBuf>,

    /// Leave `proconio` and `itertools` to the judge, as for AtCoder
    #[arg(long)]
    crates: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bundle: {message}");
            ExitCode::FAILURE
        }
    }
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
        print!("{}", sized(solver)?);
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

/// The nearest folder, from the current one up, that has solvers.
fn workspace() -> Result<PathBuf, String> {
    let here = env::current_dir().map_err(|error| error.to_string())?;
    let has_solvers =
        |folder: &&Path| folder.join("src/bin").is_dir() && folder.join("src/io").is_dir();
    let found = here.ancestors().find(has_solvers).map(Path::to_path_buf);
    found.ok_or_else(|| format!("{} is not in a checkout of kv-contest", here.display()))
}
