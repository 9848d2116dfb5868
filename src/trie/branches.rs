//! The hash table of the branches.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash, Hasher};

/// Finds the chain that leaves a node with a label: open addressing, linear probing, growing at
/// three quarters.
///
/// A slot holds the upper half of the key's hash and the chain, so that a look-up sees the chains
/// themselves only where the hashes agree. The upper bits of the hash choose the slot: growing
/// then moves the entries in order.
pub(super) struct BranchTable {
    slots: Vec<u64>,
    len: usize,
    seeds: [u64; 3],
}

/// No branch leads to chain 0, which is the root's.
const EMPTY: u64 = 0;

/// By what the number of slots is multiplied; a power of two.
const GROWTH: usize = 4;

impl BranchTable {
    pub(super) fn new() -> Self {
        let random = RandomState::new();
        BranchTable {
            slots: vec![EMPTY; 16],
            len: 0,
            seeds: [0, 1, 2].map(|i: u32| random.hash_one(i)),
        }
    }

    /// The hash of (`node`, `label`), in the upper half of the word.
    pub(super) fn hash<L: Hash>(&self, node: u32, label: L) -> u64 {
        let [start, factor, last] = self.seeds;
        let mut state = Folding { state: start, factor: factor | 1 };
        state.write_u32(node);
        label.hash(&mut state);
        state.write_u64(last);
        state.finish() & HASH
    }

    /// The first slot to look at; the table has at most 2^32 of them.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        (hash >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    /// The chain under `hash` that `is_wanted`, or else the slot where it could be placed. O(1)
    /// expected.
    #[inline]
    pub(super) fn find(&self, hash: u64, is_wanted: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let mut slot = self.home(hash);
        loop {
            let entry = self.slots[slot];
            if entry == EMPTY {
                return Err(slot);
            }
            if entry & HASH == hash && is_wanted(entry as u32) {
                return Ok(entry as u32);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// The slot where a chain could be placed under `hash`. O(1) expected.
    #[inline]
    pub(super) fn vacancy(&self, hash: u64) -> usize {
        self.find(hash, |_| false).expect_err("no chain is wanted")
    }

    /// A chain that may be the one under `hash`; 0, the root's, in most other cases.
    #[inline]
    pub(super) fn peek(&self, hash: u64) -> u32 {
        let entry = self.slots[self.home(hash)];
        if entry & HASH == hash {
            entry as u32
        } else {
            0
        }
    }

    /// Adds `chain` under `hash` at the slot that [`find`](Self::find) or
    /// [`vacancy`](Self::vacancy) gave. O(1) expected, amortised.
    #[inline]
    pub(super) fn insert(&mut self, hash: u64, slot: usize, chain: u32) {
        let entry = hash | u64::from(chain);
        self.len += 1;
        if self.len > self.slots.len() / 4 * 3 {
            self.grow();
            self.place(entry);
        } else {
            self.slots[slot] = entry;
        }
    }

    /// Makes room. The slots are written, not allocated as zeros, and the old ones stay in use:
    /// a page of memory that is read before it is written costs the system two visits.
    #[cold]
    fn grow(&mut self) {
        let entries: Vec<u64> = self.slots.iter().copied().filter(|&e| e != EMPTY).collect();
        let len = self.slots.len() * GROWTH;
        self.slots.clear();
        self.slots.resize(len, EMPTY);
        for entry in entries {
            self.place(entry);
        }
    }

    fn place(&mut self, entry: u64) {
        let slot = self.vacancy(entry);
        self.slots[slot] = entry;
    }
}

/// The part of a table slot that is hash; the rest is the chain.
const HASH: u64 = !0 << 32;

/// Hashes by folded multiplication with a secret odd factor.
struct Folding {
    state: u64,
    factor: u64,
}

impl Hasher for Folding {
    #[inline]
    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.state ^ word) * u128::from(self.factor);
        self.state = (product >> 64) as u64 ^ product as u64;
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.state
    }
}
