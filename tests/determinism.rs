//! The same input gives the same output on every run, whatever the seeds of the hash tables.

mod common;

use rand::rngs::StdRng;
use rand::SeedableRng;
use tools::evict::{random, Shape};
use tools::{prefix_opt, prefix_router};

/// Runs a solver on `input` three times, each as a process with hash seeds of its own.
#[track_caller]
fn check(binary: &str, input: &str) {
    let mut runs = (0..3).map(|_| common::run(binary, input.as_bytes()));
    let first = runs.next().expect("three runs");
    assert_eq!((first.code, first.stderr.as_str()), (Some(0), ""), "{binary}");
    assert!(runs.all(|run| run.stdout == first.stdout), "{binary} on {input}");
}

#[test]
fn plans_are_the_same_on_every_run() {
    for seed in 0..100 {
        check("kv_evict", &random(&mut StdRng::seed_from_u64(seed), &Shape::SMALL).to_string());
    }
}

#[test]
fn hit_rates_are_the_same_on_every_run() {
    for shape in prefix_opt::SHAPES {
        check("prefix_opt", &shape.input(2_000, 8_000, 1_000, 1).to_string());
    }
}

#[test]
fn routes_are_the_same_on_every_run() {
    let size = prefix_router::Size { nodes: 300, requests: 2_000, tokens: 100_000 };
    for shape in prefix_router::SHAPES {
        check("prefix_router", &shape.input(size, 1).to_string());
    }
}
