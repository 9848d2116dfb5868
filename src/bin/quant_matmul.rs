//! Matrix multiplication in 8-bit integers with integer scales. Blocked dot products; O(m·k·n).
//!
//! # Problem
//!
//! A is an m×k matrix of integers in `-127..=127`; each row has a scale a / 2^b. B is a k×n matrix
//! of real numbers, to be quantized column by column: the scale s of a column is its greatest
//! absolute value over 127, and an element x becomes x / s rounded to the nearest integer, halves
//! away from zero, clipped to `-127..=127`. The scale itself becomes a / 2^b too: b is the greatest
//! exponent in `0..=30` for which s·2^b still rounds to at most 127, and a is that rounded value.
//! A column of zeros has a = b = 0. Each element of A·B is reported by three integers: the dot
//! product of the quantized row and column, the product of both a, and the sum of both b.
//!
//! Input: `m k n`; then a line per row of A, k integers followed by a and b of its scale; then a
//! line per column of B, k numbers. Output: a line per row of the product, three integers an
//! element.
//!
//! # Method
//!
//! Expected outputs come from the formulas above in double precision, so they are evaluated here
//! just as they stand: a division by s, never a multiplication by its inverse, which rounds
//! differently at ties.
//!
//! The dot products take k·m·n steps, nearly all of the time. Quantized values are kept as 16-bit
//! integers: a vector instruction multiplies sixteen pairs of those and adds neighbours in 32 bits,
//! without overflow. Rows and columns are taken in tiles of [`TILE_ROWS`] by [`TILE_COLUMNS`], so
//! that each loaded value serves several products, and k in blocks that keep a tile in the
//! first-level cache and every partial sum within 32 bits. Whole dot products are summed in 64 bits.
//! The compiler vectorises the same portable code twice, for any processor and for those with AVX2;
//! which one runs is decided at the start.

use kv_contest::io::{self, In, Scanner, Writer};
use proconio::input;
use std::ops::Range;

/// The greatest absolute value of a quantized element, and of a scale's `a`.
const GREATEST: i16 = 127;
/// The greatest exponent of a scale's denominator 2^b.
const GREATEST_EXPONENT: u32 = 30;

/// Rows of A and columns of B that are multiplied together.
const TILE_ROWS: usize = 4;
const TILE_COLUMNS: usize = 2;
/// Rows of A that all columns are multiplied with before the next ones: a block of them stays in the
/// second-level cache.
const PANEL_ROWS: usize = 64;
/// Elements of a row that are multiplied before the next row: a tile takes 12 KiB, and a partial
/// sum stays below 1024·127² < 2^31.
const BLOCK: usize = 1024;

/// The integer form a / 2^b of a scale.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Scale {
    a: u32,
    b: u32,
}

/// Quantized rows of `k` elements each: the rows of A, or the columns of B.
struct Quantized {
    k: usize,
    elements: Vec<i16>,
    scales: Vec<Scale>,
}

fn read(scanner: &mut Scanner) -> (Quantized, Quantized) {
    input! {
        from &mut *scanner,
        m: with In(1..=usize::MAX),
        k: with In(1..=usize::MAX),
        n: with In(1..=usize::MAX),
    }
    let mut left = Quantized { k, elements: Vec::new(), scales: Vec::new() };
    for _ in 0..m {
        for _ in 0..k {
            left.elements.push(scanner.int(-GREATEST..=GREATEST));
        }
        let a = scanner.int(0..=GREATEST as u32);
        let b = scanner.int(0..=GREATEST_EXPONENT);
        left.scales.push(Scale { a, b });
    }
    let mut right = Quantized { k, elements: Vec::new(), scales: Vec::new() };
    let mut column = Vec::new();
    for _ in 0..n {
        column.clear();
        for _ in 0..k {
            column.push(scanner.float(f64::MIN..=f64::MAX));
        }
        let scale = quantize(&column, &mut right.elements);
        right.scales.push(scale);
    }
    (left, right)
}

