//! What to drop when space is short: the cheapest set of victims.
//!
//! Dropping something costs the blocks that its next use must load again, and what is used soon
//! should not be dropped: Belady (1966) drops what is used last. With sizes and guesses in place of
//! knowledge, each victim costs its blocks times how soon it is used, and of all plans that the
//! rules allow the one with the smallest sum is wanted. Blocks that nobody refers to cost next to
//! nothing, those that may be referred to again a little more.
//!
//! A plan starts from the cheapest victims a block, less those that turn out not to be needed. Then
//! exchanges of one or two victims improve it as long as they can. What is freed beyond the
//! shortage is of use in the next rounds, so it is credited at a part of the price at which the
//! greedy plan would have gone on.
//!
//! The rules want a plan to end when the room suffices. That does not make every victim necessary:
//! it takes one that can come last, without which too little is freed.
//!
//! Example: two blocks are missing. Requests 1, 2 and 3 hold one, two and one blocks, and how soon
//! they are used is 1/10, 1/8 and 1/5. A block of request 1 is the cheapest, then come those of
//! request 2; with three blocks freed, request 1 turns out not to be needed. The plan preempts
//! request 2 at a cost of 2/8; requests 1 and 3 would have cost 3/10.

use crate::forecast::Forecast;
use crate::recency;
use crate::state::{Action, State};
use std::collections::BTreeMap;

/// Candidates from either end of the orders of recency, and in a crowd.
const END: usize = 200;
const CROWDED_END: usize = 16;

/// Victims taken, and others, that a plan is improved by.
const CLOSE: usize = 32;

/// Exchanges at most.
const EXCHANGES: usize = 30;

/// What a block freed in excess is worth, of the price of the next one.
const EXCESS: f64 = 0.5;

/// What dropping an unreferenced block costs at most: less than anything referred to.
const UNREFERENCED: f64 = 1e-6;

/// Something that can be dropped.
struct Item {
    action: Action,
    /// Blocks that it frees.
    frees: u64,
    /// What dropping it costs in expectation.
    cost: f64,
    /// Items that must be dropped before it: the requests that use this block.
    users: Vec<usize>,
    /// Blocks that this request uses and that may be dropped after it.
    used: Vec<usize>,
}

impl Item {
    fn new(action: Action, frees: u64, cost: f64) -> Self {
        Item { action, frees, cost, users: Vec::new(), used: Vec::new() }
    }

    fn density(&self) -> f64 {
        self.cost / self.frees as f64
    }
}

/// A set of items.
struct Plan<'a> {
    items: &'a [Item],
    /// All items, the cheapest a block first.
    cheapest: &'a [usize],
    shortage: u64,
    taken: Vec<bool>,
    /// The items taken, in the order of taking.
    order: Vec<usize>,
    freed: u64,
}

impl<'a> Plan<'a> {
    fn new(items: &'a [Item], cheapest: &'a [usize], shortage: u64) -> Self {
        Plan {
            items,
            cheapest,
            shortage,
            taken: vec![false; items.len()],
            order: Vec::new(),
            freed: 0,
        }
    }

    /// Takes the item, or gives it back. O(taken).
    fn toggle(&mut self, at: usize) {
        self.freed = self.freed_without_or_with(at);
        self.taken[at] = !self.taken[at];
        if self.taken[at] {
            self.order.push(at);
        } else {
            let place = self.order.iter().rposition(|&other| other == at).expect("it was taken");
            self.order.remove(place);
        }
    }

    /// What is freed once this item has been toggled.
    fn freed_without_or_with(&self, at: usize) -> u64 {
        let frees = self.items[at].frees;
        if self.taken[at] {
            self.freed - frees
        } else {
            self.freed + frees
        }
    }

    fn is_available(&self, at: usize) -> bool {
        self.items[at].users.iter().all(|&user| self.taken[user])
    }

    fn has_dependents(&self, at: usize) -> bool {
        self.items[at].used.iter().any(|&block| self.taken[block])
    }

    /// An item that can be the last: without it too little is freed.
    fn last(&self) -> Option<usize> {
        let too_few = |&at: &usize| self.freed - self.items[at].frees < self.shortage;
        self.order.iter().copied().filter(too_few).find(|&at| !self.has_dependents(at))
    }

    fn is_legal(&self) -> bool {
        self.freed >= self.shortage
            && self.order.iter().all(|&at| self.is_available(at))
            && self.last().is_some()
    }

