//! Workloads by family, small random inputs, and inputs at the limits.

use clap::Args;
use rand::rngs::StdRng;
use rand::SeedableRng;
use tools::evict::workload::{corpus, Case, Family, Subtask, FAMILIES, LEVELS};
use tools::evict::{limits, random, Limits, Shape};

#[derive(Args)]
pub struct Arguments {
    /// A workload's family, or corpus, small, full, halves, churn or wide
    family: String,

    /// Whose limits to keep: 1 to 10; the first that the family serves if absent
    #[arg(long, value_name = "N")]
    subtask: Option<u8>,

    /// Memory pressure: 0, 1 or 2
    #[arg(long, default_value_t = 1, value_name = "L", value_parser = clap::value_parser!(u8).range(..i64::from(LEVELS)))]
    level: u8,

    /// Seeds from 1000 up, and the families marked so, are held out: no work on a policy looks at
    /// them before it is finished
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
}

/// Names of the generators besides the families, and what they make.
const OTHERS: [(&str, &str); 6] = [
    ("corpus", "the input of this number, from 0, of those that `score` plays"),
    ("small", "small and dense, for brute forces"),
    ("full", "two rounds of 100000 requests"),
    ("halves", "four rounds of 50000 requests that push each other out"),
    ("churn", "100000 small rounds in 64 blocks"),
    ("wide", "100000 small rounds in 20000 blocks"),
];

/// The generators with what they make.
pub fn list() -> Vec<(String, String)> {
    let family = |family: &Family| {
        let served = Subtask::ALL.iter().filter(|&&subtask| family.serves(subtask));
        let served: Vec<String> = served.map(|subtask| subtask.number().to_string()).collect();
        let held_out = if family.held_out { ", held out" } else { "" };
        let about = format!("{} (subtasks {}{held_out})", family.about, served.join(" "));
        (family.name.to_string(), about)
    };
    let others = OTHERS.iter().map(|&(name, about)| (name.to_string(), about.to_string()));
    FAMILIES.iter().map(family).chain(others).collect()
}

/// The text of an input.
///
/// # Errors
/// There is no such generator, or it does not serve the subtask.
pub fn generate(arguments: &Arguments) -> Result<String, String> {
    let Arguments { level, seed, .. } = *arguments;
    let name = arguments.family.as_str();
    let mut rng = StdRng::seed_from_u64(seed);
    let reached = match name {
        "corpus" => {
            let case = usize::try_from(seed).ok().and_then(|number| corpus().get(number).copied());
            let case = case.ok_or_else(|| format!("the corpus has {} inputs", corpus().len()))?;
            return Ok(case.input().to_string());
        }
        "small" => return Ok(random(&mut rng, &Shape::SMALL).to_string()),
        "full" => Some(Limits::Full),
        "halves" => Some(Limits::Halves),
        "churn" => Some(Limits::Churn),
        "wide" => Some(Limits::Wide),
        _ => None,
    };
    if let Some(reached) = reached {
        return Ok(limits(&mut rng, reached).to_string());
    }
    let family = Family::named(name).ok_or_else(|| format!("no generator {name}, see --list"))?;
    let subtask = match arguments.subtask {
        None => Subtask::ALL.into_iter().find(|&subtask| family.serves(subtask)),
        Some(number) => Subtask::new(number).filter(|&subtask| family.serves(subtask)),
    };
    let subtask = subtask.ok_or_else(|| format!("{name} does not serve this subtask"))?;
    Ok(Case { family, subtask, level, seed }.input().to_string())
}
