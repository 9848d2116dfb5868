//! Numbers of the scanner: one, many, separated by commas, on a line.
//!
//! The common forms are parsed eight bytes at a time. What else there is, and what is wrong, takes
//! slower paths.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use proconio::source::{RuntimeReadable, Source};

use super::super::number::{integer, integer_length, long_decimal, short_decimal};
use super::super::{stop, Stop};
use super::ends::{ends, BLOCK};
use super::{as_text, first, Place, Scanner};

/// An integer type that [`Scanner::int`] and [`In`] can read: any of the standard library's.
pub trait Integer: Copy + Display + FromStr + PartialOrd + TryFrom<i64> {}

impl<T: Copy + Display + FromStr + PartialOrd + TryFrom<i64>> Integer for T {}

impl<'a> Scanner<'a> {
    /// The next token as an integer in `range`: digits, behind a `+` or, if `T` is signed, any sign.
    #[inline]
    pub fn int<T: Integer>(&mut self, range: RangeInclusive<T>) -> T {
        let short = self.place.take_int(&self.buffer, &range);
        short.unwrap_or_else(|| self.any_int(range))
    }

    /// [`int`](Scanner::int) for every case.
    #[cold]
    #[inline(never)]
    fn any_int<T: Integer>(&mut self, range: RangeInclusive<T>) -> T {
        self.more();
        self.place.find_ends(&self.buffer);
        let usual = self.place.take_int(&self.buffer, &range);
        let value = usual.or_else(|| parse_int(self.token()?, &range));
        value.unwrap_or_else(|| self.reject(an_integer(&range)))
    }

    /// The next token as the nearest double, which must be finite and in `range`. Any notation
    /// that `f64::from_str` takes.
    #[inline]
    pub fn float(&mut self, range: RangeInclusive<f64>) -> f64 {
        let short = self.place.take_float(&self.buffer, &range);
        short.unwrap_or_else(|| self.any_float(range))
    }

    /// Passes the next `count` tokens to `take`, read as by [`int`](Scanner::int), but faster.
    #[inline]
    pub fn take_ints<T: Integer>(
        &mut self,
        mut count: usize,
        range: RangeInclusive<T>,
        mut take: impl FnMut(T),
    ) {
        let short = |place: &mut Place, bytes: &[u8]| place.take_int(bytes, &range);
        loop {
            count = self.take_while(count, short, &mut take);
            if count == 0 {
                return;
            }
            take(self.any_int(range.clone()));
            count -= 1;
        }
    }

    /// Passes the next `count` tokens to `take`, read as by [`float`](Scanner::float), but faster.
    #[inline]
    pub fn take_floats(
        &mut self,
        mut count: usize,
        range: RangeInclusive<f64>,
        mut take: impl FnMut(f64),
    ) {
        let short = |place: &mut Place, bytes: &[u8]| place.take_float(bytes, &range);
        let long = |place: &mut Place, bytes: &[u8]| place.take_long_float(bytes, &range);
        loop {
            count = self.take_while(count, short, &mut take);
            // Where one number is long, the next ones mostly are, too.
            count = self.take_while(count, long, &mut take);
            if count == 0 {
                return;
            }
            take(self.any_float(range.clone()));
            count -= 1;
        }
    }

    /// Passes tokens to `take` up to the first that `parse` does not know, but `count` at most; how many
    /// are left of these.
    ///
    /// The place in the buffer, on which all hangs, stays in registers.
    #[inline]
    fn take_while<V>(
        &mut self,
        count: usize,
        parse: impl Fn(&mut Place, &[u8]) -> Option<V>,
        take: &mut impl FnMut(V),
    ) -> usize {
        let (mut place, bytes) = (self.place, &self.buffer[..]);
        let mut taken = 0;
        while taken < count {
            let Some(value) = parse(&mut place, bytes) else { break };
            take(value);
            taken += 1;
        }
        self.place = place;
        count - taken
    }

