//! Quantization of a column.

use crate::kernel::Kernel;

/// The greatest absolute value of a quantized element, and of a scale's `a`.
pub const GREATEST: i8 = 127;
/// The greatest exponent of a scale's denominator 2^b.
pub const GREATEST_EXPONENT: u32 = 30;

/// The integer form a / 2^b of a scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    pub a: u32,
    pub b: u32,
}

/// Makes `quantized` the quantized elements of a column, and returns its scale. O(k).
pub fn quantize(column: &[f64], quantized: &mut Vec<i8>, kernel: Kernel) -> Scale {
    match kernel {
        Kernel::Portable => portable(column, quantized),
        // SAFETY: the kernel is evidence of AVX2.
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx2(_) | Kernel::Vnni(_) => unsafe { avx2(column, quantized) },
    }
}

/// [`portable`], which the compiler turns into instructions for four elements at a time, not two.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn avx2(column: &[f64], quantized: &mut Vec<i8>) -> Scale {
    portable(column, quantized)
}

/// [`quantize`] for any processor.
#[inline(always)] // with the instructions that its caller may use
fn portable(column: &[f64], quantized: &mut Vec<i8>) -> Scale {
    // Doubles without a sign are in the order of their bits. The greatest of integers may be found in
    // several parts, while each comparison of doubles would wait for the one before.
    let greatest = column.iter().map(|x| x.abs().to_bits()).max().map_or(0.0, f64::from_bits);
    let s = greatest / f64::from(GREATEST);
    quantized.clear();
    if s == 0.0 {
        // What an underflow leaves of a column that is not all zeros is clipped.
        quantized
            .extend(column.iter().map(|&x| GREATEST * (i8::from(x > 0.0) - i8::from(x < 0.0))));
    } else {
        quantized.extend(column.iter().map(|&x| round(x / s)));
    }
    if greatest == 0.0 {
        return Scale { a: 0, b: 0 };
    }
    let scaled = |b: u32| s * f64::from(1u32 << b);
    let limit = f64::from(GREATEST) + 0.5;
    let b = (0..=GREATEST_EXPONENT).rev().find(|&b| scaled(b) < limit).unwrap_or(0);
    Scale { a: round(scaled(b)) as u32, b }
}

/// The nearest integer, halves away from zero, clipped.
///
/// x86-64 has no instruction for `f64::round`, which then is a call. Truncation is one, for several
/// values at a time if they need not be checked, and rounds if nearly a half is added before: with a
/// full half, the greatest double below 0.5 would become 1.
#[inline]
fn round(value: f64) -> i8 {
    const HALF: f64 = 0.5 - f64::EPSILON / 4.0;
    let greatest = f64::from(GREATEST);
    let beyond = value.max(-greatest).min(greatest) + HALF.copysign(value);
    // SAFETY: of a NaN and another number, `max` gives the other one, unlike `clamp`. So whatever `value`
    // is, the sum is not beyond 127.5, which an i32 holds when truncated.
    unsafe { beyond.to_int_unchecked::<i32>() as i8 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    fn scale_of(greatest: f64) -> (u32, u32) {
        let Scale { a, b } = portable(&[greatest], &mut Vec::new());
        (a, b)
    }

    #[test]
    fn a_scale_takes_the_greatest_exponent_that_fits() {
        assert_eq!(scale_of(127.0), (64, 6));
        assert_eq!(scale_of(2.0), (65, 12));
        assert_eq!(scale_of(127.0 * 127.0), (127, 0));
        assert_eq!(scale_of(1e300), (127, 0));
        assert_eq!(scale_of(f64::MAX), (127, 0));
        assert_eq!(scale_of(1e-9), (0, 30));
        assert_eq!(scale_of(5e-324), (0, 30));
        assert_eq!(scale_of(0.0), (0, 0));
        assert_eq!(scale_of(-0.0), (0, 0));
    }

    #[test]
    fn halves_round_away_from_zero_and_near_halves_do_not() {
        assert_eq!([0.5, -0.5, 1.5, 2.5, -2.5, 126.5].map(round), [1, -1, 2, 3, -3, 127]);
        assert_eq!([127.4, 127.6, 1e300, f64::NEG_INFINITY].map(round), [127, 127, 127, -127]);
        assert_eq!(round(f64::INFINITY), 127);
        assert!((-127..=127).contains(&round(f64::NAN)), "some integer");
        for half in 0..255 {
            let half = f64::from(half) / 2.0;
            let bits = half.to_bits();
            for value in [bits, bits + 1, bits.saturating_sub(1)].map(f64::from_bits) {
                assert_eq!(f64::from(round(value)), value.round().min(127.0), "{value:e}");
                assert_eq!(f64::from(round(-value)), -value.round().min(127.0), "{value:e}");
            }
        }
    }

    #[test]
    fn elements_under_a_scale_of_zero_are_clipped() {
        let mut quantized = Vec::new();
        portable(&[5e-324, -5e-324, 0.0], &mut quantized);
        assert_eq!(quantized, [127, -127, 0]);
    }

    #[test]
    fn every_kernel_quantizes_as_the_formulas_say() {
        for seed in 0..2000 {
            let rng = &mut StdRng::seed_from_u64(seed);
            let unit = [1.0, 0.5, 1e-3, 1e300, 5e-324][rng.random_range(0..5)];
            let length = rng.random_range(1..20);
            let column: Vec<f64> =
                (0..length).map(|_| f64::from(rng.random_range(-254..=254)) * unit).collect();
            let greatest = column.iter().fold(0.0, |greatest: f64, x| greatest.max(x.abs()));
            let s = greatest / 127.0;
            let exact = |x: &f64| if s > 0.0 { (x / s).round() } else { x.signum() * 127.0 };
            let exact = |x: &f64| if *x == 0.0 { 0 } else { exact(x).clamp(-127.0, 127.0) as i8 };
            let expected: Vec<i8> = column.iter().map(exact).collect();
            let scale = portable(&column, &mut Vec::new());
            for kernel in Kernel::available() {
                let mut quantized = vec![1; 3];
                assert_eq!(quantize(&column, &mut quantized, kernel), scale, "{column:?}");
                assert_eq!(quantized, expected, "{kernel:?}, {column:?}");
            }
        }
    }
}
