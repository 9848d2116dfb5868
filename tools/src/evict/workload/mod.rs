//! Workloads of `kv_evict`: seeded inputs of every plausible kind, within the statement's limits
//! and those of its subtasks.
//!
//! A [`Case`] names an input: a family (a scheduler, a way to share prompts, a kind of arrivals),
//! a subtask whose limits it keeps, a level of memory pressure and a seed. The same case gives the
//! same input on every machine, for as long as the generators and the version of `rand` stay.
//!
//! Pressure is what the blocks of all open requests come to, relative to C: 0.85 to 1.15 at
//! level 0, where plain rules do well, 1 to 1.35 at level 1 and 1.2 to 1.7 at level 2. Schedulers
//! that finish what they have begun feel it less, and in some cases any rule will do.
//!
//! # Held out
//!
//! Two families (`fair` and `agents`) and all seeds from [`HELD_OUT_SEED`] up are set aside: they
//! measure how a policy does on what its makers have not seen. No work on a policy looks at them
//! before it is finished, no prior is trained on them. [`corpus`] leaves them out; they are to be
//! had by [`held_out`], or by naming a case.

mod family;
pub mod mooncake;
mod prompts;
mod queueing;
mod queues;
mod scheduler;
mod setting;
mod small;
mod stage;
pub mod subtask;

pub use family::{Family, FAMILIES};
pub use setting::LEVELS;
pub use subtask::Subtask;

use super::input::Input;
use family::Plan;
use rand::rngs::StdRng;
use rand::SeedableRng;
use setting::Setting;
use std::fmt;

/// Seeds from here up are held out.
pub const HELD_OUT_SEED: u64 = 1000;

/// The name of an input. `Display` prints it as a file is called: `st03_rr-l0-s1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case {
    /// What kind of workload it is.
    pub family: &'static Family,
    /// Whose limits it keeps.
    pub subtask: Subtask,
    /// Memory pressure, below [`LEVELS`].
    pub level: u8,
    /// What everything else is drawn from.
    pub seed: u64,
}

impl Case {
    /// Whether it is set aside.
    pub fn held_out(&self) -> bool {
        self.family.held_out || self.seed >= HELD_OUT_SEED
    }

    /// Makes the input: some milliseconds for 10^4 commands.
    ///
    /// # Panics
    /// If the family does not serve the subtask or there is no such level.
    pub fn input(&self) -> Input {
        let Case { family, subtask, level, .. } = *self;
        assert!(family.serves(subtask), "{} has no inputs for {subtask}", family.name);
        assert!(level < LEVELS, "level {level} is not below {LEVELS}");
        let mut rng = StdRng::seed_from_u64(self.stream());
        let rng = &mut rng;
        match &family.plan {
            Plan::Queue(queue) => {
                let setting = Setting::draw(rng, subtask, level);
                queueing::queued(rng, setting, queue)
            }
            Plan::Trace => {
                let setting = Setting::draw(rng, subtask, level);
                queueing::traced(rng, &setting)
            }
            Plan::Tiny => small::tiny(rng),
            Plan::Pairs(turn) => small::pairs(rng, level, *turn),
            Plan::Lone => small::lone(rng, level),
            Plan::Reads(reading) => small::reads(rng, level, *reading),
        }
    }

    /// A seed that no other case has: made of its name, so that new families move no old ones.
    fn stream(&self) -> u64 {
        fnv(&self.to_string())
    }
}

/// FNV-1a.
fn fnv(text: &str) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, mix)
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Case { family, subtask, level, seed } = self;
        write!(f, "st{:02}_{}-l{level}-s{seed}", subtask.number(), family.name)
    }
}

/// The cases of the families that `family` selects with this seed, at every level, by subtask.
pub fn cases(seed: u64, family: impl Fn(&Family) -> bool) -> Vec<Case> {
    let mut cases = Vec::new();
    for subtask in Subtask::ALL {
        for family in FAMILIES.iter().filter(|f| f.serves(subtask) && family(f)) {
            cases.extend((0..LEVELS).map(|level| Case { family, subtask, level, seed }));
        }
    }
    cases
}

/// The built-in corpus: every family that is not held out, at every level, with seed 1.
pub fn corpus() -> Vec<Case> {
    cases(1, |family| !family.held_out)
}

/// The cases set aside: every family with seed [`HELD_OUT_SEED`] + 1, and the held-out families
/// with seed 1 as well. Only for the last measurement of a policy.
pub fn held_out() -> Vec<Case> {
    let mut held = cases(HELD_OUT_SEED + 1, |_| true);
    held.extend(cases(1, |family| family.held_out));
    held.sort_by_key(|case| case.subtask);
    held
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_keeps_the_limits_of_its_subtask() {
        for case in corpus().into_iter().chain(held_out()) {
            let input = case.input();
            case.subtask.check(&input).unwrap_or_else(|error| panic!("{case}: {error}"));
        }
    }

    #[test]
    fn a_case_is_the_same_input_every_time_and_another_seed_another() {
        let case = corpus()[20];
        assert_eq!(case.input(), case.input());
        assert_ne!(case.input(), Case { seed: 2, ..case }.input());
    }

    /// Scores before and after a change of the corpus cannot be compared: whoever makes one on
    /// purpose changes this number, and the figures that rest on it.
    #[test]
    fn the_corpus_stays_what_it_is() {
        let print = |case: Case| format!("{case} {}\n", fnv(&case.input().to_string()));
        let prints: String = corpus().into_iter().map(print).collect();
        assert_eq!(fnv(&prints), 10_200_612_702_187_793_792);
    }

    #[test]
    fn the_corpus_has_nothing_that_is_set_aside() {
        assert!(corpus().iter().all(|case| !case.held_out()));
        assert!(held_out().iter().all(|case| case.held_out()));
        assert_eq!(corpus()[0].to_string(), "st01_tiny-l0-s1");
    }
}
