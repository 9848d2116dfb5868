//! Who is decoded next: the trait, its kinds, and the schedulers that need no memory of their own.

use super::queues::{Agents, Batching, Groups, Quanta, Sessions, Sweep, Tenants};
use super::stage::{Open, Stage};
use rand::rngs::StdRng;
use rand::seq::{index, IndexedRandom, SliceRandom};
use rand::RngExt;

/// A scheduler of decode rounds.
pub(super) trait Scheduler {
    /// Places in `stage.open`, which is not empty, of the next batch: at least one, at most `n`,
    /// the most wanted first.
    fn batch(&mut self, rng: &mut StdRng, stage: &Stage, n: usize) -> Vec<usize>;

    /// The batch has been decoded; `arrivals` are those of it that fitted.
    fn decoded(&mut self, rng: &mut StdRng, arrivals: &[usize]) {
        let _ = (rng, arrivals);
    }
}

/// A way of scheduling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    RoundRobin,
    FirstCome,
    LastCome,
    Shortest,
    Longest,
    Deadline,
    Priority,
    Feedback,
    Sessions,
    Groups,
    Uniform,
    Skewed,
    Drifting,
    Stride,
    Zigzag,
    Batching,
    /// Several of the above, one after the other.
    Phases,
    Tenants,
    Agents,
}

impl Kind {
    /// What [`Kind::Phases`] switches between.
    const SWITCHED: [Kind; 9] = [
        Kind::RoundRobin,
        Kind::FirstCome,
        Kind::LastCome,
        Kind::Shortest,
        Kind::Priority,
        Kind::Uniform,
        Kind::Drifting,
        Kind::Sessions,
        Kind::Groups,
    ];

    /// A scheduler with its own random parameters.
    pub(super) fn make(self, rng: &mut StdRng) -> Box<dyn Scheduler> {
        let mut ranked = |key| {
            let window = *[1, 1, 2, 3, 4].choose(rng).expect("five");
            let turns = rng.random_bool(0.5);
            Box::new(Ranked { key, window, turns }) as Box<dyn Scheduler>
        };
        match self {
            Kind::RoundRobin => Box::new(Quanta::new(*[1, 1, 2, 4, 8].choose(rng).expect("five"))),
            Kind::FirstCome => ranked(|open, _| (open.arrival as u64, 0)),
            Kind::LastCome => ranked(|open, _| (u64::MAX - open.arrival as u64, 0)),
            Kind::Shortest => ranked(|open, _| (open.left(), open.arrival as u64)),
            Kind::Longest => ranked(|open, _| (u64::MAX - open.left(), open.arrival as u64)),
            Kind::Deadline => ranked(|open, _| (open.deadline as u64, open.arrival as u64)),
            Kind::Priority => ranked(|open, round| {
                // Waiting makes urgent: one class for every sixty rounds.
                let waited = round.saturating_sub(open.used.max(open.since)) as u64 / 60;
                (open.priority.saturating_sub(waited), open.used as u64)
            }),
            Kind::Feedback => ranked(|open, _| {
                let tier = u64::from((open.g / 2 + 1).ilog2());
                (tier, open.used as u64)
            }),
            Kind::Sessions => Box::new(Sessions::new(rng)),
            Kind::Groups => Box::new(Groups::new(rng)),
            Kind::Uniform => Box::new(Uniform),
            Kind::Skewed => Box::new(Skewed),
            Kind::Drifting => {
                Box::new(Drifting { hot: Vec::new(), size: rng.random_range(6..=16) })
            }
            Kind::Stride => Box::new(Sweep::striding(rng)),
            Kind::Zigzag => Box::new(Sweep::turning()),
            Kind::Batching => Box::new(Batching::new(rng)),
            Kind::Phases => Box::new(Phases { kinds: Vec::new(), until: 0 }),
            Kind::Tenants => Box::new(Tenants::default()),
            Kind::Agents => Box::new(Agents::default()),
        }
    }
}

/// What a request is ranked by; it may go by the number of rounds so far.
type Key = fn(&Open, usize) -> (u64, u64);

