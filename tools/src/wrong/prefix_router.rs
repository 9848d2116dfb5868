//! Wrong solvers of problem 4.

use super::Wrong;
use crate::prefix_router::request_lines;
use crate::text::Tokens;
use std::cmp::Reverse;

/// One of each mistake.
pub const ALL: [Wrong; 9] = [
    ("the load does not grow", |input| answer(input, &Router { grow: |_| 0, ..RIGHT })),
    ("the load grows by one a request", |input| answer(input, &Router { grow: |_| 1, ..RIGHT })),
    ("the cache does not grow", |input| answer(input, &Router { remember: false, ..RIGHT })),
    ("ties go to the last node", |input| {
        answer(input, &Router { key: |lcp, load, node| (lcp, Reverse(load), node), ..RIGHT })
    }),
    ("the load goes before the prefix", |input| {
        let key = |lcp, load, node| {
            (usize::MAX - load as usize, Reverse(u64::MAX - lcp as u64), usize::MAX - node)
        };
        answer(input, &Router { key, ..RIGHT })
    }),
    ("the highest load wins", |input| {
        let key = |lcp, load, node| (lcp, Reverse(u64::MAX - load), usize::MAX - node);
        answer(input, &Router { key, ..RIGHT })
    }),
    ("tokens are compared as text", |input| {
        answer(input, &Router { same: |x, y| x == y, ..RIGHT })
    }),
    ("prefixes are compared letter by letter", |input| {
        let lcp = |x: &[&str], y: &[&str]| {
            x.join(",").bytes().zip(y.join(",").bytes()).take_while(|(x, y)| x == y).count()
        };
        answer(input, &Router { lcp: Some(lcp), ..RIGHT })
    }),
    ("loads have 32 bits", |input| {
        let key = |lcp, load, node| (lcp, Reverse(u64::from(load as u32)), usize::MAX - node);
        answer(input, &Router { key, ..RIGHT })
    }),
];

/// What is compared of nodes: the greatest wins.
type Key = (usize, Reverse<u64>, usize);

/// The length of the common prefix of two sequences.
type Lcp = fn(&[&str], &[&str]) -> usize;

/// A router by its parts.
struct Router {
    /// What a request adds to the load.
    grow: fn(usize) -> u64,
    /// Whether requests are cached.
    remember: bool,
    /// What is greatest for the chosen node.
    key: fn(usize, u64, usize) -> Key,
    same: fn(&str, &str) -> bool,
    /// What to compare instead of the number of equal tokens.
    lcp: Option<Lcp>,
}

const RIGHT: Router = Router {
    grow: |tokens| tokens as u64,
    remember: true,
    key: |lcp, load, node| (lcp, Reverse(load), usize::MAX - node),
    same: |x, y| x.parse::<i64>().unwrap() == y.parse::<i64>().unwrap(),
    lcp: None,
};

/// The answer without a mistake.
pub fn right(input: &str) -> String {
    answer(input, &RIGHT)
}

fn answer(input: &str, router: &Router) -> String {
    let mut tokens = Tokens::new(input.as_bytes());
    let nodes: usize = tokens.next(|_| true).unwrap();
    let requests = tokens.next(|_| true).unwrap();
    let mut loads: Vec<u64> = (0..nodes).map(|_| tokens.next(|_| true).unwrap()).collect();
    let mut caches: Vec<Vec<Vec<&str>>> = Vec::new();
    for _ in 0..nodes {
        let sequences: usize = tokens.next(|_| true).unwrap();
        let split = |_| tokens.word().unwrap().split(',').collect();
        caches.push((0..sequences).map(split).collect());
    }
    let mut chosen = Vec::new();
    for line in request_lines(tokens.rest(), requests).unwrap() {
        let request: Vec<&str> = std::str::from_utf8(line).unwrap().split_whitespace().collect();
        let lcp = |cached: &Vec<&str>| match router.lcp {
            Some(lcp) => lcp(cached, &request),
            None => cached.iter().zip(&request).take_while(|(x, y)| (router.same)(x, y)).count(),
        };
        let reusable = |node: &usize| caches[*node].iter().map(lcp).max().unwrap_or(0);
        let key = |node: &usize| (router.key)(reusable(node), loads[*node], *node);
        let node = (0..nodes).max_by_key(key).unwrap();
        loads[node] += (router.grow)(request.len());
        if router.remember {
            caches[node].push(request);
        }
        chosen.push(node.to_string());
    }
    chosen.join(" ") + "\n"
}
