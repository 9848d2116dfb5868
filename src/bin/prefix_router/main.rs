//! Prefix-aware request router. Longest prefix in one trie, least load by tournaments of lower
//! bounds; expected O(1) a token and, but for loads made to shift all at once, O(log N) a request.
//!
//! # Problem
//!
//! N nodes of an inference cluster cache token sequences and carry loads, counted in tokens. M
//! requests arrive one after another. A node can reuse the longest prefix that a request shares
//! with any sequence in its cache. Each request goes to the node that can reuse most; among equals
//! to the one with the least load, then to the one with the smallest index. That node's cache then
//! holds the request too, and its load grows by the request's length. Where does each request go?
//!
//! Input: `N M`; the N loads; a line per node with the number of its sequences and the sequences,
//! each a comma-separated list; a line per request with its tokens, separated by blanks. Tokens are
//! integers of 64 bits, however written. A blank line is a request without tokens, unless at least M
//! others follow the caches: then blank lines are skipped. Output: one line with the M chosen nodes,
//! from 0. Sizes are limited by memory alone.
//!
//! # Method
//!
//! All cached sequences go into one trie. A trie node's *holders* are the cluster nodes that cache
//! a sequence through it, and at the root all nodes. A request follows the trie as far as it can;
//! the holders of the place that it reaches share its longest prefix, and nobody shares more.
//!
//! - **Holders never join.** The chosen node holds the matched prefix already. What its cache gains
//!   lies below, where it is the only holder, so the sets of holders are those of the initial caches
//!   ([`holders`]) for ever, and equal ones can be shared.
//! - **One holder settles a subtree.** Below a trie node with one holder every request goes to that
//!   holder, and so does all that it adds there. So nothing below it is kept, and a request adds at
//!   most one trie node, for its first token beyond a place with several holders. Of what follows,
//!   only the number of tokens is of interest.
//! - **Loads only grow.** So an old load is a lower bound, and the least loaded of a set is found by
//!   a tournament among lower bounds, refreshing the winner until its bound is exact
//!   ([`tournament`]).
//!
//! Sequences lead to random places in memory, so short ones are looked up in batches ([`batch`]). A
//! request that an earlier one of its batch adds something for goes on from where it had got to.
//!
//! Example: nodes 0 and 1 cache `1,2,3` and `1,2,4`, with loads 8 and 3. The request `1 2 5` gets to
//! `1,2`, held by both, and goes to node 1; the trie gains `1,2,5` with the holder 1.

mod batch;
mod caches;
mod holders;
mod tournament;

use batch::Batch;
use caches::Caches;
use holders::{holding, Groups, Holder};
use kv_contest::io::{self, In, Scanner, Writer};
use kv_contest::trie::{Locus, Trie};
use proconio::input;

/// Any token.
const TOKENS: std::ops::RangeInclusive<i64> = i64::MIN..=i64::MAX;

/// What a load has to be.
const SMALL_LOAD: &str = "a load below 2^64";

/// The cluster, ready for requests.
struct Router {
    loads: Vec<u64>,
    /// The cached sequences, each up to its first token beyond a place with several holders.
    trie: Trie<i64>,
    /// Who holds each node of the trie.
    holders: Vec<Holder>,
    groups: Groups,
}

impl Router {
    /// A router for nodes with these loads, and `trie` with the cached sequences: `caches` lists a
    /// node and the end of a sequence in its cache, by ascending nodes.
    fn new(loads: Vec<u64>, trie: &Trie<i64>, caches: &[(u32, Locus)]) -> Self {
        let (holding, groups) = holding(loads.len() as u32, trie, caches);
        let (trie, origins) = trie.pruned(|node| matches!(holding.of(node), Holder::Several(_)));
        let holders = origins.into_iter().map(|node| holding.of(node)).collect();
        Router { loads, trie, holders, groups }
    }

    /// The node for the request that leads to `from` and then goes on with the tokens given, and how
    /// many tokens were looked at to find it: no others matter. All but the load is as if the node
    /// cached the request.
    ///
    /// O(1) expected a token that is taken, and a tournament.
    fn choose(&mut self, from: Locus, request: impl Iterator<Item = i64>) -> (u32, u64) {
        let (end, next) = self.trie.descend(from, request);
        let taken = u64::from(self.trie.depth(end)) + u64::from(next.is_some());
        let node = match self.holders[end.node() as usize] {
            Holder::One(node) => node,
            Holder::Several(group) => {
                let node = self.groups.least_loaded(group, &self.loads);
                if let Some(token) = next {
                    self.trie.extend(end, &[token]);
                    self.holders.push(Holder::One(node));
                }
                node
            }
        };
        (node, taken)
    }

    /// Routes the requests of a batch.
    fn route(&mut self, batch: &mut Batch, chosen: &mut Vec<u32>) -> Option<()> {
        let descents = batch.descents(&self.trie);
        // Loads what the loop needs into the processor's caches, for all requests at once.
        let touched =
            descents.iter().fold(0, |touched, (at, _)| match self.holders[at.node() as usize] {
                Holder::One(node) => touched ^ self.loads[node as usize],
                Holder::Several(_) => touched,
            });
        std::hint::black_box(touched);
        for (at, rest) in descents {
            let tokens = u64::from(self.trie.depth(at)) + rest.len() as u64;
            let (node, _) = self.choose(at, rest.iter().copied());
            self.charge(node, tokens)?;
            chosen.push(node);
        }
        batch.clear();
        Some(())
    }

    /// Adds a request's tokens to a node's load; `None` if it would exceed 64 bits.
    fn charge(&mut self, node: u32, tokens: u64) -> Option<()> {
        let load = &mut self.loads[node as usize];
        *load = load.checked_add(tokens)?;
        Some(())
    }
}

