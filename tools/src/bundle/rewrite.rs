//! What has to change in one source file.

use super::Crates;
use std::collections::BTreeSet;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, File, Ident, Item, ItemMod, ItemUse, Macro, Meta, Path, UseTree};

/// Where a file's text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// The root of the bundle: paths to crates resolve as they are.
    Solver,
    /// A module of a solver.
    Nested,
    /// A module of the library, inside `mod kv_contest`.
    Library,
}

/// A replacement of some bytes.
enum Edit {
    Text(Range<usize>, String),
    /// `mod name;`, to be followed by the module's text.
    Module(Range<usize>, String),
}

impl Edit {
    fn range(&self) -> &Range<usize> {
        match self {
            Edit::Text(range, _) | Edit::Module(range, _) => range,
        }
    }
}

/// The edits that make a file part of a bundle.
pub(super) struct Rewrite {
    edits: Vec<Edit>,
    /// Crates that the file uses, and modules of the library as `kv_contest::name`.
    pub(super) reached: BTreeSet<String>,
}

/// The library's name.
const LIBRARY: &str = "kv_contest";

/// What the stand-ins have of each crate.
const KNOWN: [(&str, &[&str]); 2] =
    [("itertools", &["Itertools"]), ("proconio", &["input", "source"])];

/// Methods of `itertools::Itertools` that its stand-in lacks, but for those whose names the standard
/// library uses too: these the compiler has to find.
const LACKING: [&str; 89] = [
    "all_equal",
    "all_equal_value",
    "all_unique",
    "at_most_one",
    "batching",
    "cartesian_product",
    "chunks",
    "circular_tuple_windows",
    "coalesce",
    "collect_array",
    "collect_tuple",
    "collect_vec",
    "combinations",
    "combinations_with_replacement",
    "counts",
    "counts_by",
    "dedup_by_with_count",
    "dedup_with_count",
    "dropping",
    "dropping_back",
    "duplicates",
    "duplicates_by",
    "exactly_one",
    "filter_map_ok",
    "filter_ok",
    "find_or_first",
    "find_or_last",
    "find_position",
    "flatten_ok",
    "fold_ok",
    "fold_options",
    "fold_while",
    "foreach",
    "format",
    "format_with",
    "group_by",
    "interleave",
    "interleave_shortest",
    "into_group_map",
    "into_group_map_by",
    "into_grouping_map",
    "into_grouping_map_by",
    "k_largest",
    "k_smallest",
    "kmerge",
    "kmerge_by",
    "map_into",
    "map_ok",
    "max_set",
    "max_set_by_key",
    "merge_by",
    "merge_join_by",
    "min_set",
    "min_set_by_key",
    "minmax",
    "minmax_by",
    "minmax_by_key",
    "multi_cartesian_product",
    "multipeek",
    "multiunzip",
    "next_array",
    "next_tuple",
    "pad_using",
    "partition_map",
    "partition_result",
    "peeking_take_while",
    "permutations",
    "position_max",
    "position_min",
    "position_minmax",
    "positions",
    "powerset",
    "process_results",
    "rev_update",
    "set_from",
    "sorted",
    "sorted_by",
    "sorted_by_cached_key",
    "sorted_by_key",
    "sorted_unstable_by",
    "sorted_unstable_by_key",
    "tail",
    "take_while_inclusive",
    "tree_reduce",
    "tuple_combinations",
    "tuple_windows",
    "unique",
    "zip_eq",
    "zip_longest",
];

/// Attributes of the language itself; any other is a procedural macro.
const ATTRIBUTES: [&str; 14] = [
    "allow",
    "cfg",
    "cold",
    "default",
    "deny",
    "deprecated",
    "derive",
    "doc",
    "expect",
    "inline",
    "must_use",
    "repr",
    "target_feature",
    "track_caller",
];

/// Traits that the standard library derives.
const DERIVES: [&str; 9] =
    ["Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];

impl Rewrite {
    /// Finds out what to change in `text`; the error says what cannot be bundled, and on which line.
    pub(super) fn of(text: &str, setting: Setting, crates: Crates) -> Result<Self, String> {
        let file: File = syn::parse_file(text).map_err(|error| error.to_string())?;
        let mut finder = Finder {
            text,
            setting,
            crates,
            edits: Vec::new(),
            reached: BTreeSet::new(),
            refusal: None,
        };
        finder.visit_file(&file);
        if let Some(refusal) = finder.refusal {
            return Err(refusal);
        }
        if finder.reached.contains("itertools") && crates == Crates::StandIns {
            refuse_lacking_methods(&file)?;
        }
        Ok(Rewrite { edits: finder.edits, reached: finder.reached })
    }

    /// The changed text; `module` gives the text of a module.
    pub(super) fn apply(
        mut self,
        text: &str,
        mut module: impl FnMut(&str) -> Result<String, String>,
    ) -> Result<String, String> {
        self.edits.sort_by_key(|edit| edit.range().start);
        let mut output = String::new();
        let mut done = 0;
        for edit in &self.edits {
            output += &text[done..edit.range().start];
            done = edit.range().end;
            match edit {
                Edit::Text(_, replacement) => output += replacement,
                Edit::Module(_, name) => {
                    output += &format!(" {{\n{}\n}}", module(name)?.trim());
                }
            }
        }
        Ok(output + &text[done..])
    }
}

struct Finder<'a> {
    text: &'a str,
    setting: Setting,
    crates: Crates,
    edits: Vec<Edit>,
    reached: BTreeSet<String>,
    refusal: Option<String>,
}

