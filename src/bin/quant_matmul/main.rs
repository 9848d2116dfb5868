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
//! element. Sizes are limited by memory alone.
//!
//! # Method
//!
//! Expected outputs come from the formulas above in double precision, so they are evaluated here
//! just as they stand: a division by s, never a multiplication by its inverse, which rounds
//! differently at ties.
//!
//! The dot products take k·m·n steps, most of the time if there are many ([`kernel`]). The quantized
//! elements that one vector instruction multiplies and adds up share a word of 32 bits: two, or four
//! where the processor can take that many. Rows of A and columns of B are packed in *panels* that hold
//! a few of them interleaved ([`panels`]), in the order in which the kernel reads them.
//!
//! Example: the row `5 -3` with the scale 2 / 2^3 times the column `1.0 -2.0`. The column's scale is
//! s = 2/127, so its elements become 63.5, rounded to 64, and -127. As integers, s·2^12 rounds to
//! 65 and s·2^13 to 129, which is too much: a = 65, b = 12. The dot product is 5·64 + 3·127 = 701,
//! its scale 2·65 / 2^(3+12): `701 130 15`.

mod kernel;
mod panels;
mod quantize;

use kernel::{Kernel, TILE_ROWS};
use kv_contest::io::{self, In, Piece, Scanner, Writer};
use panels::Panels;
use proconio::input;
use quantize::{quantize, Scale, GREATEST, GREATEST_EXPONENT};
use std::iter::repeat_n;

/// Panels of A, at most, that all of B is multiplied with before the next ones, and before they are
/// written: several for what is loaded of B to serve them all, few for their product to stay in the
/// second-level cache.
const STRIP: usize = 8;
/// Elements of the product of a strip, at most, unless it is a single panel.
const STRIP_PRODUCT: usize = 1 << 17;

/// The rows of A, or the columns of B.
struct Quantized {
    elements: Panels,
    scales: Vec<Scale>,
}

fn read(scanner: &mut Scanner, kernel: Kernel) -> (Quantized, Quantized) {
    input! {
        from &mut *scanner,
        m: with In(1..=usize::MAX),
        k: with In(1..=usize::MAX),
        n: with In(1..=usize::MAX),
    }
    let [row_packing, column_packing] = kernel.packings();
    let mut left = Quantized { elements: Panels::new(TILE_ROWS, row_packing), scales: Vec::new() };
    let mut row = Vec::new();
    for _ in 0..m {
        row.clear();
        scanner.take_ints(k, -GREATEST..=GREATEST, |element| row.push(element));
        left.elements.push(&row);
        let a = scanner.int(0..=GREATEST as u32);
        let b = scanner.int(0..=GREATEST_EXPONENT);
        left.scales.push(Scale { a, b });
    }
    let width = Kernel::columns_for(n);
    let mut right = Quantized { elements: Panels::new(width, column_packing), scales: Vec::new() };
    let mut column = Vec::new();
    for _ in 0..n {
        column.clear();
        scanner.take_floats(k, f64::MIN..=f64::MAX, |element| column.push(element));
        right.scales.push(quantize(&column, &mut row, kernel));
        right.elements.push(&row);
    }
    (left, right)
}

/// Multiplies and hands each row of the product, as plain dot products, to `write_row`.
fn solve(left: &Panels, right: &Panels, kernel: Kernel, mut write_row: impl FnMut(&[i64])) {
    let row_length = right.panels().len() * right.width();
    let strip_panels = (STRIP_PRODUCT / (row_length * left.width())).clamp(1, STRIP);
    let offset = right.offset();
    let mut strip_product = Vec::new();
    for (index, strip) in left.panels().chunks(strip_panels).enumerate() {
        strip_product.clear();
        let sums = &left.sums()[index * strip_panels * left.width()..];
        for &sum in sums.iter().take(strip.len() * left.width()) {
            // What the offset of columns will add to each sum of the row.
            strip_product.extend(repeat_n(-offset * sum, row_length));
        }
        strip_product.resize(strip.len() * left.width() * row_length, 0);
        for (right_index, right_panel) in right.panels().iter().enumerate() {
            for block in left.blocks() {
                let columns = &right_panel[block.start * right.width()..block.end * right.width()];
                for (left_index, left_panel) in strip.iter().enumerate() {
                    let rows = &left_panel[block.start * left.width()..block.end * left.width()];
                    let corner =
                        left_index * left.width() * row_length + right_index * right.width();
                    let sums = kernel.dot_products(rows, columns);
                    for (row, sums) in sums.iter().enumerate() {
                        let product = &mut strip_product[corner + row * row_length..];
                        let product = product[..right.width()].iter_mut();
                        product.zip(sums).for_each(|(product, &sum)| *product += i64::from(sum));
                    }
                }
            }
        }
        let rows = strip_product.chunks_exact(row_length).take(sums.len());
        rows.for_each(|row| write_row(&row[..right.sums().len()]));
    }
}

