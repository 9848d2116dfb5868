//! Policies inside the process: what they see, how they are played, and two simple ones.

use super::command::{Action, Command};
use super::input::Input;
use super::objects::{BlockIx, RequestIx, RequestState};
use super::round::{Batch, Illegal, Round};
use super::rules::{Broken, Cost, Rules};
use rand::seq::IndexedRandom;
use rand::Rng;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;

/// An eviction policy. It is asked for one action at a time and sees each executed before the
/// next, so that its plan always ends when the need is met; one that plans whole rounds keeps the
/// rest of its plan.
pub trait Policy {
    /// The next action for the batch, whose need is not met. `rules` is the state after the
    /// actions before.
    fn action(&mut self, rules: &Rules, batch: &Batch) -> Action;

    /// A command other than DECODE has been executed.
    fn applied(&mut self, rules: &Rules, command: &Command) {
        let _ = (rules, command);
    }

    /// A round has been executed.
    fn decoded(&mut self, rules: &Rules, round: &Round) {
        let _ = (rules, round);
    }
}

/// Why a policy did not get through an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The input breaks a promise at `line`.
    Input { line: usize, broken: Broken },
    /// The policy breaks a rule at `line`.
    Policy { line: usize, illegal: Illegal },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Failure::Input { line, broken } => write!(f, "line {line}: {broken}"),
            Failure::Policy { line, illegal } => write!(f, "line {line}: {illegal}"),
        }
    }
}

impl std::error::Error for Failure {}

/// Plays a policy through an input and measures T.
///
/// # Errors
/// The first promise that the input breaks, or the first illegal action.
pub fn play(input: &Input, policy: &mut impl Policy) -> Result<Cost, Failure> {
    let mut rules = Rules::new(input.s, input.c);
    for (index, command) in input.commands.iter().enumerate() {
        let line = Input::line(index);
        let fault = |broken| Failure::Input { line, broken };
        let Command::Decode(ids) = command else {
            rules.apply(command).map_err(fault)?;
            policy.applied(&rules, command);
            continue;
        };
        let batch = rules.batch(ids).map_err(fault)?;
        let mut executed = 0;
        while !rules.met(&batch) {
            let action = policy.action(&rules, &batch);
            rules.act(&batch, action).map_err(|rule| Failure::Policy {
                line,
                illegal: Illegal {
                    executed,
                    action: Some(action),
                    rule,
                    free: rules.free(),
                    need: batch.need(),
                },
            })?;
            executed += 1;
        }
        let round = rules.generate(batch).expect("the need is met");
        policy.decoded(&rules, &round);
    }
    Ok(rules.cost())
}

/// Takes any legal action, all equally likely. O(C) an action.
pub struct Arbitrary<R>(pub R);

impl<R: Rng> Policy for Arbitrary<R> {
    fn action(&mut self, rules: &Rules, batch: &Batch) -> Action {
        let legal = rules.legal_actions(batch);
        *legal.choose(&mut self.0).expect("a batch that fits can always be served")
    }
}

/// Preempts or evicts what the longest time no batch has used; of equals requests go before
/// blocks, older ones first. O(log) amortised for each use.
///
/// The oldest entry is always legal once those of the batch are skipped: a block's use is at
/// least as recent as that of any request that refers to it, so that an active block comes after
/// the running requests which keep it.
#[derive(Default)]
pub struct Lru {
    round: u64,
    /// By least recent use; an entry is void if its owner has left the GPU or been used since.
    queue: BinaryHeap<Reverse<(u64, Resident)>>,
    used_block: Vec<u64>,
    used_request: Vec<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Resident {
    Request(RequestIx),
    Block(BlockIx),
}

impl Policy for Lru {
    fn action(&mut self, rules: &Rules, batch: &Batch) -> Action {
        loop {
            // Entries of the batch may go as well: its round will enter them anew.
            let Reverse((used, oldest)) = self.queue.pop().expect("a batch that fits");
            match oldest {
                Resident::Request(ix) => {
                    let request = rules.request(ix);
                    let valid = request.state == RequestState::Running
                        && self.used_request[ix.0 as usize] == used;
                    if valid && !rules.protects_request(batch, ix) {
                        return Action::Preempt(request.id);
                    }
                }
                Resident::Block(ix) => {
                    let block = rules.block(ix);
                    let valid = block.resident() && self.used_block[ix.0 as usize] == used;
                    if valid && !rules.protects_block(batch, ix) {
                        return Action::Evict(block.id);
                    }
                }
            }
        }
    }

    fn decoded(&mut self, rules: &Rules, round: &Round) {
        self.round += 1;
        self.used_block.resize(rules.blocks().len(), 0);
        self.used_request.resize(rules.requests().len(), 0);
        for &ix in &round.requests {
            self.used_request[ix.0 as usize] = self.round;
            self.queue.push(Reverse((self.round, Resident::Request(ix))));
            for &block in &rules.request(ix).blocks {
                let used = &mut self.used_block[block.0 as usize];
                if *used != self.round {
                    *used = self.round;
                    self.queue.push(Reverse((self.round, Resident::Block(block))));
                }
            }
        }
    }
}
