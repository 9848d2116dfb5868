//! Inputs at the statement's limits, for time, memory and 64-bit totals.

use super::command::{BlockId, Command, RequestId, IDS, MAX_TOKENS};
use super::input::Input;
use rand::seq::{index, SliceRandom};
use rand::{Rng, RngExt};

/// What reaches its limit. All four have q = 2·10^5 and the sum of n at or just below 2·10^5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limits {
    /// Two rounds of n = 10^5 without shared blocks, in a GPU that they fill.
    Full,
    /// Four rounds of n = 5·10^4 of two halves that push each other out; 3·10^5 references.
    Halves,
    /// 10^5 small rounds on a GPU of 64 blocks: nearly every round empties a good part of it.
    /// 3·10^5 references.
    Churn,
    /// As many rounds on a GPU of 2·10^4 blocks under pressure: many candidates, few victims.
    /// 3·10^5 references.
    Wide,
}

impl Limits {
    pub const ALL: [Limits; 4] = [Limits::Full, Limits::Halves, Limits::Churn, Limits::Wide];
}

/// The statement's limits on q, on the blocks and on the requests.
const Q: usize = 200_000;
const EACH: usize = 100_000;
/// Tokens a block.
const S: u64 = 16;

/// A legal input at the limits. About 10 MB of text at most.
pub fn limits(rng: &mut impl Rng, limits: Limits) -> Input {
    match limits {
        Limits::Full => full(rng),
        Limits::Halves => halves(rng),
        Limits::Churn => churn(rng, 64, 200),
        Limits::Wide => churn(rng, 20_000, 3_000),
    }
}

fn full(rng: &mut impl Rng) -> Input {
    let mut requests = ids(rng, EACH, RequestId);
    let mut commands: Vec<Command> =
        ids(rng, Q - EACH - 2, BlockId).into_iter().map(Command::CreateBlock).collect();
    for &id in &requests {
        let (blocks, p, m) = (Vec::new(), rng.random_range(0..=S - 2), 2);
        commands.push(Command::Add { id, blocks, p, m });
    }
    for _ in 0..2 {
        requests.shuffle(rng);
        commands.push(Command::Decode(requests.clone()));
    }
    input(EACH as u64, commands)
}

fn halves(rng: &mut impl Rng) -> Input {
    const K: usize = 3;
    let requests = ids(rng, EACH, RequestId);
    let blocks = ids(rng, EACH / 2, BlockId);
    let mut commands: Vec<Command> = blocks.iter().copied().map(Command::CreateBlock).collect();
    for &id in &requests {
        let (p, m) = (K as u64 * S + rng.random_range(1..=S - 2), 2);
        let blocks = some(rng, &blocks, K);
        commands.push(Command::Add { id, blocks, p, m });
    }
    for round in 0..4 {
        let (first, second) = requests.split_at(EACH / 2);
        let mut half = [first, second][round % 2].to_vec();
        half.shuffle(rng);
        commands.push(Command::Decode(half));
    }
    commands.extend(blocks.into_iter().map(Command::DropBlock));
    commands.truncate(Q);
    input(EACH as u64, commands)
}

/// Requests of up to 20 blocks, `window` of them open at a time, in a GPU of `c` blocks, 64 or
/// more.
fn churn(rng: &mut impl Rng, c: u64, window: usize) -> Input {
    // References 3·10^5, the sum of n 1.95·10^5 give or take 10^3, about 1.2·10^5 rounds.
    const REQUESTS: usize = 30_000;
    const K: usize = 10;
    const TOKENS: u64 = 12;
    const PRIVATE: u64 = 10 * S - TOKENS;
    const GIANTS: usize = 300;

    let blocks = ids(rng, REQUESTS, BlockId);
    let mut unseen = ids(rng, REQUESTS + GIANTS, RequestId);
    let giants = unseen.split_off(REQUESTS);
    let mut commands: Vec<Command> = blocks.iter().copied().map(Command::CreateBlock).collect();
    for &id in &giants {
        let (blocks, p, m) = (Vec::new(), MAX_TOKENS, MAX_TOKENS);
        commands.push(Command::Add { id, blocks, p, m });
    }
    // Open requests with the tokens they still have to generate.
    let mut open: Vec<(RequestId, u64)> = Vec::new();
    loop {
        while open.len() < window && !unseen.is_empty() {
            let id = unseen.pop().expect("not empty");
            let m = rng.random_range(1..=TOKENS);
            let p = K as u64 * S + rng.random_range(0..=PRIVATE);
            let blocks = some(rng, &blocks, K);
            commands.push(Command::Add { id, blocks, p, m });
            open.push((id, m));
        }
        if open.is_empty() {
            break;
        }
        let n = if rng.random_bool(0.4) { 1 } else { 2 };
        let batch = index::sample(rng, open.len(), n.min(open.len())).into_vec();
        commands.push(Command::Decode(batch.iter().map(|&at| open[at].0).collect()));
        for at in batch {
            open[at].1 -= 1;
        }
        open.retain(|&(_, left)| left > 0);
    }
    commands.extend(giants.into_iter().map(Command::Cancel));
    assert!(commands.len() <= Q, "{} commands", commands.len());
    commands.extend(blocks.into_iter().map(Command::DropBlock));
    commands.truncate(Q);
    input(c, commands)
}

fn input(c: u64, commands: Vec<Command>) -> Input {
    Input { s: S, c, commands }
}

/// Distinct random ids.
fn ids<T>(rng: &mut impl Rng, count: usize, id: fn(u32) -> T) -> Vec<T> {
    let all = index::sample(rng, *IDS.end() as usize, count).into_iter();
    all.map(|index| id(index as u32 + *IDS.start())).collect()
}

/// `k` distinct ones of `blocks`.
fn some(rng: &mut impl Rng, blocks: &[BlockId], k: usize) -> Vec<BlockId> {
    index::sample(rng, blocks.len(), k).into_iter().map(|at| blocks[at]).collect()
}
