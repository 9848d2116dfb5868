//! Which shared blocks a new request refers to.

use super::setting::Setting;
use super::stage::Stage;
use crate::evict::BlockId;
use rand::rngs::StdRng;
use rand::seq::{index, IndexedRandom};
use rand::RngExt;
use std::collections::HashMap;

/// How prompts share their beginnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sharing {
    /// Any blocks of a common pool.
    Pool,
    /// Blocks of a common pool, the r-th most popular one in proportion to 1/r.
    Popular,
    /// One of a few prompts that are always referred to as a whole, by popularity.
    Prompts,
    /// A path from the root of a tree of blocks.
    Tree,
    /// Blocks of its own group, which grow in number and go when the group has gone.
    Session,
    /// Perhaps one common block, and new ones that nobody else refers to.
    Own,
}

/// The blocks that requests may refer to.
pub(super) struct Prompts {
    sharing: Sharing,
    pool: Vec<BlockId>,
    /// Whole prompts, the most popular first.
    prompts: Vec<Vec<BlockId>>,
    sessions: HashMap<usize, Vec<BlockId>>,
    /// How much a popular rank is preferred to the next: weights 1/(rank + flatness).
    flatness: u64,
}

/// Children of a block in a tree of prompts.
const BRANCHES: usize = 3;

impl Prompts {
    /// Creates the common blocks.
    pub(super) fn new(
        rng: &mut StdRng,
        stage: &mut Stage,
        setting: &Setting,
        sharing: Sharing,
    ) -> Self {
        let count = match sharing {
            _ if setting.k.1 == 0 => 0,
            Sharing::Session => 0,
            Sharing::Own => 4,
            _ => setting.pool.max(setting.k.1),
        };
        let pool: Vec<BlockId> = (0..count).map(|_| stage.create(rng, false)).collect();
        let mut prompts = Vec::new();
        if sharing == Sharing::Prompts {
            let mut rest = &pool[..];
            while rest.len() >= setting.k.1.max(1) {
                let k = rng.random_range(setting.k.0.max(1)..=setting.k.1);
                let (prompt, others) = rest.split_at(k);
                prompts.push(prompt.to_vec());
                rest = others;
            }
        }
        Prompts {
            sharing,
            pool,
            prompts,
            sessions: HashMap::new(),
            flatness: rng.random_range(1..=4),
        }
    }

    /// References of a new request of this group, in the order of the prompt.
    pub(super) fn choose(
        &mut self,
        rng: &mut StdRng,
        stage: &mut Stage,
        setting: &Setting,
        group: usize,
    ) -> Vec<BlockId> {
        let k = setting.references(rng);
        if setting.k.1 == 0 {
            return Vec::new();
        }
        match self.sharing {
            Sharing::Pool => {
                let chosen = index::sample(rng, self.pool.len(), k.min(self.pool.len()));
                chosen.into_iter().map(|at| self.pool[at]).collect()
            }
            Sharing::Popular => {
                let mut chosen = Vec::new();
                while chosen.len() < k.min(self.pool.len()) {
                    let block = self.pool[self.rank(rng, self.pool.len())];
                    if !chosen.contains(&block) {
                        chosen.push(block);
                    }
                }
                chosen
            }
            Sharing::Prompts if k == 0 => Vec::new(),
            Sharing::Prompts => self.prompts[self.rank(rng, self.prompts.len())].clone(),
            Sharing::Tree => {
                let mut path = Vec::new();
                let mut children = 0..BRANCHES.min(self.pool.len());
                while path.len() < k && !children.is_empty() {
                    let at = children.start + self.rank(rng, children.len());
                    path.push(self.pool[at]);
                    let first = (at + 1) * BRANCHES;
                    children = first.min(self.pool.len())..(first + BRANCHES).min(self.pool.len());
                }
                path
            }
            Sharing::Session => self.session(rng, stage, k.max(1), group),
            Sharing::Own => {
                let mut blocks = Vec::new();
                if k > 1 {
                    blocks.push(*self.pool.choose(rng).expect("four blocks"));
                }
                while blocks.len() < k && stage.room() > 2 {
                    blocks.push(stage.create(rng, true));
                }
                blocks
            }
        }
    }

    /// The beginning of the group's conversation, now and then a block longer than before.
    fn session(
        &mut self,
        rng: &mut StdRng,
        stage: &mut Stage,
        k: usize,
        group: usize,
    ) -> Vec<BlockId> {
        let chain = self.sessions.entry(group).or_default();
        if chain.iter().any(|&block| !stage.exists(block)) {
            chain.clear();
        }
        while chain.len() < k && stage.room() > 2 {
            chain.push(stage.create(rng, true));
            if chain.len() >= 2 && rng.random_bool(0.5) {
                break;
            }
        }
        chain[..k.min(chain.len())].to_vec()
    }

    /// A rank below `count`, drawn in proportion to 1/(rank + flatness).
    fn rank(&self, rng: &mut StdRng, count: usize) -> usize {
        const UNIT: u64 = 1 << 20;
        let weight = |rank: usize| UNIT / (rank as u64 + self.flatness);
        let mut left = rng.random_range(0..(0..count).map(weight).sum());
        for rank in 0..count {
            match left.checked_sub(weight(rank)) {
                Some(rest) => left = rest,
                None => return rank,
            }
        }
        unreachable!("the weights sum to more than was drawn")
    }
}
