//! A lower bound on T: the unit-block relaxation.

use super::command::Command;
use super::future::Future;
use super::input::Input;
use super::rules::{Broken, Rules};
use std::collections::BTreeMap;

/// No plans give a smaller T than this.
///
/// A block that stays in the GPU from one use to the next saves one unit of time, and occupies a
/// block in every round between. The relaxation lets each block stay or go by itself: a request's
/// private blocks one by one, a shared block whoever refers to it. What is left is to keep as many
/// intervals between uses as possible such that no round holds more of them than its batch leaves
/// room for. At every round that is too full, as few as needed go, those that end last: any other
/// choice could be exchanged for this one without a loss.
///
/// O(rounds + uses · log uses), where a use is a request or a reference in a batch.
///
/// # Errors
/// The first promise that the input breaks.
pub fn bound(input: &Input) -> Result<u64, Broken> {
    let future = Future::of(input)?;
    let mut rules = Rules::unbounded(input.s, input.c);
    // Blocks kept for the round that uses them next.
    let mut kept: BTreeMap<u32, u64> = BTreeMap::new();
    let (mut count, mut time, mut round) = (0, 0, 0);
    for command in &input.commands {
        let Command::Decode(ids) = command else {
            rules.apply(command)?;
            continue;
        };
        let batch = rules.batch(ids)?;
        let requests = batch.requests.clone();
        // An endless GPU loses nothing: what it loads is used for the first time.
        time += 1 + batch.absent.len() as u64 + batch.allocations;
        let mut blocks = Vec::new();
        let mut occupied = 0;
        for &ix in &requests {
            blocks.extend_from_slice(&rules.request(ix).blocks);
            occupied += rules.request(ix).private_blocks_after_token();
        }
        blocks.sort_unstable();
        blocks.dedup();
        occupied += blocks.len() as u64;

        count -= kept.remove(&round).unwrap_or(0);
        let room = input.c - occupied;
        while count > room {
            let mut last = kept.last_entry().expect("as many as are counted");
            let gone = (*last.get()).min(count - room);
            *last.get_mut() -= gone;
            if *last.get() == 0 {
                last.remove();
            }
            count -= gone;
            time += gone;
        }

        rules.generate(batch).expect("an endless GPU");
        round += 1;
        let of_requests = requests.iter().map(|&ix| {
            // What has just finished has no next use.
            (future.request(ix, round), rules.request(ix).private_blocks())
        });
        let of_blocks = blocks.iter().map(|&ix| (future.block(ix, round), 1));
        for (until, size) in of_requests.chain(of_blocks) {
            if let (Some(until), 1..) = (until, size) {
                *kept.entry(until).or_default() += size;
                count += size;
            }
        }
    }
    Ok(time)
}
