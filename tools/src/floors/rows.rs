//! The inputs to measure on.

use crate::evict::{limits, Limits};
use crate::{kv_retain, prefix_opt, prefix_router, quant_matmul};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::fmt::{self, Write};

/// An input to measure on; `Display` gives `problem/name`.
pub struct Row {
    /// The name of the solver, or [`READING`].
    pub problem: &'static str,
    /// The input's. Of ways to read: the kind of numbers, `/`, the way.
    pub name: String,
    make: Box<dyn Fn(&mut StdRng) -> String>,
}

/// Stands for a problem where ways to read are measured.
pub const READING: &str = "reading";

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
    for numbers in ["decimals", "decimals-17", "integers"] {
        for way in ["scanner", "input-from-scanner", "input", "split-and-parse"] {
            rows.push(Row::new(READING, format!("{numbers}/{way}"), |rng| list(rng, numbers)));
        }
    }
    rows
}

/// A million numbers behind their number, ten on a line.
fn list(rng: &mut StdRng, numbers: &str) -> String {
    let length = 1_000_000;
    let mut text = length.to_string();
    for index in 0..length {
        text.push(if index % 10 == 0 { '\n' } else { ' ' });
        let written = match numbers {
            "decimals" => write!(text, "{:.6}", rng.random::<f64>()),
            "decimals-17" => write!(text, "{:.17}", rng.random::<f64>()),
            _ => {
                let digits = rng.random_range(1..=9);
                write!(text, "{}", rng.random_range(1..10u32.pow(digits)))
            }
        };
        written.expect("a string takes all");
    }
    text + "\n"
}
