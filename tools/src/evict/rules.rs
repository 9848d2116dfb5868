//! The state machine of the statement: what is in the GPU, who runs, what a command changes.
//! What a DECODE does is in [`super::round`].

use super::command::{BlockId, Command, RequestId};
use super::objects::{Block, BlockIx, BlockState, Request, RequestIx, RequestState, NOWHERE};
use std::collections::HashMap;
use std::fmt;

/// A promise of the statement that a command breaks: the input's fault, not a policy's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    BlockIdUsed(BlockId),
    RequestIdUsed(RequestId),
    UnknownBlock(BlockId),
    UnknownRequest(RequestId),
    DroppedBlock(BlockId),
    /// DROP of a block with `live` unfinished requests.
    ReferencedBlock {
        id: BlockId,
        live: u32,
    },
    BlockTwice(BlockId),
    RequestTwice(RequestId),
    /// k·S > p.
    SharedBeyondInput {
        k: usize,
        s: u64,
        p: u64,
    },
    NothingToGenerate(RequestId),
    EmptyBatch,
    Ended {
        id: RequestId,
        state: RequestState,
    },
    /// The batch needs `blocks` blocks in a GPU of `c`.
    BatchTooLarge {
        blocks: u64,
        c: u64,
    },
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Broken::BlockIdUsed(id) => write!(f, "block {id} was created before"),
            Broken::RequestIdUsed(id) => write!(f, "request {id} was added before"),
            Broken::UnknownBlock(id) => write!(f, "block {id} was never created"),
            Broken::UnknownRequest(id) => write!(f, "request {id} was never added"),
            Broken::DroppedBlock(id) => write!(f, "block {id} has been dropped"),
            Broken::ReferencedBlock { id, live } => {
                write!(f, "DROP of block {id}, to which {live} unfinished requests refer")
            }
            Broken::BlockTwice(id) => write!(f, "block {id} is listed twice"),
            Broken::RequestTwice(id) => write!(f, "request {id} is listed twice"),
            Broken::SharedBeyondInput { k, s, p } => {
                write!(f, "{k} shared blocks of {s} tokens exceed p = {p} tokens")
            }
            Broken::NothingToGenerate(id) => write!(f, "request {id} has m = 0"),
            Broken::EmptyBatch => write!(f, "DECODE of no request"),
            Broken::Ended { id, state } => {
                write!(f, "DECODE of request {id}, which is {state}")
            }
            Broken::BatchTooLarge { blocks, c } => {
                write!(f, "the batch needs {blocks} blocks in a GPU of {c}")
            }
        }
    }
}

impl std::error::Error for Broken {}

/// Logical time T, in its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Shared blocks loaded into the GPU.
    pub loads: u64,
    /// Private blocks allocated for waiting requests.
    pub allocations: u64,
    /// DECODE commands executed.
    pub rounds: u64,
}

impl Cost {
    /// T: every load, allocation and round counts 1.
    pub fn total(&self) -> u64 {
        self.loads + self.allocations + self.rounds
    }
}

/// The state of the GPU and of every block and request. A command costs O(what it names), a round
/// O(batch + its references + plan).
#[derive(Clone, Debug)]
pub struct Rules {
    pub(super) s: u64,
    pub(super) c: u64,
    pub(super) free: u64,
    pub(super) blocks: Vec<Block>,
    pub(super) requests: Vec<Request>,
    block_of: HashMap<BlockId, BlockIx>,
    request_of: HashMap<RequestId, RequestIx>,
    resident: Vec<BlockIx>,
    running: Vec<RequestIx>,
    /// Grows with every change, so that it names at most one open batch.
    pub(super) stamp: u64,
    pub(super) cost: Cost,
}

