//! Request traces of the Mooncake kind, turned into inputs of the two prefix problems.
//!
//! A trace has one JSON object a line; its `hash_ids` are the request's prompt in blocks of
//! tokens. Equal ids mean equal blocks behind equal prefixes, so that a block id serves as a token
//! of both problems, and a cache entry or a unit of load is one block.

use std::fmt::{self, Display};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use serde::Deserialize;

use crate::cli;
use crate::prefix_opt::{Input, Request};

/// The requests of a trace in order, each as its block ids; none is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Block ids, from 0 up.
    pub requests: Vec<Vec<u32>>,
}

/// Why a trace cannot be read.
#[derive(Debug)]
pub enum TraceError {
    /// The stream fails, or is damaged where it is compressed.
    Read(io::Error),
    /// A line is not a request.
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
}

impl Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceError::Read(error) => write!(f, "cannot read the trace: {error}"),
            TraceError::Line { line, problem } => write!(f, "line {line}: {problem}"),
        }
    }
}

impl std::error::Error for TraceError {}

impl From<io::Error> for TraceError {
    fn from(error: io::Error) -> Self {
        TraceError::Read(error)
    }
}

/// A line of a trace, as far as it matters here.
#[derive(Deserialize)]
struct Line {
    hash_ids: Vec<u32>,
}

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

impl Trace {
    /// Reads the trace in a file, or in standard input for "-".
    ///
    /// # Errors
    /// It cannot be read or is no trace; the message names it.
    pub fn open(path: &Path) -> Result<Self, String> {
        let content = cli::read(path)?;
        Trace::read(&content[..]).map_err(|error| format!("{}: {error}", cli::name(path)))
    }

    /// Reads a trace, plain or compressed by gzip. Blank lines and requests without blocks are
    /// left out.
    pub fn read(mut reader: impl Read) -> Result<Self, TraceError> {
        let mut start = Vec::new();
        reader.by_ref().take(GZIP_MAGIC.len() as u64).read_to_end(&mut start)?;
        let is_compressed = start == GZIP_MAGIC;
        let whole = BufReader::new(Cursor::new(start).chain(reader));
        if is_compressed {
            Trace::read_lines(BufReader::new(MultiGzDecoder::new(whole)))
        } else {
            Trace::read_lines(whole)
        }
    }

    fn read_lines(reader: impl BufRead) -> Result<Self, TraceError> {
        let mut requests = Vec::new();
        for (line, text) in (1..).zip(reader.split(b'\n')) {
            let text = text?;
            if text.trim_ascii().is_empty() {
                continue;
            }
            let Line { hash_ids } = serde_json::from_slice(&text)
                .map_err(|error| TraceError::Line { line, problem: without_place(&error) })?;
            if hash_ids.contains(&u32::MAX) {
                let problem = format!("block id {} is too large", u32::MAX);
                return Err(TraceError::Line { line, problem });
            }
            if !hash_ids.is_empty() {
                requests.push(hash_ids);
            }
        }
        Ok(Trace { requests })
    }

    /// Cuts the blocks that all requests start with (a system prompt, usually) off each of them;
    /// requests that consist of nothing else are left out.
    pub fn drop_shared(&mut self) {
        let mut requests = self.requests.iter();
        let mut shared = requests.next().cloned().unwrap_or_default();
        for request in requests {
            let common = shared.iter().zip(request).take_while(|(a, b)| a == b).count();
            shared.truncate(common);
        }
        for request in &mut self.requests {
            request.drain(..shared.len());
        }
        self.requests.retain(|request| !request.is_empty());
    }

    /// The input of `prefix_opt` with a cache of `capacity` blocks. Tokens are block ids plus one,
    /// since that problem's tokens start at 1.
    pub fn to_prefix_opt(&self, capacity: u64) -> Input {
        let token = |&id: &u32| id + 1;
        let requests = self.requests.iter();
        let requests = requests.map(|ids| Request::fresh(ids.iter().map(token).collect()));
        Input { capacity, requests: requests.collect() }
    }

    /// The input of `prefix_router` with `nodes` nodes that hold nothing and do nothing at first.
    /// Tokens are block ids.
    pub fn to_prefix_router(&self, nodes: usize) -> String {
        let mut input = format!("{nodes} {}\n", self.requests.len());
        input += &(vec!["0"; nodes].join(" ") + "\n" + &"0\n".repeat(nodes));
        for request in &self.requests {
            let ids: Vec<String> = request.iter().map(u32::to_string).collect();
            input += &(ids.join(" ") + "\n");
        }
        input
    }
}

/// The parser's complaint with the column; its line number counts within the line only.
fn without_place(error: &serde_json::Error) -> String {
    let complaint = error.to_string();
    match complaint.rsplit_once(" at line ") {
        Some((complaint, _)) => format!("{complaint} at column {}", error.column()),
        None => complaint,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::GzEncoder;
    use flate2::Compression;
    use std::io::Write;

    const TWO: &str = "{\"timestamp\": 0, \"input_length\": 600, \"hash_ids\": [0, 1]}\n\n\
                       {\"hash_ids\": []}\r\n{\"hash_ids\": [0, 2, 3]}";

    fn read(text: &str) -> Result<Trace, String> {
        Trace::read(text.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn plain_and_compressed_traces_are_told_apart() {
        let plain = read(TWO).unwrap();
        assert_eq!(plain.requests, [vec![0, 1], vec![0, 2, 3]]);
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(TWO.as_bytes()).unwrap();
        assert_eq!(Trace::read(&encoder.finish().unwrap()[..]).unwrap(), plain);
        assert_eq!(read("").unwrap().requests, Vec::<Vec<u32>>::new());
    }

    #[test]
    fn a_bad_line_is_named() {
        let cases = [
            ("{\"hash_ids\": [1]}\n{\"hash_ids\": [1}", "line 2: "),
            ("\n\n{\"input_length\": 3}", "line 3: missing field `hash_ids` at column 19"),
            ("{\"hash_ids\": [-1]}", "line 1: invalid value: integer `-1`"),
            ("{\"hash_ids\": [4294967295]}", "line 1: block id 4294967295 is too large"),
            ("{\"hash_ids\": [1.5]}", "line 1: invalid type: floating point `1.5`"),
            ("\u{1f}", "line 1: "),
        ];
        for (text, start) in cases {
            let message = read(text).unwrap_err();
            assert!(message.starts_with(start), "{message:?}");
            assert_eq!(message.lines().count(), 1);
        }
    }

    #[test]
    fn a_compressed_trace_that_is_cut_off_is_an_error() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(TWO.as_bytes()).unwrap();
        let whole = encoder.finish().unwrap();
        let error = Trace::read(&whole[..whole.len() - 9]).unwrap_err();
        assert!(matches!(error, TraceError::Read(_)), "{error}");
    }

    #[test]
    fn shared_blocks_are_those_at_the_start_of_all_requests() {
        let mut trace = Trace { requests: vec![vec![0, 5, 1], vec![0, 5], vec![0, 5, 2, 1]] };
        trace.drop_shared();
        assert_eq!(trace.requests, [vec![1], vec![2, 1]]);
        trace.drop_shared();
        assert_eq!(trace.requests, [vec![1], vec![2, 1]]);
    }

    #[test]
    fn inputs_are_written_as_the_statements_want_them() {
        let trace = read(TWO).unwrap();
        assert_eq!(trace.to_prefix_opt(7).to_string(), "2 7\n0 0 2 1 2\n0 0 3 1 3 4\n");
        assert_eq!(trace.to_prefix_router(3), "3 2\n0 0 0\n0\n0\n0\n0 1\n0 2 3\n");
    }
}
