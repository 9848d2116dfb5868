//! The greedy that knows the stream.

use super::victims::{minimal, plan, Rank, Victim};
use crate::evict::future::Future;
use crate::evict::{Action, Batch, Broken, Input, Policy, Round, Rules};

/// Takes what is used again last, as Belady's rule does for pages of one size. A block's next use
/// is that of the soonest request that refers to it, also of one yet to come. What turns out
/// not to be needed stays, the soonest used first. Not optimal: sizes differ, and a plan may free
/// more than is needed. A plan costs O(C log rounds).
pub struct Clairvoyant {
    future: Future,
    round: u32,
}

impl Clairvoyant {
    /// For this input only. O(length + references in batches).
    ///
    /// # Errors
    /// The first promise that the input breaks.
    pub fn new(input: &Input) -> Result<Self, Broken> {
        Ok(Clairvoyant { future: Future::of(input)?, round: 0 })
    }
}

impl Policy for Clairvoyant {
    fn plan(&mut self, rules: &Rules, batch: &Batch) -> Vec<Action> {
        let next = |victim| match victim {
            Victim::Block(ix) => self.future.block(ix, self.round),
            Victim::Request(ix) => self.future.request(ix, self.round),
        };
        let greedy = plan(rules, batch, |victim| Rank {
            class: 0,
            value: -next(victim).map_or(f64::INFINITY, f64::from),
        });
        // The last request preempted may free so much that others need not go.
        minimal(rules, batch, greedy)
    }

    fn decoded(&mut self, _: &Rules, _: &Round) {
        self.round += 1;
    }
}
