//! Making a bundle smaller.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
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

/// `text` without comments, hints to inline, which matter between crates only, last commas before `}`
/// and `]`, and all white space that separates nothing but blocks of lines: of blank lines, one end of
/// a line stays.
///
/// # Panics
/// If the text is not Rust.
pub(super) fn compact(text: &str) -> String {
    let mut tokens = Vec::new();
    flatten(text.parse().expect("a module can be parsed"), &mut tokens);
    // A comment that documents is several tokens, the first of which is all of it.
    let mut comment_end = 0;
    tokens.retain(|token| {
        if text[token.clone()].starts_with("//") {
            comment_end = token.end;
        }
        token.start >= comment_end
    });
    let is = |place: usize, words: &[&str]| {
        let there = tokens[place..].iter().map(|token| &text[token.clone()]);
        there.take(words.len()).eq(words.iter().copied())
    };
    let mut output = String::new();
    let mut place = 0;
    let mut end = 0;
    while let Some(token) = tokens.get(place) {
        const INLINE: [&str; 4] = ["#", "[", "inline", "]"];
        if is(place, &INLINE) {
            place += INLINE.len();
            continue;
        }
        if !is(place, &[",", "}"]) && !is(place, &[",", "]"]) {
            let gap = &text[end..token.start];
            if gap.contains("\n\n") && !output.is_empty() {
                output.push('\n');
            } else if !gap.is_empty() && needs_space(&output, &text[token.clone()]) {
                output.push(' ');
            }
            output += &text[token.clone()];
            end = token.end;
        }
        place += 1;
    }
    output
}

/// Appends the places in the text of all tokens, delimiters too, to `tokens`.
fn flatten(stream: TokenStream, tokens: &mut Vec<Range<usize>>) {
    for token in stream {
        match token {
            TokenTree::Group(group) if group.delimiter() != Delimiter::None => {
                tokens.push(group.span_open().byte_range());
                flatten(group.stream(), tokens);
                tokens.push(group.span_close().byte_range());
            }
            TokenTree::Group(group) => flatten(group.stream(), tokens),
            token => tokens.push(token.span().byte_range()),
        }
    }
}

/// Whether what `before` ends with and `token` would be something else without a space between them:
/// two words, of which a literal may be one, or two signs other than delimiters.
fn needs_space(before: &str, token: &str) -> bool {
    let kind = |sign: char| match sign {
        '(' | ')' | '[' | ']' | '{' | '}' | ',' | ';' => 0,
        '"' | '\'' | '_' => 1,
        sign if sign.is_alphanumeric() => 1,
        _ => 2,
    };
    let around = (before.chars().next_back(), token.chars().next());
    matches!(around, (Some(last), Some(first)) if kind(last) > 0 && kind(last) == kind(first))
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

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_but_layout_gets_lost() {
        let text = "//! Module.\n\n/// Doc.\n#[inline]\npub fn f<'a>(x: &'a [i32; 2]) -> &'a i32 {\n    \
                    // Why.\n    if x[0] < -1 { &x[0] } else { &x[1] } // There.\n}\n\nconst HELP: &str = \
                    \"\\\nOne, two.\n// Three = \\\"3\\\".\n\";\nconst LIST: [char; 2] = [\n    'a',\n    ' ',\n];\n";
        let compact = "pub fn f<'a>(x: &'a[i32;2])-> &'a i32{if x[0]< -1{&x[0]}else{&x[1]}}\nconst \
                       HELP: &str=\"\\\nOne, two.\n// Three = \\\"3\\\".\n\";const LIST:[char;2]=['a',' '];";
        assert_eq!(super::compact(text), compact);
    }
}
