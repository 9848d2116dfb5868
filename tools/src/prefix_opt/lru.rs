//! The hits of least recent use.

use std::collections::HashMap;

/// The hits of a prefix cache by least recent use, for every capacity at once: the `c`-th number is
/// that of a cache with `c` entries, the last that of one which never evicts anything.
///
/// A request is the list of its prefixes, from the shortest on, each by a number of its own; of the
/// prefixes of one request, the longest is thrown out first. A hit needs the entries used since its
/// last use to fit beside it, so one pass that counts them is enough (Mattson et al. 1970).
/// O(total length · log).
pub fn lru_hits(requests: &[Vec<u32>]) -> Vec<u64> {
    let uses = requests.iter().map(Vec::len).sum();
    let mut recent = Counts::new(uses);
    let mut last: HashMap<u32, usize> = HashMap::new();
    let mut time = 0;
    // How many uses need just this capacity to be hits.
    let mut needed: Vec<u64> = vec![0];
    for prefixes in requests {
        // Against the state before the request: the whole prefix is looked up first.
        for prefix in prefixes {
            if let Some(&used) = last.get(prefix) {
                let capacity = recent.from(used);
                if needed.len() <= capacity {
                    needed.resize(capacity + 1, 0);
                }
                needed[capacity] += 1;
            }
        }
        // The shortest prefix is the most recent.
        for &prefix in prefixes.iter().rev() {
            if let Some(used) = last.insert(prefix, time) {
                recent.add(used, -1);
            }
            recent.add(time, 1);
            time += 1;
        }
    }
    let mut hits = 0;
    for count in &mut needed {
        hits += *count;
        *count = hits;
    }
    needed
}

/// Counts by time, with sums of a suffix in O(log): a Fenwick tree.
struct Counts {
    sums: Vec<i64>,
}

impl Counts {
    fn new(times: usize) -> Self {
        Counts { sums: vec![0; times + 1] }
    }

    fn add(&mut self, time: usize, count: i64) {
        let mut at = self.sums.len() - 1 - time;
        while at < self.sums.len() {
            self.sums[at] += count;
            at += at & at.wrapping_neg();
        }
    }

    /// The sum of the counts at `time` and later.
    fn from(&self, time: usize) -> usize {
        let (mut at, mut sum) = (self.sums.len() - 1 - time, 0);
        while at > 0 {
            sum += self.sums[at];
            at &= at - 1;
        }
        sum as usize
    }
}

#[cfg(test)]
mod tests {
    use super::super::{belady, small, Input};
    use super::*;
    use rand::rngs::StdRng;
    use rand::SeedableRng;

    /// The prefixes of each request, numbered.
    fn prefixes(input: &Input) -> Vec<Vec<u32>> {
        let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
        let mut of = |sequence: Vec<u32>| {
            let lengths = 1..=sequence.len();
            let prefixes = lengths.map(|length| {
                let fresh = numbers.len() as u32;
                *numbers.entry(sequence[..length].to_vec()).or_insert(fresh)
            });
            prefixes.collect::<Vec<_>>()
        };
        input.sequences().into_iter().map(&mut of).collect()
    }

    /// A list of entries, the most recent first.
    fn simulated(requests: &[Vec<u32>], capacity: usize) -> u64 {
        let (mut cache, mut hits) = (Vec::new(), 0);
        for prefixes in requests {
            hits += prefixes.iter().take_while(|&prefix| cache.contains(prefix)).count() as u64;
            let older = cache.iter().copied().filter(|entry| !prefixes.contains(entry));
            cache = prefixes.iter().copied().chain(older).collect();
            cache.truncate(capacity);
        }
        hits
    }

    #[test]
    fn every_capacity_is_counted_as_a_simulation_counts_it() {
        for seed in 0..300 {
            let mut input = small(&mut StdRng::seed_from_u64(seed), 12);
            let requests = prefixes(&input);
            let hits = lru_hits(&requests);
            for capacity in 0..20 {
                let counted = hits[capacity.min(hits.len() - 1)];
                assert_eq!(counted, simulated(&requests, capacity), "seed {seed}, {capacity}");
                input.capacity = capacity as u64;
                assert!(counted <= belady(&input));
            }
        }
    }
}
