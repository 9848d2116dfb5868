//! What will be used when.
//!
//! The order in which requests are decoded next is nearly all there is to know, and the scheduler
//! that decides on it stays hidden. So it is learnt while playing: each open request becomes a row
//! of [`features`], experts score the rows ([`ranking`]), and the order of first uses that follows
//! teaches them. It does so again and again: a batch tells about the round before it, but also whom
//! of those that were left from two, three, five … rounds ago the scheduler took first.
//!
//! From scores to numbers that can be weighed against sizes: by the model, request `a` comes before
//! `b` with chance h(a)/(h(a) + h(b)), so the expected number of others before each is a sum over
//! pairs, and averages over experts as it is. One over it says how soon a request is used; a shared
//! block is as soon as those that refer to it together. Hazards themselves would hardly tell the
//! last from the last but one, which is what eviction asks for. Blocks without referrers are left
//! to [`revival`].
//!
//! Some columns come from a small model of common schedulers: a hand that moves over the requests
//! in order of arrival by a step of its own ([`hand`]).
//!
//! Where there are too many requests to look at each, or too many rounds, cheaper forms of the same
//! stand in; what decides is work counted, not time, so that every machine answers alike.

pub mod features;
mod hand;
mod history;
mod math;
mod prior;
pub mod ranking;
mod revival;

use crate::state::{State, Status};
use features::{scene, Scene, KEYS, KEY_VALUES};
use hand::Hand;
use history::{Hazard, Past};
use math::exp;
use ranking::{Expert, Prior};
use revival::Revival;
use std::collections::VecDeque;

/// How many rounds back the candidates are whose first uses are learned from.
const LAGS: [usize; 8] = [1, 2, 3, 5, 8, 13, 21, 34];

/// More open requests than this are not looked at one by one.
const CROWD: usize = 150;

/// Work, in nanoseconds of some machine, up to which every round is learned from; every eighth;
/// requests are looked at one by one; there is a forecast at all.
const ALL_ROUNDS: u64 = 150_000_000;
const SOME_ROUNDS: u64 = 400_000_000;
const LAST_SCENE: u64 = 500_000_000;
const LAST_FORECAST: u64 = 750_000_000;

/// What an expert's merit keeps a round, and what a batch adds.
const MERIT_KEPT: f64 = 0.98;
const MERIT_STEP: f64 = 0.25;

/// What a block's reputation keeps each time that one of its requests could have been chosen.
const REPUTATION_KEPT: f32 = 0.97;

/// Candidates of a round, and which of them have been used since.
struct Remembered {
    scene: Scene,
    used: Vec<bool>,
}

/// The learner.
pub struct Forecast {
    round: u64,
    pasts: Vec<Past>,
    /// Requests that may be open, ascending.
    live: Vec<usize>,
    /// Of each block, how often its requests were chosen, and were expected to be.
    reputations: Vec<[f32; 2]>,
    hazards: Vec<Hazard>,
    hands: [Hand; 2],
    pub experts: Vec<Expert>,
    /// The last rounds, the newest last.
    remembered: VecDeque<Remembered>,
    revival: Revival,
    /// Work done.
    effort: u64,
    /// How soon each is used, if that has been worked out since the last batch.
    requests: Vec<f64>,
    blocks: Vec<f64>,
    appraised: bool,
}

impl Forecast {
    /// Knows nothing but where its experts start.
    pub fn new(priors: &[Prior]) -> Self {
        Forecast {
            round: 0,
            pasts: Vec::new(),
            live: Vec::new(),
            reputations: Vec::new(),
            hazards: vec![Hazard::new(KEY_VALUES); KEYS],
            hands: [Hand::new(false), Hand::new(true)],
            experts: priors.iter().map(Expert::new).collect(),
            remembered: VecDeque::new(),
            revival: Revival::new(),
            effort: 0,
            requests: Vec::new(),
            blocks: Vec::new(),
            appraised: false,
        }
    }

    /// Takes in a request that has just been added.
    pub fn added(&mut self, state: &State, request: usize) {
        let references: Vec<usize> = state.shared_blocks(request).collect();
        self.revival.added(state, &references);
        self.pasts.push(Past::new(self.round));
        self.live.push(request);
    }

    /// Takes in a batch that is about to be executed.
    pub fn seen(&mut self, state: &State, batch: &[usize]) {
        self.round += 1;
        self.appraised = false;
        let has_ended = |request: usize| state.requests[request].status == Status::Ended;
        if self.is_crowded(state) {
            if self.live.len() > CROWD + state.open * 9 / 8 {
                self.live.retain(|&request| !has_ended(request));
            }
            self.remembered.clear();
            batch.iter().for_each(|&request| self.pasts[request].use_in(self.round));
            return;
        }
        self.live.retain(|&request| !has_ended(request));
        self.reputations.resize(state.blocks.len(), [0.0; 2]);
        for request in batch {
            if let Ok(place) = self.live.binary_search(request) {
                self.hands.iter_mut().for_each(|hand| hand.see(place, self.live.len()));
            }
        }
        let mut ascending = batch.to_vec();
        ascending.sort_unstable();
        self.compare(state, &ascending);
        self.learn(state, &ascending);
        for &request in batch {
            self.pasts[request].use_in(self.round);
        }
        self.remember(state, batch);
    }