    /// The cheapest item a block that could be taken next.
    fn next(&self) -> Option<usize> {
        let mut open = self.cheapest.iter().copied().filter(|&at| !self.taken[at]);
        open.find(|&at| self.is_available(at))
    }

    /// The actions, each after those it depends on and with one at the end that is needed.
    fn actions(&self) -> Vec<Action> {
        let last = self.last().expect("the plan is legal");
        let mut order = self.order.clone();
        order.sort_unstable_by_key(|&at| (at == last, !self.items[at].users.is_empty(), at));
        order.into_iter().map(|at| self.items[at].action).collect()
    }
}

/// A legal plan that makes room for the batch, which the forecast has seen.
pub fn plan(state: &State, forecast: &mut Forecast, batch: &[usize]) -> Vec<Action> {
    let need = state.need(batch);
    if need <= state.free {
        return Vec::new();
    }
    let shortage = need - state.free;
    if forecast.is_exhausted() {
        return recency::plan(state, batch);
    }
    forecast.appraise(state);
    let end = if forecast.is_crowded(state) { CROWDED_END } else { END };
    let mut items = items(state, forecast, end);
    if items.iter().map(|item| item.frees).sum::<u64>() < shortage {
        return recency::plan(state, batch);
    }
    let mut cheapest: Vec<usize> = (0..items.len()).collect();
    cheapest.sort_by(|&a, &b| items[a].density().total_cmp(&items[b].density()));
    let (taken, price) = greedy(&items, &cheapest, shortage);
    forecast.spend(items.len() * (200 + taken.len()));
    for item in &mut items {
        item.cost -= EXCESS * price * item.frees as f64;
    }
    let mut plan = Plan::new(&items, &cheapest, shortage);
    taken.into_iter().for_each(|at| plan.toggle(at));
    forecast.spend(improve(&mut plan));
    plan.actions()
}

/// What could be dropped: `end` candidates from each end of the orders of recency, and blocks that
/// become idle with them.
fn items(state: &State, forecast: &Forecast, end: usize) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut users: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for action in state.recency.some(end) {
        if state.is_protected(action) {
            continue;
        }
        items.push(match action {
            Action::Evict(block) if state.is_referenced(block) => {
                Item::new(action, 1, forecast.block(state, block))
            }
            Action::Evict(block) => Item::new(action, 1, UNREFERENCED * forecast.revival(block)),
            Action::Preempt(request) => {
                for block in state.shared_blocks(request) {
                    if !state.is_protected(Action::Evict(block)) {
                        users.entry(block).or_default().push(items.len());
                    }
                }
                let frees = state.private_blocks(request);
                Item::new(action, frees, frees as f64 * forecast.request(request))
            }
        });
    }
    for (block, users) in users {
        // Somebody else may use it who is no candidate.
        if users.len() == state.blocks[block].active as usize {
            for &user in &users {
                let place = items.len();
                items[user].used.push(place);
            }
            let cost = forecast.block(state, block);
            items.push(Item { users, ..Item::new(Action::Evict(block), 1, cost) });
        }
    }
    items
}

/// The cheapest items a block until there is room, less those that are not needed; and the price
/// of the next. O(items · taken).
fn greedy(items: &[Item], cheapest: &[usize], shortage: u64) -> (Vec<usize>, f64) {
    let mut plan = Plan::new(items, cheapest, shortage);
    while plan.freed < shortage {
        let next = plan.next().expect("all items together free enough");
        plan.toggle(next);
    }
    let price = plan.next().map_or(0.0, |next| items[next].density());
    for at in plan.order.clone().into_iter().rev() {
        if plan.freed - items[at].frees >= shortage && !plan.has_dependents(at) {
            plan.toggle(at);
        }
    }
    (plan.order, price)
}

