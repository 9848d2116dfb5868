//! What to drop when space is short.
//!
//! Least recently used first, in two classes: idle blocks that no unfinished request refers to come
//! before everything else, since nothing that is known of will need them; then idle blocks and
//! running requests together. Victims are taken in this order until there is room. Then those that
//! turn out not to be needed are spared again, the most recently used first: a request that frees
//! many blocks makes the smaller victims before it superfluous. So nothing is dropped in vain, and
//! the plan ends with the action that makes the room suffice, as the rules demand.

use crate::state::{Action, Block, Request, State, Status};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Where a victim stands in the order of dropping, the first to go being the smallest: whether an
/// unfinished request refers to it, then the round of its last use. The action breaks ties: oldest
/// numbers first, and requests before blocks, which they may make idle.
type Place = (bool, u64, Action);

/// Everything that could be dropped if no batch protected it, in order: idle blocks and running
/// requests. A change costs O(log).
#[derive(Default)]
pub struct Recency {
    order: BTreeSet<Place>,
}

impl Recency {
    /// The place of a block, if it is idle.
    pub fn of_block(number: usize, block: &Block) -> Option<Place> {
        let idle = block.resident && block.active == 0;
        idle.then_some((block.live > 0, block.last_used, Action::Evict(number)))
    }

    /// The place of a request, if it is running.
    pub fn of_request(number: usize, request: &Request) -> Option<Place> {
        let running = request.status == Status::Running;
        running.then_some((true, request.last_used, Action::Preempt(number)))
    }

    /// Moves a victim from one place to another.
    pub fn replace(&mut self, before: Option<Place>, after: Option<Place>) {
        if before != after {
            before.map(|place| self.order.remove(&place));
            after.map(|place| self.order.insert(place));
        }
    }
}

/// Something taken into the plan.
struct Victim {
    action: Action,
    /// Blocks that it frees.
    frees: u64,
    /// A block that only requests of the plan use.
    made_idle: bool,
}

/// A legal plan that makes room for the batch.
pub fn plan(state: &State, batch: &[usize]) -> Vec<Action> {
    let need = state.need(batch);
    if need <= state.free {
        return Vec::new();
    }
    spare(state, candidates(state, need - state.free), need - state.free)
}

/// The first victims in order that together free `shortage` blocks.
fn candidates(state: &State, shortage: u64) -> Vec<Victim> {
    let mut victims: Vec<Victim> = Vec::new();
    let mut freed = 0;
    // How many victims run on a block, and the blocks on which nobody else does.
    let mut users: HashMap<usize, u32> = HashMap::new();
    let mut made_idle: BTreeSet<Place> = BTreeSet::new();
    let mut order = state.recency.order.iter().copied().peekable();
    while freed < shortage {
        let next = match (order.peek(), made_idle.first()) {
            (Some(listed), Some(idle)) if idle < listed => made_idle.pop_first(),
            (None, _) => made_idle.pop_first(),
            _ => order.next(),
        };
        let (_, _, action) = next.expect("a batch that fits can be made room for");
        if state.is_protected(action) {
            continue;
        }
        let (frees, made_idle) = match action {
            Action::Evict(block) => (1, state.blocks[block].active > 0),
            Action::Preempt(request) => {
                for block in state.shared_blocks(request) {
                    let users = users.entry(block).or_default();
                    *users += 1;
                    let Block { active, live, last_used, .. } = state.blocks[block];
                    if *users == active {
                        made_idle.insert((live > 0, last_used, Action::Evict(block)));
                    }
                }
                (state.private_blocks(request), false)
            }
        };
        freed += frees;
        victims.push(Victim { action, frees, made_idle });
    }
    victims
}

/// The actions of the victims that are needed to free `shortage` blocks. Without any one of them
/// too few would be freed, so the last is the one that makes them suffice.
fn spare(state: &State, mut victims: Vec<Victim>, shortage: u64) -> Vec<Action> {
    let mut surplus = victims.iter().map(|victim| victim.frees).sum::<u64>() - shortage;
    // Blocks that need all their users to be preempted; they come after these.
    let mut dependents: HashSet<usize> = HashSet::new();
    let mut actions = Vec::new();
    while let Some(Victim { action, frees, made_idle }) = victims.pop() {
        let is_needed = match action {
            Action::Preempt(request) if !dependents.is_empty() => {
                state.shared_blocks(request).any(|block| dependents.contains(&block))
            }
            _ => false,
        };
        if frees <= surplus && !is_needed {
            surplus -= frees;
            continue;
        }
        if let (Action::Evict(block), true) = (action, made_idle) {
            dependents.insert(block);
        }
        actions.push(action);
    }
    actions.reverse();
    actions
}
