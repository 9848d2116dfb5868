//! The oracle and the generators of problem 5, integer-scale quantized matrix multiplication.

use crate::text::Tokens;
use rand::{Rng, RngExt};
use std::fmt::Write;

/// An input with at most 6 rows and columns, and real numbers in steps of a half.
pub fn small(rng: &mut impl Rng) -> String {
    let [m, k, n] = [0; 3].map(|_| rng.random_range(1..=6usize));
    let mut input = format!("{m} {k} {n}\n");
    for _ in 0..m {
        for _ in 0..k {
            input += &format!("{} ", rng.random_range(-127..=127));
        }
        input += &format!("{} {}\n", rng.random_range(0..=127), rng.random_range(0..=30));
    }
    for _ in 0..n {
        let most = rng.random_range(0..=254);
        let reals = (0..k).map(|_| f64::from(rng.random_range(-most..=most)) / 2.0);
        input += &(reals.map(|x| format!("{x:.1}")).collect::<Vec<_>>().join(" ") + "\n");
    }
    input
}

/// An input of this size, everything drawn evenly; the real numbers lie between -10 and 10 and have
/// `decimals` decimals.
///
/// # Panics
/// If a size is 0, or if `decimals` is not from 1 to 18.
pub fn uniform(rng: &mut impl Rng, [m, k, n]: [usize; 3], decimals: usize) -> String {
    assert!(m > 0 && k > 0 && n > 0, "{m} × {k} × {n}");
    assert!((1..=18).contains(&decimals), "{decimals} decimals");
    let unit = 10u64.pow(decimals as u32);
    let mut input = String::with_capacity(5 * m * (k + 2) + n * k * (decimals + 5));
    writeln!(input, "{m} {k} {n}").expect("a string grows");
    for _ in 0..m {
        for _ in 0..k {
            write!(input, "{} ", rng.random_range(-127..=127)).expect("a string grows");
        }
        let (a, b) = (rng.random_range(0..=127), rng.random_range(0..=30));
        writeln!(input, "{a} {b}").expect("a string grows");
    }
    for element in 1..=n * k {
        let end = if element % k == 0 { '\n' } else { ' ' };
        let sign = if rng.random() { "-" } else { "" };
        let (whole, part) = (rng.random_range(0..10), rng.random_range(0..unit));
        write!(input, "{sign}{whole}.{part:0decimals$}{end}").expect("a string grows");
    }
    input
}

/// The answer by the statement's formulas, one element at a time; the error says why the input is
/// not valid. O(m·k·n).
pub fn answer(input: &[u8]) -> Result<String, String> {
    let mut tokens = Tokens::new(input);
    let size = |tokens: &mut Tokens| tokens.next(|&size: &u64| size > 0);
    let (m, k, n) = (size(&mut tokens)?, size(&mut tokens)?, size(&mut tokens)?);
    let mut left = Vec::new();
    for _ in 0..m {
        let mut row = Vec::new();
        for _ in 0..k {
            row.push(tokens.next(|q: &i64| (-127..=127).contains(q))?);
        }
        let a = tokens.next(|a: &u32| *a <= 127)?;
        let b = tokens.next(|b: &u32| *b <= 30)?;
        left.push((row, a, b));
    }
    let mut right = Vec::new();
    for _ in 0..n {
        let mut column = Vec::new();
        for _ in 0..k {
            column.push(tokens.next(|x: &f64| x.is_finite())?);
        }
        right.push(quantize(&column));
    }
    let mut lines = String::new();
    for (row, a, b) in &left {
        let element = |(column, a_column, b_column): &(Vec<i64>, u32, u32)| {
            let dot: i64 = row.iter().zip(column).map(|(x, y)| x * y).sum();
            format!("{dot} {} {}", a * a_column, b + b_column)
        };
        lines += &(right.iter().map(element).collect::<Vec<_>>().join(" ") + "\n");
    }
    Ok(lines)
}

/// A column as 8-bit integers and its scale as `a / 2^b`.
fn quantize(column: &[f64]) -> (Vec<i64>, u32, u32) {
    let greatest = column.iter().fold(0.0f64, |greatest, x| greatest.max(x.abs()));
    if greatest == 0.0 {
        return (vec![0; column.len()], 0, 0);
    }
    let scale = greatest / 127.0;
    let integers = column.iter().map(|&x| {
        let quotient = if x == 0.0 { 0.0 } else { x / scale };
        quotient.round().clamp(-127.0, 127.0) as i64
    });
    let fits = |b: &i32| (scale * 2f64.powi(*b)).round() <= 127.0;
    let b = (0..=30).rev().find(fits).unwrap_or(0);
    let a = (scale * 2f64.powi(b)).round().min(127.0);
    (integers.collect(), a as u32, b as u32)
}
