//! The offline prefix cache: inputs, two slow solvers and generators.

mod belady;
mod brute;
mod lru;
mod shapes;
mod small;

pub use belady::belady;
pub use brute::brute_force;
pub use lru::lru_hits;
pub use shapes::{Shape, CAPACITIES, SHAPES};
pub use small::small;

use crate::text::Tokens;
use std::fmt;

/// The answer by simulating an optimal cache token by token; the error says why the input is not
/// valid. O(total length · log n) time, O(total length) memory.
pub fn answer(input: &[u8]) -> Result<String, String> {
    let input = Input::parse(input)?;
    let tokens = input.lengths().iter().map(|&length| length as u64).sum();
    let (a, b) = reduced(belady(&input), tokens);
    Ok(format!("{a} {b}\n"))
}

/// An input of `prefix_opt`; `to_string` gives it as the statement writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// The number of cache entries.
    pub capacity: u64,
    /// Requests 1, 2, … in order.
    pub requests: Vec<Request>,
}

/// One request: the first `kept` tokens of request `origin`, then `tokens`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The number of an earlier request; 0 is the empty one.
    pub origin: usize,
    /// How many of its tokens this request starts with.
    pub kept: usize,
    /// The rest of the request.
    pub tokens: Vec<u32>,
}

impl Request {
    /// A request made of `tokens` alone.
    pub fn fresh(tokens: Vec<u32>) -> Self {
        Request { origin: 0, kept: 0, tokens }
    }
}

impl Input {
    /// Reads an input as the statement writes it; the error says why it is not valid.
    pub fn parse(input: &[u8]) -> Result<Input, String> {
        let mut words = Tokens::new(input);
        let count = words.next(|&count: &u32| count > 0)? as usize;
        let capacity = words.next(|_: &u64| true)?;
        let mut input = Input { capacity, requests: Vec::new() };
        let mut lengths = vec![0];
        for request in 1..=count {
            let origin = words.next(|&origin: &usize| origin < request)?;
            let kept = words.next(|&kept: &usize| kept <= lengths[origin])?;
            let fresh = words.next(|&fresh: &u32| kept > 0 || fresh > 0)?;
            let mut tokens = Vec::new();
            for _ in 0..fresh {
                tokens.push(words.next(|_: &u32| true)?);
            }
            lengths.push(kept + tokens.len());
            input.requests.push(Request { origin, kept, tokens });
        }
        Ok(input)
    }

    /// Every request written out, the empty request 0 first. O(total length) time and memory.
    pub fn sequences(&self) -> Vec<Vec<u32>> {
        let mut sequences = vec![Vec::new()];
        for request in &self.requests {
            let mut sequence = sequences[request.origin][..request.kept].to_vec();
            sequence.extend(&request.tokens);
            sequences.push(sequence);
        }
        sequences
    }

    /// The length of every request, the empty request 0 first. O(n).
    pub fn lengths(&self) -> Vec<usize> {
        let mut lengths = vec![0];
        lengths.extend(self.requests.iter().map(|r| r.kept + r.tokens.len()));
        lengths
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}", self.requests.len(), self.capacity)?;
        for request in &self.requests {
            write!(f, "{} {} {}", request.origin, request.kept, request.tokens.len())?;
            for token in &request.tokens {
                write!(f, " {token}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// The answer as the statement wants it: `hits / tokens` reduced; no hit is 0/1.
pub fn reduced(hits: u64, tokens: u64) -> (u64, u64) {
    let (mut divisor, mut rest) = (tokens, hits);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (hits / divisor, tokens / divisor)
}