/// Appends the quantized elements of a column and returns its scale.
fn quantize(column: &[f64], elements: &mut Vec<i16>) -> Scale {
    let greatest = column.iter().fold(0.0f64, |greatest, x| greatest.max(x.abs()));
    let s = greatest / f64::from(GREATEST);
    elements.extend(column.iter().map(|&x| quantized(x, s)));
    if greatest == 0.0 {
        return Scale { a: 0, b: 0 };
    }
    let scaled = |b: u32| round(s * f64::from(1u32 << b));
    let b = (0..=GREATEST_EXPONENT).rev().find(|&b| scaled(b) <= GREATEST).unwrap_or(0);
    Scale { a: scaled(b).min(GREATEST) as u32, b }
}

/// x / s, rounded and clipped. A scale that underflows to 0 leaves zeros and clips all else.
#[inline]
fn quantized(x: f64, s: f64) -> i16 {
    let quotient = if x == 0.0 { 0.0 } else { x / s };
    round(quotient).clamp(-GREATEST, GREATEST)
}

/// The nearest integer, halves away from zero; beyond ±1000 some integer beyond ±127.
///
/// Baseline x86-64 has no instruction for `f64::round`, which then is a call; truncation and an
/// exact look at what was cut off are not.
#[inline]
fn round(value: f64) -> i16 {
    let magnitude = value.abs().min(1000.0);
    let truncated = magnitude as i16;
    let rounded = truncated + i16::from(magnitude - f64::from(truncated) >= 0.5);
    if value < 0.0 {
        -rounded
    } else {
        rounded
    }
}

/// Dot products of every row of `left` with every row of `right`, row by row.
fn solve(left: &Quantized, right: &Quantized) -> Vec<i64> {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { multiply_avx2(left, right) };
    }
    multiply(left, right)
}

/// [`multiply`], compiled for processors with AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn multiply_avx2(left: &Quantized, right: &Quantized) -> Vec<i64> {
    multiply(left, right)
}

#[inline(always)]
fn multiply(left: &Quantized, right: &Quantized) -> Vec<i64> {
    let (k, columns) = (left.k, right.scales.len());
    let mut product = vec![0; left.scales.len() * columns];
    let panels = left.elements.chunks(k * PANEL_ROWS).zip(product.chunks_mut(columns * PANEL_ROWS));
    for (panel, product) in panels {
        for block in (0..k).step_by(BLOCK) {
            let block = block..k.min(block + BLOCK);
            for (tile_column, tile) in right.elements.chunks(k * TILE_COLUMNS).enumerate() {
                let tile = Rows { elements: tile, k, block: block.clone() };
                for (tile_row, rows) in panel.chunks(k * TILE_ROWS).enumerate() {
                    let rows = Rows { elements: rows, k, block: block.clone() };
                    let corner = tile_row * TILE_ROWS * columns + tile_column * TILE_COLUMNS;
                    multiply_tile(&rows, &tile, &mut product[corner..], columns);
                }
            }
        }
    }
    product
}

/// The part of some neighbouring rows that lies in one block of k.
struct Rows<'a> {
    elements: &'a [i16],
    k: usize,
    block: Range<usize>,
}

impl Rows<'_> {
    fn count(&self) -> usize {
        self.elements.len() / self.k
    }

    #[inline(always)]
    fn row(&self, index: usize) -> &[i16] {
        &self.elements[index * self.k..][self.block.clone()]
    }

    #[inline(always)]
    fn tile<const COUNT: usize>(&self) -> Option<[&[i16]; COUNT]> {
        (self.count() == COUNT).then(|| std::array::from_fn(|index| self.row(index)))
    }
}

/// Adds the dot products of one tile to a matrix with `width` columns. Tiles at the edges may be
/// smaller.
#[inline(always)]
fn multiply_tile(left: &Rows, right: &Rows, product: &mut [i64], width: usize) {
    if let (Some(rows), Some(columns)) = (left.tile::<TILE_ROWS>(), right.tile::<TILE_COLUMNS>()) {
        let sums = dot_products(rows, columns);
        for (row, sums) in sums.iter().enumerate() {
            for (column, &sum) in sums.iter().enumerate() {
                product[row * width + column] += i64::from(sum);
            }
        }
        return;
    }
    for row in 0..left.count() {
        for column in 0..right.count() {
            let [[sum]] = dot_products([left.row(row)], [right.row(column)]);
            product[row * width + column] += i64::from(sum);
        }
    }
}

