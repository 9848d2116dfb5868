//! Wrong planners of problem 2. Their plans are judged, not compared.

use crate::evict::{Action, Batch, BlockState, RequestState, Rules};

/// A planner's mistake, and the plan that it makes where it may be wrong.
pub type WrongPlanner = (&'static str, fn(&Rules, &Batch) -> Vec<Action>);

/// One of each mistake.
pub const ALL: [WrongPlanner; 8] = [
    ("one action too many", |rules, batch| {
        let mut plan = plan(rules, batch, 0);
        let mut others = rules.legal_actions(batch).into_iter();
        let surplus = others.find(|action| !plan.contains(action));
        plan.extend(surplus);
        plan
    }),
    ("an action although there is room", |rules, batch| {
        let mut running = rules.running().iter();
        match running.find(|&&request| !rules.protects_request(batch, request)) {
            Some(&request) if rules.met(batch) => vec![Action::Preempt(rules.request(request).id)],
            _ => plan(rules, batch, 0),
        }
    }),
    ("one block too few", |rules, batch| plan(rules, batch, 1)),
    ("growth is forgotten", |rules, batch| plan(rules, batch, batch.growth)),
    ("absent blocks are forgotten", |rules, batch| plan(rules, batch, batch.absent.len() as u64)),
    ("requests that end in this round free their blocks first", |rules, batch| {
        let ending = batch.requests.iter().map(|&request| rules.request(request));
        let ending = ending.filter(|request| request.g + 1 == request.m);
        plan(rules, batch, ending.map(|request| request.private_blocks_after_token()).sum())
    }),
    ("idle blocks of the batch are not protected", |rules, batch| {
        let mut resident = rules.resident().iter();
        let protected = resident.find(|&&block| {
            rules.protects_block(batch, block) && rules.block(block).state() == BlockState::Idle
        });
        match protected {
            Some(&block) if !rules.met(batch) => vec![Action::Evict(rules.block(block).id)],
            _ => plan(rules, batch, 0),
        }
    }),
    ("the batch preempts its own", |rules, batch| {
        let mut requests = batch.requests.iter().map(|&request| rules.request(request));
        match requests.find(|request| request.state == RequestState::Running) {
            Some(request) if !rules.met(batch) => vec![Action::Preempt(request.id)],
            _ => plan(rules, batch, 0),
        }
    }),
];

/// The plan without a mistake.
pub fn right(rules: &Rules, batch: &Batch) -> Vec<Action> {
    plan(rules, batch, 0)
}

/// Whatever is legal, until all but `missing` blocks of the need are free.
fn plan(rules: &Rules, batch: &Batch, missing: u64) -> Vec<Action> {
    let mut rules = rules.clone();
    let mut plan = Vec::new();
    while rules.free() + missing < batch.need() {
        let action = rules.legal_actions(batch)[0];
        rules.act(batch, action).expect("a legal action");
        plan.push(action);
    }
    plan
}
