//! What one run of a program uses.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use wait4::Wait4;

/// What a process used.
#[derive(Clone, Copy)]
pub struct Usage {
    /// User and system time.
    pub cpu: Duration,
    /// Peak resident set; 0 where the system does not tell.
    pub peak_bytes: u64,
}

impl Usage {
    /// The lesser of each.
    pub fn min(self, other: Usage) -> Usage {
        Usage { cpu: self.cpu.min(other.cpu), peak_bytes: self.peak_bytes.min(other.peak_bytes) }
    }
}

/// Runs a program from one file to another.
///
/// # Errors
/// It cannot be run, or fails.
pub fn run(program: &mut Command, input: &Path, output: &Path) -> Result<Usage, String> {
    let opened = File::open(input).and_then(|input| Ok((input, File::create(output)?)));
    let (input, output) = opened.map_err(|error| error.to_string())?;
    let child = program.stdin(input).stdout(output).stderr(Stdio::inherit()).spawn();
    let used = child.and_then(Wait4::wait4).map_err(|error| error.to_string())?;
    if !used.status.success() {
        return Err(format!("{program:?} ends with {}", used.status));
    }
    let cpu = used.rusage.utime + used.rusage.stime;
    Ok(Usage { cpu, peak_bytes: used.rusage.maxrss })
}
