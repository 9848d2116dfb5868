//! What a DECODE does: the batch and its need, the plan under its rules, loads, tokens, endings.

use super::command::{Action, BlockId, RequestId};
use super::objects::{BlockIx, BlockState, RequestIx, RequestState};
use super::rules::{Broken, Rules};
use std::fmt;

/// The batch of a DECODE with the blocks it needs, valid until the state changes by anything but
/// [`Rules::act`] for this batch.
#[derive(Clone, Debug)]
pub struct Batch {
    /// In the order of the command.
    pub requests: Vec<RequestIx>,
    /// Absent blocks that the batch refers to, each once.
    pub absent: Vec<BlockIx>,
    /// Private blocks of its waiting requests before their token.
    pub allocations: u64,
    /// Private blocks that the tokens of this round add.
    pub growth: u64,
    stamp: u64,
}

impl Batch {
    /// Blocks that must be free once the plan has been executed.
    pub fn need(&self) -> u64 {
        self.absent.len() as u64 + self.allocations + self.growth
    }
}

/// What an executed round has changed, its plan aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The batch, in the order of the command.
    pub requests: Vec<RequestIx>,
    /// Blocks that were loaded, one unit of time each.
    pub loaded: Vec<BlockIx>,
    /// Requests of the batch that were waiting before, in its order.
    pub admitted: Vec<RequestIx>,
    /// Private blocks allocated for waiting requests, one unit of time each.
    pub allocations: u64,
    /// Requests that generated their last token, by increasing id.
    pub finished: Vec<RequestIx>,
}

/// The rule that a plan breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Never created, or dropped.
    NoSuchBlock,
    NoSuchRequest,
    /// The batch refers to the block.
    ProtectedBlock,
    AbsentBlock,
    ActiveBlock,
    /// The request is in the batch.
    ProtectedRequest,
    /// The request is waiting or has ended.
    NotRunning(RequestState),
    /// The free blocks meet the need before this action.
    NotNeeded,
    /// The plan ends before the need is met.
    Short,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Rule::NoSuchBlock => f.write_str("there is no such block"),
            Rule::NoSuchRequest => f.write_str("there is no such request"),
            Rule::ProtectedBlock => f.write_str("the batch refers to this block"),
            Rule::AbsentBlock => f.write_str("the block is not in the GPU"),
            Rule::ActiveBlock => f.write_str("a running request refers to this block"),
            Rule::ProtectedRequest => f.write_str("the request is in the batch"),
            Rule::NotRunning(state) => write!(f, "the request is {state}"),
            Rule::NotNeeded => f.write_str("enough blocks are free already"),
            Rule::Short => f.write_str("the plan ends too early"),
        }
    }
}

/// Where and why a plan is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// Actions of the plan executed before.
    pub executed: usize,
    /// The action refused, or none if the plan is too short.
    pub action: Option<Action>,
    pub rule: Rule,
    /// Free blocks at that moment.
    pub free: u64,
    /// Free blocks that the round needs.
    pub need: u64,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.action {
            Some(action) => write!(f, "action {} ({action}): ", self.executed + 1)?,
            None => write!(f, "after {} actions: ", self.executed)?,
        }
        let Illegal { rule, free, need, .. } = self;
        write!(f, "{rule} ({free} blocks free, {need} needed)")
    }
}

impl std::error::Error for Illegal {}

impl Rules {
    /// Opens a round: finds the batch of a DECODE and computes its need. Any batch opened before
    /// is void. O(batch + references).
    ///
    /// # Errors
    /// The promise that the command breaks; nothing has changed then.
    pub fn batch(&mut self, ids: &[RequestId]) -> Result<Batch, Broken> {
        if ids.is_empty() {
            return Err(Broken::EmptyBatch);
        }
        self.stamp += 1;
        let stamp = self.stamp;
        let mut batch = Batch {
            requests: Vec::with_capacity(ids.len()),
            absent: Vec::new(),
            allocations: 0,
            growth: 0,
            stamp,
        };
        // What the batch occupies at the end of the round, its completed requests included.
        let mut occupied = 0;
        for &id in ids {
            let found = self.known_request(id)?;
            let request = &mut self.requests[found.0 as usize];
            let state = request.state;
            if !request.unfinished() {
                return Err(Broken::Ended { id, state });
            }
            if request.stamp == stamp {
                return Err(Broken::RequestTwice(id));
            }
            request.stamp = stamp;
            for &ix in request.blocks.iter() {
                let block = &mut self.blocks[ix.0 as usize];
                if block.stamp != stamp {
                    block.stamp = stamp;
                    occupied += 1;
                    if !block.resident() {
                        batch.absent.push(ix);
                    }
                }
            }
            let before = request.private_blocks();
            let after = request.private_blocks_after_token();
            occupied += after;
            batch.growth += after - before;
            if state == RequestState::Waiting {
                batch.allocations += before;
            }
            batch.requests.push(found);
        }
        if occupied > self.c {
            let (blocks, c) = (occupied, self.c);
            return Err(Broken::BatchTooLarge { blocks, c });
        }
        Ok(batch)
    }

    /// Whether the batch refers to the block. O(1).
    pub fn protects_block(&self, batch: &Batch, block: BlockIx) -> bool {
        self.block(block).stamp == batch.stamp
    }