/// All dot products of some rows with some columns of one length, at most [`BLOCK`].
#[inline(always)]
fn dot_products<const R: usize, const C: usize>(
    rows: [&[i16]; R],
    columns: [&[i16]; C],
) -> [[i32; C]; R] {
    let length = rows[0].len();
    let (rows, columns) = (rows.map(|row| &row[..length]), columns.map(|column| &column[..length]));
    let mut sums = [[0; C]; R];
    for index in 0..length {
        for (sums, row) in sums.iter_mut().zip(rows) {
            for (sum, column) in sums.iter_mut().zip(columns) {
                *sum += i32::from(row[index]) * i32::from(column[index]);
            }
        }
    }
    sums
}

fn write(left: &Quantized, right: &Quantized, product: &[i64], writer: &mut Writer) {
    for (row, row_scale) in product.chunks_exact(right.scales.len()).zip(&left.scales) {
        for (index, (&dot, column_scale)) in row.iter().zip(&right.scales).enumerate() {
            if index > 0 {
                writer.byte(b' ');
            }
            writer.int(dot).byte(b' ');
            writer.int(row_scale.a * column_scale.a).byte(b' ');
            writer.int(row_scale.b + column_scale.b);
        }
        writer.byte(b'\n');
    }
}

fn main() {
    io::run("quant_matmul", |scanner, writer| {
        let (left, right) = read(scanner);
        let product = solve(&left, &right);
        write(&left, &right, &product, writer);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    fn scale_of(greatest: f64) -> (u32, u32) {
        let Scale { a, b } = quantize(&[greatest], &mut Vec::new());
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
        assert_eq!(
            [0.499_999_999_999_999_94, -0.0, 1e300, f64::INFINITY].map(round),
            [0, 0, 1000, 1000]
        );
    }

    #[test]
    fn elements_under_a_scale_of_zero_are_clipped() {
        let mut elements = Vec::new();
        quantize(&[5e-324, -5e-324, 0.0], &mut elements);
        assert_eq!(elements, [127, -127, 0]);
    }

    fn random(rows: usize, k: usize, random: &mut StdRng) -> Quantized {
        let elements = (0..rows * k).map(|_| random.random_range(-GREATEST..=GREATEST)).collect();
        Quantized { k, elements, scales: vec![Scale { a: 1, b: 0 }; rows] }
    }

    fn naive(left: &Quantized, right: &Quantized) -> Vec<i64> {
        let dot = |x: &[i16], y: &[i16]| {
            x.iter().zip(y).map(|(&x, &y)| i64::from(x) * i64::from(y)).sum()
        };
        let (rows, columns) = (left.elements.chunks(left.k), right.elements.chunks(left.k));
        rows.flat_map(|row| columns.clone().map(move |column| dot(row, column))).collect()
    }

    #[test]
    fn every_kernel_agrees_with_plain_dot_products_on_every_edge() {
        let mut source = StdRng::seed_from_u64(5);
        for (m, k, n) in [
            (1, 1, 1),
            (4, 16, 2),
            (5, 17, 3),
            (67, 33, 7),
            (9, BLOCK - 1, 5),
            (65, BLOCK + 1, 2),
            (3, 3 * BLOCK, 3),
        ] {
            let (left, right) = (random(m, k, &mut source), random(n, k, &mut source));
            let expected = naive(&left, &right);
            assert_eq!(multiply(&left, &right), expected, "portable, {m}×{k}×{n}");
            assert_eq!(solve(&left, &right), expected, "dispatched, {m}×{k}×{n}");
        }
    }

    #[test]
    fn a_dot_product_beyond_32_bits_is_exact() {
        let k = 140_000;
        let row =
            |value| Quantized { k, elements: vec![value; k], scales: vec![Scale { a: 1, b: 0 }] };
        assert_eq!(solve(&row(GREATEST), &row(-GREATEST)), [-(k as i64) * 127 * 127]);
        assert_eq!(multiply(&row(GREATEST), &row(GREATEST)), [(k as i64) * 127 * 127]);
    }
}
