//! Wrong solvers of problem 1.

use super::Wrong;
use crate::text::Tokens;
use std::cmp::Ordering;

/// One of each mistake.
pub const ALL: [Wrong; 7] = [
    ("ties go to the later entry", |input| {
        answer(input, &Ranking { order: |x, y| descending(x.0, y.0).then(y.1.cmp(&x.1)), ..RIGHT })
    }),
    ("ties go to the lower position of any head", |input| {
        let order =
            |x: &Entry, y: &Entry| descending(x.0, y.0).then((x.1 .2, x.1).cmp(&(y.1 .2, y.1)));
        answer(input, &Ranking { order, ..RIGHT })
    }),
    ("the current position is ranked with the others", |input| {
        answer(input, &Ranking { ranks_current: true, ..RIGHT })
    }),
    ("the places of the current positions are not taken from the budget", |input| {
        answer(input, &Ranking { forgets_current: true, ..RIGHT })
    }),
    ("low scores are kept", |input| {
        answer(input, &Ranking { order: |x, y| descending(y.0, x.0).then(x.1.cmp(&y.1)), ..RIGHT })
    }),
    ("scores are compared in single precision", |input| {
        let order = |x: &Entry, y: &Entry| {
            descending((x.0 as f32).into(), (y.0 as f32).into()).then(x.1.cmp(&y.1))
        };
        answer(input, &Ranking { order, ..RIGHT })
    }),
    ("minus zero is below zero", |input| {
        answer(input, &Ranking { order: |x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)), ..RIGHT })
    }),
];

/// A ranking by its parts.
struct Ranking {
    order: fn(&Entry, &Entry) -> Ordering,
    ranks_current: bool,
    forgets_current: bool,
}

const RIGHT: Ranking = Ranking {
    order: |x, y| descending(x.0, y.0).then(x.1.cmp(&y.1)),
    ranks_current: false,
    forgets_current: false,
};

/// The answer without a mistake.
pub fn right(input: &str) -> String {
    answer(input, &RIGHT)
}

/// Scores from high to low; zero has no sign.
fn descending(x: f64, y: f64) -> Ordering {
    (y + 0.0).total_cmp(&(x + 0.0))
}

/// A score and its layer, head and position.
type Entry = (f64, (usize, usize, usize));

fn answer(input: &str, ranking: &Ranking) -> String {
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
    entries.retain(|entry| ranking.ranks_current || entry.1 .2 != current);
    entries.sort_by(ranking.order);
    let reserved = if ranking.forgets_current { 0 } else { layers * heads };
    entries.truncate(budget - reserved);
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
