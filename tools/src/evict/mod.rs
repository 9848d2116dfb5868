//! Problem 2, `kv_evict`: its commands and rules, a judge that runs a program in lock-step, and
//! the laboratory for eviction policies.
//!
//! - [`rules`], [`round`], [`lockstep`]: the statement, and a program or a policy held to it.
//! - [`workload`]: seeded inputs of many schedulers, a part of them held out; [`random()`] and
//!   [`limits()`]: small dense ones and the largest.
//! - [`policy`] and [`baselines`]: policies inside the process, from LRU to a clairvoyant.
//! - [`bound()`] and [`optimum()`]: what no T is below, and the smallest T of tiny inputs.
//! - [`suite`] and [`score`]: sets of inputs and the contest's formula.
//!
//! Nothing here is taken from the solver: the rules are the statement's, written down a second
//! time.

pub mod baselines;
pub mod bound;
pub mod command;
pub mod future;
pub mod input;
pub mod limits;
pub mod lockstep;
pub mod lru;
pub mod objects;
pub mod optimum;
pub mod policy;
pub mod random;
pub mod round;
pub mod rules;
pub mod score;
pub mod suite;
pub mod workload;

pub use bound::bound;
pub use command::{parse_reply, Action, BlockId, Command, RequestId};
pub use input::{Input, InputError};
pub use limits::{limits, Limits};
pub use lru::Lru;
pub use objects::{Block, BlockIx, BlockState, Request, RequestIx, RequestState};
pub use optimum::optimum;
pub use policy::{answer, play, play_watched, Arbitrary, Policy, Replies};
pub use random::{random, Shape};
pub use round::{Batch, Illegal, Round, Rule};
pub use rules::{Broken, Cost, Rules};
