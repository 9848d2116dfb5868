//! The tables.

use crate::measure::{Contender, Outcome};
use std::cmp::Reverse;
use tools::evict::baselines::{names, CLAIRVOYANT, LEADER};
use tools::evict::score::{baseline, by_family, by_subtask, fixed, score, Measured, Player, Sums};

/// Names in the order of players.
fn player_name(player: Player, contenders: &[Contender]) -> String {
    match player {
        Player::Baseline(at) => names()[at].0.to_string(),
        Player::Policy(at) => contenders[at].name().to_string(),
    }
}

/// Prints everything about the outcomes to standard output.
pub fn print(contenders: &[Contender], outcomes: &[Outcome], all_baselines: bool) {
    let cases: Vec<Measured> = outcomes.iter().map(|outcome| outcome.measured.clone()).collect();
    println!(
        "{} cases; T over the best known or a bound, W the points of the subtask\n",
        cases.len()
    );
    heading("subtask");
    for (subtask, group) in by_subtask(&cases) {
        let weight = subtask.weight();
        let points = weight * Sums::of(group.iter().copied(), Player::Policy(0)).share();
        line(&subtask.number().to_string(), &group, &format!("{points:6.2} of {weight}"));
    }
    println!();
    heading("family");
    for (family, group) in by_family(&cases) {
        line(family, &group, "");
    }
    println!();
    for (player, score) in scores(contenders, &cases, all_baselines) {
        println!("{score:8.3}  {}", player_name(player, contenders));
    }
    manners(contenders, outcomes);
    if contenders.len() == 2 {
        compare(contenders, &cases);
    }
}

fn heading(first: &str) {
    println!(
        "{first:<12} {:>5} {:>9} {:>9} {:>7} {:>7} {:>7} {:<14} {:>7} {:>7}  points",
        "cases", "ΣT", "Σbest", "ratio", "lru", "rule", "", "leader", "clairv."
    );
}

fn line(name: &str, group: &[&Measured], points: &str) {
    let sums = |player| Sums::of(group.iter().copied(), player);
    let policy = sums(Player::Policy(0));
    let best = fixed().min_by_key(|&player| sums(player).time).expect("a fixed rule");
    let ratio = |sums: Sums| match sums.ratio() {
        Some(ratio) => format!("{ratio:.4}"),
        None => format!("{}×bad", sums.rejected),
    };
    println!(
        "{name:<12} {:>5} {:>9} {:>9} {:>7} {:>7} {:>7} {:<14} {:>7} {:>7}  {points}",
        policy.cases,
        policy.time,
        policy.reference,
        ratio(policy),
        ratio(sums(baseline("lru"))),
        ratio(sums(best)),
        player_name(best, &[]),
        ratio(sums(baseline(LEADER))),
        ratio(sums(baseline(CLAIRVOYANT))),
    );
}

/// The scores to print, the best first: the policies, LRU, the best fixed rule, the leader and the
/// clairvoyant, or all baselines.
fn scores(contenders: &[Contender], cases: &[Measured], all: bool) -> Vec<(Player, f64)> {
    let with = |player: Player| (player, score(cases, player));
    let best = fixed().map(with).max_by(|a, b| a.1.total_cmp(&b.1)).expect("a fixed rule").0;
    let usual = [baseline("lru"), best, baseline(LEADER), baseline(CLAIRVOYANT)];
    let shown = |player: &Player| all || usual.contains(player);
    let baselines = (0..names().len()).map(Player::Baseline).filter(shown);
    let policies = (0..contenders.len()).map(Player::Policy);
    let mut scores: Vec<(Player, f64)> = policies.chain(baselines).map(with).collect();
    scores.sort_by(|a, b| b.1.total_cmp(&a.1));
    scores
}

/// The slowest run, the largest memory and the rejections of each program.
fn manners(contenders: &[Contender], outcomes: &[Outcome]) {
    for (at, contender) in contenders.iter().enumerate() {
        let runs = outcomes
            .iter()
            .filter_map(|outcome| Some((&outcome.measured.name, outcome.runs[at].as_ref()?)));
        let Some((name, slowest)) = runs.clone().max_by_key(|(_, run)| run.wall) else {
            continue;
        };
        println!("\n{}: at most {:.3} s ({name})", contender.name(), slowest.wall.as_secs_f64());
        if let Some(peak) = runs.clone().filter_map(|(_, run)| run.peak_memory).max() {
            println!("{}: at most {:.1} MiB", contender.name(), peak as f64 / f64::from(1 << 20));
        }
        for (name, run) in runs {
            if let Some(rejection) = &run.rejection {
                println!("{}: REJECTED on {name}: {rejection}", contender.name());
            }
        }
    }
}

/// Wins, losses and the largest differences of the first policy against the second.
fn compare(contenders: &[Contender], cases: &[Measured]) {
    const SHOWN: usize = 10;
    let mut differences: Vec<(i64, &Measured)> = cases
        .iter()
        .filter_map(|case| Some((case.policies[0]? as i64 - case.policies[1]? as i64, case)))
        .collect();
    let wins = differences.iter().filter(|&&(difference, _)| difference < 0).count();
    let losses = differences.iter().filter(|&&(difference, _)| difference > 0).count();
    let (first, second) = (contenders[0].name(), contenders[1].name());
    println!(
        "\n{first} against {second}: {wins} wins, {losses} losses, {} draws",
        differences.len() - wins - losses
    );
    // Relative to what the case costs, so that large cases do not hide the small ones.
    let relative = |(difference, case): (i64, &Measured)| {
        difference as f64 / case.reference.time as f64 * 100.0
    };
    differences.sort_by(|&a, &b| relative(b).total_cmp(&relative(a)));
    for &(difference, case) in differences.iter().take(SHOWN).filter(|d| d.0 > 0) {
        let percent = relative((difference, case));
        println!("  worse  {difference:>+6} ({percent:+6.2} %)  {}", case.name);
    }
    differences
        .sort_by_key(|&(difference, case)| Reverse((relative((-difference, case)) * 1e6) as i64));
    for &(difference, case) in differences.iter().take(SHOWN).filter(|d| d.0 < 0) {
        let percent = relative((difference, case));
        println!("  better {difference:>+6} ({percent:+6.2} %)  {}", case.name);
    }
}
