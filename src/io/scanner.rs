//! Whitespace-separated tokens from a byte stream, with their place for error messages.

mod skip;

use std::fmt::Display;
use std::io::{Empty, ErrorKind, Read};
use std::ops::RangeInclusive;
use std::str::FromStr;

use proconio::source::{RuntimeReadable, Source};

use super::number::{long_decimal, long_integer, short_decimal, short_integer, WINDOW};
use super::{stop, Stop};

/// Bytes asked for at a time: small enough to stay in the second-level cache, so that parsing
/// never waits for memory, and large enough to make system calls rare.
const CHUNK: usize = 1 << 16;

/// What an error message shows of a bad token, in bytes.
const SHOWN: usize = 40;

/// An integer type that [`Scanner::int`] and [`In`] can read: any of the standard library's.
pub trait Integer: Copy + Display + FromStr + PartialOrd + TryFrom<i64> {}

impl<T: Copy + Display + FromStr + PartialOrd + TryFrom<i64>> Integer for T {}

/// Reads tokens separated by ASCII whitespace from a byte stream.
///
/// Reads in chunks and no further than it must: it asks the stream for more only while the token
/// or line at hand is incomplete, so it serves interactive problems as well. Memory: one chunk,
/// or the longest token, or the longest run of blanks on a line, if that is longer. Tokens cost their bytes; the common forms are parsed
/// eight bytes at a time.
///
/// Also a [`Source`] for `proconio::input!`, with [`In`] as the kind of an integer.
///
/// A token that is missing or malformed ends the program; see [`run`](super::run).
pub struct Scanner<'a> {
    reader: Box<dyn Read + 'a>,
    /// `buffer[start..end]` has been read from the stream but not yet consumed. At least `WINDOW`
    /// zeros follow.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Where the last token starts, or the place at which one was missing.
    token: usize,
    /// Newlines before `buffer[0]`, and bytes between the last of them and `buffer[0]`.
    lines_before: u64,
    columns_before: u64,
    at_end: bool,
}

impl<'a> Scanner<'a> {
    /// A scanner at the start of `reader`. Reads nothing yet.
    pub fn new(reader: impl Read + 'a) -> Self {
        Scanner {
            reader: Box::new(reader),
            buffer: vec![0; CHUNK + WINDOW],
            start: 0,
            end: 0,
            token: 0,
            lines_before: 0,
            columns_before: 0,
            at_end: false,
        }
    }

    /// The next token as an integer in `range`: digits, behind a `+` or, if `T` is signed, any sign.
    #[inline]
    pub fn int<T: Integer>(&mut self, range: RangeInclusive<T>) -> T {
        // Numbers at the start of a line are common, and other blanks in front are not.
        if self.buffer[self.start] == b'\n' {
            self.start += 1;
        }
        let short = short_integer(self.window());
        self.accept(short, &range).unwrap_or_else(|| self.any_int(range))
    }

    /// [`int`](Scanner::int) for every case.
    #[cold]
    #[inline(never)]
    fn any_int<T: Integer>(&mut self, range: RangeInclusive<T>) -> T {
        self.more();
        let long = long_integer(self.window());
        if let Some(value) = self.accept(long, &range) {
            return value;
        }
        let parsed = self.token().and_then(|token| parse_int(token, &range));
        parsed.unwrap_or_else(|| self.reject(an_integer(&range)))
    }

    /// The next token as the nearest double, which must be finite and in `range`. Any notation
    /// that `f64::from_str` takes.
    #[inline]
    pub fn float(&mut self, range: RangeInclusive<f64>) -> f64 {
        let short = short_decimal(self.window());
        self.accept(short, &range).unwrap_or_else(|| self.long_float(range))
    }

    /// [`float`](Scanner::float) for numbers of more than a few digits.
    #[inline(never)]
    fn long_float(&mut self, range: RangeInclusive<f64>) -> f64 {
        let long = long_decimal(self.window());
        self.accept(long, &range).unwrap_or_else(|| self.any_float(range))
    }

    /// Passes the next `count` tokens to `take`, read as by [`int`](Scanner::int), but faster.
    #[inline]
    pub fn take_ints<T: Integer>(
        &mut self,
        count: usize,
        range: RangeInclusive<T>,
        take: impl FnMut(T),
    ) {
        self.take_numbers(count, range, short_integer, Scanner::any_int, take);
    }

    /// Passes the next `count` tokens to `take`, read as by [`float`](Scanner::float), but faster.
    #[inline]
    pub fn take_floats(&mut self, count: usize, range: RangeInclusive<f64>, take: impl FnMut(f64)) {
        self.take_numbers(count, range, short_decimal, Scanner::long_float, take);
    }

