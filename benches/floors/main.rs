//! Every solver, and every way to read, against its floor, in one table: `cargo floors --help`.

mod readers;

use std::env::{args, consts::EXE_EXTENSION, current_exe};
use std::path::Path;
use std::process::{Command, ExitCode};
use tools::floors::{Row, READING};

/// Makes this program one that only reads; the kind of numbers and the way to read them follow.
const READ: &str = "--read";

fn main() -> ExitCode {
    let words: Vec<String> = args().skip(1).collect();
    if let [READ, numbers, way] = words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        readers::read(numbers, way);
        return ExitCode::SUCCESS;
    }
    tools::floors::main(program)
}

/// What is measured in a row.
fn program(row: &Row) -> Command {
    if let (READING, Some((numbers, way))) = (row.problem, row.name.split_once('/')) {
        let mut this = Command::new(current_exe().expect("this program is a file"));
        this.args([READ, numbers, way]);
        return this;
    }
    // Cargo puts all solvers in one folder.
    let one = Path::new(env!("CARGO_BIN_EXE_kv_retain"));
    Command::new(one.with_file_name(row.problem).with_extension(EXE_EXTENSION))
}
