//! The plan that a ranking of victims comes to.

use crate::evict::{Action, Batch, BlockIx, RequestIx, Rules};
use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap};

/// Whatever a plan can take out of the GPU. Of equal ranks blocks go before requests, and each in
/// the order of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Victim {
    /// A resident block, to be evicted once it is idle.
    Block(BlockIx),
    /// A running request, to be preempted.
    Request(RequestIx),
}

/// Who goes first: the smallest, compared by class and then by the value within it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rank {
    /// Compared first.
    pub class: u8,
    /// Compared within a class.
    pub value: f64,
}

impl Eq for Rank {}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        self.class.cmp(&other.class).then(self.value.total_cmp(&other.value))
    }
}

/// Takes the victim of the smallest rank, of those that are legal by then, until the need is met.
/// O(C + plan · log C) and as many ranks.
pub fn plan(rules: &Rules, batch: &Batch, rank: impl Fn(Victim) -> Rank) -> Vec<Action> {
    let blocks = rules.resident().iter().filter(|&&ix| !rules.protects_block(batch, ix));
    let requests = rules.running().iter().filter(|&&ix| !rules.protects_request(batch, ix));
    let victims = blocks.map(|&ix| Victim::Block(ix));
    let victims = victims.chain(requests.map(|&ix| Victim::Request(ix)));
    let ranked: Vec<_> = victims.map(|victim| Reverse((rank(victim), victim))).collect();
    let mut heap = BinaryHeap::from(ranked);

    let mut free = rules.free();
    let mut plan = Vec::new();
    // Running requests that refer to a block, where the plan has changed that.
    let mut active: HashMap<BlockIx, u32> = HashMap::new();
    // Blocks that came first while somebody still used them.
    let mut passed: HashMap<BlockIx, Rank> = HashMap::new();
    while free < batch.need() {
        let Reverse((rank, victim)) = heap.pop().expect("a batch that fits can be served");
        match victim {
            Victim::Block(ix) => {
                let block = rules.block(ix);
                if active.get(&ix).copied().unwrap_or(block.active) > 0 {
                    passed.insert(ix, rank);
                } else {
                    plan.push(Action::Evict(block.id));
                    free += 1;
                }
            }
            Victim::Request(ix) => {
                let request = rules.request(ix);
                plan.push(Action::Preempt(request.id));
                free += request.private_blocks();
                for &block in &request.blocks {
                    let left = active.entry(block).or_insert_with(|| rules.block(block).active);
                    *left -= 1;
                    if *left == 0 {
                        if let Some(rank) = passed.remove(&block) {
                            heap.push(Reverse((rank, Victim::Block(block))));
                        }
                    }
                }
            }
        }
    }
    plan
}
