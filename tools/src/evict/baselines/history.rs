//! What simple rules go by: when and how often everything was used.

use crate::evict::{BlockIx, Command, Request, RequestIx, Round, Rules};

/// What is known of a block's past. Rounds count from 1; 0 is before the first.
#[derive(Clone, Debug, Default)]
pub struct BlockPast {
    /// The last round whose batch referred to it.
    pub used: u64,
    /// The round that loaded it last.
    pub loaded: u64,
    /// Rounds whose batch referred to it.
    pub uses: u64,
    /// The unfinished requests that refer to it.
    pub referrers: Vec<RequestIx>,
}

/// What is known of a request's past. Rounds count from 1; 0 is before the first.
#[derive(Clone, Debug, Default)]
pub struct RequestPast {
    /// The last round before its ADD.
    pub added: u64,
    /// The last round that it was in.
    pub used: u64,
    /// The round that last took it from waiting to running.
    pub admitted: u64,
    /// How often it was chosen lately: each use counts 1, the past counts 7/8 as much every round.
    rate: f64,
    /// The round up to which `rate` has been discounted.
    rated: u64,
}

/// The past of everything, as far as the rules here ask for it. A round costs O(batch + its
/// references + referrers of what ends).
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Rounds executed.
    pub round: u64,
    blocks: Vec<BlockPast>,
    requests: Vec<RequestPast>,
}

impl History {
    /// # Panics
    /// If the block has not been seen.
    pub fn block(&self, ix: BlockIx) -> &BlockPast {
        &self.blocks[ix.0 as usize]
    }

    /// # Panics
    /// If the request has not been seen.
    pub fn request(&self, ix: RequestIx) -> &RequestPast {
        &self.requests[ix.0 as usize]
    }

    /// How often the request was chosen lately, up to 8.
    pub fn rate(&self, ix: RequestIx) -> f64 {
        let past = self.request(ix);
        past.rate * discount(self.round - past.rated)
    }

    /// Takes in a command other than DECODE, already executed.
    pub fn applied(&mut self, rules: &Rules, command: &Command) {
        self.blocks.resize_with(rules.blocks().len(), BlockPast::default);
        match command {
            Command::Add { id, .. } => {
                let ix = rules.find_request(*id).expect("just added");
                let past =
                    RequestPast { added: self.round, rated: self.round, ..Default::default() };
                self.requests.push(past);
                for block in &rules.request(ix).blocks {
                    self.blocks[block.0 as usize].referrers.push(ix);
                }
            }
            Command::Cancel(id) => {
                let ix = rules.find_request(*id).expect("a known request");
                self.ended(ix, rules.request(ix));
            }
            Command::CreateBlock(_) | Command::DropBlock(_) | Command::Decode(_) => {}
        }
    }

    /// Takes in an executed round.
    pub fn decoded(&mut self, rules: &Rules, round: &Round) {
        self.round += 1;
        for &ix in &round.loaded {
            self.blocks[ix.0 as usize].loaded = self.round;
        }
        for &ix in &round.admitted {
            self.requests[ix.0 as usize].admitted = self.round;
        }
        for &ix in &round.requests {
            let past = &mut self.requests[ix.0 as usize];
            past.used = self.round;
            past.rate = past.rate * discount(self.round - past.rated) + 1.0;
            past.rated = self.round;
            for block in &rules.request(ix).blocks {
                let past = &mut self.blocks[block.0 as usize];
                past.uses += u64::from(past.used != self.round);
                past.used = self.round;
            }
        }
        for &ix in &round.finished {
            self.ended(ix, rules.request(ix));
        }
    }

    fn ended(&mut self, ix: RequestIx, request: &Request) {
        for block in &request.blocks {
            self.blocks[block.0 as usize].referrers.retain(|&referrer| referrer != ix);
        }
    }
}

/// 7/8 to this power.
fn discount(rounds: u64) -> f64 {
    const KEPT: f64 = 0.875;
    // Beyond this nothing is left.
    (0..rounds.min(200)).fold(1.0, |product, _| product * KEPT)
}
