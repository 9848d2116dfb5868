//! Bundled solvers: compiled as a judge compiles them, they do what the originals do.

mod common;

use common::{binaries, difference, executable, run, run_program, samples};
use rand::rngs::StdRng;
use rand::SeedableRng;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tools::bundle::{bundle, Crates, SIZE_LIMIT};
use tools::evict::{self, lockstep, Shape};
use tools::problem::Problem;

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder for what a test makes.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

/// Runs a command that must succeed without a word of warning.
#[track_caller]
fn succeed(command: &mut Command) {
    let output = command.output().expect("the command starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !stderr.contains("warning"), "{command:?}:\n{stderr}");
}

/// Bundles all solvers and compiles them with nothing but the compiler.
fn compiled(edition: &str) -> Vec<(&'static str, PathBuf)> {
    let folder = scratch(&format!("bundles-{edition}"));
    let compile = |binary| {
        let text = bundle(workspace(), binary, Crates::StandIns).expect("it can be bundled");
        assert!(text.len() <= SIZE_LIMIT, "{binary}: {} bytes", text.len());
        let source = folder.join(format!("{binary}.rs"));
        fs::write(&source, text).expect("the bundle can be written");
        let program = folder.join(format!("{binary}{}", env::consts::EXE_SUFFIX));
        let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        succeed(
            Command::new(compiler)
                .args(["-O", "--edition", edition, "-o"])
                .arg(&program)
                .arg(&source)
                .env_remove("RUSTFLAGS"),
        );
        (binary, program)
    };
    binaries().map(compile).collect()
}

/// Checks that a program prints what is expected for each sample, and what the original prints for
/// random inputs, bad ones among them.
fn check(binary: &str, program: &Path) {
    for (path, input, expected) in samples(binary) {
        if let Some(difference) = difference(&run_program(program, &input), &expected) {
            panic!("{}: {difference}", path.display());
        }
    }
    let small = Problem::named(binary).small();
    for seed in 0..300 {
        let mut input = small(&mut StdRng::seed_from_u64(seed)).into_bytes();
        if seed % 10 == 0 {
            let middle = input.len() / 2;
            input[middle] = b'x';
        }
        let (original, bundled) = (run(binary, &input), run_program(program, &input));
        assert_eq!(
            (bundled.code, &bundled.stdout, &bundled.stderr),
            (original.code, &original.stdout, &original.stderr),
            "{binary}, seed {seed}"
        );
    }
    let help = |program: &Path| Command::new(program).arg("--help").output().expect("it starts");
    assert_eq!(help(program), help(&executable(binary)), "{binary}");
    if binary == "kv_evict" {
        for seed in 0..100 {
            let input = evict::random(&mut StdRng::seed_from_u64(seed), &Shape::SMALL);
            let options = lockstep::Options::default();
            let report = lockstep::run(Command::new(program), &input, &options).expect("it starts");
            report.outcome.unwrap_or_else(|rejection| panic!("seed {seed}: {rejection}"));
        }
    }
}

#[test]
fn bundles_need_only_the_compiler_in_edition_2021() {
    compiled("2021").iter().for_each(|(binary, program)| check(binary, program));
}

#[test]
fn bundles_need_only_the_compiler_in_edition_2024() {
    compiled("2024").iter().for_each(|(binary, program)| check(binary, program));
}

#[test]
fn bundles_that_leave_crates_to_the_judge_compile_with_its_versions() {
    let package = scratch("bundles-with-crates");
    fs::create_dir_all(package.join("src/bin")).expect("a folder can be made");
    for binary in binaries() {
        let text = bundle(workspace(), binary, Crates::Judge).expect("it can be bundled");
        fs::write(package.join("src/bin").join(format!("{binary}.rs")), text).expect("written");
    }
    let manifest = "[package]\nname = \"judge\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
        [dependencies]\nproconio = \"=0.5.0\"\nitertools = \"=0.14.0\"\n[workspace]\n";
    fs::write(package.join("Cargo.toml"), manifest).expect("written");
    fs::copy(workspace().join("Cargo.lock"), package.join("Cargo.lock")).expect("copied");
    let target = package.join("target");
    succeed(
        Command::new(env!("CARGO"))
            .args(["build", "--release", "--offline", "--target-dir"])
            .arg(&target)
            .current_dir(&package),
    );
    for binary in binaries() {
        check(binary, &target.join(format!("release/{binary}{}", env::consts::EXE_SUFFIX)));
    }
}

#[test]
fn a_bundle_begins_with_the_solver_and_has_no_tests() {
    for binary in binaries() {
        let text = bundle(workspace(), binary, Crates::StandIns).unwrap();
        let folder = workspace().join("src/bin");
        let original = fs::read_to_string(folder.join(format!("{binary}.rs")))
            .or_else(|_| fs::read_to_string(folder.join(binary).join("main.rs")))
            .unwrap();
        let first_screen: Vec<_> = original.lines().take(25).collect();
        assert_eq!(text.lines().take(25).collect::<Vec<_>>(), first_screen);
        assert!(!text.contains("#[test]") && !text.contains("cfg(test)"), "{binary}");
        assert!(!text.contains("proptest"), "{binary}");
    }
}
