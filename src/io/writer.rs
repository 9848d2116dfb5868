//! Buffered output with branch-free integer formatting.

use std::io::{ErrorKind, Write};

use super::number::{eight_digits, ZEROS};
use super::{stop, Stop};

/// Bytes handed to the stream at a time.
const CHUNK: usize = 1 << 16;

/// What one call may store, in bytes, and so what the buffer has behind a chunk: a sign, 8 digits and
/// two pieces, of which the last is stored with all its word.
const SLACK: usize = 24;

/// The least number of more than 8 digits.
const LIMIT: u64 = 100_000_000;

/// Collects output and hands it to a byte stream in chunks.
///
/// Nothing is flushed on drop: [`run`](super::run) flushes at a solver's end. A solver of a batch
/// problem reads all its input before it writes, and so leaves no output if the input is bad.
pub struct Writer<'a> {
    stream: Box<dyn Write + 'a>,
    buffer: Box<[u8; CHUNK + SLACK]>,
    length: usize,
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

/// A short text that is prepared once and written again and again, at most 7 bytes.
///
/// A word has them all: the text from the lowest byte on, its length in the highest one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Piece(u64);

impl Piece {
    /// The length in bytes.
    #[inline]
    fn text_length(self) -> usize {
        (self.0 >> 56) as usize
    }

    /// With one more byte.
    ///
    /// # Panics
    /// If the piece is full.
    #[inline]
    pub fn with_byte(self, byte: u8) -> Self {
        self.with_text(u64::from(byte), 1)
    }

    /// With a number behind it.
    ///
    /// # Panics
    /// If the number has more digits than there is room for.
    #[inline]
    pub fn with_int(self, value: u32) -> Self {
        assert!(value < 10_000_000, "{value} has more than 7 digits");
        let (digits, shown) = shown_digits(u64::from(value));
        self.with_text(u64::from_le_bytes(digits), shown)
    }

    /// With the lowest `length` bytes of `text`, the others are zeros.
    #[inline]
    fn with_text(self, text: u64, length: usize) -> Self {
        assert!(self.text_length() + length < 8, "no room for {length} bytes");
        Piece((self.0 | text << (8 * self.text_length())) + ((length as u64) << 56))
    }
}

/// The digits of a number below 10^8 without leading zeros, and how many there are.
#[inline]
fn shown_digits(value: u64) -> ([u8; 8], usize) {
    let digits = u64::from_le_bytes(eight_digits(value));
    // The last digit is always shown, be it a zero.
    let zeros = (digits ^ ZEROS | 1 << 56).trailing_zeros() / 8;
    ((digits >> (8 * zeros)).to_le_bytes(), 8 - zeros as usize)
}

impl<'a> Writer<'a> {
    /// A writer onto `stream`. Writes nothing yet.
    pub fn new(stream: impl Write + 'a) -> Self {
        Writer { stream: Box::new(stream), buffer: Box::new([0; CHUNK + SLACK]), length: 0 }
    }

    /// Appends a decimal integer.
    #[inline]
    pub fn int(&mut self, value: impl Printable) -> &mut Self {
        let (negative, magnitude) = value.sign_and_magnitude();
        if magnitude >= LIMIT {
            return self.long_int(negative, magnitude / LIMIT, magnitude % LIMIT);
        }
        let (digits, shown) = shown_digits(magnitude);
        let sign = usize::from(negative);
        let room = self.room();
        room[0] = b'-';
        room[sign..sign + 8].copy_from_slice(&digits);
        self.length += sign + shown;
        self
    }

    /// Appends `high` · 10^8 + `low`, or its negative.
    fn long_int(&mut self, negative: bool, high: u64, low: u64) -> &mut Self {
        if negative {
            self.byte(b'-');
        }
        self.int(high);
        self.room()[..8].copy_from_slice(&eight_digits(low));
        self.length += 8;
        self
    }

    /// Appends one byte.
    #[inline]
    pub fn byte(&mut self, byte: u8) -> &mut Self {
        self.room()[0] = byte;
        self.length += 1;
        self
    }

    /// Appends a short text that was prepared before.
    #[inline]
    pub fn piece(&mut self, piece: Piece) -> &mut Self {
        self.room()[..8].copy_from_slice(&piece.0.to_le_bytes());
        self.length += piece.text_length();
        self
    }

