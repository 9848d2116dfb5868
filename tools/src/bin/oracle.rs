//! Prints the right answer to an input of a batch problem, by brute force: `oracle PROBLEM < INPUT`.
//! The answers in `samples/` are made with it.

use std::io::Read;
use std::process::ExitCode;

fn main() -> ExitCode {
    let problem = std::env::args().nth(1).unwrap_or_default();
    let answer = match problem.as_str() {
        "kv_retain" => tools::kv_retain::answer,
        "prefix_opt" => tools::prefix_opt::answer,
        "prefix_router" => tools::prefix_router::answer,
        "quant_matmul" => tools::quant_matmul::answer,
        _ => {
            eprintln!("usage: oracle kv_retain|prefix_opt|prefix_router|quant_matmul < INPUT");
            return ExitCode::from(2);
        }
    };
    let mut input = Vec::new();
    if let Err(error) = std::io::stdin().read_to_end(&mut input) {
        eprintln!("oracle: cannot read the input: {error}");
        return ExitCode::FAILURE;
    }
    match answer(&input) {
        Ok(output) => {
            print!("{output}");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("oracle: {problem}: {reason}");
            ExitCode::FAILURE
        }
    }
}
