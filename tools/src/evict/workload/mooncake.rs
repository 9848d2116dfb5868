//! A slice of a production trace: when requests came, how long they were, what they shared.
//!
//! Source: the conversation trace of the Mooncake FAST'25 release (kvcache-ai/Mooncake,
//! Apache-2.0), its requests 4000 to 5999. `tools/data/README.md` describes the file.

use flate2::read::GzDecoder;
use std::io::Read;
use std::sync::OnceLock;

/// A request of the trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traced {
    /// Milliseconds since the slice began.
    pub at: u64,
    /// Input tokens.
    pub input: u64,
    /// Generated tokens.
    pub output: u64,
    /// Ids of its input's blocks of 512 tokens. Equal ids mean equal inputs up to there.
    pub blocks: Vec<u32>,
}

/// Mean input tokens of the whole trace.
pub const MEAN_INPUT: u64 = 12_035;
/// Mean generated tokens of the whole trace.
pub const MEAN_OUTPUT: u64 = 343;

const SLICE: &[u8] = include_bytes!("../../../data/mooncake-conversation-2000.txt.gz");

/// The 2000 requests of the slice in order. They are unpacked once.
pub fn slice() -> &'static [Traced] {
    static REQUESTS: OnceLock<Vec<Traced>> = OnceLock::new();
    REQUESTS.get_or_init(|| {
        let mut text = String::new();
        GzDecoder::new(SLICE).read_to_string(&mut text).expect("a sound file");
        text.lines().map(|line| parse(line).expect("a sound line")).collect()
    })
}

/// A line: time, input, output and the ranges of block ids.
fn parse(line: &str) -> Option<Traced> {
    let mut fields = line.split(' ');
    let mut number = || fields.next()?.parse().ok();
    let (at, input, output) = (number()?, number()?, number()?);
    let mut blocks = Vec::new();
    for range in fields.next()?.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        blocks.extend(first.parse::<u32>().ok()?..=last.parse().ok()?);
    }
    Some(Traced { at, input, output, blocks })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slice_is_ordered_and_shares_beginnings() {
        let requests = slice();
        assert_eq!(requests.len(), 2000);
        assert!(requests.windows(2).all(|pair| pair[0].at <= pair[1].at));
        assert_eq!(requests[0].blocks, [0, 1, 2, 3, 4, 5]);
        assert_eq!(requests[1].blocks[..3], [0, 6, 7]);
        let lengths = |request: &Traced| request.input.div_ceil(512) == request.blocks.len() as u64;
        assert!(requests.iter().all(lengths));
    }
}
