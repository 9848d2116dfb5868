//! Every solver against its floor, in one table of ratios: `cargo floors --help`.

use std::env::consts::EXE_EXTENSION;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Cargo puts all solvers in one folder.
    let one = Path::new(env!("CARGO_BIN_EXE_kv_retain"));
    tools::floors::main(|problem| one.with_file_name(problem).with_extension(EXE_EXTENSION))
}
