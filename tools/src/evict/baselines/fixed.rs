//! Fixed rules: a rank for every victim, from the state and the past.

use super::history::History;
use super::victims::{plan, Rank, Victim};
use crate::evict::{Action, Batch, Command, Policy, RequestIx, Round, Rules};

/// What a rule looks at.
pub struct View<'a> {
    /// The state.
    pub rules: &'a Rules,
    /// The past.
    pub history: &'a History,
}

/// A fixed rule.
#[derive(Clone, Copy, Debug)]
pub struct Fixed {
    /// Its short name.
    pub name: &'static str,
    /// In a few words, for lists.
    pub about: &'static str,
    rank: fn(&View, Victim) -> Rank,
}

/// A fixed rule at work. A plan costs O(C).
pub struct Play {
    rule: Fixed,
    history: History,
}

impl Fixed {
    /// The rule as a policy, for one input.
    pub fn play(self) -> Play {
        Play { rule: self, history: History::default() }
    }

    /// The rule's plan in a state and its past. O(C).
    pub fn plan(self, view: &View, batch: &Batch) -> Vec<Action> {
        plan(view.rules, batch, |victim| (self.rank)(view, victim))
    }
}

impl Policy for Play {
    fn plan(&mut self, rules: &Rules, batch: &Batch) -> Vec<Action> {
        self.rule.plan(&View { rules, history: &self.history }, batch)
    }

    fn applied(&mut self, rules: &Rules, command: &Command) {
        self.history.applied(rules, command);
    }

    fn decoded(&mut self, rules: &Rules, round: &Round) {
        self.history.decoded(rules, round);
    }
}

const DEAD: u8 = 0;
const IDLE: u8 = 1;
const RUNNING: u8 = 2;

fn rank(class: u8, value: f64) -> Rank {
    Rank { class, value }
}

/// Blocks by least recent use, those without an unfinished referrer before the others; then
/// requests by `value`, the smallest first.
fn requests_by(view: &View, victim: Victim, value: fn(&View, RequestIx) -> f64) -> Rank {
    match victim {
        Victim::Block(ix) => {
            let class = if view.rules.block(ix).live == 0 { DEAD } else { IDLE };
            rank(class, view.history.block(ix).used as f64)
        }
        Victim::Request(ix) => rank(RUNNING, value(view, ix)),
    }
}

fn used(view: &View, victim: Victim) -> f64 {
    match victim {
        Victim::Block(ix) => view.history.block(ix).used as f64,
        Victim::Request(ix) => view.history.request(ix).used as f64,
    }
}

fn kind(victim: Victim) -> u8 {
    match victim {
        Victim::Block(_) => IDLE,
        Victim::Request(_) => RUNNING,
    }
}

/// The fixed rules, by name.
pub static FIXED: [Fixed; 14] = [
    Fixed {
        name: "lru",
        about: "idle blocks, then requests, each by least recent use",
        rank: |view, victim| rank(kind(victim), used(view, victim)),
    },
    Fixed {
        name: "lru_dead",
        about: "the same, blocks that nobody waits for before other idle ones",
        rank: |view, victim| {
            requests_by(view, victim, |view, ix| view.history.request(ix).used as f64)
        },
    },
    Fixed {
        name: "lru_mixed",
        about: "blocks and requests together by least recent use",
        rank: |view, victim| rank(DEAD, used(view, victim)),
    },
    Fixed {
        name: "mru",
        about: "idle blocks, then requests, each by most recent use",
        rank: |view, victim| rank(kind(victim), -used(view, victim)),
    },
    Fixed {
        name: "fifo",
        about: "idle blocks by load, then requests by admission, the oldest first",
        rank: |view, victim| match victim {
            Victim::Block(ix) => rank(IDLE, view.history.block(ix).loaded as f64),
            Victim::Request(ix) => rank(RUNNING, view.history.request(ix).admitted as f64),
        },
    },
    Fixed {
        name: "lfu",
        about: "idle blocks, then requests, each by fewest uses",
        rank: |view, victim| match victim {
            Victim::Block(ix) => rank(IDLE, view.history.block(ix).uses as f64),
            Victim::Request(ix) => rank(RUNNING, view.rules.request(ix).g as f64),
        },
    },
    Fixed {
        name: "dead_first",
        about: "blocks that nobody waits for, then requests, then other idle blocks, by age",
        rank: |view, victim| match victim {
            Victim::Block(ix) if view.rules.block(ix).live == 0 => rank(DEAD, used(view, victim)),
            Victim::Request(_) => rank(IDLE, used(view, victim)),
            Victim::Block(_) => rank(RUNNING, used(view, victim)),
        },
    },
    Fixed {
        name: "shortest",
        about: "after dead and idle blocks, requests with the fewest tokens to go",
        rank: |view, victim| requests_by(view, victim, remaining),
    },
    Fixed {
        name: "longest",
        about: "after dead and idle blocks, requests with the most tokens to go",
        rank: |view, victim| requests_by(view, victim, |view, ix| -remaining(view, ix)),
    },
    Fixed {
        name: "smallest",
        about: "after dead and idle blocks, requests of the fewest private blocks",
        rank: |view, victim| requests_by(view, victim, size),
    },
    Fixed {
        name: "largest",
        about: "after dead and idle blocks, requests of the most private blocks",
        rank: |view, victim| requests_by(view, victim, |view, ix| -size(view, ix)),
    },
    Fixed {
        name: "newest",
        about: "vLLM: after dead and idle blocks, the newest admitted request",
        rank: |view, victim| {
            requests_by(view, victim, |view, ix| -(view.history.request(ix).admitted as f64))
        },
    },
    Fixed {
        name: "least_computed",
        about: "vLLM RFC #54644: after dead and idle blocks, requests of the fewest tokens so far",
        rank: |view, victim| {
            requests_by(view, victim, |view, ix| {
                let request = view.rules.request(ix);
                (request.p + request.g) as f64
            })
        },
    },
    Fixed {
        name: "reclaim",
        about: "vLLM PR #56897: most blocks per token to recompute, discounted by progress",
        rank: |view, victim| {
            requests_by(view, victim, |view, ix| {
                let request = view.rules.request(ix);
                let alone = |block: &&_| view.rules.block(**block).active == 1;
                let shared = request.blocks.iter().filter(alone).count() as u64;
                let reclaimed = (request.private_blocks() + shared) as f64;
                let recomputed = (request.p + request.g).max(1) as f64;
                let to_go = 1.0 - request.g as f64 / request.m as f64;
                -(reclaimed / recomputed * to_go)
            })
        },
    },
];

fn remaining(view: &View, ix: RequestIx) -> f64 {
    let request = view.rules.request(ix);
    (request.m - request.g) as f64
}

fn size(view: &View, ix: RequestIx) -> f64 {
    view.rules.request(ix).private_blocks() as f64
}
