//! Numbers from their digits and back, eight bytes at a time.

use super::Integer;

/// What the parsers look at, in bytes: a minus, 8 digits, a point, 24 decimals, and the byte behind
/// them.
pub(super) const WINDOW: usize = 35;

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

/// The double nearest to `mantissa / 10^decimals`, or to its negative, ties to even, for at most 19
/// decimals. Signs are hard to predict: they take no branch.
///
/// Up to 2^52 both operands are doubles and IEEE division rounds correctly. Beyond, the quotient
/// of the operands, each shifted to 64 significant bits, has at least 63 bits; with the remainder
/// folded into its lowest one it rounds to 53 bits just as the exact quotient does.
#[inline]
fn quotient(minus: bool, mantissa: u64, decimals: usize) -> f64 {
    if mantissa < 1 << 52 {
        // Among the doubles that are 1 apart, they are 2^52 and the integer of their low bits. The
        // instruction that converts integers would wait for the number before.
        const BASE: u64 = (1023 + 52) << 52;
        let integer = f64::from_bits(BASE | mantissa) - f64::from_bits(BASE);
        return integer / DECIMAL_UNITS[usize::from(minus)][decimals];
    }
    let divisor = POWERS_OF_TEN[decimals];
    let (up, down) = (mantissa.leading_zeros(), divisor.leading_zeros());
    let (numerator, denominator) = (u128::from(mantissa << up) << 63, u128::from(divisor << down));
    let quotient = numerator / denominator;
    let is_exact = quotient * denominator == numerator;
    let quotient = quotient as u64 | u64::from(!is_exact);
    let scale = f64::from_bits(u64::from(minus) << 63 | u64::from(1023 - 63 + down - up) << 52);
    quotient as f64 * scale
}

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
        long_number(bytes, sign, length)?
    };
    let magnitude = magnitude as i64;
    T::try_from(if minus { -magnitude } else { magnitude }).ok()
}

/// The number that the bytes from `start` to `end` spell if they are digits, more than 8 of them.
#[inline(never)]
fn long_number(bytes: &[u8; 16], start: usize, end: usize) -> Option<u64> {
    if !(start + 9..=16).contains(&end) {
        return None;
    }
    let high = number(eight(bytes, start), end - start - 8)?;
    Some(high * POWERS_OF_TEN[8] + number(eight(bytes, end - 8), 8)?)
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
pub(super) fn short_decimal(window: &[u8; WINDOW]) -> Option<(f64, usize)> {
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
    Some((quotient(minus, mantissa, length - point - 1), length))
}

/// As [`short_decimal`], with up to 19 significant digits, at most 8 of
/// them before the point, which may be missing.
pub(super) fn long_decimal(window: &[u8; WINDOW]) -> Option<(f64, usize)> {
    let minus = window[0] == b'-';
    let mut length = usize::from(minus);
    let (whole, digits) = leading_digits(eight(window, length));
    let mut mantissa = whole;
    let mut decimals = 0;
    length += digits;
    if window[length] == b'.' {
        length += 1;
        for eighth in 0..3 {
            let (part, more) = leading_digits(eight(window, length));
            length += more;
            decimals += more;
            // A zero before the point is no significant digit.
            let significant = decimals + if whole > 0 { digits } else { 0 };
            if eighth > 0 && significant > 19 {
                return None;
            }
            mantissa = mantissa * POWERS_OF_TEN[more] + part;
            if more < 8 {
                break;
            }
        }
    }
    if digits == 0 {
        return None;
    }
    Some((quotient(minus, mantissa, decimals), length))
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

    #[test]
    fn eight_digits_are_those_of_the_standard_library() {
        for value in (0..100_000_000).step_by(97).chain(0..20_000).chain([99_999_999]) {
            assert_eq!(eight_digits(value), *format!("{value:08}").as_bytes(), "{value}");
        }
    }

    proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn the_quotient_of_a_tie_rounds_to_even(
        minus: bool,
        rest in 0u64..1 << 52,
        decimals in 0usize..3,
    ) {
        // 2^53 + 2·rest + 1 lies halfway between two doubles, which are 2 apart there.
        let tie = u128::from((1u64 << 52 | rest) * 2 + 1) * u128::from(POWERS_OF_TEN[decimals]);
        if let Ok(mantissa) = u64::try_from(tie) {
            let text = format!("{}{mantissa}e-{decimals}", if minus { "-" } else { "" });
            let expected: f64 = text.parse().unwrap();
            prop_assert_eq!(quotient(minus, mantissa, decimals).to_bits(), expected.to_bits());
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
