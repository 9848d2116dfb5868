//! What the rules know of each shared block and each request.

use super::command::{BlockId, RequestId};
use std::fmt;

/// Where a block stands in [`super::Rules::blocks`]: the order of creation, dropped blocks included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockIx(pub u32);

/// Where a request stands in [`super::Rules::requests`]: the order of the ADD commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestIx(pub u32);

/// Marks a block that is not resident or a request that does not run.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A block's state as the statement names it, or `Dropped`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockState {
    Absent,
    Idle,
    Active,
    Dropped,
}

/// A request's state as the statement names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestState {
    Waiting,
    Running,
    Finished,
    Cancelled,
}

impl fmt::Display for RequestState {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            RequestState::Waiting => "waiting",
            RequestState::Running => "running",
            RequestState::Finished => "finished",
            RequestState::Cancelled => "cancelled",
        })
    }
}

/// A shared block.
#[derive(Clone, Debug)]
pub struct Block {
    pub id: BlockId,
    /// Waiting and running requests that refer to it.
    pub live: u32,
    /// Running requests that refer to it.
    pub active: u32,
    /// Position in `Rules::resident`, or `NOWHERE`.
    pub(super) slot: u32,
    /// The last batch that referred to it; see `Rules::stamp`.
    pub(super) stamp: u64,
    pub(super) dropped: bool,
}

impl Block {
    /// Whether it occupies a block of the GPU.
    pub fn resident(&self) -> bool {
        self.slot != NOWHERE
    }

    pub fn state(&self) -> BlockState {
        match (self.dropped, self.resident(), self.active) {
            (true, ..) => BlockState::Dropped,
            (_, false, _) => BlockState::Absent,
            (_, true, 0) => BlockState::Idle,
            (_, true, _) => BlockState::Active,
        }
    }
}

/// A request.
#[derive(Clone, Debug)]
pub struct Request {
    pub id: RequestId,
    /// The shared blocks it refers to, in the order of its ADD.
    pub blocks: Box<[BlockIx]>,
    /// Input tokens, those in shared blocks included.
    pub p: u64,
    /// Tokens to generate.
    pub m: u64,
    /// Tokens generated.
    pub g: u64,
    pub state: RequestState,
    /// Position in `Rules::running`, or `NOWHERE`.
    pub(super) slot: u32,
    /// The last batch it was in; see `Rules::stamp`.
    pub(super) stamp: u64,
    /// Tokens a block.
    pub(super) s: u64,
}

impl Request {
    /// Tokens outside the shared blocks: p - k·S + g.
    pub fn private_tokens(&self) -> u64 {
        self.p - self.blocks.len() as u64 * self.s + self.g
    }

    /// Private blocks that these tokens fill: held if it runs, to be allocated if it waits.
    pub fn private_blocks(&self) -> u64 {
        self.private_tokens().div_ceil(self.s)
    }

    /// The same after one more token: the count of before, or one more.
    pub fn private_blocks_after_token(&self) -> u64 {
        (self.private_tokens() + 1).div_ceil(self.s)
    }

    /// Whether it has neither finished nor been cancelled.
    pub fn unfinished(&self) -> bool {
        matches!(self.state, RequestState::Waiting | RequestState::Running)
    }
}