impl Rules {
    /// An empty GPU of `c` blocks of `s` tokens.
    ///
    /// # Panics
    /// If `s` or `c` is 0.
    pub fn new(s: u64, c: u64) -> Self {
        assert!(s > 0 && c > 0, "S = {s} and C = {c} start at 1");
        Rules {
            s,
            c,
            free: c,
            blocks: Vec::new(),
            requests: Vec::new(),
            block_of: HashMap::new(),
            request_of: HashMap::new(),
            resident: Vec::new(),
            running: Vec::new(),
            stamp: 0,
            cost: Cost::default(),
        }
    }

    /// A GPU without end, on which no round needs an action, that still refuses the batches which
    /// `c` blocks cannot hold. What a command may say never depends on the plans, so this is how
    /// an input is checked without any.
    ///
    /// # Panics
    /// If `s` or `c` is 0.
    pub fn unbounded(s: u64, c: u64) -> Self {
        Rules { free: u64::MAX, ..Rules::new(s, c) }
    }

    /// Executes a command that needs no plan.
    ///
    /// # Errors
    /// The promise that the command breaks; the state is then unchanged.
    ///
    /// # Panics
    /// If the command is a DECODE: see [`Rules::batch`] and [`Rules::decode`].
    pub fn apply(&mut self, command: &Command) -> Result<(), Broken> {
        self.stamp += 1;
        match command {
            Command::CreateBlock(id) => self.create(*id),
            Command::DropBlock(id) => self.drop_block(*id),
            Command::Add { id, blocks, p, m } => self.add(*id, blocks, *p, *m),
            Command::Cancel(id) => {
                let request = self.known_request(*id)?;
                if self.request(request).unfinished() {
                    self.end(request, RequestState::Cancelled);
                }
                Ok(())
            }
            Command::Decode(_) => panic!("DECODE is executed by Rules::decode, with a plan"),
        }
    }

    fn create(&mut self, id: BlockId) -> Result<(), Broken> {
        if self.block_of.contains_key(&id) {
            return Err(Broken::BlockIdUsed(id));
        }
        self.block_of.insert(id, BlockIx(self.blocks.len() as u32));
        self.blocks.push(Block { id, live: 0, active: 0, slot: NOWHERE, stamp: 0, dropped: false });
        Ok(())
    }

    fn drop_block(&mut self, id: BlockId) -> Result<(), Broken> {
        let block = self.known_block(id)?;
        let live = self.block(block).live;
        if live > 0 {
            return Err(Broken::ReferencedBlock { id, live });
        }
        if self.block(block).resident() {
            self.unload(block);
        }
        self.blocks[block.0 as usize].dropped = true;
        Ok(())
    }

    fn add(&mut self, id: RequestId, blocks: &[BlockId], p: u64, m: u64) -> Result<(), Broken> {
        let (k, s) = (blocks.len(), self.s);
        if self.request_of.contains_key(&id) {
            return Err(Broken::RequestIdUsed(id));
        }
        if m == 0 {
            return Err(Broken::NothingToGenerate(id));
        }
        if (k as u64).saturating_mul(s) > p {
            return Err(Broken::SharedBeyondInput { k, s, p });
        }
        let known: Result<Box<[BlockIx]>, Broken> =
            blocks.iter().map(|&block| self.known_block(block)).collect();
        let known = known?;
        for &block in &known {
            let Block { id, stamp, .. } = &mut self.blocks[block.0 as usize];
            if *stamp == self.stamp {
                return Err(Broken::BlockTwice(*id));
            }
            *stamp = self.stamp;
        }
        for &block in &known {
            self.blocks[block.0 as usize].live += 1;
        }
        self.request_of.insert(id, RequestIx(self.requests.len() as u32));
        self.requests.push(Request {
            id,
            blocks: known,
            p,
            m,
            g: 0,
            state: RequestState::Waiting,
            slot: NOWHERE,
            stamp: 0,
            s,
        });
        Ok(())
    }

    /// Puts an absent block into the GPU.
    pub(super) fn load(&mut self, block: BlockIx) {
        self.blocks[block.0 as usize].slot = self.resident.len() as u32;
        self.resident.push(block);
        self.free -= 1;
    }

