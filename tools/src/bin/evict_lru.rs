//! Problem 2, `kv_evict`, by least recent use: the baseline that a better policy has to beat, and
//! a program of known manners for whatever runs programs.

use clap::Parser;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use tools::cli;
use tools::evict::{answer, command, Command, Lru, Policy, Rules};

/// Play problem kv_evict by least recent use: read commands, answer each DECODE.
#[derive(Parser)]
#[command(name = "evict_lru", version)]
struct Arguments {}

fn main() -> ExitCode {
    Arguments::parse();
    let served = serve(&mut io::stdin().lock(), &mut io::stdout().lock());
    cli::finish("evict_lru", served.map_err(|error| error.to_string()))
}

/// Answers every DECODE before reading on; stops after the last command.
fn serve(input: &mut impl BufRead, output: &mut impl Write) -> io::Result<()> {
    let mut line = String::new();
    input.read_line(&mut line)?;
    let header: Result<Vec<u64>, _> = line.split_ascii_whitespace().map(str::parse).collect();
    let (s, c, q) = match header.as_deref() {
        Ok(&[s, c, q]) if s > 0 && c > 0 => (s, c, q),
        _ => return Err(invalid(format!("{line:?} is not S, C and q"))),
    };
    let mut rules = Rules::new(s, c);
    let mut lru = Lru::default();
    for _ in 0..q {
        line.clear();
        input.read_line(&mut line)?;
        let command = Command::parse(&line).map_err(invalid)?;
        let Command::Decode(ids) = command else {
            rules.apply(&command).map_err(invalid)?;
            lru.applied(&rules, &command);
            continue;
        };
        let batch = rules.batch(&ids).map_err(invalid)?;
        let plan = answer(&mut rules, batch, &mut lru).expect("what was used last is protected");
        writeln!(output, "{}", command::reply(&plan))?;
        output.flush()?;
    }
    Ok(())
}

fn invalid(error: impl ToString) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}
