//! Damaged inputs: where an oracle's own parser refuses, the solver must name a place and print
//! nothing; everywhere else it must give the right answer.

mod common;

use common::{run, Run};
use std::path::Path;
use std::time::Duration;
use tools::evict::Input;
use tools::fuzz;
use tools::problem::Problem;

/// What stands in place of a token. None of them is valid as a very large size.
const SUBSTITUTES: [&[u8]; 22] = [
    b"x",
    b"-",
    b"+",
    b".",
    b"NaN",
    b"inf",
    b"-inf",
    b"1e400",
    b"18446744073709551616",
    b"-1",
    b"1.5",
    b"1e0",
    b"0x1",
    b"1_0",
    b"1,",
    b",1",
    b"\0",
    b"\xff\xfe",
    b"\xef\xbb\xbf1",
    b"\xd9\xa1",
    b"00",
    b"340282366920938463463374607431768211456",
];

/// The tokens of an input as byte ranges.
fn tokens(input: &[u8]) -> Vec<std::ops::Range<usize>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    for word in input.split(u8::is_ascii_whitespace) {
        if !word.is_empty() {
            tokens.push(at..at + word.len());
        }
        at += word.len() + 1;
    }
    tokens
}

/// Every input that the damage to one token makes of `input`.
fn damaged(input: &[u8]) -> Vec<Vec<u8>> {
    let mut inputs = vec![Vec::new(), [b"\xef\xbb\xbf", input].concat()];
    for token in tokens(input) {
        inputs.push(input[..token.start].to_vec());
        inputs.push(input[..token.end].to_vec());
        inputs.push([&input[..token.start], &input[token.end..]].concat());
        for substitute in SUBSTITUTES {
            inputs.push([&input[..token.start], substitute, &input[token.end..]].concat());
        }
    }
    inputs
}

/// Checks that a run ended with one line that names a place within the input.
#[track_caller]
fn assert_refused(binary: &str, input: &[u8], run: &Run) {
    let shown = input.escape_ascii();
    assert_eq!(run.code, Some(1), "{binary} on {shown}: {}", run.stderr);
    let place = run.stderr.strip_prefix(&format!("{binary}: line "));
    let place = place.and_then(|rest| rest.split_once(", column "));
    let (line, rest) = place.unwrap_or_else(|| panic!("{binary} on {shown}: {}", run.stderr));
    let (column, message) = rest.split_once(": expected ").expect("what was expected");
    let (line, column): (usize, usize) = (line.parse().unwrap(), column.parse().unwrap());
    let lines: Vec<&[u8]> = input.split(|&byte| byte == b'\n').collect();
    assert!(
        (1..=lines[line - 1].len() + 1).contains(&column),
        "{binary} on {shown}: {}",
        run.stderr
    );
    assert!(message.contains(", found ") && message.lines().count() == 1, "{message}");
    assert!(run.time < Duration::from_secs(1), "{binary} on {shown} takes {:?}", run.time);
}

