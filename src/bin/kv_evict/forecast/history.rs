//! What has been seen of each request, and hazards by one thing at a time.

use super::math::{ln, power};

/// What the past fades by, a round: short, middle and long memory.
pub const FADES: [f32; 3] = [0.8, 0.95, 0.995];

/// A request as a scheduler shows it. Rounds count from 1.
#[derive(Clone, Default)]
pub struct Past {
    /// The round before which it came.
    pub arrived: u64,
    /// The last round that it was in; 0 for none.
    pub used: u64,
    /// The last rounds in a row that it was in.
    pub streak: u64,
    /// Rounds from one use to the next, later ones counting more; 0 before the second use.
    pub gap: f32,
    /// The length of the streaks before this one, in the same way.
    pub usual_streak: f32,
    /// How often it was used lately, by `FADES`.
    pub rates: [f32; 3],
    /// How often it was expected to be used lately, by `FADES`.
    pub expected: [f32; 3],
    /// The round up to which `rates` and `expected` have faded.
    faded: u64,
}

impl Past {
    pub fn new(arrived: u64) -> Self {
        Past { arrived, faded: arrived, ..Past::default() }
    }

    /// Rounds since the last use, or since the arrival.
    pub fn age(&self, round: u64) -> u64 {
        round - self.used.max(self.arrived)
    }

    /// Lets the rates fade up to this round.
    pub fn fade(&mut self, round: u64) {
        for (at, fade) in FADES.into_iter().enumerate() {
            let factor = power(fade, round - self.faded);
            self.rates[at] *= factor;
            self.expected[at] *= factor;
        }
        self.faded = round;
    }

    /// It is in the batch of this round.
    pub fn use_in(&mut self, round: u64) {
        const NEWEST: f32 = 0.3;
        self.fade(round);
        for rate in &mut self.rates {
            *rate += 1.0;
        }
        if self.used > 0 {
            let gap = (round - self.used) as f32;
            self.gap = if self.gap == 0.0 { gap } else { self.gap + NEWEST * (gap - self.gap) };
        }
        if self.used + 1 == round && self.used > 0 {
            self.streak += 1;
        } else {
            if self.streak > 0 {
                let streak = self.streak as f32;
                self.usual_streak = match self.usual_streak {
                    0.0 => streak,
                    usual => usual + NEWEST * (streak - usual),
                };
            }
            self.streak = 1;
        }
        self.used = round;
    }
}

/// How much likelier than usual a request is to be chosen, by a thing that takes few values.
#[derive(Clone)]
pub struct Hazard {
    chosen: Vec<f32>,
    expected: Vec<f32>,
}

impl Hazard {
    /// What it keeps of the past, a round.
    const KEPT: f32 = 0.98;
    /// What it starts from: as often as usual.
    const DOUBT: f32 = 1.0;

    pub fn new(values: usize) -> Self {
        Hazard { chosen: vec![0.0; values], expected: vec![0.0; values] }
    }

    pub fn fade(&mut self) {
        for count in self.chosen.iter_mut().chain(&mut self.expected) {
            *count *= Self::KEPT;
        }
    }

    pub fn see(&mut self, value: usize, chosen: bool, expected: f32) {
        self.chosen[value] += f32::from(u8::from(chosen));
        self.expected[value] += expected;
    }

    /// ln of chosen to expected.
    pub fn log(&self, value: usize) -> f32 {
        let (chosen, expected) = (self.chosen[value], self.expected[value]);
        ln(f64::from((chosen + Self::DOUBT) / (expected + Self::DOUBT))) as f32
    }
}

/// A number as one of 16 values: exact below 8, by powers of two above.
pub fn grade(number: u64) -> usize {
    match number {
        0..8 => number as usize,
        _ => (number.ilog2() as usize + 5).min(15),
    }
}

/// A rank among `count` as one of 16 values, finest at both ends.
pub fn end_grade(rank: usize, count: usize) -> usize {
    let grade = |rank: usize| match rank {
        0..4 => rank,
        _ => (rank.ilog2() as usize + 2).min(7),
    };
    let other = count - 1 - rank;
    if rank <= other {
        grade(rank)
    } else {
        15 - grade(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_make_rates_gaps_and_streaks() {
        let mut past = Past::new(0);
        [1, 2, 5].into_iter().for_each(|round| past.use_in(round));
        assert_eq!((past.used, past.streak, past.usual_streak), (5, 1, 2.0));
        assert!((past.gap - 1.6).abs() < 1e-6 && past.age(9) == 4);
    }

    #[test]
    fn grades_are_finest_at_the_ends() {
        assert_eq!([0, 7, 8, 1 << 40].map(grade), [0, 7, 8, 15]);
        assert_eq!([0, 3, 99, 96].map(|rank| end_grade(rank, 100)), [0, 3, 15, 12]);
    }
}
