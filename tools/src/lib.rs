//! What a contestant keeps beside the solvers: brute forces, generators and judges.
//!
//! Nothing here shares code or ideas with the solvers in `src/bin`; an error in one of them shows
//! against the other. The oracle of a batch problem is `tools::<problem>::answer`, from an input to
//! the expected output or the reason why the input is not valid.

pub mod bundle;
pub mod cli;
pub mod evict;
pub mod floors;
pub mod fuzz;
pub mod kv_retain;
pub mod prefix_opt;
pub mod prefix_router;
pub mod problem;
pub mod quant_matmul;
pub mod run;
pub mod solver;
pub mod stress;
pub mod text;
pub mod trace;
pub mod verdict;
pub mod wrong;
