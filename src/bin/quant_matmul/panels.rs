//! Matrices in the order in which the kernel reads them.

use std::ops::Range;

/// How the elements of a row are packed in words of 32 bits.
#[allow(dead_code)] // not every architecture has a kernel for bytes
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Two to a word, of 16 bits each.
    Pairs,
    /// Four to a word, of 8 bits each.
    Quads,
    /// As `Quads`, but 128 is added to each element.
    UnsignedQuads,
}

/// The lowest byte of a word is the first element.
fn quad(elements: [i8; 4]) -> u32 {
    u32::from_le_bytes(elements.map(|element| element as u8))
}

/// The lower half of a word is the first element.
fn pair([first, second]: [i8; 2]) -> u32 {
    u32::from(i16::from(first) as u16) | u32::from(i16::from(second) as u16) << 16
}

/// Words of a row that are multiplied before the next row's: a panel's block of them stays in the
/// first-level cache, and a sum of as many products stays below 2^31.
pub const BLOCK: usize = 256;

/// Rows of one length, packed and interleaved: a panel holds `width` of them, first the first words of
/// all, then the second words, and so on. Elements missing in the last word of a row are packed as 0;
/// rows missing in the last panel are words of 0.
pub struct Panels {
    width: usize,
    packing: Packing,
    panels: Vec<Vec<u32>>,
    sums: Vec<i64>,
}

impl Panels {
    /// No rows yet, `width` to a panel.
    pub fn new(width: usize, packing: Packing) -> Self {
        Panels { width, packing, panels: Vec::new(), sums: Vec::new() }
    }

    /// Appends a row; all rows have the same length. O(length), and O(length · width) for the first
    /// row of a panel.
    pub fn push(&mut self, row: &[i8]) {
        match self.packing {
            Packing::Pairs => self.push_packed(row, pair),
            Packing::Quads => self.push_packed(row, quad),
            Packing::UnsignedQuads => self.push_packed(row, |word| quad(word) ^ 0x8080_8080),
        }
        self.sums.push(row.iter().map(|&element| i64::from(element)).sum());
    }

    fn push_packed<const N: usize>(&mut self, row: &[i8], pack: impl Fn([i8; N]) -> u32) {
        let slot = self.sums.len() % self.width;
        if slot == 0 {
            self.panels.push(vec![0; row.len().div_ceil(N) * self.width]);
        }
        let panel = self.panels.last_mut().expect("a panel has room");
        let mut places = panel[slot..].iter_mut().step_by(self.width);
        let words = row.chunks_exact(N);
        let mut last = [0; N];
        let rest = words.remainder();
        last[..rest.len()].copy_from_slice(rest);
        let words = words.map(|word| word.try_into().expect("a whole word"));
        for (word, place) in words.zip(places.by_ref()) {
            *place = pack(word);
        }
        if let Some(place) = places.next() {
            *place = pack(last);
        }
    }

    /// What is added to each element.
    pub fn offset(&self) -> i64 {
        match self.packing {
            Packing::UnsignedQuads => 128,
            Packing::Pairs | Packing::Quads => 0,
        }
    }

    /// The sum of the elements of each row, nothing added to them.
    pub fn sums(&self) -> &[i64] {
        &self.sums
    }

    /// The number of rows in a panel.
    pub fn width(&self) -> usize {
        self.width
    }

    /// All panels, each with `width` words for every word of a row.
    pub fn panels(&self) -> &[Vec<u32>] {
        &self.panels
    }

    /// The words of a row in blocks of [`BLOCK`].
    pub fn blocks(&self) -> impl Iterator<Item = Range<usize>> {
        let words = self.panels.first().map_or(0, |panel| panel.len() / self.width);
        (0..words).step_by(BLOCK).map(move |start| start..words.min(start + BLOCK))
    }
}
