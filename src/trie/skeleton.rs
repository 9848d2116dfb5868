//! A trie reduced to the nodes that matter.

use super::{Bitmap, Locus, Trie};

/// A [`Trie`] reduced to its *knots*: the root, some chosen nodes and every node where chains
/// branch off, each linked to the next knot above.
///
/// Knots are numbered from 0, the root, in the order of their nodes: a parent is smaller than its
/// children. There are at most as many of them as chosen nodes and chains together, and one.
/// Memory: 1.5 bits for each node of the trie.
pub struct Skeleton {
    marks: Bitmap,
    /// For each word of `marks`, how many knots lie before it.
    rank: Vec<u32>,
    len: usize,
}

/// How a knot hangs in its [`Skeleton`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The next knot above; the root's is the root.
    pub parent: u32,
    /// The number of labels between the root and the knot.
    pub depth: u32,
}

impl Skeleton {
    /// The skeleton of `trie` with `nodes` as knots.
    ///
    /// O(nodes + len / 64), where len is the trie's length.
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

        let mut len = 0;
        let count = |word: &u64| {
            let before = len as u32;
            len += word.count_ones() as usize;
            before
        };
        let rank = marks.words.iter().map(count).collect();
        Skeleton { marks, rank, len }
    }

    /// The number of knots, at least one. O(1).
    #[allow(clippy::len_without_is_empty)] // it is never empty
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether `node` is a knot. O(1).
    pub fn contains(&self, node: u32) -> bool {
        self.marks.contains(node)
    }

    /// The knot that `node` is, or else the next knot below it on its chain. O(1).
    ///
    /// Every chain must end in a knot, as it does if all ends of inserted sequences were chosen.
    pub fn knot(&self, node: u32) -> u32 {
        let place = node as usize / 64;
        let before = self.marks.words[place] & ((1 << (node % 64)) - 1);
        self.rank[place] + before.count_ones()
    }

    /// The links of all knots in order. O(1) each. `trie` is the one that the skeleton was made
    /// of, which may have grown.
    pub fn links<'a, L>(&'a self, trie: &'a Trie<L>) -> impl Iterator<Item = Link> + 'a {
        let mut chain = 0;
        let mut next_head = 0;
        let mut shift = 0;
        let mut parent = 0;
        self.marks.iter().zip(0..).map(move |(node, knot)| {
            while node >= next_head {
                let here = &trie.chains[chain];
                shift = here.shift;
                // The node that a chain hangs on is a knot: it branches.
                parent = if chain == 0 { 0 } else { self.knot(trie.fork(here)) };
                chain += 1;
                next_head = trie.chains.get(chain).map_or(u32::MAX, |next| next.head);
            }
            let link = Link { parent, depth: node - shift };
            parent = knot;
            link
        })
    }
}
