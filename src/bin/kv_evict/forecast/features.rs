//! What a scheduler may go by: each candidate as a row of numbers of the order of 1.

use super::hand::Hand;
use super::history::{end_grade, grade, Hazard, Past, FADES};
use super::math::ln;
use crate::state::{Action, State};

/// Numbers a row, the last of them 0: a multiple of four makes sums of products fast.
pub const FEATURES: usize = 80;
/// What is known of a candidate.
pub type Row = [f32; FEATURES];

/// Things of which hazards are learnt one at a time.
pub const KEYS: usize = 14;
/// The value of each.
pub type Keys = [u8; KEYS];
/// How many values each takes.
pub const KEY_VALUES: usize = 32;

/// Orders of the candidates.
const ORDERS: usize = 9;

/// The candidates of a round, ascending, with what is known of each.
pub struct Scene {
    pub requests: Vec<usize>,
    pub rows: Vec<Row>,
    pub keys: Vec<Keys>,
}

fn log(x: f32) -> f32 {
    ln(f64::from(x)) as f32
}

/// Rank of each value, ties sharing their mean rank.
fn ranks(values: &[f32]) -> Vec<f32> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut from = 0;
    while from < order.len() {
        let tied = order[from..].iter().take_while(|&&at| values[at] == values[order[from]]);
        let to = from + tied.count();
        for &at in &order[from..to] {
            ranks[at] = (from + to - 1) as f32 / 2.0;
        }
        from = to;
    }
    ranks
}

/// Distance from the mean in standard deviations.
fn deviations(values: &[f32]) -> Vec<f32> {
    let count = values.len() as f32;
    let mean = values.iter().sum::<f32>() / count;
    let square = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f32>() / count;
    let spread = square.sqrt().max(1e-3);
    values.iter().map(|value| ((value - mean) / spread).clamp(-4.0, 4.0)).collect()
}

