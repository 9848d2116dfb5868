//! The optimum, by simulating a cache that knows the future.

use std::collections::{BTreeMap, HashMap};

use super::Input;

/// The most hits, by simulating a cache that throws out what is used again last.
///
/// Every trie node is a cache item of its own, known to the cache by the time of its next use
/// only; of items that the same request uses next, the deepest goes first, so that what stays is
/// always free of gaps. O(total length · log n) time and O(total length) memory: for up to some
/// 4·10^7 tokens in all requests together.
pub fn belady(input: &Input) -> u64 {
    let ends = Nodes::insert_all(input);

    // Going back in time, the next use of each node on each request's path, as runs
    // (next use, nodes) from the deepest up. 0 is never.
    let mut next_use = vec![0; ends.nodes.parent.len()];
    let mut runs_by_request = Vec::new();
    for (now, &end) in ends.ends.iter().enumerate().rev() {
        let mut runs: Vec<(usize, u64)> = Vec::new();
        let mut node = end;
        while node != ROOT {
            let next = std::mem::replace(&mut next_use[node], now);
            match runs.last_mut() {
                Some((time, count)) if *time == next => *count += 1,
                _ => runs.push((next, 1)),
            }
            node = ends.nodes.parent[node];
        }
        runs_by_request.push(runs);
    }

    let mut hits = 0;
    // How many cached items each future request uses next.
    let mut cached: BTreeMap<usize, u64> = BTreeMap::new();
    let mut size = 0;
    for (now, runs) in runs_by_request.iter().rev().enumerate() {
        let hit = cached.remove(&now).unwrap_or(0);
        hits += hit;
        size -= hit;
        for &(next, count) in runs.iter().filter(|run| run.0 != 0) {
            *cached.entry(next).or_insert(0) += count;
            size += count;
        }
        while size > input.capacity {
            let mut last = cached.last_entry().expect("the cache has items");
            let evicted = (size - input.capacity).min(*last.get());
            size -= evicted;
            *last.get_mut() -= evicted;
            if *last.get() == 0 {
                last.remove();
            }
        }
    }
    hits
}

const ROOT: usize = 0;

/// A trie with one node for every prefix.
struct Nodes {
    parent: Vec<usize>,
    depth: Vec<usize>,
    children: HashMap<(usize, u32), usize>,
}

struct Ends {
    nodes: Nodes,
    /// Where each request ends, the empty request 0 first.
    ends: Vec<usize>,
}

impl Nodes {
    fn insert_all(input: &Input) -> Ends {
        let mut nodes = Nodes { parent: vec![ROOT], depth: vec![0], children: HashMap::new() };
        let mut ends = vec![ROOT];
        for request in &input.requests {
            let mut node = ends[request.origin];
            while nodes.depth[node] > request.kept {
                node = nodes.parent[node];
            }
            for &token in &request.tokens {
                node = nodes.child(node, token);
            }
            ends.push(node);
        }
        Ends { nodes, ends }
    }

    fn child(&mut self, node: usize, token: u32) -> usize {
        let fresh = self.parent.len();
        let child = *self.children.entry((node, token)).or_insert(fresh);
        if child == fresh {
            self.parent.push(node);
            self.depth.push(self.depth[node] + 1);
        }
        child
    }
}

#[cfg(test)]
mod tests {
    use super::super::{brute_force, small};
    use super::*;
    use rand::rngs::StdRng;
    use rand::SeedableRng;

    #[test]
    fn small_inputs_are_answered_as_by_brute_force() {
        for seed in 0..3000 {
            let input = small(&mut StdRng::seed_from_u64(seed), 10);
            assert_eq!(belady(&input), brute_force(&input), "seed {seed}\n{input}");
        }
    }
}
