//! Dot products of a few rows with a few columns.
//!
//! A kernel keeps the sums of a whole tile in registers. For each word of elements it loads those of
//! all columns, which lie side by side, and multiplies them with those of one row after the other:
//! so each loaded value serves several products, and no sum is ever spread over a register.

use crate::panels::Packing;

/// Rows of A in a tile.
pub const TILE_ROWS: usize = 6;
/// Columns of B in a tile, at most.
const TILE_COLUMNS: usize = 2 * LANES;
/// Sums in one vector register of AVX2.
const LANES: usize = 8;

/// The dot products of a tile; those of columns that it does not have are 0.
type Sums = [[i32; TILE_COLUMNS]; TILE_ROWS];

/// A way to compute dot products and to quantize. All give the same integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// For any processor.
    Portable,
    /// For processors with AVX2; made by [`Kernel::available`] on these only.
    #[cfg(target_arch = "x86_64")]
    Avx2(Evidence),
    /// For processors with AVX2 and the dot products of AVX-512 VNNI; made by [`Kernel::available`] on
    /// these only.
    #[cfg(target_arch = "x86_64")]
    Vnni(Evidence),
}

/// Evidence that the processor has what the kernel needs.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evidence(());

impl Kernel {
    /// The kernels that this processor can run, the fastest last.
    pub fn available() -> Vec<Kernel> {
        let mut kernels = vec![Kernel::Portable];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            kernels.push(Kernel::Avx2(Evidence(())));
            if is_x86_feature_detected!("avx512vnni") && is_x86_feature_detected!("avx512vl") {
                kernels.push(Kernel::Vnni(Evidence(())));
            }
        }
        kernels
    }

    /// The fastest kernel that this processor can run.
    pub fn fastest() -> Kernel {
        *Kernel::available().last().expect("one kernel is portable")
    }

    /// How the elements of rows and of columns are packed.
    pub fn packings(self) -> [Packing; 2] {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Vnni(_) => [Packing::Quads, Packing::UnsignedQuads],
            _ => [Packing::Pairs; 2],
        }
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
    pub fn dot_products(self, rows: &[u32], columns: &[u32]) -> Sums {
        let wide = rows.len() / TILE_ROWS * TILE_COLUMNS == columns.len();
        match (self, wide) {
            (Kernel::Portable, true) => portable::<2>(rows, columns),
            (Kernel::Portable, false) => portable::<1>(rows, columns),
            // SAFETY: the evidence is made only where AVX2 was found, and VNNI if need be.
            #[cfg(target_arch = "x86_64")]
            (Kernel::Avx2(_), true) => unsafe { avx2::<2, false>(rows, columns) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            (Kernel::Avx2(_), false) => unsafe { avx2::<1, false>(rows, columns) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            (Kernel::Vnni(_), true) => unsafe { avx2::<2, true>(rows, columns) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            (Kernel::Vnni(_), false) => unsafe { avx2::<1, true>(rows, columns) },
        }
    }
}

fn portable<const VECTORS: usize>(rows: &[u32], columns: &[u32]) -> Sums {
    let mut sums = Sums::default();
    let steps = rows.chunks_exact(TILE_ROWS).zip(columns.chunks_exact(VECTORS * LANES));
    let pair = |word: u32| [i32::from(word as i16), i32::from((word >> 16) as i16)];
    for (row_words, column_words) in steps {
        for (sums, &word) in sums.iter_mut().zip(row_words) {
            let [x, y] = pair(word);
            for (sum, &word) in sums[..VECTORS * LANES].iter_mut().zip(column_words) {
                let [u, v] = pair(word);
                *sum += x * u + y * v;
            }
        }
    }
    sums
}

/// [`portable`], with `vpmaddwd` for eight pairs of products at a time; or with
/// `vpdpbusd` for eight quadruples.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn avx2<const VECTORS: usize, const VNNI: bool>(rows: &[u32], columns: &[u32]) -> Sums {
    use std::arch::{asm, x86_64::*};
    let mut sums = Sums::default();
    // SAFETY: AVX2, and VNNI where it is used, are the caller's promise; all loads and stores are
    // unaligned and lie within `LANES` words of a chunk or within `LANES` sums of a row.
    unsafe {
        let mut accumulators = [[_mm256_setzero_si256(); VECTORS]; TILE_ROWS];
        let steps = rows.chunks_exact(TILE_ROWS).zip(columns.chunks_exact(VECTORS * LANES));
        for (row_words, column_words) in steps {
            let mut loaded = [_mm256_setzero_si256(); VECTORS];
            for (vector, words) in loaded.iter_mut().zip(column_words.chunks_exact(LANES)) {
                *vector = _mm256_loadu_si256(words.as_ptr().cast());
            }
            for (accumulators, &word) in accumulators.iter_mut().zip(row_words) {
                let word = _mm256_set1_epi32(word as i32);
                for (accumulator, &vector) in accumulators.iter_mut().zip(&loaded) {
                    if VNNI {
                        // Its intrinsic is newer than the oldest compiler that has to take this.
                        asm!(
                            "vpdpbusd {}, {}, {}",
                            inout(ymm_reg) *accumulator,
                            in(ymm_reg) vector,
                            in(ymm_reg) word,
                            options(pure, nomem, nostack, preserves_flags),
                        );
                    } else {
                        let products = _mm256_madd_epi16(word, vector);
                        *accumulator = _mm256_add_epi32(*accumulator, products);
                    }
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
