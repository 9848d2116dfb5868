//! Problem 2, `kv_evict`: its commands and rules, a judge that runs a program in lock-step,
//! policies inside the process, the exhaustive optimum and generators.
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
pub use command::{Action, BlockId, Command, RequestId};
pub use input::{Input, InputError};
pub use limits::{limits, Limits};
pub use lru::Lru;
pub use objects::{Block, BlockIx, BlockState, Request, RequestIx, RequestState};
pub use optimum::optimum;
pub use policy::{answer, play, Arbitrary, Policy};
pub use random::{random, Shape};
pub use round::{Batch, Illegal, Round, Rule};
pub use rules::{Broken, Cost, Rules};
