//! A trie reduced to the nodes that matter.

use super::{Bitmap, Locus, Trie};

/// A [`Trie`] reduced to its *knots*: the root, some chosen nodes and every node where chains
/// branch off, each linked to the next knot above.
///
/// Knots are numbered from 0, the root, in the order of their nodes: a parent is smaller than its
/// children. There are fewer of them than chosen nodes and chains together.
pub struct Skeleton {
    pub(super) marks: Bitmap,
    /// For each word of `marks`, how many knots lie before it.
    rank: Vec<u32>,
    parent: Vec<u32>,
    depth: Vec<u32>,
}

impl Skeleton {
    /// The skeleton of `trie` with `nodes` as knots.
    ///
    /// O(knots + len / 64), where len is the trie's length.
    ///
    /// # Panics
    /// If one of the nodes is not in the trie.
    pub fn new<L>(trie: &Trie<L>, nodes: impl IntoIterator<Item = u32>) -> Self {
        let mut marks = trie.branching.clone();
        marks.words.resize(trie.len() / 64 + 1, 0);
        marks.insert(Locus::ROOT.node);
        for node in nodes {
            assert!(node as usize <= trie.len(), "node {node} of {}", trie.len());
            marks.insert(node);
        }

        let mut knots = 0;
        let count = |word: &u64| {
            let before = knots;
            knots += word.count_ones();
            before
        };
        let rank = marks.words.iter().map(count).collect();

        let mut skeleton = Skeleton {
            marks,
            rank,
            parent: Vec::with_capacity(knots as usize),
            depth: Vec::with_capacity(knots as usize),
        };
        skeleton.link(trie);
        skeleton
    }

    /// Fills in parents and depths.
    fn link<L>(&mut self, trie: &Trie<L>) {
        let mut chains = trie.chains.iter().peekable();
        let mut shift = 0;
        let mut above = 0;
        for (place, &word) in self.marks.words.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let node = place as u32 * 64 + rest.trailing_zeros();
                rest &= rest - 1;
                while let Some(chain) = chains.next_if(|chain| chain.head <= node) {
                    shift = chain.shift;
                    // The node that a chain hangs on is marked: it branches.
                    above = match chain.head {
                        0 => 0,
                        _ => self.knot(trie.fork(chain)),
                    };
                }
                let knot = self.parent.len() as u32;
                self.parent.push(above);
                self.depth.push(node - shift);
                above = knot;
            }
        }
    }

    /// The number of knots, at least one. O(1).
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// The knot that `node` is, or else the next knot below it on its chain. O(1).
    ///
    /// Every chain must end in a knot, as it does if all ends of inserted sequences were chosen.
    pub fn knot(&self, node: u32) -> u32 {
        let place = node as usize / 64;
        let before = self.marks.words[place] & ((1 << (node % 64)) - 1);
        self.rank[place] + before.count_ones()
    }

    /// The next knot above `knot`; the root is its own. O(1).
    pub fn parent(&self, knot: u32) -> u32 {
        self.parent[knot as usize]
    }

    /// The number of labels between the root and `knot`. O(1).
    pub fn depth(&self, knot: u32) -> u32 {
        self.depth[knot as usize]
    }
}
