//! The protocol's vocabulary: ids, commands and actions, read from a line and printed as one.

use std::fmt::{self, Write as _};
use std::ops::RangeInclusive;

/// Ids of blocks and of requests, both.
pub const IDS: RangeInclusive<u32> = 1..=1_000_000_000;
/// The largest p and the largest m, in tokens.
pub const MAX_TOKENS: u64 = 1_000_000_000_000;

/// A shared block's number in the input. Requests have numbers of their own, which may coincide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

/// A request's number in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(pub u32);

impl fmt::Display for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One line of the input after the first. `Display` prints the line without its newline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A new shared block, outside the GPU.
    CreateBlock(BlockId),
    /// Forgets a block that no unfinished request refers to.
    DropBlock(BlockId),
    /// A new request, waiting.
    Add {
        id: RequestId,
        /// The shared blocks that its first tokens fill, in the order given.
        blocks: Vec<BlockId>,
        /// Input tokens, those in shared blocks included.
        p: u64,
        /// Tokens to generate.
        m: u64,
    },
    /// Ends a request that has not ended yet.
    Cancel(RequestId),
    /// Every request of the batch generates one token; the only command that is answered.
    Decode(Vec<RequestId>),
}

impl Command {
    /// Reads one line: its grammar and the ranges of its numbers, not what it refers to. Blanks
    /// around and between the tokens are free.
    ///
    /// # Errors
    /// Says what is wrong with the line, without its number.
    pub fn parse(line: &str) -> Result<Command, String> {
        let mut tokens = line.split_ascii_whitespace();
        let name = tokens.next().ok_or("an empty line is no command")?;
        let arguments: Vec<&str> = tokens.collect();
        let exactly = |count: Option<usize>| match count {
            Some(count) if arguments.len() == count => Ok(()),
            Some(count) => {
                Err(format!("{name} takes {count} numbers here, found {}", arguments.len()))
            }
            None => Err(format!("{name}: too large a count")),
        };
        let first = |what| match arguments.first() {
            Some(token) => number(token, what, 0..=u64::MAX),
            None => Err(format!("{name} needs {what}")),
        };
        match name {
            "CREATE_BLOCK" => {
                exactly(Some(1))?;
                Ok(Command::CreateBlock(block_id(arguments[0])?))
            }
            "DROP_BLOCK" => {
                exactly(Some(1))?;
                Ok(Command::DropBlock(block_id(arguments[0])?))
            }
            "CANCEL" => {
                exactly(Some(1))?;
                Ok(Command::Cancel(request_id(arguments[0])?))
            }
            "ADD" => {
                let id = request_id(arguments.first().ok_or("ADD needs a request id")?)?;
                let k = arguments.get(1).ok_or("ADD needs k")?;
                let k = number(k, "k", 0..=u64::MAX)?;
                let k = usize::try_from(k).unwrap_or(usize::MAX);
                exactly(k.checked_add(4))?;
                Ok(Command::Add {
                    id,
                    blocks: list(&arguments[2..2 + k], block_id)?,
                    p: number(arguments[k + 2], "p", 0..=MAX_TOKENS)?,
                    m: number(arguments[k + 3], "m", 1..=MAX_TOKENS)?,
                })
            }
            "DECODE" => {
                let n = usize::try_from(first("n")?).unwrap_or(usize::MAX);
                if n == 0 {
                    return Err("DECODE of no request: n starts at 1".into());
                }
                exactly(n.checked_add(1))?;
                Ok(Command::Decode(list(&arguments[1..], request_id)?))
            }
            _ => Err(format!("unknown command {}", quoted(name))),
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Command::CreateBlock(id) => write!(f, "CREATE_BLOCK {id}"),
            Command::DropBlock(id) => write!(f, "DROP_BLOCK {id}"),
            Command::Cancel(id) => write!(f, "CANCEL {id}"),
            Command::Add { id, blocks, p, m } => {
                write!(f, "ADD {id} {}", blocks.len())?;
                blocks.iter().try_for_each(|block| write!(f, " {block}"))?;
                write!(f, " {p} {m}")
            }
            Command::Decode(ids) => {
                write!(f, "DECODE {}", ids.len())?;
                ids.iter().try_for_each(|id| write!(f, " {id}"))
            }
        }
    }
}

