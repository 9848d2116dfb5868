//! Makes one self-contained source file of a solver, for judges that take nothing else.
//!
//! The solver's text stays as it is, with its comments; only test items go, and `mod name;` becomes
//! the module itself. Behind it come root modules with the names of the crates that it uses, so that
//! its `use` lines mean the same: `kv_contest`, the reached modules of the library without tests,
//! docs and what nobody calls, and small stand-ins for `proconio` and `itertools`. Inside nested
//! modules, paths to these get `crate::` in front. A bundle that would be too large for a judge loses
//! the comments and the indentation of its modules.

mod rewrite;
mod shrink;

use rewrite::{Rewrite, Setting};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The size that judges accept, in bytes; Codeforces' limit is the smallest.
pub const SIZE_LIMIT: usize = 64 * 1024;

/// Where a bundle's `proconio` and `itertools` come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crates {
    /// Stand-ins in the file: it needs only the standard library.
    StandIns,
    /// The judge, as AtCoder's has them.
    Judge,
}

/// The crates that solvers may use besides the library, and what stands in for them.
const STAND_INS: [(&str, &str); 2] = [
    ("itertools", include_str!("stand_ins/itertools.rs")),
    ("proconio", include_str!("stand_ins/proconio.rs")),
];

/// The names of the solvers in the workspace at `root`, sorted.
pub fn solvers(root: &Path) -> Result<Vec<String>, String> {
    let folder = root.join("src/bin");
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let stem = |entry: fs::DirEntry| Some(entry.path().file_stem()?.to_str()?.to_string());
    let mut names: Vec<String> = entries.flatten().filter_map(stem).collect();
    names.sort_unstable();
    Ok(names)
}

/// The source of the solver `name` of the workspace at `root`, in one file.
///
/// The error names the file and what cannot be bundled: included or relocated files, attributes that
/// may be procedural macros, parts of a crate that its stand-in lacks.
pub fn bundle(root: &Path, name: &str, crates: Crates) -> Result<String, String> {
    let whole = assemble(root, name, crates, false)?;
    // Rather without its modules' comments than not at all.
    if whole.len() <= SIZE_LIMIT {
        Ok(whole)
    } else {
        assemble(root, name, crates, true)
    }
}

/// A bundle; `is_compact` is one without comments and indentation in its modules.
fn assemble(root: &Path, name: &str, crates: Crates, is_compact: bool) -> Result<String, String> {
    let folder = root.join("src/bin");
    let candidates = [folder.join(format!("{name}.rs")), folder.join(name).join("main.rs")];
    let Some(main) = candidates.iter().find(|path| path.is_file()) else {
        let known = solvers(root)?.join(", ");
        return Err(format!("there is no solver {name:?}; the solvers are {known}"));
    };
    let shaped = |text: String| if is_compact { shrink::compact(&text) } else { text };
    let mut reached = BTreeSet::new();
    let mut output = inline(main, true, Setting::Solver, crates, &mut reached, &shaped)?;
    output.truncate(output.trim_end().len());
    output.push('\n');
    let end_of_solver = output.len();

    let mut library = String::new();
    let mut done = BTreeSet::new();
    let modules_of = |reached: &BTreeSet<String>| -> Vec<String> {
        let modules = reached.iter().filter_map(|path| path.strip_prefix("kv_contest::"));
        modules.map(str::to_string).collect()
    };
    while let Some(module) = modules_of(&reached).into_iter().find(|module| !done.contains(module))
    {
        let path = module_file(&root.join("src"), &module)?;
        let text = inline(&path, false, Setting::Library, crates, &mut reached, &shaped)?;
        library += &format!("pub mod {module} {{\n{}\n}}\n", text.trim());
        done.insert(module);
    }

    let mut append = |name: &str, text: &str| {
        // A bundle has whole modules, of which its solver uses a part.
        let lints = "#[allow(dead_code, unused_imports, unused_macros)]";
        output += &format!("\n{lints}\nmod {name} {{\n{}\n}}\n", text.trim());
    };
    if !library.is_empty() {
        append("kv_contest", &library);
    }
    for (name, text) in STAND_INS {
        if crates == Crates::StandIns && reached.contains(name) {
            append(name, text);
        }
    }
    Ok(shrink::prune(output, end_of_solver))
}

/// The text of a file with its modules in place. `is_root` tells that its modules lie beside it.
/// What it refers to outside itself is added to `reached`. All but the solver's root is `shaped`.
fn inline(
    path: &Path,
    is_root: bool,
    setting: Setting,
    crates: Crates,
    reached: &mut BTreeSet<String>,
    shaped: &dyn Fn(String) -> String,
) -> Result<String, String> {
    let complain = |message: String| format!("{}: {message}", path.display());
    let text = fs::read_to_string(path).map_err(|error| complain(error.to_string()))?;
    let rewrite = Rewrite::of(&text, setting, crates).map_err(complain)?;
    reached.extend(rewrite.reached.iter().cloned());

    let beside = is_root || path.file_name().is_some_and(|name| name == "mod.rs");
    let folder =
        if beside { path.parent().unwrap_or(path).to_path_buf() } else { path.with_extension("") };
    let inner = match setting {
        Setting::Solver => Setting::Nested,
        other => other,
    };
    let whole = rewrite.apply(&text, |module| {
        inline(&module_file(&folder, module)?, false, inner, crates, reached, shaped)
    })?;
    Ok(if setting == Setting::Solver { whole } else { shaped(whole) })
}

/// The file of `mod module;` in a module whose files lie in `folder`.
fn module_file(folder: &Path, module: &str) -> Result<PathBuf, String> {
    let candidates = [folder.join(format!("{module}.rs")), folder.join(module).join("mod.rs")];
    let found = candidates.iter().find(|path| path.is_file()).cloned();
    found.ok_or_else(|| format!("{}: there is no file for the module {module}", folder.display()))
}