/// Multiplies and writes the product with its scales.
fn write(left: &Quantized, right: &Quantized, kernel: Kernel, writer: &mut Writer) {
    // All that the parts of a scale can be, as text between blanks.
    let greatest = GREATEST as u32;
    let products: Vec<Piece> = (0..=greatest * greatest)
        .map(|a| Piece::default().with_byte(b' ').with_int(a).with_byte(b' '))
        .collect();
    let exponents: Vec<Piece> =
        (0..=2 * GREATEST_EXPONENT).map(|b| Piece::default().with_int(b).with_byte(b' ')).collect();
    let mut row_scales = left.scales.iter();
    solve(&left.elements, &right.elements, kernel, |row| {
        let row_scale = row_scales.next().expect("each row has a scale");
        write_row(row, *row_scale, &right.scales, &products, &exponents, writer);
    });
}

/// Writes a row of the product. Apart from the rest of the program, it has registers for all it needs.
#[inline(never)]
fn write_row(
    row: &[i64],
    Scale { a, b }: Scale,
    scales: &[Scale],
    products: &[Piece],
    exponents: &[Piece],
    writer: &mut Writer,
) {
    for (&dot, scale) in row.iter().zip(scales) {
        let (product, exponent) = (a * scale.a, b + scale.b);
        writer.int_and_pieces(dot, [products[product as usize], exponents[exponent as usize]]);
    }
    writer.replace_last(b'\n');
}

fn answer(scanner: &mut Scanner, writer: &mut Writer) {
    let kernel = Kernel::fastest();
    let (left, right) = read(scanner, kernel);
    write(&left, &right, kernel, writer);
}

fn main() {
    io::run("quant_matmul", answer);
}

#[cfg(test)]
mod tests {
    use super::*;
    use panels::Packing;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    type Rows = Vec<Vec<i8>>;

    fn random(rows: usize, k: usize, random: &mut StdRng) -> Rows {
        let mut row = || (0..k).map(|_| random.random_range(-GREATEST..=GREATEST)).collect();
        (0..rows).map(|_| row()).collect()
    }

    fn panels(rows: &Rows, width: usize, packing: Packing) -> Panels {
        let mut panels = Panels::new(width, packing);
        rows.iter().for_each(|row| panels.push(row));
        panels
    }

    fn product(left: &Rows, right: &Rows, kernel: Kernel) -> Vec<Vec<i64>> {
        let mut product = Vec::new();
        let [row_packing, column_packing] = kernel.packings();
        let left = panels(left, TILE_ROWS, row_packing);
        let right = panels(right, Kernel::columns_for(right.len()), column_packing);
        solve(&left, &right, kernel, |row| product.push(row.to_vec()));
        product
    }

    fn naive(left: &Rows, right: &Rows) -> Vec<Vec<i64>> {
        let dot =
            |x: &[i8], y: &[i8]| x.iter().zip(y).map(|(&x, &y)| i64::from(x) * i64::from(y)).sum();
        left.iter().map(|row| right.iter().map(|column| dot(row, column)).collect()).collect()
    }

    #[test]
    fn every_kernel_agrees_with_plain_dot_products_on_every_edge() {
        let mut source = StdRng::seed_from_u64(5);
        let sizes = [
            (1, 1, 1),
            (4, 16, 8),
            (5, 17, 9),
            (67, 33, 17),
            (9, 2 * panels::BLOCK - 1, 16),
            (65, 2 * panels::BLOCK + 1, 31),
            (7, 4 * panels::BLOCK - 3, 16),
            (6, 4 * panels::BLOCK + 2, 8),
            (TILE_ROWS * STRIP + 1, 3, 33),
            (3, 10 * panels::BLOCK + 3, 3),
            // Strips of fewer panels, and of one.
            (20, 2, STRIP_PRODUCT / (4 * TILE_ROWS)),
            (20, 2, STRIP_PRODUCT / TILE_ROWS + 1),
        ];
        for (m, k, n) in sizes {
            let (left, right) = (random(m, k, &mut source), random(n, k, &mut source));
            let expected = naive(&left, &right);
            for kernel in Kernel::available() {
                assert_eq!(product(&left, &right, kernel), expected, "{kernel:?}, {m}×{k}×{n}");
            }
        }
    }

    #[test]
    fn a_dot_product_beyond_32_bits_is_exact() {
        let k = 140_000;
        let row = |value| vec![vec![value; k]];
        for kernel in Kernel::available() {
            let sum = k as i64 * 127 * 127;
            assert_eq!(product(&row(GREATEST), &row(-GREATEST), kernel), [[-sum]]);
            assert_eq!(product(&row(-GREATEST), &row(-GREATEST), kernel), [[sum]]);
        }
    }

    #[test]
    fn changed_samples_are_answered_or_refused_as_they_should_be() {
        let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/samples");
        tools::fuzz::check("quant_matmul", samples.as_ref(), 5000, |input| {
            io::outcome(input, answer)
        });
    }
}
