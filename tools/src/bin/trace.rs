//! Turns a Mooncake request trace into an input of `prefix_opt` or `prefix_router`.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use tools::trace::Trace;

/// Turn a Mooncake request trace into an input of prefix_opt or prefix_router.
///
/// The trace has one JSON object a line, of which the list "hash_ids" is used: each id of a block
/// becomes a token. Requests without blocks are left out.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The trace, plain or compressed by gzip; standard input if absent or "-"
    trace: Option<PathBuf>,

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

fn main() -> ExitCode {
    match convert(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("trace: {message}");
            ExitCode::FAILURE
        }
    }
}

fn convert(arguments: &Arguments) -> Result<(), String> {
    let mut trace = read(arguments)?;
    if arguments.drop_shared {
        trace.drop_shared();
    }
    if trace.requests.is_empty() {
        return Err("no request with a block is left".to_string());
    }
    let mut writer = BufWriter::new(io::stdout().lock());
    let written = match (arguments.target.capacity, arguments.target.nodes) {
        (Some(capacity), _) => write!(writer, "{}", trace.to_prefix_opt(capacity)),
        (None, Some(nodes)) => trace.write_prefix_router(nodes as usize, &mut writer),
        (None, None) => unreachable!("one of the two is required"),
    };
    match written.and_then(|()| writer.flush()) {
        // Whoever reads the output has seen enough.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("cannot write the output: {error}"))
        }
        _ => Ok(()),
    }
}

fn read(arguments: &Arguments) -> Result<Trace, String> {
    let (name, trace) = match &arguments.trace {
        Some(path) if path.as_os_str() != "-" => {
            let name = path.display().to_string();
            let file = File::open(path).map_err(|error| format!("{name}: {error}"))?;
            (name, Trace::read(file))
        }
        _ => ("standard input".to_string(), Trace::read(io::stdin().lock())),
    };
    trace.map_err(|error| format!("{name}: {error}"))
}