/// What there is to see of the candidates, ascending by arrival, after a batch that has been seen
/// but not been executed.
pub fn scene(
    state: &State,
    pasts: &[Past],
    reputations: &[[f32; 2]],
    hazards: &[Hazard],
    hands: &[Hand; 2],
    batch: &[usize],
    requests: Vec<usize>,
) -> Scene {
    let count = requests.len();
    let round = pasts[batch[0]].used;
    let past = |at: usize| &pasts[requests[at]];
    let in_batch = |at: usize| past(at).used == round;
    let values = |of: &dyn Fn(usize) -> f32| -> Vec<f32> { (0..count).map(of).collect() };
    let left = |at: usize| state.requests[requests[at]].to_generate - u64::from(in_batch(at));
    let done = |at: usize| state.requests[requests[at]].generated + u64::from(in_batch(at));
    let last = |at: usize| past(at).used.max(past(at).arrived);

    let orders: [Vec<f32>; ORDERS] = [
        values(&|at| past(at).age(round) as f32),
        values(&|at| at as f32),
        values(&|at| left(at) as f32),
        values(&|at| done(at) as f32),
        values(&|at| (left(at) + done(at)) as f32),
        values(&|at| state.private_blocks(requests[at]) as f32),
        values(&|at| done(at) as f32 / (left(at) + done(at)) as f32),
        values(&|at| last(at) as f32 + past(at).gap),
        values(&|at| past(at).rates[1]),
    ];
    let ranked: Vec<Vec<f32>> = orders.iter().map(|order| ranks(order)).collect();
    let spread = [
        deviations(&values(&|at| past(at).arrived as f32)),
        deviations(&orders[2]),
        deviations(&orders[4]),
        deviations(&orders[5]),
    ];

    // Where the last one named in the batch stands among the candidates, and its ends by arrival.
    let place = |request: usize| requests.partition_point(|&other| other < request);
    let from = place(batch[batch.len() - 1]);
    let first = batch.iter().copied().min().map_or(0, place);
    let highest = batch.iter().copied().max().map_or(0, place);
    let of_batch = |block: usize| state.is_protected(Action::Evict(block));

    let times = [hands[0].times(count), hands[1].times(count)];

    let mut rows = Vec::with_capacity(count);
    let mut keys = Vec::with_capacity(count);
    for at in 0..count {
        let past = past(at);
        let age = past.age(round);
        let ahead = (at + count - from) % count;
        let key: Keys = [
            end_grade(ranked[0][at] as usize, count) as u8,
            end_grade(ranked[1][at] as usize, count) as u8,
            end_grade(ranked[2][at] as usize, count) as u8,
            end_grade(ranked[3][at] as usize, count) as u8,
            end_grade(ranked[5][at] as usize, count) as u8,
            if in_batch(at) { 16 + grade(past.streak) as u8 } else { grade(age) as u8 },
            end_grade(ahead, count) as u8,
            grade(done(at)) as u8 + if in_batch(at) { 16 } else { 0 },
            grade(left(at)) as u8 + if in_batch(at) { 16 } else { 0 },
            grade(age) as u8 + if past.used == 0 { 16 } else { 0 },
            end_grade(ranked[8][at] as usize, count) as u8,
            times[0][at].min(31) as u8,
            times[1][at].min(31) as u8,
            {
                // Age relative to the usual gap, in halves.
                let ratio = age as f32 / past.gap.max(0.5);
                if past.gap == 0.0 {
                    16
                } else {
                    grade((2.0 * ratio) as u64) as u8
                }
            },
        ];
        let mut row = [0.0; FEATURES];
        let mut next = 0;
        let mut put = |value: f32| {
            row[next] = value;
            next += 1;
        };
        let whole = (count as f32 - 1.0).max(1.0);
        for ranks in &ranked {
            let rank = ranks[at];
            put(rank / whole - 0.5);
            put(log(1.0 + rank) / 2.0);
            put(log(count as f32 - rank) / 2.0);
        }
        for deviations in &spread {
            put(deviations[at] / 2.0);
        }
        let flag = |is: bool| f32::from(u8::from(is));
        put(flag(past.used == 0));
        put(flag(in_batch(at)));
        put(flag(past.used > 0 && past.used + 1 == round));
        put(if in_batch(at) { log(past.streak as f32) } else { 0.0 });
        put(if in_batch(at) && past.usual_streak > 0.0 {
            log(past.streak as f32 / past.usual_streak).clamp(-2.0, 2.0)
        } else {
            0.0
        });
        let gap = past.gap.max(0.5);
        let known = flag(past.gap > 0.0);
        put(known * log((age as f32 + 1.0) / (gap + 1.0)).clamp(-3.0, 3.0));
        put(known * log(1.0 + (age as f32 - gap).abs()) / 2.0);
        put(known * log(gap) / 2.0);
        put(log(1.0 + age as f32) / 2.0);
        put(log(1.0 + left(at) as f32) / 2.0);
        put(log(1.0 + done(at) as f32) / 2.0);
        // Shared references with the batch, and how many others refer to its blocks.
        let blocks: Vec<usize> = state.shared_blocks(requests[at]).collect();
        let common = blocks.iter().filter(|&&block| of_batch(block)).count() as f32;
        put(common / (blocks.len() as f32).max(1.0));
        put(log(1.0 + blocks.iter().map(|&block| state.blocks[block].live as f32).sum::<f32>())
            / 2.0);
        put(blocks.len() as f32 / 2.0);
        // Neighbours in order of arrival.
        let near = |step: usize| {
            let before = at >= step && pasts[requests[at - step]].used == round;
            let after = at + step < count && pasts[requests[at + step]].used == round;
            (flag(before), flag(after))
        };
        for step in 1..=2 {
            let (before, after) = near(step);
            put(before);
            put(after);
        }
        let rate = |at: Option<usize>| {
            at.filter(|&at| at < count).map_or(0.0, |at| {
                let past = &pasts[requests[at]];
                log(past.rates[0] + 0.2)
            })
        };
        put((rate(at.checked_sub(1)) + rate(Some(at + 1))) / 4.0);
        // From the hand onwards, and from both ends of the batch.
        put(ahead as f32 / whole - 0.5);
        put(log(1.0 + ahead as f32) / 2.0);
        put(log((count - ahead) as f32) / 2.0);
        put(log(1.0 + ((at + count - highest) % count) as f32) / 2.0);
        put(log(1.0 + ((first + count - at) % count) as f32) / 2.0);
        // Activity, and how it compares with what was expected.
        for fade in 0..FADES.len() {
            put(log((past.rates[fade] + 0.5) / (past.expected[fade] + 0.5)));
        }
        put(log(past.rates[0] + 0.2) / 2.0);
        put(log(past.rates[2] + 0.2) / 2.0);
        let reputations = blocks.iter().map(|&block| {
            let [chosen, expected] = reputations[block];
            log((chosen + 1.0) / (expected + 1.0))
        });
        put(reputations.sum::<f32>() / blocks.len().max(1) as f32);
        // When a hand would come to it.
        for times in &times {
            put(log(times[at] as f32) / 2.0);
        }
        for (hazard, &key) in hazards.iter().zip(&key) {
            put(hazard.log(key.into()));
        }
        rows.push(row);
        keys.push(key);
    }
    Scene { requests, rows, keys }
}
