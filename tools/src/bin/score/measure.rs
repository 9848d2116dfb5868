//! Plays all inputs, several at a time, and shows how far it is.

use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tools::evict::baselines::{named, names};
use tools::evict::lockstep::{self, Options, Rejection};
use tools::evict::score::Measured;
use tools::evict::suite::{self, Entry};
use tools::evict::{play, Input};

/// A policy under test.
pub enum Contender {
    /// A baseline, by its place in the list of names.
    Baseline { name: String, at: usize },
    /// A program.
    Program { name: String, path: PathBuf },
}

impl Contender {
    /// As the caller named it.
    pub fn name(&self) -> &str {
        match self {
            Contender::Baseline { name, .. } | Contender::Program { name, .. } => name,
        }
    }
}

/// How a program's run went, besides T.
pub struct Run {
    /// From the start to the exit.
    pub wall: Duration,
    /// Peak resident set in bytes, where the system tells.
    pub peak_memory: Option<u64>,
    /// Why it was rejected, if it was.
    pub rejection: Option<Rejection>,
}

/// An input with all that came of it.
pub struct Outcome {
    /// Times.
    pub measured: Measured,
    /// For each contender; none for a baseline.
    pub runs: Vec<Option<Run>>,
}

/// What is to be measured, and how.
pub struct Measuring<'a> {
    /// The policies under test.
    pub contenders: &'a [Contender],
    /// For a program and an input.
    pub limit: Duration,
    /// Inputs at a time.
    pub jobs: usize,
}

impl Measuring<'_> {
    /// Measures every input; the outcomes are in the order of the inputs.
    ///
    /// # Errors
    /// The first input that is unsound, or that a program cannot be started.
    pub fn all(&self, entries: &[Entry]) -> Result<Vec<Outcome>, String> {
        let progress = Progress::new(entries.len());
        let done = |entry: &Entry| progress.step(&entry.name);
        let outcomes = suite::each(entries, self.jobs, |entry| self.one(entry), done);
        progress.bar.finish_and_clear();
        outcomes
    }

    fn one(&self, entry: &Entry) -> Result<Outcome, String> {
        let input = entry.input()?;
        let reference = entry.reference(&input)?;
        let fault = |error: String| format!("{}: {error}", entry.name);
        let mut baselines = Vec::new();
        for (name, _) in names() {
            let policy = named(name, &input).map_err(|broken| fault(broken.to_string()))?;
            let cost = play(&input, policy.expect("a listed name").as_mut());
            baselines.push(cost.map_err(|failure| fault(format!("{name}, {failure}")))?.total());
        }
        let (mut policies, mut runs) = (Vec::new(), Vec::new());
        for contender in self.contenders {
            match contender {
                Contender::Baseline { at, .. } => {
                    policies.push(Some(baselines[*at]));
                    runs.push(None);
                }
                Contender::Program { path, .. } => {
                    let (time, run) = self.program(path, &input).map_err(fault)?;
                    policies.push(time);
                    runs.push(Some(run));
                }
            }
        }
        let measured = Measured {
            name: entry.name.clone(),
            family: entry.family.clone(),
            subtask: entry.subtask,
            reference,
            baselines,
            policies,
        };
        Ok(Outcome { measured, runs })
    }

    fn program(&self, path: &PathBuf, input: &Input) -> Result<(Option<u64>, Run), String> {
        let mut program = Command::new(path);
        program.stderr(Stdio::null());
        let options = Options { limit: self.limit, ..Options::default() };
        let report = lockstep::run(program, input, &options)
            .map_err(|error| format!("cannot run {}: {error}", path.display()))?;
        let time = report.outcome.as_ref().ok().map(|cost| cost.total());
        let rejection = report.outcome.err();
        Ok((time, Run { wall: report.wall, peak_memory: report.peak_memory, rejection }))
    }
}

/// A bar where somebody watches, otherwise a line for every tenth of the way.
struct Progress {
    bar: ProgressBar,
    done: AtomicUsize,
    all: usize,
}

impl Progress {
    fn new(all: usize) -> Self {
        let bar = ProgressBar::new(all as u64);
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {eta} {msg}");
        bar.set_style(style.expect("a sound template"));
        Progress { bar, done: AtomicUsize::new(0), all }
    }

    fn step(&self, name: &str) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.bar.is_hidden() {
            if done * 10 / self.all > (done - 1) * 10 / self.all {
                eprintln!("{done} of {} cases", self.all);
            }
            return;
        }
        self.bar.set_message(name.to_string());
        self.bar.inc(1);
    }
}
