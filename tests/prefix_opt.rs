//! `prefix_opt` as a program, against two slower ones that work differently.

mod common;

use proptest::prelude::*;
use proptest::sample::Index;
use rand::rngs::StdRng;
use rand::SeedableRng;
use tools::prefix_opt::{belady, brute_force, reduced, small, Input, Request, CAPACITIES, SHAPES};

/// Checks the answer to `input`, given how often an optimal cache hits.
#[track_caller]
fn check(input: &Input, hits: u64) {
    let tokens = input.lengths().iter().map(|&length| length as u64).sum();
    let (a, b) = reduced(hits, tokens);
    common::assert_output("prefix_opt", &input.to_string(), &format!("{a} {b}\n"));
}

#[test]
fn tokens_may_be_any_32_bit_number() {
    common::assert_output("prefix_opt", "2 9\n0 0 2 0 4294967295\n0 0 2 0 4294967295\n", "1 2\n");
}

#[test]
fn bad_input_is_named_with_its_place() {
    let cases = [
        ("", 1, 1, "an integer from 1 to 2147483647"),
        ("0 5\n", 1, 1, "an integer from 1 to 2147483647"),
        ("1 -5\n", 1, 3, "an integer from 0 to 18446744073709551615"),
        ("1 1\n1 0 1 1\n", 2, 1, "an integer from 0 to 0"),
        ("2 1\n0 0 1 1\n1 2 0\n", 3, 3, "an integer from 0 to 1"),
        ("2 1\n0 0 2 5 5\n1 0 0\n", 3, 5, "an integer from 1 to 2147483645"),
        ("1 1\n0 0 2 1\n", 3, 1, "an integer from 0 to 4294967295"),
        ("1 1\n0 0 1 x\n", 2, 7, "an integer from 0 to 4294967295"),
        ("1 1\n0 0 1 4294967296\n", 2, 7, "an integer from 0 to 4294967295"),
        ("1 1\n0 0 2147483648 1\n", 2, 5, "an integer from 1 to 2147483647"),
    ];
    for (input, line, column, expected) in cases {
        let run = common::run("prefix_opt", input.as_bytes());
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "on {input:?}");
        let start =
            format!("prefix_opt: line {line}, column {column}: expected {expected}, found ");
        assert!(run.stderr.starts_with(&start), "{} on {input:?}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1);
    }
}

#[test]
fn small_dense_inputs_are_answered_as_by_brute_force() {
    for seed in 0..3000 {
        let input = small(&mut StdRng::seed_from_u64(seed), 9);
        check(&input, brute_force(&input));
    }
}

#[test]
fn medium_dense_inputs_are_answered_as_by_simulation() {
    for seed in 0..1500 {
        // Enough requests for several batches of those that the solver handles together.
        let input = small(&mut StdRng::seed_from_u64(seed), if seed % 3 == 0 { 600 } else { 60 });
        check(&input, belady(&input));
    }
}

#[test]
fn every_shape_is_answered_as_by_simulation() {
    for shape in SHAPES {
        for (requests, tokens) in [(40, 100), (400, 3000)] {
            for capacity in CAPACITIES {
                let input = shape.input(requests, tokens, capacity, capacity);
                check(&input, belady(&input));
            }
        }
        let input = shape.input(3000, 20_000, 2000, 1);
        check(&input, belady(&input));
    }
}

/// Of these, the tries are too large for the processor's caches, and solved with loads ahead. The
/// simulation writes requests out, so those of some shapes are too long for it.
#[test]
fn large_shapes_are_answered_as_by_simulation() {
    let mut checked = Vec::new();
    for shape in SHAPES {
        let input = shape.input(140_000, 280_000, 2000, 1);
        let tokens: usize = input.lengths().iter().sum();
        if tokens <= 40_000_000 {
            check(&input, belady(&input));
            checked.push(shape.name);
        }
    }
    assert!(checked.len() >= 9, "only {checked:?}");
}

/// Valid inputs that shrink well: origins and kept lengths are fractions of what there is.
fn inputs() -> impl Strategy<Value = Input> {
    let request = (any::<Index>(), any::<Index>(), prop::collection::vec(1u32..=3, 0..5));
    (0u64..12, prop::collection::vec(request, 1..30)).prop_map(|(capacity, list)| {
        let mut lengths = vec![0];
        let mut requests = Vec::new();
        for (origin, kept, mut tokens) in list {
            let origin = origin.index(lengths.len());
            let kept = kept.index(lengths[origin] + 1);
            if kept + tokens.len() == 0 {
                tokens.push(1);
            }
            lengths.push(kept + tokens.len());
            requests.push(Request { origin, kept, tokens });
        }
        Input { capacity, requests }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_input_is_answered_as_by_simulation(input in inputs()) {
        check(&input, belady(&input));
    }
}
