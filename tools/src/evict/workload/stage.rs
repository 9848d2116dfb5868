//! An input in the making: who is open, what is referred to, and how commands get written.

use crate::evict::command::IDS;
use crate::evict::{BlockId, Command, Input, RequestId};
use rand::rngs::StdRng;
use rand::RngExt;
use std::collections::{HashMap, HashSet};

/// A request that has neither finished nor been cancelled, with what a scheduler may go by.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub(super) id: RequestId,
    pub(super) blocks: Vec<BlockId>,
    /// Input tokens outside the shared blocks.
    pub(super) private: u64,
    /// Tokens to generate, and generated.
    pub(super) m: u64,
    pub(super) g: u64,
    /// How many requests came before it.
    pub(super) arrival: usize,
    /// The round before which it came.
    pub(super) since: usize,
    /// The last round that it was in, from 1; 0 if none.
    pub(super) used: usize,
    /// Its tenant, session or gang.
    pub(super) group: usize,
    /// Smaller is more urgent.
    pub(super) priority: u64,
    /// The round by which it would like to be done.
    pub(super) deadline: usize,
    /// How often a skewed scheduler takes it, relative to others.
    pub(super) weight: u64,
}

impl Open {
    /// Tokens left to generate.
    pub(super) fn left(&self) -> u64 {
        self.m - self.g
    }
}

/// What a new request is made of.
pub(super) struct Demand {
    pub(super) blocks: Vec<BlockId>,
    pub(super) private: u64,
    pub(super) m: u64,
    pub(super) group: usize,
}

/// The commands so far and the state they lead to on a GPU without end.
pub(super) struct Stage {
    pub(super) s: u64,
    pub(super) c: u64,
    /// Commands that the finished input has at most.
    q: usize,
    commands: Vec<Command>,
    /// In order of arrival.
    pub(super) open: Vec<Open>,
    /// DECODEs so far.
    pub(super) round: usize,
    /// Requests so far.
    pub(super) arrivals: usize,
    /// Open requests that refer to each block.
    live: HashMap<BlockId, u32>,
    /// Blocks to be dropped once nobody refers to them.
    leaving: Vec<BlockId>,
    finished: bool,
    used_ids: HashSet<u32>,
    last_id: u32,
}

impl Stage {
    pub(super) fn new(rng: &mut StdRng, s: u64, c: u64, q: usize) -> Self {
        // Small ids that requests and blocks share, or any up to the limit.
        let last_id = if rng.random_bool(0.5) { 4 * q as u32 } else { *IDS.end() };
        Stage {
            s,
            c,
            q,
            commands: Vec::new(),
            open: Vec::new(),
            round: 0,
            arrivals: 0,
            live: HashMap::new(),
            leaving: Vec::new(),
            finished: false,
            used_ids: HashSet::new(),
            last_id,
        }
    }

    /// Commands that may still be written before the ending: one for each open request and two
    /// for a request that surely finishes.
    pub(super) fn room(&self) -> usize {
        self.q.saturating_sub(self.commands.len() + self.open.len() + 2)
    }

    fn fresh_id(&mut self, rng: &mut StdRng) -> u32 {
        loop {
            let id = rng.random_range(1..=self.last_id);
            if self.used_ids.insert(id) {
                return id;
            }
        }
    }

    /// A new shared block. `leaving` ones are dropped by [`Stage::drop_unused`].
    pub(super) fn create(&mut self, rng: &mut StdRng, leaving: bool) -> BlockId {
        let id = BlockId(self.fresh_id(rng));
        self.commands.push(Command::CreateBlock(id));
        self.live.insert(id, 0);
        if leaving {
            self.leaving.push(id);
        }
        id
    }

    /// Drops each block that was to leave and is unreferred to, with this chance.
    pub(super) fn drop_unused(&mut self, rng: &mut StdRng, chance: f64) {
        for at in (0..self.leaving.len()).rev() {
            let id = self.leaving[at];
            if self.room() > 0 && self.live[&id] == 0 && rng.random_bool(chance) {
                self.leaving.swap_remove(at);
                self.live.remove(&id);
                self.commands.push(Command::DropBlock(id));
            }
        }
    }

