//! The families of workloads by name, and which subtasks each is for.

use super::prompts::Sharing;
use super::scheduler::Kind;
use super::subtask::Subtask;

/// A kind of workload. What distinguishes its inputs from each other is drawn from their seeds.
#[derive(Debug, PartialEq)]
pub struct Family {
    /// As it appears in file names: lower-case letters, digits and underscores.
    pub name: &'static str,
    /// In a few words, for lists.
    pub about: &'static str,
    /// Set aside: no work on a policy looks at it before that work is finished.
    pub held_out: bool,
    pub(super) plan: Plan,
}

/// How the inputs of a family are made.
#[derive(Debug, PartialEq)]
pub(super) enum Plan {
    /// A scheduler over a queue of requests, for subtasks 3 to 7.
    Queue(Queue),
    /// The trace's arrivals under continuous batching, for subtasks 3 to 7.
    Trace,
    /// For subtasks 1 and 2.
    Tiny,
    /// For subtask 8.
    Pairs(super::small::Turn),
    /// For subtask 9.
    Lone,
    /// For subtask 10.
    Reads(super::small::Reading),
}

/// What a family fixes of a queue; what it leaves open is drawn for each input.
#[derive(Debug, PartialEq)]
pub(super) struct Queue {
    /// One of these schedules.
    pub(super) kinds: &'static [Kind],
    /// One of these ways to share blocks.
    pub(super) sharing: &'static [Sharing],
    /// Requests come in bursts after the load has fallen, instead of one for one.
    pub(super) bursts: bool,
    /// Share of requests several times as large and long as the others.
    pub(super) giants: f64,
    /// Chance of a CANCEL before a round, at least.
    pub(super) cancels: f64,
    /// Whether the family's idea lies in shared blocks, so that subtask 6 has no use for it.
    pub(super) shared: bool,
}

const ANY: &[Sharing] =
    &[Sharing::Pool, Sharing::Pool, Sharing::Popular, Sharing::Tree, Sharing::Own];
const SEVERAL: &[Kind] = &[
    Kind::RoundRobin,
    Kind::FirstCome,
    Kind::Uniform,
    Kind::Skewed,
    Kind::Sessions,
    Kind::Batching,
    Kind::Priority,
];
const PLAIN: Queue =
    Queue { kinds: &[], sharing: ANY, bursts: false, giants: 0.0, cancels: 0.0, shared: false };

const fn queue(name: &'static str, about: &'static str, queue: Queue) -> Family {
    Family { name, about, held_out: false, plan: Plan::Queue(queue) }
}

const fn by(name: &'static str, about: &'static str, kinds: &'static [Kind]) -> Family {
    queue(name, about, Queue { kinds, ..PLAIN })
}

const fn small(name: &'static str, about: &'static str, plan: Plan) -> Family {
    Family { name, about, held_out: false, plan }
}

/// All families, those for subtasks 3 to 7 first.
pub static FAMILIES: [Family; 32] = [
    by("rr", "round-robin with a quantum of tokens", &[Kind::RoundRobin]),
    queue(
        "fcfs",
        "first come, first served; arrivals in bursts",
        Queue { kinds: &[Kind::FirstCome], bursts: true, ..PLAIN },
    ),
    queue(
        "sessions",
        "a few tokens, then think time, over growing conversations",
        Queue {
            kinds: &[Kind::Sessions],
            sharing: &[Sharing::Session, Sharing::Session, Sharing::Pool],
            ..PLAIN
        },
    ),
    by("priority", "classes of urgency, aging with the wait", &[Kind::Priority]),
    by("srpt", "shortest remaining first", &[Kind::Shortest]),
    by("lrpt", "longest remaining first", &[Kind::Longest]),
    by("edf", "earliest deadline first", &[Kind::Deadline]),
    by("mlfq", "multi-level feedback: fewest tokens first, by tiers", &[Kind::Feedback]),
    by("groups", "gangs that are decoded together", &[Kind::Groups]),
    by("lifo", "last come, first served", &[Kind::LastCome]),
    by("iid", "anybody, all alike", &[Kind::Uniform]),
    by("skewed", "anybody, some far more often than others", &[Kind::Skewed]),
    by("drift", "a hot set that drifts", &[Kind::Drifting]),
    queue(
        "longrare",
        "rare long requests among many short ones, several schedulers",
        Queue { kinds: SEVERAL, giants: 0.12, ..PLAIN },
    ),
    queue(
        "cancel",
        "many cancellations, several schedulers",
        Queue { kinds: SEVERAL, cancels: 0.08, ..PLAIN },
    ),
    queue(
        "hotprefix",
        "whole prompts shared by popularity, several schedulers",
        Queue { kinds: SEVERAL, sharing: &[Sharing::Prompts], shared: true, ..PLAIN },
    ),
    queue(
        "tree",
        "paths of a tree of prompts, several schedulers",
        Queue { kinds: SEVERAL, sharing: &[Sharing::Tree], shared: true, ..PLAIN },
    ),
    by("stride", "a hand that moves over the requests by strides", &[Kind::Stride]),
    by("zigzag", "a hand that moves to and fro over the requests", &[Kind::Zigzag]),
    by("phase", "schedulers that change at unknown times", &[Kind::Phases]),
    by("batching", "continuous batching with slots and take-overs", &[Kind::Batching]),
    Family {
        name: "mooncake",
        about: "arrivals, lengths and shared prompts of a production trace, continuous batching",
        held_out: false,
        plan: Plan::Trace,
    },
    Family {
        name: "fair",
        about: "tenants by the fewest tokens had",
        held_out: true,
        plan: Plan::Queue(Queue { kinds: &[Kind::Tenants], ..PLAIN }),
    },
    Family {
        name: "agents",
        about: "calls within calls: the newest of each group first",
        held_out: true,
        plan: Plan::Queue(Queue {
            kinds: &[Kind::Agents],
            sharing: &[Sharing::Session, Sharing::Tree],
            ..PLAIN
        }),
    },
    small("tiny", "seven commands", Plan::Tiny),
    small("fifo", "two tokens each, in turns", Plan::Pairs(super::small::Turn::Oldest)),
    small("newest", "two tokens each, mostly the newest", Plan::Pairs(super::small::Turn::Newest)),
    small("rand", "two tokens each, anybody", Plan::Pairs(super::small::Turn::Any)),
    small("one", "one request among blocks that come and go", Plan::Lone),
    small("unif", "one token each, any blocks", Plan::Reads(super::small::Reading::Uniform)),
    small("zipf", "one token each, popular blocks", Plan::Reads(super::small::Reading::Zipf)),
    small("scan", "one token each, blocks in a circle", Plan::Reads(super::small::Reading::Scan)),
];

impl Family {
    /// The family of this name.
    pub fn named(name: &str) -> Option<&'static Family> {
        FAMILIES.iter().find(|family| family.name == name)
    }

    /// Whether it has inputs for this subtask.
    pub fn serves(&self, subtask: Subtask) -> bool {
        let number = subtask.number();
        match &self.plan {
            Plan::Queue(queue) => (3..=7).contains(&number) && !(queue.shared && number == 6),
            Plan::Trace => (3..=7).contains(&number),
            Plan::Tiny => number <= 2,
            Plan::Pairs(_) => number == 8,
            Plan::Lone => number == 9,
            Plan::Reads(_) => number == 10,
        }
    }
}
