//! The rules, one by one.

use super::SAMPLE;
use tools::evict::command::parse_reply;
use tools::evict::*;

/// Executes the commands of an input, each round without actions.
fn unhindered(text: &str) -> Rules {
    let input = Input::parse(text).unwrap();
    let mut rules = Rules::new(input.s, input.c);
    for command in &input.commands {
        match command {
            Command::Decode(ids) => {
                let batch = rules.batch(ids).unwrap();
                rules.decode(batch, &[]).unwrap();
            }
            _ => rules.apply(command).unwrap(),
        }
    }
    rules
}

#[test]
fn the_sample_takes_7() {
    let mut rules = Rules::new(4, 3);
    let input = Input::parse(SAMPLE).unwrap();
    assert_eq!(input.to_string(), SAMPLE);
    let mut replies = ["EVICT 0", "EVICT 1 R2", "EVICT 0"].into_iter();
    let mut clock = Vec::new();
    for command in &input.commands {
        let Command::Decode(ids) = command else {
            rules.apply(command).unwrap();
            continue;
        };
        let batch = rules.batch(ids).unwrap();
        let plan = parse_reply(replies.next().unwrap()).unwrap();
        rules.decode(batch, &plan).unwrap();
        clock.push(rules.cost().total());
    }
    assert_eq!(clock, [4, 5, 7]);
    let (loads, allocations, rounds) = (1, 3, 3);
    assert_eq!(rules.cost(), Cost { loads, allocations, rounds });
    assert_eq!(rules.block(BlockIx(0)).state(), BlockState::Idle);
    assert_eq!(rules.free(), 2);
    assert_eq!(optimum(&input), Ok(7));
    assert_eq!(play(&input, &mut Lru::default()).unwrap().total(), 7);
}

/// A full GPU with something in every state. Running: 1 (block 10), 7 (block 60), 6 (3 private
/// blocks). Waiting: 3, 5 (blocks 20 and 30). Ended: 2, 4. Blocks: 10 and 60 active, 20 and 50
/// idle, 30 and 70 absent, 40 dropped.
const FULL: &str = "4 9 20
CREATE_BLOCK 10
CREATE_BLOCK 20
CREATE_BLOCK 30
CREATE_BLOCK 40
CREATE_BLOCK 50
CREATE_BLOCK 60
CREATE_BLOCK 70
DROP_BLOCK 40
ADD 1 1 10 4 9
DECODE 1 1
ADD 2 2 20 50 8 1
DECODE 1 2
ADD 7 1 60 4 9
DECODE 1 7
ADD 6 0 8 9
DECODE 1 6
ADD 3 0 4 9
ADD 4 0 1 9
CANCEL 4
ADD 5 2 20 30 8 9
";

#[test]
fn every_illegal_plan_is_refused_for_its_reason() {
    use RequestState::*;
    let rules = unhindered(FULL);
    assert_eq!(rules.free(), 0);
    // The batch is 5 and 1: block 30 is loaded and 5 grows by its first private block.
    for (reply, executed, rule) in [
        ("EVICT 0", 0, Rule::Short),
        ("EVICT 1 B50", 1, Rule::Short),
        ("EVICT 1 R7", 1, Rule::Short),
        ("EVICT 1 B99", 0, Rule::NoSuchBlock),
        ("EVICT 1 B40", 0, Rule::NoSuchBlock),
        ("EVICT 1 B1", 0, Rule::NoSuchBlock),
        ("EVICT 1 R99", 0, Rule::NoSuchRequest),
        ("EVICT 1 R10", 0, Rule::NoSuchRequest),
        ("EVICT 1 B10", 0, Rule::ProtectedBlock),
        ("EVICT 1 B20", 0, Rule::ProtectedBlock),
        ("EVICT 1 B30", 0, Rule::ProtectedBlock),
        ("EVICT 1 B70", 0, Rule::AbsentBlock),
        ("EVICT 1 B60", 0, Rule::ActiveBlock),
        ("EVICT 1 R1", 0, Rule::ProtectedRequest),
        ("EVICT 1 R5", 0, Rule::ProtectedRequest),
        ("EVICT 1 R3", 0, Rule::NotRunning(Waiting)),
        ("EVICT 1 R2", 0, Rule::NotRunning(Finished)),
        ("EVICT 1 R4", 0, Rule::NotRunning(Cancelled)),
        ("EVICT 2 B50 B50", 1, Rule::AbsentBlock),
        ("EVICT 2 R7 R7", 1, Rule::NotRunning(Waiting)),
        ("EVICT 2 B60 R7", 0, Rule::ActiveBlock),
        ("EVICT 2 R6 B50", 1, Rule::NotNeeded),
        ("EVICT 3 R7 B60 B50", 2, Rule::NotNeeded),
    ] {
        let mut rules = rules.clone();
        let batch = rules.batch(&[RequestId(5), RequestId(1)]).unwrap();
        assert_eq!(batch.need(), 2);
        let plan = parse_reply(reply).unwrap();
        let illegal = rules.decode(batch, &plan).unwrap_err();
        assert_eq!((illegal.executed, illegal.rule), (executed, rule), "{reply}");
        assert_eq!(illegal.action, plan.get(executed).copied(), "{reply}");
    }
}

