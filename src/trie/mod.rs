//! A compressed trie that is built online, and its skeleton for offline work.
//!
//! All labels lie in one text, and a node *is* the place of its label there: node `v ≥ 1` has the
//! label `text[v - 1]`, node 0 is the root. A *chain* is a run of consecutive nodes, each the
//! child of the one before; its first node, the head, hangs below a node of an earlier chain.
//! Inserting a sequence adds at most one chain, splits nothing and moves nothing. Branches are
//! found in one hash table keyed by (node, label); the seed is random, so that nobody can choose
//! labels that make it slow, and a bitmap of the nodes that have branches at all spares most look-ups.

mod branches;
mod memory;
mod pruned;
mod skeleton;

use branches::BranchTable;
use memory::recycled;
pub use skeleton::{Link, Skeleton};

use std::hash::Hash;

/// A place in a [`Trie`]: a node together with the chain that it lies on. 8 bytes.
///
/// It stays valid while the trie grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Locus {
    chain: u32,
    node: u32,
}

impl Locus {
    /// The root: the empty sequence.
    pub const ROOT: Locus = Locus { chain: 0, node: 0 };

    /// The node, an index for side arrays: 0 is the root, a child is greater than its parent.
    #[inline]
    pub fn node(self) -> u32 {
        self.node
    }
}

/// Places that are handled in turns.
const GROUP: usize = 64;

/// With fewer chains, 2 MB with their branches, loads ahead cost more than they give.
const NEAR: usize = 1 << 15;

#[derive(Clone, Copy)]
struct Chain {
    /// The first node.
    head: u32,
    /// What a node's depth is less than the node.
    shift: u32,
    /// The chain that the head hangs on.
    parent: u32,
    /// A chain further up, by the rule of skew-binary numbers (see [`Trie::ancestor`]).
    jump: u32,
    /// The depth of that chain's head.
    jump_depth: u32,
}

impl Chain {
    #[inline]
    fn head_depth(&self) -> u32 {
        self.head - self.shift
    }
}

/// A set of label sequences, stored as a tree of their prefixes.
///
/// Memory: one label a node, 21 bytes a chain, 11 to 43 bytes a branch, one bit a node.
pub struct Trie<L> {
    text: Vec<L>,
    /// Chain 0 starts at the root.
    chains: Vec<Chain>,
    /// A jump of rank r goes up 2^r - 1 chains.
    jump_rank: Vec<u8>,
    branching: Bitmap,
    branches: BranchTable,
}

/// What a trie has for labels whose labels have been taken off. It needs no memory.
#[derive(Clone, Copy, Debug)]
pub struct Unlabelled;

impl<L> Trie<L> {
    /// The most nodes besides the root that a trie can have.
    pub const MAX_LEN: usize = (1 << 31) - 1;

    /// The trie of the empty sequence.
    pub fn new() -> Self {
        let root = Chain { head: 0, shift: 0, parent: 0, jump: 0, jump_depth: 0 };
        Trie {
            text: Vec::new(),
            chains: vec![root],
            jump_rank: vec![0],
            branching: Bitmap::default(),
            branches: BranchTable::new(),
        }
    }

    /// The number of nodes besides the root, that is of different non-empty prefixes. O(1).
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether there is only the root. O(1).
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The number of labels between the root and `locus`. O(1).
    pub fn depth(&self, locus: Locus) -> u32 {
        locus.node - self.chains[locus.chain as usize].shift
    }

    /// The ancestor of `locus` at `depth`; `locus` itself if that is its depth.
    ///
    /// O(log h) for h chains between `locus` and the root. A chain's jump goes up as many chains
    /// as the lowest digit of the skew-binary notation of its own height says (Myers 1983), so
    /// stepping along jumps while they do not overshoot, else to the parent, is logarithmic.
    ///
    /// # Panics
    /// If `depth` is greater than the depth of `locus`.
    pub fn ancestor(&self, locus: Locus, depth: u32) -> Locus {
        let deepest = self.depth(locus);
        assert!(depth <= deepest, "no ancestor at depth {depth} of a node at depth {deepest}");
        let mut chain = locus.chain;
        loop {
            let here = self.chains[chain as usize];
            if here.head_depth() <= depth {
                let node = depth + here.shift;
                return Locus { chain, node };
            }
            chain = if here.jump_depth > depth { here.jump } else { here.parent };
        }
    }

