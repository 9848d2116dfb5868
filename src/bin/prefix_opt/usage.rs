//! Last uses of trie nodes, in segments along heavy paths.

use kv_contest::trie::{Skeleton, Trie};

use super::machines::Machines;
use super::{Time, BATCH};

/// When each node of the trie was used last, kept in segments along heavy paths.
pub struct Usage {
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
    pub fn new(trie: &Trie<u32>, skeleton: &Skeleton, ends: &[u32]) -> Self {
        let mut drafts: Vec<Draft> = Vec::with_capacity(skeleton.len());
        drafts.extend(skeleton.links(trie).map(|link| Draft {
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
    pub fn touch(&self, ends: &[u32], machines: &Machines) {
        let mut knots = [NONE; BATCH];
        knots[..ends.len()].copy_from_slice(ends);
        let mut len = ends.len();
        let mut touched = 0;
        while len > 0 {
            let mut left = 0;
            for place in 0..len {
                let path = &self.paths[self.knots[knots[place] as usize].path as usize];
                let last_use = self.knots[path.shallowest as usize].last_use;
                touched ^= machines.peek(last_use);
                knots[left] = path.above;
                left += usize::from(path.above != NONE);
            }
            len = left;
        }
        std::hint::black_box(touched);
    }

    /// Uses all nodes from the root to the knot `end` at the time `now`. `bundle` is told the last
    /// use and the number of those that had been used before.
    pub fn record(&mut self, end: u32, now: Time, mut bundle: impl FnMut(Time, u32)) {
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
