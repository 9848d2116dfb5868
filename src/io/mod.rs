//! Fast input ([`Scanner`]), fast output ([`Writer`]), and the one place where input errors are
//! worded ([`run`]).
//!
//! A solver is a closure over both. Reading never returns an error: a token that is missing or
//! not what the solver asked for ends the program with one line that names its place, so that a
//! solver's `read` is as short as the statement's input section.
//!
//! ```no_run
//! use kv_contest::io::{self, In};
//! use proconio::input;
//!
//! io::run("sum", |scanner, writer| {
//!     input! { from &mut *scanner, n: with In(1..=usize::MAX) }
//!     let sum: u64 = (0..n).map(|_| scanner.int(0..=1_000_000u64)).sum();
//!     writer.int(sum).byte(b'\n');
//! });
//! ```

mod number;
mod scanner;
mod writer;

pub use scanner::{In, Integer, Scanner};
pub use writer::{Piece, Printable, Writer};

use std::io::{IsTerminal, Write};
use std::panic::{self, AssertUnwindSafe};
use std::process;

/// Why a program stops before its end. Travels by [`stop`], without a panic message.
enum Stop {
    /// The last token is not what was expected.
    Input { expected: String },
    /// Reading or writing failed, in the operating system's words.
    System(String),
    /// Whoever reads the output has gone.
    OutputClosed,
}

fn stop(why: Stop) -> ! {
    panic::resume_unwind(Box::new(why))
}

/// The version that `--version` prints, the package's.
const VERSION: &str = "0.1.0";

const HELP: &str = "\
Solves one input of its problem, read from standard input. The problem and the
formats of input and output are explained at the top of the program's source.
";

/// Runs `solver` on standard input and output and flushes what it wrote.
///
/// Bad input ends the program with exit code 1 and one line on standard error,
/// `<name>: line L, column K: expected …, found …`. An output that nobody reads any more is no
/// error: the program ends quietly with exit code 0.
///
/// A judge passes no arguments; a person may pass `--help` or `--version`, and is told what the
/// program waits for if it reads from a terminal.
pub fn run(name: &str, solver: impl FnOnce(&mut Scanner, &mut Writer)) {
    if let Some(argument) = std::env::args_os().nth(1) {
        let text = match argument.to_str() {
            Some("--help" | "-h") => format!("Usage: {name} < INPUT > OUTPUT\n\n{HELP}"),
            Some("--version" | "-V") => format!("{name} {VERSION}\n"),
            _ => {
                tell(name, &format!("unexpected argument {argument:?}; see {name} --help"));
                process::exit(2);
            }
        };
        // Whoever asked may close the pipe before the end.
        let _ = std::io::stdout().write_all(text.as_bytes());
        return;
    }
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
        tell(name, &format!("reading the input from the terminal; {end} ends it"));
    }
    let mut scanner = Scanner::new(stdin.lock());
    let mut writer = Writer::new(std::io::stdout().lock());
    if let Err(message) = attempt(&mut scanner, &mut writer, solver) {
        tell(name, &message);
        process::exit(1);
    }
}

/// Prints a line on standard error. Where nobody takes it, the exit code has to do.
fn tell(name: &str, message: &str) {
    let _ = writeln!(std::io::stderr(), "{name}: {message}");
}

/// Runs `solver` on any input and output, and flushes what it wrote unless the input is bad; the
/// error is the line that [`run`] prints behind the program's name.
///
/// Panics with the solver's own panic, if it has one.
pub fn attempt(
    scanner: &mut Scanner,
    writer: &mut Writer,
    solver: impl FnOnce(&mut Scanner, &mut Writer),
) -> Result<(), String> {
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        solver(scanner, writer);
        writer.flush();
    }));
    let Err(payload) = outcome else {
        return Ok(());
    };
    match payload.downcast::<Stop>() {
        Ok(why) => match *why {
            Stop::Input { expected } => {
                let (line, column) = scanner.position();
                let found = scanner.found();
                Err(format!("line {line}, column {column}: expected {expected}, found {found}"))
            }
            Stop::System(message) => Err(message),
            Stop::OutputClosed => Ok(()),
        },
        Err(panic) => panic::resume_unwind(panic),
    }
}

/// What `solver` prints on `input`, or the error line of [`attempt`]. For tests.
///
/// # Panics
/// With the solver's own panic, if it has one, or if it prints what is not UTF-8.
pub fn outcome(
    input: &[u8],
    solver: impl FnOnce(&mut Scanner, &mut Writer),
) -> Result<String, String> {
    let mut output = Vec::new();
    attempt(&mut Scanner::new(input), &mut Writer::new(&mut output), solver)?;
    Ok(String::from_utf8(output).expect("solvers print text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_package() {
        assert_eq!(VERSION, env!("CARGO_PKG_VERSION"));
    }

    #[test]
    fn what_a_solver_wrote_is_flushed_at_its_end() {
        let echo = |scanner: &mut Scanner, writer: &mut Writer| {
            writer.int(scanner.int(-9..=9i64)).byte(b'\n');
        };
        assert_eq!(outcome(b" -7 ", echo), Ok("-7\n".to_string()));
    }

    #[test]
    fn bad_input_leaves_nothing_on_the_output() {
        let two = |scanner: &mut Scanner, writer: &mut Writer| {
            writer.int(scanner.int(0..=9u32));
            writer.int(scanner.int(0..=9u32));
        };
        assert_eq!(
            outcome(b"1\n  x2", two),
            Err(r#"line 2, column 3: expected an integer from 0 to 9, found "x2""#.to_string())
        );
    }

    #[test]
    #[should_panic(expected = "a mistake of the solver")]
    fn a_panic_of_the_solver_stays_a_panic() {
        let _ = outcome(b"", |_, _| panic!("a mistake of the solver"));
    }
}
