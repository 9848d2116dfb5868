//! The bundler on small workspaces made for it.

use std::fs;
use std::path::PathBuf;
use tools::bundle::{bundle, Crates};

/// A workspace with these files under `src`.
fn workspace(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&root);
    for (path, text) in files {
        let path = root.join("src").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

#[test]
fn modules_are_inlined_and_paths_into_crates_resolve_from_there() {
    let root = workspace(
        "inlined",
        &[
            ("bin/a/main.rs", "//! Doc.\n\nmod b; // kept\nuse kv_contest::io::run;\n\nfn main() { run() }\n"),
            (
                "bin/a/b.rs",
                "//! B.\nuse kv_contest::trie::Trie;\nuse itertools::Itertools;\nfn f() { proconio::input!(); }\n\
                 #[cfg(test)]\nmod tests { fn gone() {} }\n",
            ),
            ("io.rs", "//! Gone.\n/// Gone.\npub fn run() {} // kept\n#[test]\nfn gone() {}\n"),
            ("trie.rs", "use crate::io;\npub struct Trie;\n"),
        ],
    );
    let text = bundle(&root, "a", Crates::StandIns).unwrap();
    let start = "//! Doc.\n\nmod b {\n//! B.\nuse crate::kv_contest::trie::Trie;\n\
        use crate::itertools::Itertools;\nfn f() { crate::proconio::input!(); }\n} // kept\n\
        use kv_contest::io::run;\n\nfn main() { run() }\n";
    assert_eq!(&text[..start.len()], start);
    assert!(text.contains("pub mod io {\npub fn run() {} // kept\n}\n"), "{text}");
    assert!(
        text.contains("pub mod trie {\nuse crate::kv_contest::io;\npub struct Trie;\n}\n"),
        "{text}"
    );
    assert!(text.contains("mod itertools {") && text.contains("mod proconio {"), "{text}");
    assert!(!text.to_lowercase().contains("gone"), "{text}");

    let text = bundle(&root, "a", Crates::Judge).unwrap();
    assert!(
        text.contains("\nuse itertools::Itertools;") && !text.contains("mod itertools"),
        "{text}"
    );
}

#[test]
fn only_the_modules_that_are_reached_go_in() {
    let files = [
        ("bin/a.rs", "use kv_contest::{io};\nfn main() {}\n"),
        ("io.rs", "pub fn run() {}\n"),
        ("trie.rs", "pub struct Trie;\n"),
    ];
    let text = bundle(&workspace("reached", &files), "a", Crates::StandIns).unwrap();
    assert!(
        text.contains("pub mod io") && !text.contains("Trie") && !text.contains("mod proconio")
    );
}

#[test]
fn what_cannot_be_bundled_is_refused_with_its_place() {
    let cases = [
        ("#[path = \"x.rs\"]\nmod x;", "line 1: cannot bundle a module from another path"),
        ("fn f() {}\nfn g() { include!(\"x\") }", "line 2: cannot bundle what another file"),
        ("fn f() -> &'static str { env!(\"HOME\") }", "line 1: cannot bundle what another file"),
        (
            "#[proconio::fastout]\nfn f() {}",
            "line 1: cannot bundle an attribute that may be a procedural macro",
        ),
        ("#[derive(Clone, Serialize)]\nstruct S;", "line 1: cannot bundle a derived trait"),
        ("extern crate rand;", "line 1: cannot bundle an extern crate"),
        (
            "use proconio::marker::Usize1;",
            "line 1: cannot bundle proconio::marker, which its stand-in lacks",
        ),
        ("use itertools::{Itertools, izip};", "line 1: cannot bundle itertools::izip"),
        (
            "use itertools::Itertools;\nfn f() { [1].iter().tuple_windows::<(_, _)>(); }",
            "line 2: cannot bundle Itertools::tuple_windows",
        ),
        ("mod missing;", "there is no file for the module missing"),
        ("fn 1() {}", "expected identifier"),
    ];
    for (index, (text, message)) in cases.into_iter().enumerate() {
        let root = workspace(&format!("refused-{index}"), &[("bin/a.rs", text)]);
        let refusal = bundle(&root, "a", Crates::StandIns).unwrap_err();
        assert!(refusal.contains(message), "{text}: {refusal}");
    }
    let root = workspace("refused", &[("bin/a.rs", "fn main() {}")]);
    let refusal = bundle(&root, "b", Crates::StandIns).unwrap_err();
    assert_eq!(refusal, "there is no solver \"b\"; the solvers are a");
}
