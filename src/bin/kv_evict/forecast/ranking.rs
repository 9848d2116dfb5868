//! Learning to rank: who of the candidates is used first.
//!
//! A linear score; exp(score) is a hazard. After a round the candidates are used in some order,
//! and the model of Plackett (1975) and Luce says how likely that order is: the next one used is
//! each of those left in proportion to its hazard. Its gradient is simple (ListMLE, Xia et al.
//! 2008): what the chosen one has, less what those left have on average. Steps are Adagrad's
//! (Duchi et al. 2011). Those of one batch are tied, which Efron's approximation handles.
//!
//! Several such experts learn side by side, each from a starting point of its own: the schedulers
//! that a prior has been trained on fall into kinds. How well each foretells decides what it
//! counts, as Bayes has it.

use super::features::{Row, FEATURES};
use super::math::{exp, ln};
use super::prior::PRIORS;

/// A starting point: weights, one of each feature.
pub type Prior = [f32; FEATURES];

/// Size of the first steps.
const RATE: f32 = 0.05;
/// What the sums of squared gradients start from.
const DOUBT: f32 = 2.0;
/// How strongly weights are drawn back to where they started, a step.
const PULL: f32 = 0.001;

/// The weight that a byte of the table of priors stands for: a square, finest at 0, up to ±2.
pub fn decode(byte: u8) -> f32 {
    let root = f32::from(byte) - 80.0;
    root * root.abs() / 1000.0
}

/// The starting points that training has found.
pub fn priors() -> Vec<Prior> {
    PRIORS.iter().map(|prior| prior.map(decode)).collect()
}

/// A linear model that learns.
pub struct Expert {
    pub weights: Row,
    prior: Row,
    /// Sums of squared gradients.
    squares: Row,
    /// How well it has foretold lately, as a logarithm.
    pub merit: f64,
}

/// Sum of products, in four lanes.
pub fn dot(a: &Row, b: &Row) -> f32 {
    let mut lanes = [0.0f32; 4];
    for (a, b) in a.chunks_exact(4).zip(b.chunks_exact(4)) {
        for lane in 0..4 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}

impl Expert {
    /// An expert at its starting point.
    pub fn new(prior: &Prior) -> Self {
        Expert { weights: *prior, prior: *prior, squares: [0.0; FEATURES], merit: 0.0 }
    }

    /// exp(score) of each row, the largest 1.
    pub fn hazards(&self, rows: &mut dyn Iterator<Item = &Row>) -> Vec<f64> {
        let mut scores: Vec<f64> = rows.map(|row| f64::from(dot(&self.weights, row))).collect();
        let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for score in &mut scores {
            *score = exp((*score - top).max(-30.0));
        }
        scores
    }

    /// Learns that the `chosen` of these rows were used before the others. Returns the mean log
    /// likelihood of a choice relative to blind guessing.
    pub fn learn(&mut self, rows: &[&Row], chosen: &[bool]) -> f64 {
        let hazards = self.hazards(&mut rows.iter().copied());
        let total: f64 = hazards.iter().sum();
        let of_chosen = hazards.iter().zip(chosen).filter(|&(_, &chosen)| chosen);
        let of_chosen: f64 = of_chosen.map(|(hazard, _)| hazard).sum();
        let count = chosen.iter().filter(|&&chosen| chosen).count();
        let (mut all, mut tied, mut likelihood) = (0.0, 0.0, 0.0);
        for earlier in 0..count {
            let share = earlier as f64 / count as f64;
            let left = (total - share * of_chosen).max(1e-12);
            all += 1.0 / left;
            tied += (1.0 - share) / left;
            likelihood -= ln(left / (rows.len() - earlier) as f64);
        }
        let mut gradient = [0.0f32; FEATURES];
        for ((row, hazard), &chosen) in rows.iter().zip(&hazards).zip(chosen) {
            let factor = if chosen {
                likelihood += ln(hazard.max(1e-14));
                1.0 - hazard * tied
            } else {
                -hazard * all
            };
            let factor = factor as f32;
            for (sum, value) in gradient.iter_mut().zip(row.iter()) {
                *sum += factor * value;
            }
        }
        let kept = self.weights.iter_mut().zip(&self.prior).zip(&mut self.squares);
        for (((weight, prior), squares), slope) in kept.zip(gradient) {
            *squares += slope * slope;
            let rate = RATE / (*squares + DOUBT).sqrt();
            *weight += rate * (slope - PULL * (*weight - prior));
        }
        likelihood / count as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expert_learns_what_the_chosen_have() {
        let mut expert = Expert::new(&[0.0; FEATURES]);
        let rows = [0.0f32, 1.0, 0.5].map(|first| {
            let mut row = [0.0; FEATURES];
            row[0] = first;
            row
        });
        let rows: Vec<&Row> = rows.iter().collect();
        let blind = expert.learn(&rows, &[false, true, false]);
        assert!(blind.abs() < 1e-9, "all alike are guessed blindly, not by {blind}");
        let better = (0..100).map(|_| expert.learn(&rows, &[false, true, false])).last().unwrap();
        assert!(better > 0.2 && expert.weights[0] > 0.3, "{better}");
        assert_eq!(expert.weights[1], 0.0);
    }

    #[test]
    fn the_table_reaches_from_zero_to_two() {
        assert_eq!(decode(b'P'), 0.0);
        assert!(decode(b'#') < -2.0 && decode(b'~') > 2.0);
    }
}
