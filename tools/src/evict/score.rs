//! The contest's score of a policy on a suite, and the measurements that it is computed from.

use super::baselines::{names, CLAIRVOYANT, LEADER};
use super::suite::Reference;
use super::workload::Subtask;
use std::collections::BTreeMap;

/// T of every baseline and of the policies under test on one input.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The input's name.
    pub name: String,
    /// The input's family.
    pub family: String,
    /// Which subtask it counts for.
    pub subtask: Subtask,
    /// What T is measured against.
    pub reference: Reference,
    /// T of each baseline, in the order of [`names`].
    pub baselines: Vec<u64>,
    /// T of each policy under test; none if it was rejected.
    pub policies: Vec<Option<u64>>,
}

/// Whose T is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// A baseline by its place in [`names`].
    Baseline(usize),
    /// A policy under test by its place.
    Policy(usize),
}

impl Measured {
    /// T of a player, or none if it was rejected.
    pub fn time(&self, player: Player) -> Option<u64> {
        match player {
            Player::Baseline(at) => Some(self.baselines[at]),
            Player::Policy(at) => self.policies[at],
        }
    }
}

/// The baseline of this name as a player.
///
/// # Panics
/// If there is no such baseline.
pub fn baseline(name: &str) -> Player {
    let at = names().iter().position(|&(listed, _)| listed == name);
    Player::Baseline(at.unwrap_or_else(|| panic!("no baseline {name}")))
}

/// The baselines that neither learn nor know the future.
pub fn fixed() -> impl Iterator<Item = Player> {
    let others = [baseline(LEADER), baseline(CLAIRVOYANT)];
    (0..names().len()).map(Player::Baseline).filter(move |player| !others.contains(player))
}

/// Sums over inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Inputs.
    pub cases: usize,
    /// Sum of T, over the inputs on which the player was not rejected.
    pub time: u64,
    /// Sum of the references of all inputs.
    pub reference: u64,
    /// Inputs on which the player was rejected.
    pub rejected: usize,
}

impl Sums {
    /// Sums up a player's times.
    pub fn of<'a>(cases: impl IntoIterator<Item = &'a Measured>, player: Player) -> Sums {
        let mut sums = Sums::default();
        for case in cases {
            sums.cases += 1;
            sums.reference += case.reference.time;
            match case.time(player) {
                Some(time) => sums.time += time,
                None => sums.rejected += 1,
            }
        }
        sums
    }

    /// T over the reference, 1 or more; none if the player was rejected anywhere.
    pub fn ratio(&self) -> Option<f64> {
        (self.rejected == 0).then(|| self.time as f64 / self.reference as f64)
    }

    /// The share of its points that a subtask of these inputs gives: 0.2 + 0.8 · reference / T,
    /// and 0 after a rejection.
    pub fn share(&self) -> f64 {
        self.ratio().map_or(0.0, |ratio| 0.2 + 0.8 / ratio)
    }
}

/// Groups inputs by subtask.
pub fn by_subtask(cases: &[Measured]) -> BTreeMap<Subtask, Vec<&Measured>> {
    let mut groups: BTreeMap<Subtask, Vec<&Measured>> = BTreeMap::new();
    for case in cases {
        groups.entry(case.subtask).or_default().push(case);
    }
    groups
}

/// Groups inputs by family.
pub fn by_family(cases: &[Measured]) -> BTreeMap<&str, Vec<&Measured>> {
    let mut groups: BTreeMap<&str, Vec<&Measured>> = BTreeMap::new();
    for case in cases {
        groups.entry(&case.family).or_default().push(case);
    }
    groups
}

/// The contest's score: each subtask's weight times its share. Where subtasks are missing, the
/// others' weights are scaled to 100.
pub fn score(cases: &[Measured], player: Player) -> f64 {
    let (mut points, mut weights) = (0.0, 0.0);
    for (subtask, cases) in by_subtask(cases) {
        points += subtask.weight() * Sums::of(cases, player).share();
        weights += subtask.weight();
    }
    if weights == 0.0 {
        return 0.0;
    }
    points * 100.0 / weights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(number: u8, reference: u64, time: Option<u64>) -> Measured {
        Measured {
            name: String::new(),
            family: String::new(),
            subtask: Subtask::new(number).unwrap(),
            reference: Reference { time: reference, bound: reference },
            baselines: Vec::new(),
            policies: vec![time],
        }
    }

    #[test]
    fn times_are_summed_within_a_subtask_before_they_are_compared() {
        let player = Player::Policy(0);
        let cases = [measured(3, 100, Some(100)), measured(3, 300, Some(700))];
        // 0.2 + 0.8 · 400 / 800
        assert!((score(&cases, player) - 60.0).abs() < 1e-9);
        let two = [measured(3, 10, Some(20)), measured(7, 10, Some(10))];
        let expected = 100.0 * (17.0 * 0.6 + 10.0) / 27.0;
        assert!((score(&two, player) - expected).abs() < 1e-9);
    }

    #[test]
    fn a_rejection_costs_the_whole_subtask() {
        let cases = [measured(3, 10, Some(10)), measured(3, 10, None)];
        assert_eq!(score(&cases, Player::Policy(0)), 0.0);
    }
}