    /// Numbers of which `short` reads the common ones, and `any` those that are not in `range`, not
    /// common or not followed by a single blank.
    ///
    /// The place in the buffer, on which all hangs, stays in a register.
    #[inline]
    fn take_numbers<V: PartialOrd>(
        &mut self,
        count: usize,
        range: RangeInclusive<V>,
        short: impl Fn(&[u8; WINDOW]) -> Option<(V, usize)>,
        any: impl Fn(&mut Self, RangeInclusive<V>) -> V,
        mut take: impl FnMut(V),
    ) where
        RangeInclusive<V>: Clone,
    {
        let (mut token, mut start) = (self.token, self.start);
        for _ in 0..count {
            let window = self.buffer[start..].first_chunk().expect("zeros follow what was read");
            let value = match short(window) {
                Some((value, length))
                    if matches!(self.buffer[start + length], b' ' | b'\n')
                        && includes(&range, &value) =>
                {
                    token = start;
                    start += length + 1;
                    value
                }
                _ => {
                    self.start = start;
                    let value = any(self, range.clone());
                    (token, start) = (self.token, self.start);
                    value
                }
            };
            take(value);
        }
        // The end of a line stays, for those who read line by line.
        if count > 0 && self.buffer[start - 1] == b'\n' {
            start -= 1;
        }
        (self.token, self.start) = (token, start);
    }

    /// The number that the unread bytes start with, if it is in `range` and a blank follows it. Goes
    /// behind it and behind a space; the end of a line stays, for those who read line by line.
    #[inline]
    fn accept<V: PartialOrd>(
        &mut self,
        parsed: Option<(V, usize)>,
        range: &RangeInclusive<V>,
    ) -> Option<V> {
        let (value, length) = parsed?;
        let end = self.start + length;
        let start = match self.buffer[end] {
            b' ' => end + 1,
            b'\n' => end,
            _ => return None,
        };
        if !includes(range, &value) {
            return None;
        }
        (self.token, self.start) = (self.start, start);
        Some(value)
    }

    /// The next unread bytes, followed by zeros if they are the last: those neither belong to a
    /// number nor end one, so what reaches them is left to the slow paths.
    #[inline]
    fn window(&self) -> &[u8; WINDOW] {
        self.buffer[self.start..].first_chunk().expect("zeros follow what was read")
    }

    /// [`float`](Scanner::float) for every case.
    #[cold]
    #[inline(never)]
    fn any_float(&mut self, range: RangeInclusive<f64>) -> f64 {
        self.more();
        let long = long_decimal(self.window());
        if let Some(value) = self.accept(long, &range) {
            return value;
        }
        let parsed = self.token().and_then(as_text).and_then(|token| token.parse().ok());
        match parsed {
            Some(value) if range.contains(&value) && value.is_finite() => value,
            _ if range == (f64::MIN..=f64::MAX) => self.reject("a finite number"),
            _ => self.reject(format_args!("a number from {} to {}", range.start(), range.end())),
        }
    }

    /// The next token, or `None` at the end of the input.
    pub fn token(&mut self) -> Option<&[u8]> {
        self.more().then(|| self.take_until(u8::is_ascii_whitespace))
    }