/// Checks a batch solver on damaged samples; all but the large ones.
fn check_batch(binary: &str, oracle: fn(&[u8]) -> Result<String, String>) {
    let (mut refused, mut answered) = (0, 0);
    let small = |input: &Vec<u8>| tokens(input).len() <= 60;
    for (_, input, _) in common::samples(binary) {
        for input in Some(input).filter(small).iter().flat_map(|input| damaged(input)) {
            let run = run(binary, &input);
            match oracle(&input) {
                Ok(expected) => {
                    let shown = input.escape_ascii();
                    assert_eq!((run.code, run.stdout), (Some(0), expected), "{binary} on {shown}");
                    answered += 1;
                }
                Err(_) => {
                    assert_eq!(run.stdout, "", "{binary} on {}", input.escape_ascii());
                    assert_refused(binary, &input, &run);
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 1000 && answered > 50, "{binary}: {refused} refused, {answered} answered");
}

#[test]
fn batch_solvers_refuse_what_their_oracles_refuse() {
    for problem in Problem::all() {
        if let Some(batch) = problem.batch() {
            check_batch(problem.name(), batch.answer);
        }
    }
}

#[test]
fn kv_evict_refuses_what_the_judge_refuses() {
    let (mut refused, mut answered) = (0, 0);
    for (_, input, _) in common::samples("kv_evict") {
        for input in damaged(&input) {
            let run = run("kv_evict", &input);
            let valid = std::str::from_utf8(&input).is_ok_and(|text| Input::parse(text).is_ok());
            if valid {
                assert_eq!(run.code, Some(0), "{}: {}", input.escape_ascii(), run.stderr);
                answered += 1;
            } else {
                assert_refused("kv_evict", &input, &run);
                let replies = run.stdout.lines().all(|line| line.starts_with("EVICT "));
                assert!(replies, "{}", run.stdout);
                refused += 1;
            }
        }
    }
    assert!(refused > 1000 && answered > 50, "{refused} refused, {answered} answered");
}

#[test]
fn changed_samples_are_answered_or_refused_by_the_processes_too() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    for binary in common::binaries() {
        fuzz::check(binary, &samples, 300, |input| {
            let run = run(binary, input);
            if run.code == Some(0) {
                return Ok(run.stdout);
            }
            assert_refused(binary, input, &run);
            Err(run.stderr)
        });
    }
}

#[test]
fn headers_that_the_input_does_not_bear_out_are_refused_at_once() {
    let headers: [(&str, &str); 9] = [
        ("kv_retain", "1000000000 1000000000 1000000000 1000000000000000000\n0.5"),
        ("kv_retain", "18446744073709551615 18446744073709551615 18446744073709551615 1\n"),
        ("kv_evict", "1000000000 1000000000 1000000000000\nADD 1 1000000000 1"),
        ("prefix_opt", "4000000000 1000000000\n0 0 1 1\n"),
        ("prefix_opt", "1 1000000000\n0 0 2000000000 1\n"),
        ("prefix_router", "4000000000 1000000000000\n1 2 3\n"),
        ("prefix_router", "1 1000000000000\n1\n18446744073709551615 1,2 3\n"),
        ("quant_matmul", "1000000000 1000000000 1000000000\n1 2 3\n"),
        ("quant_matmul", "18446744073709551615 18446744073709551615 18446744073709551615\n1\n"),
    ];
    for (binary, header) in headers {
        let run = run(binary, header.as_bytes());
        assert_eq!(run.stdout, "", "{binary} on {header}");
        assert_refused(binary, header.as_bytes(), &run);
    }
}

#[test]
fn a_line_of_100_megabytes_without_a_blank_is_refused_and_quoted_in_part() {
    let long = vec![b'7'; 100_000_000];
    for binary in common::binaries() {
        let run = run(binary, &long);
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{binary}");
        let start = format!("{binary}: line 1, column 1: expected ");
        assert!(run.stderr.starts_with(&start) && run.stderr.len() < 300, "{}", run.stderr);
    }
}

#[test]
fn what_follows_the_input_is_ignored() {
    for binary in common::binaries() {
        for (path, input, expected) in common::samples(binary) {
            let longer = [&input, b"\n\xff\0 no input any more 1e400".as_slice()].concat();
            let run = run(binary, &longer);
            let path = path.display();
            // There a further line that is not blank changes what the blank ones are.
            if !path.to_string().ends_with("hand-blank-lines-are-empty-requests-when-needed.in") {
                assert_eq!((run.code, run.stdout), (Some(0), expected), "{path}: {}", run.stderr);
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn an_output_that_nobody_reads_is_no_error() {
    use std::process::{Command, Stdio};
    for binary in common::binaries() {
        let (path, ..) = common::samples(binary).swap_remove(0);
        let mut command = Command::new(common::executable(binary));
        command.stdin(std::fs::File::open(path).unwrap()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()), "{binary}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn bad_input_is_an_error_even_if_nobody_can_be_told() {
    use std::process::{Command, Stdio};
    let full = || std::fs::File::options().write(true).open("/dev/full").expect("Linux has it");
    for binary in common::binaries() {
        let mut command = Command::new(common::executable(binary));
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(full()).status();
        assert_eq!(status.expect("it ends").code(), Some(1), "{binary}");
    }
}
