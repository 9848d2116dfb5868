//! Inputs of the subtasks whose limits leave little choice: 1, 2, 8, 9 and 10.

use super::setting::LEVELS;
use super::stage::{Demand, Stage};
use crate::evict::{BlockId, Command, Input, RequestId};
use rand::rngs::StdRng;
use rand::seq::{index, SliceRandom};
use rand::RngExt;

/// Seven commands on seven blocks of one token: two or three requests that are decoded or
/// cancelled in any order.
pub(super) fn tiny(rng: &mut StdRng) -> Input {
    const Q: usize = 7;
    const C: u64 = 7;
    loop {
        let mut commands = Vec::new();
        // Private tokens and tokens left of whoever is open.
        let mut open: Vec<(RequestId, u64, u64)> = Vec::new();
        let mut finished = false;
        let requests = rng.random_range(2..=3);
        for number in 0..requests {
            let id = RequestId(number + 1);
            let (p, m) = (rng.random_range(0..=4), rng.random_range(1..=3));
            commands.push(Command::Add { id, blocks: Vec::new(), p, m });
            open.push((id, p, m));
        }
        while commands.len() < Q && !open.is_empty() {
            if rng.random_bool(0.1) || Q - commands.len() == 1 && open.len() == 1 && open[0].2 > 1 {
                let at = rng.random_range(0..open.len());
                commands.push(Command::Cancel(open.swap_remove(at).0));
                continue;
            }
            let n = rng.random_range(1..=open.len().min(2));
            let batch = index::sample(rng, open.len(), n).into_vec();
            let tokens: u64 = batch.iter().map(|&at| open[at].1 + 1).sum();
            if tokens > C {
                continue;
            }
            commands.push(Command::Decode(batch.iter().map(|&at| open[at].0).collect()));
            for at in batch {
                open[at].1 += 1;
                open[at].2 -= 1;
            }
            finished |= open.iter().any(|request| request.2 == 0);
            open.retain(|request| request.2 > 0);
        }
        if commands.len() == Q && open.is_empty() && finished {
            return Input { s: 1, c: C, commands };
        }
    }
}

/// In which order the two tokens of the many small requests of subtask 8 are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Oldest,
    Newest,
    Any,
}

/// Requests without input and of one or two tokens, a window of them open at a time: only a
/// preempted one with a token ever costs anything.
pub(super) fn pairs(rng: &mut StdRng, level: u8, turn: Turn) -> Input {
    let c = [16, 100, 200][usize::from(level)];
    let q = [2_000, 8_000, 20_000][usize::from(level)];
    let s = rng.random_range(1..=3);
    let mut stage = Stage::new(rng, s, c, q);
    let window = (c * rng.random_range(60..=200) / 100) as usize;
    let cancels = 0.01;
    while stage.room() > 2 {
        while stage.open.len() < window && stage.room() > 2 {
            let m = rng.random_range(1..=2);
            stage.add(rng, Demand { blocks: Vec::new(), private: 0, m, group: 0 });
        }
        if rng.random_bool(cancels) && stage.open.len() > 1 {
            let at = rng.random_range(0..stage.open.len());
            stage.cancel(at);
        }
        let (n, count) = (rng.random_range(1..=3), stage.open.len());
        let batch: Vec<usize> = match turn {
            Turn::Oldest => {
                // The queue is that of least recent service.
                let mut places: Vec<usize> = (0..count).collect();
                places.sort_by_key(|&at| stage.open[at].used.max(stage.open[at].since));
                places.into_iter().take(n).collect()
            }
            Turn::Newest => {
                // Half of the time somebody who has just come.
                let newest = count - 1 - rng.random_range(0..count.min(4));
                (0..=newest).rev().take(n).collect()
            }
            Turn::Any => index::sample(rng, count, n.min(count)).into_vec(),
        };
        stage.decode(&batch);
    }
    stage.finish(rng)
}

/// One request with thirty shared blocks among many blocks that come and go.
pub(super) fn lone(rng: &mut StdRng, level: u8) -> Input {
    const K: usize = 30;
    const S: u64 = 16;
    let q = [300, 5_000, 50_000][usize::from(level)];
    let c = [100_000, 1_000, 20_000][usize::from(level)];
    let rounds = q * 4 / 9;
    let mut stage = Stage::new(rng, S, c, q);
    let mut blocks: Vec<BlockId> = (0..K).map(|_| stage.create(rng, false)).collect();
    blocks.shuffle(rng);
    let private = rng.random_range(0..=520);
    stage.add(rng, Demand { blocks, private, m: rounds as u64, group: 0 });
    while let Some(request) = stage.open.first() {
        let due = request.left() as usize;
        if stage.room() > due + K && rng.random_bool(0.7) {
            stage.create(rng, true);
        }
        if stage.room() > due + K {
            stage.drop_unused(rng, 0.5);
        }
        stage.decode(&[0]);
    }
    stage.finish(rng)
}

/// Which blocks the short requests of subtask 10 refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Any, all alike.
    Uniform,
    /// The r-th in proportion to 1/r.
    Zipf,
    /// The ones after those of the request before.
    Scan,
}

/// Requests of one token over a pool of blocks that is larger than the GPU.
pub(super) fn reads(rng: &mut StdRng, level: u8, reading: Reading) -> Input {
    let level = usize::from(level.min(LEVELS - 1));
    let (q, pool) = ([1_500, 6_000, 20_000][level], [120, 240, 600][level]);
    let most_k = [8, 12, 20][level];
    let s = rng.random_range(4..=16);
    let c = (pool * rng.random_range(60..=85) / 100) as u64;
    let mut stage = Stage::new(rng, s, c, q);
    let blocks: Vec<BlockId> = (0..pool).map(|_| stage.create(rng, false)).collect();
    let unit = 1u64 << 24;
    let sums: Vec<u64> = (1..=pool as u64)
        .scan(0, |sum, rank| {
            *sum += unit / rank;
            Some(*sum)
        })
        .collect();
    let window = rng.random_range(10..=30);
    let mut hand = 0;
    // References are limited in sum.
    let mut references = 290_000;
    while stage.room() > 2 {
        while stage.open.len() < window && stage.room() > 2 {
            let k = rng.random_range(1..=most_k).min(references);
            references -= k;
            let mut chosen: Vec<usize> = Vec::new();
            while chosen.len() < k {
                let at = match reading {
                    Reading::Uniform => rng.random_range(0..pool),
                    Reading::Zipf => {
                        let drawn = rng.random_range(0..sums[pool - 1]);
                        sums.partition_point(|&sum| sum <= drawn)
                    }
                    Reading::Scan => {
                        hand = (hand + 1) % pool;
                        hand
                    }
                };
                if !chosen.contains(&at) {
                    chosen.push(at);
                }
            }
            let demand = Demand {
                blocks: chosen.into_iter().map(|at| blocks[at]).collect(),
                private: rng.random_range(0..=3 * s),
                m: 1,
                group: 0,
            };
            stage.add(rng, demand);
        }
        if rng.random_bool(0.01) && stage.open.len() > 1 {
            let at = rng.random_range(0..stage.open.len());
            stage.cancel(at);
        }
        let (n, count) = (rng.random_range(1..=3), stage.open.len());
        let batch = index::sample(rng, count, n.min(count)).into_vec();
        stage.decode(&batch);
    }
    stage.finish(rng)
}
