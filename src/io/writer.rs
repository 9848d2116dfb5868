//! Buffered output with table-driven integer formatting.

use std::io::{ErrorKind, Write};

use super::{stop, Stop};

/// Bytes handed to the stream at a time.
const CHUNK: usize = 1 << 16;

/// The longest integer: `-9223372036854775808` and `18446744073709551615`.
const LONGEST_INTEGER: usize = 20;

/// Collects output and hands it to a byte stream in chunks.
///
/// Nothing is flushed on drop: [`run`](super::run) flushes at a solver's end, and a program that
/// stops at bad input leaves no half-written output. A solver of a batch problem therefore reads
/// all its input before it writes.
pub struct Writer<'a> {
    stream: Box<dyn Write + 'a>,
    buffer: Vec<u8>,
}

/// An integer that [`Writer::int`] prints.
pub trait Printable {
    /// Whether it is negative, and its distance from 0.
    fn sign_and_magnitude(self) -> (bool, u64);
}

macro_rules! printable {
    ($($type:ty)*) => {$(
        impl Printable for $type {
            #[inline]
            #[allow(unused_comparisons)] // for the unsigned types
            fn sign_and_magnitude(self) -> (bool, u64) {
                let magnitude = if self < 0 { (self as u64).wrapping_neg() } else { self as u64 };
                (self < 0, magnitude)
            }
        }
    )*};
}

printable!(u8 u32 u64 usize i32 i64);

/// The two digits of every number below 100.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut number = 0;
    while number < 100 {
        pairs[number] = [b'0' + number as u8 / 10, b'0' + number as u8 % 10];
        number += 1;
    }
    pairs
};

impl<'a> Writer<'a> {
    /// A writer onto `stream`. Writes nothing yet.
    pub fn new(stream: impl Write + 'a) -> Self {
        Writer { stream: Box::new(stream), buffer: Vec::with_capacity(CHUNK) }
    }

    /// Appends a decimal integer.
    #[inline]
    pub fn int(&mut self, value: impl Printable) -> &mut Self {
        let (negative, mut rest) = value.sign_and_magnitude();
        let mut digits = [0; LONGEST_INTEGER];
        let mut first = LONGEST_INTEGER;
        while rest >= 10 {
            first -= 2;
            digits[first..first + 2].copy_from_slice(&PAIRS[(rest % 100) as usize]);
            rest /= 100;
        }
        if rest > 0 || first == LONGEST_INTEGER {
            first -= 1;
            digits[first] = b'0' + rest as u8;
        }
        if negative {
            first -= 1;
            digits[first] = b'-';
        }
        self.bytes(&digits[first..])
    }

    /// Appends one byte.
    #[inline]
    pub fn byte(&mut self, byte: u8) -> &mut Self {
        self.bytes(&[byte])
    }

    /// Appends bytes as they are.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        if self.buffer.len() + bytes.len() > CHUNK {
            self.pass_on();
        }
        self.buffer.extend_from_slice(bytes);
        self
    }

    /// Hands everything to the stream at once, as an interactive solver must after each reply.
    pub fn flush(&mut self) {
        self.pass_on();
        let outcome = self.stream.flush();
        self.check(outcome);
    }

    #[cold]
    fn pass_on(&mut self) {
        let outcome = self.stream.write_all(&self.buffer);
        self.check(outcome);
        self.buffer.clear();
    }

    fn check(&self, outcome: std::io::Result<()>) {
        match outcome {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::BrokenPipe => stop(Stop::OutputClosed),
            Err(error) => stop(Stop::System(format!("cannot write the output: {error}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(value: impl Printable) -> String {
        let mut output = Vec::new();
        let mut writer = Writer::new(&mut output);
        writer.int(value).flush();
        drop(writer);
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn integers_of_every_length_and_both_signs_print_as_the_standard_library_does() {
        let mut magnitude: u64 = 0;
        for digit in (1..=9).cycle().take(20) {
            for value in [magnitude, magnitude.wrapping_add(1)] {
                assert_eq!(printed(value), value.to_string());
                let signed = (value as i64).wrapping_neg();
                assert_eq!(printed(signed), signed.to_string());
            }
            magnitude = magnitude.wrapping_mul(10).wrapping_add(digit);
        }
        for value in [i64::MIN, i64::MAX, -1, 9, 10, 99, 100] {
            assert_eq!(printed(value), value.to_string());
        }
        assert_eq!(printed(u64::MAX), u64::MAX.to_string());
        assert_eq!(printed(i32::MIN), i32::MIN.to_string());
    }

    #[test]
    fn output_longer_than_a_chunk_arrives_whole_and_in_order() {
        let mut output = Vec::new();
        let mut writer = Writer::new(&mut output);
        let long = vec![b'x'; CHUNK + 1];
        for number in 0..100_000u32 {
            writer.int(number).byte(b'\n');
        }
        writer.bytes(&long).byte(b'y').flush();
        drop(writer);
        let text = String::from_utf8(output).unwrap();
        let (numbers, rest) = text.split_at(text.find('x').unwrap());
        assert!(numbers.lines().eq((0..100_000).map(|number: u32| number.to_string())));
        assert_eq!(rest.len(), CHUNK + 2);
        assert!(rest.ends_with("xy"));
    }
}
