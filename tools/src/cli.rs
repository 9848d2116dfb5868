//! What the commands have in common: how they end, what they read and print, arguments that several
//! of them take.
//!
//! A command that cannot do its work says why in one line on standard error, `gen: no shape …`, and
//! ends with exit code 1. One that says yes or no by its exit code, 0 or 1, ends with 2 then.

use std::fmt::Display;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

/// Ends a command: it has done its work, or says why not.
pub fn finish(command: &str, outcome: Result<(), String>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{command}: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Ends a command that asks something: yes, no, or why it does not know.
pub fn verdict(command: &str, outcome: Result<bool, String>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("{command}: {message}");
            ExitCode::from(2)
        }
    }
}

/// Prints to standard output. Whoever closes it early has seen enough.
///
/// # Errors
/// The output cannot be written.
pub fn print(text: impl Display) -> Result<(), String> {
    let mut output = io::BufWriter::new(io::stdout().lock());
    match write!(output, "{text}").and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("cannot write the output: {error}"))
        }
        _ => Ok(()),
    }
}

/// The bytes of a file, or of standard input for "-".
///
/// # Errors
/// It cannot be read; the message names it.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    let content = if path.as_os_str() == "-" {
        let mut content = Vec::new();
        io::stdin().read_to_end(&mut content).map(|_| content)
    } else {
        std::fs::read(path)
    };
    content.map_err(|error| format!("{}: {error}", name(path)))
}

/// A file's name in messages; "-" is standard input.
pub fn name(path: &Path) -> String {
    if path.as_os_str() == "-" {
        return "standard input".to_string();
    }
    path.display().to_string()
}

/// The program under test, for `#[command(flatten)]`.
#[derive(clap::Args)]
pub struct Program {
    /// A path or a program of this workspace, which is built first, with its arguments; the
    /// problem's solver if absent
    #[arg(last = true, value_name = "SOLVER ARGS")]
    words: Vec<String>,

    /// Seconds until the program is stopped
    #[arg(long, default_value = "10", value_name = "SECONDS", value_parser = seconds)]
    pub limit: Duration,
}

impl Program {
    /// How to start the program; `solver` is the one that is meant if none is given.
    ///
    /// # Errors
    /// There is no such program, or it cannot be built.
    pub fn find(&self, solver: &str) -> Result<Prepared, String> {
        let (name, arguments) = match &self.words[..] {
            [] => (solver, &[][..]),
            [name, arguments @ ..] => (name.as_str(), arguments),
        };
        let path = crate::solver::find(name).map_err(|error| error.to_string())?;
        Ok(Prepared { path, arguments: arguments.to_vec(), limit: self.limit })
    }
}

/// A program that can be started.
pub struct Prepared {
    path: std::path::PathBuf,
    arguments: Vec<String>,
    /// How long it may run.
    pub limit: Duration,
}

impl Prepared {
    /// A process to start.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.args(&self.arguments);
        command
    }
}

/// Parses a number of seconds, for clap.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map_err(|_| "not a number")?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}
