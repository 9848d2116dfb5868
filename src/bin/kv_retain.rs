//! KV sparse retention under a memory budget. Selection by threshold; O(L·H·N).
//!
//! # Problem
//!
//! A model has L layers of H attention heads; each head has cached keys and values for N token
//! positions and an attention score in `0..=1` for each of them. At most M entries may stay in
//! memory, over all heads together. Every head keeps position C, the one being generated, whatever
//! its score. The other `M - L·H` places go to the highest scores anywhere; among equal scores the
//! lower layer comes first, then the lower head, then the lower position.
//!
//! Input: `L H N M`, then a line per layer with the H·N scores of its heads one after the other,
//! then `C`. Output: a line per layer, with one blank-separated field per head: the kept
//! positions in ascending order, joined by commas. Limits: L, H ≤ 32, N ≤ 200, L·H ≤ M ≤ L·H·N.
//!
//! # Method
//!
//! The order of input is the order in which ties are broken. So the kept entries are those with a
//! score above some threshold, and of those that equal it the first few. No sorting is needed: the
//! threshold is the score of a known rank. Counting the scores in buckets of equal width tells the
//! bucket that holds this rank, and a selection inside that bucket finds it.
//!
//! Example: with the scores `0.5 0.2 0.9 0.5` and two places, the threshold is 0.5. The 0.9 is above
//! it, and one place remains for the scores equal to it, which the first 0.5 takes.

use kv_contest::io::{self, In, Scanner, Writer};
use proconio::input;

/// The scores of all heads and what may be kept of them.
struct Attention {
    heads_per_layer: usize,
    /// Positions per head, N.
    positions: usize,
    /// Entries that may be kept in all, M.
    budget: usize,
    /// The position that every head keeps, C.
    current: usize,
    /// By layer, then head, then position.
    scores: Vec<f64>,
}

/// What is kept besides the current position: every score above the threshold, and the first few
/// that equal it.
#[derive(Clone, Copy)]
struct Cut {
    threshold: f64,
    ties: usize,
}

fn read(scanner: &mut Scanner) -> Attention {
    input! {
        from &mut *scanner,
        layers: with In(1..=usize::MAX),
        heads_per_layer: with In(1..=usize::MAX),
        positions: with In(1..=usize::MAX),
    }
    let heads = layers.saturating_mul(heads_per_layer);
    let entries = heads.saturating_mul(positions);
    let budget = scanner.int(heads..=entries);
    // Not reserved: the header may announce more than follows.
    let mut scores = Vec::new();
    scanner.take_floats(entries, 0.0..=1.0, |score| scores.push(score));
    let current = scanner.int(0..=positions - 1);
    Attention { heads_per_layer, positions, budget, current, scores }
}

/// Where to cut, in O(L·H·N).
fn solve(attention: &Attention) -> Cut {
    let heads = attention.scores.chunks_exact(attention.positions);
    let places = attention.budget - heads.len();
    let current = attention.current;
    let candidates = || {
        heads
            .clone()
            .flat_map(move |head| head[..current].iter().chain(&head[current + 1..]))
            .copied()
    };

    // Buckets of equal width over 0..=1; the last one holds the 1 alone.
    const BUCKETS: usize = 1 << 12;
    let bucket = |score: f64| (score * BUCKETS as f64) as i32 as usize;
    let mut counts = [0; BUCKETS + 1];
    candidates().for_each(|score| counts[bucket(score)] += 1);

    let mut above = 0;
    let mut cut_bucket = BUCKETS;
    while cut_bucket > 0 && above + counts[cut_bucket] < places {
        above += counts[cut_bucket];
        cut_bucket -= 1;
    }
    let mut contenders: Vec<f64> =
        candidates().filter(|&score| bucket(score) == cut_bucket).collect();
    match places - above {
        0 => Cut { threshold: f64::INFINITY, ties: 0 },
        rank => {
            let by_score = |a: &f64, b: &f64| b.partial_cmp(a).expect("scores are numbers");
            let (higher, &mut threshold, _) = contenders.select_nth_unstable_by(rank - 1, by_score);
            let higher = higher.iter().filter(|&&score| score > threshold).count();
            Cut { threshold, ties: rank - higher }
        }
    }
}

fn write(attention: &Attention, cut: Cut, writer: &mut Writer) {
    let Cut { threshold, mut ties } = cut;
    let mut kept = vec![0; attention.positions];
    for (index, scores) in attention.scores.chunks_exact(attention.positions).enumerate() {
        // Without branches: which scores are kept is as unpredictable as a coin.
        let mut count = 0;
        for (position, &score) in scores.iter().enumerate() {
            let current = position == attention.current;
            let tie = (score == threshold) & (ties > 0) & !current;
            ties -= usize::from(tie);
            kept[count] = position;
            count += usize::from((score > threshold) | tie | current);
        }
        for (place, &position) in kept[..count].iter().enumerate() {
            if place > 0 {
                writer.byte(b',');
            }
            writer.int(position);
        }
        let last = (index + 1) % attention.heads_per_layer == 0;
        writer.byte(if last { b'\n' } else { b' ' });
    }
}

fn answer(scanner: &mut Scanner, writer: &mut Writer) {
    let attention = read(scanner);
    let cut = solve(&attention);
    write(&attention, cut, writer);
}

fn main() {
    io::run("kv_retain", answer);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(scores: &[f64], places: usize) -> (f64, usize) {
        // One head whose current position is the first.
        let mut all = vec![1.0];
        all.extend(scores);
        let positions = all.len();
        let budget = places + 1;
        let attention =
            Attention { heads_per_layer: 1, positions, budget, current: 0, scores: all };
        let Cut { threshold, ties } = solve(&attention);
        (threshold, ties)
    }

    #[test]
    fn the_threshold_is_the_last_score_that_fits() {
        assert_eq!(cut(&[0.5, 0.2, 0.9, 0.5], 2), (0.5, 1));
        assert_eq!(cut(&[0.5, 0.2, 0.9, 0.5], 3), (0.5, 2));
        assert_eq!(cut(&[0.5, 0.2, 0.9, 0.5], 4), (0.2, 1));
    }

    #[test]
    fn no_place_keeps_nothing_even_of_the_highest_scores() {
        assert_eq!(cut(&[1.0, 1.0], 0), (f64::INFINITY, 0));
        assert_eq!(cut(&[], 0), (f64::INFINITY, 0));
    }

    #[test]
    fn scores_that_share_a_bucket_are_told_apart() {
        assert_eq!(
            cut(&[0.1, 0.1 + f64::EPSILON / 16.0, 0.100_000_1, 0.100_000_2], 2),
            (0.100_000_1, 1)
        );
        assert_eq!(cut(&[1.0, 1.0 - f64::EPSILON, 0.0, -0.0], 3), (0.0, 1));
    }

    #[test]
    fn changed_samples_are_answered_or_refused_as_they_should_be() {
        let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/samples");
        tools::fuzz::check("kv_retain", samples.as_ref(), 5000, |input| io::outcome(input, answer));
    }
}
