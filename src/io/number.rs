//! Numbers from their digits, eight bytes at a time.

/// Eight bytes of `window` as a little-endian word.
#[inline]
pub(super) fn eight<const N: usize>(window: &[u8; N], at: usize) -> u64 {
    u64::from_le_bytes(window[at..at + 8].try_into().expect("eight bytes"))
}

/// Value and number of the ASCII digits that `word`, eight bytes in little-endian order, starts
/// with.
///
/// Adding 0x76 to a byte minus `'0'` sets its top bit unless it is a digit; a carry only disturbs
/// the bytes behind the first non-digit. Shifting the digits to the top fills up with leading
/// zeros; then pairs, quadruples and halves are combined by three multiplications.
#[inline]
pub(super) fn leading_digits(word: u64) -> (u64, usize) {
    let digits = word ^ 0x3030_3030_3030_3030;
    let others = (digits.wrapping_add(0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080;
    let length = others.trailing_zeros() as usize / 8;
    if length == 0 {
        return (0, 0);
    }
    let mut value = digits << (64 - 8 * length);
    value = value.wrapping_mul(10 << 8 | 1) >> 8 & 0x00ff_00ff_00ff_00ff;
    value = value.wrapping_mul(100 << 16 | 1) >> 16 & 0x0000_ffff_0000_ffff;
    value = value.wrapping_mul(10_000 << 32 | 1) >> 32;
    (value, length)
}

pub(super) const POWERS_OF_TEN: [u64; 20] = {
    let mut powers = [1; 20];
    let mut exponent = 1;
    while exponent < powers.len() {
        powers[exponent] = powers[exponent - 1] * 10;
        exponent += 1;
    }
    powers
};

/// The double nearest to `mantissa / 10^decimals`, ties to even, for at most 19 decimals.
///
/// Up to 2^53 both operands are doubles and IEEE division rounds correctly. Beyond, the quotient
/// of the operands, each shifted to 64 significant bits, has at least 63 bits; with the remainder
/// folded into its lowest one it rounds to 53 bits just as the exact quotient does.
#[inline]
pub(super) fn quotient(mantissa: u64, decimals: usize) -> f64 {
    let divisor = POWERS_OF_TEN[decimals];
    if mantissa <= 1 << 53 {
        // All powers up to 10^19 < 10^22 are exact doubles.
        return mantissa as f64 / divisor as f64;
    }
    let (up, down) = (mantissa.leading_zeros(), divisor.leading_zeros());
    let (numerator, denominator) = (u128::from(mantissa << up) << 63, u128::from(divisor << down));
    let quotient = (numerator / denominator) as u64 | u64::from(numerator % denominator != 0);
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
    (digits | 0x3030_3030_3030_3030).to_le_bytes()
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
