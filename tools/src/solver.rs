//! Programs to be run: by path, by the name of a program of the workspace, which is built first, or
//! by the name of a command.

use serde::Deserialize;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Why there is no program to run.
#[derive(Debug)]
pub enum SolverError {
    /// There is nothing of this name.
    Unknown(String),
    /// Cargo cannot be started.
    Cargo(io::Error),
    /// Cargo has failed; what it said went to standard error.
    Build(String),
    /// Cargo has built something, but no executable of this name.
    NoExecutable(String),
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            SolverError::Cargo(error) => write!(f, "cannot start cargo: {error}"),
            SolverError::Unknown(name) => {
                write!(f, "{name} is no file, no program of this workspace and no command")
            }
            SolverError::Build(name) => write!(f, "cargo fails to build {name}"),
            SolverError::NoExecutable(name) => write!(f, "cargo built no executable {name}"),
        }
    }
}

impl std::error::Error for SolverError {}

/// A line of cargo's report, as far as it matters here.
#[derive(Deserialize)]
struct Message {
    target: Option<Target>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

/// The executable at this path if there is a file; else the workspace's program of this name, built
/// with `cargo build --release` in the current directory; else the command of this name.
///
/// # Errors
/// There is nothing of this name, or the build fails.
pub fn find(solver: &str) -> Result<PathBuf, SolverError> {
    let path = Path::new(solver);
    if path.is_file() {
        // A bare name would be looked for in PATH.
        return Ok(path.canonicalize().unwrap_or_else(|_| path.to_path_buf()));
    }
    if !is_in_workspace(solver) {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let mut places = std::env::split_paths(&paths).map(|folder| folder.join(solver));
        let found = places.find(|place| place.is_file());
        return found.ok_or_else(|| SolverError::Unknown(solver.to_string()));
    }
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--release", "--quiet", "--message-format=json-render-diagnostics"])
        .args(["--bin", solver])
        .stderr(Stdio::inherit())
        .output()
        .map_err(SolverError::Cargo)?;
    if !output.status.success() {
        return Err(SolverError::Build(solver.to_string()));
    }
    let messages = output.stdout.split(|&byte| byte == b'\n');
    let messages = messages.filter_map(|line| serde_json::from_slice::<Message>(line).ok());
    let named = |message: &Message| message.target.as_ref().is_some_and(|t| t.name == solver);
    let mut executables = messages.filter(named).filter_map(|message| message.executable);
    executables.next().ok_or_else(|| SolverError::NoExecutable(solver.to_string()))
}

/// The nearest folder, from the current one up, that has solvers.
///
/// # Errors
/// There is none.
pub fn workspace() -> Result<PathBuf, String> {
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    let has_solvers =
        |folder: &&Path| folder.join("src/bin").is_dir() && folder.join("src/io").is_dir();
    let found = here.ancestors().find(has_solvers).map(Path::to_path_buf);
    found.ok_or_else(|| format!("{} is not in a checkout of kv-contest", here.display()))
}

fn is_in_workspace(program: &str) -> bool {
    let Ok(root) = workspace() else {
        return false;
    };
    ["src/bin", "tools/src/bin"].iter().any(|folder| {
        let place = root.join(folder).join(program);
        place.is_dir() || place.with_extension("rs").is_file()
    })
}