    /// Takes a resident block out of the GPU.
    pub(super) fn unload(&mut self, block: BlockIx) {
        let slot = std::mem::replace(&mut self.blocks[block.0 as usize].slot, NOWHERE);
        self.resident.swap_remove(slot as usize);
        if let Some(moved) = self.resident.get(slot as usize) {
            self.blocks[moved.0 as usize].slot = slot;
        }
        self.free += 1;
    }

    /// Turns a waiting request, whose shared blocks are resident, into a running one.
    pub(super) fn start(&mut self, request: RequestIx) {
        let Request { blocks, slot, state, .. } = &mut self.requests[request.0 as usize];
        for block in blocks.iter() {
            self.blocks[block.0 as usize].active += 1;
        }
        *slot = self.running.len() as u32;
        *state = RequestState::Running;
        self.running.push(request);
        self.free -= self.request(request).private_blocks();
    }

    /// Takes a running request's private blocks and references; the caller sets its new state.
    pub(super) fn stop(&mut self, request: RequestIx) {
        self.free += self.request(request).private_blocks();
        let Request { blocks, slot, .. } = &mut self.requests[request.0 as usize];
        for block in blocks.iter() {
            self.blocks[block.0 as usize].active -= 1;
        }
        let slot = std::mem::replace(slot, NOWHERE);
        self.running.swap_remove(slot as usize);
        if let Some(moved) = self.running.get(slot as usize) {
            self.requests[moved.0 as usize].slot = slot;
        }
    }

    /// Ends an unfinished request as `state`.
    pub(super) fn end(&mut self, request: RequestIx, state: RequestState) {
        if self.request(request).state == RequestState::Running {
            self.stop(request);
        }
        let ended = &mut self.requests[request.0 as usize];
        ended.state = state;
        for block in ended.blocks.iter() {
            self.blocks[block.0 as usize].live -= 1;
        }
    }

    fn known_block(&self, id: BlockId) -> Result<BlockIx, Broken> {
        let block = self.find_block(id).ok_or(Broken::UnknownBlock(id))?;
        match self.block(block).state() {
            BlockState::Dropped => Err(Broken::DroppedBlock(id)),
            _ => Ok(block),
        }
    }

    pub(super) fn known_request(&self, id: RequestId) -> Result<RequestIx, Broken> {
        self.find_request(id).ok_or(Broken::UnknownRequest(id))
    }

    /// The block created with this id, dropped or not. O(1).
    pub fn find_block(&self, id: BlockId) -> Option<BlockIx> {
        self.block_of.get(&id).copied()
    }

    /// The request added with this id, ended or not. O(1).
    pub fn find_request(&self, id: RequestId) -> Option<RequestIx> {
        self.request_of.get(&id).copied()
    }

    /// # Panics
    /// If `block` is not of this state.
    pub fn block(&self, block: BlockIx) -> &Block {
        &self.blocks[block.0 as usize]
    }

    /// # Panics
    /// If `request` is not of this state.
    pub fn request(&self, request: RequestIx) -> &Request {
        &self.requests[request.0 as usize]
    }

    /// Every block ever created, indexed by [`BlockIx`].
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Every request ever added, indexed by [`RequestIx`].
    pub fn requests(&self) -> &[Request] {
        &self.requests
    }

    /// The blocks in the GPU, in no particular order.
    pub fn resident(&self) -> &[BlockIx] {
        &self.resident
    }

    /// The running requests, in no particular order.
    pub fn running(&self) -> &[RequestIx] {
        &self.running
    }

    /// Tokens a block.
    pub fn s(&self) -> u64 {
        self.s
    }

    /// Blocks in the GPU, free ones included.
    pub fn c(&self) -> u64 {
        self.c
    }

    /// Free blocks of the GPU.
    pub fn free(&self) -> u64 {
        self.free
    }

    /// Logical time so far.
    pub fn cost(&self) -> Cost {
        self.cost
    }
}
