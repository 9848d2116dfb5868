//! The initial caches on their way into the trie.

use crate::batch::Batch;
use kv_contest::trie::{Locus, Trie};

/// Tokens of a long sequence that are inserted at a time.
const PART: usize = 256;

/// The sequences in the caches of all nodes, in one trie.
#[derive(Default)]
pub struct Caches {
    pub trie: Trie<i64>,
    /// A node and the end of a sequence in its cache, by ascending nodes.
    pub ends: Vec<(u32, Locus)>,
    /// Sequences that are not in the trie yet, and who caches them.
    batch: Batch,
    owners: Vec<u32>,
}

impl Caches {
    /// Adds a sequence to the cache of a node, which is not less than the last one.
    pub fn push(&mut self, node: u32, mut sequence: impl Iterator<Item = i64>) {
        match self.batch.push(sequence.by_ref()) {
            Ok(()) => {
                self.owners.push(node);
                if self.batch.is_full() {
                    self.settle();
                }
            }
            Err(mut part) => {
                self.settle();
                let mut end = Locus::ROOT;
                while !part.is_empty() {
                    end = self.trie.insert(end, &part);
                    part.clear();
                    part.extend(sequence.by_ref().take(PART));
                }
                self.ends.push((node, end));
            }
        }
    }

    /// Inserts the sequences that wait.
    pub fn settle(&mut self) {
        for ((at, rest), &node) in self.batch.descents(&self.trie).into_iter().zip(&self.owners) {
            self.ends.push((node, self.trie.insert(at, rest)));
        }
        self.batch.clear();
        self.owners.clear();
    }
}
