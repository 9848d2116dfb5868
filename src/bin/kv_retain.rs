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
//! Position C is kept because its entries get a score that is higher than any: then the M entries
//! with the highest scores are those to keep.
//!
//! Example: with the scores `0.5 0.2 0.9 0.5` and M = 2, the threshold is 0.5. The 0.9 is above it,
//! and one place remains for the scores equal to it, which the first 0.5 takes.

use kv_contest::io::{self, In, Piece, Scanner, Writer};
use proconio::input;

/// The scores of all heads and what may be kept of them.
struct Attention {
    heads_per_layer: usize,
    /// Positions per head, N.
    positions: usize,
    /// Entries that may be kept in all, M.
    budget: usize,
    /// By layer, then head, then position; `CURRENT` at the position that every head keeps.
    scores: Vec<f64>,
    /// How many of the scores are in each bucket.
    counts: [usize; BUCKETS],
}

/// Higher than any score.
const CURRENT: f64 = 2.0;

/// Half of them for the scores below 1, all of one width, the others for 1 and `CURRENT`.
const BUCKETS: usize = 1 << BUCKET_BITS;
const BUCKET_BITS: u32 = 11;

/// The bucket of a score. The higher of two scores is never in the lower of two buckets.
#[inline]
fn bucket(score: f64) -> usize {
    // How far the double has moved from 1, a bit of the exponent and the first ones of the mantissa. It is
    // in range; the compiler sees that by the remainder.
    let moved = (1.0 + score).to_bits() - 1.0f64.to_bits();
    (moved >> (f64::MANTISSA_DIGITS - BUCKET_BITS)) as usize % BUCKETS
}

/// What is kept: every score above the threshold, and the first few that equal it.
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
    let mut counts = [0; BUCKETS];
    scanner.take_floats(entries, 0.0..=1.0, |score| {
        counts[bucket(score)] += 1;
        scores.push(score);
    });
    let current = scanner.int(0..=positions - 1);
    for score in scores[current..].iter_mut().step_by(positions) {
        counts[bucket(*score)] -= 1;
        *score = CURRENT;
        counts[bucket(CURRENT)] += 1;
    }
    Attention { heads_per_layer, positions, budget, scores, counts }
}

/// Scores that are asked at once whether one of them is in the bucket where the cut is: where scores
/// are spread, few groups have one.
const GROUP: usize = 128;

/// Where to cut, in O(L·H·N).
fn solve(attention: &Attention) -> Cut {
    let Attention { budget, scores, counts, .. } = attention;
    let mut above = 0;
    let mut cut_bucket = BUCKETS - 1;
    while above + counts[cut_bucket] < *budget {
        above += counts[cut_bucket];
        cut_bucket -= 1;
    }
    let is_contender = |score: f64| bucket(score) == cut_bucket;
    // Asking all of a group, not up to the first, takes vector instructions.
    let has_contender =
        |group: &&[f64]| group.iter().fold(false, |any, &score| any | is_contender(score));
    let groups = scores.chunks(GROUP).filter(has_contender);
    let mut contenders: Vec<f64> =
        groups.flatten().copied().filter(|&score| is_contender(score)).collect();
    let rank = budget - above;
    let by_score = |a: &f64, b: &f64| b.partial_cmp(a).expect("scores are numbers");
    let (higher, &mut threshold, _) = contenders.select_nth_unstable_by(rank - 1, by_score);
    let higher = higher.iter().filter(|&&score| score > threshold).count();
    Cut { threshold, ties: rank - higher }
}

/// Positions of up to 5 digits, whose text is prepared.
const PREPARED: usize = 100_000;

fn write(attention: &Attention, cut: Cut, writer: &mut Writer) {
    let Cut { threshold, mut ties } = cut;
    let mut is_kept = |score: f64| {
        let tie = (score == threshold) & (ties > 0);
        ties -= usize::from(tie);
        (score > threshold) | tie
    };
    let prepared: Vec<Piece> = (0..attention.positions.min(PREPARED) as u32)
        .map(|position| Piece::default().with_int(position).with_byte(b','))
        .collect();
    for (index, scores) in attention.scores.chunks_exact(attention.positions).enumerate() {
        // Without branches: which scores are kept is as unpredictable as a coin.
        writer.pieces(scores.iter().zip(&prepared).map(|(&score, &piece)| {
            if is_kept(score) {
                piece
            } else {
                Piece::default()
            }
        }));
        for (position, &score) in scores.iter().enumerate().skip(PREPARED) {
            if is_kept(score) {
                writer.int(position).byte(b',');
            }
        }
        // A head keeps one position at least: the last byte is a comma.
        let last = (index + 1) % attention.heads_per_layer == 0;
        writer.replace_last(if last { b'\n' } else { b' ' });
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
        let scores: Vec<f64> = [&[CURRENT], scores].concat();
        let mut counts = [0; BUCKETS];
        scores.iter().for_each(|&score| counts[bucket(score)] += 1);
        let (positions, budget) = (scores.len(), places + 1);
        let Cut { threshold, ties } =
            solve(&Attention { heads_per_layer: 1, positions, budget, scores, counts });
        (threshold, ties)
    }

    #[test]
    fn the_threshold_is_the_last_score_that_fits() {
        assert_eq!(cut(&[0.5, 0.2, 0.9, 0.5], 2), (0.5, 1));
        assert_eq!(cut(&[0.5, 0.2, 0.9, 0.5], 3), (0.5, 2));
        assert_eq!(cut(&[0.5, 0.2, 0.9, 0.5], 4), (0.2, 1));
    }

    #[test]
    fn no_place_keeps_nothing_but_the_current_position() {
        assert_eq!(cut(&[1.0, 1.0], 0), (CURRENT, 1));
        assert_eq!(cut(&[], 0), (CURRENT, 1));
    }

    #[test]
    fn buckets_are_in_the_order_of_scores() {
        let mut scores: Vec<f64> = (0..=50_000).map(|part| f64::from(part) / 50_000.0).collect();
        scores.extend([-0.0, f64::MIN_POSITIVE, 1.0 - f64::EPSILON / 2.0, CURRENT]);
        scores.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert!(scores.is_sorted_by_key(|&score| bucket(score)));
        assert!(bucket(0.999) < BUCKETS / 2 && bucket(1.0) < bucket(CURRENT));
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
    fn positions_are_written_whether_their_text_is_prepared_or_not() {
        let positions = PREPARED + 3;
        let mut scores = vec!["0"; positions];
        for kept in [7, PREPARED - 1, PREPARED + 1] {
            scores[kept] = "0.5";
        }
        let input = format!("1 1 {positions} 4\n{}\n{PREPARED}\n", scores.join(" "));
        let kept = "7,99999,100000,100001\n";
        assert_eq!(io::outcome(input.as_bytes(), answer), Ok(kept.to_string()));
    }

    #[test]
    fn changed_samples_are_answered_or_refused_as_they_should_be() {
        let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/samples");
        tools::fuzz::check("kv_retain", samples.as_ref(), 5000, |input| io::outcome(input, answer));
    }
}
