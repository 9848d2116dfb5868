//! What every command says of itself.

use std::env::consts::EXE_EXTENSION;
use std::path::Path;
use std::process::{Command, Output};

const COMMANDS: [&str; 9] =
    ["bundle", "evict_lru", "gen", "judge", "oracle", "plot", "score", "stress", "trace"];

fn run(command: &str, argument: &str) -> Output {
    // Cargo puts all executables in one folder.
    let one = Path::new(env!("CARGO_BIN_EXE_judge"));
    let program = one.with_file_name(command).with_extension(EXE_EXTENSION);
    Command::new(program).arg(argument).output().expect("it starts")
}

#[test]
fn every_command_tells_its_name_version_and_usage() {
    for command in COMMANDS {
        let version = String::from_utf8(run(command, "--version").stdout).unwrap();
        assert_eq!(version, format!("{command} {}\n", env!("CARGO_PKG_VERSION")));
        let help = String::from_utf8(run(command, "--help").stdout).unwrap();
        assert!(help.contains("\nUsage: ") && help.contains("--help"), "{help}");
        let widest = help.lines().map(|line| line.chars().count()).max();
        assert!(widest.is_some_and(|width| width <= 100), "{help}");
    }
}

#[test]
fn unknown_options_are_refused() {
    for command in COMMANDS {
        let output = run(command, "--unknown");
        assert_eq!((output.status.code(), output.stdout), (Some(2), Vec::new()), "{command}");
    }
}