    /// Replaces each place by its [`ancestor`](Self::ancestor) at the depth that goes with it.
    ///
    /// Much faster than one by one where the trie is larger than the processor's caches: the
    /// places move up in turns, so that many loads are under way at once.
    ///
    /// # Panics
    /// If a depth is greater than that of its place.
    pub fn ancestors(&self, places: &mut [(Locus, u32)]) {
        for group in places.chunks_mut(GROUP) {
            let mut rising = [0; GROUP];
            let mut len = 0;
            for (index, (locus, depth)) in group.iter_mut().enumerate() {
                let here = &self.chains[locus.chain as usize];
                assert!(*depth <= locus.node - here.shift, "no ancestor at depth {depth}");
                locus.node = here.shift + *depth;
                rising[len] = index;
                len += usize::from(locus.node < here.head);
            }
            while len > 0 {
                let mut left = 0;
                for turn in 0..len {
                    let (locus, depth) = &mut group[rising[turn]];
                    let here = &self.chains[locus.chain as usize];
                    locus.chain = if here.jump_depth > *depth { here.jump } else { here.parent };
                    let here = &self.chains[locus.chain as usize];
                    locus.node = here.shift + *depth;
                    rising[left] = rising[turn];
                    left += usize::from(locus.node < here.head);
                }
                len = left;
            }
        }
    }

    /// Takes the labels off. What is left knows depths, ancestors and links. The vector is empty, in the
    /// memory of the labels or of their look-up if possible. O(1) for labels that need no drop.
    pub fn without_labels<T>(self) -> (Trie<Unlabelled>, Vec<T>) {
        let trie = Trie {
            text: vec![Unlabelled; self.text.len()],
            chains: self.chains,
            jump_rank: self.jump_rank,
            branching: self.branching,
            branches: BranchTable::new(),
        };
        let (text, table) = (recycled(self.text), self.branches.into_memory::<T>());
        // Of the table, the system has provided all pages.
        (trie, if text.capacity() > table.capacity() { text } else { table })
    }

    /// An empty vector, in the memory of the chains if possible. O(1).
    pub fn into_memory<T>(self) -> Vec<T> {
        recycled(self.chains)
    }

    /// The last node of a chain.
    fn tail(&self, chain: u32) -> u32 {
        match self.chains.get(chain as usize + 1) {
            Some(next) => next.head - 1,
            None => self.text.len() as u32,
        }
    }

    /// The node that the head of `chain`, not the root's, hangs on.
    fn fork(&self, chain: &Chain) -> u32 {
        chain.head_depth() - 1 + self.chains[chain.parent as usize].shift
    }
}

impl<L: Copy + Eq + Hash> Trie<L> {
    /// Loads what [`insert`](Self::insert) needs for the first step, by a label from a place,
    /// into the processor's caches, for many steps at once, unless there are so few chains that they
    /// are there anyway. Changes nothing.
    pub fn touch(&self, steps: &[(Locus, L)]) {
        if self.chains.len() < NEAR {
            return;
        }
        let mut touched = 0;
        for group in steps.chunks(GROUP) {
            // Loops of few instructions, for as many loads as possible to be under way. Each step that
            // leaves its chain looks for its branch, or for where a new one goes.
            let mut goes_on = [false; GROUP];
            for (goes_on, &(at, label)) in goes_on.iter_mut().zip(group) {
                *goes_on = at.node < self.tail(at.chain) && self.text[at.node as usize] == label;
            }
            let mut hashes = [0; GROUP];
            let mut leaving = 0;
            for (&(at, label), goes_on) in group.iter().zip(goes_on) {
                hashes[leaving] = self.branches.hash(at.node, label);
                leaving += usize::from(!goes_on);
            }
            let mut chains = [0; GROUP];
            for (chain, &hash) in chains.iter_mut().zip(&hashes[..leaving]) {
                *chain = self.branches.peek(hash);
            }
            for &chain in &chains[..leaving] {
                let head = self.chains[chain as usize].head;
                touched ^= u32::from(self.text.get(head as usize) == Some(&group[0].1));
            }
        }
        std::hint::black_box(touched);
    }

