//! The inputs to measure on.

use crate::evict::{limits, Limits};
use crate::{kv_retain, prefix_opt, prefix_router, quant_matmul};
use rand::rngs::StdRng;
use rand::SeedableRng;
use std::fmt;

/// An input to measure on; `Display` gives `problem/name`.
pub struct Row {
    /// The name of the solver.
    pub problem: &'static str,
    name: String,
    make: Box<dyn Fn(&mut StdRng) -> String>,
}

/// What all inputs are drawn from.
const SEED: u64 = 1;

/// Limits of `prefix_opt`.
const REQUESTS: usize = 500_000;
const TOKENS: usize = 2_000_000;

impl Row {
    fn new(
        problem: &'static str,
        name: impl Into<String>,
        make: impl Fn(&mut StdRng) -> String + 'static,
    ) -> Self {
        Row { problem, name: name.into(), make: Box::new(make) }
    }

    /// The input.
    pub fn text(&self) -> String {
        (self.make)(&mut StdRng::seed_from_u64(SEED))
    }

    /// Whether there is a floor: a program that answers as it reads does more than read ahead.
    pub fn has_floor(&self) -> bool {
        self.problem != "kv_evict"
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.problem, self.name)
    }
}

/// All rows, one problem after another.
pub fn all() -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, positions, decimals) in [
        ("limits", 200, 6),
        ("limits-17-decimals", 200, 17),
        ("50-fold", 10_000, 6),
        ("50-fold-17-decimals", 10_000, 17),
    ] {
        rows.push(Row::new("kv_retain", name, move |rng| {
            kv_retain::uniform(rng, [32, 32, positions], decimals)
        }));
    }
    for (name, reached) in [
        ("full", Limits::Full),
        ("halves", Limits::Halves),
        ("churn", Limits::Churn),
        ("wide", Limits::Wide),
    ] {
        rows.push(Row::new("kv_evict", name, move |rng| limits(rng, reached).to_string()));
    }
    // No cache at all would leave out most of the work.
    let capacities = prefix_opt::CAPACITIES[1..].iter().cycle();
    for (shape, &capacity) in prefix_opt::SHAPES.iter().zip(capacities) {
        rows.push(Row::new("prefix_opt", shape.name, move |_| {
            shape.input(REQUESTS, TOKENS, capacity, SEED).to_string()
        }));
    }
    for shape in prefix_router::SHAPES {
        rows.push(Row::new("prefix_router", shape.name, |_| {
            shape.input(prefix_router::Size::FULL, SEED).to_string()
        }));
    }
    for size in [
        [512, 512, 512],
        [1024, 1024, 1024],
        [2048, 2048, 2048],
        [20_000, 16, 64],
        [64, 16, 20_000],
        [8, 1_000_000, 8],
    ] {
        let [m, k, n] = size;
        rows.push(Row::new("quant_matmul", format!("{m}x{k}x{n}"), move |rng| {
            quant_matmul::uniform(rng, size, 3)
        }));
    }
    rows
}