impl Finder<'_> {
    fn refuse(&mut self, at: &impl Spanned, what: &str) {
        let line = at.span().start().line;
        self.refusal.get_or_insert_with(|| format!("line {line}: cannot bundle {what}"));
    }

    /// Removes a piece with the lines that it fills.
    fn cut(&mut self, piece: Range<usize>) {
        let before = self.text[..piece.start].trim_end_matches([' ', '\t']);
        let after = &self.text[piece.end..];
        let whole_line = before.is_empty() || before.ends_with('\n');
        match after.find(|c| c != ' ' && c != '\r') {
            Some(rest) if whole_line && after[rest..].starts_with('\n') => {
                let range = before.len()..piece.end + rest + 1;
                self.edits.push(Edit::Text(range, String::new()));
            }
            _ => self.edits.push(Edit::Text(piece, String::new())),
        }
    }

    /// Looks at the first name of a path, and at what it names inside a crate.
    fn root_of_path(&mut self, root: &Ident, inner: &[&Ident]) {
        let name = root.to_string();
        let mut prefix = |name: &str, replacement: String| {
            let start = root.span().byte_range().start;
            self.edits.push(Edit::Text(start..start + name.len(), replacement));
        };
        if name == "crate" && self.setting == Setting::Library {
            prefix("crate", format!("crate::{LIBRARY}"));
            self.reached.extend(inner.iter().map(|module| format!("{LIBRARY}::{module}")));
        } else if name == LIBRARY {
            if self.setting == Setting::Nested {
                prefix(LIBRARY, format!("crate::{LIBRARY}"));
            }
            self.reached.extend(inner.iter().map(|module| format!("{LIBRARY}::{module}")));
        } else if let Some((_, known)) = KNOWN.iter().find(|(crate_name, _)| *crate_name == name) {
            let stand_in = self.crates == Crates::StandIns;
            if stand_in && self.setting != Setting::Solver {
                prefix(&name, format!("crate::{name}"));
            }
            let lacking = inner.iter().find(|part| !known.contains(&part.to_string().as_str()));
            if let (true, Some(part)) = (stand_in, lacking) {
                self.refuse(*part, &format!("{name}::{part}, which its stand-in lacks"));
            }
            self.reached.insert(name);
        }
    }

    fn use_tree(&mut self, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => self.root_of_path(&path.ident, &first_names(&path.tree)),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.use_tree(tree)),
            UseTree::Name(name) => self.root_of_path(&name.ident, &[]),
            UseTree::Rename(rename) => self.root_of_path(&rename.ident, &[]),
            _ => {}
        }
    }

    fn check_attribute(&mut self, attribute: &Attribute) {
        let path = attribute.path();
        let known = ATTRIBUTES.iter().any(|name| path.is_ident(name));
        if path.is_ident("path") {
            self.refuse(attribute, "a module from another path");
        } else if !known && path.segments.first().is_none_or(|first| first.ident != "rustfmt") {
            self.refuse(attribute, "an attribute that may be a procedural macro");
        }
        if path.is_ident("derive") {
            let mut others = false;
            let checked = attribute.parse_nested_meta(|meta| {
                others |= !DERIVES.iter().any(|name| meta.path.is_ident(name));
                Ok(())
            });
            if checked.is_err() || others {
                self.refuse(attribute, "a derived trait that is not the standard library's");
            }
        }
    }
}

/// The names that a tree of `use` imports or goes on with.
fn first_names(tree: &UseTree) -> Vec<&Ident> {
    match tree {
        UseTree::Path(path) => vec![&path.ident],
        UseTree::Name(name) => vec![&name.ident],
        UseTree::Rename(rename) => vec![&rename.ident],
        UseTree::Group(group) => group.items.iter().flat_map(first_names).collect(),
        _ => Vec::new(),
    }
}

fn is_test(attribute: &Attribute) -> bool {
    match &attribute.meta {
        Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        meta => meta.path().is_ident("test"),
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if attributes(item).iter().any(is_test) {
            self.cut(item.span().byte_range());
        } else {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        visit::visit_item_mod(self, item);
        if let (None, Some(end)) = (&item.content, &item.semi) {
            let range = end.span().byte_range();
            self.edits.push(Edit::Module(range, item.ident.to_string()));
        }
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if attribute.path().is_ident("doc") {
            if self.setting == Setting::Library {
                self.cut(attribute.span().byte_range());
            }
        } else {
            self.check_attribute(attribute);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if item.leading_colon.is_none() {
            self.use_tree(&item.tree);
        }
    }

    fn visit_path(&mut self, path: &'ast Path) {
        if path.leading_colon.is_none() && path.segments.len() > 1 {
            self.root_of_path(&path.segments[0].ident, &[&path.segments[1].ident]);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        const READERS: [&str; 5] = ["include", "include_str", "include_bytes", "env", "option_env"];
        if READERS.iter().any(|name| call.path.is_ident(name)) {
            self.refuse(call, "what another file or the environment says");
        }
        visit::visit_macro(self, call);
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        self.refuse(item, "an extern crate");
    }
}

/// The attributes of the items that test code consists of.
fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Refuses method calls that need more of `itertools` than its stand-in has.
fn refuse_lacking_methods(file: &File) -> Result<(), String> {
    struct Calls(Option<String>);
    impl<'ast> Visit<'ast> for Calls {
        fn visit_item(&mut self, item: &'ast Item) {
            if !attributes(item).iter().any(is_test) {
                visit::visit_item(self, item);
            }
        }
        fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
            let name = call.method.to_string();
            if LACKING.contains(&name.as_str()) && self.0.is_none() {
                let line = call.method.span().start().line;
                self.0 = Some(format!(
                    "line {line}: cannot bundle Itertools::{name}, which its stand-in lacks"
                ));
            }
            visit::visit_expr_method_call(self, call);
        }
    }
    let mut calls = Calls(None);
    calls.visit_file(file);
    calls.0.map_or(Ok(()), Err)
}
