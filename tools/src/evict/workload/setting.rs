//! The sizes of one case: the GPU, the load and the distributions that its requests come from.

use super::subtask::Subtask;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::RngExt;

/// Levels of memory pressure: what the blocks of all open requests come to, relative to C.
pub const LEVELS: u8 = 3;

/// How the tokens to generate are distributed.
#[derive(Clone, Copy, Debug)]
enum Lengths {
    /// Evenly from half to one and a half of the mean.
    Even,
    /// Geometric: many short, some very long.
    Tailed,
    /// Four in five short, the others six times as long.
    TwoKinds,
}

/// What a case draws once and keeps.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    pub(super) s: u64,
    pub(super) c: u64,
    /// Commands.
    pub(super) q: usize,
    /// Least and most references of a request.
    pub(super) k: (usize, usize),
    /// Least and most requests of a batch.
    pub(super) n: (usize, usize),
    /// Blocks that the open requests together should need.
    pub(super) load: u64,
    /// Private tokens of a request at most, so that a full batch of such fits.
    widest: u64,
    /// Mean private tokens of a request's input.
    private: u64,
    /// Mean tokens to generate.
    mean: u64,
    lengths: Lengths,
    /// Share of requests that are several times as large and long as the others.
    pub(super) giants: f64,
    /// Chance that a round is preceded by a CANCEL.
    pub(super) cancels: f64,
    /// Chance that a slot of a batch goes to anybody, whatever the scheduler says.
    pub(super) noise: f64,
    /// Shared blocks in the common pool.
    pub(super) pool: usize,
    /// Commands before the end from which on nobody comes any more.
    pub(super) last_call: usize,
}

impl Setting {
    /// Draws the sizes of a case of subtask 3 to 7 at a level of memory pressure, 0 to 2.
    pub(super) fn draw(rng: &mut StdRng, subtask: Subtask, level: u8) -> Self {
        let bounds = subtask.bounds();
        let (sizes, capacities): (&[u64], &[u64]) = match subtask.number() {
            3 => (&[2, 4, 8, 16], &[64, 80, 96]),
            4 => (&[8, 16, 32], &[96, 120, 145]),
            5 => (&[4, 8, 16], &[100, 128, 150]),
            6 => (&[16, 32, 64], &[96, 120, 140]),
            _ => (&[1, 16, 100, 1024], &[24, 60, 300, 3000]),
        };
        let mut among = |values: &[u64]| *values.choose(rng).expect("not empty");
        let (s, c) = (among(sizes), among(capacities));
        let mean = among(&[6, 8, 10, 16, 24, 30]);
        let percent = match level {
            0 => rng.random_range(85..=115),
            1 => rng.random_range(100..=135),
            _ => rng.random_range(120..=170),
        };
        let most = match rng.random_bool(0.6) {
            true => bounds.n as usize,
            false => rng.random_range(2.max(bounds.n / 2)..=bounds.n) as usize,
        };
        let least = *[1, most.div_ceil(2), most].choose(rng).expect("three");
        let most_k = bounds.k as usize;
        let load = (c * percent / 100).max(4);

        // A share of the load for shared blocks, the rest for some dozens of open requests; a full
        // batch of average ones leaves room for others.
        let pool = if most_k == 0 { 0 } else { (c * rng.random_range(25..=40) / 100).min(45) };
        let requests = if subtask.number() == 7 { 9..=26 } else { 20..=52 };
        let requests = rng.random_range(requests);
        let widest = (c / most as u64).saturating_sub(most_k as u64).max(2);
        let blocks = (load.saturating_sub(pool / 2) / requests).clamp(1, widest.div_ceil(2));
        // On average a request has generated half of its tokens.
        let mean = mean.min((blocks * s).max(4));
        let private = (blocks * s).saturating_sub(mean / 2).max(s / 2).max(1);
        Setting {
            s,
            c,
            q: bounds.q.1 as usize - rng.random_range(0..=5),
            k: (usize::from(most_k > 0 && rng.random_bool(0.5)), most_k),
            n: (least, most),
            load,
            widest: widest * s,
            private,
            mean,
            lengths: *[Lengths::Even, Lengths::Tailed, Lengths::TwoKinds].choose(rng).expect("3"),
            giants: 0.0,
            cancels: *[0.0, 0.0, 0.01, 0.03].choose(rng).expect("four"),
            noise: *[0.0, 0.0, 0.05, 0.15].choose(rng).expect("four"),
            pool: pool as usize,
            last_call: bounds.q.1 as usize * rng.random_range(0..=2) / 10,
        }
    }

    /// A number of requests for the next batch.
    pub(super) fn batch_size(&self, rng: &mut StdRng) -> usize {
        rng.random_range(self.n.0..=self.n.1)
    }

    /// A number of references.
    pub(super) fn references(&self, rng: &mut StdRng) -> usize {
        rng.random_range(self.k.0..=self.k.1)
    }

    /// Private input tokens and tokens to generate of a new request.
    pub(super) fn size(&self, rng: &mut StdRng) -> (u64, u64) {
        let scale = if self.giants > 0.0 && rng.random_bool(self.giants) { 4 } else { 1 };
        let private = scale * rng.random_range(0..=2 * self.private);
        let m = scale * self.length(rng);
        self.cut(private, m)
    }

    fn cut(&self, private: u64, m: u64) -> (u64, u64) {
        let m = m.clamp(1, self.widest / 2);
        (private.min(self.widest - m), m)
    }

    /// Private input tokens and tokens to generate of a request that has `input` and `output`
    /// thousandths of what is usual.
    pub(super) fn scaled(&self, input: u64, output: u64) -> (u64, u64) {
        self.cut(self.private * input / 1000, self.mean * output / 1000)
    }

    fn length(&self, rng: &mut StdRng) -> u64 {
        let mean = self.mean;
        match self.lengths {
            Lengths::Even => rng.random_range(mean.div_ceil(2)..=mean + mean / 2),
            Lengths::Tailed => {
                let mut m = 1;
                while m < 8 * mean && !rng.random_ratio(1, mean as u32) {
                    m += 1;
                }
                m
            }
            Lengths::TwoKinds if rng.random_bool(0.2) => 3 * mean,
            Lengths::TwoKinds => mean.div_ceil(2),
        }
    }
}
