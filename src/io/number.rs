//! Numbers from their digits, eight bytes at a time.

/// Eight bytes of `window` as a little-endian word.
#[inline]
pub(super) fn eight<const N: usize>(window: &[u8; N], at: usize) -> u64 {
    u64::from_le_bytes(window[at..at + 8].try_into().expect("eight bytes"))
}

/// The top bit of each byte of `word`, eight bytes in little-endian order, that is no ASCII digit.
///
/// Exact up to and including the first byte that is not ASCII. Adding 0x76 to a byte minus `'0'`
/// sets its top bit unless it is a digit, and carries only from a byte beyond ASCII.
#[inline]
pub(super) fn non_digits(word: u64) -> u64 {
    let digits = word ^ ZEROS;
    (digits.wrapping_add(0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
}

/// The number that the first `length` bytes of `word` spell, 1 to 8 of them and all ASCII digits.
///
/// Shifting the digits to the top fills up with leading zeros; then pairs, quadruples and halves are
/// combined by three multiplications.
#[inline]
pub(super) fn spelled(word: u64, length: usize) -> u64 {
    let mut value = (word ^ ZEROS) << (64 - 8 * length);
    value = (value.wrapping_mul((10 << 8) | 1) >> 8) & 0x00ff_00ff_00ff_00ff;
    value = (value.wrapping_mul((100 << 16) | 1) >> 16) & 0x0000_ffff_0000_ffff;
    value.wrapping_mul((10_000 << 32) | 1) >> 32
}

/// Value and number of the ASCII digits that `word` starts with.
#[inline]
pub(super) fn leading_digits(word: u64) -> (u64, usize) {
    match non_digits(word).trailing_zeros() as usize / 8 {
        0 => (0, 0),
        length => (spelled(word, length), length),
    }
}

/// Eight zeros in ASCII.
const ZEROS: u64 = 0x3030_3030_3030_3030;

pub(super) const POWERS_OF_TEN: [u64; 20] = {
    let mut powers = [1; 20];
    let mut exponent = 1;
    while exponent < powers.len() {
        powers[exponent] = powers[exponent - 1] * 10;
        exponent += 1;
    }
    powers
};

/// The powers of ten that are both 64-bit integers and exact doubles.
const DECIMAL_UNITS: [f64; 20] = {
    let mut units = [1.0; 20];
    let mut exponent = 0;
    while exponent < units.len() {
        units[exponent] = POWERS_OF_TEN[exponent] as f64;
        exponent += 1;
    }
    units
};

/// The double nearest to `mantissa / 10^decimals`, ties to even, for at most 19 decimals.
///
/// Up to 2^53 both operands are doubles and IEEE division rounds correctly. Beyond, the quotient
/// of the operands, each shifted to 64 significant bits, has at least 63 bits; with the remainder
/// folded into its lowest one it rounds to 53 bits just as the exact quotient does.
#[inline]
pub(super) fn quotient(mantissa: u64, decimals: usize) -> f64 {
    if mantissa <= 1 << 53 {
        // A signed conversion is one instruction.
        return mantissa as i64 as f64 / DECIMAL_UNITS[decimals];
    }
    let divisor = POWERS_OF_TEN[decimals];
    let (up, down) = (mantissa.leading_zeros(), divisor.leading_zeros());
    let (numerator, denominator) = (u128::from(mantissa << up) << 63, u128::from(divisor << down));
    let quotient = numerator / denominator;
    let is_exact = quotient * denominator == numerator;
    let quotient = quotient as u64 | u64::from(!is_exact);
    let scale = f64::from_bits(u64::from(1023 - 63 + down - up) << 52);
    quotient as f64 * scale
}

/// The eight decimal digits of a number below 10^8, with leading zeros.
///
/// Halves, quadruples and pairs of digits are split side by side in one word; the quotients come
/// from multiplications by rounded-up inverses, which are exact for such small dividends.
#[inline]
pub(super) fn eight_digits(value: u64) -> [u8; 8] {
    let halves = (value / 10_000) | ((value % 10_000) << 32);
    let hundreds = ((halves * 10_486) >> 20) & 0x7f_0000_007f;
    let pairs = hundreds | ((halves - hundreds * 100) << 16);
    let tens = ((pairs * 103) >> 10) & 0x000f_000f_000f_000f;
    let digits = tens | ((pairs - tens * 10) << 8);
    (digits | ZEROS).to_le_bytes()
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
    fn the_quotient_of_a_tie_rounds_to_even(odd in 0u64..1 << 52, decimals in 0usize..3) {
        // (2^53 + odd) + 1/2 scaled to decimals that keep it a tie.
        let tie = u128::from((1u64 << 53 | odd) * 2 + 1) * u128::from(POWERS_OF_TEN[decimals]);
        if let Ok(mantissa) = u64::try_from(tie) {
            let text = format!("{mantissa}e-{decimals}");
            prop_assert_eq!(quotient(mantissa, decimals).to_bits(), text.parse::<f64>().unwrap().to_bits());
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
