//! What a person may ask a solver on the command line.

mod common;

use std::process::{Command, Output};

fn run(binary: &str, argument: &str) -> Output {
    Command::new(common::executable(binary)).arg(argument).output().expect("it starts")
}

#[test]
fn help_and_version_are_printed_without_reading_input() {
    for binary in common::binaries() {
        let help = String::from_utf8(run(binary, "--help").stdout).unwrap();
        assert!(help.starts_with(&format!("Usage: {binary} < INPUT")), "{help}");
        let version = String::from_utf8(run(binary, "--version").stdout).unwrap();
        assert_eq!(version, format!("{binary} {}\n", env!("CARGO_PKG_VERSION")));
    }
}

#[test]
fn other_arguments_are_refused() {
    for binary in common::binaries() {
        let output = run(binary, "input.txt");
        assert_eq!((output.status.code(), output.stdout), (Some(2), Vec::new()));
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(message.lines().count(), 1);
        assert!(message.contains("unexpected argument \"input.txt\""), "{message}");
    }
}
