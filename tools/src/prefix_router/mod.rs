//! The oracle and the generators of problem 4, the prefix-aware router.

mod input;
mod shapes;

pub use input::Input;
pub use shapes::{Shape, Size, SHAPES};

use crate::text::{parse, Tokens};
use rand::{Rng, RngExt};
use std::cmp::Reverse;

/// An input with at most 4 nodes and sequences of at most 5 tokens out of 3.
pub fn small(rng: &mut impl Rng) -> String {
    let (nodes, requests) = (rng.random_range(1..=4), rng.random_range(0..=12));
    let mut input = format!("{nodes} {requests}\n");
    for _ in 0..nodes {
        input += &format!("{} ", rng.random_range(0..4));
    }
    for _ in 0..nodes {
        let sequences = rng.random_range(0..=3);
        input += &format!("\n{sequences}");
        for _ in 0..sequences {
            input += &format!(" {}", sequence(rng, ","));
        }
    }
    for _ in 0..requests {
        input += &format!("\n{}", sequence(rng, " "));
    }
    input + "\n"
}

/// 1 to 5 tokens out of 3; two of them begin alike.
fn sequence(rng: &mut impl Rng, separator: &str) -> String {
    let tokens = (0..rng.random_range(1..=5)).map(|_| ["1", "12", "-2"][rng.random_range(0..3)]);
    tokens.collect::<Vec<_>>().join(separator)
}

/// The answer by comparing every request with every cached sequence; the error says why the input
/// is not valid. O(requests · cached tokens).
pub fn answer(input: &[u8]) -> Result<String, String> {
    let mut tokens = Tokens::new(input);
    let nodes = tokens.next(|&nodes: &u64| nodes > 0)?;
    let requests: u64 = tokens.next(|_| true)?;
    let mut loads = Vec::new();
    for _ in 0..nodes {
        loads.push(tokens.next(|_: &u64| true)?);
    }
    let mut caches = Vec::new();
    for _ in 0..nodes {
        let mut sequences = Vec::new();
        for _ in 0..tokens.next(|_: &u64| true)? {
            let sequence = tokens.word()?.split(',').map(|token| parse(token, |_: &i64| true));
            sequences.push(sequence.collect::<Result<Vec<_>, _>>()?);
        }
        caches.push(sequences);
    }

    let mut chosen = Vec::new();
    for line in request_lines(tokens.rest(), requests)? {
        let mut tokens = Tokens::new(line);
        let mut request = Vec::new();
        while !tokens.is_empty() {
            request.push(tokens.next(|_: &i64| true)?);
        }
        let lcp =
            |cached: &Vec<i64>| cached.iter().zip(&request).take_while(|(x, y)| x == y).count();
        let reusable = |node: &usize| caches[*node].iter().map(lcp).max().unwrap_or(0);
        let node = (0..caches.len()).min_by_key(|node| (Reverse(reusable(node)), loads[*node]));
        let node = node.expect("there is a node");
        loads[node] = loads[node].checked_add(request.len() as u64).ok_or("the load overflows")?;
        caches[node].push(request);
        chosen.push(node.to_string());
    }
    Ok(chosen.join(" ") + "\n")
}

/// The lines of the requests in what follows the caches: without the blank ones if enough others
/// remain.
pub(crate) fn request_lines(rest: &[u8], requests: u64) -> Result<Vec<&[u8]>, String> {
    if requests == 0 {
        return Ok(Vec::new());
    }
    let blank = |line: &[u8]| line.trim_ascii().is_empty();
    let mut lines: Vec<&[u8]> = rest.split(|&byte| byte == b'\n').collect();
    if !blank(lines.remove(0)) {
        return Err("the line of the last cache goes on".to_string());
    }
    // What follows the last newline is a line only if it has bytes.
    if lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    if lines.iter().filter(|line| !blank(line)).count() as u64 >= requests {
        lines.retain(|line| !blank(line));
    }
    lines.truncate(usize::try_from(requests).unwrap_or(usize::MAX));
    match lines.len() as u64 == requests {
        true => Ok(lines),
        false => Err("there are fewer lines than requests".to_string()),
    }
}
