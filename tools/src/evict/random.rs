//! Small dense random inputs, for brute forces and for whatever must hold on any input.

use super::command::{BlockId, Command, RequestId, IDS, MAX_TOKENS};
use super::input::Input;
use super::rules::Rules;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt};
use std::collections::HashSet;

/// Upper bounds of a random input; each input draws its own sizes below them.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Commands before those that end the requests left over.
    pub commands: usize,
    pub s: u64,
    pub c: u64,
    pub blocks: usize,
    pub requests: usize,
    /// References of a request.
    pub k: usize,
    /// Tokens to generate.
    pub m: u64,
}

impl Shape {
    /// For [`super::optimum()`]: a few milliseconds each.
    pub const TINY: Shape = Shape { commands: 80, s: 3, c: 8, blocks: 6, requests: 10, k: 3, m: 6 };
    /// For everything polynomial.
    pub const SMALL: Shape =
        Shape { commands: 120, s: 4, c: 14, blocks: 12, requests: 24, k: 4, m: 9 };
}

/// A legal input within `shape` that ends every request. Sizes, the mix of commands and the ids
/// (a dense range or any up to 10^9, drawn by both kinds from one pool) vary from input to input;
/// some requests are too large ever to run and end by CANCEL.
///
/// # Panics
/// If a bound of `shape` is 0 (`k` and `blocks` may be).
pub fn random(rng: &mut impl Rng, shape: &Shape) -> Input {
    let mut draft = Draft::new(rng, shape);
    // Weights of CREATE, DROP, ADD, CANCEL and DECODE; many rounds mean many evictions.
    let weights = [4, 1, 6, 1, rng.random_range(2..=40)];
    let largest_batch = rng.random_range(1..=3);
    let steps = often_large(rng, shape.commands as u64);
    for step in 0..steps {
        // Most inputs begin with something to decode.
        let weights = if step < steps / 3 { [4, 0, 6, 0, 1] } else { weights };
        match pick(rng, &weights) {
            0 => draft.create(),
            1 => draft.drop_block(rng),
            2 => draft.add(rng),
            3 => draft.cancel(rng),
            _ => draft.decode(rng, largest_batch),
        }
    }
    draft.finish(rng);
    Input { s: draft.rules.s(), c: draft.rules.c(), commands: draft.commands }
}

/// Anything in `0..=most`, in three inputs of four from the upper half.
fn often_large(rng: &mut impl Rng, most: u64) -> u64 {
    let least = if rng.random_bool(0.25) { 0 } else { most / 2 };
    rng.random_range(least..=most)
}

/// An index, drawn in proportion to its weight.
fn pick(rng: &mut impl Rng, weights: &[u32]) -> usize {
    let mut left = rng.random_range(0..weights.iter().sum());
    let lands = |&weight: &u32| match left.checked_sub(weight) {
        Some(rest) => {
            left = rest;
            false
        }
        None => true,
    };
    weights.iter().position(lands).expect("a weight above 0")
}

/// An input in the making. `rules` never evicts: what may follow does not depend on it.
struct Draft {
    rules: Rules,
    commands: Vec<Command>,
    blocks: Vec<BlockId>,
    unused_blocks: Vec<u32>,
    unused_requests: Vec<u32>,
    cancelled: HashSet<RequestId>,
    /// Bounds of this input.
    k: usize,
    m: u64,
}

impl Draft {
    fn new(rng: &mut impl Rng, shape: &Shape) -> Self {
        let size = shape.blocks.max(shape.requests);
        let last = if rng.random_bool(0.5) { size as u32 } else { *IDS.end() };
        let mut pool = HashSet::from([last]);
        while pool.len() < size {
            pool.insert(rng.random_range(1..=last));
        }
        let mut pool: Vec<u32> = pool.into_iter().collect();
        pool.sort_unstable();
        pool.shuffle(rng);
        let unused_blocks = pool[..often_large(rng, shape.blocks as u64) as usize].to_vec();
        pool.shuffle(rng);
        pool.truncate(often_large(rng, shape.requests as u64).max(1) as usize);
        Draft {
            rules: Rules::unbounded(rng.random_range(1..=shape.s), rng.random_range(1..=shape.c)),
            commands: Vec::new(),
            blocks: Vec::new(),
            unused_blocks,
            unused_requests: pool,
            cancelled: HashSet::new(),
            k: often_large(rng, shape.k as u64) as usize,
            m: often_large(rng, shape.m).max(1),
        }
    }

