//! `prefix_opt` as a program, against two slower ones that work differently.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use proptest::prelude::*;
use proptest::sample::Index;
use rand::rngs::StdRng;
use rand::SeedableRng;
use tools::prefix_opt::{belady, brute_force, reduced, small, Input, Request, CAPACITIES, SHAPES};

fn run(input: &str) -> Output {
    let mut solver = Command::new(env!("CARGO_BIN_EXE_prefix_opt"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the solver starts");
    let mut stdin = solver.stdin.take().expect("a pipe");
    // A solver that finds an error need not read the rest.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    solver.wait_with_output().expect("the solver ends")
}

/// What the solver prints on a good input.
fn answer(input: &str) -> String {
    let output = run(input);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?} on\n{input}");
    String::from_utf8(output.stdout).expect("digits")
}

/// What it should print if the cache hits that often.
fn expected(input: &Input, hits: u64) -> String {
    let tokens = input.lengths().iter().map(|&length| length as u64).sum();
    let (a, b) = reduced(hits, tokens);
    format!("{a} {b}\n")
}

#[test]
fn the_statements_samples_are_met() {
    assert_eq!(answer("3 1\n0 0 2 1 2\n1 1 1 3\n1 2 0\n"), "1 3\n");
    assert_eq!(answer("4 1\n0 0 1 10\n0 0 1 20\n1 1 0\n2 1 0\n"), "1 4\n");
}

#[test]
fn no_hit_is_a_reduced_fraction_too() {
    assert_eq!(answer("2 0\n0 0 3 7 7 7\n1 3 0\n"), "0 1\n");
}

#[test]
fn line_ends_and_blanks_do_not_matter() {
    let expected = "1 3\n";
    assert_eq!(answer("3 1\r\n0 0 2 1 2\r\n1 1 1 3\r\n1 2 0"), expected);
    assert_eq!(
        answer("\n3\t1 0 0 2 \n\n 1\n2 1 1 1 3 1 2 0  \n what follows is ignored"),
        expected
    );
}

#[test]
fn tokens_may_be_any_32_bit_number() {
    assert_eq!(answer("2 9\n0 0 2 0 4294967295\n0 0 2 0 4294967295\n"), "1 2\n");
}

#[test]
fn bad_input_is_named_with_its_place() {
    let cases = [
        ("", 1, 1, "an integer from 1 to 4294967294"),
        ("0 5\n", 1, 1, "an integer from 1 to 4294967294"),
        ("1 -5\n", 1, 3, "an integer from 0 to 18446744073709551615"),
        ("1 1\n1 0 1 1\n", 2, 1, "an integer from 0 to 0"),
        ("2 1\n0 0 1 1\n1 2 0\n", 3, 3, "an integer from 0 to 1"),
        ("2 1\n0 0 2 5 5\n1 0 0\n", 3, 5, "an integer from 1 to 2147483646"),
        ("1 1\n0 0 2 1\n", 3, 1, "an integer from 0 to 4294967295"),
        ("1 1\n0 0 1 x\n", 2, 7, "an integer from 0 to 4294967295"),
        ("1 1\n0 0 1 4294967296\n", 2, 7, "an integer from 0 to 4294967295"),
        ("1 1\n0 0 2147483649 1\n", 2, 5, "an integer from 1 to 2147483648"),
    ];
    for (input, line, column, expected) in cases {
        let output = run(input);
        assert_eq!(output.status.code(), Some(1), "on {input:?}");
        assert!(output.stdout.is_empty());
        let message = String::from_utf8(output.stderr).expect("text");
        let start =
            format!("prefix_opt: line {line}, column {column}: expected {expected}, found ");
        assert!(message.starts_with(&start), "{message:?} on {input:?}");
        assert_eq!(message.lines().count(), 1);
    }
}

#[test]
fn a_header_that_promises_too_much_costs_nothing() {
    // Reserving what is announced here would need 8 and 32 GB.
    let promises = ["1 1000000000\n0 0 2147483648 1\n", "4000000000 1\n0 0 1 1\n"];
    for input in promises {
        let message = String::from_utf8(run(input).stderr).expect("text");
        assert!(message.ends_with("found the end of the input\n"), "{message}");
    }
}

#[test]
fn small_dense_inputs_are_answered_as_by_brute_force() {
    for seed in 0..3000 {
        let input = small(&mut StdRng::seed_from_u64(seed), 9);
        let hits = brute_force(&input);
        assert_eq!(answer(&input.to_string()), expected(&input, hits), "seed {seed}\n{input}");
    }
}

#[test]
fn medium_dense_inputs_are_answered_as_by_simulation() {
    for seed in 0..3000 {
        let input = small(&mut StdRng::seed_from_u64(seed), 60);
        let hits = belady(&input);
        assert_eq!(answer(&input.to_string()), expected(&input, hits), "seed {seed}\n{input}");
    }
}

#[test]
fn every_shape_is_answered_as_by_simulation() {
    for shape in SHAPES {
        for (requests, tokens) in [(40, 100), (400, 3000)] {
            for capacity in CAPACITIES {
                let input = shape.input(requests, tokens, capacity, capacity);
                let expected = expected(&input, belady(&input));
                assert_eq!(answer(&input.to_string()), expected, "{}, {capacity}", shape.name);
            }
        }
        let input = shape.input(3000, 20_000, 2000, 1);
        let expected = expected(&input, belady(&input));
        assert_eq!(answer(&input.to_string()), expected, "{}, large", shape.name);
    }
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
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn any_input_is_answered_as_by_simulation(input in inputs()) {
        prop_assert_eq!(answer(&input.to_string()), expected(&input, belady(&input)));
    }
}
