//! Numbers from their digits and back, eight bytes at a time.

use super::Integer;

/// Eight bytes of `window` as a little-endian word.
#[inline]
fn eight<const N: usize>(window: &[u8; N], at: usize) -> u64 {
    u64::from_le_bytes(window[at..at + 8].try_into().expect("eight bytes"))
}

/// The top bit of each byte of `word`, eight bytes in little-endian order, that is no ASCII digit.
///
/// Exact up to and including the first byte that is not ASCII.
#[inline]
pub(super) fn non_digits(word: u64) -> u64 {
    beyond_nine(word ^ ZEROS)
}

/// The top bit of each byte of `digits` that is more than 9, exact as [`non_digits`] is.
///
/// Adding 0x76 sets the top bit of these, and carries only from a byte beyond ASCII.
#[inline]
fn beyond_nine(digits: u64) -> u64 {
    (digits.wrapping_add(0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
}

/// The digits that the first `length` bytes of `word` should be, 1 to 8 of them, behind leading zeros.
#[inline]
fn aligned_digits(word: u64, length: usize) -> u64 {
    (word ^ ZEROS) << (64 - 8 * length)
}

/// The number of eight digits: three multiplications combine pairs, quadruples and halves.
#[inline]
fn value_of(digits: u64) -> u64 {
    let mut value = digits;
    value = (value.wrapping_mul((10 << 8) | 1) >> 8) & 0x00ff_00ff_00ff_00ff;
    value = (value.wrapping_mul((100 << 16) | 1) >> 16) & 0x0000_ffff_0000_ffff;
    value.wrapping_mul((10_000 << 32) | 1) >> 32
}

/// Value and number of the ASCII digits that `word` starts with.
#[inline]
fn leading_digits(word: u64) -> (u64, usize) {
    match non_digits(word).trailing_zeros() as usize / 8 {
        0 => (0, 0),
        length => (value_of(aligned_digits(word, length)), length),
    }
}

/// Eight zeros in ASCII.
pub(super) const ZEROS: u64 = 0x3030_3030_3030_3030;

const POWERS_OF_TEN: [u64; 20] = {
    let mut powers = [1; 20];
    let mut exponent = 1;
    while exponent < powers.len() {
        powers[exponent] = powers[exponent - 1] * 10;
        exponent += 1;
    }
    powers
};

/// The powers of ten that are both 64-bit integers and exact doubles, and then their negatives.
static DECIMAL_UNITS: [[f64; 20]; 2] = {
    let mut units = [[1.0; 20]; 2];
    let mut exponent = 0;
    while exponent < POWERS_OF_TEN.len() {
        units[0][exponent] = POWERS_OF_TEN[exponent] as f64;
        units[1][exponent] = -units[0][exponent];
        exponent += 1;
    }
    units
};

/// The double nearest to `mantissa / 10^decimals`, or to its negative, ties to even, for a mantissa below
/// 2^52 and at most 19 decimals. Signs are hard to predict: they take no branch.
///
/// Both operands are doubles, so IEEE division rounds correctly.
#[inline]
fn short_quotient(minus: bool, mantissa: u64, decimals: usize) -> f64 {
    // Among the doubles that are 1 apart, they are 2^52 and the integer of their low bits. The
    // instruction that converts integers would wait for the number before.
    const BASE: u64 = (1023 + 52) << 52;
    let integer = f64::from_bits(BASE | mantissa) - f64::from_bits(BASE);
    integer / DECIMAL_UNITS[usize::from(minus)][decimals]
}

/// As [`short_quotient`], for any mantissa but 0 and at least one decimal; `None` in the rare case that a
/// product with the reciprocal leaves open which of two doubles is nearest.
///
/// Lemire, "Number parsing at a gigabyte per second" (2021), multiplies so. Mantissa and reciprocal
/// have 64 significant bits each, and the reciprocal is rounded down by less than 1. So the exact
/// product of 128 bits exceeds the computed one by less than 2^64; without its lowest 65 bits the
/// computed one is too low by less than 2. Where both ends of that interval round to the same double,
/// so does everything between them.
#[inline]
fn long_quotient(minus: bool, mantissa: u64, decimals: usize) -> Option<f64> {
    let (reciprocal, down) = RECIPROCALS[decimals];
    let up = mantissa.leading_zeros();
    let product = u128::from(mantissa << up) * u128::from(reciprocal);
    let least = (product >> 65) as i64;
    let quotient = least as f64;
    let scale = f64::from_bits(u64::from(minus) << 63 | u64::from(1023 - 62 + down - up) << 52);
    (quotient == (least + 2) as f64).then_some(quotient * scale)
}

/// For each exponent, 2^127 over the power of ten, which is shifted to 64 significant bits for that, and by
/// how many bits it is shifted.
static RECIPROCALS: [(u64, u32); 20] = {
    let mut reciprocals = [(0, 0); 20];
    let mut exponent = 0;
    while exponent < POWERS_OF_TEN.len() {
        let down = POWERS_OF_TEN[exponent].leading_zeros();
        // The first, 2^64, would not fit; no other is an integer, and with 1 less above the line they
        // are rounded down as before.
        let reciprocal = ((1 << 127) - 1) / ((POWERS_OF_TEN[exponent] as u128) << down);
        reciprocals[exponent] = (reciprocal as u64, down);
        exponent += 1;
    }
    reciprocals
};

/// How many of 16 bytes are before the first that is marked, from the second byte on: the length of an
/// integer in a list, if there is one.
#[inline]
pub(super) fn integer_length(bytes: &[u8; 16]) -> usize {
    match marks(eight(bytes, 0)).trailing_zeros() as usize / 8 {
        8 => 8 + (!eight(bytes, 8) & 0x1010_1010_1010_1010).trailing_zeros() as usize / 8,
        length => length,
    }
}

/// The integer that the first `length` of `bytes` are, its sign included, if they are one.
#[inline]
pub(super) fn integer<T: Integer>(bytes: &[u8; 16], length: usize) -> Option<T> {
    // For unsigned types the compiler leaves out all that deals with a minus.
    let minus = T::try_from(-1i64).is_ok() && bytes[0] == b'-';
    let sign = usize::from(minus);
    let digits = length.wrapping_sub(sign);
    let magnitude = if (1..=8).contains(&digits) {
        number(eight(bytes, sign), digits)?
    } else {
        long_integer(bytes, sign, length)?
    };
    let magnitude = magnitude as i64;
    T::try_from(if minus { -magnitude } else { magnitude }).ok()
}

/// [`long_number`], if there are more than 8 bytes.
#[inline(never)]
fn long_integer(bytes: &[u8; 16], start: usize, end: usize) -> Option<u64> {
    if !(start + 9..=16).contains(&end) {
        return None;
    }
    long_number(bytes, start, end)
}

/// The number that the bytes from `start` to `end` spell, 9 to 19 of them, if they are digits.
#[inline]
fn long_number<const N: usize>(bytes: &[u8; N], start: usize, end: usize) -> Option<u64> {
    let middle_length = (end - start - 8).min(8);
    let middle_start = end - 8 - middle_length;
    // As [`aligned_digits`], but there may be none: no shift may be by 64.
    let high = (eight(bytes, start) ^ ZEROS) << 8 << (56 - 8 * (middle_start - start));
    let middle = aligned_digits(eight(bytes, middle_start), middle_length);
    let low = eight(bytes, end - 8) ^ ZEROS;
    if beyond_nine(high) | beyond_nine(middle) | beyond_nine(low) != 0 {
        return None;
    }
    let high = value_of(high) * POWERS_OF_TEN[middle_length] + value_of(middle);
    Some(high * POWERS_OF_TEN[8] + value_of(low))
}

/// The number that the first `length` bytes of `word` spell, 1 to 8 of them, if they are digits.
#[inline]
fn number(word: u64, length: usize) -> Option<u64> {
    let digits = aligned_digits(word, length);
    (beyond_nine(digits) == 0).then(|| value_of(digits))
}

/// A bit in each byte of `word`, but the first, that may end a number or be its point: what digits have
/// and neither blanks nor commas nor points.
///
/// Where the next token begins hangs on no more than this; whether all bytes up to there are digits
/// is found out aside.
#[inline]
fn marks(word: u64) -> u64 {
    !word & 0x1010_1010_1010_1000
}

/// The decimal `[-]digits.digits` that `window` starts with if it is at most 8 bytes long:
/// the nearest double and its length in bytes.
///
/// The first marked byte must be the point; the second one ends the number, unless it has all 8
/// bytes. Then it may be longer, which the byte behind them tells.
#[inline]
pub(super) fn short_decimal(window: &[u8; 16]) -> Option<(f64, usize)> {
    let word = eight(window, 0);
    let marks = marks(word);
    let up_to_point = marks ^ marks.wrapping_sub(1);
    let point = marks.trailing_zeros() as usize / 8;
    let length = (marks & !up_to_point).trailing_zeros() as usize / 8;
    if window[point] != b'.' || length <= point + 1 {
        return None;
    }
    let minus = word as u8 == b'-';
    let word = if minus { word ^ u64::from(b'-' ^ b'0') } else { word };
    // A mark is the fifth bit of its byte.
    let whole = up_to_point >> 5;
    let mantissa = number(word & whole | word >> 8 & !whole, length - 1)?;
    Some((short_quotient(minus, mantissa, length - point - 1), length))
}

/// The double nearest to the decimal that the first `length` bytes of `window` are, if they are one: as
/// [`short_decimal`], with up to 19 significant digits, at most 8 of them before the point, which may
/// be missing. A few that are hard to round are left to others.
#[inline]
pub(super) fn long_decimal(window: &[u8; 64], length: usize) -> Option<f64> {
    let minus = window[0] == b'-';
    let start = usize::from(minus);
    let (whole, whole_digits) = leading_digits(eight(window, start));
    let point = start + whole_digits;
    if whole_digits == 0 {
        return None;
    }
    if length == point {
        return Some(short_quotient(minus, whole, 0));
    }
    let decimals = length.checked_sub(point + 1)?;
    // A zero before the point is no significant digit.
    let significant = decimals + if whole > 0 { whole_digits } else { 0 };
    if window[point] != b'.' || decimals == 0 || significant > 19 {
        return None;
    }
    let fraction = if decimals <= 8 {
        number(eight(window, point + 1), decimals)?
    } else {
        long_number(window, point + 1, length)?
    };
    let mantissa = whole * POWERS_OF_TEN[decimals] + fraction;
    if mantissa < 1 << 52 {
        Some(short_quotient(minus, mantissa, decimals))
    } else {
        long_quotient(minus, mantissa, decimals)
    }
}

/// The four decimal digits of each number below 10^4 with leading zeros, the first in the lowest byte.
static FOUR_DIGITS: [u32; 10_000] = {
    let mut table = [ZEROS as u32; 10_000];
    let mut n = 0;
    while n < 10_000 {
        table[n as usize] +=
            n / 1000 + n / 100 % 10 * 0x100 + n / 10 % 10 * 0x1_0000 + n % 10 * 0x100_0000;
        n += 1;
    }
    table
};

/// The eight decimal digits of a number below 10^8, with leading zeros.
#[inline]
pub(super) fn eight_digits(value: u64) -> [u8; 8] {
    let four = |number: u64| u64::from(FOUR_DIGITS[number as usize]);
    (four(value / 10_000) | four(value % 10_000) << 32).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn eight_digits_are_those_of_the_standard_library() {
        for value in (0..100_000_000).step_by(97).chain(0..20_000).chain([99_999_999]) {
            assert_eq!(eight_digits(value), *format!("{value:08}").as_bytes(), "{value}");
        }
    }

    #[test]
    fn few_quotients_are_left_open() {
        let rng = &mut StdRng::seed_from_u64(1);
        let is_open = |_: &u32| {
            let (mantissa, decimals) =
                (rng.random_range(1 << 52..=u64::MAX), rng.random_range(1..20));
            long_quotient(false, mantissa, decimals).is_none()
        };
        let open = (0..100_000).filter(is_open).count();
        assert!((1..1000).contains(&open), "{open} of 100,000");
    }

    proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn quotients_near_the_middle_of_two_doubles_are_right_or_left_open(
        minus: bool,
        middle in 1u64 << 53..1 << 54,
        decimals in 1usize..20,
        bits in 53u32..=64,
        above in 0u64..2,
    ) {
        // An odd integer of 54 bits is in the middle of two doubles; so is what is shifted from it.
        let product = u128::from(middle | 1) * u128::from(POWERS_OF_TEN[decimals]);
        let excess = (128 - product.leading_zeros()).saturating_sub(bits);
        let mantissa = (product >> excess) as u64 + above;
        let text = format!("{}{mantissa}e-{decimals}", if minus { "-" } else { "" });
        let expected: f64 = text.parse().unwrap();
        if let Some(quotient) = long_quotient(minus, mantissa, decimals) {
            prop_assert_eq!(quotient.to_bits(), expected.to_bits(), "{}", text);
        }
    }

    #[test]
    fn quotients_are_those_of_the_standard_library(
        minus: bool,
        mantissa in prop_oneof![any::<u64>(), 0u64..1 << 53],
        decimals in 1usize..20,
    ) {
        let text = format!("{}{mantissa}e-{decimals}", if minus { "-" } else { "" });
        let expected: f64 = text.parse().unwrap();
        if mantissa < 1 << 52 {
            prop_assert_eq!(short_quotient(minus, mantissa, decimals).to_bits(), expected.to_bits());
        }
        if mantissa > 0 {
            let quotient = long_quotient(minus, mantissa, decimals).unwrap_or(expected);
            prop_assert_eq!(quotient.to_bits(), expected.to_bits());
        }
    }

    #[test]
    fn digits_are_read_up_to_the_first_other_byte(text in "[0-9]{0,8}[ -~]{8}") {
        let word = u64::from_le_bytes(text.as_bytes()[..8].try_into().unwrap());
        let digits: String = text[..8].chars().take_while(char::is_ascii_digit).collect();
        prop_assert_eq!(leading_digits(word), (digits.parse().unwrap_or(0), digits.len()));
    }
    }
}
