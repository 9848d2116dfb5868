//! Least recent use, at a cost that allows any size of input.

use super::command::{Action, Command};
use super::objects::{BlockIx, BlockState, RequestIx, RequestState};
use super::policy::Policy;
use super::round::{Batch, Round};
use super::rules::Rules;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Evicts idle blocks and, when none is left, preempts requests: of each kind what no batch has
/// used for the longest time, of equals what came first in the input. O(log) amortised for each
/// use; the rule `lru` of [`super::baselines`] is the same without the queues.
#[derive(Default)]
pub struct Lru {
    round: u64,
    /// By least recent use. An entry is void if its owner has left the GPU or been used since; a
    /// block that is passed over as active comes back when a request that uses it goes.
    blocks: BinaryHeap<Reverse<(u64, BlockIx)>>,
    requests: BinaryHeap<Reverse<(u64, RequestIx)>>,
    used_block: Vec<u64>,
    used_request: Vec<u64>,
}

impl Lru {
    /// The blocks of a request that goes may have been passed over.
    fn release(&mut self, rules: &Rules, request: RequestIx) {
        for &block in &rules.request(request).blocks {
            // Not even created when the last round was.
            let used = self.used_block.get(block.0 as usize).copied().unwrap_or(0);
            self.blocks.push(Reverse((used, block)));
        }
    }
}

impl Policy for Lru {
    fn action(&mut self, rules: &Rules, batch: &Batch) -> Option<Action> {
        // What the batch uses may be passed over as well: its round will enter it anew.
        while let Some(Reverse((used, ix))) = self.blocks.pop() {
            let idle = rules.block(ix).state() == BlockState::Idle;
            let valid = self.used_block.get(ix.0 as usize) == Some(&used);
            if idle && valid && !rules.protects_block(batch, ix) {
                return Some(Action::Evict(rules.block(ix).id));
            }
        }
        while let Some(Reverse((used, ix))) = self.requests.pop() {
            let runs = rules.request(ix).state == RequestState::Running;
            let valid = self.used_request[ix.0 as usize] == used;
            if runs && valid && !rules.protects_request(batch, ix) {
                self.release(rules, ix);
                return Some(Action::Preempt(rules.request(ix).id));
            }
        }
        None
    }

    fn applied(&mut self, rules: &Rules, command: &Command) {
        if let Command::Cancel(id) = command {
            self.release(rules, rules.find_request(*id).expect("a known request"));
        }
    }

    fn decoded(&mut self, rules: &Rules, round: &Round) {
        self.round += 1;
        self.used_block.resize(rules.blocks().len(), 0);
        self.used_request.resize(rules.requests().len(), 0);
        for &ix in &round.requests {
            self.used_request[ix.0 as usize] = self.round;
            self.requests.push(Reverse((self.round, ix)));
            for &block in &rules.request(ix).blocks {
                let used = &mut self.used_block[block.0 as usize];
                if *used != self.round {
                    *used = self.round;
                    self.blocks.push(Reverse((self.round, block)));
                }
            }
        }
        for &ix in &round.finished {
            self.release(rules, ix);
        }
    }
}
