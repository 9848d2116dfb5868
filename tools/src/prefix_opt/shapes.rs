//! Large inputs, each hard in one respect.

use std::ops::Range;

use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

use super::{Input, Request};

/// A family of inputs that is hard in one respect, in any size.
pub struct Shape {
    /// A short name, in words joined by hyphens.
    pub name: &'static str,
    /// What is hard about it.
    pub about: &'static str,
    fill: fn(&mut Plan),
}

impl Shape {
    /// The input of this shape with at most `requests` requests and `tokens` tokens given, the
    /// same for the same `seed`. O(requests + tokens).
    ///
    /// # Panics
    /// If there are less than 16 requests, or less than twice as many tokens.
    pub fn input(&self, requests: usize, tokens: usize, capacity: u64, seed: u64) -> Input {
        assert!(requests >= 16 && tokens >= 2 * requests, "{requests} requests, {tokens} tokens");
        let mut plan = Plan {
            requests,
            tokens,
            rng: StdRng::seed_from_u64(seed),
            list: Vec::with_capacity(requests),
            lengths: vec![0],
        };
        (self.fill)(&mut plan);
        Input { capacity, requests: plan.list }
    }
}

/// Capacities with which each shape is worth a try.
pub const CAPACITIES: [u64; 7] = [0, 1, 50, 1_000, 100_000, 1_000_000, 1_000_000_000];

/// All shapes.
pub const SHAPES: &[Shape] = &[
    Shape {
        name: "chain-random",
        about: "one long sequence, then random prefixes of it",
        fill: |plan| plan.chain(|rng, _, n| rng.random_range(0..n)),
    },
    Shape {
        name: "chain-falling",
        about: "one long sequence, then shorter and shorter prefixes of it",
        fill: |plan| plan.chain(|_, i, n| n - 1 - i),
    },
    Shape {
        name: "chain-rising",
        about: "one long sequence, then longer and longer prefixes of it",
        fill: |plan| plan.chain(|_, i, _| i),
    },
    Shape {
        name: "chain-saw-tooth",
        about: "one long sequence, then prefixes that grow and start again",
        fill: |plan| plan.chain(|_, i, n| i * 1000 % n),
    },
    Shape {
        name: "chain-both-ends",
        about: "one long sequence, then its first token and all of it in turns",
        fill: |plan| plan.chain(|_, i, n| (n - 1) * (i % 2)),
    },
    Shape {
        name: "repeats",
        about: "one long sequence again and again",
        fill: |plan| plan.chain(|_, _, n| n - 1),
    },
    Shape {
        name: "caterpillar-random",
        about: "a spine with legs of one token, visited at random",
        fill: |plan| plan.caterpillar(Order::Random, LARGE),
    },
    Shape {
        name: "caterpillar-in-order",
        about: "a spine with legs of one token, visited in order",
        fill: |plan| plan.caterpillar(Order::Sequential, LARGE),
    },
    Shape {
        name: "caterpillar-one-token",
        about: "a spine with legs of the same token, visited at random",
        fill: |plan| plan.caterpillar(Order::Random, 1..2),
    },
    Shape {
        name: "broom",
        about: "a long handle with bristles of one token, visited at random",
        fill: Plan::broom,
    },
    Shape {
        name: "binary-bit-reversed",
        about: "a complete binary tree, leaves visited in bit-reversed order",
        fill: |plan| plan.binary(Order::BitReversed, 1),
    },
    Shape {
        name: "binary-random",
        about: "a complete binary tree, leaves visited at random",
        fill: |plan| plan.binary(Order::Random, 1),
    },
    Shape {
        name: "binary-sequential",
        about: "a complete binary tree, leaves visited from left to right",
        fill: |plan| plan.binary(Order::Sequential, 1),
    },
    Shape {
        name: "binary-fat",
        about: "a binary tree with edges of a thousand tokens, leaves visited at random",
        fill: |plan| plan.binary(Order::Random, 1000),
    },
    Shape {
        name: "tree-small-alphabet",
        about: "requests that leave earlier ones anywhere, with two tokens",
        fill: |plan| plan.tree(1..3, 0),
    },
    Shape {
        name: "tree-large-alphabet",
        about: "requests that leave earlier ones anywhere, with a million tokens",
        fill: |plan| plan.tree(LARGE, 0),
    },
    Shape {
        name: "tree-below-chain",
        about: "as tree-small-alphabet with four tokens, below one long sequence",
        fill: |plan| plan.tree(1..5, plan.tokens / 2),
    },
    Shape {
        name: "roots-in-depth",
        about: "as many paths as each has tokens, each below the middle of the last",
        fill: |plan| plan.square(true),
    },
    Shape {
        name: "roots-in-breadth",
        about: "as many paths as each has tokens, side by side",
        fill: |plan| plan.square(false),
    },
    Shape {
        name: "star-random",
        about: "requests of one random token",
        fill: |plan| plan.star(|rng, _| vec![rng.random_range(LARGE)]),
    },
    Shape {
        name: "star-powers-of-two",
        about: "requests of up to four powers of two",
        fill: |plan| plan.star(powers_of_two),
    },
    Shape {
        name: "star-arithmetic",
        about: "requests of one token, in arithmetic progression",
        fill: |plan| plan.star(|_, i| vec![2 * i as u32 % 1_000_000]),
    },
    Shape {
        name: "deep-ancestors",
        about: "a growing path that requests leave far up, to spell out what is there",
        fill: Plan::deep_ancestors,
    },
    Shape {
        name: "conversations",
        about: "conversations under few system prompts, turn by turn, some popular",
        fill: Plan::conversations,
    },
    Shape {
        name: "one-conversation",
        about: "each request is the one before and a few tokens more",
        fill: Plan::one_conversation,
    },
];

