//! `kv_retain` against a full sort.

mod common;

use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tools::kv_retain::answer;

/// Few different scores, in many notations.
const SCORES: [&str; 12] = [
    "0",
    "0.0",
    "-0.0",
    "1",
    "1.0",
    "0.5",
    "5e-1",
    ".5",
    "0.25",
    "0.250000000000000001",
    "1e-300",
    "0.4999999999999999",
];

fn case() -> impl Strategy<Value = String> {
    (1..4usize, 1..4usize, 1..5usize).prop_flat_map(|(layers, heads, positions)| {
        let entries = layers * heads * positions;
        let scores = prop::collection::vec(0..SCORES.len(), entries);
        (scores, layers * heads..=entries, 0..positions).prop_map(
            move |(scores, budget, current)| {
                let scores: Vec<_> = scores.into_iter().map(|score| SCORES[score]).collect();
                let scores = scores.join(" ");
                format!("{layers} {heads} {positions} {budget}\n{scores}\n{current}\n")
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn small_cases_full_of_ties_equal_the_full_sort(input in case()) {
        common::assert_output("kv_retain", &input, &answer(input.as_bytes()).unwrap());
    }
}

#[test]
fn medium_cases_of_any_precision_equal_the_full_sort() {
    let mut random = StdRng::seed_from_u64(1);
    for case in 0..60 {
        let [layers, heads, positions] = [0; 3].map(|_| random.random_range(1..20usize));
        let entries = layers * heads * positions;
        let budget = random.random_range(layers * heads..=entries);
        let decimals = case % 20;
        let mut input = format!("{layers} {heads} {positions} {budget}\n");
        for entry in 1..=entries {
            let score: f64 = random.random();
            let end = if entry % (heads * positions) == 0 { '\n' } else { ' ' };
            input += &format!("{score:.decimals$}{end}");
        }
        input += &format!("{}\n", random.random_range(0..positions));
        common::assert_output("kv_retain", &input, &answer(input.as_bytes()).unwrap());
    }
}
