//! GreedyDual with frequencies.

use super::victims::{plan, Rank, Victim};
use crate::evict::{Action, Batch, Policy, Round, Rules};
use std::collections::HashMap;

/// GreedyDual-Size-Frequency: a use gives its object the credit of all its uses on top of the
/// water level, which rises to the credit of whatever goes last. A block costs one unit of time
/// for one block of space, a request as much per block, so that cost over size is 1 for all. A
/// plan costs O(C).
#[derive(Default)]
pub struct GreedyDual {
    level: f64,
    /// Uses and credit.
    credits: HashMap<Victim, (f64, f64)>,
}

impl Policy for GreedyDual {
    fn plan(&mut self, rules: &Rules, batch: &Batch) -> Vec<Action> {
        let credit = |victim| self.credits.get(&victim).map_or(0.0, |credit| credit.1);
        let plan = plan(rules, batch, |victim| Rank { class: 0, value: credit(victim) });
        let gone = plan.iter().map(|action| match action {
            Action::Evict(id) => Victim::Block(rules.find_block(*id).expect("a resident block")),
            Action::Preempt(id) => Victim::Request(rules.find_request(*id).expect("it runs")),
        });
        self.level = gone.map(credit).fold(self.level, f64::max);
        plan
    }

    fn decoded(&mut self, rules: &Rules, round: &Round) {
        let requests = round.requests.iter().map(|&ix| Victim::Request(ix));
        let mut blocks: Vec<_> = round
            .requests
            .iter()
            .flat_map(|&ix| rules.request(ix).blocks.iter().copied())
            .collect();
        blocks.sort_unstable();
        blocks.dedup();
        for victim in requests.chain(blocks.into_iter().map(Victim::Block)) {
            let (uses, credit) = self.credits.entry(victim).or_default();
            *uses += 1.0;
            *credit = self.level + *uses;
        }
    }
}