    /// Whether the block has been created and not dropped.
    pub(super) fn exists(&self, block: BlockId) -> bool {
        self.live.contains_key(&block)
    }

    /// Adds a request. Its size and duration are cut so that it fits into the GPU alone.
    pub(super) fn add(&mut self, rng: &mut StdRng, demand: Demand) {
        let Demand { blocks, private, m, group } = demand;
        let id = RequestId(self.fresh_id(rng));
        let k = blocks.len() as u64;
        let room = (self.c - k) * self.s;
        let m = m.clamp(1, room);
        let private = private.min(room - m);
        for block in &blocks {
            *self.live.get_mut(block).expect("an existing block") += 1;
        }
        let p = k * self.s + private;
        self.commands.push(Command::Add { id, blocks: blocks.clone(), p, m });
        self.open.push(Open {
            id,
            blocks,
            private,
            m,
            g: 0,
            arrival: self.arrivals,
            since: self.round,
            used: 0,
            group,
            priority: rng.random_range(0..4),
            deadline: self.round + rng.random_range(5..=80),
            // A few are wanted far more often than the rest.
            weight: 240 / rng.random_range(1..=24u64).pow(2).max(2),
        });
        self.arrivals += 1;
    }

    /// Cancels the open request at this place.
    pub(super) fn cancel(&mut self, at: usize) {
        let request = self.leave(at);
        self.commands.push(Command::Cancel(request.id));
    }

    /// Decodes the requests at these places, the first ones of them that fit together. Returns
    /// the arrivals of those decoded.
    ///
    /// # Panics
    /// If none is given.
    pub(super) fn decode(&mut self, batch: &[usize]) -> Vec<usize> {
        let mut shared = HashSet::new();
        let mut occupied = 0;
        let mut taken: Vec<usize> = Vec::new();
        for &at in batch {
            let request = &self.open[at];
            let missing = request.blocks.iter().filter(|block| !shared.contains(*block)).count();
            let grown = self.footprint(request, 1) + missing as u64;
            if occupied + grown <= self.c && !taken.contains(&at) {
                occupied += grown;
                shared.extend(request.blocks.iter().copied());
                taken.push(at);
            }
        }
        assert!(!taken.is_empty(), "every request fits alone");
        self.round += 1;
        let ids = taken.iter().map(|&at| self.open[at].id).collect();
        self.commands.push(Command::Decode(ids));
        let arrivals = taken.iter().map(|&at| self.open[at].arrival).collect();
        for &at in &taken {
            self.open[at].g += 1;
            self.open[at].used = self.round;
        }
        taken.sort_unstable();
        for &at in taken.iter().rev() {
            if self.open[at].left() == 0 {
                self.leave(at);
                self.finished = true;
            }
        }
        arrivals
    }

    fn leave(&mut self, at: usize) -> Open {
        let request = self.open.remove(at);
        for block in &request.blocks {
            *self.live.get_mut(block).expect("an existing block") -= 1;
        }
        request
    }

    /// Private blocks of a request after this many more tokens.
    fn footprint(&self, request: &Open, tokens: u64) -> u64 {
        (request.private + request.g + tokens).div_ceil(self.s)
    }

    /// Blocks that all open requests together need.
    pub(super) fn working_set(&self) -> u64 {
        let shared = self.live.values().filter(|&&live| live > 0).count() as u64;
        let private = self.open.iter().map(|request| self.footprint(request, 0));
        private.sum::<u64>() + shared
    }

    /// Cancels whoever is left and returns the input.
    pub(super) fn finish(mut self, rng: &mut StdRng) -> Input {
        while !self.open.is_empty() {
            self.cancel(0);
        }
        if !self.finished {
            self.add(rng, Demand { blocks: Vec::new(), private: 0, m: 1, group: 0 });
            self.decode(&[0]);
        }
        Input { s: self.s, c: self.c, commands: self.commands }
    }
}
