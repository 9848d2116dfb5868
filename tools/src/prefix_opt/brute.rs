//! The optimum, by trying everything.

use std::collections::HashMap;

use super::Input;

/// The most hits, by trying every content that the cache can have after every request.
///
/// O(n · 4^d) for d different prefixes; at most 20 of them.
///
/// # Panics
/// If there are more different prefixes.
pub fn brute_force(input: &Input) -> u64 {
    let sequences = input.sequences();
    let mut prefixes: Vec<&[u32]> = Vec::new();
    for sequence in &sequences {
        for length in 1..=sequence.len() {
            if !prefixes.contains(&&sequence[..length]) {
                prefixes.push(&sequence[..length]);
            }
        }
    }
    assert!(prefixes.len() <= 20, "{} prefixes", prefixes.len());

    // Cache contents are sets of prefixes, as bits.
    let mut most_hits = HashMap::from([(0u32, 0)]);
    for sequence in &sequences {
        let path: Vec<u32> = (1..=sequence.len())
            .filter_map(|length| prefixes.iter().position(|&p| p == &sequence[..length]))
            .map(|place| 1 << place)
            .collect();
        let mut next = HashMap::new();
        for (cache, hits) in most_hits {
            let hits = hits + path.iter().take_while(|&bit| cache & bit != 0).count() as u64;
            let available = path.iter().fold(cache, |set, bit| set | bit);
            let mut kept = available;
            loop {
                if u64::from(kept.count_ones()) <= input.capacity {
                    let best = next.entry(kept).or_insert(hits);
                    *best = hits.max(*best);
                }
                if kept == 0 {
                    break;
                }
                kept = (kept - 1) & available;
            }
        }
        most_hits = next;
    }
    most_hits.into_values().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::Request;
    use super::*;

    fn input(capacity: u64, requests: &[(usize, usize, &[u32])]) -> Input {
        let request = |&(origin, kept, tokens): &(usize, usize, &[u32])| Request {
            origin,
            kept,
            tokens: tokens.to_vec(),
        };
        Input { capacity, requests: requests.iter().map(request).collect() }
    }

    #[test]
    fn the_statements_samples_are_met() {
        let first = input(1, &[(0, 0, &[1, 2]), (1, 1, &[3]), (1, 2, &[])]);
        assert_eq!(brute_force(&first), 2);
        let second = input(1, &[(0, 0, &[10]), (0, 0, &[20]), (1, 1, &[]), (2, 1, &[])]);
        assert_eq!(brute_force(&second), 1);
    }

    #[test]
    fn entries_behind_a_gap_are_no_hits() {
        // Whatever one entry is kept, the request of two tokens hits its first at most.
        let repeat = input(1, &[(0, 0, &[1, 2]), (1, 2, &[])]);
        assert_eq!(brute_force(&repeat), 1);
    }
}
