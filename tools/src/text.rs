//! Whitespace-separated input for the oracles, read the plain way.

use std::str::FromStr;

/// The tokens of an input, in order.
#[derive(Clone, Copy)]
pub struct Tokens<'a> {
    rest: &'a [u8],
}

impl<'a> Tokens<'a> {
    /// The tokens of `input`.
    pub fn new(input: &'a [u8]) -> Self {
        Tokens { rest: input }
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether only whitespace is left.
    pub fn is_empty(&self) -> bool {
        self.rest.trim_ascii().is_empty()
    }

    /// The next token as it is; an error at the end.
    pub fn word(&mut self) -> Result<&'a str, String> {
        let text = self.rest.trim_ascii_start();
        let length = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at(length);
        self.rest = rest;
        if word.is_empty() {
            return Err("the input ends too early".to_string());
        }
        std::str::from_utf8(word).map_err(|error| error.to_string())
    }

    /// The next token as a value that `valid` accepts.
    pub fn next<T: FromStr>(&mut self, valid: impl Fn(&T) -> bool) -> Result<T, String> {
        parse(self.word()?, valid)
    }
}

/// `word` as a value that `valid` accepts.
pub fn parse<T: FromStr>(word: &str, valid: impl Fn(&T) -> bool) -> Result<T, String> {
    word.parse().ok().filter(valid).ok_or_else(|| format!("{word:?} is not valid here"))
}
