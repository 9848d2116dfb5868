//! Programs to be run: by path, or by the name of a solver of the workspace, which is built first.

use serde::Deserialize;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Why there is no program to run.
#[derive(Debug)]
pub enum SolverError {
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
            SolverError::Build(name) => {
                write!(f, "{name} is no file, and cargo builds no such program")
            }
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

/// The executable at this path if there is a file; otherwise the workspace's program of this
/// name, built with `cargo build --release` in the current directory.
///
/// # Errors
/// There is neither such a file nor such a program, or the build fails.
pub fn find(solver: &str) -> Result<PathBuf, SolverError> {
    let path = Path::new(solver);
    if path.is_file() {
        // A bare name would be looked for in PATH.
        return Ok(path.canonicalize().unwrap_or_else(|_| path.to_path_buf()));
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
