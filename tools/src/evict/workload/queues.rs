//! Schedulers with a memory: queues, sessions, gangs, sweeps, slots, tenants and agents.

use super::scheduler::Scheduler;
use super::stage::Stage;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::RngExt;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Where the request of this arrival is, if it is still open.
fn place(stage: &Stage, arrival: usize) -> Option<usize> {
    stage.open.binary_search_by_key(&arrival, |open| open.arrival).ok()
}

/// Round-robin: who has had its quantum of tokens goes to the end of the queue.
pub(super) struct Quanta {
    quantum: u64,
    /// Arrivals with the tokens had in this turn.
    queue: VecDeque<(usize, u64)>,
    seen: usize,
}

impl Quanta {
    pub(super) fn new(quantum: u64) -> Self {
        Quanta { quantum, queue: VecDeque::new(), seen: 0 }
    }
}

impl Scheduler for Quanta {
    fn batch(&mut self, _: &mut StdRng, stage: &Stage, n: usize) -> Vec<usize> {
        self.queue.retain(|&(arrival, _)| place(stage, arrival).is_some());
        let new = stage.open.iter().filter(|open| open.arrival >= self.seen);
        self.queue.extend(new.map(|open| (open.arrival, 0)));
        self.seen = stage.arrivals;
        let first = self.queue.iter().take(n);
        first.filter_map(|&(arrival, _)| place(stage, arrival)).collect()
    }

    fn decoded(&mut self, _: &mut StdRng, arrivals: &[usize]) {
        for &arrival in arrivals {
            let Some(at) = self.queue.iter().position(|entry| entry.0 == arrival) else {
                continue;
            };
            self.queue[at].1 += 1;
            if self.queue[at].1 == self.quantum {
                self.queue.remove(at);
                self.queue.push_back((arrival, 0));
            }
        }
    }
}

/// Each request comes for a few tokens and then thinks before it returns.
pub(super) struct Sessions {
    burst: u64,
    think: usize,
    round: usize,
    /// Tokens left of the burst and the round from which the request is ready.
    state: HashMap<usize, (u64, usize)>,
}

impl Sessions {
    pub(super) fn new(rng: &mut StdRng) -> Self {
        Sessions {
            burst: *[2, 4, 8].choose(rng).expect("three"),
            think: *[5, 15, 40].choose(rng).expect("three"),
            round: 0,
            state: HashMap::new(),
        }
    }
}

impl Scheduler for Sessions {
    fn batch(&mut self, rng: &mut StdRng, stage: &Stage, n: usize) -> Vec<usize> {
        self.round = stage.round;
        for open in &stage.open {
            let burst = self.burst;
            let fresh = || (rng.random_range(1..=2 * burst - 1), open.since);
            self.state.entry(open.arrival).or_insert_with(fresh);
        }
        let ready = |at: usize| self.state[&stage.open[at].arrival].1;
        let mut batch: Vec<usize> =
            (0..stage.open.len()).filter(|&at| ready(at) <= stage.round).collect();
        batch.sort_by_key(|&at| ready(at));
        batch.truncate(n);
        if batch.is_empty() {
            // Whoever would return first ends its thinking.
            batch.extend((0..stage.open.len()).min_by_key(|&at| ready(at)));
        }
        batch
    }

    fn decoded(&mut self, rng: &mut StdRng, arrivals: &[usize]) {
        for arrival in arrivals {
            let (left, ready) = self.state.get_mut(arrival).expect("it was scheduled");
            // A request taken out of turn may have had its burst.
            *left = left.saturating_sub(1);
            if *left == 0 {
                *left = rng.random_range(1..=2 * self.burst - 1);
                *ready = self.round + rng.random_range(self.think / 2..=self.think * 3 / 2);
            } else {
                *ready = (*ready).min(self.round);
            }
        }
    }
}

/// Gangs that are decoded together, each for some rounds in a row.
pub(super) struct Groups {
    /// Chance that the gang of the last round goes on.
    stay: f64,
    /// Whether the gangs take turns; otherwise any may be next.
    turns: bool,
    gang: Option<usize>,
}

impl Groups {
    pub(super) fn new(rng: &mut StdRng) -> Self {
        let stay = *[0.0, 0.5, 0.8].choose(rng).expect("three");
        Groups { stay, turns: rng.random_bool(0.5), gang: None }
    }
}

impl Scheduler for Groups {
    fn batch(&mut self, rng: &mut StdRng, stage: &Stage, n: usize) -> Vec<usize> {
        let mut gangs: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, open) in stage.open.iter().enumerate() {
            gangs.entry(open.group).or_default().push(at);
        }
        let stays = self.gang.filter(|gang| gangs.contains_key(gang) && rng.random_bool(self.stay));
        let next = stays.unwrap_or_else(|| {
            let ids: Vec<usize> = gangs.keys().copied().collect();
            let after = ids.iter().find(|&&id| self.gang.is_some_and(|gang| id > gang));
            match self.turns {
                true => *after.unwrap_or(&ids[0]),
                false => *ids.choose(rng).expect("somebody is open"),
            }
        });
        self.gang = Some(next);
        let mut batch = gangs.remove(&next).expect("an open gang");
        batch.sort_by_key(|&at| stage.open[at].used);
        batch.truncate(n);
        batch
    }
}