    /// [`float`](Scanner::float) for every case.
    #[cold]
    #[inline(never)]
    fn any_float(&mut self, range: RangeInclusive<f64>) -> f64 {
        self.more();
        let usual = self.place.take_long_float(&self.buffer, &range);
        let parse = || self.token().and_then(as_text).and_then(|token| token.parse().ok());
        match usual.or_else(parse) {
            Some(value) if range.contains(&value) && value.is_finite() => value,
            _ if is_every_finite(&range) => self.reject("a finite number"),
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
                is_open = self.buffer[self.place.start] == b',';
                self.place.start += usize::from(is_open);
                element
            })
        })
    }

    /// One element of a list, up to the comma or whitespace behind it. Nothing may be before it.
    #[inline]
    fn element<T: Integer>(&mut self, range: &RangeInclusive<T>) -> T {
        let bytes = first(&self.buffer, self.place.start);
        let length = integer_length(bytes);
        let value = integer(bytes, length).filter(|value| includes(range, value));
        let end = self.place.start + length;
        if let Some(value) = value.filter(|_| matches!(self.buffer[end], b',' | b' ' | b'\n')) {
            (self.place.token, self.place.start) = (self.place.start, end);
            return value;
        }
        let element = self.take_until(|&byte| byte == b',' || byte.is_ascii_whitespace());
        let parsed = parse_int(element, range);
        parsed.unwrap_or_else(|| self.reject(an_integer(range)))
    }

    /// As [`int`](Scanner::int), but refuses to go beyond the current line.
    #[inline]
    pub fn int_on_line<T: Integer>(&mut self, range: RangeInclusive<T>) -> T {
        if !self.more_on_line() {
            self.place.token = self.place.start;
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
        std::iter::from_fn(move || {
            if !self.is_behind_newline() {
                if let Some(value) = self.place.take_int(&self.buffer, &range) {
                    return Some(value);
                }
            }
            self.more_on_line().then(|| self.any_int(range.clone()))
        })
    }
}

impl Place {
    /// Looks for the ends of numbers from here on.
    pub(super) fn find_ends(&mut self, bytes: &[u8]) {
        self.block = self.start;
        self.ends = ends(first(bytes, self.start));
    }

    /// The next token if it is an integer of at most 16 bytes in `range`, with nothing in front of it
    /// and a blank behind it. This place is then behind the blank. Otherwise, and where the ends are out
    /// of date, nothing: then only the ends may have changed. `bytes` are those in the buffer.
    #[inline]
    fn take_int<T: Integer>(&mut self, bytes: &[u8], range: &RangeInclusive<T>) -> Option<T> {
        while self.ends == 0 {
            self.block += BLOCK;
            self.ends = ends(bytes.get(self.block..)?.first_chunk()?);
        }
        let end = self.block + self.ends.trailing_zeros() as usize;
        // An end that has been passed makes this longer than any integer.
        let length = end.wrapping_sub(self.start);
        let value = integer(first(bytes, self.start), length);
        let value = value.filter(|value| includes(range, value))?;
        self.ends &= self.ends - 1;
        self.accept(bytes, value, end)
    }

    /// As [`take_int`](Self::take_int), for a decimal of at most 8 bytes.
    #[inline]
    fn take_float(&mut self, bytes: &[u8], range: &RangeInclusive<f64>) -> Option<f64> {
        let (value, length) = short_decimal(first(bytes, self.start))
            .filter(|&(value, _)| includes_finite(range, value))?;
        self.accept(bytes, value, self.start + length)
    }

    /// As [`take_float`](Self::take_float), for a longer one.
    #[inline]
    fn take_long_float(&mut self, bytes: &[u8], range: &RangeInclusive<f64>) -> Option<f64> {
        let window = first(bytes, self.start);
        let length = ends(window).trailing_zeros() as usize;
        let value = long_decimal(window, length).filter(|&value| includes_finite(range, value))?;
        self.accept(bytes, value, self.start + length)
    }

    /// `value`, which the next token up to `end` means, if a blank follows. Goes behind the blank.
    #[inline]
    fn accept<V>(&mut self, bytes: &[u8], value: V, end: usize) -> Option<V> {
        if !matches!(bytes[end], b' ' | b'\n') {
            return None;
        }
        (self.token, self.start) = (self.start, end + 1);
        Some(value)
    }
}

/// Whether `range` includes a value: [`RangeInclusive::contains`] without its look at whether the
/// range has been iterated over.
#[inline]
fn includes<T: PartialOrd>(range: &RangeInclusive<T>, value: &T) -> bool {
    range.start() <= value && value <= range.end()
}

/// Whether `range` includes a finite value. The compiler leaves nothing of it for the range of all of
/// them.
#[inline]
fn includes_finite(range: &RangeInclusive<f64>, value: f64) -> bool {
    is_every_finite(range) || includes(range, &value)
}

/// Whether `range` is that of all finite values.
#[inline]
fn is_every_finite(range: &RangeInclusive<f64>) -> bool {
    *range == (f64::MIN..=f64::MAX)
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
