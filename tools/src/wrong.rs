//! Plausible wrong solvers: what a contestant may well submit, and what the project's own cases must
//! reject.
//!
//! Each has one mistake and is otherwise the oracle. They answer valid inputs only.

pub mod kv_evict;
pub mod kv_retain;
pub mod prefix_opt;
pub mod prefix_router;
pub mod quant_matmul;

/// A wrong solver of a batch problem: its mistake, and its answer to a valid input.
pub type Wrong = (&'static str, fn(&str) -> String);
