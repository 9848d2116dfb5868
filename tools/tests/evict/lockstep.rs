//! Programs that misbehave, each written as a few lines of shell, and one that does not.

use super::SAMPLE;
use rand::rngs::StdRng;
use rand::SeedableRng;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;
use tools::evict::lockstep::{run, Fault, Options, Pace, Rejection, Report};
use tools::evict::*;

/// Runs a script on the sample; `r 5` in it reads five lines.
fn sample(script: &str, limit_ms: u64) -> Report {
    let read = "r() { i=0; while [ $i -lt $1 ]; do read -r line || exit 9; i=$((i+1)); done; }";
    let mut sh = Command::new("sh");
    sh.arg("-c").arg(format!("{read}\n{script}")).stderr(Stdio::null());
    let options = Options { limit: Duration::from_millis(limit_ms), ..Options::default() };
    run(sh, &Input::parse(SAMPLE).unwrap(), &options).unwrap()
}

fn rejected(script: &str) -> Rejection {
    sample(script, 20_000).outcome.expect_err(script)
}

const FIRST: &str = "r 5; echo EVICT 0";
const ALL: &str = "r 5; echo EVICT 0; r 1; echo EVICT 1 R2; r 1; echo EVICT 0";

#[test]
fn a_correct_program_is_accepted_with_its_cost() {
    let report = sample(ALL, 20_000);
    assert_eq!(report.outcome.unwrap().total(), 7);
    assert!(Duration::ZERO < report.waiting && report.waiting < report.wall);
    if cfg!(target_os = "linux") {
        assert!(report.peak_memory.unwrap() > 100_000);
    }
}

#[test]
fn an_illegal_plan_is_reported_with_line_rule_and_reply() {
    for (reply, rule) in [
        ("EVICT 0", Rule::Short),
        ("EVICT 1 R1", Rule::ProtectedRequest),
        ("EVICT 1 B10", Rule::ProtectedBlock),
        ("EVICT 1 B11", Rule::NoSuchBlock),
        ("EVICT 2 R2 R2", Rule::NotRunning(RequestState::Waiting)),
    ] {
        let rejection = rejected(&format!("{FIRST}; r 1; echo {reply}; r 1"));
        assert_eq!(rejection.line, 6);
        assert_eq!(rejection.reply.as_deref(), Some(&*format!("\"{reply}\"")));
        match rejection.fault {
            Fault::Illegal(illegal) => assert_eq!(illegal.rule, rule, "{reply}"),
            fault => panic!("{reply}: {fault}"),
        }
    }
    let message = rejected(&format!("{ALL} B10")).to_string();
    assert!(message.contains("malformed reply: 0 actions announced, 1 given"), "{message}");
}

#[test]
fn a_malformed_reply_is_reported() {
    for (reply, reason) in [
        ("'EVICT 2 R2'", "2 actions announced, 1 given"),
        ("'EVICT 0 R2'", "0 actions announced, 1 given"),
        ("' EVICT 1 R2'", "does not begin with EVICT"),
        ("'EVICT 1 R2 '", "blank too many"),
        ("'EVICT 1  R2'", "blank too many"),
        ("'EVICT 1 R2\\r'", "byte 11"),
        ("'EVICT 1 X2'", "is no action"),
        ("''", "does not begin with EVICT"),
        ("'debug\\nEVICT 1 R2'", "does not begin with EVICT"),
    ] {
        let rejection = rejected(&format!("{FIRST}; r 1; printf {reply}'\\n'; r 1"));
        match &rejection.fault {
            Fault::Syntax(what) => assert!(what.contains(reason), "{reply}: {what}"),
            fault => panic!("{reply}: {fault}"),
        }
    }
    let unended = rejected(&format!("{FIRST}; r 1; printf 'EVICT 1 R2'"));
    assert!(unended.to_string().contains("without a newline"), "{unended}");
}

