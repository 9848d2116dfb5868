//! Last uses of trie nodes, in segments along heavy paths.

use kv_contest::trie::{Skeleton, Trie};

use super::machines::Machines;
use super::{Time, BATCH};

/// When each node of the trie was used last, kept in segments along heavy paths.
pub struct Usage {
    knots: Vec<Knot>,
    paths: Vec<Path>,
}

/// A knot; while a segment ends there, with the next deeper one on the path's stack.
struct Knot {
    path: u32,
    depth: u32,
    deeper: Segment,
}

/// A stretch of a path, with the time of the last use of all its nodes.
#[derive(Clone, Copy)]
struct Segment {
    /// The knot at which it ends.
    end: u32,
    last_use: Time,
}

/// The end of a stack, for what has never been used.
const UNUSED: Segment = Segment { end: NONE, last_use: 0 };

/// A knot before the paths are known; of the size of a [`Knot`], which takes its place.
struct Draft {
    /// The knot above, and later the path.
    parent_or_path: u32,
    depth: u32,
    /// How many knots are here or below.
    weight: u32,
    /// The greatest weight of a child; 0 once such a child has been found, or if there is none.
    heaviest: u32,
}

struct Path {
    /// The topmost, shallowest segment.
    shallowest: Segment,
    /// The knot that the path hangs below, its path and its depth.
    above: u32,
    above_path: u32,
    above_depth: u32,
}

/// With fewer knots, 1 MB of them, loads ahead cost more than they give.
const NEAR: usize = 1 << 16;

/// The root stands for no knot: it is no entry, so no segment ends there.
const NONE: u32 = 0;

impl Usage {
    /// No node of the trie used yet. O(knots). Takes the trie for its memory.
    pub fn new(trie: Trie<u32>, skeleton: &Skeleton) -> Self {
        let (trie, mut drafts) = trie.without_labels::<Draft>();
        drafts.reserve_exact(skeleton.len());
        drafts.extend(skeleton.links(&trie).map(|link| Draft {
            parent_or_path: link.parent,
            depth: link.depth,
            weight: 1,
            heaviest: 0,
        }));
        // Children come after their parents: all that is below a knot has been added to it when
        // its turn comes.
        for knot in (1..drafts.len()).rev() {
            let Draft { parent_or_path: parent, weight, .. } = drafts[knot];
            let parent = &mut drafts[parent as usize];
            parent.weight += weight;
            parent.heaviest = parent.heaviest.max(weight);
        }

        let mut paths: Vec<Path> = trie.into_memory();
        for knot in 0..drafts.len() {
            let Draft { parent_or_path: above, weight, .. } = drafts[knot];
            let parent = &mut drafts[above as usize];
            let path = if knot > 0 && weight == parent.heaviest {
                parent.heaviest = 0;
                parent.parent_or_path
            } else {
                paths.push(Path {
                    shallowest: UNUSED,
                    above,
                    above_path: parent.parent_or_path,
                    above_depth: parent.depth,
                });
                paths.len() as u32 - 1
            };
            drafts[knot].parent_or_path = path;
        }
        let knot = |Draft { parent_or_path: path, depth, .. }| Knot { path, depth, deeper: UNUSED };
        Usage { knots: drafts.into_iter().map(knot).collect(), paths }
    }

    /// Loads what `record` is going to need for `ends` into the processor's caches, unless there are so
    /// few knots that it is there anyway.
    ///
    /// Requests jump about in memory, and one waits for the other only where they meet. Here the
    /// loads of many are under way at once, while `record` would wait for each of them.
    pub fn touch(&self, ends: &[u32], machines: &Machines) {
        if self.knots.len() < NEAR {
            return;
        }
        let mut paths = [NONE; BATCH];
        for (path, &end) in paths.iter_mut().zip(ends) {
            *path = self.knots[end as usize].path;
        }
        let mut len = ends.len();
        let mut touched = 0;
        while len > 0 {
            let mut left = 0;
            for place in 0..len {
                let path = &self.paths[paths[place] as usize];
                let Segment { end, last_use } = path.shallowest;
                if last_use >= machines.horizon() {
                    touched ^= machines.peek(last_use) ^ self.knots[end as usize].depth;
                }
                paths[left] = path.above_path;
                left += usize::from(path.above != NONE);
            }
            len = left;
        }
        std::hint::black_box(touched);
    }

    /// Uses all nodes from the root to the knot `end` at the time `now`. `bundle` is told the last
    /// use and the number of those that had been used at `horizon` or later, which is positive.
    pub fn record(
        &mut self,
        end: u32,
        now: Time,
        horizon: Time,
        mut bundle: impl FnMut(Time, u32),
    ) {
        let mut lowest = end;
        let Knot { mut path, mut depth, .. } = self.knots[end as usize];
        while lowest != NONE {
            let here = &mut self.paths[path as usize];
            let mut done = here.above_depth;
            let mut segment = here.shallowest;
            // All that is deeper was used earlier.
            while done < depth && segment.last_use >= horizon {
                let knot = &self.knots[segment.end as usize];
                bundle(segment.last_use, depth.min(knot.depth) - done);
                done = knot.depth;
                if done <= depth {
                    segment = knot.deeper;
                }
            }
            self.knots[lowest as usize].deeper = segment;
            here.shallowest = Segment { end: lowest, last_use: now };
            (lowest, path, depth) = (here.above, here.above_path, here.above_depth);
        }
    }
}
