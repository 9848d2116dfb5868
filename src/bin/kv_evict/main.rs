//! Interactive KV-cache eviction manager. Learns the scheduler's order online by Plackett–Luce
//! ranking and drops the cheapest legal set; O(open² · experts) a round, O(log) once that is dear.
//!
//! # Problem
//!
//! A GPU holds C cache blocks of S tokens each. Requests share full blocks of prompt tokens by id;
//! the rest of a request's prompt and the tokens it has generated fill private blocks. `DECODE` makes
//! a given batch of requests generate one token each. Those that are not on the GPU must first get
//! their private blocks, and their shared blocks that are absent; each of these costs one unit of
//! logical time, and so does each `DECODE`. Blocks for new tokens are free of charge, but take space.
//! If the space does not suffice, the program answers with a plan: `B<id>` evicts a shared block that
//! no running request uses, `R<id>` preempts a running request, which loses its private blocks.
//! Nothing of the batch may be touched, and the plan must end as soon as the space suffices. The less
//! logical time in all, the better.
//!
//! Input: `S C q`, then q commands, a line each: `CREATE_BLOCK id`, `DROP_BLOCK id`,
//! `ADD id k block… p m` (k shared blocks, p prompt tokens, m tokens to generate), `CANCEL id`,
//! `DECODE n id…`. Output: after each `DECODE`, before anything else is read, `EVICT e action…`.
//! Limits: S, C, blocks, requests ≤ 1e5; q, batch members in all ≤ 2e5; p, m ≤ 1e12.
//!
//! Example: C = 3, requests 1 and 2 hold shared block 10 and a private block each. `DECODE 1 1`,
//! whose token begins another private block of request 1, is answered `EVICT 1 R2`.
//!
//! # Idea
//!
//! What is used last should go, but only the scheduler knows the order. So [`forecast`] learns it: a
//! linear model ranks the open requests, and each batch corrects it. [`choice`] drops the legal set
//! that costs least: blocks times how soon they are used (with an example); [`recency`] does where
//! there is too much to look at. [`state`] keeps the books.

mod choice;
mod forecast;
mod recency;
mod state;

use forecast::Forecast;
use kv_contest::io::{self, Scanner, Writer};
use state::{Action, State};
use std::collections::HashSet;

/// Reads one command and applies it; answers a `DECODE`.
fn command(state: &mut State, forecast: &mut Forecast, scanner: &mut Scanner, writer: &mut Writer) {
    const COMMANDS: &str = "CREATE_BLOCK, DROP_BLOCK, ADD, CANCEL or DECODE";
    if !scanner.more() {
        scanner.reject(COMMANDS);
    }
    match scanner.token().expect("a token follows") {
        b"CREATE_BLOCK" => {
            let id = id(scanner);
            if !state.create_block(id) {
                scanner.reject("a block id that was never used");
            }
            scanner.end_of_line();
        }
        b"DROP_BLOCK" => {
            let block = block(state, scanner);
            if state.is_referenced(block) {
                scanner.reject("a block that no unfinished request refers to");
            }
            scanner.end_of_line();
            state.drop_block(block);
        }
        b"ADD" => add(state, forecast, scanner),
        b"CANCEL" => {
            let request = request(state, scanner);
            scanner.end_of_line();
            state.cancel(request);
        }
        b"DECODE" => {
            let batch = batch(state, scanner);
            forecast.seen(state, &batch);
            let plan = choice::plan(state, forecast, &batch);
            reply(state, &plan, writer);
            state.decode(&batch, &plan);
        }
        _ => scanner.reject(COMMANDS),
    }
}

fn id(scanner: &mut Scanner) -> u64 {
    scanner.int_on_line(1..=u64::MAX)
}

fn block(state: &State, scanner: &mut Scanner) -> usize {
    let id = id(scanner);
    state.block(id).unwrap_or_else(|| scanner.reject("the id of an existing block"))
}

fn request(state: &State, scanner: &mut Scanner) -> usize {
    let id = id(scanner);
    state.request(id).unwrap_or_else(|| scanner.reject("the id of a request"))
}

fn add(state: &mut State, forecast: &mut Forecast, scanner: &mut Scanner) {
    let id = id(scanner);
    if state.request(id).is_some() {
        scanner.reject("a request id that was never used");
    }
    let count = scanner.int_on_line(0..=usize::MAX);
    let mut blocks = Vec::new();
    let mut seen = HashSet::new();
    for _ in 0..count {
        let block = block(state, scanner);
        if !seen.insert(block) {
            scanner.reject("blocks that differ from each other");
        }
        blocks.push(block);
    }
    let shared_tokens = state.tokens_in(count);
    let prompt_tokens = scanner.int_on_line(shared_tokens..=u64::MAX);
    let to_generate = scanner.int_on_line(1..=u64::MAX - prompt_tokens);
    scanner.end_of_line();
    state.add(id, &blocks, prompt_tokens - shared_tokens, to_generate);
    forecast.added(state, state.requests.len() - 1);
}

/// The requests of a `DECODE` in the order given, all different.
fn batch(state: &mut State, scanner: &mut Scanner) -> Vec<usize> {
    let count = scanner.int_on_line(1..=usize::MAX);
    let mut batch = Vec::new();
    state.open_batch();
    for _ in 0..count {
        let request = request(state, scanner);
        if state.has_ended(request) {
            scanner.reject("a request that has not ended");
        }
        if !state.join_batch(request) {
            scanner.reject("requests that differ from each other");
        }
        batch.push(request);
    }
    scanner.end_of_line();
    if !state.fits(&batch) {
        scanner.reject("a batch that fits into the cache");
    }
    batch
}

fn reply(state: &State, plan: &[Action], writer: &mut Writer) {
    writer.bytes(b"EVICT ").int(plan.len());
    for action in plan {
        match *action {
            Action::Evict(block) => writer.bytes(b" B").int(state.block_id(block)),
            Action::Preempt(request) => writer.bytes(b" R").int(state.request_id(request)),
        };
    }
    writer.byte(b'\n').flush();
}

fn answer(scanner: &mut Scanner, writer: &mut Writer) {
    scanner.more();
    let block_size = scanner.int_on_line(1..=u64::MAX);
    let capacity = scanner.int_on_line(1..=u64::MAX);
    let commands = scanner.int_on_line(0..=u64::MAX);
    scanner.end_of_line();
    let mut state = State::new(block_size, capacity);
    let mut forecast = Forecast::new(&forecast::ranking::priors());
    for _ in 0..commands {
        command(&mut state, &mut forecast, scanner, writer);
    }
}

fn main() {
    io::run("kv_evict", answer);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_samples_are_answered_or_refused_as_they_should_be() {
        let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/samples");
        tools::fuzz::check("kv_evict", samples.as_ref(), 5000, |input| io::outcome(input, answer));
    }
}
