//! Matrices in the order in which the kernel reads them.

use std::ops::Range;

/// Two neighbouring elements of a row; the second is 0 behind the end of an odd one.
pub type Pair = [i16; 2];

/// Elements of a row that are multiplied before the next row's: a panel's block of them stays in the
/// first-level cache, and a sum of as many products stays below 2^31.
pub const BLOCK: usize = 512;

/// Rows of one length, interleaved: a panel holds `width` of them, first the first pairs of all,
/// then the second pairs, and so on. Missing rows of the last panel are zeros.
pub struct Panels {
    width: usize,
    panels: Vec<Vec<Pair>>,
    rows: usize,
}

impl Panels {
    /// No rows yet, `width` to a panel.
    pub fn new(width: usize) -> Self {
        Panels { width, panels: Vec::new(), rows: 0 }
    }

    /// Appends a row; all rows have the same length. O(length), and O(length · width) for the first
    /// row of a panel.
    pub fn push(&mut self, row: &[i16]) {
        let slot = self.rows % self.width;
        self.rows += 1;
        if slot == 0 {
            self.panels.push(vec![[0; 2]; row.len().div_ceil(2) * self.width]);
        }
        let panel = self.panels.last_mut().expect("a panel has room");
        let pairs = row.chunks_exact(2);
        let last = pairs.remainder().first().map(|&last| [last, 0]);
        let pairs = pairs.map(|pair| [pair[0], pair[1]]).chain(last);
        for (place, pair) in panel[slot..].iter_mut().step_by(self.width).zip(pairs) {
            *place = pair;
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// The number of rows in a panel.
    pub fn width(&self) -> usize {
        self.width
    }

    /// All panels, each with `width` pairs for every two elements of a row.
    pub fn panels(&self) -> &[Vec<Pair>] {
        &self.panels
    }

    /// The pairs of a row in blocks of [`BLOCK`] elements.
    pub fn blocks(&self) -> impl Iterator<Item = Range<usize>> {
        let pairs = self.panels.first().map_or(0, |panel| panel.len() / self.width);
        (0..pairs).step_by(BLOCK / 2).map(move |start| start..pairs.min(start + BLOCK / 2))
    }
}