    /// Appends a decimal integer and two short texts, faster than one by one.
    #[inline]
    pub fn int_and_pieces(&mut self, value: impl Printable, pieces: [Piece; 2]) -> &mut Self {
        let (negative, magnitude) = value.sign_and_magnitude();
        if magnitude >= LIMIT {
            return self.long_int(negative, magnitude / LIMIT, magnitude % LIMIT).pieces(pieces);
        }
        let (digits, shown) = shown_digits(magnitude);
        let sign = usize::from(negative);
        let room = self.room();
        room[0] = b'-';
        room[sign..sign + 8].copy_from_slice(&digits);
        let mut length = sign + shown;
        for piece in pieces {
            room[length..length + 8].copy_from_slice(&piece.0.to_le_bytes());
            length += piece.text_length();
        }
        self.length += length;
        self
    }

    /// Appends short texts one after the other, faster than one by one.
    #[inline]
    pub fn pieces(&mut self, pieces: impl IntoIterator<Item = Piece>) -> &mut Self {
        let mut length = self.length;
        for piece in pieces {
            if length > CHUNK {
                self.length = length;
                self.pass_on();
                length = 0;
            }
            self.buffer[length..length + 8].copy_from_slice(&piece.0.to_le_bytes());
            length += piece.text_length();
        }
        self.length = length;
        self
    }

    /// Puts `byte` in place of the last one that was appended.
    ///
    /// # Panics
    /// If nothing was, since the beginning or since [`flush`](Writer::flush).
    #[inline]
    pub fn replace_last(&mut self, byte: u8) -> &mut Self {
        self.buffer[self.length - 1] = byte;
        self
    }

    /// Appends bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        bytes.iter().fold(self, |writer, &byte| writer.byte(byte))
    }

    /// Room behind what is there. Whoever appends stores a fixed number of bytes, which is a single
    /// instruction, and then counts those that matter; the rest is overwritten.
    #[inline]
    fn room(&mut self) -> &mut [u8; SLACK] {
        if self.length > CHUNK {
            self.pass_on();
        }
        let room = &mut self.buffer[self.length..self.length + SLACK];
        room.try_into().expect("a slice of this length")
    }

    /// Hands everything to the stream at once, as an interactive solver must after each reply.
    pub fn flush(&mut self) {
        self.pass_on();
        let outcome = self.stream.flush();
        self.check(outcome);
    }

    #[cold]
    fn pass_on(&mut self) {
        let outcome = self.stream.write_all(&self.buffer[..self.length]);
        self.check(outcome);
        self.length = 0;
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
        for exponent in 0..20 {
            let power = 10u64.pow(exponent);
            assert_eq!(printed(power - 1), (power - 1).to_string());
            assert_eq!(printed(power), power.to_string());
        }
    }

    #[test]
    fn output_longer_than_a_chunk_arrives_whole_and_in_order() {
        let mut output = Vec::new();
        let mut writer = Writer::new(&mut output);
        let long = vec![b'x'; CHUNK + 1];
        for number in 0..100_000u32 {
            writer.int(number).byte(b'\n');
        }
        writer.bytes(&long).piece(Piece::default().with_byte(b'y').with_int(10)).flush();
        drop(writer);
        let text = String::from_utf8(output).unwrap();
        let (numbers, rest) = text.split_at(text.find('x').unwrap());
        assert!(numbers.lines().eq((0..100_000).map(|number: u32| number.to_string())));
        assert_eq!(rest.len(), CHUNK + 4);
        assert!(rest.ends_with("xy10"));
    }

    #[test]
    fn texts_written_at_once_are_those_written_one_by_one() {
        let pieces =
            [Piece::default().with_byte(b' ').with_int(0), Piece::default().with_int(1234567)];
        let (mut at_once, mut one_by_one) = (Vec::new(), Vec::new());
        let mut first = Writer::new(&mut at_once);
        let mut second = Writer::new(&mut one_by_one);
        for step in 0..20_000 {
            // All lengths and signs.
            let value = (i64::MAX >> (step % 64)) * if step % 3 == 0 { -1 } else { 1 };
            first.int_and_pieces(value, pieces).replace_last(b'x').pieces([pieces[0]; 3]);
            second.int(value).piece(pieces[0]).bytes(b"123456x").bytes(b" 0 0 0");
        }
        first.flush();
        second.flush();
        drop((first, second));
        assert!(at_once.len() > 3 * CHUNK);
        assert!(at_once == one_by_one);
    }

    #[test]
    #[should_panic(expected = "no room for 1 bytes")]
    fn a_piece_has_7_bytes_at_most() {
        Piece::default().with_int(1234567).with_byte(b' ');
    }
}
