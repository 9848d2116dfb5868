//! Wrong solvers of problem 5.

use super::Wrong;
use crate::text::Tokens;

/// One of each mistake.
pub const ALL: [Wrong; 10] = [
    ("halves round to even", |input| {
        answer(input, &Quantizer { element: |x, s| (x / s).round_ties_even(), ..RIGHT })
    }),
    ("halves round up", |input| {
        answer(input, &Quantizer { element: |x, s| (x / s + 0.5).floor(), ..RIGHT })
    }),
    ("elements are truncated", |input| {
        answer(input, &Quantizer { element: |x, s| (x / s).trunc(), ..RIGHT })
    }),
    ("multiplied by the inverse of the scale", |input| {
        answer(input, &Quantizer { element: |x, s| (x * (1.0 / s)).round(), ..RIGHT })
    }),
    ("multiplied by 127 before the division", |input| {
        let element = |x: f64, s: f64| (x * 127.0 / (s * 127.0)).round();
        answer(input, &Quantizer { element, ..RIGHT })
    }),
    ("the scale is the greatest element, not the greatest absolute value", |input| {
        let greatest = |column: &[f64]| column.iter().copied().fold(0.0, f64::max);
        answer(input, &Quantizer { greatest, ..RIGHT })
    }),
    ("exponents go to 31", |input| answer(input, &Quantizer { greatest_exponent: 31, ..RIGHT })),
    ("the scale's numerator is truncated", |input| {
        answer(input, &Quantizer { numerator: f64::trunc, ..RIGHT })
    }),
    ("a column of zeros has the greatest exponent", |input| {
        answer(input, &Quantizer { zero_exponent: 30, ..RIGHT })
    }),
    ("dot products have 16 bits", |input| {
        answer(input, &Quantizer { dot: |sum| i64::from(sum as i16), ..RIGHT })
    }),
];

/// A quantizer by its parts.
struct Quantizer {
    element: fn(f64, f64) -> f64,
    greatest: fn(&[f64]) -> f64,
    greatest_exponent: i32,
    numerator: fn(f64) -> f64,
    zero_exponent: i32,
    dot: fn(i64) -> i64,
}

const RIGHT: Quantizer = Quantizer {
    element: |x, s| (x / s).round(),
    greatest: |column| column.iter().fold(0.0, |greatest: f64, x| greatest.max(x.abs())),
    greatest_exponent: 30,
    numerator: f64::round,
    zero_exponent: 0,
    dot: |sum| sum,
};

/// The answer without a mistake.
pub fn right(input: &str) -> String {
    answer(input, &RIGHT)
}

fn answer(input: &str, quantizer: &Quantizer) -> String {
    let mut tokens = Tokens::new(input.as_bytes());
    let [m, k, n] = [0; 3].map(|_| tokens.next(|_: &usize| true).unwrap());
    let integers = |tokens: &mut Tokens| -> Vec<i64> {
        (0..k + 2).map(|_| tokens.next(|_| true).unwrap()).collect()
    };
    let rows: Vec<Vec<i64>> = (0..m).map(|_| integers(&mut tokens)).collect();
    let mut columns = Vec::new();
    for _ in 0..n {
        let column: Vec<f64> = (0..k).map(|_| tokens.next(|_| true).unwrap()).collect();
        columns.push(quantize(&column, quantizer));
    }
    let element = |row: &[i64], (column, a, b): &(Vec<i64>, i64, i64)| {
        let dot = row.iter().zip(column).map(|(x, y)| x * y).sum();
        format!("{} {} {}", (quantizer.dot)(dot), row[k] * a, row[k + 1] + b)
    };
    let line = |row: &Vec<i64>| {
        columns.iter().map(|column| element(row, column)).collect::<Vec<_>>().join(" ") + "\n"
    };
    rows.iter().map(line).collect()
}

fn quantize(column: &[f64], quantizer: &Quantizer) -> (Vec<i64>, i64, i64) {
    let s = (quantizer.greatest)(column) / 127.0;
    let element = |&x: &f64| {
        let quotient = if x == 0.0 { 0.0 } else { (quantizer.element)(x, s) };
        quotient.clamp(-127.0, 127.0) as i64
    };
    let elements = column.iter().map(element).collect();
    if s == 0.0 && column.iter().all(|&x| x == 0.0) {
        return (elements, 0, i64::from(quantizer.zero_exponent));
    }
    let a = |b: i32| (quantizer.numerator)(s * 2f64.powi(b));
    let b = (0..=quantizer.greatest_exponent).rev().find(|&b| a(b) <= 127.0).unwrap_or(0);
    (elements, a(b).min(127.0) as i64, i64::from(b))
}
