//! Follow the leader: the simple predictor whose past decisions have cost least.

use super::fixed::View;
use super::history::History;
use super::victims::{minimal, plan, Rank, Victim};
use crate::evict::{Action, Batch, Command, Policy, RequestId, RequestIx, Round, Rules};

/// When a request may be decoded next, in any unit: smaller is sooner.
type Predictor = fn(&View, RequestIx) -> f64;

/// Simple guesses at what schedulers do, in pairs of opposites mostly.
const PREDICTORS: [Predictor; 14] = [
    // Who was decoded last is decoded next; who has waited longest.
    |view, ix| -(view.history.request(ix).used as f64),
    |view, ix| view.history.request(ix).used as f64,
    // First or last come, first served.
    |view, ix| f64::from(ix.0) + view.history.request(ix).added as f64,
    |view, ix| -(f64::from(ix.0) + view.history.request(ix).added as f64),
    // Shortest or longest remaining first.
    |view, ix| left(view, ix),
    |view, ix| -left(view, ix),
    // Fewest or most tokens first.
    |view, ix| view.rules.request(ix).g as f64,
    |view, ix| -(view.rules.request(ix).g as f64),
    // Least or most of its work done first.
    |view, ix| progress(view, ix),
    |view, ix| -progress(view, ix),
    // The usual gap after the last time.
    |view, ix| {
        let (past, g) = (view.history.request(ix), view.rules.request(ix).g as f64);
        let used = past.used.max(past.added);
        used as f64 + (used - past.added) as f64 / g.max(1.0)
    },
    // Who was decoded often lately.
    |view, ix| -view.history.rate(ix),
    // Small or large ones first.
    |view, ix| view.rules.request(ix).private_tokens() as f64,
    |view, ix| -(view.rules.request(ix).private_tokens() as f64),
];

fn left(view: &View, ix: RequestIx) -> f64 {
    let request = view.rules.request(ix);
    (request.m - request.g) as f64
}

fn progress(view: &View, ix: RequestIx) -> f64 {
    let request = view.rules.request(ix);
    request.g as f64 / request.m as f64
}

/// The plan that a predictor leads to: blocks nobody waits for by least recent use, then whatever
/// is used last by its guess, where a block is used when the soonest of its referrers is.
fn predicted(view: &View, batch: &Batch, predictor: Predictor) -> Vec<Action> {
    let greedy = plan(view.rules, batch, |victim| match victim {
        Victim::Request(ix) => Rank { class: 1, value: -predictor(view, ix) },
        Victim::Block(ix) => {
            let past = view.history.block(ix);
            let guesses = past.referrers.iter().map(|&request| predictor(view, request));
            match guesses.min_by(f64::total_cmp) {
                Some(soonest) => Rank { class: 1, value: -soonest },
                None => Rank { class: 0, value: past.used as f64 },
            }
        }
    });
    minimal(view.rules, batch, greedy)
}

/// Each predictor plays the whole past on a GPU of its own; whoever has spent least time, of
/// which the past counts a little less every round, decides in earnest. A round costs a plan for
/// each predictor.
pub struct Leader {
    history: History,
    shadows: Vec<Shadow>,
}

/// A predictor on a GPU of its own.
struct Shadow {
    predictor: Predictor,
    rules: Rules,
    history: History,
    /// Discounted time.
    spent: f64,
}

impl Leader {
    /// For a GPU of `c` blocks of `s` tokens.
    ///
    /// # Panics
    /// If `s` or `c` is 0.
    pub fn new(s: u64, c: u64) -> Self {
        let shadow = |&predictor: &Predictor| Shadow {
            predictor,
            rules: Rules::new(s, c),
            history: History::default(),
            spent: 0.0,
        };
        Leader { history: History::default(), shadows: PREDICTORS.iter().map(shadow).collect() }
    }
}

impl Policy for Leader {
    fn plan(&mut self, rules: &Rules, batch: &Batch) -> Vec<Action> {
        let spent = |shadow: &&Shadow| shadow.spent;
        let leader = self.shadows.iter().min_by(|a, b| spent(a).total_cmp(&spent(b)));
        let view = View { rules, history: &self.history };
        predicted(&view, batch, leader.expect("fourteen").predictor)
    }

    fn applied(&mut self, rules: &Rules, command: &Command) {
        self.history.applied(rules, command);
        for Shadow { rules, history, .. } in &mut self.shadows {
            rules.apply(command).expect("a command that has been executed");
            history.applied(rules, command);
        }
    }

    fn decoded(&mut self, rules: &Rules, round: &Round) {
        self.history.decoded(rules, round);
        let ids: Vec<RequestId> = round.requests.iter().map(|&ix| rules.request(ix).id).collect();
        for shadow in &mut self.shadows {
            shadow.round(&ids);
        }
    }
}

impl Shadow {
    /// Executes a round after the predictor's own plan.
    fn round(&mut self, ids: &[RequestId]) {
        /// What a unit of time counts a round later.
        const KEPT: f64 = 0.99;
        let batch = self.rules.batch(ids).expect("a batch that has been executed");
        let plan = match self.rules.met(&batch) {
            true => Vec::new(),
            false => {
                let view = View { rules: &self.rules, history: &self.history };
                predicted(&view, &batch, self.predictor)
            }
        };
        let before = self.rules.cost().total();
        let round = self.rules.decode(batch, &plan).expect("a legal plan");
        self.history.decoded(&self.rules, &round);
        self.spent = self.spent * KEPT + (self.rules.cost().total() - before) as f64;
    }
}