    /// Follows `labels` down from `from` as far as the trie goes.
    ///
    /// Gives the place reached and the first label that leads nowhere from there, if there was
    /// one; it has been taken from `labels`. O(1) expected per label.
    pub fn descend(&self, from: Locus, labels: impl IntoIterator<Item = L>) -> (Locus, Option<L>) {
        let mut at = from;
        let mut tail = self.tail(at.chain);
        for label in labels {
            if at.node < tail && self.text[at.node as usize] == label {
                at.node += 1;
                continue;
            }
            let branches = self.branching.contains(at.node);
            match branches.then(|| self.branch(at, label, self.branches.hash(at.node, label))) {
                Some(Ok(head)) => at = head,
                _ => return (at, Some(label)),
            }
            tail = self.tail(at.chain);
        }
        (at, None)
    }

    /// Follows many sequences of labels as far as the trie goes: replaces each place by the one
    /// reached from there, and its labels by those that are left.
    ///
    /// Much faster than [`descend`](Self::descend) one by one where the trie is larger than the
    /// processor's caches: they go down in turns, so that many loads are under way at once.
    pub fn descend_all(&self, walks: &mut [(Locus, &[L])]) {
        let mut going: Vec<usize> = (0..walks.len()).collect();
        let mut branching = Vec::with_capacity(walks.len());
        while !going.is_empty() {
            for walk in going.drain(..) {
                let (at, labels) = &mut walks[walk];
                let text = &self.text[at.node as usize..self.tail(at.chain) as usize];
                let common = text.iter().zip(*labels).take_while(|(a, b)| a == b).count();
                at.node += common as u32;
                *labels = &labels[common..];
                if let Some(&label) = labels.first().filter(|_| self.branching.contains(at.node)) {
                    branching.push((walk, self.branches.hash(at.node, label)));
                }
            }
            let touched = branching.iter().fold(0, |touched, &(_, hash)| {
                let chain = &self.chains[self.branches.peek(hash) as usize];
                touched ^ usize::from(self.text.get(chain.head as usize) == walks[0].1.first())
            });
            std::hint::black_box(touched);
            for (walk, hash) in branching.drain(..) {
                let (at, labels) = walks[walk];
                if let Ok(head) = self.branch(at, labels[0], hash) {
                    walks[walk] = (head, &labels[1..]);
                    going.push(walk);
                }
            }
        }
    }

    /// Adds the sequence that leads to `at` followed by `labels`, and gives its end.
    ///
    /// O(1) expected, amortised, plus O(1) per label. No child of `at` may bear the first of the
    /// labels, as [`descend`](Self::descend) has found out.
    ///
    /// # Panics
    /// If the trie outgrows [`MAX_LEN`](Self::MAX_LEN).
    pub fn extend(&mut self, at: Locus, labels: &[L]) -> Locus {
        let Some(&first) = labels.first() else {
            return at;
        };
        debug_assert!(self.descend(at, [first]).1.is_some(), "the trie goes on with this label");
        let chain = if at.node as usize == self.text.len() {
            at.chain
        } else {
            let hash = self.branches.hash(at.node, first);
            self.start_chain(at, hash, self.branches.vacancy(hash))
        };
        self.append(chain, labels)
    }