/// One step of an eviction plan. `Display` prints it as the protocol does: `B10`, `R3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// An idle block leaves the GPU.
    Evict(BlockId),
    /// A running request outside the batch goes back to waiting.
    Preempt(RequestId),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Action::Evict(id) => write!(f, "B{id}"),
            Action::Preempt(id) => write!(f, "R{id}"),
        }
    }
}

/// Prints a plan as the reply to a DECODE, without the newline.
pub fn reply(plan: &[Action]) -> String {
    let mut line = format!("EVICT {}", plan.len());
    for action in plan {
        write!(line, " {action}").expect("a string takes everything");
    }
    line
}

/// Reads a reply, given without its newline. Strict: one space between tokens, none elsewhere,
/// numbers without sign or leading zeros, as many actions as announced. O(length).
///
/// # Errors
/// Says what is wrong with the line.
pub fn parse_reply(line: &str) -> Result<Vec<Action>, String> {
    let odd = |c: char| !(c.is_ascii_graphic() || c == ' ');
    if let Some(at) = line.find(odd) {
        return Err(format!("byte {} is neither printable ASCII nor a space", at + 1));
    }
    let mut tokens = line.split(' ');
    if tokens.next() != Some("EVICT") {
        return Err("the reply does not begin with EVICT".into());
    }
    let count = tokens.next().ok_or("no number of actions")?;
    let count = canonical(count)
        .ok_or_else(|| format!("the number of actions is {}, not a number", quoted(count)))?;
    let mut plan = Vec::new();
    for token in tokens {
        if token.is_empty() {
            return Err("a blank too many".into());
        }
        plan.push(action(token).ok_or_else(|| format!("{} is no action", quoted(token)))?);
    }
    if plan.len() as u64 != count {
        return Err(format!("{count} actions announced, {} given", plan.len()));
    }
    Ok(plan)
}

fn action(token: &str) -> Option<Action> {
    let id = canonical(token.get(1..)?).and_then(|id| u32::try_from(id).ok())?;
    match token.as_bytes()[0] {
        b'B' => Some(Action::Evict(BlockId(id))),
        b'R' => Some(Action::Preempt(RequestId(id))),
        _ => None,
    }
}

/// A number as a program prints it: digits only, no leading zero.
fn canonical(token: &str) -> Option<u64> {
    let digits = token.bytes().all(|byte| byte.is_ascii_digit());
    let padded = token.len() > 1 && token.starts_with('0');
    token.parse().ok().filter(|_| digits && !padded)
}

/// A number of the input in `range`; `what` names it in the error.
pub(super) fn number(token: &str, what: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    let value = token.parse().ok().filter(|value| range.contains(value));
    value.ok_or_else(|| match (*range.start(), *range.end()) {
        (0, u64::MAX) => format!("{what} should be a number, found {}", quoted(token)),
        (low, u64::MAX) => format!("{what} should be at least {low}, found {}", quoted(token)),
        (low, high) => format!("{what} should be in {low}..={high}, found {}", quoted(token)),
    })
}

fn id(token: &str, what: &str) -> Result<u32, String> {
    let ids = u64::from(*IDS.start())..=u64::from(*IDS.end());
    number(token, what, ids).map(|id| id as u32)
}

fn block_id(token: &str) -> Result<BlockId, String> {
    id(token, "a block id").map(BlockId)
}

fn request_id(token: &str) -> Result<RequestId, String> {
    id(token, "a request id").map(RequestId)
}

fn list<T>(tokens: &[&str], read: fn(&str) -> Result<T, String>) -> Result<Vec<T>, String> {
    tokens.iter().map(|token| read(token)).collect()
}

