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
//! that end at d or above, cuts the next one, and pushes one segment. If a path follows the child
//! below which most requests end, a request meets at most log₂ n + 1 paths; each meeting pushes
//! one segment and cuts one, so there are at most 2n(log₂ n + 1) bundles.
//!
//! **Machines.** When the interval ends have come to t, nothing becomes free before t any more. So
//! a time whose machines are used up remains so and is merged with its predecessor (union-find).
//!
//! Example: requests AB, AC, AB with C = 1. Node A has the intervals [1, 2) and [2, 3), AB has
//! [1, 3). The machine, free since 0, takes A's [1, 2), is free at 2 and takes A's [2, 3); AB's
//! [1, 3) would need a machine free since 0 or 1. Two hits of six tokens: `1 3`.
//!
//! # Cost
//!
//! The trie takes O(Σm + n log n): a request starts at an ancestor of an earlier one's end, found
//! along jump pointers, and tokens are looked up one by one. It is a text and branches; only the
//! places where requests end or part (knots) take part in all that follows. O(n log n) bundles,
//! each O(log n) in the worst case of path compression, O(1) in practice.

use kv_contest::io::{self, In, Scanner, Writer};
use kv_contest::trie::{Locus, Skeleton, Trie};
use proconio::input;

/// The requests, as places in the trie of all their prefixes.
struct Requests {
    trie: Trie<u32>,
    /// Where each request ends; request 0 is the empty one.
    ends: Vec<Locus>,
    /// The length of each request, also of those that wait.
    lengths: Vec<u32>,
    /// Requests that are not in the trie yet, and their tokens.
    waiting: Vec<Waiting>,
    waiting_tokens: Vec<u32>,
}

/// The first `kept` tokens of request `origin`, then the next `fresh` of the waiting tokens.
#[derive(Clone, Copy)]
struct Waiting {
    origin: usize,
    kept: u32,
    fresh: usize,
}

/// Requests that are handled together, for their accesses to memory to overlap.
const BATCH: usize = 64;

/// A request with more tokens than this does not wait.
const LONG: usize = 256;

impl Requests {
    fn new() -> Self {
        Requests {
            trie: Trie::new(),
            ends: vec![Locus::ROOT],
            lengths: vec![0],
            waiting: Vec::with_capacity(BATCH),
            waiting_tokens: Vec::new(),
        }
    }

    /// Adds the request that is the first `kept` tokens of request `origin`, then `fresh`.
    fn push(&mut self, origin: usize, kept: u32, fresh: impl ExactSizeIterator<Item = u32>) {
        self.lengths.push(kept + fresh.len() as u32);
        if fresh.len() > LONG {
            self.settle();
            let from = self.trie.ancestor(self.ends[origin], kept);
            self.ends.push(self.trie.insert(from, fresh));
            return;
        }
        let mut request = Waiting { origin, kept, fresh: fresh.len() };
        // What it takes from a waiting request is better taken from where that one has it.
        while request.origin >= self.ends.len() {
            let origin = self.waiting[request.origin - self.ends.len()];
            if kept > origin.kept {
                break;
            }
            request.origin = origin.origin;
        }
        self.waiting.push(request);
        self.waiting_tokens.extend(fresh);
        if self.waiting.len() == BATCH {
            self.settle();
        }
    }

    /// The tokens of all requests together. O(n).
    fn tokens(&self) -> u64 {
        self.lengths.iter().map(|&length| u64::from(length)).sum()
    }

    /// Inserts the requests that wait.
    fn settle(&mut self) {
        let known = self.ends.len();
        let mut starts = [(Locus::ROOT, 0); BATCH];
        for (start, request) in starts.iter_mut().zip(&self.waiting) {
            if request.origin < known {
                *start = (self.ends[request.origin], request.kept);
            }
        }
        self.trie.ancestors(&mut starts[..self.waiting.len()]);

        let mut steps = [(Locus::ROOT, 0); BATCH];
        let mut token = 0;
        for ((step, start), request) in steps.iter_mut().zip(&starts).zip(&self.waiting) {
            *step = (start.0, self.waiting_tokens.get(token).copied().unwrap_or(0));
            token += request.fresh;
        }
        self.trie.touch(&steps[..self.waiting.len()]);

        let mut rest = &self.waiting_tokens[..];
        for (request, start) in self.waiting.iter().zip(starts) {
            let from = if request.origin < known {
                start.0
            } else {
                self.trie.ancestor(self.ends[request.origin], request.kept)
            };
            let (fresh, later) = rest.split_at(request.fresh);
            rest = later;
            self.ends.push(self.trie.insert(from, fresh.iter().copied()));
        }
        self.waiting.clear();
        self.waiting_tokens.clear();
    }
}

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
        requests.push(origin, kept, (0..fresh).map(|_| scanner.int(0..=u32::MAX)));
        announced += fresh;
    }
    requests.settle();
    (requests, capacity)
}

