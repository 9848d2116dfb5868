use super::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeSet;

/// A random set of sequences in a trie: their ends, and themselves written out.
fn grow(seed: u64, rng: &mut StdRng) -> (Trie<i64>, Vec<Locus>, Vec<Vec<i64>>) {
    let alphabet = 1 + seed as i64 % 3;
    let mut trie = Trie::new();
    let mut ends = vec![Locus::ROOT];
    let mut sequences = vec![vec![]];
    for _ in 0..rng.random_range(0..40) {
        let origin = match rng.random_bool(0.5) {
            true => ends.len() - 1,
            false => rng.random_range(0..ends.len()),
        };
        let kept = rng.random_range(0..=sequences[origin].len());
        let fresh: Vec<i64> =
            (0..rng.random_range(0..4)).map(|_| -rng.random_range(0..alphabet)).collect();
        let from = trie.ancestor(ends[origin], kept as u32);
        ends.push(trie.insert(from, &fresh));
        sequences.push([&sequences[origin][..kept], &fresh].concat());
    }
    (trie, ends, sequences)
}

#[test]
fn a_node_is_a_prefix() {
    for seed in 0..2000 {
        let rng = &mut StdRng::seed_from_u64(seed);
        let (trie, ends, sequences) = grow(seed, rng);
        let prefixes: BTreeSet<&[i64]> = sequences
            .iter()
            .flat_map(|sequence| (1..=sequence.len()).map(|length| &sequence[..length]))
            .collect();
        assert_eq!(trie.len(), prefixes.len());
        assert_eq!(trie.is_empty(), prefixes.is_empty());
        for (&end, sequence) in ends.iter().zip(&sequences) {
            assert_eq!(trie.depth(end) as usize, sequence.len());
            assert_eq!(trie.descend(Locus::ROOT, sequence.iter().copied()), (end, None));
            for depth in 0..=sequence.len() {
                let prefix = sequence[..depth].iter().copied();
                let ancestor = trie.ancestor(end, depth as u32);
                // The same node can be met at the end of one chain only.
                assert_eq!(trie.descend(Locus::ROOT, prefix), (ancestor, None));
            }
        }
    }
}

#[test]
fn the_ancestors_of_many_are_those_of_each() {
    for seed in 0..500 {
        let rng = &mut StdRng::seed_from_u64(seed);
        let (trie, ends, _) = grow(seed, rng);
        let depths = |&end: &Locus| (0..=trie.depth(end)).map(move |depth| (end, depth));
        let mut places: Vec<_> = ends.iter().flat_map(depths).collect();
        let one = |&(end, depth): &(Locus, u32)| (trie.ancestor(end, depth), depth);
        let each: Vec<_> = places.iter().map(one).collect();
        trie.ancestors(&mut places);
        assert_eq!(places, each);
    }
}

#[test]
fn descending_stops_at_the_first_label_that_no_sequence_has() {
    for seed in 0..2000 {
        let rng = &mut StdRng::seed_from_u64(seed);
        let (trie, _, sequences) = grow(seed, rng);
        let wanted: Vec<i64> = (0..6).map(|_| -rng.random_range(0..3)).collect();
        let common = |sequence: &Vec<i64>| {
            let pairs = sequence.iter().zip(&wanted);
            pairs.take_while(|(a, b)| a == b).count()
        };
        let longest = sequences.iter().map(common).max().unwrap_or(0);
        let (locus, unmatched) = trie.descend(Locus::ROOT, wanted.iter().copied());
        assert_eq!(trie.depth(locus) as usize, longest);
        assert_eq!(unmatched, wanted.get(longest).copied());
    }
}