/// Foreign text for an error: escaped, cut at 40 characters.
pub(super) fn quoted(text: &str) -> String {
    let cut: String = text.chars().take(40).collect();
    let more = if cut.len() < text.len() { "…" } else { "" };
    format!("\"{}\"{more}", cut.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_prints_as_it_was_read() {
        for line in [
            "CREATE_BLOCK 10",
            "DROP_BLOCK 1000000000",
            "ADD 1 0 0 1",
            "ADD 7 2 10 11 1000000000000 1000000000000",
            "CANCEL 3",
            "DECODE 2 5 1",
        ] {
            assert_eq!(Command::parse(line).unwrap().to_string(), line);
        }
        assert_eq!(Command::parse(" \tDECODE  1\t5 "), Ok(Command::Decode(vec![RequestId(5)])));
    }

    #[test]
    fn a_bad_line_is_refused_with_its_reason() {
        for (line, reason) in [
            ("", "empty"),
            ("EVICT 0", "unknown command \"EVICT\""),
            ("create_block 1", "unknown command"),
            ("CREATE_BLOCK", "takes 1 numbers here, found 0"),
            ("DROP_BLOCK 1 2", "takes 1 numbers here, found 2"),
            ("CANCEL x", "a request id should be in"),
            ("CREATE_BLOCK 0", "a block id should be in"),
            ("CREATE_BLOCK 1000000001", "a block id should be in"),
            ("ADD", "needs a request id"),
            ("ADD 1", "needs k"),
            ("ADD 1 1 10 7", "takes 5 numbers here, found 4"),
            ("ADD 1 0 7 2 5", "takes 4 numbers here, found 5"),
            ("ADD 1 18446744073709551615 7 2", "too large a count"),
            ("ADD 1 -1 7 2", "k should be a number"),
            ("ADD 1 0 1000000000001 2", "p should be in"),
            ("ADD 1 0 7 0", "m should be in 1..="),
            ("DECODE", "needs n"),
            ("DECODE 0", "n starts at 1"),
            ("DECODE 2 1", "takes 3 numbers here, found 2"),
            ("DECODE 1 1 2", "takes 2 numbers here, found 3"),
        ] {
            let error = Command::parse(line).unwrap_err();
            assert!(error.contains(reason), "{line:?} gives {error:?}");
        }
    }

    #[test]
    fn a_reply_prints_as_it_was_read() {
        for line in ["EVICT 0", "EVICT 1 R2", "EVICT 3 B1000000000 R1 B1"] {
            assert_eq!(reply(&parse_reply(line).unwrap()), line);
        }
    }

    #[test]
    fn a_reply_with_any_other_character_is_refused() {
        for (line, reason) in [
            ("", "begin with EVICT"),
            ("evict 0", "begin with EVICT"),
            (" EVICT 0", "begin with EVICT"),
            ("EVICT", "no number"),
            ("EVICT ", "not a number"),
            ("EVICT 00", "not a number"),
            ("EVICT +0", "not a number"),
            ("EVICT -1", "not a number"),
            ("EVICT 0 ", "blank too many"),
            ("EVICT  0", "not a number"),
            ("EVICT 0\r", "byte 8"),
            ("EVICT\t0", "byte 6"),
            ("EVICT 1", "1 actions announced, 0 given"),
            ("EVICT 0 B1", "0 actions announced, 1 given"),
            ("EVICT 2 B1  B2", "blank too many"),
            ("EVICT 1 B", "no action"),
            ("EVICT 1 B01", "no action"),
            ("EVICT 1 b1", "no action"),
            ("EVICT 1 B<1>", "no action"),
            ("EVICT 1 B 1", "no action"),
            ("EVICT 1 B4294967296", "no action"),
            ("EVICT 1 é1", "byte 9"),
        ] {
            let error = parse_reply(line).unwrap_err();
            assert!(error.contains(reason), "{line:?} gives {error:?}");
        }
    }
}