    /// Adds the sequence that leads to `from` followed by `labels`, as far as it is not there yet,
    /// and gives its end. O(1) expected, amortised, per label.
    ///
    /// # Panics
    /// If the trie outgrows [`MAX_LEN`](Self::MAX_LEN).
    pub fn insert(&mut self, from: Locus, labels: &[L]) -> Locus {
        let mut at = from;
        let mut labels = labels;
        loop {
            let text = &self.text[at.node as usize..self.tail(at.chain) as usize];
            let common = text.iter().zip(labels).take_while(|(a, b)| a == b).count();
            at.node += common as u32;
            labels = &labels[common..];
            let Some(&first) = labels.first() else {
                return at;
            };
            if !self.branching.contains(at.node) {
                return self.extend(at, labels);
            }
            let hash = self.branches.hash(at.node, first);
            match self.branch(at, first, hash) {
                Ok(head) => at = head,
                Err(slot) => {
                    let chain = self.start_chain(at, hash, slot);
                    return self.append(chain, labels);
                }
            }
            labels = &labels[1..];
        }
    }

    /// Adds `labels` to the last chain, which is `chain`, and gives its end.
    fn append(&mut self, chain: u32, labels: &[L]) -> Locus {
        self.text.extend_from_slice(labels);
        assert!(self.text.len() <= Self::MAX_LEN, "a trie of {} nodes", self.text.len());
        Locus { chain, node: self.text.len() as u32 }
    }

    /// The head of the chain that leaves `at` with `label`, by the hash of both, or else the empty slot
    /// in the table where the look-up ended.
    fn branch(&self, at: Locus, label: L, hash: u32) -> Result<Locus, usize> {
        let chain = self.branches.find(hash, |chain| {
            let branch = &self.chains[chain as usize];
            branch.parent == at.chain
                && self.fork(branch) == at.node
                && self.text[branch.head as usize - 1] == label
        })?;
        let node = self.chains[chain as usize].head;
        Ok(Locus { chain, node })
    }

    /// Makes a chain below `at` of what the text is going to go on with. `hash` is that of `at` and the
    /// first of these labels, `slot` their place in the table.
    fn start_chain(&mut self, at: Locus, hash: u32, slot: usize) -> u32 {
        let chain = self.chains.len() as u32;
        let head = self.text.len() as u32 + 1;
        let parent = at.chain;
        let skipped = self.chains[parent as usize].jump;
        let rank = self.jump_rank[parent as usize];
        let (jump, jump_depth, jump_rank) = if rank == self.jump_rank[skipped as usize] {
            let skipped = &self.chains[skipped as usize];
            (skipped.jump, skipped.jump_depth, rank + 1)
        } else {
            (parent, self.chains[parent as usize].head_depth(), 1)
        };
        let shift = head - (self.depth(at) + 1);
        self.chains.push(Chain { head, shift, parent, jump, jump_depth });
        self.jump_rank.push(jump_rank);
        self.branching.insert(at.node);
        self.branches.insert(hash, slot, chain);
        chain
    }
}

impl<L> Default for Trie<L> {
    fn default() -> Self {
        Trie::new()
    }
}

/// A growing set of nodes.
#[derive(Clone, Default)]
struct Bitmap {
    words: Vec<u64>,
}

impl Bitmap {
    #[inline]
    fn contains(&self, node: u32) -> bool {
        let word = self.words.get(node as usize / 64);
        word.is_some_and(|word| word >> (node % 64) & 1 == 1)
    }

    #[inline]
    fn insert(&mut self, node: u32) {
        let place = node as usize / 64;
        if place >= self.words.len() {
            self.words.resize(place + 1, 0);
        }
        self.words[place] |= 1 << (node % 64);
    }

    /// The nodes in ascending order.
    fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let mut place = 0;
        let mut rest = self.words.first().copied().unwrap_or(0);
        std::iter::from_fn(move || {
            while rest == 0 {
                place += 1;
                rest = *self.words.get(place)?;
            }
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            Some(64 * place as u32 + bit)
        })
    }
}

#[cfg(test)]
mod tests;
