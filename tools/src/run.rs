//! Runs a program from an input to an output within limits, and measures it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::process::{Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};
use wait4::Wait4;

/// No program may write more; the largest right answers have some hundred megabytes.
pub const LONGEST_OUTPUT: u64 = 1 << 30;

/// What a run came to.
#[derive(Debug)]
pub struct Run {
    /// How it ended.
    pub end: End,
    /// What it wrote to standard output; nothing if it was stopped.
    pub output: Vec<u8>,
    /// From the start to the end.
    pub wall: Duration,
    /// User and system time.
    pub cpu: Duration,
    /// Peak resident set in bytes; 0 where the system does not tell.
    pub peak_memory: u64,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself.
    Exit(ExitStatus),
    /// Stopped at the time limit, or just seen to have passed it.
    TimeLimit,
    /// Stopped at [`LONGEST_OUTPUT`].
    OutputLimit,
}

/// Runs `program` on `input`, from one file to another. Standard error stays what the caller has
/// set.
///
/// # Errors
/// The program cannot be started, or there is no room for temporary files.
pub fn run(mut program: Command, input: &[u8], limit: Duration) -> io::Result<Run> {
    let mut given = tempfile::tempfile()?;
    given.write_all(input)?;
    given.seek(SeekFrom::Start(0))?;
    let mut written = tempfile::tempfile()?;

    let start = Instant::now();
    let mut child = program.stdin(given).stdout(written.try_clone()?).spawn()?;
    let stopped = loop {
        if let Some(used) = child.try_wait4()? {
            break Ok(used);
        }
        if start.elapsed() >= limit {
            break Err(End::TimeLimit);
        }
        if written.metadata()?.len() > LONGEST_OUTPUT {
            break Err(End::OutputLimit);
        }
        thread::sleep(Duration::from_micros(200));
    };
    let (end, used) = match stopped {
        Ok(used) if start.elapsed() >= limit => (End::TimeLimit, used),
        Ok(used) => (End::Exit(used.status), used),
        Err(end) => {
            child.kill()?;
            (end, child.wait4()?)
        }
    };
    let wall = start.elapsed();
    let output = if matches!(end, End::Exit(_)) { content(&mut written)? } else { Vec::new() };
    let cpu = used.rusage.utime + used.rusage.stime;
    Ok(Run { end, output, wall, cpu, peak_memory: used.rusage.maxrss })
}

fn content(file: &mut File) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut content)?;
    Ok(content)
}