#[test]
fn a_plan_may_free_too_much_with_its_last_action_only() {
    let rules = unhindered(FULL);
    for (reply, free) in
        [("EVICT 1 R6", 1), ("EVICT 2 B50 R6", 2), ("EVICT 2 B50 R7", 0), ("EVICT 2 R7 B60", 0)]
    {
        let mut rules = rules.clone();
        let batch = rules.batch(&[RequestId(5), RequestId(1)]).unwrap();
        rules.decode(batch, &parse_reply(reply).unwrap()).unwrap();
        assert_eq!(rules.free(), free, "{reply}");
    }
}

#[test]
fn no_action_is_legal_once_the_need_is_met() {
    let mut rules = unhindered(FULL);
    let batch = rules.batch(&[RequestId(1)]).unwrap();
    assert_eq!((batch.need(), rules.legal_actions(&batch)), (0, vec![]));
    let plan = [Action::Evict(BlockId(50))];
    assert_eq!(rules.decode(batch, &plan).unwrap_err().rule, Rule::NotNeeded);
}

#[test]
fn the_legal_actions_are_those_that_are_accepted() {
    let mut rules = unhindered(FULL);
    let batch = rules.batch(&[RequestId(5), RequestId(1)]).unwrap();
    let mut legal = rules.legal_actions(&batch);
    legal.sort_unstable();
    let all = (0..100).flat_map(|id| [Action::Evict(BlockId(id)), Action::Preempt(RequestId(id))]);
    let mut accepted: Vec<Action> =
        all.filter(|&action| rules.clone().act(&batch, action).is_ok()).collect();
    accepted.sort_unstable();
    assert_eq!(legal, accepted);
    assert_eq!(legal.len(), 3);
}

#[test]
fn a_first_token_on_a_block_boundary_costs_no_allocation() {
    // p = k·S: no private block before the token, one after it.
    let rules = unhindered("2 3 4\nCREATE_BLOCK 1\nADD 1 1 1 2 3\nDECODE 1 1\nDECODE 1 1\n");
    assert_eq!((rules.cost().total(), rules.free()), (1 + 2, 1));
    // A full last block: two allocations that cost, one growth that does not.
    let rules = unhindered("2 3 2\nADD 1 0 4 3\nDECODE 1 1\n");
    assert_eq!((rules.cost().total(), rules.free()), (2 + 1, 0));
}

#[test]
fn drop_and_cancel_free_what_they_should() {
    let start = "1 9 6\nCREATE_BLOCK 5\nADD 5 1 5 3 7\nDECODE 1 5\n";
    let cancelled = unhindered(&format!("{start}CANCEL 5\nCANCEL 5\nCREATE_BLOCK 6\n"));
    assert_eq!(cancelled.free(), 8);
    assert_eq!(cancelled.block(BlockIx(0)).state(), BlockState::Idle);
    let dropped = unhindered(&format!("{start}CANCEL 5\nDROP_BLOCK 5\nCANCEL 5\n"));
    assert_eq!(dropped.free(), 9);
    assert_eq!(dropped.block(BlockIx(0)).state(), BlockState::Dropped);
}

