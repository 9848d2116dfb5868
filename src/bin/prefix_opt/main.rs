//! Offline optimal prefix-cache hit rate: Belady on trie nodes, in bundles along heavy paths;
//! O((n + Σm) log n).
//!
//! # Problem
//!
//! A language model serves `n` requests one after another. A request is a sequence of tokens,
//! given as the first `k` tokens of an earlier request `p` (request 0 is empty) followed by `m`
//! new tokens. A cache holds at most `C` entries between requests, and is empty at first. An entry
//! belongs to a non-empty prefix. A request *hits* as many tokens as its prefixes, from the
//! shortest on, are cached without a gap; then all its prefixes are computed, and of these and the
//! old entries any `C` may stay. With the future known, what is the largest possible share of
//! tokens that are hits?
//!
//! Input: `n C`, then for each request `p k m` and the `m` tokens. Output: hits and tokens as a
//! reduced fraction `a b`; no hit is `0 1`. Limits: n ≤ 5·10⁵, Σm ≤ 2·10⁶, C ≤ 10⁹; requests
//! reach 10¹² tokens in all.
//!
//! # Idea
//!
//! **Entries are trie nodes, hits are intervals.** Take one node. To hit it at time t it must stay
//! cached from its last use s on: it occupies one unit after each of the requests s, …, t - 1. So
//! each pair of consecutive uses is an interval [s, t), and a policy keeps a set of intervals of
//! which at most C cover any moment. That hits must be free of gaps costs nothing: if a node's
//! interval [s, t) is kept and an ancestor's [s', t) is not, then s' ≥ s, since whoever uses the
//! node uses the ancestor, and the ancestor's interval can take the place of the node's.
//! The answer is the size of the largest such set.
//!
//! **Greedy.** Think of C machines, each free since some time, 0 at first. Go through the intervals
//! by their ends t, and give [s, t) to the machine that became free last among those free at s or
//! before; drop it if there is none. This is optimal. Say that some optimum agrees with the
//! greedy up to an interval x that ends at t; all that is still open ends at t or later. If the
//! greedy keeps x on machine A but the optimum drops x: A's next interval y in the optimum, if
//! any, ends no earlier than x, so exchange y for x; A is then free at t for all that came after
//! y. If both keep x, the greedy on A and the optimum on B, both free at s: exchange all that
//! follows on A and B; what followed on A starts after A became free, thus after B did, since B
//! became free no later than A. And what the greedy drops fits no machine. Only the number of
//! machines free since each time matters.
//!
//! **Bundles.** A request of 10⁶ tokens has 10⁶ intervals, but those with the same s may be treated
//! at once, as a bundle (s, t, count). Cut the trie into heavy paths. The nodes of a path that
//! were used are its upper part, and last uses fall going down: a stack of segments (deepest node,
//! last use), the shallowest on top. A request that uses a path down to depth d pops the segments
//! that end at d or above, cuts the next one, and pushes one segment. Call the root and the nodes where
//! requests end or part *knots*: 2n + 1 at most. Let each path follow the child with most knots at it
//! or below. Where a path hangs below a node of another one, the knots at that node or below are at
//! least twice those of the lower path's subtree, and one. So k paths, one below the other, need 2^k - 1
//! knots, and a request meets at most log₂(n + 1) + 1 paths. Each meeting pushes one segment and cuts
//! one: there are at most 2n(log₂(n + 1) + 1) bundles.
//!
//! **Machines.** When the interval ends have come to t, nothing becomes free before t any more. So
//! a time whose machines are used up remains so and is merged with its predecessor (union-find).
//! Intervals that start before any machine was free have no chance, now or later: a stack of
//! segments ends, for all that matters, where such begin.
//!
//! Example: requests AB, AC, AB with C = 1. Node A has the intervals [1, 2) and [2, 3), AB has
//! [1, 3). The machine, free since 0, takes A's [1, 2), is free at 2 and takes A's [2, 3); AB's
//! [1, 3) would need a machine free since 0 or 1. Two hits of six tokens: `1 3`.
//!
//! # Cost
//!
//! The trie takes O(Σm + n log n): a request starts at an ancestor of an earlier one's end, found
//! along jump pointers, and tokens are looked up one by one. It is a text and branches; only the
//! knots take part in all that follows. O(n log n) bundles, each a search in a union-find with path
//! halving: O(1) in practice, O(log n / log log n) amortised at worst (Tarjan and van Leeuwen 1984).
//!
//! Requests lead to random places in memory, and waiting for it is what takes the time. So they are
//! taken in batches, and what a batch is going to need is loaded first, all at once.

mod machines;
mod requests;
mod usage;

use kv_contest::io::{self, In, Scanner, Writer};
use kv_contest::trie::{Skeleton, Trie};
use proconio::input;

use machines::Machines;
use requests::Requests;
use usage::Usage;

/// Reads the requests and the capacity of the cache.
fn read(scanner: &mut Scanner) -> (Requests, u64) {
    input! {
        from &mut *scanner,
        n: with In(1..=MAX_REQUESTS),
        capacity: with In(0..=u64::MAX),
    }
    let mut requests = Requests::new();
    let mut announced = 0;
    for request in 1..=n {
        let origin = scanner.int(0..=request - 1);
        let kept = scanner.int(0..=requests.lengths[origin]);
        // A request has a token.
        let least = usize::from(kept == 0);
        let fresh = scanner.int(least..=Trie::<u32>::MAX_LEN - announced);
        requests.push(origin, kept, fresh, |count, tokens| {
            scanner.take_ints(count, 0..=u32::MAX, |token| tokens.push(token));
        });
        announced += fresh;
    }
    requests.settle();
    (requests, capacity)
}

/// Requests that are handled together, for their accesses to memory to overlap.
const BATCH: usize = 64;

/// The number of the request that used something last; 0 is before all of them.
type Time = u32;

/// As many as machines can tell times.
const MAX_REQUESTS: usize = Machines::MAX as usize;

/// The greatest number of hits with a cache of `capacity` entries.
fn solve(requests: Requests, capacity: u64) -> u64 {
    let Requests { trie, ends, lengths, .. } = requests;
    let mut machines = Machines::new(capacity.min(trie.len() as u64) as u32, lengths);
    let skeleton = Skeleton::new(&trie, ends.iter().map(|end| end.node()));
    let ends: Vec<u32> = ends.into_iter().map(|end| skeleton.knot(end.node())).collect();
    let mut usage = Usage::new(trie, &skeleton);

    let mut hits = 0;
    for (batch, start) in ends[1..].chunks(BATCH).zip((1..).step_by(BATCH)) {
        usage.touch(batch, &machines);
        for (&end, now) in batch.iter().zip(start..) {
            let mut freed = 0;
            let horizon = machines.horizon().max(1);
            usage.record(end, now, horizon, |last_use, count| {
                freed += machines.schedule(last_use, count);
            });
            machines.advance(freed);
            hits += u64::from(freed);
        }
    }
    hits
}

/// Writes `hits / tokens` as a reduced fraction.
fn write(writer: &mut Writer, hits: u64, tokens: u64) {
    let divisor = gcd(hits, tokens);
    writer.int(hits / divisor).byte(b' ').int(tokens / divisor).byte(b'\n');
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn answer(scanner: &mut Scanner, writer: &mut Writer) {
    let (requests, capacity) = read(scanner);
    let tokens = requests.tokens();
    write(writer, solve(requests, capacity), tokens);
}

fn main() {
    io::run("prefix_opt", answer);
}

#[cfg(test)]
mod tests;
