//! The hash table of the branches.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash, Hasher};

use super::memory::recycled;

/// Finds the chain that leaves a node with a label: open addressing, linear probing, growing at
/// three quarters.
///
/// A look-up sees the chains themselves only where the hashes agree. The upper bits of the hash choose
/// the slot: growing then moves the entries in order.
pub(super) struct BranchTable {
    slots: Vec<Entry>,
    len: usize,
    seeds: [u64; 3],
}

/// A chain, and the hash of its key.
#[derive(Clone, Copy)]
struct Entry {
    hash: u32,
    chain: u32,
}

/// No branch leads to chain 0, which is the root's.
const EMPTY: Entry = Entry { hash: 0, chain: 0 };

impl Entry {
    #[inline]
    fn is_empty(self) -> bool {
        self.chain == EMPTY.chain
    }
}

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

    /// The hash of (`node`, `label`).
    pub(super) fn hash<L: Hash>(&self, node: u32, label: L) -> u32 {
        let [start, mask, last] = self.seeds;
        let mut state = Folding { state: start ^ u64::from(node), mask, last };
        label.hash(&mut state);
        (state.finish() >> 32) as u32
    }

    /// The first slot to look at; the table has at most 2^32 of them.
    #[inline]
    fn home(&self, hash: u32) -> usize {
        (hash >> (32 - self.slots.len().trailing_zeros())) as usize
    }

    /// The chain under `hash` that `is_wanted`, or else the slot where it could be placed. O(1)
    /// expected.
    #[inline]
    pub(super) fn find(&self, hash: u32, is_wanted: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let mut slot = self.home(hash);
        loop {
            let entry = self.slots[slot];
            if entry.is_empty() {
                return Err(slot);
            }
            if entry.hash == hash && is_wanted(entry.chain) {
                return Ok(entry.chain);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// The slot where a chain could be placed under `hash`. O(1) expected.
    #[inline]
    pub(super) fn vacancy(&self, hash: u32) -> usize {
        self.find(hash, |_| false).expect_err("no chain is wanted")
    }

    /// A chain that may be the one under `hash`; 0, the root's, in most other cases.
    #[inline]
    pub(super) fn peek(&self, hash: u32) -> u32 {
        let entry = self.slots[self.home(hash)];
        if entry.hash == hash {
            entry.chain
        } else {
            EMPTY.chain
        }
    }

    /// Adds `chain` under `hash` at the slot that [`find`](Self::find) or
    /// [`vacancy`](Self::vacancy) gave. O(1) expected, amortised.
    #[inline]
    pub(super) fn insert(&mut self, hash: u32, slot: usize, chain: u32) {
        let entry = Entry { hash, chain };
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
        let entries: Vec<Entry> =
            self.slots.iter().copied().filter(|entry| !entry.is_empty()).collect();
        let len = self.slots.len() * GROWTH;
        self.slots.clear();
        self.slots.resize(len, EMPTY);
        for entry in entries {
            self.place(entry);
        }
    }

    /// An empty vector, in the memory of the slots if possible. O(1).
    pub(super) fn into_memory<T>(self) -> Vec<T> {
        recycled(self.slots)
    }

    fn place(&mut self, entry: Entry) {
        let slot = self.vacancy(entry.hash);
        self.slots[slot] = entry;
    }
}

/// Hashes by folded multiplications: of the state with each word that comes, masked, and at the end
/// with a last number. All these are secret.
///
/// Without the last one, words in arithmetic progression may come to lie close together.
struct Folding {
    state: u64,
    mask: u64,
    last: u64,
}

/// The product of two numbers, its halves folded into one: each bit depends on all of theirs.
#[inline]
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}

impl Hasher for Folding {
    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.state = folded(self.state, self.mask ^ word);
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
        folded(self.state, self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    /// How many slots a look-up visits on average, with a table half full of these keys.
    fn visits(table: &mut BranchTable, keys: impl Iterator<Item = (u32, u64)>) -> f64 {
        const SLOTS: usize = 1 << 16;
        table.slots = vec![EMPTY; SLOTS];
        let mut visits = 0;
        for (node, label) in keys.take(SLOTS / 2) {
            let hash = table.hash(node, label);
            let slot = table.vacancy(hash);
            visits += 1 + (slot + SLOTS - table.home(hash)) % SLOTS;
            table.slots[slot] = Entry { hash, chain: 1 };
        }
        visits as f64 / (SLOTS / 2) as f64
    }

    #[test]
    fn keys_in_any_order_are_spread_as_if_by_chance() {
        // By chance it would be 1.5.
        let check = |what: &str, keys: fn(u64) -> (u32, u64)| {
            for seed in 0..50 {
                let mut table = BranchTable::new();
                table.seeds = StdRng::seed_from_u64(seed).random();
                let visits = visits(&mut table, (0..).map(keys));
                assert!(
                    (1.4..1.6).contains(&visits),
                    "{what}, seed {seed}: {visits} slots a look-up"
                );
            }
        };
        check("labels of one node", |i| (0, i));
        check("labels that are far apart", |i| (0, i << 40));
        check("labels that differ in the middle", |i| (0, i << 12));
        check("nodes with one label", |i| (i as u32, 7));
        check("distant nodes with one label", |i| (i as u32 * 4096, 7));
        check("nodes with labels of their own", |i| (i as u32, i));
        check("nodes with labels of opposite bits", |i| (i as u32, !i));
        check("four labels of each node", |i| ((i / 4) as u32, i % 4));
        check("many labels of each node", |i| ((i / 512) as u32 * 1024, i % 512 * 4096));
    }
}
