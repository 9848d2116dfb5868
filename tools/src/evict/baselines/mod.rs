//! Baselines of `kv_evict`, played in the process on the same rules: what a policy must beat.
//!
//! [`names`] lists them, [`named`] makes one for an input. Fixed rules rank victims by what is
//! plain to see; the clairvoyant greedy knows the stream and is no policy anybody could submit.

pub mod clairvoyant;
pub mod fixed;
pub mod greedy_dual;
pub mod history;
pub mod leader;
pub mod victims;

pub use clairvoyant::Clairvoyant;
pub use fixed::{Fixed, FIXED};
pub use greedy_dual::GreedyDual;
pub use leader::Leader;

use super::input::Input;
use super::policy::{Arbitrary, Policy};
use super::rules::Broken;
use rand::rngs::StdRng;
use rand::SeedableRng;

/// The name of the baseline that knows the future.
pub const CLAIRVOYANT: &str = "clairvoyant";
/// The name of the baseline that learns which rule to follow.
pub const LEADER: &str = "leader";

/// The names of all baselines with what they do, the fixed rules first.
pub fn names() -> Vec<(&'static str, &'static str)> {
    let mut names: Vec<_> = FIXED.iter().map(|rule| (rule.name, rule.about)).collect();
    names.push(("greedy_dual", "GreedyDual by frequency, blocks and requests together"));
    names.push(("random", "any legal action"));
    names.push((LEADER, "the best of 14 predictors, judged by replaying the past"));
    names.push((CLAIRVOYANT, "knows the stream: what is used again last"));
    names
}

/// The baseline of this name for this input, or none if there is no such baseline.
///
/// # Errors
/// The first promise that the input breaks, if the baseline looks ahead.
pub fn named(name: &str, input: &Input) -> Result<Option<Box<dyn Policy>>, Broken> {
    let fixed = FIXED.iter().find(|rule| rule.name == name);
    Ok(Some(match name {
        _ if fixed.is_some() => Box::new(fixed.expect("found").play()),
        "greedy_dual" => Box::new(GreedyDual::default()),
        LEADER => Box::new(Leader::new(input.s, input.c)),
        "random" => Box::new(Arbitrary(StdRng::seed_from_u64(1))),
        CLAIRVOYANT => Box::new(Clairvoyant::new(input)?),
        _ => return Ok(None),
    }))
}