    fn push(&mut self, command: Command) {
        self.rules.apply(&command).expect("a legal command");
        self.commands.push(command);
    }

    fn create(&mut self) {
        if let Some(id) = self.unused_blocks.pop() {
            self.blocks.push(BlockId(id));
            self.push(Command::CreateBlock(BlockId(id)));
        }
    }

    fn drop_block(&mut self, rng: &mut impl Rng) {
        let unused = |id: BlockId| {
            let block = self.rules.find_block(id).expect("created");
            self.rules.block(block).live == 0
        };
        let droppable: Vec<usize> =
            (0..self.blocks.len()).filter(|&at| unused(self.blocks[at])).collect();
        if let Some(&at) = droppable.choose(rng) {
            let id = self.blocks.swap_remove(at);
            self.push(Command::DropBlock(id));
        }
    }

    fn add(&mut self, rng: &mut impl Rng) {
        // The last id is kept for a request that surely finishes.
        if self.unused_requests.len() < 2 {
            return;
        }
        let id = RequestId(self.unused_requests.pop().expect("two or more"));
        self.blocks.shuffle(rng);
        let k = often_large(rng, self.k.min(self.blocks.len()) as u64) as usize;
        let blocks = self.blocks[..k].to_vec();
        let (s, c) = (self.rules.s(), self.rules.c());
        let shared = blocks.len() as u64 * s;
        let m = rng.random_range(1..=self.m);
        let (private, m) = match rng.random_range(0..20) {
            0 => (MAX_TOKENS - shared, rng.random_range(1..=MAX_TOKENS)),
            1 => (rng.random_range(0..=c * s), MAX_TOKENS),
            2..8 => (0, m),
            8..11 => (s * rng.random_range(0..=c / 2), m),
            _ => (rng.random_range(0..=c * s / 3), m),
        };
        let p = shared + private;
        self.push(Command::Add { id, blocks, p, m });
    }

    fn cancel(&mut self, rng: &mut impl Rng) {
        // Any request at all: in an ended one it changes nothing.
        if let Some(request) = self.rules.requests().choose(rng) {
            let id = request.id;
            self.cancelled.insert(id);
            self.push(Command::Cancel(id));
        }
    }

    fn open(&self) -> Vec<RequestId> {
        let open = self.rules.requests().iter().filter(|request| request.unfinished());
        open.map(|request| request.id).collect()
    }

    fn decode(&mut self, rng: &mut impl Rng, largest_batch: usize) {
        let mut ids = self.open();
        ids.shuffle(rng);
        ids.truncate(rng.random_range(1..=largest_batch));
        // Requests leave the batch until it fits.
        while !ids.is_empty() {
            if let Ok(batch) = self.rules.batch(&ids) {
                self.rules.generate(batch).expect("an endless GPU");
                self.commands.push(Command::Decode(ids));
                return;
            }
            ids.pop();
        }
    }

    /// Ends every request, and sees to it that one is never cancelled.
    fn finish(&mut self, rng: &mut impl Rng) {
        let id = RequestId(self.unused_requests[0]);
        if self.rules.requests().iter().all(|r| self.cancelled.contains(&r.id) || r.unfinished()) {
            let (blocks, p, m) = (Vec::new(), 0, 1);
            self.push(Command::Add { id, blocks, p, m });
            let batch = self.rules.batch(&[id]).expect("one block fits");
            self.rules.generate(batch).expect("an endless GPU");
            self.commands.push(Command::Decode(vec![id]));
        }
        loop {
            let mut ids = self.open();
            if ids.is_empty() {
                return;
            }
            ids.shuffle(rng);
            if rng.random_bool(0.3) {
                self.push(Command::Cancel(ids[0]));
            } else {
                self.decode(rng, 3);
            }
        }
    }
}
