//! Large inputs, each hard in one respect.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::Input;

/// How large an input may be.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Nodes of the cluster.
    pub nodes: usize,
    /// Requests.
    pub requests: usize,
    /// Tokens in all caches and requests together.
    pub tokens: usize,
}

impl Size {
    /// More than a judge is likely to ask for.
    pub const FULL: Size = Size { nodes: 100_000, requests: 200_000, tokens: 5_000_000 };
}

/// A family of inputs that is hard in one respect, in any size.
pub struct Shape {
    /// A short name, in words joined by hyphens.
    pub name: &'static str,
    /// What makes it what it is.
    pub about: &'static str,
    fill: fn(&mut Plan),
}

impl Shape {
    /// The input of this shape within `size`, the same for the same `seed`. O(size).
    ///
    /// # Panics
    /// If there are less than 4 nodes or 16 requests, or less than 10 times as many tokens as nodes
    /// and requests.
    pub fn input(&self, size: Size, seed: u64) -> Input {
        let Size { nodes, requests, tokens } = size;
        assert!(nodes >= 4 && requests >= 16, "{nodes} nodes, {requests} requests");
        assert!(tokens >= 10 * (nodes + requests), "{tokens} tokens");
        let rng = StdRng::seed_from_u64(seed);
        let mut plan = Plan { size, tokens, rng, input: Input::default() };
        (self.fill)(&mut plan);
        plan.input
    }
}

/// All shapes.
pub const SHAPES: &[Shape] = &[
    Shape {
        name: "system-prompts",
        about: "every node caches the same few long prompts; every request starts with one",
        fill: Plan::system_prompts,
    },
    Shape {
        name: "multi-turn",
        about: "empty caches; each turn repeats its conversation so far and adds to it",
        fill: Plan::multi_turn,
    },
    Shape {
        name: "chain",
        about: "empty caches; each request is the one before and a little more",
        fill: Plan::chain,
    },
    Shape {
        name: "deep",
        about: "node i caches the first i tokens of one sequence: holders change at every token",
        fill: Plan::deep,
    },
    Shape {
        name: "distinct",
        about: "sequences that have next to nothing in common",
        fill: Plan::distinct,
    },
    Shape {
        name: "hot-prefix",
        about: "every cached sequence and request starts alike",
        fill: Plan::hot_prefix,
    },
    Shape {
        name: "one-token",
        about: "requests and cached sequences of one token, few or no holders for each",
        fill: Plan::one_token,
    },
    Shape {
        name: "big-tokens",
        about: "tokens of 15 digits, half of them negative",
        fill: Plan::big_tokens,
    },
    Shape {
        name: "binary",
        about: "sequences of two tokens that part everywhere",
        fill: Plan::binary,
    },
    Shape {
        name: "stale-minima",
        about: "many large sets of holders; loads elsewhere all change between two visits",
        fill: |plan| plan.stale(1),
    },
    Shape {
        name: "stale-large-sets",
        about: "as stale-minima with fewer and larger sets",
        fill: |plan| plan.stale(10),
    },
    Shape {
        name: "same-set",
        about: "many prefixes held by the same half of the nodes",
        fill: Plan::same_set,
    },
];

/// The tokens of a vocabulary of usual size.
const VOCABULARY: std::ops::Range<i64> = 0..150_000;

/// A growing input and what may still be added to it.
struct Plan {
    size: Size,
    tokens: usize,
    rng: StdRng,
    input: Input,
}

impl Plan {
    /// Sets the nodes, with small loads and empty caches: `most` of them or what the size allows.
    fn set_nodes(&mut self, most: usize) -> usize {
        let nodes = most.clamp(4, self.size.nodes);
        self.input.loads = (0..nodes).map(|_| self.rng.random_range(0..1000)).collect();
        self.input.caches = vec![Vec::new(); nodes];
        nodes
    }

    /// As many nodes as can each hold tokens of their number.
    fn side(&self) -> usize {
        self.size.tokens.isqrt()
    }

    /// Adds a sequence to a cache unless the input is full.
    fn cache(&mut self, node: usize, sequence: Vec<i64>) {
        if sequence.len() <= self.tokens {
            self.tokens -= sequence.len();
            self.input.caches[node].push(sequence);
        }
    }

