//! Every `samples/<binary>/*.in` through the real executable, against the `.out` beside it.

mod common;

use common::{difference, run, BINARIES};
use std::fs;
use std::path::Path;

#[test]
fn every_sample_gives_its_expected_output() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let mut failures = Vec::new();
    for binary in BINARIES {
        let mut cases = 0;
        for entry in fs::read_dir(samples.join(binary)).expect("each solver has samples") {
            let path = entry.expect("the folder can be read").path();
            if path.extension().is_some_and(|extension| extension == "in") {
                let input = fs::read(&path).expect("a sample can be read");
                let expected = fs::read_to_string(path.with_extension("out"));
                let expected = expected.unwrap_or_else(|_| panic!("{path:?} has no .out"));
                if let Some(difference) = difference(&run(binary, &input), &expected) {
                    failures.push(format!("{}: {difference}", path.display()));
                }
                cases += 1;
            }
        }
        assert!(cases >= 9, "{binary} has only {cases} samples");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
