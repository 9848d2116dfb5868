//! The greedy that knows the stream.

use super::victims::{plan, Rank, Victim};
use crate::evict::future::Future;
use crate::evict::{Action, Batch, Broken, Input, Policy, Round, Rules};

/// Takes what is used again last, as Belady's rule does for pages of one size. A block's next use
/// is that of the soonest request that refers to it, also of one yet to come. Not optimal: sizes
/// differ, and the last action of a plan may free more than needed. A plan costs O(C log rounds).
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
        plan(rules, batch, |victim| Rank {
            class: 0,
            value: -next(victim).map_or(f64::INFINITY, f64::from),
        })
    }

    fn decoded(&mut self, _: &Rules, _: &Round) {
        self.round += 1;
    }
}