    /// Adds a request; false if the input is full.
    fn request(&mut self, request: Vec<i64>) -> bool {
        let fits = self.input.requests.len() < self.size.requests && request.len() <= self.tokens;
        if fits {
            self.tokens -= request.len();
            self.input.requests.push(request);
        }
        fits
    }

    /// The average length that uses up the tokens that are left.
    fn average(&self) -> usize {
        (self.tokens / self.size.requests).max(1)
    }

    /// 1 to `most` random tokens.
    fn some(&mut self, most: usize) -> Vec<i64> {
        let count = self.rng.random_range(1..=most);
        self.exactly(count)
    }

    fn exactly(&mut self, count: usize) -> Vec<i64> {
        (0..count).map(|_| self.rng.random_range(VOCABULARY)).collect()
    }

    fn system_prompts(&mut self) {
        let nodes = self.set_nodes(self.side() / 8);
        let length = (self.size.tokens / 4 / nodes / 8).max(1);
        let prompts: Vec<_> = (0..8).map(|_| self.exactly(length)).collect();
        for node in 0..nodes {
            prompts.iter().for_each(|prompt| self.cache(node, prompt.clone()));
        }
        loop {
            let prompt = prompts[self.rng.random_range(0..8)].clone();
            let question = self.some(length);
            if !self.request([prompt, question].concat()) {
                break;
            }
        }
    }

    fn multi_turn(&mut self) {
        self.set_nodes(1000);
        // A tenth of the requests would use up the tokens.
        let turn = 4 * self.average();
        let mut open = vec![Vec::new(); (self.size.requests / 1000).max(3)];
        loop {
            let conversation = self.rng.random_range(0..open.len());
            let said = self.some(turn);
            open[conversation].extend(said);
            if !self.request(open[conversation].clone()) {
                break;
            }
            if self.rng.random_range(0..10) == 0 {
                open[conversation].clear();
            }
        }
    }

    fn chain(&mut self) {
        self.set_nodes(1000);
        let requests = self.size.requests.min((2 * self.size.tokens).isqrt());
        let step = (2 * self.size.tokens / requests / requests).max(1);
        let mut chain = self.exactly(step);
        while self.request(chain.clone()) {
            chain.extend(self.exactly(step));
        }
    }

    fn deep(&mut self) {
        let nodes = self.set_nodes(self.side());
        let sequence = self.exactly(nodes);
        for node in 0..nodes {
            self.cache(node, sequence[..=node].to_vec());
        }
        loop {
            let kept = self.rng.random_range(0..=nodes);
            let fresh = self.exactly(1);
            if !self.request([&sequence[..kept], &fresh].concat()) {
                break;
            }
        }
    }

    fn distinct(&mut self) {
        let nodes = self.set_nodes(usize::MAX);
        let length = self.size.tokens / 4 / nodes;
        let different = |plan: &mut Plan, length: usize| {
            (0..length).map(|_| plan.rng.random_range(0..10_000_000)).collect()
        };
        for node in 0..nodes {
            let sequence = different(self, length);
            self.cache(node, sequence);
        }
        let length = self.average();
        loop {
            let request = different(self, length);
            if !self.request(request) {
                break;
            }
        }
    }

    fn hot_prefix(&mut self) {
        let nodes = self.set_nodes(usize::MAX);
        let hot = self.exactly((self.size.tokens / 4 / nodes - 1).max(1));
        for node in 0..nodes {
            let own = self.exactly(1);
            self.cache(node, [&hot[..], &own].concat());
        }
        let most = 2 * self.average().saturating_sub(hot.len()) + 1;
        loop {
            let fresh = self.some(most);
            if !self.request([&hot[..], &fresh].concat()) {
                break;
            }
        }
    }

    fn one_token(&mut self) {
        let nodes = self.set_nodes(usize::MAX);
        let tokens = self.size.requests as i64;
        for node in 0..nodes {
            let token = self.rng.random_range(0..tokens);
            self.cache(node, vec![token]);
        }
        loop {
            let token = self.rng.random_range(0..tokens);
            if !self.request(vec![token]) {
                break;
            }
        }
    }

