//! Small dense random inputs.

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use super::{Input, Request};

/// A random small, dense input: few tokens, a small capacity, chains of references, exact repeats,
/// and equal sequences described in different ways. At most `prefixes` different prefixes.
///
/// # Panics
/// If `prefixes` is 0.
pub fn small(rng: &mut impl Rng, prefixes: usize) -> Input {
    assert!(prefixes > 0, "a request has a token");
    let alphabet = rng.random_range(1..=3);
    let requests = rng.random_range(1..=prefixes + 2);
    let longest = rng.random_range(1..=prefixes);
    let taste = Taste {
        repeat: rng.random_range(0.0..0.5),
        chain: rng.random_range(0.0..1.0),
        keep_all: rng.random_range(0.0..0.8),
    };

    let mut known: Vec<Vec<u32>> = Vec::new();
    let mut sequences = vec![Vec::new()];
    let mut input =
        Input { capacity: rng.random_range(0..=prefixes as u64 / 2 + 2), requests: Vec::new() };
    for _ in 0..requests {
        let request = taste.request(rng, &sequences, alphabet, longest);
        let mut sequence = sequences[request.origin][..request.kept].to_vec();
        sequence.extend(&request.tokens);
        let fresh: Vec<Vec<u32>> = (1..=sequence.len())
            .map(|length| sequence[..length].to_vec())
            .filter(|prefix| !known.contains(prefix))
            .collect();
        if known.len() + fresh.len() <= prefixes {
            known.extend(fresh);
            sequences.push(sequence);
            input.requests.push(request);
        }
    }
    if input.requests.is_empty() {
        input.requests.push(Request::fresh(vec![1]));
    }
    input
}

/// How likely a request is to be of a kind.
struct Taste {
    repeat: f64,
    chain: f64,
    keep_all: f64,
}

impl Taste {
    fn request(
        &self,
        rng: &mut impl Rng,
        sequences: &[Vec<u32>],
        alphabet: u32,
        longest: usize,
    ) -> Request {
        if rng.random_bool(self.repeat) {
            if let Some(sequence) = sequences[1..].choose(rng) {
                return described(rng, sequences, sequence);
            }
        }
        let origin = if rng.random_bool(self.chain) {
            sequences.len() - 1
        } else {
            rng.random_range(0..sequences.len())
        };
        let length = sequences[origin].len();
        let kept =
            if rng.random_bool(self.keep_all) { length } else { rng.random_range(0..=length) };
        let least = usize::from(kept == 0);
        let fresh = rng.random_range(least..=longest.saturating_sub(kept).max(least));
        Request {
            origin,
            kept,
            tokens: (0..fresh).map(|_| rng.random_range(1..=alphabet)).collect(),
        }
    }
}

/// The request that is `sequence`, by a random one of the descriptions that there are.
fn described(rng: &mut impl Rng, sequences: &[Vec<u32>], sequence: &[u32]) -> Request {
    let origin = rng.random_range(0..sequences.len());
    let common = std::iter::zip(&sequences[origin], sequence).take_while(|(a, b)| a == b).count();
    let kept = if rng.random_bool(0.5) { common } else { rng.random_range(0..=common) };
    Request { origin, kept, tokens: sequence[kept..].to_vec() }
}