/// The requests of the smallest keys, or some out of `window` times as many: those admitted to a
/// batch larger than what a round decodes.
struct Ranked {
    key: Key,
    window: usize,
    /// Whether the admitted take turns; otherwise any of them may be next.
    turns: bool,
}

impl Scheduler for Ranked {
    fn batch(&mut self, rng: &mut StdRng, stage: &Stage, n: usize) -> Vec<usize> {
        let mut places: Vec<usize> = (0..stage.open.len()).collect();
        places.sort_by_key(|&at| (self.key)(&stage.open[at], stage.round));
        places.truncate(n * self.window);
        if self.window > 1 && self.turns {
            places.sort_by_key(|&at| stage.open[at].used);
        } else if self.window > 1 {
            places.shuffle(rng);
        }
        places.truncate(n);
        places
    }
}

/// Anybody, all alike.
struct Uniform;

impl Scheduler for Uniform {
    fn batch(&mut self, rng: &mut StdRng, stage: &Stage, n: usize) -> Vec<usize> {
        let count = stage.open.len();
        index::sample(rng, count, n.min(count)).into_vec()
    }
}

/// Anybody, in proportion to its weight.
struct Skewed;

impl Scheduler for Skewed {
    fn batch(&mut self, rng: &mut StdRng, stage: &Stage, n: usize) -> Vec<usize> {
        let mut left: Vec<usize> = (0..stage.open.len()).collect();
        let mut batch = Vec::new();
        while batch.len() < n && !left.is_empty() {
            let weight = |&at: &usize| stage.open[at].weight + 1;
            let mut drawn = rng.random_range(0..left.iter().map(weight).sum());
            let lands = |at: &usize| match drawn.checked_sub(weight(at)) {
                Some(rest) => {
                    drawn = rest;
                    false
                }
                None => true,
            };
            let place = left.iter().position(lands).expect("less than the sum was drawn");
            batch.push(left.swap_remove(place));
        }
        batch
    }
}

/// Mostly a small hot set, of which one member is exchanged now and then.
struct Drifting {
    hot: Vec<usize>,
    size: usize,
}

impl Scheduler for Drifting {
    fn batch(&mut self, rng: &mut StdRng, stage: &Stage, n: usize) -> Vec<usize> {
        let place =
            |&arrival: &usize| stage.open.binary_search_by_key(&arrival, |o| o.arrival).ok();
        self.hot.retain(|arrival| place(arrival).is_some());
        if rng.random_bool(0.2) && !self.hot.is_empty() {
            let at = rng.random_range(0..self.hot.len());
            self.hot.swap_remove(at);
        }
        let size = self.size.max(n).min(stage.open.len());
        while self.hot.len() < size {
            let arrival = stage.open.choose(rng).expect("not empty").arrival;
            if !self.hot.contains(&arrival) {
                self.hot.push(arrival);
            }
        }
        let chosen = index::sample(rng, self.hot.len(), n.min(self.hot.len()));
        chosen.into_iter().filter_map(|at| place(&self.hot[at])).collect()
    }
}

/// One of two or three schedulers at a time, each for a while that nobody announces.
struct Phases {
    /// The current one last.
    kinds: Vec<Box<dyn Scheduler>>,
    until: usize,
}

impl Scheduler for Phases {
    fn batch(&mut self, rng: &mut StdRng, stage: &Stage, n: usize) -> Vec<usize> {
        if self.kinds.is_empty() {
            let count = rng.random_range(2..=3);
            let kinds = Kind::SWITCHED.sample(rng, count);
            let kinds: Vec<Kind> = kinds.copied().collect();
            self.kinds = kinds.into_iter().map(|kind| kind.make(rng)).collect();
            self.until = stage.round + rng.random_range(30..=150);
        }
        if stage.round >= self.until {
            self.kinds.rotate_right(1);
            self.until = stage.round + rng.random_range(30..=150);
        }
        self.kinds.last_mut().expect("two or three").batch(rng, stage, n)
    }

    fn decoded(&mut self, rng: &mut StdRng, arrivals: &[usize]) {
        self.kinds.last_mut().expect("two or three").decoded(rng, arrivals);
    }
}
