//! Turns a Mooncake request trace into an input of `prefix_opt` or `prefix_router`.

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use tools::cli;
use tools::trace::Trace;

/// Turn a Mooncake request trace into an input of prefix_opt or prefix_router.
///
/// The trace has one JSON object a line, of which the list "hash_ids" is used: each id of a block
/// becomes a token. Requests without blocks are left out.
#[derive(Parser)]
#[command(name = "trace", version, after_help = EXAMPLES)]
struct Arguments {
    /// The trace, plain or compressed by gzip; standard input if absent or "-"
    #[arg(default_value = "-")]
    trace: PathBuf,

    #[command(flatten)]
    target: Target,

    /// Drop the blocks that all requests start with, such as a common system prompt
    #[arg(long)]
    drop_shared: bool,
}

#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct Target {
    /// Write an input of prefix_opt with a cache of this many blocks; tokens are ids plus one
    #[arg(long, value_name = "BLOCKS")]
    capacity: Option<u64>,

    /// Write an input of prefix_router with this many nodes, without caches and load
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    nodes: Option<u32>,
}

const EXAMPLES: &str = "Examples:
  trace --capacity 400 samples/trace/mooncake-conversation-300.jsonl > cache.in
  trace --nodes 8 --drop-shared conversation_trace.jsonl.gz > router.in";

fn main() -> ExitCode {
    cli::finish("trace", convert(&Arguments::parse()))
}

fn convert(arguments: &Arguments) -> Result<(), String> {
    let mut trace = Trace::open(&arguments.trace)?;
    if arguments.drop_shared {
        trace.drop_shared();
    }
    if trace.requests.is_empty() {
        return Err("no request with a block is left".to_string());
    }
    match (arguments.target.capacity, arguments.target.nodes) {
        (Some(capacity), _) => cli::print(trace.to_prefix_opt(capacity)),
        (None, Some(nodes)) => cli::print(trace.to_prefix_router(nodes as usize)),
        (None, None) => unreachable!("one of the two is required"),
    }
}