    /// Compares a batch, ascending, with what was expected of the round before.
    fn compare(&mut self, state: &State, batch: &[usize]) {
        let Some(Remembered { scene, .. }) = self.remembered.back() else {
            return;
        };
        let left: Vec<usize> = (0..scene.requests.len())
            .filter(|&at| state.requests[scene.requests[at]].status != Status::Ended)
            .collect();
        let is_chosen = |at: usize| batch.binary_search(&scene.requests[at]).is_ok();
        let count = left.iter().filter(|&&at| is_chosen(at)).count();
        let mut expected = vec![0.0; left.len()];
        for (expert, share) in self.experts.iter().zip(self.shares()) {
            let hazards = expert.hazards(&mut left.iter().map(|&at| &scene.rows[at]));
            let total: f64 = hazards.iter().sum();
            for (sum, hazard) in expected.iter_mut().zip(hazards) {
                *sum += share * hazard / total;
            }
        }
        self.effort += 80 * (left.len() * self.experts.len()) as u64;
        for (&at, expected) in left.iter().zip(expected) {
            let request = scene.requests[at];
            let expected = (expected * count as f64).min(1.0) as f32;
            let past = &mut self.pasts[request];
            past.fade(self.round);
            past.expected.iter_mut().for_each(|sum| *sum += expected);
            for block in state.shared_blocks(request) {
                let [chosen, foreseen] = &mut self.reputations[block];
                *chosen = *chosen * REPUTATION_KEPT + f32::from(u8::from(is_chosen(at)));
                *foreseen = *foreseen * REPUTATION_KEPT + expected;
            }
        }
    }

    /// Learns from a batch, ascending: whom of those that were left it took first.
    fn learn(&mut self, state: &State, batch: &[usize]) {
        self.hazards.iter_mut().for_each(Hazard::fade);
        self.experts.iter_mut().for_each(|expert| expert.merit *= MERIT_KEPT);
        let learning = match self.effort {
            0..ALL_ROUNDS => true,
            ALL_ROUNDS..SOME_ROUNDS => self.round % 8 == 0,
            _ => false,
        };
        for lag in LAGS.into_iter().filter(|_| learning) {
            let Some(at) = self.remembered.len().checked_sub(lag) else {
                break;
            };
            let Remembered { scene, used } = &self.remembered[at];
            let has_ended = |at: usize| state.requests[scene.requests[at]].status == Status::Ended;
            let left: Vec<usize> =
                (0..scene.requests.len()).filter(|&at| !used[at] && !has_ended(at)).collect();
            let chosen: Vec<bool> =
                left.iter().map(|&at| batch.binary_search(&scene.requests[at]).is_ok()).collect();
            let count = chosen.iter().filter(|&&chosen| chosen).count();
            if count == 0 || count == left.len() {
                continue;
            }
            let usual = count as f32 / left.len() as f32;
            for (&at, &chosen) in left.iter().zip(&chosen) {
                for (hazard, &key) in self.hazards.iter_mut().zip(&scene.keys[at]) {
                    hazard.see(key.into(), chosen, usual);
                }
            }
            let rows: Vec<_> = left.iter().map(|&at| &scene.rows[at]).collect();
            for expert in &mut self.experts {
                expert.merit += MERIT_STEP * expert.learn(&rows, &chosen);
            }
            self.effort += 100 * (left.len() * self.experts.len()) as u64;
        }
        for Remembered { scene, used } in &mut self.remembered {
            for request in batch {
                if let Ok(at) = scene.requests.binary_search(request) {
                    used[at] = true;
                }
            }
        }
    }

    /// Looks at those who may come next, which are all but those that end with this batch.
    fn remember(&mut self, state: &State, batch: &[usize]) {
        let round = self.round;
        let ends = |request: usize| {
            self.pasts[request].used == round && state.requests[request].to_generate == 1
        };
        let requests: Vec<usize> =
            self.live.iter().copied().filter(|&request| !ends(request)).collect();
        for &request in &requests {
            self.pasts[request].fade(round);
        }
        let scene = scene(
            state,
            &self.pasts,
            &self.reputations,
            &self.hazards,
            &self.hands,
            batch,
            requests,
        );
        self.effort += 1000 * scene.requests.len() as u64;
        let used = vec![false; scene.requests.len()];
        self.remembered.push_back(Remembered { scene, used });
        if self.remembered.len() > LAGS[LAGS.len() - 1] {
            self.remembered.pop_front();
        }
    }

    /// What each expert counts; the sum is 1.
    fn shares(&self) -> Vec<f64> {
        const NOTHING: f64 = -50.0;
        let top = self.experts.iter().map(|expert| expert.merit).fold(f64::NEG_INFINITY, f64::max);
        let share = |expert: &Expert| exp((expert.merit - top).max(NOTHING));
        let shares: Vec<f64> = self.experts.iter().map(share).collect();
        let sum: f64 = shares.iter().sum();
        shares.into_iter().map(|share| share / sum).collect()
    }

