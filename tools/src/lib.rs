//! What a contestant keeps beside the solvers: brute forces, generators and judges.
//!
//! Nothing here shares code or ideas with the solvers in `src/bin`; an error in one of them shows
//! against the other.
//!
//! - [`problem`]: the list of the problems. Commands and tests know from it what each has.
//! - [`kv_retain`], [`prefix_opt`], [`prefix_router`], [`quant_matmul`]: for each batch problem its
//!   oracle, `answer`, from an input to the expected output or the reason why the input is not
//!   valid, and generators: `small` dense inputs, and large ones. [`evict`] has the rules, the judge,
//!   the generators and the laboratory of the interactive problem, `kv_evict`.
//! - [`wrong`]: plausible wrong solvers, which the tests' cases must reject.
//! - [`run`], [`verdict`], [`solver`]: programs, how they are found, run and judged.
//! - [`stress`], [`fuzz`]: inputs on which a program fails, found and made short; damaged samples.
//! - [`bundle`]: a solver as one file. [`floors`]: the bench. [`trace`]: real requests as inputs.
//! - [`cli`], [`text`]: what the commands, and what the oracles have in common.
//!
//! The commands in `src/bin` say what they do with `--help`.

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
