//! `prefix_router` against a comparison of every request with every cached sequence.

mod common;

use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tools::prefix_router::{answer, Size, SHAPES};

/// Few tokens, in many notations; some begin like others.
const TOKENS: [&str; 9] = ["1", "2", "12", "7", "007", "+7", "-0", "0", "-7"];

fn sequence(lengths: std::ops::Range<usize>) -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(TOKENS.to_vec()), lengths)
}

fn case() -> impl Strategy<Value = String> {
    let load = prop_oneof![0..4u64, Just(1 << 32), Just((1 << 40) - 1)];
    let node = (load, prop::collection::vec(sequence(1..5), 0..4));
    let line_end = prop::sample::select(vec!["\n", "\r\n", " \n", "\n\n"]);
    let request = (sequence(0..6), line_end);
    (prop::collection::vec(node, 1..5), prop::collection::vec(request, 0..9), 0..3usize).prop_map(
        |(nodes, requests, surplus)| {
            // Blank lines count or not, depending on how many others there are.
            let announced = requests.len().saturating_sub(surplus);
            let mut input = format!("{} {announced}\n", nodes.len());
            for (load, _) in &nodes {
                input += &format!("{load} ");
            }
            for (_, sequences) in &nodes {
                input += &format!("\n{}", sequences.len());
                for sequence in sequences {
                    input += &format!(" {}", sequence.join(","));
                }
            }
            input += "\n";
            for (request, end) in &requests {
                input += &format!("{}{end}", request.join(" "));
            }
            input
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5000))]

    #[test]
    fn small_cases_of_few_tokens_equal_the_comparison(input in case()) {
        common::assert_output("prefix_router", &input, &answer(input.as_bytes()).unwrap());
    }
}

/// A request or cached sequence that shares a prefix with others more often than not.
fn related(alphabet: i64, longest: usize, random: &mut StdRng) -> Vec<String> {
    let length = random.random_range(1..=longest);
    let mut token = || random.random_range(0..alphabet).min(random.random_range(0..alphabet));
    (0..length).map(|_| (token() - 1).to_string()).collect()
}

#[test]
fn medium_cases_equal_the_comparison() {
    let mut random = StdRng::seed_from_u64(4);
    for case in 0..120 {
        let nodes = random.random_range(1..=[3, 40, 300][case % 3]);
        let alphabet = random.random_range(1..=[2, 5, 50][case / 3 % 3]);
        let longest = random.random_range(1..=12);
        let requests = random.random_range(0..400);
        let same_load = random.random();
        let mut input = format!("{nodes} {requests}\n");
        for _ in 0..nodes {
            input += &format!("{} ", if same_load { 5 } else { random.random_range(0..50) });
        }
        for _ in 0..nodes {
            let sequences = random.random_range(0..4);
            input += &format!("\n{sequences}");
            for _ in 0..sequences {
                input += &format!(" {}", related(alphabet, longest, &mut random).join(","));
            }
        }
        for _ in 0..requests {
            input += &format!("\n{}", related(alphabet, longest, &mut random).join(" "));
        }
        common::assert_output("prefix_router", &input, &answer(input.as_bytes()).unwrap());
    }
}

/// All nodes hold some long prompts; requests that match nothing shift the loads between visits.
#[test]
fn loads_that_shift_between_visits_to_large_sets_are_followed() {
    let mut random = StdRng::seed_from_u64(5);
    for nodes in [20, 100, 400] {
        let prompts = 5;
        let mut input = format!("{nodes} 1500\n{}", "7 ".repeat(nodes));
        for _ in 0..nodes {
            let held: Vec<_> = (1..=prompts).filter(|_| random.random_range(0..8) > 0).collect();
            input += &format!("\n{}", held.len());
            held.iter().for_each(|prompt| input += &format!(" {prompt},{prompt},{prompt}"));
        }
        for request in 0..1500 {
            let prompt = random.random_range(1..=prompts);
            input += &match random.random_range(0..4) {
                0 => format!("\n{prompt} {prompt} {request}"),
                1 => format!("\n{prompt} {prompt} {prompt}"),
                _ => format!("\n{}", 1000 + request),
            };
        }
        common::assert_output("prefix_router", &input, &answer(input.as_bytes()).unwrap());
    }
}

#[test]
fn every_shape_is_answered_as_by_the_comparison() {
    let sizes = [(4, 16, 250), (12, 60, 1500), (90, 300, 6000), (30, 1500, 20_000)];
    for shape in SHAPES {
        for (nodes, requests, tokens) in sizes {
            for seed in 1..=3 {
                let input = shape.input(Size { nodes, requests, tokens }, seed).to_string();
                let expected = answer(input.as_bytes()).unwrap();
                common::assert_output("prefix_router", &input, &expected);
            }
        }
    }
}

#[test]
fn a_load_beyond_64_bits_is_an_error() {
    let run = common::run("prefix_router", b"1 2\n18446744073709551614\n0\n1\n2 3\n");
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    assert!(run.stderr.starts_with("prefix_router: line 5, column 3: "), "{}", run.stderr);
}
