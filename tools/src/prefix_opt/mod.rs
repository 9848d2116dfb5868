//! The offline prefix cache: inputs, two slow solvers and generators.

mod belady;
mod brute;
mod shapes;
mod small;

pub use belady::belady;
pub use brute::brute_force;
pub use shapes::{Shape, CAPACITIES, SHAPES};
pub use small::small;

use std::fmt;

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
