//! A set of inputs, files or built-in cases, and what is known of each before a policy plays it.

use super::workload::{Case, Subtask};
use super::{bound, Input};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::thread;

/// Where an input comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A file, with the smallest T that is known if it has one beside it.
    File {
        /// The input.
        path: PathBuf,
        /// The content of the `.best` file beside it.
        best: Option<u64>,
    },
    /// A built-in case.
    Built(Case),
}

/// An input of a suite.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The file's name without its ending, or the case's.
    pub name: String,
    /// What kind of workload it is.
    pub family: String,
    /// Which subtask it counts for.
    pub subtask: Subtask,
    /// Where it comes from.
    pub source: Source,
}

impl From<Case> for Entry {
    fn from(case: Case) -> Self {
        Entry {
            name: case.to_string(),
            family: case.family.name.to_string(),
            subtask: case.subtask,
            source: Source::Built(case),
        }
    }
}

/// What T is measured against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The smallest T that is known, or the lower bound where none is.
    pub time: u64,
    /// [`bound()`], which is at most that.
    pub bound: u64,
}

impl Entry {
    /// Reads or makes the input.
    ///
    /// # Errors
    /// The file cannot be read or is not a legal input; the message names it.
    pub fn input(&self) -> Result<Input, String> {
        match &self.source {
            Source::Built(case) => Ok(case.input()),
            Source::File { path, .. } => {
                let text = read(path)?;
                Input::parse(&text).map_err(|error| format!("{}: {error}", path.display()))
            }
        }
    }

    /// What to measure T on this input against. O(length · log length).
    ///
    /// # Errors
    /// The input breaks a promise, or the bound exceeds what the file beside it says.
    pub fn reference(&self, input: &Input) -> Result<Reference, String> {
        let bound = bound(input).map_err(|broken| format!("{}: {broken}", self.name))?;
        match self.source {
            Source::File { best: Some(best), .. } if best < bound => {
                Err(format!("{}: .best says {best}, but no T is below {bound}", self.name))
            }
            Source::File { best: Some(time), .. } => Ok(Reference { time, bound }),
            _ => Ok(Reference { time: bound, bound }),
        }
    }
}

/// The inputs of a folder, `stNN_family….in`, by name. The family ends at the first `-`.
///
/// # Errors
/// The folder cannot be read, holds no inputs, or a name or a `.best` file says nothing sensible.
pub fn folder(path: &Path) -> Result<Vec<Entry>, String> {
    let fault = |error| format!("{}: {error}", path.display());
    let mut entries = Vec::new();
    for file in fs::read_dir(path).map_err(fault)? {
        let path = file.map_err(fault)?.path();
        if path.extension().is_some_and(|ending| ending == "in") {
            entries.push(entry(path)?);
        }
    }
    if entries.is_empty() {
        return Err(format!("{}: no file ends in .in", path.display()));
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

/// Works through inputs, `jobs` at a time, and calls `done` after each; the results are in the
/// order of the inputs. This is how to play a policy over a whole suite:
///
/// ```
/// use tools::evict::{play, suite, workload, Lru};
///
/// let cases = workload::cases(1, |family| family.name == "rr");
/// let entries: Vec<_> = cases.into_iter().map(suite::Entry::from).collect();
/// let play = |entry: &suite::Entry| {
///     let input = entry.input()?;
///     let cost = play(&input, &mut Lru::default()).map_err(|failure| failure.to_string())?;
///     Ok(cost.total() - entry.reference(&input)?.time)
/// };
/// let wasted: u64 = suite::each(&entries, 2, play, |_| ())?.iter().sum();
/// assert!(wasted > 0);
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// The first input on which the work fails; no other is begun after a failure.
///
/// # Panics
/// If the work does.
pub fn each<T: Send>(
    entries: &[Entry],
    jobs: usize,
    work: impl Fn(&Entry) -> Result<T, String> + Sync,
    done: impl Fn(&Entry) + Sync,
) -> Result<Vec<T>, String> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, entries.len().max(1)) {
            scope.spawn(|| loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(entry) = entries.get(at) else {
                    return;
                };
                let result = work(entry);
                if result.is_err() {
                    next.store(entries.len(), Ordering::Relaxed);
                }
                results.lock().expect("nobody panics with the lock").push((at, result));
                done(entry);
            });
        }
    });
    let mut results = results.into_inner().expect("nobody panics with the lock");
    results.sort_by_key(|&(at, _)| at);
    results.into_iter().map(|(_, result)| result).collect()
}

fn entry(path: PathBuf) -> Result<Entry, String> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let parsed = name.strip_prefix("st").and_then(|rest| rest.split_once('_'));
    let parsed = parsed.and_then(|(number, family)| {
        let family = family.split('-').next().unwrap_or(family);
        Some((Subtask::new(number.parse().ok()?)?, family.to_string()))
    });
    let Some((subtask, family)) = parsed else {
        return Err(format!("{}: the name is not stNN_family…", path.display()));
    };
    let beside = path.with_extension("best");
    let best = match beside.exists() {
        false => None,
        true => Some(
            read(&beside)?
                .trim()
                .parse()
                .map_err(|_| format!("{}: expected a number", beside.display()))?,
        ),
    };
    Ok(Entry { name, family, subtask, source: Source::File { path, best } })
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