    /// Works out how soon everything is used after the batch last seen.
    /// O(open · (open · experts + references)).
    pub fn appraise(&mut self, state: &State) {
        /// An expert of a smaller share need not be asked.
        const NOTHING: f64 = 1e-4;
        /// How far all are drawn to their mean, since every forecast is too sure.
        const SHRINK: f64 = 0.05;
        let Some(Remembered { scene, .. }) = self.remembered.back() else {
            return;
        };
        let count = scene.requests.len();
        let mut before = vec![0.0; count];
        for (expert, share) in self.experts.iter().zip(self.shares()) {
            if share < NOTHING {
                continue;
            }
            let hazards = expert.hazards(&mut scene.rows.iter());
            for (sum, own) in before.iter_mut().zip(&hazards) {
                // Itself counts a half here, and is to count 1.
                let others: f64 = hazards.iter().map(|other| other / (other + own)).sum();
                *sum += share * (others + 0.5);
            }
        }
        self.requests.resize(state.requests.len(), 0.0);
        self.blocks.resize(state.blocks.len(), 0.0);
        for &request in &self.live {
            self.requests[request] = 0.0;
            state.shared_blocks(request).for_each(|block| self.blocks[block] = 0.0);
        }
        let mean = before.iter().map(|before| 1.0 / before).sum::<f64>() / count.max(1) as f64;
        for (&request, before) in scene.requests.iter().zip(before) {
            let soon = 1.0 / before;
            let soon = soon + SHRINK * (mean - soon);
            self.requests[request] = soon;
            state.shared_blocks(request).for_each(|block| self.blocks[block] += soon);
        }
        self.appraised = true;
    }

    /// How soon the request is used, as one over the number of others before it. By its last use
    /// if it has not been appraised.
    pub fn request(&self, request: usize) -> f64 {
        match self.appraised {
            true => self.requests[request],
            false => 1.0 / (2 + self.pasts[request].age(self.round)) as f64,
        }
    }

    /// How soon any of those that refer to the block is used.
    pub fn block(&self, state: &State, block: usize) -> f64 {
        if self.appraised {
            return self.blocks[block];
        }
        let block = &state.blocks[block];
        f64::from(block.live) / (2 + self.round - block.last_used) as f64
    }

    /// Blocks that new requests are likelier to refer to have more; from 0 to 1.
    pub fn revival(&self, block: usize) -> f64 {
        self.revival.rating(block)
    }

    /// Whether there are too many requests, or have been too many rounds, to look at each.
    pub fn is_crowded(&self, state: &State) -> bool {
        state.open > CROWD || self.effort > LAST_SCENE
    }

    /// Whether all work has been done that may be done.
    pub fn is_exhausted(&self) -> bool {
        self.effort > LAST_FORECAST
    }

    /// Counts work that was done for a plan.
    pub fn spend(&mut self, effort: usize) {
        self.effort += effort as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A state with one shared block and `count` requests, the first two of which refer to it, and
    /// a forecast that has seen them decoded in turns.
    fn in_turns(count: usize, rounds: usize) -> (State, Forecast) {
        let mut state = State::new(1, 1_000_000);
        let mut forecast = Forecast::new(&ranking::priors());
        assert!(state.create_block(1));
        for request in 0..count {
            let blocks: &[usize] = if request < 2 { &[0] } else { &[] };
            state.add(request as u64 + 1, blocks, 3, 1000);
            forecast.added(&state, request);
        }
        for round in 0..rounds {
            let batch = [round % count];
            state.open_batch();
            assert!(state.join_batch(batch[0]));
            forecast.seen(&state, &batch);
            state.decode(&batch, &[]);
        }
        forecast.appraise(&state);
        (state, forecast)
    }

    #[test]
    fn those_in_turns_are_expected_in_turns() {
        let (_, forecast) = in_turns(9, 69);
        // The last batch was request 5.
        let soon: Vec<f64> = [6, 7, 8, 0, 1, 2, 3, 4, 5].map(|at| forecast.request(at)).to_vec();
        assert!(soon[0] > 0.9 && soon[0] > soon[1] && soon[1] > soon[2], "{soon:?}");
        assert!(soon[3..8].iter().all(|&later| soon[2] > later && later > soon[8]), "{soon:?}");
    }

    #[test]
    fn a_block_is_as_soon_as_those_that_refer_to_it_together() {
        let (state, forecast) = in_turns(9, 60);
        let sum = forecast.request(0) + forecast.request(1);
        assert_eq!(forecast.block(&state, 0), sum);
    }

    #[test]
    fn a_crowd_is_judged_by_age() {
        let (state, forecast) = in_turns(CROWD + 1, CROWD + 3);
        assert!(forecast.is_crowded(&state));
        assert_eq!([0, 2].map(|at| forecast.request(at)), [1.0 / 3.0, 1.0 / (2.0 + CROWD as f64)]);
    }
}
