//! What the five solvers in `src/bin` share: fast input and output ([`io`]) and a compressed
//! prefix tree ([`trie`]). Nothing here knows any of the problems.

pub mod io;
pub mod trie;
