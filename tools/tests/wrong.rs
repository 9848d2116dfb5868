//! The project's own cases reject every wrong solver.

use rand::rngs::StdRng;
use rand::SeedableRng;
use std::fs;
use std::path::Path;
use tools::evict::{self, Action, Batch, Command, Rules, Shape};
use tools::wrong::{self, Wrong};
use tools::{kv_retain, prefix_opt, prefix_router, quant_matmul};

/// The samples of a problem, and as many small random inputs as a test takes.
fn cases(problem: &str, small: fn(&mut StdRng) -> String) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples").join(problem);
    let paths = fs::read_dir(folder).expect("there are samples").map(|entry| entry.unwrap().path());
    let inputs = paths.filter(|path| path.extension().is_some_and(|extension| extension == "in"));
    let read = |path| fs::read_to_string(path).expect("a sample is text");
    let short = |input: &String| input.len() < 5000;
    let random = (0..1000).map(|seed| small(&mut StdRng::seed_from_u64(seed)));
    inputs.map(read).filter(short).chain(random).collect()
}

fn assert_rejected(
    problem: &str,
    all: &[Wrong],
    right: fn(&str) -> String,
    oracle: fn(&[u8]) -> Result<String, String>,
    small: fn(&mut StdRng) -> String,
) {
    let cases = cases(problem, small);
    let solved = cases.iter().filter_map(|input| Some((input, oracle(input.as_bytes()).ok()?)));
    let solved: Vec<_> = solved.collect();
    for (input, expected) in &solved {
        assert_eq!(right(input), *expected, "{problem}: without a mistake, on\n{input}");
    }
    for (mistake, wrong) in all {
        let rejecting = solved.iter().filter(|(input, right)| wrong(input) != *right).count();
        println!("{problem}: {mistake}: {rejecting} of {}", solved.len());
        assert!(rejecting > 0, "{problem}: no case rejects that {mistake}");
        assert!(rejecting < solved.len(), "{problem}: it is not just wrong that {mistake}");
    }
}

#[test]
fn wrong_solvers_of_kv_retain_are_rejected() {
    assert_rejected(
        "kv_retain",
        &wrong::kv_retain::ALL,
        wrong::kv_retain::right,
        kv_retain::answer,
        kv_retain::small,
    );
}

#[test]
fn wrong_solvers_of_prefix_opt_are_rejected() {
    assert_rejected(
        "prefix_opt",
        &wrong::prefix_opt::ALL,
        wrong::prefix_opt::right,
        prefix_opt::answer,
        |rng| prefix_opt::small(rng, 12).to_string(),
    );
}

#[test]
fn wrong_solvers_of_prefix_router_are_rejected() {
    assert_rejected(
        "prefix_router",
        &wrong::prefix_router::ALL,
        wrong::prefix_router::right,
        prefix_router::answer,
        prefix_router::small,
    );
}

#[test]
fn wrong_solvers_of_quant_matmul_are_rejected() {
    assert_rejected(
        "quant_matmul",
        &wrong::quant_matmul::ALL,
        wrong::quant_matmul::right,
        quant_matmul::answer,
        quant_matmul::small,
    );
}

/// How many of 300 random inputs a planner makes an illegal plan for.
fn rejected(planner: fn(&Rules, &Batch) -> Vec<Action>) -> usize {
    let illegal = |seed: &u64| {
        let input = evict::random(&mut StdRng::seed_from_u64(*seed), &Shape::SMALL);
        let mut rules = Rules::new(input.s, input.c);
        input.commands.iter().any(|command| match command {
            Command::Decode(ids) => {
                let batch = rules.batch(ids).expect("a legal batch");
                let plan = planner(&rules, &batch);
                rules.decode(batch, &plan).is_err()
            }
            other => rules.apply(other).is_err(),
        })
    };
    (0..300).filter(illegal).count()
}

#[test]
fn wrong_planners_of_kv_evict_are_rejected() {
    assert_eq!(rejected(wrong::kv_evict::right), 0);
    for (mistake, planner) in wrong::kv_evict::ALL {
        let rejected = rejected(planner);
        println!("{mistake}: {rejected} of 300");
        assert!(rejected > 0, "no input rejects that {mistake}");
    }
}
