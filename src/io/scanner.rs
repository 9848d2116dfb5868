//! Whitespace-separated tokens from a byte stream, with their place for error messages.

mod ends;
mod numbers;
mod skip;

use std::fmt::Display;
use std::io::{Empty, ErrorKind, Read};

use proconio::source::Source;

use super::{stop, Stop};
use ends::BLOCK;
pub use numbers::{In, Integer};

/// Bytes asked for at a time: small enough to stay in the second-level cache, so that parsing
/// never waits for memory, and large enough to make system calls rare.
const CHUNK: usize = 1 << 16;

/// What an error message shows of a bad token, in bytes.
const SHOWN: usize = 40;

/// Reads tokens separated by ASCII whitespace from a byte stream.
///
/// Reads in chunks and no further than it must: it asks the stream for more only while the token
/// or line at hand is incomplete, so it serves interactive problems as well. Memory: one chunk,
/// or the longest token, or the longest run of blanks on a line, if that is longer.
///
/// Also a [`Source`] for `proconio::input!`, with [`In`] as the kind of an integer.
///
/// A token that is missing or malformed ends the program; see [`run`](super::run).
pub struct Scanner<'a> {
    reader: Box<dyn Read + 'a>,
    /// `buffer[place.start..end]` has been read from the stream but not yet consumed. At least
    /// `BLOCK` zeros follow.
    buffer: Vec<u8>,
    end: usize,
    place: Place,
    /// Newlines before `buffer[0]`, and bytes between the last of them and `buffer[0]`.
    lines_before: u64,
    columns_before: u64,
    at_end: bool,
}

/// A place in the buffer of a scanner.
#[derive(Clone, Copy, Default)]
struct Place {
    /// What has not yet been consumed starts here.
    start: usize,
    /// Where the last token starts, or the place at which one was missing.
    token: usize,
    /// The first of the `BLOCK` bytes that `ends` is about.
    block: usize,
    /// Where in the block numbers end, without those that have been passed number by number. Where
    /// something else has been consumed, it is out of date, and the next number takes a longer way.
    ends: u64,
}

impl<'a> Scanner<'a> {
    /// A scanner at the start of `reader`. Reads nothing yet.
    pub fn new(reader: impl Read + 'a) -> Self {
        Scanner {
            reader: Box::new(reader),
            buffer: vec![0; CHUNK + BLOCK],
            end: 0,
            place: Place::default(),
            lines_before: 0,
            columns_before: 0,
            at_end: false,
        }
    }

    /// The next token, or `None` at the end of the input.
    pub fn token(&mut self) -> Option<&[u8]> {
        self.more().then(|| self.take_until(u8::is_ascii_whitespace))
    }

    /// Everything up to a byte that `ends` it, or up to the end of the input: the last token.
    fn take_until(&mut self, ends: impl Fn(&u8) -> bool) -> &[u8] {
        self.place.token = self.place.start;
        loop {
            match self.buffer[self.place.start..self.end].iter().position(&ends) {
                Some(rest) => {
                    self.place.start += rest;
                    break;
                }
                None => {
                    self.place.start = self.end;
                    if !self.refill() {
                        break;
                    }
                }
            }
        }
        &self.buffer[self.place.token..self.place.start]
    }

    /// Whether a token follows on the current line. Consumes the blanks before it, but never the
    /// end of the line.
    #[inline]
    pub fn more_on_line(&mut self) -> bool {
        if self.is_behind_newline() {
            self.place.start -= 1;
            return false;
        }
        loop {
            match self.buffer[self.place.start..self.end].first().copied() {
                Some(b'\n') => return false,
                Some(byte) if byte.is_ascii_whitespace() => self.place.start += 1,
                Some(_) => return true,
                None if self.refill() => {}
                None => return false,
            }
        }
    }

    /// Whether the end of the line has been consumed, as it is together with a number before it.
    #[inline]
    fn is_behind_newline(&self) -> bool {
        self.place.start > self.place.token && self.buffer[self.place.start - 1] == b'\n'
    }

    /// Skips whitespace and line ends; whether a token follows.
    pub fn more(&mut self) -> bool {
        while !self.more_on_line() {
            if !self.next_line() {
                return false;
            }
        }
        true
    }

    /// Goes to the next line if only blanks are left on this one; false, at the end of the input,
    /// if there is none. What follows the last newline is a line only if it has bytes.
    pub fn next_line(&mut self) -> bool {
        if self.more_on_line() {
            return true;
        }
        self.place.start = self.end.min(self.place.start + 1);
        self.place.token = self.place.start;
        self.place.start < self.end || self.refill()
    }

