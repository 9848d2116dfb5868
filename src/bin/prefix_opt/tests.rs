use super::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::HashMap;

fn requests(list: &[(usize, u32, &[u32])]) -> Requests {
    let mut requests = Requests::new();
    for &(origin, kept, tokens) in list {
        let mut rest = tokens.iter().copied();
        requests.push(origin, kept, tokens.len(), |count, tokens| {
            tokens.extend(rest.by_ref().take(count));
        });
    }
    requests.settle();
    requests
}

#[test]
fn the_example_of_the_explanation_holds() {
    let example = || requests(&[(0, 0, &[1, 2]), (1, 1, &[3]), (1, 2, &[])]);
    assert_eq!(example().tokens(), 6);
    assert_eq!([0, 1, 2, 3].map(|capacity| solve(example(), capacity)), [0, 2, 3, 3]);
}

#[test]
fn an_entry_that_is_not_kept_at_once_does_not_come_back() {
    let requests = requests(&[(0, 0, &[10]), (0, 0, &[20]), (1, 1, &[]), (2, 1, &[])]);
    assert_eq!(solve(requests, 1), 1);
}

#[test]
fn one_sequence_is_one_entry_however_it_is_described() {
    let list: [(usize, u32, &[u32]); 4] =
        [(0, 0, &[5, 5, 5]), (1, 3, &[]), (1, 1, &[5, 5]), (0, 0, &[5, 5, 5])];
    assert_eq!(solve(requests(&list), 3), 9);
}

#[test]
fn ten_thousand_repeats_of_a_long_request_are_hits_as_far_as_the_cache_reaches() {
    for (capacity, cached) in [(1_000_000_000, 100_000), (30_000, 30_000)] {
        let mut requests = Requests::new();
        let mut long = 0..100_000;
        requests.push(0, 0, 100_000, |count, tokens| tokens.extend(long.by_ref().take(count)));
        for request in 1..10_000 {
            requests.push(request, 100_000, 0, |_, _| {});
        }
        requests.settle();
        assert_eq!(requests.tokens(), 1_000_000_000);
        assert_eq!(solve(requests, capacity), 9_999 * cached);
    }
}

/// A cache that holds whole prefixes and throws out the one that is used again last, the
/// longest of several; sequences are written out.
fn simulate(sequences: &[Vec<u32>], capacity: usize) -> u64 {
    let mut hits = 0;
    let mut cache: HashMap<&[u32], usize> = HashMap::new();
    for (now, sequence) in sequences.iter().enumerate() {
        let prefixes = (1..=sequence.len()).map(|length| &sequence[..length]);
        hits += prefixes.clone().take_while(|prefix| cache.contains_key(prefix)).count() as u64;
        for prefix in prefixes {
            let later = sequences[now + 1..].iter();
            let next = later.take_while(|later| !later.starts_with(prefix)).count();
            cache.insert(prefix, now + 1 + next);
        }
        while cache.len() > capacity {
            let last = cache.iter().max_by_key(|(prefix, &next)| (next, prefix.len()));
            let victim = *last.expect("the cache is too large").0;
            cache.remove(victim);
        }
    }
    hits
}

#[test]
fn random_requests_hit_as_much_as_in_a_simulated_cache() {
    for seed in 0..20_000 {
        let rng = &mut StdRng::seed_from_u64(seed);
        let alphabet = rng.random_range(1..=3);
        let mut requests = Requests::new();
        let mut sequences = vec![vec![]];
        for _ in 0..rng.random_range(1..20) {
            let origin = rng.random_range(0..sequences.len());
            let kept = rng.random_range(0..=sequences[origin].len());
            let tokens: Vec<u32> =
                (0..rng.random_range(0..4)).map(|_| rng.random_range(0..alphabet)).collect();
            requests.push(origin, kept as u32, tokens.len(), |_, fresh| fresh.extend(&tokens));
            sequences.push([&sequences[origin][..kept], &tokens].concat());
        }
        requests.settle();
        let capacity = rng.random_range(0..12);
        let lengths = sequences.iter().map(|sequence| sequence.len() as u64);
        assert_eq!(requests.tokens(), lengths.sum::<u64>());
        assert_eq!(
            solve(requests, capacity),
            simulate(&sequences, capacity as usize),
            "seed {seed}, capacity {capacity}: {sequences:?}"
        );
    }
}

#[test]
fn changed_samples_are_answered_or_refused_as_they_should_be() {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/samples");
    tools::fuzz::check("prefix_opt", samples.as_ref(), 5000, |input| io::outcome(input, answer));
}