/// All tokens that the statement allows.
const LARGE: Range<u32> = 1..1_000_001;

/// The order in which the leaves of a tree are visited.
#[derive(Clone, Copy)]
enum Order {
    Sequential,
    Random,
    BitReversed,
}

/// A growing input and what may still be added to it.
struct Plan {
    requests: usize,
    tokens: usize,
    rng: StdRng,
    list: Vec<Request>,
    /// The length of each request, the empty request 0 first.
    lengths: Vec<usize>,
}

impl Plan {
    /// Adds a request unless the input is full, and gives its number.
    fn add(&mut self, origin: usize, kept: usize, tokens: Vec<u32>) -> usize {
        if self.requests > 0 && tokens.len() <= self.tokens {
            self.requests -= 1;
            self.tokens -= tokens.len();
            self.lengths.push(kept + tokens.len());
            self.list.push(Request { origin, kept, tokens });
        }
        self.list.len()
    }

    fn random_tokens(&mut self, count: usize, alphabet: Range<u32>) -> Vec<u32> {
        (0..count).map(|_| self.rng.random_range(alphabet.clone())).collect()
    }

    /// Repeats random requests of the given numbers until the input is full.
    fn repeat_some(&mut self, among: Range<usize>) {
        while self.requests > 0 {
            let origin = self.rng.random_range(among.clone());
            self.add(origin, self.lengths[origin], vec![]);
        }
    }

    /// One sequence with all tokens, then prefixes of it. `prefix` gives the length minus one of
    /// the i-th of n, on a scale of n.
    fn chain(&mut self, prefix: fn(&mut StdRng, usize, usize) -> usize) {
        let length = self.tokens;
        let long = self.random_tokens(length, LARGE);
        self.add(0, 0, long);
        let count = self.requests;
        for i in 0..count {
            let step = prefix(&mut self.rng, i, count);
            self.add(1, 1 + step * (length - 1) / (count - 1), vec![]);
        }
    }

