//! Sequences that are looked up together.

use kv_contest::trie::{Locus, Trie};

/// Sequences of a batch.
const SEQUENCES: usize = 64;

/// A sequence with more tokens than this is not worth waiting for others.
const SHORT: usize = 32;

/// Short token sequences that wait for being looked up together.
///
/// Each leads to random places in memory, and waiting for them is what takes the time. In a batch the
/// loads of many are under way at once.
#[derive(Default)]
pub struct Batch {
    tokens: Vec<i64>,
    ends: Vec<usize>,
}

impl Batch {
    /// Adds a sequence if it is short; otherwise gives back what has been taken of it.
    pub fn push(&mut self, mut sequence: impl Iterator<Item = i64>) -> Result<(), Vec<i64>> {
        let start = self.tokens.len();
        self.tokens.extend(sequence.by_ref().take(SHORT));
        let next = if self.tokens.len() - start == SHORT { sequence.next() } else { None };
        if next.is_some() {
            return Err(self.tokens.drain(start..).chain(next).collect());
        }
        self.ends.push(self.tokens.len());
        Ok(())
    }

    /// Whether it is time to look the sequences up.
    pub fn is_full(&self) -> bool {
        self.ends.len() >= SEQUENCES
    }

    /// How far the trie goes with each of the sequences, and how each goes on from there.
    pub fn descents(&self, trie: &Trie<i64>) -> Vec<(Locus, &[i64])> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let ranges = starts.zip(&self.ends);
        let mut walks: Vec<_> =
            ranges.map(|(start, &end)| (Locus::ROOT, &self.tokens[start..end])).collect();
        trie.descend_all(&mut walks);
        walks
    }

    /// Forgets the sequences.
    pub fn clear(&mut self) {
        self.tokens.clear();
        self.ends.clear();
    }
}
