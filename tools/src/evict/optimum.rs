//! The smallest T over all legal plans, by exhaustion.

use super::command::{Command, RequestId};
use super::input::Input;
use super::objects::{BlockIx, RequestIx};
use super::rules::{Broken, Rules};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

/// What distinguishes two states after the same commands: who is in the GPU.
type Contents = (Vec<BlockIx>, Vec<RequestIx>);

/// The smallest T of an input whose future is known. Keeps, command by command, the cheapest run
/// into each reachable state: exponential in the blocks and requests, so for a dozen of them.
///
/// # Errors
/// The first promise that the input breaks.
pub fn optimum(input: &Input) -> Result<u64, Broken> {
    let mut layer = vec![Rules::new(input.s, input.c)];
    for command in &input.commands {
        if let Command::Decode(ids) = command {
            layer = round(layer, ids)?;
        } else {
            for rules in &mut layer {
                rules.apply(command)?;
            }
        }
    }
    let least = layer.iter().map(|rules| rules.cost().total()).min();
    Ok(least.expect("a batch that fits can always be served"))
}

/// All outcomes of a DECODE, of those with equal contents the cheapest.
fn round(layer: Vec<Rules>, ids: &[RequestId]) -> Result<Vec<Rules>, Broken> {
    let mut outcomes: HashMap<Contents, Rules> = HashMap::new();
    for mut start in layer {
        let batch = start.batch(ids)?;
        let mut seen = HashSet::from([contents(&start)]);
        let mut open = vec![start];
        while let Some(mut rules) = open.pop() {
            for action in rules.legal_actions(&batch) {
                let mut next = rules.clone();
                next.act(&batch, action).expect("a legal action");
                if seen.insert(contents(&next)) {
                    open.push(next);
                }
            }
            if rules.generate(batch.clone()).is_ok() {
                match outcomes.entry(contents(&rules)) {
                    Entry::Vacant(entry) => drop(entry.insert(rules)),
                    Entry::Occupied(mut entry) => {
                        if rules.cost().total() < entry.get().cost().total() {
                            entry.insert(rules);
                        }
                    }
                }
            }
        }
    }
    Ok(outcomes.into_values().collect())
}

fn contents(rules: &Rules) -> Contents {
    let (mut blocks, mut requests) = (rules.resident().to_vec(), rules.running().to_vec());
    blocks.sort_unstable();
    requests.sort_unstable();
    (blocks, requests)
}
