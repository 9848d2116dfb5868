//! Which blocks will new requests refer to? Asked of blocks that no unfinished request refers to.
//!
//! A conditional logit over the events "this ADD refers to that block": each reference is a choice
//! among the blocks there are, of which a few others drawn at random stand for the rest. What may
//! tell is how many ADDs ago a block was last referred to and how often, with long and short
//! memories. The weights are learnt while playing, by Adagrad.

use super::history::{grade, Hazard};
use super::math::{exp, ln, power};
use crate::state::State;

const FEATURES: usize = 7;
/// Others drawn for a reference.
const OTHERS: usize = 8;
/// ADDs that are all learned from.
const MANY: u64 = 3000;
/// What a reference counts after one more ADD.
const FADES: [f32; 4] = [0.7, 0.93, 0.99, 0.999];

#[derive(Clone, Default)]
struct Past {
    /// The ADD that referred to it last, from 1; 0 for none.
    referred: u64,
    rates: [f32; 4],
}

pub struct Revival {
    adds: u64,
    pasts: Vec<Past>,
    by_age: Hazard,
    weights: [f32; FEATURES],
    squares: [f32; FEATURES],
    dice: u64,
}

impl Revival {
    pub fn new() -> Self {
        Revival {
            adds: 0,
            pasts: Vec::new(),
            by_age: Hazard::new(17),
            // Sooner those of short memory, until there is more to go by.
            weights: [-0.3, 0.0, 0.1, 0.2, 0.3, 0.0, 0.5],
            squares: [1.0; FEATURES],
            dice: 1,
        }
    }

    fn age_grade(&self, block: usize) -> usize {
        match self.pasts[block].referred {
            0 => 16,
            referred => grade((self.adds - referred) / 2),
        }
    }

    fn row(&self, block: usize) -> [f32; FEATURES] {
        let past = &self.pasts[block];
        let ago = self.adds - past.referred;
        let mut row = [0.0; FEATURES];
        row[0] = ln(1.0 + ago as f64) as f32 / 2.0;
        row[1] = f32::from(u8::from(past.referred == 0));
        for (at, fade) in FADES.into_iter().enumerate() {
            let rate = past.rates[at] * power(fade, ago);
            row[2 + at] = ln(f64::from(rate * (1.0 - fade) + 0.02)) as f32 / 2.0;
        }
        row[6] = self.by_age.log(self.age_grade(block));
        row
    }

    fn score(&self, row: &[f32; FEATURES]) -> f64 {
        row.iter().zip(&self.weights).map(|(x, w)| f64::from(x * w)).sum()
    }

    /// Likelier blocks have more; from 0 to 1.
    pub fn rating(&self, block: usize) -> f64 {
        const WIDEST: f64 = 1e4;
        let known = block < self.pasts.len();
        let score = if known { self.score(&self.row(block)) } else { 0.0 };
        0.5 + score.clamp(-WIDEST, WIDEST) / (2.0 * WIDEST)
    }

    /// Learns from an ADD with these references.
    pub fn added(&mut self, state: &State, references: &[usize]) {
        self.pasts.resize(state.blocks.len(), Past::default());
        self.by_age.fade();
        // Once it knows, it learns from some ADDs only.
        let learning = self.adds < MANY || self.adds % 16 == 0;
        let mut ascending = references.to_vec();
        ascending.sort_unstable();
        for &block in references.iter().filter(|_| learning) {
            let mut rows = vec![self.row(block)];
            let mut drawn = vec![block];
            for _ in 0..OTHERS {
                self.dice = self.dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let other = (self.dice >> 33) as usize % self.pasts.len();
                if !state.blocks[other].dropped && ascending.binary_search(&other).is_err() {
                    rows.push(self.row(other));
                    drawn.push(other);
                }
            }
            if rows.len() > 1 {
                self.step(&rows);
                let usual = 1.0 / rows.len() as f32;
                for (at, &block) in drawn.iter().enumerate() {
                    self.by_age.see(self.age_grade(block), at == 0, usual);
                }
            }
        }
        self.adds += 1;
        for &block in references {
            let past = &mut self.pasts[block];
            for (rate, fade) in past.rates.iter_mut().zip(FADES) {
                *rate = *rate * power(fade, self.adds - past.referred) + 1.0;
            }
            past.referred = self.adds;
        }
    }

    /// The first of these was chosen.
    fn step(&mut self, rows: &[[f32; FEATURES]]) {
        const RATE: f32 = 0.2;
        let hazards: Vec<f64> = rows.iter().map(|row| exp(self.score(row).min(40.0))).collect();
        let total: f64 = hazards.iter().sum();
        for at in 0..FEATURES {
            let mean: f64 =
                rows.iter().zip(&hazards).map(|(row, hazard)| f64::from(row[at]) * hazard).sum();
            let slope = rows[0][at] - (mean / total) as f32;
            self.squares[at] += slope * slope;
            self.weights[at] += RATE * slope / self.squares[at].sqrt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_come_back_are_rated_above_those_that_do_not() {
        let mut state = State::new(4, 100);
        assert!((1..=20).all(|id| state.create_block(id)));
        let mut revival = Revival::new();
        for time in 0..100 {
            // The first four in turns, each of the others once.
            let once = if time < 16 { 4 + time } else { time % 4 };
            revival.added(&state, &[(time + 1) % 4, once]);
        }
        let ratings: Vec<f64> = (0..20).map(|block| revival.rating(block)).collect();
        let rarest = ratings[..4].iter().copied().fold(1.0, f64::min);
        assert!(ratings[4..].iter().all(|&rating| rating < rarest), "{ratings:?}");
        assert!(ratings.iter().all(|rating| (0.0..=1.0).contains(rating)));
    }
}