/// The number of the request that used something last; 0 is before all of them.
type Time = u32;

/// As many as a [`Time`] can number.
const MAX_REQUESTS: usize = u32::MAX as usize - 1;

/// The greatest number of hits with a cache of `capacity` entries.
fn solve(requests: Requests, capacity: u64) -> u64 {
    let Requests { trie, ends, .. } = requests;
    let mut machines = Machines::new(capacity.min(trie.len() as u64) as u32, ends.len());
    let skeleton = Skeleton::new(&trie, ends.iter().map(|end| end.node()));
    let ends: Vec<u32> = ends.into_iter().map(|end| skeleton.knot(end.node())).collect();
    let mut usage = Usage::new(&skeleton, &ends);
    drop(trie);

    let mut hits = 0;
    for (batch, start) in ends[1..].chunks(BATCH).zip((1..).step_by(BATCH)) {
        usage.touch(batch, &machines);
        for (&end, now) in batch.iter().zip(start..) {
            let mut freed = 0;
            usage.record(end, now, |last_use, count| {
                freed += machines.schedule(last_use, count);
            });
            machines.advance(freed);
            hits += u64::from(freed);
        }
    }
    hits
}

/// When each node of the trie was used last, kept in segments along heavy paths.
struct Usage {
    knots: Vec<Knot>,
    paths: Vec<Path>,
}

/// A knot, and the segment that ends there while it is on its path's stack.
struct Knot {
    path: u32,
    depth: u32,
    last_use: Time,
    /// The knot at which the next deeper segment ends; `NONE` at the bottom of the stack.
    deeper: u32,
}

/// A knot before the paths are known; of the size of a [`Knot`], which takes its place.
struct Draft {
    /// The knot above, and later the path.
    parent_or_path: u32,
    depth: u32,
    /// How many requests end here or below.
    weight: u32,
    /// The child of the greatest weight; `NONE` if there is none.
    heavy: u32,
}

struct Path {
    /// The knot at which the topmost, shallowest segment ends; `NONE` if there is none.
    shallowest: u32,
    /// The knot that the path hangs below.
    above: u32,
    above_depth: u32,
}

/// The root stands for no knot: it is no entry, so no segment ends there.
const NONE: u32 = 0;

impl Usage {
    /// No node used yet. `ends` lists the knots at which requests end. O(knots + ends).
    fn new(skeleton: &Skeleton<u32>, ends: &[u32]) -> Self {
        let mut drafts: Vec<Draft> = Vec::with_capacity(skeleton.len());
        drafts.extend(skeleton.links().map(|link| Draft {
            parent_or_path: link.parent,
            depth: link.depth,
            weight: 0,
            heavy: NONE,
        }));
        for &end in ends {
            drafts[end as usize].weight += 1;
        }
        // Children come after their parents: all that is below a knot has been added to it when
        // its turn comes.
        for knot in (1..drafts.len()).rev() {
            let Draft { parent_or_path: parent, weight, .. } = drafts[knot];
            let heavy = drafts[parent as usize].heavy;
            let is_heavier = heavy == NONE || weight > drafts[heavy as usize].weight;
            let parent = &mut drafts[parent as usize];
            parent.weight += weight;
            if is_heavier {
                parent.heavy = knot as u32;
            }
        }

        let mut paths: Vec<Path> = Vec::new();
        for knot in 0..drafts.len() {
            let parent = &drafts[drafts[knot].parent_or_path as usize];
            drafts[knot].parent_or_path = if knot > 0 && parent.heavy == knot as u32 {
                parent.parent_or_path
            } else {
                paths.push(Path {
                    shallowest: NONE,
                    above: drafts[knot].parent_or_path,
                    above_depth: parent.depth,
                });
                paths.len() as u32 - 1
            };
        }
        let knot = |Draft { parent_or_path: path, depth, .. }| Knot {
            path,
            depth,
            last_use: 0,
            deeper: NONE,
        };
        Usage { knots: drafts.into_iter().map(knot).collect(), paths }
    }

