//! The outcomes as JSON.

use crate::measure::{Contender, Outcome};
use serde_json::{json, Map, Value};
use tools::evict::baselines::names;
use tools::evict::score::{by_family, by_subtask, score, Measured, Player, Sums};

/// One object: the scores of the policies and of every baseline, sums by subtask and family, and
/// every case with all its times.
pub fn json(contenders: &[Contender], outcomes: &[Outcome]) -> Value {
    let cases: Vec<Measured> = outcomes.iter().map(|outcome| outcome.measured.clone()).collect();
    let players: Vec<(String, Player)> = contenders
        .iter()
        .enumerate()
        .map(|(at, contender)| (contender.name().to_string(), Player::Policy(at)))
        .chain(names().iter().enumerate().map(|(at, name)| (name.0.into(), Player::Baseline(at))))
        .collect();
    let each = |value: &dyn Fn(Player) -> Value| -> Value {
        let map: Map<String, Value> =
            players.iter().map(|(name, player)| (name.clone(), value(*player))).collect();
        Value::Object(map)
    };
    let group = |group: Vec<&Measured>| {
        let sums = Sums::of(group.iter().copied(), Player::Policy(0));
        json!({
            "cases": sums.cases,
            "reference": sums.reference,
            "times": each(&|player| {
                let sums = Sums::of(group.iter().copied(), player);
                if sums.rejected > 0 { Value::Null } else { sums.time.into() }
            }),
        })
    };
    let subtasks: Map<String, Value> = by_subtask(&cases)
        .into_iter()
        .map(|(subtask, cases)| (subtask.number().to_string(), group(cases)))
        .collect();
    let families: Map<String, Value> = by_family(&cases)
        .into_iter()
        .map(|(family, cases)| (family.to_string(), group(cases)))
        .collect();
    let single: Vec<Value> = outcomes
        .iter()
        .map(|Outcome { measured, runs }| {
            let walls = runs.iter().map(|run| Some(run.as_ref()?.wall.as_secs_f64()));
            json!({
                "name": measured.name,
                "family": measured.family,
                "subtask": measured.subtask.number(),
                "reference": measured.reference.time,
                "bound": measured.reference.bound,
                "times": each(&|player| measured.time(player).into()),
                "seconds": walls.collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "policies": contenders.iter().map(Contender::name).collect::<Vec<_>>(),
        "scores": each(&|player| score(&cases, player).into()),
        "subtasks": subtasks,
        "families": families,
        "cases": single,
    })
}
