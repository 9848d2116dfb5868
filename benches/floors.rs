//! Every solver against its floor, in one table of ratios: `cargo bench -- --help`.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    tools::floors::main(|problem| {
        PathBuf::from(match problem {
            "kv_retain" => env!("CARGO_BIN_EXE_kv_retain"),
            "kv_evict" => env!("CARGO_BIN_EXE_kv_evict"),
            "prefix_opt" => env!("CARGO_BIN_EXE_prefix_opt"),
            "prefix_router" => env!("CARGO_BIN_EXE_prefix_router"),
            "quant_matmul" => env!("CARGO_BIN_EXE_quant_matmul"),
            _ => panic!("{problem} has no solver"),
        })
    })
}