    /// Loads what `record` is going to need for `ends` into the processor's caches.
    ///
    /// Requests jump about in memory, and one waits for the other only where they meet. Here the
    /// loads of many are under way at once, while `record` would wait for each of them.
    fn touch(&self, ends: &[u32], machines: &Machines) {
        let mut knots = [NONE; BATCH];
        knots[..ends.len()].copy_from_slice(ends);
        let mut len = ends.len();
        let mut touched = 0;
        while len > 0 {
            let mut left = 0;
            for place in 0..len {
                let path = &self.paths[self.knots[knots[place] as usize].path as usize];
                let last_use = self.knots[path.shallowest as usize].last_use;
                touched ^= machines.slots[last_use as usize].free;
                knots[left] = path.above;
                left += usize::from(path.above != NONE);
            }
            len = left;
        }
        std::hint::black_box(touched);
    }

    /// Uses all nodes from the root to the knot `end` at the time `now`. `bundle` is told the last
    /// use and the number of those that had been used before.
    fn record(&mut self, end: u32, now: Time, mut bundle: impl FnMut(Time, u32)) {
        let mut lowest = end;
        while lowest != NONE {
            let path = &mut self.paths[self.knots[lowest as usize].path as usize];
            let depth = self.knots[lowest as usize].depth;
            let mut done = path.above_depth;
            let mut segment = path.shallowest;
            while segment != NONE && done < depth {
                let Knot { depth: segment_depth, last_use, deeper, .. } =
                    self.knots[segment as usize];
                bundle(last_use, depth.min(segment_depth) - done);
                done = segment_depth;
                if segment_depth <= depth {
                    segment = deeper;
                }
            }
            let knot = &mut self.knots[lowest as usize];
            knot.last_use = now;
            knot.deeper = segment;
            path.shallowest = lowest;
            lowest = path.above;
        }
    }
}

/// Machines, counted by the time since when they are free.
struct Machines {
    slots: Vec<Slot>,
}

/// The machines that are free since the same time.
struct Slot {
    free: u32,
    /// On the way to the latest time, not after this one, that has free machines, or else to 0;
    /// this time itself at the end of the way.
    earlier: Time,
}

impl Machines {
    /// `count` machines, free since time 0. `times` is how many times there will be.
    fn new(count: u32, times: usize) -> Self {
        let mut slots = Vec::with_capacity(times);
        slots.push(Slot { free: count, earlier: 0 });
        Machines { slots }
    }

    /// Gives as many as possible of `count` intervals that start at `start` and end now to
    /// machines, and tells how many. O(log n) amortised.
    fn schedule(&mut self, start: Time, count: u32) -> u32 {
        let mut open = count;
        let mut time = self.latest(start);
        loop {
            let slot = &mut self.slots[time as usize];
            let taken = open.min(slot.free);
            slot.free -= taken;
            open -= taken;
            if open == 0 || time == 0 {
                return count - open;
            }
            slot.earlier = time - 1;
            time = self.latest(time - 1);
        }
    }

    /// Ends the present time: `freed` intervals ended at it. Nothing becomes free earlier any
    /// more. O(1).
    fn advance(&mut self, freed: u32) {
        let now = self.slots.len() as Time;
        let earlier = match self.slots.last() {
            Some(before) if freed == 0 => before.earlier,
            _ => now,
        };
        self.slots.push(Slot { free: freed, earlier });
    }

    /// The latest time not after `time` that has not been used up, or else 0.
    fn latest(&mut self, mut time: Time) -> Time {
        loop {
            let up = self.slots[time as usize].earlier;
            if up == time {
                return time;
            }
            self.slots[time as usize].earlier = self.slots[up as usize].earlier;
            time = up;
        }
    }
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

fn main() {
    io::run("prefix_opt", |scanner, writer| {
        let (requests, capacity) = read(scanner);
        let tokens = requests.tokens();
        write(writer, solve(requests, capacity), tokens);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};
    use std::collections::HashMap;

    fn requests(list: &[(usize, u32, &[u32])]) -> Requests {
        let mut requests = Requests::new();
        for &(origin, kept, tokens) in list {
            requests.push(origin, kept, tokens.iter().copied());
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
            requests.push(0, 0, (0..100_000usize).map(|token| token as u32));
            for request in 1..10_000 {
                requests.push(request, 100_000, [].into_iter());
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
                requests.push(origin, kept as u32, tokens.iter().copied());
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
}
