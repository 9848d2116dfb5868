//! Runs the solvers as a judge does: as processes, on standard input and output.

// Each test file uses its own part of this module.
#![allow(dead_code)]

use std::env::consts::EXE_EXTENSION;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tools::problem::Problem;

/// The names of the solvers.
pub fn binaries() -> impl Iterator<Item = &'static str> {
    Problem::all().iter().map(|problem| problem.name())
}

/// The executable of a solver. Cargo puts all of them in one folder.
pub fn executable(binary: &str) -> PathBuf {
    let one = Path::new(env!("CARGO_BIN_EXE_kv_retain"));
    one.with_file_name(binary).with_extension(EXE_EXTENSION)
}

/// The samples of a solver: the path of each input, the input and the expected output. Left out are
/// the inputs of `kv_evict` that a stress run has found, which have no single right output.
pub fn samples(binary: &str) -> Vec<(PathBuf, Vec<u8>, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let read = |path: PathBuf| {
        let input = fs::read(&path).expect("a sample can be read");
        let expected = fs::read_to_string(path.with_extension("out"));
        let expected = expected.unwrap_or_else(|_| panic!("{} has no .out", path.display()));
        (path, input, expected)
    };
    let one_answer = |path: &PathBuf| binary != "kv_evict" || path.with_extension("out").exists();
    let inputs = Problem::named(binary).samples(&folder).into_iter();
    inputs.filter(one_answer).map(read).collect()
}

/// What a process did.
#[derive(Debug)]
pub struct Run {
    pub stdout: String,
    pub stderr: String,
    pub code: Option<i32>,
    pub time: Duration,
}

/// Runs a solver on `input`, as a pipe.
pub fn run(binary: &str, input: &[u8]) -> Run {
    run_program(&executable(binary), input)
}

/// Runs a program on `input`, as a pipe.
pub fn run_program(program: &Path, input: &[u8]) -> Run {
    let start = Instant::now();
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the solver starts");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    let output = std::thread::scope(|scope| {
        // A solver that stops at bad input closes the pipe before all of it is written.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("the solver ends")
    });
    Run {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code(),
        time: start.elapsed(),
    }
}

/// How `run` differs from the output that is expected, if it does: the first line that differs,
/// what the solver said and how long it took.
pub fn difference(run: &Run, expected: &str) -> Option<String> {
    if run.code == Some(0) && run.stdout == expected && run.stderr.is_empty() {
        return None;
    }
    let (mut got, mut wanted) = (run.stdout.split('\n'), expected.split('\n'));
    let place = (1..).find_map(|line| match (wanted.next(), got.next()) {
        (None, None) => Some("no line differs".to_string()),
        (wanted, got) if wanted == got => None,
        (wanted, got) => Some(format!("line {line}: expected {wanted:?}, got {got:?}")),
    });
    let (place, code, time) = (place.unwrap_or_default(), run.code, run.time);
    Some(format!("{place}\nexit code {code:?} after {time:?}; stderr: {:?}", run.stderr))
}

/// Checks a solver's output on `input`.
#[track_caller]
pub fn assert_output(binary: &str, input: &str, expected: &str) {
    if let Some(difference) = difference(&run(binary, input.as_bytes()), expected) {
        let start: String = input.chars().take(2000).collect();
        panic!("{binary}: {difference}\ninput of {} bytes:\n{start}", input.len());
    }
}
