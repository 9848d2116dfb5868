//! The books: which blocks and requests exist, what is on the GPU, and what a batch still needs.
//!
//! Blocks and requests are numbered from 0 in order of creation. Times are counted in rounds, one a
//! `DECODE`.

use crate::recency::Recency;
use std::collections::HashMap;

/// One step of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Evict a shared block that no running request uses.
    Evict(usize),
    /// Preempt a running request: it loses its private blocks.
    Preempt(usize),
}

/// A shared block.
pub struct Block {
    id: u64,
    /// Unfinished requests that refer to it.
    pub live: u32,
    /// Running requests that refer to it.
    pub active: u32,
    pub resident: bool,
    /// It exists no more.
    pub dropped: bool,
    /// The last round whose batch referred to it; 0 for none.
    pub last_used: u64,
    /// The last round whose batch refers to it, this one included.
    protected_in: u64,
}

/// Whether a request is on the GPU, or has finished or been cancelled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Waiting,
    Running,
    Ended,
}

/// A request.
pub struct Request {
    id: u64,
    /// Its shared blocks, as a range of `State::references`.
    first_reference: usize,
    references: usize,
    /// Tokens in private blocks: the rest of the prompt and what has been generated.
    private_tokens: u64,
    pub to_generate: u64,
    /// Tokens generated.
    pub generated: u64,
    pub status: Status,
    /// The last round in which it was decoded; 0 for none.
    pub last_used: u64,
    /// The last round whose batch it belongs to, this one included.
    in_batch_of: u64,
}

/// Everything the program knows about the cache.
pub struct State {
    /// Tokens per block, S.
    block_size: u64,
    /// Blocks on the GPU, C, and how many of them are free.
    capacity: u64,
    pub free: u64,
    /// The number of the current round, from 1.
    round: u64,
    /// How many different blocks the batch of this round refers to, and how many of them are absent.
    shared_in_batch: u64,
    absent_in_batch: u64,
    pub blocks: Vec<Block>,
    pub requests: Vec<Request>,
    /// Requests that have not ended.
    pub open: usize,
    references: Vec<usize>,
    block_numbers: HashMap<u64, Option<usize>>,
    request_numbers: HashMap<u64, usize>,
    /// What could be dropped, in order.
    pub recency: Recency,
}

impl State {
    pub fn new(block_size: u64, capacity: u64) -> Self {
        State {
            block_size,
            capacity,
            free: capacity,
            round: 0,
            shared_in_batch: 0,
            absent_in_batch: 0,
            blocks: Vec::new(),
            requests: Vec::new(),
            open: 0,
            references: Vec::new(),
            block_numbers: HashMap::new(),
            request_numbers: HashMap::new(),
            recency: Recency::default(),
        }
    }

    /// The number of the block that exists under `id`.
    pub fn block(&self, id: u64) -> Option<usize> {
        self.block_numbers.get(&id).copied().flatten()
    }

    pub fn block_id(&self, block: usize) -> u64 {
        self.blocks[block].id
    }

    /// The number of the request that was added under `id`.
    pub fn request(&self, id: u64) -> Option<usize> {
        self.request_numbers.get(&id).copied()
    }

    pub fn request_id(&self, request: usize) -> u64 {
        self.requests[request].id
    }

    /// Registers a block; false if the id was used before, even by a block that was dropped.
    pub fn create_block(&mut self, id: u64) -> bool {
        let number = self.blocks.len();
        if self.block_numbers.contains_key(&id) {
            return false;
        }
        self.block_numbers.insert(id, Some(number));
        self.blocks.push(Block {
            id,
            live: 0,
            active: 0,
            resident: false,
            dropped: false,
            last_used: 0,
            protected_in: 0,
        });
        true
    }

    /// Whether an unfinished request refers to the block.
    pub fn is_referenced(&self, block: usize) -> bool {
        self.blocks[block].live > 0
    }

    /// Forgets a block that nothing refers to, and frees its space.
    pub fn drop_block(&mut self, block: usize) {
        self.free += u64::from(self.blocks[block].resident);
        self.update_block(block, |block| {
            block.resident = false;
            block.dropped = true;
        });
        self.block_numbers.insert(self.blocks[block].id, None);
    }

    /// The tokens that `blocks` full blocks hold, `u64::MAX` if that is more than 64 bits can say.
    pub fn tokens_in(&self, blocks: usize) -> u64 {
        self.block_size.saturating_mul(blocks as u64)
    }

    /// Adds a request; its tokens, private and to be generated, are at most `u64::MAX` together.
    pub fn add(&mut self, id: u64, blocks: &[usize], private_tokens: u64, to_generate: u64) {
        self.request_numbers.insert(id, self.requests.len());
        self.open += 1;
        self.requests.push(Request {
            id,
            first_reference: self.references.len(),
            references: blocks.len(),
            private_tokens,
            to_generate,
            generated: 0,
            status: Status::Waiting,
            last_used: 0,
            in_batch_of: 0,
        });
        self.references.extend(blocks);
        for &block in blocks {
            self.update_block(block, |block| block.live += 1);
        }
    }

    /// Ends a request that has not ended yet.
    pub fn cancel(&mut self, request: usize) {
        if !self.has_ended(request) {
            self.end(request);
        }
    }

