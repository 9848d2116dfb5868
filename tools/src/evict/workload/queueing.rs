//! Inputs of subtasks 3 to 7: requests arrive, a scheduler decodes them, some give up.

use super::family::Queue;
use super::mooncake::{self, MEAN_INPUT, MEAN_OUTPUT};
use super::prompts::Prompts;
use super::scheduler::{Kind, Scheduler};
use super::setting::Setting;
use super::stage::{Demand, Stage};
use crate::evict::{BlockId, Input};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::RngExt;
use std::collections::HashMap;

/// Open requests at most, however small they are.
const CROWD: usize = 72;

/// A scheduler of one of the queue's kinds over requests that keep the load up.
pub(super) fn queued(rng: &mut StdRng, mut setting: Setting, queue: &Queue) -> Input {
    setting.giants = queue.giants;
    setting.cancels = setting.cancels.max(queue.cancels);
    let kind = *queue.kinds.choose(rng).expect("a kind");
    let sharing = *queue.sharing.choose(rng).expect("a way to share");
    let mut scheduler = kind.make(rng);
    let mut stage = Stage::new(rng, setting.s, setting.c, setting.q);
    let mut prompts = Prompts::new(rng, &mut stage, &setting, sharing);
    let gang = rng.random_range(2..=5);
    let mut filling = true;
    while stage.room() > 2 {
        // In bursts the load falls to three fifths before anybody comes, and then overshoots.
        let (low, high) = if queue.bursts { (60, 110) } else { (100, 100) };
        let load = stage.working_set() * 100;
        filling = load < setting.load * if filling { high } else { low };
        let closed = stage.room() < setting.last_call;
        if closed && stage.open.is_empty() {
            break;
        }
        let most = if closed { 0 } else { setting.load * high / 100 };
        while stage.open.is_empty() || filling && wants_more(&stage, most) {
            let group = stage.arrivals / gang + usize::from(rng.random_bool(0.2));
            let blocks = prompts.choose(rng, &mut stage, &setting, group);
            let (private, m) = setting.size(rng);
            stage.add(rng, Demand { blocks, private, m, group });
        }
        round(rng, &mut stage, &setting, scheduler.as_mut());
    }
    stage.finish(rng)
}

/// Whether another request may come: commands and GPU allow it, and the load is below `most`.
fn wants_more(stage: &Stage, most: u64) -> bool {
    stage.working_set() < most && stage.open.len() < CROWD && stage.room() > 8
}

/// A round with what precedes it: a CANCEL perhaps, and DROPs of what nobody refers to.
fn round(rng: &mut StdRng, stage: &mut Stage, setting: &Setting, scheduler: &mut dyn Scheduler) {
    if stage.open.len() > 2 && rng.random_bool(setting.cancels) {
        let at = rng.random_range(0..stage.open.len());
        stage.cancel(at);
    }
    stage.drop_unused(rng, 0.2);
    let n = setting.batch_size(rng);
    let mut batch = scheduler.batch(rng, stage, n);
    for slot in 0..batch.len() {
        let anybody = rng.random_range(0..stage.open.len());
        if setting.noise > 0.0 && rng.random_bool(setting.noise) && !batch.contains(&anybody) {
            batch[slot] = anybody;
        }
    }
    let decoded = stage.decode(&batch);
    scheduler.decoded(rng, &decoded);
}

/// A window of the trace: its order, bursts, relative lengths and common beginnings. A shared
/// block stands for several of the trace, so that a few of them reach as far into the prompt as
/// the limits allow.
pub(super) fn traced(rng: &mut StdRng, setting: &Setting) -> Input {
    let requests = mooncake::slice();
    let first = rng.random_range(0..requests.len() - 500);
    let coarse = rng.random_range(2..=8);
    // Milliseconds that pass in a round.
    let tick = rng.random_range(200..=1500);
    let mut scheduler = Kind::Batching.make(rng);
    let mut stage = Stage::new(rng, setting.s, setting.c, setting.q);
    let mut known: HashMap<u32, BlockId> = HashMap::new();
    let mut coming = requests[first..].iter().cycle().peekable();
    let mut now = requests[first].at;
    while stage.room() > 2 {
        let closed = stage.room() < setting.last_call;
        if closed && stage.open.is_empty() {
            break;
        }
        while stage.room() > 8 && !closed {
            let next = coming.peek().expect("an endless cycle");
            // The load decides in the long run, the trace's bursts in the short.
            let wanted = next.at <= now && wants_more(&stage, setting.load * 5 / 4);
            if !stage.open.is_empty() && !wanted {
                break;
            }
            // A lull ends where the load has fallen far.
            now = now.max(next.at);
            let traced = coming.next().expect("an endless cycle");
            let mut blocks = Vec::new();
            for id in traced.blocks.iter().step_by(coarse).take(setting.k.1) {
                let gone = known.get(id).is_none_or(|&block| !stage.exists(block));
                if gone && stage.room() > 8 {
                    let leaving = rng.random_bool(0.8);
                    known.insert(*id, stage.create(rng, leaving));
                }
                blocks.extend(known.get(id).filter(|&&block| stage.exists(block)));
            }
            let input = traced.input * 1000 / MEAN_INPUT;
            let output = traced.output * 1000 / MEAN_OUTPUT;
            let (private, m) = setting.scaled(input.min(4000), output.min(6000));
            stage.add(rng, Demand { blocks, private, m, group: 0 });
        }
        round(rng, &mut stage, setting, scheduler.as_mut());
        now += tick;
        if stage.working_set() * 4 < setting.load * 3 {
            now = now.max(coming.peek().expect("an endless cycle").at);
        }
    }
    stage.finish(rng)
}
