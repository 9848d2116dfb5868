//! Integers that only have to be there.

use super::super::number::non_digits;
use super::Scanner;

/// The top bit of each byte of a word.
const TOPS: u64 = 0x8080_8080_8080_8080;

/// The top bit of the first byte in reading order.
const FIRST: u64 = 0x80;

/// The top bit of each byte of `word` that equals `byte`.
#[inline]
fn equal(word: u64, byte: u8) -> u64 {
    let difference = word ^ u64::from_ne_bytes([byte; 8]);
    !((difference & !TOPS).wrapping_add(!TOPS) | difference) & TOPS
}

/// How many bytes have their top bits set in `tops`, which has no other bits.
#[inline]
fn count(tops: u64) -> u64 {
    (tops >> 7).wrapping_mul(0x0101_0101_0101_0101) >> 56
}

impl Scanner<'_> {
    /// How many integers, all in the range of `i64`, are on the rest of the current line.
    ///
    /// Refuses what [`int_on_line`](Scanner::int_on_line) refuses, but works out no value where it
    /// sees that one fits: it goes over the line eight bytes at a time, whatever tokens they are of.
    pub fn count_ints_on_line(&mut self) -> u64 {
        let mut integers = 0;
        while self.more_on_line() {
            integers += match self.pass_short_integers() {
                0 => {
                    self.int(i64::MIN..=i64::MAX);
                    1
                }
                passed => passed,
            };
        }
        integers
    }

    /// Goes behind integers of at most 14 digits, an optional minus before them and single spaces or
    /// more around, up to the end of the line or to the first token that may be something else or
    /// has not all been read from the stream; tells how many integers these were.
    #[inline]
    fn pass_short_integers(&mut self) -> u64 {
        let bytes = &self.buffer[..self.end];
        let first = self.place.start;
        let mut at = first;
        // How many tokens begin before `at`, and whether the byte before it is a space, which sets
        // the top bit of the first byte.
        let mut begun = 0;
        let mut behind_space = FIRST;
        while let Some(window) = bytes[at..].first_chunk::<9>() {
            let word = u64::from_le_bytes(*window.first_chunk().expect("8 of 9 bytes"));
            let others = non_digits(word);
            let spaces = equal(word, b' ');
            let may_begin = spaces << 8 | behind_space;
            if others == 0 {
                // So many digits may be more than fit.
                break;
            }
            if others == spaces {
                begun += count(may_begin & !others & TOPS);
            } else {
                let newlines = equal(word, b'\n');
                let on_line = (newlines & newlines.wrapping_neg()).wrapping_sub(1);
                let minuses = equal(word, b'-') & on_line;
                let strange = (others ^ (spaces | minuses)) & on_line
                    | minuses & !may_begin
                    | minuses << 8 & others;
                if strange != 0 || (minuses >> 63 == 1 && !window[8].is_ascii_digit()) {
                    break;
                }
                begun += count(may_begin & (!others | minuses) & on_line & TOPS);
                if newlines != 0 {
                    at += newlines.trailing_zeros() as usize / 8;
                    behind_space = FIRST;
                    break;
                }
            }
            behind_space = spaces >> 56;
            at += 8;
        }
        let token_before = |at: usize| {
            let end = bytes[first..at].iter().rposition(|&byte| byte != b' ')?;
            let space = bytes[first..first + end].iter().rposition(|&byte| byte == b' ');
            Some(first + space.map_or(0, |space| space + 1))
        };
        if behind_space == 0 {
            // Where the last token ends was not seen.
            at = token_before(at).expect("a token has begun");
            begun -= 1;
        }
        self.place.token = token_before(at).unwrap_or(self.place.token);
        self.place.start = at;
        begun
    }
}
