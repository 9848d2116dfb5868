//! Where tokens end, found for many bytes at once.

/// The bytes looked at together.
pub(super) const BLOCK: usize = 64;

/// A bit for each byte of `block` that ends a number, the first byte's lowest: for blanks, and for
/// some bytes that are part of no number.
///
/// Of the bits 2 and 4, blanks and NUL have neither; digits, minus, point and the letter E have one.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn ends(block: &[u8; BLOCK]) -> u64 {
    use std::arch::x86_64::{_mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_slli_epi16};
    let mut inner = 0;
    for (quarter, place) in block.chunks_exact(16).zip((0..).step_by(16)) {
        // SAFETY: 16 bytes are loaded from a slice of 16, and every x86-64 processor has SSE2.
        let mask = unsafe {
            let bytes = _mm_loadu_si128(quarter.as_ptr().cast());
            _mm_movemask_epi8(_mm_or_si128(_mm_slli_epi16(bytes, 3), _mm_slli_epi16(bytes, 5)))
        };
        inner |= (mask as u64) << place;
    }
    !inner
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) use portable as ends;

/// [`ends`] for any processor.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline]
pub(super) fn portable(block: &[u8; BLOCK]) -> u64 {
    let bits = block.chunks_exact(8).zip((0..).step_by(8)).map(|(eighth, place)| {
        let word = u64::from_le_bytes(eighth.try_into().expect("eight bytes"));
        let ends = !(word | word << 2) >> 4 & 0x0101_0101_0101_0101;
        // The product brings the lowest bits of the bytes together in the topmost byte.
        (ends.wrapping_mul(0x0102_0408_1020_4080) >> 56) << place
    });
    bits.fold(0, |all, bits| all | bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn the_ends_of_numbers_are_those_of_each_byte() {
        for seed in 0..20_000 {
            let rng = &mut StdRng::seed_from_u64(seed);
            let usual = b"0123456789-.eE ,\n\r\t\0";
            let block = std::array::from_fn(|_| match rng.random_bool(0.9) {
                true => usual[rng.random_range(0..usual.len())],
                false => rng.random(),
            });
            let is_end = |place: &usize| block[*place] & 0b10100 == 0;
            let expected = (0..BLOCK).filter(is_end).fold(0, |all, place| all | 1 << place);
            assert_eq!(ends(&block), expected, "{}", block.escape_ascii());
            assert_eq!(portable(&block), expected, "{}", block.escape_ascii());
        }
    }
}
