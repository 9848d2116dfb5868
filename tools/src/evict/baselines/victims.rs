//! The plan that a ranking of victims comes to.

use crate::evict::{Action, Batch, BlockIx, RequestId, RequestIx, Rules};
use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap, HashSet};

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

/// Leaves out what a legal plan does not need, from its last action back to its first: what is
/// left meets the need, and nothing less of it would. An action without which a later one would
/// be illegal stays. O(plan · references).
pub fn minimal(rules: &Rules, batch: &Batch, plan: Vec<Action>) -> Vec<Action> {
    let gain = |action: &Action| match action {
        Action::Evict(_) => 1,
        Action::Preempt(id) => rules.request(request(rules, *id)).private_blocks(),
    };
    let gained: u64 = plan.iter().map(gain).sum();
    let mut spare = rules.free() + gained - batch.need();
    // Blocks that the actions kept so far evict.
    let mut evicted: HashSet<BlockIx> = HashSet::new();
    let mut kept = Vec::new();
    for action in plan.into_iter().rev() {
        let wanted = match action {
            Action::Evict(_) => false,
            Action::Preempt(id) => {
                let blocks = &rules.request(request(rules, id)).blocks;
                blocks.iter().any(|block| evicted.contains(block))
            }
        };
        let gain = gain(&action);
        if gain <= spare && !wanted {
            spare -= gain;
            continue;
        }
        if let Action::Evict(id) = action {
            evicted.insert(rules.find_block(id).expect("a resident block"));
        }
        kept.push(action);
    }
    kept.reverse();
    kept
}

fn request(rules: &Rules, id: RequestId) -> RequestIx {
    rules.find_request(id).expect("it runs")
}
