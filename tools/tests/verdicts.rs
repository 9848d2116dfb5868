//! `judge`, `stress` and `oracle` for the batch problems, as a user runs them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ORACLE: &str = env!("CARGO_BIN_EXE_oracle");

fn judge(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_judge")).args(arguments).output().unwrap()
}

fn stress(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_stress")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A file with an input of `kv_retain` whose answer is `0,1 1`: a tie goes to the earlier head.
fn tie(name: &str) -> String {
    let path = folder(name).join("tie.in");
    fs::write(&path, "1 2 2 3\n0.5 0.5 0.5 0.5\n1\n").unwrap();
    path.to_str().unwrap().to_string()
}

/// The exit code and the first line.
fn verdict(output: &Output) -> (Option<i32>, String) {
    let first = text(&output.stdout).lines().next().unwrap_or_default().to_string();
    (output.status.code(), first)
}

#[test]
fn the_verdict_says_what_is_wrong_first() {
    let input = tie("verdicts");
    let solver = [&["kv_retain", &input, "--", ORACLE][..], &["kv_retain"]].concat();
    assert_eq!(verdict(&judge(&solver)), (Some(0), "AC".to_string()));
    let output = judge(&[&solver[..], &["--wrong", "1"]].concat());
    let expected = "WA  line 1, token 1: expected \"0,1\", found \"1\"";
    assert_eq!(verdict(&output), (Some(1), expected.to_string()));
    let costs = text(&output.stdout).lines().nth(1).unwrap().to_string();
    assert!(costs.contains(" s, ") && costs.contains(" s of it busy"), "{costs}");

    let output = judge(&[&solver[..], &["--wrong", "100"]].concat());
    let (code, line) = verdict(&output);
    assert!(code == Some(1) && line.starts_with("RE  exit"), "{line}");
}

#[test]
fn a_program_that_runs_too_long_is_stopped() {
    let input = tie("limit");
    let arguments = ["kv_retain", &input, "--limit", "0", "--", ORACLE, "kv_retain"];
    let (code, line) = verdict(&judge(&arguments));
    assert_eq!((code, line.as_str()), (Some(1), "TLE  still running after 0ns"));
}

#[test]
fn the_right_answer_may_be_given() {
    let input = tie("given");
    let solver = ["--", ORACLE, "kv_retain"];
    let answer = Path::new(&input).with_extension("answer");
    fs::write(&answer, "0,1  1 \n\n").unwrap();
    let given = ["kv_retain", &input, "--answer", answer.to_str().unwrap()];
    assert_eq!(verdict(&judge(&[&given[..], &solver].concat())).0, Some(0));

    let beside = Path::new(&input).with_extension("out");
    fs::write(&beside, "0 1\n").unwrap();
    let (code, line) = verdict(&judge(&[&["kv_retain", &input][..], &solver].concat()));
    assert_eq!((code, &line[..2]), (Some(1), "WA"));
    assert_eq!(verdict(&judge(&[&given[..], &solver].concat())).0, Some(0));
}

#[test]
fn what_cannot_be_judged_is_told_in_one_line() {
    let input = tie("unsound");
    fs::write(&input, "1 2 2 3\n0.5 1.5\n").unwrap();
    for arguments in [
        &["kv_retain", &input, "--", ORACLE][..],
        &["kv_retain", "no such file", "--", ORACLE],
        &["kv_evict", &input, "--answer", &input],
        &["prefix_opt", "-", "--", "no such program"],
    ] {
        let output = judge(arguments);
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b""[..]));
        let message = text(&output.stderr);
        assert!(message.starts_with("judge: ") && message.lines().count() == 1, "{message}");
    }
}

#[test]
fn stress_finds_a_mistake_and_keeps_it_small() {
    let folder = folder("stress");
    let to = folder.to_str().unwrap();
    let wrong = ["--", ORACLE, "prefix_router", "--wrong", "4"];
    let ties = ["prefix_router", "--folder", to, "--name", "a-tie"];
    let output = stress(&[&ties[..], &wrong].concat());
    assert_eq!(output.status.code(), Some(1));
    let report = text(&output.stdout);
    assert!(report.starts_with("seed ") && report.contains(": WA  line 1, token "), "{report}");

    let hack = folder.join("hack-a-tie.in");
    let input = fs::read(&hack).unwrap();
    assert!(report.contains(&text(&input)), "{report}");
    // Two nodes and a request that both suit.
    assert_eq!(text(&input), "2 1\n0 0 \n0\n0\n1\n");
    let answer = fs::read(hack.with_extension("out")).unwrap();
    assert_eq!(text(&answer), tools::prefix_router::answer(&input).unwrap());
    let judged = judge(&[&["prefix_router", hack.to_str().unwrap()][..], &wrong].concat());
    assert_eq!(judged.status.code(), Some(1));
}

#[test]
fn stress_judges_plans_of_kv_evict() {
    let folder = folder("stress_evict");
    let to = folder.to_str().unwrap();
    let lru = ["--tries", "20", "--", env!("CARGO_BIN_EXE_evict_lru")];
    let output = stress(&[&["kv_evict", "--folder", to][..], &lru].concat());
    assert_eq!(verdict(&output), (Some(0), "AC  20 inputs".to_string()));
    let output = stress(&["kv_evict", "--folder", to, "--name", "mute", "--", ORACLE]);
    let (code, line) = verdict(&output);
    assert!(code == Some(1) && line.contains(": RE  line "), "{line}");
    let hack = fs::read_to_string(folder.join("hack-mute.in")).unwrap();
    let input = tools::evict::Input::parse(&hack).unwrap();
    assert!(input.rounds() <= 1 && !folder.join("hack-mute.out").exists(), "{hack}");
}

#[test]
fn a_right_solver_passes_the_search() {
    let right = ["--tries", "20", "--", ORACLE, "quant_matmul"];
    let output = stress(&[&["quant_matmul"][..], &right].concat());
    assert_eq!(verdict(&output), (Some(0), "AC  20 inputs".to_string()));
}

#[test]
fn the_oracle_lists_and_makes_mistakes() {
    let oracle = |arguments: &[&str]| {
        let output = Command::new(ORACLE).args(arguments).output().unwrap();
        (output.status.code(), text(&output.stdout))
    };
    let input = tie("oracle");
    assert_eq!(oracle(&["kv_retain", &input]), (Some(0), "0,1 1\n".to_string()));
    assert_eq!(oracle(&["kv_retain", &input, "--wrong", "1"]), (Some(0), "1 0,1\n".to_string()));
    let (_, mistakes) = oracle(&["kv_retain", "--mistakes"]);
    assert_eq!(mistakes.lines().count(), tools::wrong::kv_retain::ALL.len());
    assert_eq!(oracle(&["kv_evict", &input]).0, Some(1));
}
