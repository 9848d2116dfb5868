//! What a policy cannot know: when each block and each request is used again.

use super::command::Command;
use super::input::Input;
use super::objects::{BlockIx, RequestIx};
use super::rules::{Broken, Rules};

/// The rounds of an input, from 0, in which each block and each request is used: a request by
/// being in the batch, a block by being referred to from it, also by requests yet to come.
#[derive(Clone, Debug)]
pub struct Future {
    /// By index, each ascending.
    blocks: Vec<Vec<u32>>,
    requests: Vec<Vec<u32>>,
}

impl Future {
    /// Reads an input to its end. O(length + references in batches).
    ///
    /// # Errors
    /// The first promise that the input breaks.
    pub fn of(input: &Input) -> Result<Future, Broken> {
        let mut rules = Rules::unbounded(input.s, input.c);
        let mut future = Future { blocks: Vec::new(), requests: Vec::new() };
        let mut round = 0;
        for command in &input.commands {
            let Command::Decode(ids) = command else {
                rules.apply(command)?;
                continue;
            };
            let batch = rules.batch(ids)?;
            future.blocks.resize(rules.blocks().len(), Vec::new());
            future.requests.resize(rules.requests().len(), Vec::new());
            for &ix in &batch.requests {
                future.requests[ix.0 as usize].push(round);
                for &block in &rules.request(ix).blocks {
                    let uses = &mut future.blocks[block.0 as usize];
                    if uses.last() != Some(&round) {
                        uses.push(round);
                    }
                }
            }
            rules.generate(batch).expect("an endless GPU");
            round += 1;
        }
        future.blocks.resize(rules.blocks().len(), Vec::new());
        future.requests.resize(rules.requests().len(), Vec::new());
        Ok(future)
    }

    /// The first round from `round` on that uses the block, if any does. O(log uses).
    pub fn block(&self, block: BlockIx, round: u32) -> Option<u32> {
        next(&self.blocks[block.0 as usize], round)
    }

    /// The first round from `round` on that uses the request, if any does. O(log uses).
    pub fn request(&self, request: RequestIx, round: u32) -> Option<u32> {
        next(&self.requests[request.0 as usize], round)
    }
}

fn next(uses: &[u32], round: u32) -> Option<u32> {
    uses.get(uses.partition_point(|&used| used < round)).copied()
}