    /// Whether it has finished or been cancelled.
    pub fn has_ended(&self, request: usize) -> bool {
        self.requests[request].status == Status::Ended
    }

    /// Starts a round with an empty batch.
    pub fn open_batch(&mut self) {
        self.round += 1;
        self.shared_in_batch = 0;
        self.absent_in_batch = 0;
    }

    /// Adds a request and its blocks to the batch; false if it belongs to it already.
    pub fn join_batch(&mut self, request: usize) -> bool {
        let round = self.round;
        if self.requests[request].in_batch_of == round {
            return false;
        }
        self.requests[request].in_batch_of = round;
        for index in self.references_of(request) {
            let block = &mut self.blocks[self.references[index]];
            if block.protected_in != round {
                block.protected_in = round;
                self.shared_in_batch += 1;
                self.absent_in_batch += u64::from(!block.resident);
            }
        }
        true
    }

    /// Whether the batch must not lose this request, or this block.
    pub fn is_protected(&self, action: Action) -> bool {
        match action {
            Action::Evict(block) => self.blocks[block].protected_in == self.round,
            Action::Preempt(request) => self.requests[request].in_batch_of == self.round,
        }
    }

    /// The private blocks that a request occupies while it runs.
    pub fn private_blocks(&self, request: usize) -> u64 {
        self.requests[request].private_tokens.div_ceil(self.block_size)
    }

    /// The shared blocks of a request.
    pub fn shared_blocks(&self, request: usize) -> impl Iterator<Item = usize> + '_ {
        self.references[self.references_of(request)].iter().copied()
    }

    fn references_of(&self, request: usize) -> std::ops::Range<usize> {
        let request = &self.requests[request];
        request.first_reference..request.first_reference + request.references
    }

    /// The private blocks that a request occupies after its next token.
    fn private_blocks_then(&self, request: usize) -> u64 {
        (self.requests[request].private_tokens + 1).div_ceil(self.block_size)
    }

    /// Whether the whole batch fits into the cache at once.
    pub fn fits(&self, batch: &[usize]) -> bool {
        let private = batch.iter().map(|&request| u128::from(self.private_blocks_then(request)));
        u128::from(self.shared_in_batch) + private.sum::<u128>() <= u128::from(self.capacity)
    }

    /// The blocks that must be free before the batch, which fits, can be decoded.
    pub fn need(&self, batch: &[usize]) -> u64 {
        let private = batch.iter().map(|&request| {
            let now = match self.requests[request].status {
                Status::Running => self.private_blocks(request),
                _ => 0,
            };
            self.private_blocks_then(request) - now
        });
        private.sum::<u64>() + self.absent_in_batch
    }

    /// Carries out a plan that makes enough room, and decodes the batch.
    pub fn decode(&mut self, batch: &[usize], plan: &[Action]) {
        for &action in plan {
            self.act(action);
        }
        let round = self.round;
        for &request in batch {
            let waiting = self.requests[request].status == Status::Waiting;
            let now = if waiting { 0 } else { self.private_blocks(request) };
            self.free -= self.private_blocks_then(request) - now;
            self.update_request(request, |request| {
                request.status = Status::Running;
                request.private_tokens += 1;
                request.to_generate -= 1;
                request.generated += 1;
                request.last_used = round;
            });
            for index in self.references_of(request) {
                let block = self.references[index];
                self.free -= u64::from(!self.blocks[block].resident);
                self.update_block(block, |block| {
                    block.resident = true;
                    block.active += u32::from(waiting);
                    block.last_used = round;
                });
            }
        }
        for &request in batch {
            if self.requests[request].to_generate == 0 {
                self.end(request);
            }
        }
    }

    /// Carries out one action of a plan.
    pub fn act(&mut self, action: Action) {
        match action {
            Action::Evict(block) => {
                self.free += 1;
                self.update_block(block, |block| block.resident = false);
            }
            Action::Preempt(request) => {
                self.free += self.private_blocks(request);
                self.update_request(request, |request| request.status = Status::Waiting);
                for index in self.references_of(request) {
                    self.update_block(self.references[index], |block| block.active -= 1);
                }
            }
        }
    }

    fn end(&mut self, request: usize) {
        self.open -= 1;
        let running = self.requests[request].status == Status::Running;
        if running {
            self.free += self.private_blocks(request);
        }
        self.update_request(request, |request| request.status = Status::Ended);
        for index in self.references_of(request) {
            self.update_block(self.references[index], |block| {
                block.live -= 1;
                block.active -= u32::from(running);
            });
        }
    }

    /// Changes a block and its place among what could be dropped.
    fn update_block(&mut self, block: usize, change: impl FnOnce(&mut Block)) {
        let before = Recency::of_block(&self.blocks[block]);
        change(&mut self.blocks[block]);
        let after = Recency::of_block(&self.blocks[block]);
        self.recency.replace(Action::Evict(block), before, after);
    }

    /// Changes a request and its place among what could be dropped.
    fn update_request(&mut self, request: usize, change: impl FnOnce(&mut Request)) {
        let before = Recency::of_request(&self.requests[request]);
        change(&mut self.requests[request]);
        let after = Recency::of_request(&self.requests[request]);
        self.recency.replace(Action::Preempt(request), before, after);
    }
}