/// A hand that moves over the open requests in order of arrival.
pub(super) struct Sweep {
    at: usize,
    stride: usize,
    /// Whether it turns at the ends instead of starting anew.
    turning: bool,
    back: bool,
}

impl Sweep {
    pub(super) fn striding(rng: &mut StdRng) -> Self {
        Sweep { at: 0, stride: rng.random_range(2..=7), turning: false, back: false }
    }

    pub(super) fn turning() -> Self {
        Sweep { at: 0, stride: 1, turning: true, back: false }
    }
}

impl Scheduler for Sweep {
    fn batch(&mut self, _: &mut StdRng, stage: &Stage, n: usize) -> Vec<usize> {
        let count = stage.open.len();
        let mut batch = Vec::new();
        for _ in 0..n.min(count) {
            self.at = match (self.turning, self.back) {
                (false, _) => (self.at + self.stride) % count,
                (true, false) => self.at + 1,
                (true, true) => self.at.saturating_sub(1),
            };
            if self.turning && self.at + 1 >= count {
                self.back = true;
            }
            self.at = self.at.min(count - 1);
            if self.at == 0 {
                self.back = false;
            }
            if !batch.contains(&self.at) {
                batch.push(self.at);
            }
        }
        batch
    }
}

/// Continuous batching: a fixed number of slots, refilled from the queue as requests end; now and
/// then a slot is taken from its holder in favour of who has waited longest.
pub(super) struct Batching {
    slots: Vec<usize>,
    takeover: f64,
}

impl Batching {
    pub(super) fn new(rng: &mut StdRng) -> Self {
        let takeover = *[0.02, 0.1, 0.25].choose(rng).expect("three");
        Batching { slots: Vec::new(), takeover }
    }
}

impl Scheduler for Batching {
    fn batch(&mut self, rng: &mut StdRng, stage: &Stage, n: usize) -> Vec<usize> {
        self.slots.retain(|&arrival| place(stage, arrival).is_some());
        if rng.random_bool(self.takeover) && !self.slots.is_empty() {
            // The newest admission gives way, as in serving engines short of memory.
            self.slots.pop();
        }
        self.slots.truncate(n);
        while self.slots.len() < n.min(stage.open.len()) {
            let waiting = stage.open.iter().filter(|open| !self.slots.contains(&open.arrival));
            let next = waiting.min_by_key(|open| (open.used, open.arrival)).expect("enough open");
            self.slots.push(next.arrival);
        }
        self.slots.iter().filter_map(|&arrival| place(stage, arrival)).collect()
    }
}

/// The tenants that had the fewest tokens first, and of each its oldest request.
#[derive(Default)]
pub(super) struct Tenants {
    served: HashMap<usize, u64>,
    group_of: HashMap<usize, usize>,
}

/// Tenants that share the GPU.
const TENANTS: usize = 5;

impl Scheduler for Tenants {
    fn batch(&mut self, _: &mut StdRng, stage: &Stage, n: usize) -> Vec<usize> {
        let mut served: Vec<u64> =
            (0..TENANTS).map(|tenant| self.served.get(&tenant).copied().unwrap_or(0)).collect();
        let mut left: Vec<usize> = (0..stage.open.len()).collect();
        let mut batch = Vec::new();
        while batch.len() < n && !left.is_empty() {
            let tenant = |at: usize| stage.open[at].group % TENANTS;
            let first = (0..left.len()).min_by_key(|&i| (served[tenant(left[i])], left[i]));
            let at = left.remove(first.expect("not empty"));
            served[tenant(at)] += 1;
            self.group_of.insert(stage.open[at].arrival, tenant(at));
            batch.push(at);
        }
        batch
    }

    fn decoded(&mut self, _: &mut StdRng, arrivals: &[usize]) {
        for arrival in arrivals {
            // One that noise brought in is on the house.
            if let Some(&tenant) = self.group_of.get(arrival) {
                *self.served.entry(tenant).or_default() += 1;
            }
        }
    }
}

/// Calls within calls: of each group the newest request runs while those before it wait for its
/// result; the groups that have waited longest go first.
#[derive(Default)]
pub(super) struct Agents {
    served: HashMap<usize, usize>,
    round: usize,
}

impl Scheduler for Agents {
    fn batch(&mut self, _: &mut StdRng, stage: &Stage, n: usize) -> Vec<usize> {
        let mut newest: BTreeMap<usize, usize> = BTreeMap::new();
        for (at, open) in stage.open.iter().enumerate() {
            newest.insert(open.group, at);
        }
        let mut groups: Vec<(usize, usize)> = newest.into_iter().collect();
        // A group goes on for some tokens before the next takes its place.
        let last = |group: usize| self.served.get(&group).map_or(0, |round| round / 4);
        groups.sort_by_key(|&(group, at)| (last(group), Reverse(at)));
        groups.truncate(n);
        self.round += 1;
        for &(group, _) in &groups {
            self.served.insert(group, self.round);
        }
        groups.into_iter().map(|(_, at)| at).collect()
    }
}
