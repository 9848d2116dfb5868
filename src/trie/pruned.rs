//! The upper part of a trie.

use super::{Locus, Trie};
use std::hash::Hash;

impl<L: Copy + Eq + Hash> Trie<L> {
    /// The trie of the root and the children of `inner` nodes, whose parents must be `inner` as well;
    /// and for each of its nodes the one in this trie. O(nodes kept + chains).
    pub fn pruned(&self, inner: impl Fn(u32) -> bool) -> (Trie<L>, Vec<u32>) {
        let mut upper = Trie::new();
        let mut origins = vec![Locus::ROOT.node];
        // Where the first node of each chain has gone, if it has been kept.
        let mut heads: Vec<Option<Locus>> = Vec::with_capacity(self.chains.len());
        for (chain, number) in self.chains.iter().zip(0..) {
            let (fork, first) = if number == 0 {
                (Some(Locus::ROOT), 1)
            } else {
                let parent = chain.parent as usize;
                let depth = self.fork(chain) - self.chains[parent].head;
                let fork = heads[parent].map(|head| Locus { node: head.node + depth, ..head });
                (fork.filter(|_| inner(self.fork(chain))), chain.head)
            };
            let Some(fork) = fork else {
                heads.push(None);
                continue;
            };
            let tail = self.tail(number);
            let mut last = first;
            while last < tail && inner(last) {
                last += 1;
            }
            let is_empty = first > tail || !inner(first - 1) && number == 0;
            let kept = if is_empty { first..first } else { first..last + 1 };
            let labels = &self.text[kept.start as usize - 1..kept.end as usize - 1];
            let end = upper.extend(fork, labels);
            heads.push(Some(Locus { node: end.node - (kept.end - 1 - chain.head), ..end }));
            origins.extend(kept);
        }
        (upper, origins)
    }
}