/// Exchanges one or two items at a time, the best exchange first, while that makes the plan
/// cheaper. O(64² · taken) an exchange; returns what work it was.
fn improve(plan: &mut Plan) -> usize {
    const NOTHING: f64 = -1e-12;
    let items = plan.items;
    // What is much dearer has no place in a good plan.
    let spare = plan.cheapest.iter().copied().filter(|&at| !plan.taken[at]);
    let mut close: Vec<usize> = spare.take(CLOSE).collect();
    close.extend(plan.order.iter().rev().take(CLOSE));
    let change = |plan: &Plan, at: usize| {
        let cost = items[at].cost;
        if plan.taken[at] {
            -cost
        } else {
            cost
        }
    };
    let mut work = 0;
    for _ in 0..EXCHANGES {
        let mut best = (NOTHING, Vec::new());
        for (place, &a) in close.iter().enumerate() {
            let first = change(plan, a);
            plan.toggle(a);
            if first < best.0 && plan.is_legal() {
                best = (first, vec![a]);
            }
            for &b in &close[place + 1..] {
                let both = first + change(plan, b);
                if both < best.0 && plan.freed_without_or_with(b) >= plan.shortage {
                    work += 10 + 4 * plan.order.len();
                    plan.toggle(b);
                    if plan.is_legal() {
                        best = (both, vec![a, b]);
                    }
                    plan.toggle(b);
                }
            }
            plan.toggle(a);
        }
        work += 2 * close.len() * close.len();
        if best.1.is_empty() {
            break;
        }
        best.1.into_iter().for_each(|at| plan.toggle(at));
    }
    work
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    /// Some requests, blocks that only some of them use, and blocks that nobody does.
    fn random_items(rng: &mut StdRng) -> Vec<Item> {
        let requests = rng.random_range(1..=5);
        let mut items: Vec<Item> = (0..requests)
            .map(|at| {
                let frees = rng.random_range(0..6);
                Item::new(Action::Preempt(at), frees, frees as f64 * rng.random::<f64>())
            })
            .collect();
        for block in 0..rng.random_range(0..=5) {
            let place = items.len();
            let users: Vec<usize> = (0..requests).filter(|_| rng.random_bool(0.3)).collect();
            users.iter().for_each(|&user| items[user].used.push(place));
            items.push(Item { users, ..Item::new(Action::Evict(block), 1, rng.random()) });
        }
        items
    }

    /// The cost of the cheapest legal set.
    fn optimum(items: &[Item], shortage: u64) -> f64 {
        let mut best = f64::INFINITY;
        for set in 0..1u32 << items.len() {
            let mut plan = Plan::new(items, &[], shortage);
            (0..items.len()).filter(|at| set >> at & 1 == 1).for_each(|at| plan.toggle(at));
            if plan.is_legal() {
                best = best.min(plan.order.iter().map(|&at| items[at].cost).sum());
            }
        }
        best
    }

    #[test]
    fn plans_are_legal_and_nearly_as_cheap_as_can_be() {
        let rng = &mut StdRng::seed_from_u64(1);
        let (mut cheapest_of_all, mut plans) = (0, 0);
        for _ in 0..2000 {
            let items = random_items(rng);
            let all: u64 = items.iter().map(|item| item.frees).sum();
            if all == 0 {
                continue;
            }
            let shortage = rng.random_range(1..=all);
            let mut cheapest: Vec<usize> = (0..items.len()).collect();
            cheapest.sort_by(|&a, &b| items[a].density().total_cmp(&items[b].density()));
            let (taken, _) = greedy(&items, &cheapest, shortage);
            let mut plan = Plan::new(&items, &cheapest, shortage);
            taken.into_iter().for_each(|at| plan.toggle(at));
            assert!(plan.is_legal());
            improve(&mut plan);
            assert!(plan.is_legal());
            let mut freed = 0;
            for (place, action) in plan.actions().into_iter().enumerate() {
                assert!(freed < shortage, "action {place} comes when there is room");
                freed += items.iter().find(|item| item.action == action).expect("an item").frees;
            }
            assert!(freed >= shortage);
            let cost: f64 = plan.order.iter().map(|&at| items[at].cost).sum();
            cheapest_of_all += usize::from(cost < optimum(&items, shortage) + 1e-9);
            plans += 1;
        }
        assert!(cheapest_of_all * 10 >= plans * 9, "{cheapest_of_all} of {plans} are optimal");
    }

    #[test]
    fn the_example_of_the_explanation_holds() {
        let item = |request: usize, frees: u64, soon: f64| {
            Item::new(Action::Preempt(request), frees, frees as f64 * soon)
        };
        let items = [item(1, 1, 1.0 / 10.0), item(2, 2, 1.0 / 8.0), item(3, 1, 1.0 / 5.0)];
        let (taken, price) = greedy(&items, &[0, 1, 2], 2);
        assert_eq!((&taken[..], price), (&[1][..], 1.0 / 5.0));
        let mut plan = Plan::new(&items, &[0, 1, 2], 2);
        plan.toggle(1);
        improve(&mut plan);
        assert_eq!(plan.actions(), [Action::Preempt(2)]);
    }
}