    fn big_tokens(&mut self) {
        let nodes = self.set_nodes(1000);
        let big = |plan: &mut Plan, length: usize| -> Vec<i64> {
            let mut token = || {
                let magnitude = plan.rng.random_range(100_000_000_000_000..1_000_000_000_000_000);
                if plan.rng.random() {
                    -magnitude
                } else {
                    magnitude
                }
            };
            (0..length).map(|_| token()).collect()
        };
        let length = self.size.tokens / 2 / (self.size.requests + nodes);
        let openings: Vec<_> = (0..5 * nodes).map(|_| big(self, length)).collect();
        let sequence = |plan: &mut Plan| {
            let opening = &openings[plan.rng.random_range(0..openings.len())];
            let kept = plan.rng.random_range(0..=length);
            let fresh = big(plan, length + 1 - kept);
            [&opening[..kept], &fresh].concat()
        };
        for node in 0..nodes {
            for _ in 0..(self.size.tokens / 8 / nodes / length).max(1) {
                let sequence = sequence(self);
                self.cache(node, sequence);
            }
        }
        loop {
            let request = sequence(self);
            if !self.request(request) {
                break;
            }
        }
    }

    fn binary(&mut self) {
        let nodes = self.set_nodes(usize::MAX);
        let bits = |plan: &mut Plan, most: usize| {
            let count = plan.rng.random_range(1..=most);
            (0..count).map(|_| plan.rng.random_range(0..2)).collect()
        };
        let most = 2 * (self.size.tokens / 2 / nodes);
        for node in 0..nodes {
            let sequence = bits(self, most);
            self.cache(node, sequence);
        }
        let most = 2 * self.average();
        loop {
            let request = bits(self, most);
            if !self.request(request) {
                break;
            }
        }
    }

    /// Sets of about 7/8 of `factor` times half a side of nodes, each set the holders of one token.
    fn stale(&mut self, factor: usize) {
        let nodes = self.set_nodes(self.side() / 2 * factor);
        let sets = (self.size.tokens / 2 / nodes).max(2);
        for node in 0..nodes {
            for set in 0..sets {
                if self.rng.random_range(0..8) > 0 {
                    self.cache(node, vec![set as i64]);
                }
            }
        }
        let most = self.average();
        for turn in 0.. {
            let elsewhere = vec![(sets + turn) as i64; self.rng.random_range(1..=2 * most)];
            let visit = vec![(turn % sets) as i64; self.rng.random_range(1..=most)];
            if !self.request(elsewhere) || !self.request(visit) {
                break;
            }
        }
    }

    fn same_set(&mut self) {
        let nodes = self.set_nodes(self.side() / 2);
        let prefixes = (self.size.tokens / nodes / 3).max(2);
        let prefixes: Vec<_> = (0..prefixes).map(|_| self.exactly(3)).collect();
        for node in (0..nodes).step_by(2) {
            prefixes.iter().for_each(|prefix| self.cache(node, prefix.clone()));
        }
        let most = 2 * self.average();
        loop {
            let mut request = match self.rng.random_range(0..4) {
                0 => Vec::new(),
                _ => prefixes[self.rng.random_range(0..prefixes.len())].clone(),
            };
            request.extend(self.some(most));
            if !self.request(request) {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_keeps_to_its_size() {
        let sizes = [(4, 16, 200), (50, 300, 3500), (7, 1000, 20_000), (300, 20, 4000)];
        for shape in SHAPES {
            for (nodes, requests, tokens) in sizes {
                let input = shape.input(Size { nodes, requests, tokens }, 1);
                let name = shape.name;
                assert!((4..=nodes).contains(&input.loads.len()), "{name}");
                assert_eq!(input.loads.len(), input.caches.len(), "{name}");
                assert!((1..=requests).contains(&input.requests.len()), "{name}");
                let sequences = input.caches.iter().flatten().chain(&input.requests);
                assert!(sequences.clone().all(|sequence| !sequence.is_empty()), "{name}");
                let given: usize = sequences.map(Vec::len).sum();
                assert!(given <= tokens, "{name}: {given} of {tokens}");
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_input_and_another_one_another() {
        let size = Size { nodes: 10, requests: 50, tokens: 1000 };
        for shape in SHAPES {
            assert_eq!(shape.input(size, 1), shape.input(size, 1), "{}", shape.name);
            assert_ne!(shape.input(size, 1), shape.input(size, 2), "{}", shape.name);
        }
    }
}
