//! The requests on their way into the trie.

use kv_contest::trie::{Locus, Trie};

use super::BATCH;

/// The requests, as places in the trie of all their prefixes.
pub struct Requests {
    pub trie: Trie<u32>,
    /// Where each request ends; request 0 is the empty one.
    pub ends: Vec<Locus>,
    /// The length of each request, also of those that wait.
    pub lengths: Vec<u32>,
    /// Requests that are not in the trie yet, and their tokens.
    waiting: Vec<Waiting>,
    waiting_tokens: Vec<u32>,
}

/// The first `kept` tokens of request `origin`, then the next `fresh` of the waiting tokens.
#[derive(Clone, Copy)]
struct Waiting {
    origin: usize,
    kept: u32,
    fresh: usize,
}

/// A request with more tokens than this does not wait.
const LONG: usize = 256;

impl Requests {
    pub fn new() -> Self {
        Requests {
            trie: Trie::new(),
            ends: vec![Locus::ROOT],
            lengths: vec![0],
            waiting: Vec::with_capacity(BATCH),
            waiting_tokens: Vec::new(),
        }
    }

    /// Adds the request that is the first `kept` tokens of request `origin`, then `fresh` tokens,
    /// of which `read` appends the next few.
    pub fn push(
        &mut self,
        origin: usize,
        kept: u32,
        fresh: usize,
        mut read: impl FnMut(usize, &mut Vec<u32>),
    ) {
        self.lengths.push(kept + fresh as u32);
        if fresh > LONG {
            self.settle();
            let mut end = self.trie.ancestor(self.ends[origin], kept);
            let mut left = fresh;
            while left > 0 {
                let part = left.min(LONG);
                read(part, &mut self.waiting_tokens);
                end = self.trie.insert(end, &self.waiting_tokens);
                self.waiting_tokens.clear();
                left -= part;
            }
            self.ends.push(end);
            return;
        }
        let mut request = Waiting { origin, kept, fresh };
        // What it takes from a waiting request is better taken from where that one has it.
        while request.origin >= self.ends.len() {
            let origin = self.waiting[request.origin - self.ends.len()];
            if kept > origin.kept {
                break;
            }
            request.origin = origin.origin;
        }
        self.waiting.push(request);
        if fresh > 0 {
            read(fresh, &mut self.waiting_tokens);
        }
        if self.waiting.len() == BATCH {
            self.settle();
        }
    }

    /// The tokens of all requests together. O(n).
    pub fn tokens(&self) -> u64 {
        self.lengths.iter().map(|&length| u64::from(length)).sum()
    }

    /// Inserts the requests that wait.
    pub fn settle(&mut self) {
        let known = self.ends.len();
        let mut places = [(Locus::ROOT, 0); BATCH];
        let places = &mut places[..self.waiting.len()];
        for (place, request) in places.iter_mut().zip(&self.waiting) {
            if request.origin < known {
                *place = (self.ends[request.origin], request.kept);
            }
        }
        self.trie.ancestors(places);

        let mut steps = [(Locus::ROOT, 0); BATCH];
        let mut count = 0;
        let mut tokens = &self.waiting_tokens[..];
        for (&(place, _), request) in places.iter().zip(&self.waiting) {
            if request.fresh > 0 {
                steps[count] = (place, tokens[0]);
                count += 1;
                tokens = &tokens[request.fresh..];
            }
        }
        self.trie.touch(&steps[..count]);

        let mut tokens = &self.waiting_tokens[..];
        for (&(place, _), request) in places.iter().zip(&self.waiting) {
            let mut end = place;
            if request.origin >= known {
                end = self.trie.ancestor(self.ends[request.origin], request.kept);
            }
            if request.fresh > 0 {
                let (fresh, later) = tokens.split_at(request.fresh);
                tokens = later;
                end = self.trie.insert(end, fresh);
            }
            self.ends.push(end);
        }
        self.waiting.clear();
        self.waiting_tokens.clear();
    }
}