/// Reads the nodes, and how many requests follow.
fn read(scanner: &mut Scanner) -> (Router, u64) {
    input! {
        from &mut *scanner,
        nodes: with In(1..=u32::MAX),
        requests: with In(0..=u64::MAX),
    }
    let mut loads = Vec::new();
    for _ in 0..nodes {
        loads.push(scanner.int(0..=u64::MAX));
    }
    let mut caches = Caches::default();
    for node in 0..nodes {
        for _ in 0..scanner.int(0..=u64::MAX) {
            caches.push(node, scanner.list(TOKENS));
        }
    }
    caches.settle();
    (Router::new(loads, &caches.trie, &caches.ends), requests)
}

/// Routes the requests, a line each. Blank lines are skipped if enough others follow; otherwise
/// they are requests without tokens.
fn solve(router: &mut Router, requests: u64, scanner: &mut Scanner) -> Vec<u32> {
    let mut chosen = Vec::new();
    let mut batch = Batch::default();
    // Where a load may exceed 64 bits, each request is routed before the next one is read, for the
    // error to name the right place.
    let is_careful = router.loads.iter().any(|&load| load > u64::MAX / 2);
    if requests > 0 {
        scanner.end_of_line();
    }
    let mut skip_blank = None;
    for left in (1..=requests).rev() {
        loop {
            if !scanner.next_line() {
                scanner.reject("the line of a request");
            }
            // The first blank line decides: none of the lines before it was blank.
            if scanner.more_on_line()
                || !*skip_blank.get_or_insert_with(|| filled_lines(scanner.rest()) >= left)
            {
                break;
            }
        }
        let pushed = batch.push(scanner.ints_on_line(TOKENS));
        if pushed.is_err() || batch.is_full() || is_careful || left == 1 {
            router.route(&mut batch, &mut chosen).unwrap_or_else(|| scanner.reject(SMALL_LOAD));
        }
        if let Err(start) = pushed {
            let request = start.iter().copied().chain(scanner.ints_on_line(TOKENS));
            let (node, seen) = router.choose(Locus::ROOT, request);
            let tokens = seen.max(start.len() as u64) + scanner.count_ints_on_line();
            router.charge(node, tokens).unwrap_or_else(|| scanner.reject(SMALL_LOAD));
            chosen.push(node);
        }
    }
    chosen
}

/// How many lines of `text` are not blank.
fn filled_lines(text: &[u8]) -> u64 {
    text.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count() as u64
}

fn write(chosen: &[u32], writer: &mut Writer) {
    for (request, &node) in chosen.iter().enumerate() {
        if request > 0 {
            writer.byte(b' ');
        }
        writer.int(node);
    }
    writer.byte(b'\n');
}

fn answer(scanner: &mut Scanner, writer: &mut Writer) {
    let (mut router, requests) = read(scanner);
    let chosen = solve(&mut router, requests, scanner);
    write(&chosen, writer);
}

fn main() {
    io::run("prefix_router", answer);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn router(loads: &[u64], caches: &[(u32, &[i64])]) -> Router {
        let mut trie = Trie::new();
        let insert = |&(node, tokens): &(u32, &[i64])| (node, trie.insert(Locus::ROOT, tokens));
        let ends: Vec<_> = caches.iter().map(insert).collect();
        Router::new(loads.to_vec(), &trie, &ends)
    }

    fn route(router: &mut Router, request: &[i64]) -> Option<u32> {
        let (node, taken) = router.choose(Locus::ROOT, request.iter().copied());
        assert!(taken as usize <= request.len());
        router.charge(node, request.len() as u64).map(|()| node)
    }

    #[test]
    fn the_longest_prefix_goes_before_the_load_and_the_load_before_the_index() {
        let mut router = router(&[9, 3, 3], &[(0, &[1, 2, 3]), (1, &[1, 2, 4]), (2, &[1, 2])]);
        assert_eq!(route(&mut router, &[1, 2, 3, 4]), Some(0));
        assert_eq!(route(&mut router, &[1, 2]), Some(1));
        assert_eq!(route(&mut router, &[1, 2, 5]), Some(2));
        assert_eq!(route(&mut router, &[1, 2, 5, 6]), Some(2));
        assert_eq!(route(&mut router, &[7]), Some(1));
        assert_eq!(router.loads, [13, 6, 10]);
    }

    #[test]
    fn what_a_request_adds_has_one_holder_however_it_goes_on() {
        let mut router = router(&[0, 0], &[]);
        assert_eq!(route(&mut router, &[5, 6]), Some(0));
        assert_eq!(route(&mut router, &[5, 7]), Some(0));
        assert_eq!(route(&mut router, &[5]), Some(0));
        assert_eq!(router.trie.len(), 1);
        assert_eq!(route(&mut router, &[8]), Some(1));
    }

    #[test]
    fn a_request_without_tokens_goes_to_the_least_load_and_adds_nothing() {
        let mut router = router(&[2, 1], &[(0, &[1])]);
        assert_eq!(route(&mut router, &[]), Some(1));
        assert_eq!(router.loads, [2, 1]);
    }

    #[test]
    fn a_load_beyond_64_bits_is_told() {
        let mut router = router(&[u64::MAX - 1], &[]);
        assert_eq!(route(&mut router, &[1]), Some(0));
        assert_eq!(route(&mut router, &[1]), None);
    }

    #[test]
    fn changed_samples_are_answered_or_refused_as_they_should_be() {
        let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/samples");
        tools::fuzz::check("prefix_router", samples.as_ref(), 5000, |input| {
            io::outcome(input, answer)
        });
    }
}
