//! What five solvers of problems about serving language models share: fast input and output
//! ([`io`]), and a compressed prefix tree ([`trie`]). Nothing here knows any of the problems.
//!
//! The solvers are programs beside this library, each with its problem, its method and an example
//! on the first page of its documentation, in this order if you want to read them all:
//!
//! - [`kv_retain`](../kv_retain/index.html): which cache entries to keep. One file; how a solver
//!   looks here.
//! - [`quant_matmul`](../quant_matmul/index.html): a product of quantized matrices.
//! - [`prefix_router`](../prefix_router/index.html): where to send a request.
//! - [`prefix_opt`](../prefix_opt/index.html): what a prefix cache could hit at best. The one with a
//!   proof.
//! - [`kv_evict`](../kv_evict/index.html): what to evict, interactively. The one that learns.
//!
//! What tests and measures them is in the package [`tools`](../tools/index.html).

pub mod io;
pub mod trie;
