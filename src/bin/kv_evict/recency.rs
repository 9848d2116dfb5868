//! What to drop by last use alone, where time does not allow for better.
//!
//! Least recently used first, in two classes: idle blocks that no unfinished request refers to come
//! before everything else, since nothing that is known of will need them; then idle blocks and
//! running requests together. Victims are taken in this order until there is room. Then those that
//! turn out not to be needed are spared again, the most recently used first: a request that frees
//! many blocks makes the smaller victims before it superfluous. So nothing is dropped in vain, and
//! the plan ends with the action that makes the room suffice, as the rules demand.

use crate::state::{Action, Block, Request, State, Status};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};

/// What decides between victims, the first to go being the smallest: whether an unfinished request
/// refers to it, then the round of its last use.
type Age = (bool, u64);

/// Everything that could be dropped if no batch protected it, by age: idle blocks and running
/// requests.
///
/// Ages are far fewer than victims, which lie in one list an age: a change costs O(1) and O(log) of
/// the number of ages.
#[derive(Default)]
pub struct Recency {
    victims: BTreeMap<Age, Vec<Action>>,
    /// Where each block and each request is in its list.
    block_slots: Vec<usize>,
    request_slots: Vec<usize>,
}

impl Recency {
    /// The age of a block, if it is idle.
    pub fn of_block(block: &Block) -> Option<Age> {
        let idle = block.resident && block.active == 0;
        idle.then_some((block.live > 0, block.last_used))
    }

    /// The age of a request, if it is running.
    pub fn of_request(request: &Request) -> Option<Age> {
        (request.status == Status::Running).then_some((true, request.last_used))
    }

    /// Moves a victim from one age to another; `None` is for what cannot be dropped.
    pub fn replace(&mut self, victim: Action, before: Option<Age>, after: Option<Age>) {
        if before == after {
            return;
        }
        if let Some(age) = before {
            let slot = *self.slot(victim);
            let peers = self.victims.get_mut(&age).expect("a victim of this age");
            peers.swap_remove(slot);
            match peers.get(slot).copied() {
                Some(moved) => *self.slot(moved) = slot,
                None if peers.is_empty() => drop(self.victims.remove(&age)),
                None => {}
            }
        }
        if let Some(age) = after {
            let peers = self.victims.entry(age).or_default();
            peers.push(victim);
            let slot = peers.len() - 1;
            *self.slot(victim) = slot;
        }
    }

    fn slot(&mut self, victim: Action) -> &mut usize {
        let (slots, number) = match victim {
            Action::Evict(block) => (&mut self.block_slots, block),
            Action::Preempt(request) => (&mut self.request_slots, request),
        };
        if number >= slots.len() {
            slots.resize(number + 1, 0);
        }
        &mut slots[number]
    }

    /// Some victims from both ends of either class.
    pub fn some(&self, end: usize) -> Vec<Action> {
        let first_referred = (true, 0);
        let mut some = Vec::new();
        for class in [self.victims.range(..first_referred), self.victims.range(first_referred..)] {
            // An iterator that both ends draw on yields nothing twice.
            let mut class = class.flat_map(|(_, victims)| victims.iter().copied());
            some.extend(class.by_ref().take(end));
            some.extend(class.rev().take(end));
        }
        some
    }

    /// All victims with their ages, the first to go first.
    pub fn iter(&self) -> impl Iterator<Item = (Age, Action)> + '_ {
        let peers = self.victims.iter();
        peers.flat_map(|(&age, victims)| victims.iter().map(move |&victim| (age, victim)))
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
    let mut made_idle: BinaryHeap<Reverse<(Age, usize)>> = BinaryHeap::new();
    let mut listed = state.recency.iter().peekable();
    while freed < shortage {
        let listed_age = listed.peek().map(|&(age, _)| age);
        let idle_age = made_idle.peek().map(|&Reverse((age, _))| age);
        let is_listed = listed_age.is_some_and(|age| idle_age.is_none_or(|idle| age < idle));
        let next = if is_listed {
            listed.next().map(|(_, action)| action)
        } else {
            made_idle.pop().map(|Reverse((_, block))| Action::Evict(block))
        };
        let action = next.expect("a batch that fits can be made room for");
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
                        made_idle.push(Reverse(((live > 0, last_used), block)));
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