#[test]
fn a_skeleton_links_each_knot_to_the_next_one_above() {
    for seed in 0..2000 {
        let rng = &mut StdRng::seed_from_u64(seed);
        let (trie, mut ends, _) = grow(seed, rng);
        ends.retain(|_| rng.random_bool(0.7));
        let skeleton = Skeleton::new(&trie, ends.iter().map(|end| end.node()));
        let links: Vec<Link> = skeleton.links(&trie).collect();
        assert_eq!(links.len(), skeleton.len());
        assert_eq!(links[0], Link { parent: 0, depth: 0 });
        assert!(skeleton.len() <= 1 + ends.len() + trie.chains.len());
        for &end in &ends {
            // Marked nodes on the way up, read off the trie itself.
            let mut knot = skeleton.knot(end.node());
            for depth in (0..=trie.depth(end)).rev() {
                let node = trie.ancestor(end, depth).node();
                if skeleton.contains(node) {
                    assert_eq!(skeleton.knot(node), knot);
                    let link = links[knot as usize];
                    assert_eq!(link.depth, depth);
                    assert!(knot == 0 || link.parent < knot);
                    knot = link.parent;
                }
            }
            assert_eq!(knot, 0);
        }
        let len = trie.len();
        let (bare, memory) = trie.without_labels::<u64>();
        assert_eq!((bare.len(), memory.len()), (len, 0));
        assert!(skeleton.links(&bare).eq(links));
        assert!(bare.into_memory::<[u32; 5]>().is_empty());
    }
}

#[test]
fn ancestors_are_found_in_few_steps_below_a_million_chains() {
    let mut trie = Trie::new();
    let mut end = Locus::ROOT;
    for label in 0..1_000_000u32 {
        // Each leg forces the next label of the spine into a chain of its own.
        trie.insert(end, &[u32::MAX]);
        end = trie.insert(end, &[label]);
    }
    for depth in (0..=1_000_000).rev() {
        let ancestor = trie.ancestor(end, depth);
        assert_eq!(trie.depth(ancestor), depth);
    }
}

#[test]
fn descending_together_leads_where_descending_alone_does() {
    for seed in 0..1000 {
        let rng = &mut StdRng::seed_from_u64(seed);
        let (trie, _, sequences) = grow(seed, rng);
        let walks = sequences.into_iter().map(|mut sequence| {
            sequence.truncate(rng.random_range(0..=sequence.len()));
            sequence.extend((0..rng.random_range(0..3)).map(|_| -rng.random_range(0..3)));
            sequence
        });
        let sequences: Vec<Vec<i64>> = walks.collect();
        let mut walks: Vec<_> = sequences.iter().map(|labels| (Locus::ROOT, &labels[..])).collect();
        trie.descend_all(&mut walks);
        for ((end, left), sequence) in walks.into_iter().zip(&sequences) {
            let (alone, next) = trie.descend(Locus::ROOT, sequence.iter().copied());
            assert_eq!((end, left.first().copied()), (alone, next));
            assert_eq!(trie.depth(end) as usize + left.len(), sequence.len());
        }
    }
}

#[test]
fn pruning_keeps_inner_nodes_and_their_children() {
    for seed in 0..1000 {
        let rng = &mut StdRng::seed_from_u64(seed);
        let (trie, _, sequences) = grow(seed, rng);
        let prefixes: BTreeSet<&[i64]> = sequences
            .iter()
            .flat_map(|sequence| (0..=sequence.len()).map(|length| &sequence[..length]))
            .collect();
        // Inner nodes are above a depth that depends on the first label.
        let depths = [0; 3].map(|_| rng.random_range(0..4));
        let is_inner = |prefix: &[i64]| match prefix.first() {
            None => true,
            Some(&first) => prefix.len() < depths[first.unsigned_abs() as usize],
        };
        let node = |prefix: &[i64]| trie.descend(Locus::ROOT, prefix.iter().copied()).0.node();
        let inner: BTreeSet<u32> =
            prefixes.iter().filter(|prefix| is_inner(prefix)).map(|prefix| node(prefix)).collect();
        let (upper, origins) = trie.pruned(|node| inner.contains(&node));
        let is_kept = |prefix: &&&[i64]| prefix.split_last().is_none_or(|(_, rest)| is_inner(rest));
        assert_eq!(origins.len(), prefixes.iter().filter(is_kept).count());
        assert_eq!(upper.len() + 1, origins.len());
        for prefix in prefixes.iter().filter(is_kept) {
            let (end, next) = upper.descend(Locus::ROOT, prefix.iter().copied());
            assert_eq!((origins[end.node() as usize], next), (node(prefix), None));
        }
    }
}

#[test]
#[should_panic(expected = "no ancestor at depth 3 of a node at depth 2")]
fn there_is_no_ancestor_below() {
    let mut trie = Trie::new();
    let end = trie.insert(Locus::ROOT, &[7u8, 7]);
    trie.ancestor(end, 3);
}
