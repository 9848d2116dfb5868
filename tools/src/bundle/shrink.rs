//! Making a bundle smaller.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::HashMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{ImplItemFn, ItemConst, ItemFn, ItemImpl, UseGroup, UseTree};

/// Takes out of `text` every function and constant behind `start` whose name occurs nowhere else but
/// in lists of imports, until there is none.
///
/// # Panics
/// If the text is not Rust.
pub(super) fn prune(mut text: String, start: usize) -> String {
    loop {
        let file = syn::parse_file(&text).expect("a bundle can be parsed");
        let mut names = HashMap::new();
        count_names(text.parse().expect("a bundle can be parsed"), &mut names);
        let mut finder = Finder { start, items: Vec::new(), imports: Vec::new() };
        finder.visit_file(&file);
        for (name, _) in &finder.imports {
            *names.get_mut(name).expect("a name in the text") -= 1;
        }
        let is_unused = |(name, _): &(String, Range<usize>)| names[name] == 1;
        let unused: Vec<_> = finder.items.into_iter().filter(is_unused).collect();
        if unused.is_empty() {
            return text;
        }
        let is_gone = |name: &String| unused.iter().any(|(item, _)| item == name);
        let imports = finder.imports.into_iter().filter(|(name, _)| is_gone(name));
        let mut cuts: Vec<Range<usize>> =
            imports.chain(unused.iter().cloned()).map(|(_, range)| range).collect();
        cuts.sort_by_key(|range| range.start);
        for range in cuts.into_iter().rev() {
            let comma = text[range.end..].starts_with(',');
            text.replace_range(range.start..range.end + usize::from(comma), "");
        }
    }
}

/// `text` without comment lines, indentation, last commas before `}` and `]`, hints to inline, which
/// matter between crates only, and most spaces and ends of lines.
pub(super) fn compact(text: &str) -> String {
    let lines = text.lines().map(str::trim_start);
    let is_code =
        |line: &&str| !(line.is_empty() || line.starts_with("//") || *line == "#[inline]");
    let text = lines.filter(is_code).collect::<Vec<_>>().join("\n");
    let text = text.replace(",\n}", "\n}").replace(",\n]", "\n]");
    let joined = text.lines().map(|line| {
        let is_plain = !line.contains(['"', '/']) && line.ends_with([';', '{', '}', ',', '(', '[']);
        format!("{}{}", tighten(line), if is_plain { "" } else { "\n" })
    });
    joined.collect::<String>().trim_end().to_string()
}

/// A line of code without the spaces between a word and a sign. One between two signs stays: they may
/// mean something else together.
fn tighten(line: &str) -> String {
    if line.contains(['"', '\'']) {
        return line.to_string();
    }
    let is_word = |sign: &char| sign.is_alphanumeric() || *sign == '_';
    let signs: Vec<char> = line.chars().collect();
    let is_needed = |&place: &usize| {
        let around = [place.wrapping_sub(1), place + 1].map(|place| signs.get(place));
        match around {
            [Some(before), Some(after)] => signs[place] != ' ' || is_word(before) == is_word(after),
            _ => true,
        }
    };
    (0..signs.len()).filter(is_needed).map(|place| signs[place]).collect()
}

fn count_names(tokens: TokenStream, names: &mut HashMap<String, usize>) {
    let mut open = vec![tokens.into_iter()];
    while let Some(tokens) = open.last_mut() {
        match tokens.next() {
            Some(TokenTree::Ident(name)) => *names.entry(name.to_string()).or_insert(0) += 1,
            Some(TokenTree::Group(group)) => open.push(group.stream().into_iter()),
            // A format string may have names in it.
            Some(TokenTree::Literal(literal)) => {
                let text = literal.to_string();
                let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
                words.for_each(|word| *names.entry(word.to_string()).or_insert(0) += 1);
            }
            Some(TokenTree::Punct(_)) => {}
            None => drop(open.pop()),
        }
    }
}

/// Looks behind `start` for what could go.
struct Finder {
    start: usize,
    /// Functions and constants.
    items: Vec<(String, Range<usize>)>,
    /// Names in braces of `use` items.
    imports: Vec<(String, Range<usize>)>,
}

impl Finder {
    fn look_at(&mut self, name: &syn::Ident, item: &impl Spanned) {
        let range = item.span().byte_range();
        if range.start >= self.start {
            self.items.push((name.to_string(), range));
        }
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        // What a trait asks for has to be there.
        if item.trait_.is_none() {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_use_group(&mut self, group: &'ast UseGroup) {
        for tree in &group.items {
            let range = tree.span().byte_range();
            match tree {
                UseTree::Name(name) if range.start >= self.start => {
                    self.imports.push((name.ident.to_string(), range));
                }
                tree => self.visit_use_tree(tree),
            }
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.look_at(&item.sig.ident, item);
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.look_at(&item.sig.ident, item);
    }

    fn visit_item_const(&mut self, item: &'ast ItemConst) {
        self.look_at(&item.ident, item);
    }
}
