//! Verdicts like an online judge's.

use crate::evict::lockstep::{Fault, Rejection};
use crate::run::{End, Run};
use std::fmt;
use std::time::Duration;

/// What a judge says of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// AC: everything is right.
    Accepted,
    /// WA: where the output first differs, or why it is no answer.
    WrongAnswer(String),
    /// ILLEGAL: where and how a plan of `kv_evict` breaks a rule.
    Illegal(String),
    /// RE: how the program failed.
    RuntimeError(String),
    /// TLE: the limit that was passed, and where known the place.
    TimeLimit(String),
}

impl Verdict {
    /// AC, WA, ILLEGAL, RE or TLE.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Accepted => "AC",
            Verdict::WrongAnswer(_) => "WA",
            Verdict::Illegal(_) => "ILLEGAL",
            Verdict::RuntimeError(_) => "RE",
            Verdict::TimeLimit(_) => "TLE",
        }
    }

    /// The verdict on a run that should have given `expected`.
    pub fn of(run: &Run, expected: &[u8], limit: Duration) -> Verdict {
        match run.end {
            End::TimeLimit => Verdict::TimeLimit(format!("still running after {limit:?}")),
            End::OutputLimit => Verdict::WrongAnswer("the output does not end".to_string()),
            End::Exit(status) if !status.success() => Verdict::RuntimeError(status.to_string()),
            End::Exit(_) => match difference(expected, &run.output) {
                Some(difference) => Verdict::WrongAnswer(difference),
                None => Verdict::Accepted,
            },
        }
    }
}

impl From<&Rejection> for Verdict {
    fn from(rejection: &Rejection) -> Self {
        let text = rejection.to_string();
        match rejection.fault {
            Fault::Ended(_) | Fault::Exit(_) => Verdict::RuntimeError(text),
            Fault::TimeLimit(_) => Verdict::TimeLimit(text),
            Fault::Extra(_) | Fault::Syntax(_) => Verdict::WrongAnswer(text),
            Fault::Illegal(_) => Verdict::Illegal(text),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.word())?;
        match self {
            Verdict::Accepted => Ok(()),
            Verdict::WrongAnswer(why)
            | Verdict::Illegal(why)
            | Verdict::RuntimeError(why)
            | Verdict::TimeLimit(why) => write!(f, "  {why}"),
        }
    }
}

/// Where an output first differs from what is expected: every line must have the same tokens. How
/// many blanks part them is of no importance, nor are blank lines at the end.
pub fn difference(expected: &[u8], found: &[u8]) -> Option<String> {
    let (expected, found) = (lines(expected), lines(found));
    for (line, (expected, found)) in (1..).zip(expected.iter().zip(&found)) {
        let (mut expected, mut found) = (tokens(expected), tokens(found));
        for token in 1.. {
            match (expected.next(), found.next()) {
                (None, None) => break,
                (expected, found) if expected == found => {}
                (expected, found) => {
                    let (expected, found) = (shown(expected), shown(found));
                    return Some(format!(
                        "line {line}, token {token}: expected {expected}, found {found}"
                    ));
                }
            }
        }
    }
    if expected.len() == found.len() {
        return None;
    }
    Some(format!("expected {} lines, found {}", expected.len(), found.len()))
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    let text = text.trim_ascii_end();
    if text.is_empty() {
        return Vec::new();
    }
    text.split(|&byte| byte == b'\n').collect()
}

fn tokens(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty())
}

/// A token in quotes, cut to a readable length.
fn shown(token: Option<&[u8]>) -> String {
    const LONGEST: usize = 40;
    match token {
        None => "the end of the line".to_string(),
        Some(token) => {
            let cut = String::from_utf8_lossy(&token[..token.len().min(LONGEST)]);
            let more = if token.len() > LONGEST { "…" } else { "" };
            format!("{cut:?}{more}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_named_by_line_and_token() {
        for (expected, found, difference) in [
            ("1 2\n3\n", "1 2\n4\n", "line 2, token 1: expected \"3\", found \"4\""),
            ("1 2\n", "1\n", "line 1, token 2: expected \"2\", found the end of the line"),
            ("1\n", "1 2\n", "line 1, token 2: expected the end of the line, found \"2\""),
            ("1\n2\n", "1\n", "expected 2 lines, found 1"),
            ("1\n", "1\n2\n", "expected 1 lines, found 2"),
            ("1\n", "", "expected 1 lines, found 0"),
        ] {
            let found = super::difference(expected.as_bytes(), found.as_bytes());
            assert_eq!(found.as_deref(), Some(difference));
        }
    }

    #[test]
    fn blanks_are_of_no_importance_but_lines_are() {
        assert_eq!(difference(b"1 2\n3\n", b" 1\t2 \r\n3\n\n"), None);
        assert_eq!(difference(b"", b"\n"), None);
        assert!(difference(b"1 2\n3\n", b"1 2 3\n").is_some());
        assert!(difference(b"1 2\n3\n", b"1 2\n\n3\n").is_some());
    }
}
