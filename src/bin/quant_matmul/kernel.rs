//! Dot products of a few rows with a few columns.
//!
//! A kernel keeps the sums of a whole tile in registers. For each pair of elements it loads those of
//! all columns, which lie side by side, and multiplies them with those of one row after the other:
//! so each loaded value serves several products, and no sum is ever spread over a register.

use crate::panels::Pair;

/// Rows of A in a tile.
pub const TILE_ROWS: usize = 4;
/// Columns of B in a tile, at most.
const TILE_COLUMNS: usize = 2 * LANES;
/// Sums in one vector register of AVX2.
const LANES: usize = 8;

/// The dot products of a tile; those of columns that it does not have are 0.
type Sums = [[i32; TILE_COLUMNS]; TILE_ROWS];

/// A way to compute dot products. All give the same integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// For any processor.
    Portable,
    /// For processors with AVX2; made by [`Kernel::available`] on these only.
    #[cfg(target_arch = "x86_64")]
    Avx2(HasAvx2),
}

/// Evidence that the processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HasAvx2(());

impl Kernel {
    /// The kernels that this processor can run, the fastest last.
    pub fn available() -> Vec<Kernel> {
        let mut kernels = vec![Kernel::Portable];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            kernels.push(Kernel::Avx2(HasAvx2(())));
        }
        kernels
    }

    /// The fastest kernel that this processor can run.
    pub fn fastest() -> Kernel {
        *Kernel::available().last().expect("one kernel is portable")
    }

    /// How many columns a panel should hold if there are `columns` of them in all.
    pub fn columns_for(columns: usize) -> usize {
        if columns <= LANES {
            LANES
        } else {
            TILE_COLUMNS
        }
    }

    /// The dot products of the rows in a block of a panel of [`TILE_ROWS`] with the columns in a
    /// block of a panel of 8 or 16. Sums must fit 32 bits.
    #[inline]
    pub fn dot_products(self, rows: &[Pair], columns: &[Pair]) -> Sums {
        let wide = columns.len() / rows.len() * TILE_ROWS == TILE_COLUMNS;
        match (self, wide) {
            (Kernel::Portable, true) => portable::<2>(rows, columns),
            (Kernel::Portable, false) => portable::<1>(rows, columns),
            // SAFETY: the evidence in `Avx2` is made only where AVX2 was found.
            #[cfg(target_arch = "x86_64")]
            (Kernel::Avx2(_), true) => unsafe { avx2::<2>(rows, columns) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            (Kernel::Avx2(_), false) => unsafe { avx2::<1>(rows, columns) },
        }
    }
}

fn portable<const VECTORS: usize>(rows: &[Pair], columns: &[Pair]) -> Sums {
    let mut sums = Sums::default();
    let steps = rows.chunks_exact(TILE_ROWS).zip(columns.chunks_exact(VECTORS * LANES));
    for (row_pairs, column_pairs) in steps {
        for (sums, &[x, y]) in sums.iter_mut().zip(row_pairs) {
            for (sum, &[u, v]) in sums[..VECTORS * LANES].iter_mut().zip(column_pairs) {
                *sum += i32::from(x) * i32::from(u) + i32::from(y) * i32::from(v);
            }
        }
    }
    sums
}

/// [`portable`], with `vpmaddwd` for eight pairs of products at a time: 30 times as fast.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn avx2<const VECTORS: usize>(rows: &[Pair], columns: &[Pair]) -> Sums {
    use std::arch::x86_64::*;
    let mut sums = Sums::default();
    // SAFETY: AVX2 is the caller's promise; all loads and stores are unaligned and lie within
    // `LANES` pairs of a chunk or within `LANES` sums of a row.
    unsafe {
        let mut accumulators = [[_mm256_setzero_si256(); VECTORS]; TILE_ROWS];
        let steps = rows.chunks_exact(TILE_ROWS).zip(columns.chunks_exact(VECTORS * LANES));
        for (row_pairs, column_pairs) in steps {
            let mut loaded = [_mm256_setzero_si256(); VECTORS];
            for (vector, pairs) in loaded.iter_mut().zip(column_pairs.chunks_exact(LANES)) {
                *vector = _mm256_loadu_si256(pairs.as_ptr().cast());
            }
            for (accumulators, &[x, y]) in accumulators.iter_mut().zip(row_pairs) {
                let pair = _mm256_set1_epi32(i32::from(x) & 0xffff | i32::from(y) << 16);
                for (accumulator, &vector) in accumulators.iter_mut().zip(&loaded) {
                    let products = _mm256_madd_epi16(pair, vector);
                    *accumulator = _mm256_add_epi32(*accumulator, products);
                }
            }
        }
        for (sums, accumulators) in sums.iter_mut().zip(&accumulators) {
            for (sums, &accumulator) in sums.chunks_exact_mut(LANES).zip(accumulators) {
                _mm256_storeu_si256(sums.as_mut_ptr().cast(), accumulator);
            }
        }
    }
    sums
}
