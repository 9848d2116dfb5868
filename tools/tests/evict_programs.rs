//! The programs `gen`, `judge` and `score` for `kv_evict`, as a user runs them.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tools::evict::workload::{corpus, Subtask};
use tools::evict::Input;

const LRU: &str = env!("CARGO_BIN_EXE_evict_lru");

/// The statement's sample, T = 7.
const SAMPLE: &str = "4 3 6\nCREATE_BLOCK 10\nADD 1 1 10 7 2\nADD 2 1 10 6 2\nDECODE 2 1 2\n\
                      DECODE 1 1\nDECODE 1 2\n";

fn gen(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gen")).args(arguments).output().unwrap()
}

fn judge(input: &Path, solver: &str) -> Output {
    let mut judge = Command::new(env!("CARGO_BIN_EXE_judge"));
    judge.arg("kv_evict").arg(input).args(["--", solver]).output().unwrap()
}

fn score(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_score")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A new folder with the sample and the T that its `.best` file claims.
fn folder(name: &str, best: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("st03_sample-l0-s1.in"), SAMPLE).unwrap();
    fs::write(folder.join("st03_sample-l0-s1.best"), best).unwrap();
    folder
}

#[test]
fn gen_prints_an_input_of_the_subtask() {
    let output = gen(&["kv_evict", "rr", "--subtask", "5", "--level", "2", "--seed", "7"]);
    let input = Input::parse(&text(&output.stdout)).unwrap();
    Subtask::new(5).unwrap().check(&input).unwrap();
    let list = text(&gen(&["--list"]).stdout);
    let is_listed = |line: &str| line.split_whitespace().take(2).eq(["kv_evict", "mooncake"]);
    assert!(list.lines().count() >= 30 && list.lines().any(is_listed), "{list}");
}

#[test]
fn pahcer_plays_the_corpus() {
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pahcer_config.toml");
    let end = format!("end_seed = {}", corpus().len());
    assert!(fs::read_to_string(config).unwrap().lines().any(|line| line == end), "{end}");
    let output = gen(&["kv_evict", "corpus", "--seed", "3"]);
    assert_eq!(text(&output.stdout), corpus()[3].input().to_string());
    let beyond = corpus().len().to_string();
    assert!(!gen(&["kv_evict", "corpus", "--seed", &beyond]).status.success());
}

#[test]
fn gen_refuses_what_there_is_not() {
    for arguments in [&["kv_evict", "nothing"][..], &["kv_evict", "rr", "--subtask", "8"], &[]] {
        let output = gen(arguments);
        assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn judge_says_ac_with_the_time_or_what_is_wrong() {
    let input = folder("judge", "7\n").join("st03_sample-l0-s1.in");
    let output = judge(&input, LRU);
    assert!(output.status.success());
    let verdict = text(&output.stdout);
    let expected = "AC  T = 7: 1 loads, 3 allocations, 3 rounds; no T is below 7";
    assert_eq!(verdict.lines().next(), Some(expected));

    let output = judge(&input, env!("CARGO_BIN_EXE_oracle"));
    assert_eq!(output.status.code(), Some(1));
    let verdict = text(&output.stdout);
    assert!(verdict.starts_with("RE  line 5 "), "{verdict}");

    let output = judge(Path::new("no such file"), LRU);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn score_compares_a_program_with_a_baseline() {
    let folder = folder("score", "7\n");
    let folder = folder.to_str().unwrap();
    let output = score(&[LRU, "--against", "clairvoyant", "--folder", folder]);
    let table = text(&output.stdout);
    assert!(table.contains("0 wins, 0 losses, 1 draws"), "{table}");

    let output = score(&[LRU, "--folder", folder, "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["scores"][LRU], 100.0);
    assert_eq!(report["cases"][0]["times"]["lru"], 7);
    assert_eq!(report["cases"][0]["bound"], 7);
}

#[test]
fn the_program_of_least_recent_use_plays_as_the_baseline_does() {
    let few = ["--family", "cancel,tree", "--subtask", "3,7"];
    let output = score(&[&[LRU, "--against", "lru"][..], &few].concat());
    let table = text(&output.stdout);
    assert!(table.contains("0 wins, 0 losses, 12 draws"), "{table}");
}

#[test]
fn score_refuses_a_best_that_nobody_can_reach() {
    let output = score(&["lru", "--folder", folder("best", "6\n").to_str().unwrap()]);
    assert!(!output.status.success());
    let message = text(&output.stderr);
    assert!(message.contains(".best says 6, but no T is below 7"), "{message}");
}

#[test]
fn the_held_out_part_is_only_scored_when_asked_for() {
    let names = |arguments: &[&str]| {
        let output = score(arguments);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let cases = report["cases"].as_array().unwrap().clone();
        cases.iter().map(|case| case["name"].as_str().unwrap().to_string()).collect::<Vec<_>>()
    };
    let open = names(&["lru", "--json", "--subtask", "9"]);
    assert_eq!(open, ["st09_one-l0-s1", "st09_one-l1-s1", "st09_one-l2-s1"]);
    let held_out = names(&["lru", "--json", "--subtask", "9", "--held-out"]);
    assert!(held_out.iter().all(|name| name.ends_with("-s1001")), "{held_out:?}");
    assert!(!score(&["lru", "--seed", "1001"]).status.success());
}
