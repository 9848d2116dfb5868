//! The rules, the lock-step judge, the optimum and the generators of problem 2, against the
//! statement and against each other.

mod bounds;
mod generators;
#[cfg(unix)]
mod lockstep;
mod rules;

/// The statement's sample, T = 7.
const SAMPLE: &str = "4 3 6
CREATE_BLOCK 10
ADD 1 1 10 7 2
ADD 2 1 10 6 2
DECODE 2 1 2
DECODE 1 1
DECODE 1 2
";
