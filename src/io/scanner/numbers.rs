//! Numbers of the scanner: one, many, separated by commas, on a line.
//!
//! The common forms are parsed eight bytes at a time. What else there is, and what is wrong, takes
//! slower paths.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use proconio::source::{RuntimeReadable, Source};

use super::super::number::{long_decimal, long_integer, short_decimal, short_integer, WINDOW};
use super::super::{stop, Stop};
use super::{as_text, Scanner};

/// An integer type that [`Scanner::int`] and [`In`] can read: any of the standard library's.
pub trait Integer: Copy + Display + FromStr + PartialOrd + TryFrom<i64> {}

impl<T: Copy + Display + FromStr + PartialOrd + TryFrom<i64>> Integer for T {}

impl<'a> Scanner<'a> {
    /// The next token as an integer in `range`: digits, behind a `+` or, if `T` is signed, any sign.
    #[inline]
    pub fn int<T: Integer>(&mut self, range: RangeInclusive<T>) -> T {
        // Numbers at the start of a line are common, and other blanks in front are not.
        if self.buffer[self.start] == b'\n' {
            self.start += 1;
        }
        let short = short_integer(self.window(self.start));
        self.accept(short, &range).unwrap_or_else(|| self.any_int(range))
    }

    /// [`int`](Scanner::int) for every case.
    #[cold]
    #[inline(never)]
    fn any_int<T: Integer>(&mut self, range: RangeInclusive<T>) -> T {
        self.more();
        let long = long_integer(self.window(self.start));
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
        let short = short_decimal(self.window(self.start));
        self.accept(short, &range).unwrap_or_else(|| self.long_float(range))
    }

    /// [`float`](Scanner::float) for numbers of more than a few digits.
    #[inline(never)]
    fn long_float(&mut self, range: RangeInclusive<f64>) -> f64 {
        let long = long_decimal(self.window(self.start));
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
            let value = match short(self.window(start)) {
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

    /// Unread bytes from a place in the buffer on, followed by zeros if they are the last: those
    /// neither belong to a number nor end one, so what reaches them is left to the slow paths.
    #[inline]
    fn window(&self, start: usize) -> &[u8; WINDOW] {
        self.buffer[start..].first_chunk().expect("zeros follow what was read")
    }

    /// [`float`](Scanner::float) for every case.
    #[cold]
    #[inline(never)]
    fn any_float(&mut self, range: RangeInclusive<f64>) -> f64 {
        self.more();
        let long = long_decimal(self.window(self.start));
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
        let window = self.window(self.start);
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
}

/// Whether `range` includes a value: [`RangeInclusive::contains`] without its look at whether the
/// range has been iterated over.
#[inline]
fn includes<T: PartialOrd>(range: &RangeInclusive<T>, value: &T) -> bool {
    range.start() <= value && value <= range.end()
}

fn parse_int<T: Integer>(token: &[u8], range: &RangeInclusive<T>) -> Option<T> {
    as_text(token)?.parse().ok().filter(|value| range.contains(value))
}

fn an_integer<T: Integer>(range: &RangeInclusive<T>) -> String {
    format!("an integer from {} to {}", range.start(), range.end())
}

/// The kind of an integer in a range, for `proconio::input!` from a [`Scanner`]: `n: with In(1..=100)`.
///
/// What is not an integer in the range ends the program as it does in [`Scanner::int`]. Only
/// [`run`](crate::io::run) and [`attempt`](crate::io::attempt) tell why.
pub struct In<T>(pub RangeInclusive<T>);

impl<T: Integer> RuntimeReadable for In<T> {
    type Output = T;

    fn read<R: std::io::BufRead, S: Source<R>>(self, source: &mut S) -> T {
        let parsed = source.next_token().and_then(|token| parse_int(token.as_bytes(), &self.0));
        parsed.unwrap_or_else(|| stop(Stop::Input { expected: an_integer(&self.0) }))
    }
}
