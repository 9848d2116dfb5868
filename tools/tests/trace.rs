//! `trace` as a program.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn trace(arguments: &[&str], input: &str) -> Output {
    let mut process = Command::new(env!("CARGO_BIN_EXE_trace"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("trace starts");
    let mut stdin = process.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("trace reads its input");
    drop(stdin);
    process.wait_with_output().expect("trace ends")
}

const TWO: &str = "{\"hash_ids\": [0, 1]}\n{\"hash_ids\": [0, 2, 3]}\n";

#[test]
fn a_trace_becomes_an_input_of_either_problem() {
    let cases: [(&[&str], &str); 3] = [
        (&["--capacity", "7"], "2 7\n0 0 2 1 2\n0 0 3 1 3 4\n"),
        (&["-", "--capacity", "0", "--drop-shared"], "2 0\n0 0 1 2\n0 0 2 3 4\n"),
        (&["--nodes", "1", "--drop-shared"], "1 2\n0\n0\n1\n2 3\n"),
    ];
    for (arguments, expected) in cases {
        let output = trace(arguments, TWO);
        assert!(output.status.success());
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    }
}

#[test]
fn a_bad_line_is_one_line_on_standard_error() {
    let output = trace(&["--nodes", "2"], "{\"hash_ids\": [0]}\n{\"hash_ids\": [}\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with("trace: standard input: line 2: "), "{message}");
    assert_eq!(message.lines().count(), 1);
}

#[test]
fn a_trace_without_blocks_is_refused() {
    let output = trace(&["--capacity", "2", "--drop-shared"], "{\"hash_ids\": [4, 5]}\n");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stderr, b"trace: no request with a block is left\n");
}
