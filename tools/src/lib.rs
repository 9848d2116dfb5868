//! What a contestant keeps beside the solvers: brute forces, generators and judges.
//!
//! Nothing here shares code or ideas with the solvers in `src/bin`; an error in one of them shows
//! against the other.
