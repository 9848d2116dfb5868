//! `plot` as a program: well-formed SVG that says what it shows.

use roxmltree::Document;
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// The statement's sample of `kv_evict`, T = 7.
const SAMPLE: &str = "4 3 6\nCREATE_BLOCK 10\nADD 1 1 10 7 2\nADD 2 1 10 6 2\nDECODE 2 1 2\n\
                      DECODE 1 1\nDECODE 1 2\n";

fn plot(arguments: &[&str], input: &str) -> Output {
    let mut plot = Command::new(env!("CARGO_BIN_EXE_plot"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    plot.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    plot.wait_with_output().unwrap()
}

/// The texts of a picture.
fn texts(output: &Output) -> Vec<String> {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let svg = std::str::from_utf8(&output.stdout).unwrap();
    let document = Document::parse(svg).expect("well-formed");
    assert_eq!(document.root_element().tag_name().name(), "svg");
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.map(|node| node.text().unwrap_or_default().trim().to_string()).collect()
}

#[track_caller]
fn assert_texts(output: &Output, expected: &[&str]) {
    let texts = texts(output);
    for label in expected {
        assert!(texts.iter().any(|text| text == label), "no {label:?} in {texts:?}");
    }
}

#[test]
fn occupancy_is_drawn_for_one_policy_above_the_other() {
    let lru = env!("CARGO_BIN_EXE_evict_lru");
    let output = plot(&["occupancy", "-", "lru", lru], SAMPLE);
    let parts = "T = 7 = 1 loads + 3 allocations + 3 rounds";
    assert_texts(
        &output,
        &[
            &format!("lru: {parts}"),
            &format!("{lru}: {parts}"),
            "round",
            "blocks, of C = 3",
            "3 allocations",
            "1 preemptions",
            "private blocks",
        ],
    );
}

#[test]
fn times_are_drawn_from_a_report() {
    let report = r#"{"policies": ["mine"], "cases": [
        {"family": "rr", "bound": 10, "times": {"mine": 12, "lru": 20, "fifo": 11}},
        {"family": "rr", "bound": 10, "times": {"mine": null, "lru": 20, "fifo": 11}},
        {"family": "one", "bound": 10, "times": {"mine": 10, "lru": 15, "fifo": 11}}]}"#;
    let output = plot(&["times", "-", "--policy", "mine,lru"], report);
    assert_texts(&output, &["mine", "lru", "rr", "one", "1.5"]);
    // A rejected policy has no dot.
    let svg = String::from_utf8(output.stdout).unwrap();
    assert_eq!(svg.matches("<circle").count(), 3);
    assert!(!texts(&plot(&["times", "-", "--policy", "lru"], report)).contains(&"mine".into()));
}

#[test]
fn hits_are_drawn_from_a_trace() {
    let trace = "{\"hash_ids\": [1, 2]}\n{\"hash_ids\": [3]}\n{\"hash_ids\": [1, 2]}\n";
    let labels = ["optimum", "LRU", "hit rate (% of the blocks)"];
    let output = plot(&["hits", "-"], trace);
    assert_texts(&output, &[&labels[..], &["3 requests of 5 blocks, 3 of them distinct"]].concat());
}

#[test]
fn what_cannot_be_drawn_is_told_in_one_line() {
    for (arguments, input) in [
        (&["occupancy", "-", "lru"][..], "4 3 1\nDECODE 1 1\n"),
        (&["occupancy", "-", env!("CARGO_BIN_EXE_oracle")], SAMPLE),
        (&["times", "-"], "{}"),
        (&["times", "-", "--policy", "nobody"], "{\"policies\": [], \"cases\": []}"),
        (&["hits", "-"], ""),
    ] {
        let output = plot(arguments, input);
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(1), &b""[..]));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.lines().last().unwrap().starts_with("plot: "), "{message}");
    }
}
