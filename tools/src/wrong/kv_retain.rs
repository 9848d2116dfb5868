//! Wrong solvers of problem 1.

use super::Wrong;
use crate::text::Tokens;
use std::cmp::Ordering;

/// One of each mistake.
pub const ALL: [Wrong; 7] = [
    ("ties go to the later entry", |input| {
        answer(input, 0, |x, y| y.0.total_cmp(&x.0).then(y.1.cmp(&x.1)), true)
    }),
    ("ties go to the lower position of any head", |input| {
        answer(input, 0, |x, y| y.0.total_cmp(&x.0).then((x.1 .2, x.1).cmp(&(y.1 .2, y.1))), true)
    }),
    ("the current position is ranked with the others", |input| answer(input, 0, by_score, false)),
    ("the places of the current positions are not taken from the budget", |input| {
        answer(input, 1, by_score, true)
    }),
    ("low scores are kept", |input| {
        answer(input, 0, |x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)), true)
    }),
    ("scores are compared in single precision", |input| {
        answer(input, 0, |x, y| (y.0 as f32).total_cmp(&(x.0 as f32)).then(x.1.cmp(&y.1)), true)
    }),
    ("minus zero is below zero", |input| {
        answer(input, 0, |x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)), true)
    }),
];

/// A score and its layer, head and position.
type Entry = (f64, (usize, usize, usize));

fn by_score(x: &Entry, y: &Entry) -> Ordering {
    (y.0 + 0.0).total_cmp(&(x.0 + 0.0)).then(x.1.cmp(&y.1))
}

/// The answer with `extra` times too many places, in some order, with the current position left
/// out of the ranking or not.
fn answer(
    input: &str,
    extra: usize,
    order: fn(&Entry, &Entry) -> Ordering,
    leave_out: bool,
) -> String {
    let mut tokens = Tokens::new(input.as_bytes());
    let [layers, heads, positions, budget] = [0; 4].map(|_| tokens.next(|_: &usize| true).unwrap());
    let mut entries: Vec<Entry> = Vec::new();
    for layer in 0..layers {
        for head in 0..heads {
            for position in 0..positions {
                entries.push((tokens.next(|_| true).unwrap(), (layer, head, position)));
            }
        }
    }
    let current: usize = tokens.next(|_| true).unwrap();
    entries.retain(|entry| !leave_out || entry.1 .2 != current);
    entries.sort_by(order);
    entries.truncate(budget - layers * heads * (1 - extra));
    let field = |layer, head| {
        let of_head = entries.iter().filter(|entry| (entry.1 .0, entry.1 .1) == (layer, head));
        let mut kept: Vec<_> = of_head.map(|entry| entry.1 .2).chain([current]).collect();
        kept.sort_unstable();
        kept.dedup();
        kept.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
    };
    let line = |layer| (0..heads).map(|head| field(layer, head)).collect::<Vec<_>>().join(" ");
    (0..layers).map(|layer| line(layer) + "\n").collect()
}