#[test]
fn extra_output_is_reported_wherever_it_is() {
    let extra = |script: &str, line: usize| {
        let rejection = rejected(script);
        assert!(matches!(rejection.fault, Fault::Extra(_)), "{script}: {rejection}");
        assert_eq!(rejection.line, line, "{script}");
    };
    extra(&format!("{ALL}; echo"), 7);
    extra(&format!("{ALL}; printf x"), 7);
    extra(&format!("{ALL}; sleep 0.1; echo EVICT 0"), 7);
    extra(r"r 5; printf 'EVICT 0\nEVICT 1 R2\n'; r 1", 5);
    extra(r"r 5; printf 'EVICT 0\n\n'; r 1; echo EVICT 1 R2; r 1; echo EVICT 0", 5);
    // One answer given in advance shifts all later ones and remains at the end.
    let shifted = rejected("echo EVICT 0; r 5; echo EVICT 1 R2; r 1; echo EVICT 0; r 1; echo X");
    assert!(matches!(shifted.fault, Fault::Extra(_)), "{shifted}");
}

#[test]
fn an_early_end_is_reported_with_its_status() {
    for (script, code) in [
        ("exit 0", 0),
        ("r 5; exit 0", 0),
        ("r 5; exit 3", 3),
        ("r 5; echo EVICT 0; exit 0", 0),
        ("r 5; echo EVICT 0; r 1; exit 4", 4),
    ] {
        match rejected(script).fault {
            Fault::Ended(status) => assert_eq!(status.code(), Some(code), "{script}"),
            fault => panic!("{script}: {fault}"),
        }
    }
    match rejected("r 5; kill -9 $$").fault {
        Fault::Ended(status) => assert!(!status.success()),
        fault => panic!("{fault}"),
    }
}

#[test]
fn a_failure_after_the_last_reply_is_reported() {
    match rejected(&format!("{ALL}; exit 3")).fault {
        Fault::Exit(status) => assert_eq!(status.code(), Some(3)),
        fault => panic!("{fault}"),
    }
}

#[test]
fn whatever_blocks_is_killed_at_the_limit() {
    let waits_for_the_end_of_input = format!("{ALL}; exec cat");
    let scripts = [
        ("neither reads nor writes", "exec sleep 60", 5),
        ("leaves its pipes to a child of its own", "sleep 5; true", 5),
        ("reads one line ahead of its reply", "r 6; echo EVICT 0", 5),
        ("keeps its answer in a buffer", "r 5; printf 'EVICT '; r 1", 5),
        ("closes its output and goes on", "r 5; exec sleep 60 >&-", 5),
        ("waits for the end of input", &waits_for_the_end_of_input, 7),
    ];
    thread::scope(|scope| {
        for (what, script, line) in scripts {
            scope.spawn(move || {
                let report = sample(script, 1_000);
                let rejection = report.outcome.expect_err(what);
                assert!(matches!(rejection.fault, Fault::TimeLimit(_)), "{what}: {rejection}");
                assert_eq!(rejection.line, line, "{what}");
                assert!(report.wall < Duration::from_secs(3), "{what}: {:?}", report.wall);
            });
        }
    });
}

#[test]
fn a_program_that_does_not_read_blocks_nobody() {
    let input = limits(&mut StdRng::seed_from_u64(1), Limits::Full);
    let mut sleep = Command::new("sleep");
    sleep.arg("60");
    let options = Options { limit: Duration::from_millis(300), ..Options::default() };
    let report = run(sleep, &input, &options).unwrap();
    assert!(matches!(report.outcome.unwrap_err().fault, Fault::TimeLimit(_)));
}

#[test]
fn a_broken_input_is_not_run() {
    let commands = vec![tools::evict::Command::Cancel(RequestId(1))];
    let input = Input { s: 1, c: 1, commands };
    let error = run(Command::new("true"), &input, &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "line 2: request 1 was never added");
}

#[test]
fn the_lru_program_does_what_the_policy_does_at_every_pace() {
    let mut rng = StdRng::seed_from_u64(2);
    for pace in [Pace::Round, Pace::Line, Pace::Byte] {
        for delay in [Duration::ZERO, Duration::from_micros(20)] {
            let input = random(&mut rng, &Shape::SMALL);
            let lru = Command::new(env!("CARGO_BIN_EXE_evict_lru"));
            let options = Options { pace, delay, ..Options::default() };
            let report = run(lru, &input, &options).unwrap();
            let cost = report.outcome.unwrap_or_else(|rejection| panic!("{rejection}\n{input}"));
            assert_eq!(Ok(cost), play(&input, &mut Lru::default()));
        }
    }
}
