//! Wrong solvers of problem 3.

use super::Wrong;
use crate::prefix_opt::{belady, reduced, Input, Request};
use std::collections::HashMap;

/// One of each mistake.
pub const ALL: [Wrong; 8] = [
    ("least recently used", |input| simulate(input, Cache { rank: |_, last, _| last, ..RIGHT })),
    ("new entries must be kept", |input| simulate(input, Cache { forced: true, ..RIGHT })),
    ("most recently used", |input| {
        simulate(input, Cache { rank: |_, last, _| usize::MAX - last, ..RIGHT })
    }),
    ("of prefixes that are used next together, the shortest goes first", |input| {
        let rank = |next, _, length| usize::MAX - next * 1000 - 1000 + length;
        simulate(input, Cache { rank, ..RIGHT })
    }),
    ("short prefixes go before long ones", |input| {
        simulate(input, Cache { rank: |_, _, length| length, ..RIGHT })
    }),
    ("one entry too many fits", |input| simulate(input, Cache { extra: 1, ..RIGHT })),
    ("requests that are described differently share nothing", |input| {
        let mut parsed = parse(input);
        // Tokens that a request adds are told from those of any other.
        let fresh = |(index, request): (usize, Request)| Request {
            tokens: request.tokens.iter().map(|token| token + 1000 * (index as u32 + 1)).collect(),
            ..request
        };
        parsed.requests = parsed.requests.into_iter().enumerate().map(fresh).collect();
        print(&parsed, belady(&parsed))
    }),
    ("the fraction is not reduced", |input| {
        let parsed = parse(input);
        format!("{} {}\n", belady(&parsed), tokens(&parsed))
    }),
];

/// A simulated cache by its parts.
struct Cache {
    /// What is greatest for the entry that goes last, from its next use, its last use and its length.
    rank: fn(usize, usize, usize) -> usize,
    /// Whether the entries of a request must be kept until the next one.
    forced: bool,
    /// Entries beyond the capacity.
    extra: usize,
}

const RIGHT: Cache =
    Cache { rank: |next, _, length| usize::MAX - next * 1000 - length, forced: false, extra: 0 };

/// The answer without a mistake.
pub fn right(input: &str) -> String {
    simulate(input, RIGHT)
}

fn parse(input: &str) -> Input {
    Input::parse(input.as_bytes()).expect("the input is valid")
}

fn tokens(input: &Input) -> u64 {
    input.lengths().iter().map(|&length| length as u64).sum()
}

fn print(input: &Input, hits: u64) -> String {
    let (a, b) = reduced(hits, tokens(input));
    format!("{a} {b}\n")
}

fn simulate(input: &str, cache: Cache) -> String {
    let input = parse(input);
    let sequences = input.sequences();
    let capacity =
        usize::try_from(input.capacity).unwrap_or(usize::MAX).saturating_add(cache.extra);
    let mut hits = 0;
    // The last use of each cached prefix.
    let mut cached: HashMap<&[u32], usize> = HashMap::new();
    for (now, sequence) in sequences.iter().enumerate() {
        let prefixes = || (1..=sequence.len()).map(|length| &sequence[..length]);
        hits += prefixes().take_while(|prefix| cached.contains_key(prefix)).count() as u64;
        cached.extend(prefixes().map(|prefix| (prefix, now)));
        while cached.len() > capacity {
            let next_use = |prefix: &[u32]| {
                let later = sequences[now + 1..].iter();
                later.take_while(|later| !later.starts_with(prefix)).count()
            };
            let protected = |last: usize| cache.forced && last == now;
            let key = |(prefix, last): &(&&[u32], &usize)| {
                let rank = (cache.rank)(next_use(prefix), **last, prefix.len());
                (protected(**last), rank, prefix.to_vec())
            };
            let victim = *cached.iter().min_by_key(key).expect("the cache is too full").0;
            cached.remove(victim);
        }
    }
    print(&input, hits)
}