#[test]
fn a_broken_promise_is_reported_with_its_line() {
    for (text, line, message) in [
        ("", 1, "no S, C and q"),
        ("4 3", 1, "expected S, C and q, found 2 numbers"),
        ("4 3 1 1", 1, "found 4 numbers"),
        ("0 3 1", 1, "S should be at least 1"),
        ("4 0 1", 1, "C should be at least 1"),
        ("4 3 x", 1, "q should be a number"),
        ("4 3 1\n", 2, "the input ends after 0 of 1 commands"),
        ("4 3 2\nCREATE_BLOCK 1\n\n", 4, "the input ends after 1 of 2"),
        ("4 3 1\nFOO 1\n", 2, "unknown command \"FOO\""),
        ("4 3 2\nCREATE_BLOCK 1\nCREATE_BLOCK 1", 3, "created before"),
        ("4 3 3\nCREATE_BLOCK 1\nDROP_BLOCK 1\n\nCREATE_BLOCK 1", 5, "created before"),
        ("4 3 1\nDROP_BLOCK 1", 2, "block 1 was never created"),
        ("4 3 3\nCREATE_BLOCK 1\nDROP_BLOCK 1\nDROP_BLOCK 1", 4, "has been dropped"),
        ("4 3 3\nCREATE_BLOCK 1\nADD 1 1 1 4 1\nDROP_BLOCK 1", 4, "1 unfinished requests"),
        ("4 3 2\nADD 1 0 1 1\nADD 1 0 1 1", 3, "request 1 was added before"),
        ("4 3 1\nADD 1 1 7 4 1", 2, "block 7 was never created"),
        ("4 3 3\nCREATE_BLOCK 7\nDROP_BLOCK 7\nADD 1 1 7 4 1", 4, "has been dropped"),
        ("4 3 2\nCREATE_BLOCK 7\nADD 1 1 7 3 1", 3, "1 shared blocks of 4 tokens exceed p = 3"),
        ("4 3 2\nCREATE_BLOCK 7\nADD 1 2 7 7 8 1", 3, "block 7 is listed twice"),
        ("4 3 1\nCANCEL 1", 2, "request 1 was never added"),
        ("4 3 1\nDECODE 1 1", 2, "request 1 was never added"),
        ("4 3 2\nADD 1 0 1 1\nDECODE 2 1 1", 3, "request 1 is listed twice"),
        ("4 3 3\nADD 1 0 1 1\nDECODE 1 1\nDECODE 1 1", 4, "request 1, which is finished"),
        ("4 3 3\nADD 1 0 1 1\nCANCEL 1\nDECODE 1 1", 4, "request 1, which is cancelled"),
        ("4 3 2\nADD 1 0 12 1\nDECODE 1 1", 3, "needs 4 blocks in a GPU of 3"),
        ("1 1 2\nADD 1 0 1000000000000 1\nDECODE 1 1", 3, "needs 1000000000001 blocks"),
    ] {
        let error = Input::parse(text).unwrap_err();
        assert_eq!(error.line, line, "{text:?}: {error}");
        assert!(error.message.contains(message), "{text:?}: {error}");
    }
}

#[test]
fn blanks_and_what_follows_the_last_command_are_ignored() {
    let padded = format!("\n \r\n{}FOO", SAMPLE.replace('\n', " \r\n\r\n"));
    assert_eq!(Input::parse(&padded), Input::parse(SAMPLE));
}

#[test]
#[should_panic(expected = "opened before the last change")]
fn a_batch_is_void_after_a_change() {
    let mut rules = unhindered(FULL);
    let batch = rules.batch(&[RequestId(1)]).unwrap();
    rules.apply(&Command::Cancel(RequestId(3))).unwrap();
    let _ = rules.generate(batch);
}
