//! exp and ln made of + − × ÷ only, so that every machine gets the same bits; the library's differ
//! with the processor.

/// e^x to some 1e-12, x cut to ±600.
pub fn exp(x: f64) -> f64 {
    const LN2: f64 = std::f64::consts::LN_2;
    let x = x.clamp(-600.0, 600.0);
    let power = (x / LN2 + if x < 0.0 { -0.5 } else { 0.5 }) as i64;
    let rest = x - power as f64 * LN2;
    // Taylor; |rest| ≤ ln 2 / 2.
    let mut sum = 1.0;
    for n in (1..=11).rev() {
        sum = 1.0 + sum * rest / f64::from(n);
    }
    sum * f64::from_bits(((power + 1023) as u64) << 52)
}

/// ln x for normal x > 0, to some 1e-10.
pub fn ln(x: f64) -> f64 {
    const LN2: f64 = std::f64::consts::LN_2;
    let bits = x.to_bits();
    let power = (bits >> 52) as i64 - 1023;
    let mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    // ln m = 2 artanh((m − 1)/(m + 1)); the mantissa is in 1..2, its root's neighbourhood is best.
    let (mantissa, power) =
        if mantissa > 1.5 { (mantissa / 2.0, power + 1) } else { (mantissa, power) };
    let z = (mantissa - 1.0) / (mantissa + 1.0);
    let square = z * z;
    let mut sum = 0.0;
    for n in (0..9).rev() {
        sum = sum * square + 1.0 / f64::from(2 * n + 1);
    }
    power as f64 * LN2 + 2.0 * z * sum
}

/// `base` to a whole power, for 0 ≤ `base` < 1.
pub fn power(base: f32, exponent: u64) -> f32 {
    let (mut result, mut base, mut left) = (1.0, base, exponent);
    while left > 0 && result > 1e-30 {
        if left % 2 == 1 {
            result *= base;
        }
        base = if base > 1e-30 { base * base } else { 0.0 };
        left /= 2;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_and_ln_agree_with_the_library() {
        for step in -400..=400 {
            let x = f64::from(step) / 10.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-11, "exp {x}");
            assert!((ln(x.exp()) - x).abs() < 1e-9, "ln of exp {x}");
        }
    }

    #[test]
    fn powers_agree_with_products() {
        assert_eq!(power(0.5, 0), 1.0);
        assert_eq!(power(0.5, 7), 1.0 / 128.0);
        assert!(power(0.99, u64::MAX) < 1e-30);
    }
}
