//! Draws pictures of policies, as SVG.

mod hits;
mod occupancy;
mod style;
mod times;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;
use tools::cli;

/// Draw a picture as SVG, to be read on light and on dark pages.
#[derive(Parser)]
#[command(name = "plot", version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    picture: Picture,

    /// Where to write it; standard output if absent
    #[arg(short, long, global = true, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Picture {
    /// What fills the GPU in the rounds of an input of kv_evict, one policy above the other
    Occupancy(occupancy::Arguments),

    /// Logical time over the lower bound, by family of inputs and policy, from a report of score
    Times(times::Arguments),

    /// Hit rate of a prefix cache over its capacity, the optimum against least recent use
    Hits(hits::Arguments),
}

const EXAMPLES: &str = "Examples:
  gen kv_evict rr | plot occupancy - lru kv_evict -o occupancy.svg
  score --json | plot times - -o times.svg
  plot hits samples/trace/mooncake-conversation-300.jsonl -o hits.svg";

fn main() -> ExitCode {
    cli::finish("plot", draw(&Arguments::parse()))
}

fn draw(arguments: &Arguments) -> Result<(), String> {
    let picture = match &arguments.picture {
        Picture::Occupancy(arguments) => occupancy::draw(arguments)?,
        Picture::Times(arguments) => times::draw(arguments)?,
        Picture::Hits(arguments) => hits::draw(arguments)?,
    };
    match &arguments.output {
        None => cli::print(picture),
        Some(path) => {
            std::fs::write(path, picture).map_err(|error| format!("{}: {error}", path.display()))
        }
    }
}