    /// A spine, a leg of one token at many of its nodes, then repeated visits to the legs.
    fn caterpillar(&mut self, order: Order, alphabet: Range<u32>) {
        let legs = self.requests / 2;
        let spine = self.tokens - legs;
        let tokens = self.random_tokens(spine, 2..1_000_001);
        self.add(0, 0, tokens);
        let mut knees: Vec<usize> = (0..legs).map(|leg| 1 + leg * (spine - 1) / legs).collect();
        if let Order::Random = order {
            knees.shuffle(&mut self.rng);
        }
        for knee in knees {
            let leg = self.random_tokens(1, alphabet.clone());
            self.add(1, knee, leg);
        }
        match order {
            Order::Random => self.repeat_some(2..2 + legs),
            _ => {
                for leg in 2..2 + legs {
                    self.add(leg, self.lengths[leg], vec![]);
                }
            }
        }
    }

    /// A long handle, bristles of one token at its end, then repeated visits to the bristles.
    fn broom(&mut self) {
        let bristles = self.requests / 2;
        let handle = self.tokens - bristles;
        let tokens = self.random_tokens(handle, LARGE);
        self.add(0, 0, tokens);
        for _ in 0..bristles {
            let bristle = self.random_tokens(1, LARGE);
            self.add(1, handle, bristle);
        }
        self.repeat_some(2..2 + bristles);
    }

    /// A complete binary tree with edges of at least `thickness` tokens if there are enough, its
    /// leaves visited again and again.
    fn binary(&mut self, order: Order, thickness: usize) {
        let leaves = (self.tokens / 2 / thickness).clamp(2, self.requests / 2 + 1);
        let levels = leaves.ilog2();
        let edge = self.tokens >> (levels + 1);
        // Nodes are numbered as in a heap; `owner` is the first request that ran through one.
        let mut owner = vec![0; 2 << levels];
        let mut turn = 0u32;
        while self.requests > 0 {
            let leaf = match order {
                Order::Sequential => turn % (1 << levels),
                Order::BitReversed => (turn % (1 << levels)).reverse_bits() >> (32 - levels),
                Order::Random => self.rng.random_range(0..1 << levels),
            };
            turn += 1;
            let mut node = (1usize << levels) + leaf as usize;
            let mut path = Vec::new();
            while node > 1 && owner[node] == 0 {
                owner[node] = self.list.len() + 1;
                path.push(node);
                node /= 2;
            }
            let kept = node.ilog2() as usize * edge;
            let tokens = |&node: &usize| std::iter::repeat_n(1 + node as u32 % 2, edge);
            self.add(owner[node], kept, path.iter().rev().flat_map(tokens).collect());
        }
    }

    /// Requests that leave earlier ones anywhere, below a chain of `stem` tokens.
    fn tree(&mut self, alphabet: Range<u32>, stem: usize) {
        let tokens = self.random_tokens(stem.max(1), alphabet.clone());
        self.add(0, 0, tokens);
        let most = 2 * self.tokens / self.requests - 1;
        while self.requests > 0 {
            let origin = self.rng.random_range(1..self.lengths.len());
            let kept = self.rng.random_range(stem.max(1)..=self.lengths[origin]);
            let fresh = self.rng.random_range(0..=most.min(self.tokens));
            let tokens = self.random_tokens(fresh, alphabet.clone());
            self.add(origin, kept, tokens);
        }
    }

    /// As many paths as each has tokens, side by side or each below the middle of the one before;
    /// then random prefixes of all of them.
    fn square(&mut self, is_deep: bool) {
        let side = self.tokens.isqrt().min(self.requests / 2);
        for path in 0..side {
            let tokens = self.random_tokens(side, LARGE);
            let (origin, kept) =
                if is_deep && path > 0 { (path, self.lengths[path] - side / 2) } else { (0, 0) };
            self.add(origin, kept, tokens);
        }
        while self.requests > 0 {
            let origin = self.rng.random_range(1..=side);
            let kept = self.rng.random_range(1..=self.lengths[origin]);
            self.add(origin, kept, vec![]);
        }
    }