    /// Refuses a further token on the current line.
    pub fn end_of_line(&mut self) {
        if self.more_on_line() {
            self.token();
            self.reject("the end of the line");
        }
    }

    /// Everything not yet consumed, perhaps without the blank behind the last token. Reads to the end
    /// of the stream and keeps it in memory.
    pub fn rest(&mut self) -> &[u8] {
        while self.refill() {}
        &self.buffer[self.place.start..self.end]
    }

    /// Ends the program because the last token is not what is `expected`, or because one is
    /// missing behind it.
    #[cold]
    pub fn reject(&self, expected: impl Display) -> ! {
        stop(Stop::Input { expected: expected.to_string() })
    }

    /// Line and column (in bytes) of the last token, both from 1.
    pub(super) fn position(&self) -> (u64, u64) {
        let (lines, columns) =
            advance(self.lines_before, self.columns_before, &self.buffer[..self.place.token]);
        (lines + 1, columns + 1)
    }

    /// The last token, or what is in its place, for an error message.
    pub(super) fn found(&self) -> String {
        let token =
            self.buffer[self.place.token..self.place.start].split(u8::is_ascii_whitespace).next();
        match (token.unwrap_or_default(), self.buffer[self.place.token..self.end].first()) {
            ([], None) => "the end of the input".to_string(),
            ([], Some(b'\n' | b'\r')) => "the end of the line".to_string(),
            ([], Some(&byte)) => format!("\"{}\"", [byte].escape_ascii()),
            (token, _) if token.len() <= SHOWN => format!("\"{}\"", token.escape_ascii()),
            (token, _) => format!("\"{}…\"", token[..SHOWN].escape_ascii()),
        }
    }

    /// Reads more of the stream behind `end`, keeping everything from `token` on; whether there
    /// was more.
    #[cold]
    fn refill(&mut self) -> bool {
        let is_more = !self.at_end && self.read();
        self.place.find_ends(&self.buffer);
        is_more
    }

    /// [`refill`](Self::refill), without looking for the ends of numbers.
    fn read(&mut self) -> bool {
        let passed = self.place.token;
        if passed > 0 {
            (self.lines_before, self.columns_before) =
                advance(self.lines_before, self.columns_before, &self.buffer[..passed]);
            self.buffer.copy_within(passed..self.end, 0);
            self.place.token = 0;
            self.place.start -= passed;
            self.end -= passed;
        }
        if self.end + CHUNK / 2 > self.buffer.len() - BLOCK {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        let limit = self.buffer.len() - BLOCK;
        loop {
            match self.reader.read(&mut self.buffer[self.end..limit]) {
                Ok(0) => {
                    self.at_end = true;
                    self.buffer[self.end..self.end + BLOCK].fill(0);
                    return false;
                }
                Ok(bytes) => {
                    self.end += bytes;
                    self.buffer[self.end..self.end + BLOCK].fill(0);
                    return true;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => stop(Stop::System(format!("cannot read the input: {error}"))),
            }
        }
    }
}

/// The first bytes of `bytes` from `start` on, where zeros follow what was read.
#[inline]
fn first<const N: usize>(bytes: &[u8], start: usize) -> &[u8; N] {
    bytes[start..].first_chunk().expect("zeros follow what was read")
}

fn as_text(token: &[u8]) -> Option<&str> {
    std::str::from_utf8(token).ok()
}

/// Moves a place, given as complete lines and bytes behind them, past `bytes`.
fn advance(mut lines: u64, mut columns: u64, bytes: &[u8]) -> (u64, u64) {
    // Up to 255 newlines fit the byte-sized counter that lets this loop use vector registers.
    for block in bytes.chunks(255) {
        let newlines: u8 = block.iter().map(|&byte| u8::from(byte == b'\n')).sum();
        if newlines > 0 {
            lines += u64::from(newlines);
            columns = 0;
            let last = block.iter().rposition(|&byte| byte == b'\n').expect("counted above");
            columns += (block.len() - 1 - last) as u64;
        } else {
            columns += block.len() as u64;
        }
    }
    (lines, columns)
}

/// The type parameter of [`Source`] names a reader that a scanner does not have; it is `Empty` for
/// `input!` to find exactly one implementation.
impl Source<Empty> for Scanner<'_> {
    /// The next token; `None` at the end of the input. One that is not UTF-8 is an error.
    fn next_token(&mut self) -> Option<&str> {
        let token = self.token()?;
        Some(as_text(token).unwrap_or_else(|| stop(Stop::Input { expected: "text".to_string() })))
    }

    fn is_empty(&mut self) -> bool {
        !self.more()
    }
}

#[cfg(test)]
mod tests;
