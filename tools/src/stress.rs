//! Makes failing inputs small, whatever their format.
//!
//! An input is what a generator makes of random words. [`Choices`] remembers the words, so that not
//! the input is shrunk, whose counts and references would have to be mended after every cut, but the
//! words, of which the generator makes a valid input again: the idea of Hypothesis (MacIver and
//! Donaldson, ECOOP 2020).

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng, TryRng};
use std::convert::Infallible;

/// Random words to make an input of: given ones first, then zeros, which mean the least of
/// everything, or random ones. All that were asked for are remembered.
pub struct Choices {
    words: Vec<u64>,
    next: usize,
    /// Zeros that are left. A generator that waits for something else must not wait for ever.
    zeros: usize,
    rest: StdRng,
}

impl Choices {
    /// Words of a random seed.
    pub fn random(seed: u64) -> Self {
        Choices { words: Vec::new(), next: 0, zeros: 0, rest: StdRng::seed_from_u64(seed) }
    }

    /// These words, and zeros behind them.
    fn given(words: Vec<u64>) -> Self {
        const ZEROS: usize = 1000;
        Choices { words, next: 0, zeros: ZEROS, rest: StdRng::seed_from_u64(0) }
    }

    fn word(&mut self) -> u64 {
        if self.next == self.words.len() {
            self.words.push(match self.zeros.checked_sub(1) {
                None => self.rest.next_u64(),
                Some(left) => {
                    self.zeros = left;
                    0
                }
            });
        }
        self.next += 1;
        self.words[self.next - 1]
    }
}

impl TryRng for Choices {
    type Error = Infallible;

    /// The upper half of a word: a generator's ranges look at the upper bits.
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.word() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.word())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.word().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

/// An input with the words that it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The input.
    pub text: String,
    words: Vec<u64>,
}

impl Made {
    /// What a generator makes of these choices.
    pub fn of(mut choices: Choices, generate: impl Fn(&mut dyn Rng) -> String) -> Self {
        let text = generate(&mut choices);
        choices.words.truncate(choices.next);
        Made { text, words: choices.words }
    }

    /// Shorter first, then what has smaller digits.
    fn key(&self) -> (usize, &str, usize, &[u64]) {
        (self.text.len(), &self.text, self.words.len(), &self.words)
    }
}

/// A short input that `fails` like `made` does, with the number of inputs that were tried: at most
/// `tries`, several times as many as `made` has random words if nothing is to be left undone.
///
/// # Errors
/// The first error of `fails`.
pub fn shrink(
    made: Made,
    generate: impl Fn(&mut dyn Rng) -> String,
    tries: usize,
    mut fails: impl FnMut(&str) -> Result<bool, String>,
) -> Result<(Made, usize), String> {
    let (mut best, mut tried) = (made, 0);
    let mut attempt = |best: &mut Made, words: Vec<u64>| {
        let made = Made::of(Choices::given(words), &generate);
        if made.key() >= best.key() || tried == tries {
            return Ok(false);
        }
        if made.text != best.text {
            tried += 1;
            if !fails(&made.text)? {
                return Ok(false);
            }
        }
        *best = made;
        Ok::<bool, String>(true)
    };
    loop {
        let before = best.clone();
        // Cuts, the large ones first.
        let mut length = best.words.len().next_power_of_two();
        while length > 0 {
            let mut at = 0;
            while at < best.words.len() {
                let mut words = best.words.clone();
                words.drain(at..(at + length).min(words.len()));
                if !attempt(&mut best, words)? {
                    at += length;
                }
            }
            length /= 2;
        }
        // Smaller words, the smallest first.
        let mut at = 0;
        while at < best.words.len() {
            for shift in 0..8 {
                let mut words = best.words.clone();
                words[at] -= words[at] >> shift;
                if attempt(&mut best, words)? {
                    break;
                }
            }
            at += 1;
        }
        if best == before {
            return Ok((best, tried));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    fn numbers(rng: &mut dyn Rng) -> String {
        let count = rng.random_range(1..=30);
        let numbers = (0..count).map(|_| rng.random_range(0..1000u32).to_string());
        numbers.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn an_input_shrinks_to_the_least_that_fails() {
        let has_large =
            |text: &str| Ok(text.split(' ').any(|x| x.parse::<u32>().expect("a number") >= 500));
        for seed in 0..20 {
            let made = Made::of(Choices::random(seed), numbers);
            if has_large(&made.text).unwrap() {
                let (least, _) = shrink(made, numbers, 10_000, has_large).unwrap();
                let value: u32 = least.text.parse().expect("one number is left");
                assert!((500..=510).contains(&value), "{value}");
            }
        }
    }

    #[test]
    fn no_more_inputs_are_tried_than_allowed() {
        let mut calls = 0;
        let made = Made::of(Choices::random(1), numbers);
        let fails = |_: &str| {
            calls += 1;
            Ok(false)
        };
        let (_, tried) = shrink(made, numbers, 5, fails).unwrap();
        assert_eq!((tried, calls), (5, 5));
    }

    #[test]
    fn a_generator_that_waits_for_other_words_than_zeros_gets_them() {
        let waits = |rng: &mut dyn Rng| {
            while rng.next_u64() == 0 {}
            String::new()
        };
        assert_eq!(Made::of(Choices::given(Vec::new()), waits).text, "");
    }
}