    /// The next token as integers in `range` that are separated by commas, at least one. The
    /// iterator must be used up before the scanner is used again.
    #[inline]
    pub fn list<'s, T: Integer>(
        &'s mut self,
        range: RangeInclusive<T>,
    ) -> impl Iterator<Item = T> + use<'s, 'a, T> {
        self.more();
        let mut is_open = true;
        std::iter::from_fn(move || {
            is_open.then(|| {
                let element = self.element(&range);
                is_open = self.buffer[self.start..self.end].first() == Some(&b',');
                self.start += usize::from(is_open);
                element
            })
        })
    }

    /// One element of a list, up to the comma or whitespace behind it. Nothing may be before it.
    #[inline]
    fn element<T: Integer>(&mut self, range: &RangeInclusive<T>) -> T {
        let window = self.window();
        let parsed = short_integer(window).or_else(|| long_integer(window));
        if let Some((value, length)) = parsed.filter(|(value, _)| includes(range, value)) {
            let end = self.start + length;
            if matches!(self.buffer[end], b',' | b' ' | b'\n') {
                (self.token, self.start) = (self.start, end);
                return value;
            }
        }
        let element = self.take_until(|&byte| byte == b',' || byte.is_ascii_whitespace());
        let parsed = parse_int(element, range);
        parsed.unwrap_or_else(|| self.reject(an_integer(range)))
    }

    /// Everything up to a byte that `ends` it, or up to the end of the input: the last token.
    fn take_until(&mut self, ends: impl Fn(&u8) -> bool) -> &[u8] {
        self.token = self.start;
        loop {
            match self.buffer[self.start..self.end].iter().position(&ends) {
                Some(rest) => {
                    self.start += rest;
                    break;
                }
                None => {
                    self.start = self.end;
                    if !self.refill() {
                        break;
                    }
                }
            }
        }
        &self.buffer[self.token..self.start]
    }

    /// Whether a token follows on the current line. Consumes the blanks before it, but never the
    /// end of the line.
    #[inline]
    pub fn more_on_line(&mut self) -> bool {
        loop {
            match self.buffer[self.start..self.end].first().copied() {
                Some(b'\n') => return false,
                Some(byte) if byte.is_ascii_whitespace() => self.start += 1,
                Some(_) => return true,
                None if self.refill() => {}
                None => return false,
            }
        }
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
        self.start = self.end.min(self.start + 1);
        self.token = self.start;
        self.start < self.end || self.refill()
    }

    /// As [`int`](Scanner::int), but refuses to go beyond the current line.
    #[inline]
    pub fn int_on_line<T: Integer>(&mut self, range: RangeInclusive<T>) -> T {
        if !self.more_on_line() {
            self.token = self.start;
            self.reject(an_integer(&range));
        }
        self.int(range)
    }

    /// The integers, all in `range`, on the rest of the current line.
    #[inline]
    pub fn ints_on_line<'s, T: Integer>(
        &'s mut self,
        range: RangeInclusive<T>,
    ) -> impl Iterator<Item = T> + use<'s, 'a, T> {
        std::iter::from_fn(move || self.more_on_line().then(|| self.int(range.clone())))
    }

    /// Refuses a further token on the current line.
    pub fn end_of_line(&mut self) {
        if self.more_on_line() {
            self.token();
            self.reject("the end of the line");
        }
    }

    /// Everything not yet consumed, perhaps without the space behind the last token. Reads to the end
    /// of the stream and keeps it in memory.
    pub fn rest(&mut self) -> &[u8] {
        while self.refill() {}
        &self.buffer[self.start..self.end]
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
            advance(self.lines_before, self.columns_before, &self.buffer[..self.token]);
        (lines + 1, columns + 1)
    }

    /// The last token, or what is in its place, for an error message.
    pub(super) fn found(&self) -> String {
        let token = self.buffer[self.token..self.start].split(u8::is_ascii_whitespace).next();
        match (token.unwrap_or_default(), self.buffer[self.token..self.end].first()) {
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
        if self.at_end {
            return false;
        }
        let passed = self.token;
        if passed > 0 {
            (self.lines_before, self.columns_before) =
                advance(self.lines_before, self.columns_before, &self.buffer[..passed]);
            self.buffer.copy_within(passed..self.end, 0);
            self.token = 0;
            self.start -= passed;
            self.end -= passed;
        }
        if self.end + CHUNK / 2 > self.buffer.len() - WINDOW {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        let limit = self.buffer.len() - WINDOW;
        loop {
            match self.reader.read(&mut self.buffer[self.end..limit]) {
                Ok(0) => {
                    self.at_end = true;
                    self.buffer[self.end..self.end + WINDOW].fill(0);
                    return false;
                }
                Ok(bytes) => {
                    self.end += bytes;
                    self.buffer[self.end..self.end + WINDOW].fill(0);
                    return true;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => stop(Stop::System(format!("cannot read the input: {error}"))),
            }
        }
    }
}

/// Whether `range` includes a value: [`RangeInclusive::contains`] without its look at whether the
/// range has been iterated over.
#[inline]
fn includes<T: PartialOrd>(range: &RangeInclusive<T>, value: &T) -> bool {
    range.start() <= value && value <= range.end()
}

fn as_text(token: &[u8]) -> Option<&str> {
    std::str::from_utf8(token).ok()
}

fn parse_int<T: Integer>(token: &[u8], range: &RangeInclusive<T>) -> Option<T> {
    as_text(token)?.parse().ok().filter(|value| range.contains(value))
}

fn an_integer<T: Integer>(range: &RangeInclusive<T>) -> String {
    format!("an integer from {} to {}", range.start(), range.end())
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

/// The kind of an integer in a range, for `proconio::input!` from a [`Scanner`]: `n: with In(1..=100)`.
///
/// What is not an integer in the range ends the program as it does in [`Scanner::int`]. Only
/// [`run`](super::run) and [`attempt`](super::attempt) tell why.
pub struct In<T>(pub RangeInclusive<T>);

impl<T: Integer> RuntimeReadable for In<T> {
    type Output = T;

    fn read<R: std::io::BufRead, S: Source<R>>(self, source: &mut S) -> T {
        let parsed = source.next_token().and_then(|token| parse_int(token.as_bytes(), &self.0));
        parsed.unwrap_or_else(|| stop(Stop::Input { expected: an_integer(&self.0) }))
    }
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
