//! A whole input: parsed with every promise of the statement checked, printed, measured against
//! the statement's limits.

use super::command::{number, Command};
use super::rules::Rules;
use std::collections::HashSet;
use std::fmt;

/// An input. One that [`Input::parse`] returned keeps every promise of the statement but the
/// limits on sizes, which [`Input::check_limits`] checks. `Display` prints it in the format it is
/// parsed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Tokens a block.
    pub s: u64,
    /// Blocks in the GPU.
    pub c: u64,
    pub commands: Vec<Command>,
}

/// What is wrong with an input, and the line that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    /// From 1, blank lines counted. Past the last line if the input ends early.
    pub line: usize,
    pub message: String,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for InputError {}

impl Input {
    /// Parses and checks an input. Blank lines are skipped; what follows the last of the q
    /// commands is ignored. Expected O(length).
    ///
    /// # Errors
    /// The first line that is malformed or breaks a promise.
    pub fn parse(text: &str) -> Result<Input, InputError> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim_ascii().is_empty());
        let end = text.lines().count() + 1;
        let at = |line: usize| move |message: String| InputError { line, message };

        let (first, header) = lines.next().ok_or_else(|| at(end)("no S, C and q".into()))?;
        let (s, c, q) = parse_header(header).map_err(at(first + 1))?;
        let mut rules = Rules::unbounded(s, c);
        let mut commands = Vec::new();
        while (commands.len() as u64) < q {
            let (index, line) = lines.next().ok_or_else(|| {
                at(end)(format!("the input ends after {} of {q} commands", commands.len()))
            })?;
            let command = Command::parse(line).map_err(at(index + 1))?;
            follow(&mut rules, &command).map_err(at(index + 1))?;
            commands.push(command);
        }
        Ok(Input { s, c, commands })
    }

    /// The line, from 1, on which `Display` prints the command of this index.
    pub fn line(index: usize) -> usize {
        index + 2
    }

    /// DECODE commands.
    pub fn rounds(&self) -> usize {
        let is_decode = |command: &&Command| matches!(command, Command::Decode(_));
        self.commands.iter().filter(is_decode).count()
    }

    /// Checks the promises that [`Input::parse`] checks, for an input made otherwise. Expected
    /// O(length).
    ///
    /// # Errors
    /// The first line that breaks a promise.
    pub fn check(&self) -> Result<(), InputError> {
        within("S", self.s, 1, u64::MAX).map_err(|message| InputError { line: 1, message })?;
        within("C", self.c, 1, u64::MAX).map_err(|message| InputError { line: 1, message })?;
        let mut rules = Rules::unbounded(self.s, self.c);
        for (index, command) in self.commands.iter().enumerate() {
            let line = Input::line(index);
            follow(&mut rules, command).map_err(|message| InputError { line, message })?;
        }
        Ok(())
    }

    /// Checks everything that the statement promises of a test: what [`Input::parse`] checks, the
    /// limits on sizes, and that all requests end, one of them uncancelled. Expected O(length).
    ///
    /// # Errors
    /// The first line at which a promise is broken; for the sums and the ending, the last line.
    pub fn check_limits(&self) -> Result<(), InputError> {
        let fault = |line: usize| move |message: String| InputError { line, message };
        let q = self.commands.len() as u64;
        within("S", self.s, 1, 100_000).map_err(fault(1))?;
        within("C", self.c, 1, 100_000).map_err(fault(1))?;
        within("q", q, 1, 200_000).map_err(fault(1))?;
        let mut rules = Rules::unbounded(self.s, self.c);
        let (mut references, mut batches) = (0, 0);
        let mut cancelled = HashSet::new();
        for (index, command) in self.commands.iter().enumerate() {
            let fault = fault(Input::line(index));
            follow(&mut rules, command).map_err(fault)?;
            match command {
                Command::Add { blocks, .. } => {
                    within("k", blocks.len() as u64, 0, 30).map_err(fault)?;
                    references += blocks.len() as u64;
                }
                Command::Decode(ids) => {
                    within("n", ids.len() as u64, 1, 100_000).map_err(fault)?;
                    batches += ids.len() as u64;
                }
                Command::Cancel(id) => {
                    cancelled.insert(*id);
                }
                Command::CreateBlock(_) | Command::DropBlock(_) => {}
            }
        }
        let fault = fault(self.commands.len() + 1);
        within("the number of blocks", rules.blocks().len() as u64, 0, 100_000).map_err(fault)?;
        within("the number of requests", rules.requests().len() as u64, 1, 100_000)
            .map_err(fault)?;
        within("the number of references", references, 0, 300_000).map_err(fault)?;
        within("the sum of n", batches, 1, 200_000).map_err(fault)?;
        if let Some(open) = rules.requests().iter().find(|request| request.unfinished()) {
            return Err(fault(format!("request {} never ends", open.id)));
        }
        let kept = |id| !cancelled.contains(id);
        if !rules.requests().iter().any(|request| kept(&request.id)) {
            return Err(fault("every request is cancelled".into()));
        }
        Ok(())
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{} {} {}", self.s, self.c, self.commands.len())?;
        self.commands.iter().try_for_each(|command| writeln!(f, "{command}"))
    }
}

/// Executes a command on an unbounded GPU, where every round goes without actions.
fn follow(rules: &mut Rules, command: &Command) -> Result<(), String> {
    let Command::Decode(ids) = command else {
        return rules.apply(command).map_err(|broken| broken.to_string());
    };
    let batch = rules.batch(ids).map_err(|broken| broken.to_string())?;
    rules.generate(batch).map_err(|rule| rule.to_string())?;
    Ok(())
}

fn parse_header(line: &str) -> Result<(u64, u64, u64), String> {
    let tokens: Vec<&str> = line.split_ascii_whitespace().collect();
    let [s, c, q] = tokens[..] else {
        return Err(format!("expected S, C and q, found {} numbers", tokens.len()));
    };
    Ok((
        number(s, "S", 1..=u64::MAX)?,
        number(c, "C", 1..=u64::MAX)?,
        number(q, "q", 0..=u64::MAX)?,
    ))
}

fn within(what: &str, value: u64, low: u64, high: u64) -> Result<(), String> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(format!("{what} should be in {low}..={high}, is {value}"))
}
