//! The oracle and the generators of problem 1, KV sparse retention.

use crate::text::Tokens;
use rand::{Rng, RngExt};
use std::cmp::Reverse;
use std::fmt::Write;

/// An input with at most 4 of everything and scores of one decimal, full of ties.
pub fn small(rng: &mut impl Rng) -> String {
    let [layers, heads, positions] = [0; 3].map(|_| rng.random_range(1..=4usize));
    let entries = layers * heads * positions;
    let budget = rng.random_range(layers * heads..=entries);
    let mut input = format!("{layers} {heads} {positions} {budget}\n");
    for _ in 0..layers {
        let scores = (0..heads * positions).map(|_| format!("0.{}", rng.random_range(0..4)));
        input += &(scores.collect::<Vec<_>>().join(" ") + "\n");
    }
    input + &format!("{}\n", rng.random_range(0..positions))
}

/// An input of this size whose scores are drawn evenly, with `decimals` decimals each. Half of the
/// entries may stay.
///
/// # Panics
/// If a size is 0, or if `decimals` is not from 1 to 19.
pub fn uniform(
    rng: &mut impl Rng,
    [layers, heads, positions]: [usize; 3],
    decimals: usize,
) -> String {
    assert!((1..=19).contains(&decimals), "{decimals} decimals");
    let entries = layers * heads * positions;
    let unit = 10u64.pow(decimals as u32);
    let mut input = String::with_capacity(entries * (decimals + 3) + 64);
    let budget = (entries / 2).max(layers * heads);
    writeln!(input, "{layers} {heads} {positions} {budget}").expect("a string grows");
    for entry in 1..=entries {
        let end = if entry % (heads * positions) == 0 { '\n' } else { ' ' };
        let score = rng.random_range(0..unit);
        write!(input, "0.{score:0decimals$}{end}").expect("a string grows");
    }
    input + &format!("{}\n", rng.random_range(0..positions))
}

/// The answer by a full sort of all candidates, as the statement puts it; the error says why the
/// input is not valid. O(n log n).
pub fn answer(input: &[u8]) -> Result<String, String> {
    let mut tokens = Tokens::new(input);
    let size = |tokens: &mut Tokens| tokens.next(|&size: &u128| (1..=1 << 40).contains(&size));
    let (layers, heads, positions) = (size(&mut tokens)?, size(&mut tokens)?, size(&mut tokens)?);
    let budget = tokens.next(|&m| (layers * heads..=layers * heads * positions).contains(&m))?;
    let mut candidates = Vec::new();
    for layer in 0..layers {
        for head in 0..heads {
            for position in 0..positions {
                let score: f64 = tokens.next(|score| (0.0..=1.0).contains(score))?;
                // The bits of non-negative doubles are in the order of their values.
                candidates.push((Reverse((score + 0.0).to_bits()), layer, head, position));
            }
        }
    }
    let current = tokens.next(|c| (0..positions).contains(c))?;
    candidates.retain(|&(.., position)| position != current);
    candidates.sort_unstable();
    candidates.truncate((budget - layers * heads) as usize);

    let mut kept = vec![vec![vec![current]; heads as usize]; layers as usize];
    for (_, layer, head, position) in candidates {
        kept[layer as usize][head as usize].push(position);
    }
    let field = |positions: &mut Vec<u128>| {
        positions.sort_unstable();
        positions.iter().map(u128::to_string).collect::<Vec<_>>().join(",")
    };
    let line = |heads: &mut Vec<Vec<u128>>| {
        heads.iter_mut().map(field).collect::<Vec<_>>().join(" ") + "\n"
    };
    Ok(kept.iter_mut().map(line).collect())
}
