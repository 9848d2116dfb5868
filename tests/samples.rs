//! Every `samples/<binary>/*.in` through the real executable, against the `.out` beside it.

mod common;

use common::{binaries, difference, run, samples};

#[test]
fn every_sample_gives_its_expected_output() {
    let mut failures = Vec::new();
    for binary in binaries() {
        let samples = samples(binary);
        assert!(samples.len() >= 9, "{binary} has only {} samples", samples.len());
        for (path, input, expected) in samples {
            if let Some(difference) = difference(&run(binary, &input), &expected) {
                failures.push(format!("{}: {difference}", path.display()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
