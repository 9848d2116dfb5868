//! Policies inside the process: what they see, how they are played, and the most arbitrary one.

use super::command::{parse_reply, Action, Command};
use super::input::Input;
use super::round::{Batch, Illegal, Round, Rule};
use super::rules::{Broken, Cost, Rules};
use rand::seq::IndexedRandom;
use rand::Rng;
use std::fmt;

/// An eviction policy. One that ranks victims implements [`Policy::action`], sees each executed
/// before the next, and its plan ends by itself when the need is met; one that chooses a set of
/// victims implements [`Policy::plan`].
pub trait Policy {
    /// The next action for the batch, whose need is not met. `rules` is the state after the
    /// actions before. None ends the plan, which is then too short; a policy that plans whole
    /// rounds has nothing else to say.
    fn action(&mut self, rules: &Rules, batch: &Batch) -> Option<Action> {
        let _ = (rules, batch);
        None
    }

    /// The plan for the batch, whose need is not met, or its beginning: what it leaves open is
    /// asked for by [`Policy::action`]. `rules` is the state before all actions.
    fn plan(&mut self, rules: &Rules, batch: &Batch) -> Vec<Action> {
        let _ = (rules, batch);
        Vec::new()
    }

    /// A command other than DECODE has been executed.
    fn applied(&mut self, rules: &Rules, command: &Command) {
        let _ = (rules, command);
    }

    /// A round has been executed.
    fn decoded(&mut self, rules: &Rules, round: &Round) {
        let _ = (rules, round);
    }
}

/// Why a policy did not get through an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The input breaks a promise at `line`.
    Input { line: usize, broken: Broken },
    /// The policy breaks a rule at `line`.
    Policy { line: usize, illegal: Illegal },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Failure::Input { line, broken } => write!(f, "line {line}: {broken}"),
            Failure::Policy { line, illegal } => write!(f, "line {line}: {illegal}"),
        }
    }
}

impl std::error::Error for Failure {}

/// Plays a policy through an input and measures T.
///
/// # Errors
/// The first promise that the input breaks, or the first illegal action.
pub fn play(input: &Input, policy: &mut (impl Policy + ?Sized)) -> Result<Cost, Failure> {
    play_watched(input, policy, |_, _| ())
}

/// Plays as [`play`] does, and shows each round's outcome: the state after it and the plan.
///
/// # Errors
/// As [`play`].
pub fn play_watched(
    input: &Input,
    policy: &mut (impl Policy + ?Sized),
    mut watch: impl FnMut(&Rules, &[Action]),
) -> Result<Cost, Failure> {
    let mut rules = Rules::new(input.s, input.c);
    for (index, command) in input.commands.iter().enumerate() {
        let line = Input::line(index);
        let fault = |broken| Failure::Input { line, broken };
        let Command::Decode(ids) = command else {
            rules.apply(command).map_err(fault)?;
            policy.applied(&rules, command);
            continue;
        };
        let batch = rules.batch(ids).map_err(fault)?;
        let answered = answer(&mut rules, batch, policy);
        let plan = answered.map_err(|illegal| Failure::Policy { line, illegal })?;
        watch(&rules, &plan);
    }
    Ok(rules.cost())
}

/// Executes a round with the policy's plan, which is returned. O(batch + references) besides the
/// policy.
///
/// # Errors
/// The first illegal action; those before it have been executed.
///
/// # Panics
/// If the batch is void.
pub fn answer(
    rules: &mut Rules,
    batch: Batch,
    policy: &mut (impl Policy + ?Sized),
) -> Result<Vec<Action>, Illegal> {
    let mut plan = Vec::new();
    if !rules.met(&batch) {
        let need = batch.need();
        let mut planned = policy.plan(rules, &batch).into_iter();
        loop {
            let next = planned.next();
            let action = match next {
                Some(action) => action,
                None if rules.met(&batch) => break,
                None => policy.action(rules, &batch).ok_or(Illegal {
                    executed: plan.len(),
                    action: None,
                    rule: Rule::Short,
                    free: rules.free(),
                    need,
                })?,
            };
            rules.act(&batch, action).map_err(|rule| Illegal {
                executed: plan.len(),
                action: Some(action),
                rule,
                free: rules.free(),
                need,
            })?;
            plan.push(action);
        }
    }
    let round = rules.generate(batch).expect("the need is met");
    policy.decoded(rules, &round);
    Ok(plan)
}

/// Repeats what a program has replied.
pub struct Replies {
    plans: Vec<Vec<Action>>,
    round: usize,
}

impl Replies {
    /// The plans of a program's whole output, one a line.
    ///
    /// # Errors
    /// A line is malformed.
    pub fn parse(output: &str) -> Result<Self, String> {
        let plan = |(line, reply): (usize, &str)| {
            parse_reply(reply).map_err(|what| format!("line {} of the output: {what}", line + 1))
        };
        Ok(Replies {
            plans: output.lines().enumerate().map(plan).collect::<Result<_, _>>()?,
            round: 0,
        })
    }
}

impl Policy for Replies {
    fn plan(&mut self, _: &Rules, _: &Batch) -> Vec<Action> {
        self.plans.get(self.round).cloned().unwrap_or_default()
    }

    fn decoded(&mut self, _: &Rules, _: &Round) {
        self.round += 1;
    }
}

/// Takes any legal action, all equally likely. O(C) an action.
pub struct Arbitrary<R>(pub R);

impl<R: Rng> Policy for Arbitrary<R> {
    fn action(&mut self, rules: &Rules, batch: &Batch) -> Option<Action> {
        rules.legal_actions(batch).choose(&mut self.0).copied()
    }
}