    /// Requests that have nothing in common, or are equal.
    fn star(&mut self, request: fn(&mut StdRng, usize) -> Vec<u32>) {
        for i in 0..self.requests {
            let mut tokens = request(&mut self.rng, i);
            tokens.truncate(self.tokens);
            if !tokens.is_empty() {
                tokens.iter_mut().for_each(|token| *token = (*token).max(1));
                self.add(0, 0, tokens);
            }
        }
    }

    /// One path that branches at every node and grows by a node every other request; between, a
    /// request leaves it far up and spells out again what is there.
    fn deep_ancestors(&mut self) {
        let mut path: Vec<u32> = Vec::new();
        let mut end = 0;
        while self.requests > 0 {
            let kept = path.len().saturating_sub(1);
            path.truncate(kept);
            path.extend(self.random_tokens(2, LARGE));
            end = self.add(end, kept, path[kept..].to_vec());
            if self.tokens < 4 {
                break;
            }
            let kept = self.rng.random_range(0..=path.len() - 2);
            self.add(end, kept, path[kept..kept + 2].to_vec());
        }
        self.repeat_some(1..self.lengths.len());
    }

    /// Conversations that start with one of a few system prompts and go on turn by turn, the
    /// popular ones more often.
    fn conversations(&mut self) {
        let turn = (self.tokens / self.requests / 2).max(1);
        let prompts: Vec<usize> = (0..5)
            .map(|_| {
                let prompt = self.random_tokens(self.tokens / 20, LARGE);
                self.add(0, 0, prompt)
            })
            .collect();
        let mut latest: Vec<usize> = Vec::new();
        while self.requests > 0 {
            // The k-th oldest conversation is drawn with a probability of about 1/k.
            let rank = (self.requests as f64).powf(self.rng.random::<f64>()) as usize;
            let origin = match latest.get(rank - 1) {
                Some(&origin) => origin,
                None => *prompts.choose(&mut self.rng).expect("there are prompts"),
            };
            let fresh = self.rng.random_range(1..2 * turn).min(self.tokens);
            let tokens = self.random_tokens(fresh, LARGE);
            let request = self.add(origin, self.lengths[origin], tokens);
            match latest.get_mut(rank - 1) {
                Some(conversation) => *conversation = request,
                None => latest.push(request),
            }
        }
    }

    /// Each request is the one before and a few tokens more: the longest requests in all.
    fn one_conversation(&mut self) {
        while self.requests > 0 {
            let tokens = self.random_tokens(self.tokens / self.requests, LARGE);
            let latest = self.list.len();
            self.add(latest, self.lengths[latest], tokens);
        }
    }
}

/// Up to four powers of two.
fn powers_of_two(rng: &mut StdRng, _: usize) -> Vec<u32> {
    let length = rng.random_range(1..=4);
    (0..length).map(|_| 1 << rng.random_range(0..20)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_is_valid_in_every_size() {
        for shape in SHAPES {
            for (requests, tokens) in [(16, 32), (50, 100), (1000, 5000), (20, 20_000)] {
                let input = shape.input(requests, tokens, 3, 1);
                let lengths = input.lengths();
                for (number, request) in (1..).zip(&input.requests) {
                    let name = shape.name;
                    assert!(request.origin < number, "{name}: request {number}");
                    assert!(request.kept <= lengths[request.origin], "{name}: request {number}");
                    assert!(lengths[number] > 0, "{name}: request {number}");
                    assert!(request.tokens.iter().all(|token| LARGE.contains(token)));
                }
                let given: usize = input.requests.iter().map(|r| r.tokens.len()).sum();
                assert!(
                    (requests / 2..=requests).contains(&input.requests.len()),
                    "{}",
                    shape.name
                );
                assert!(given <= tokens, "{}", shape.name);
                assert_eq!(input, shape.input(requests, tokens, 3, 1));
            }
        }
    }
}