    /// Whether the request is in the batch. O(1).
    pub fn protects_request(&self, batch: &Batch, request: RequestIx) -> bool {
        self.request(request).stamp == batch.stamp
    }

    /// Whether enough blocks are free for the round: then, and only then, the plan ends.
    pub fn met(&self, batch: &Batch) -> bool {
        self.free >= batch.need()
    }

    /// Every action that is legal now, blocks before requests; none once the need is met. O(C).
    pub fn legal_actions(&self, batch: &Batch) -> Vec<Action> {
        if self.met(batch) {
            return Vec::new();
        }
        let idle = self
            .resident()
            .iter()
            .filter(|&&block| self.block(block).active == 0 && !self.protects_block(batch, block));
        let outside = self.running().iter().filter(|&&ix| !self.protects_request(batch, ix));
        let evictions = idle.map(|&block| Action::Evict(self.block(block).id));
        let preemptions = outside.map(|&ix| Action::Preempt(self.request(ix).id));
        evictions.chain(preemptions).collect()
    }

    /// Executes one action of the plan. O(1), a preemption O(its references).
    ///
    /// # Errors
    /// The rule that forbids the action; nothing has changed then.
    ///
    /// # Panics
    /// If the batch is void.
    pub fn act(&mut self, batch: &Batch, action: Action) -> Result<(), Rule> {
        self.assert_open(batch);
        match action {
            Action::Evict(id) => {
                let block = self.evictable(batch, id)?;
                self.needed(batch)?;
                self.unload(block);
            }
            Action::Preempt(id) => {
                let request = self.preemptible(batch, id)?;
                self.needed(batch)?;
                self.stop(request);
                self.requests[request.0 as usize].state = RequestState::Waiting;
            }
        }
        Ok(())
    }

    fn evictable(&self, batch: &Batch, id: BlockId) -> Result<BlockIx, Rule> {
        let ix = self.find_block(id).ok_or(Rule::NoSuchBlock)?;
        match self.block(ix).state() {
            BlockState::Dropped => Err(Rule::NoSuchBlock),
            _ if self.protects_block(batch, ix) => Err(Rule::ProtectedBlock),
            BlockState::Absent => Err(Rule::AbsentBlock),
            BlockState::Active => Err(Rule::ActiveBlock),
            BlockState::Idle => Ok(ix),
        }
    }

    fn preemptible(&self, batch: &Batch, id: RequestId) -> Result<RequestIx, Rule> {
        let ix = self.find_request(id).ok_or(Rule::NoSuchRequest)?;
        match self.request(ix).state {
            _ if self.protects_request(batch, ix) => Err(Rule::ProtectedRequest),
            RequestState::Running => Ok(ix),
            state => Err(Rule::NotRunning(state)),
        }
    }

    fn needed(&self, batch: &Batch) -> Result<(), Rule> {
        if self.met(batch) {
            return Err(Rule::NotNeeded);
        }
        Ok(())
    }

    /// Executes a round whose need is met: loads, allocations, growth, tokens, endings in order of
    /// id. O(batch + references), plus sorting what finishes.
    ///
    /// # Errors
    /// [`Rule::Short`] if the need is not met; nothing has changed then.
    ///
    /// # Panics
    /// If the batch is void.
    pub fn generate(&mut self, batch: Batch) -> Result<Round, Rule> {
        self.assert_open(&batch);
        if !self.met(&batch) {
            return Err(Rule::Short);
        }
        self.stamp += 1;
        self.cost.rounds += 1;
        self.cost.loads += batch.absent.len() as u64;
        self.cost.allocations += batch.allocations;
        for &block in &batch.absent {
            self.load(block);
        }
        let (mut admitted, mut finished) = (Vec::new(), Vec::new());
        for &ix in &batch.requests {
            if self.request(ix).state == RequestState::Waiting {
                admitted.push(ix);
                self.start(ix);
            }
            let request = &mut self.requests[ix.0 as usize];
            self.free -= request.private_blocks_after_token() - request.private_blocks();
            request.g += 1;
            if request.g == request.m {
                finished.push(ix);
            }
        }
        finished.sort_unstable_by_key(|&ix| self.request(ix).id);
        for &ix in &finished {
            self.end(ix, RequestState::Finished);
        }
        Ok(Round {
            requests: batch.requests,
            loaded: batch.absent,
            admitted,
            allocations: batch.allocations,
            finished,
        })
    }

    /// Executes a DECODE: the plan, action by action, then the round. O(batch + references +
    /// plan).
    ///
    /// # Errors
    /// The first action that is illegal, or that the plan is too short; the actions before it have
    /// been executed, and nothing else.
    ///
    /// # Panics
    /// If the batch is void.
    pub fn decode(&mut self, batch: Batch, plan: &[Action]) -> Result<Round, Illegal> {
        let need = batch.need();
        for (executed, &action) in plan.iter().enumerate() {
            self.act(&batch, action).map_err(|rule| Illegal {
                executed,
                action: Some(action),
                rule,
                free: self.free,
                need,
            })?;
        }
        let free = self.free;
        self.generate(batch).map_err(|rule| Illegal {
            executed: plan.len(),
            action: None,
            rule,
            free,
            need,
        })
    }

    fn assert_open(&self, batch: &Batch) {
        assert_eq!(
            batch.stamp, self.stamp,
            "this batch was opened before the last change of the state"
        );
    }
}
