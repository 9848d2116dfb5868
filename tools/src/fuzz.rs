//! Samples changed at random, by the million: whatever becomes of them, a solver must give the right
//! answer or refuse.

use crate::evict::{parse_reply, Command, Input, Rules};
use crate::problem::Problem;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// The environment variable that says how many inputs [`check`] tries.
pub const INPUTS: &str = "FUZZ_INPUTS";

/// Samples and inputs are no longer than this, in bytes; what grows beyond is cut off.
const LONGEST: usize = 500;

/// No input may take longer.
const LIMIT: Duration = Duration::from_secs(1);

/// What stands in place of a byte.
const BYTES: &[u8] = b"0123456789 ,-+.eE\n\n\r\t\x0c\0x\xff";

/// What stands in place of a token.
const TOKENS: [&[u8]; 20] = [
    b"0",
    b"1",
    b"2",
    b"-1",
    b"-0",
    b"007",
    b"+3",
    b"127",
    b"128",
    b"0.5",
    b"1e-3",
    b"nan",
    b"inf",
    b"1e400",
    b"4294967296",
    b"9223372036854775807",
    b"-9223372036854775808",
    b"18446744073709551615",
    b"18446744073709551616",
    b"1000000000000000000000000",
];

/// What a solver did: its output, or the line with which it refused the input.
pub type Outcome = Result<String, String>;

/// The judge of a batch problem: the outcome must be the oracle's.
fn agree(expected: Outcome, outcome: &Outcome) -> Result<(), String> {
    match (&expected, outcome) {
        (Ok(expected), Ok(output)) if expected == output => Ok(()),
        (Err(_), Err(_)) => Ok(()),
        _ => Err(format!("expected {expected:?}")),
    }
}

/// The judge of `kv_evict`: a valid input needs a legal reply for each round and nothing more.
/// Numbers beyond the problem's limits may be taken or not.
fn is_legal(input: &[u8], outcome: &Outcome) -> Result<(), String> {
    let is_large = |token: &[u8]| token.iter().filter(|byte| byte.is_ascii_digit()).count() > 9;
    if input.split(u8::is_ascii_whitespace).any(is_large) {
        return Ok(());
    }
    let valid = Input::parse(&String::from_utf8_lossy(input));
    let (input, output) = match (valid, outcome) {
        (Ok(input), Ok(output)) => (input, output),
        (Err(_), Err(_)) => return Ok(()),
        (Ok(_), Err(_)) => return Err("the input is valid".to_string()),
        (Err(error), Ok(_)) => return Err(format!("the input is not valid: {error}")),
    };
    let mut rules = Rules::new(input.s, input.c);
    let mut replies = output.lines();
    for command in &input.commands {
        let Command::Decode(ids) = command else {
            rules.apply(command).map_err(|broken| broken.to_string())?;
            continue;
        };
        let reply = replies.next().ok_or("a reply is missing")?;
        let batch = rules.batch(ids).map_err(|broken| broken.to_string())?;
        rules.decode(batch, &parse_reply(reply)?).map_err(|illegal| illegal.to_string())?;
    }
    replies.next().map_or(Ok(()), |more| Err(format!("nothing is left to answer by {more:?}")))
}

fn judge(problem: Problem, input: &[u8], outcome: &Outcome) -> Result<(), String> {
    match problem.batch() {
        Some(batch) => agree((batch.answer)(input), outcome),
        None => is_legal(input, outcome),
    }
}

/// Changes the short samples of `problem`, in the folder `samples`, at random, and checks what the
/// solver does with each: [`FUZZ_INPUTS`](INPUTS) inputs, or else a `few`. Prints how many were
/// answered and how many refused.
///
/// # Panics
/// If there is no such problem; if a valid input is not answered rightly, an invalid one is answered,
/// or one takes more than a second; if hardly any input is answered, or hardly any refused.
pub fn check(problem: &str, samples: &Path, few: u64, solver: impl Fn(&[u8]) -> Outcome) {
    let count = std::env::var(INPUTS).map_or(few, |count| {
        count.parse().unwrap_or_else(|_| panic!("{INPUTS} is {count:?}, not a number"))
    });
    let judged = Problem::named(problem);
    let samples = short_samples(judged, samples);
    let mut random = StdRng::seed_from_u64(count);
    let (mut answered, mut refused) = (0, 0);
    for _ in 0..count {
        let input = changed(&samples, &mut random);
        let start = Instant::now();
        let outcome = solver(&input);
        let time = start.elapsed();
        let shown = input.escape_ascii();
        assert!(time < LIMIT, "{problem} takes {time:?} on\n{shown}");
        if let Err(why) = judge(judged, &input, &outcome) {
            panic!("{problem}: {why}, got {outcome:?} on\n{shown}");
        }
        *(if outcome.is_ok() { &mut answered } else { &mut refused }) += 1;
    }
    println!("{problem}: {answered} answered, {refused} refused");
    assert!(answered.min(refused) > count / 50, "{answered} answered, {refused} refused");
}

/// The inputs in a folder that are not too long.
fn short_samples(problem: Problem, folder: &Path) -> Vec<Vec<u8>> {
    let paths = problem.samples(folder).into_iter();
    let inputs = paths.map(|path| fs::read(path).expect("a sample can be read"));
    inputs.filter(|input| input.len() <= LONGEST).collect()
}

/// A sample after a few changes.
fn changed(samples: &[Vec<u8>], random: &mut StdRng) -> Vec<u8> {
    let mut input = samples.choose(random).expect("there are samples").clone();
    for _ in 0..random.random_range(1..=4) {
        let other = samples.choose(random).expect("there are samples");
        change(&mut input, other, random);
        input.truncate(LONGEST);
    }
    input
}

/// Changes a byte, a token or a range of `input`, perhaps to one of `other`.
fn change(input: &mut Vec<u8>, other: &[u8], random: &mut StdRng) {
    let place = random.random_range(0..=input.len());
    let end = input.len().min(place + random.random_range(0..12));
    match random.random_range(0..8) {
        0 => drop(input.drain(place..end)),
        1 => {
            let copy = input[place..end].to_vec();
            let target = random.random_range(0..=input.len());
            input.splice(target..target, copy);
        }
        2 => {
            let from = random.random_range(0..=other.len());
            let to = other.len().min(from + random.random_range(0..30));
            input.splice(place..end, other[from..to].iter().copied());
        }
        3 => input.insert(place, *BYTES.choose(random).expect("bytes")),
        4 if place < input.len() => input[place] = *BYTES.choose(random).expect("bytes"),
        _ => {
            let token = token_at(input, place);
            let source = if random.random() { &input[..] } else { other };
            let twin = token_at(source, random.random_range(0..=source.len()));
            let twin = source[twin].to_vec();
            let new = if random.random() {
                twin
            } else {
                TOKENS.choose(random).expect("tokens").to_vec()
            };
            input.splice(token, new);
        }
    }
}

/// The token around a place; an empty range if there is none.
fn token_at(input: &[u8], place: usize) -> std::ops::Range<usize> {
    let before = input[..place].iter().rev().take_while(|byte| !byte.is_ascii_whitespace()).count();
    let behind = input[place..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
    place - before..place + behind
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples")
    }

    #[test]
    #[should_panic(expected = "expected Ok")]
    fn a_wrong_answer_is_found() {
        check("prefix_opt", &samples(), 2000, |input| {
            let right = crate::prefix_opt::answer(input)?;
            Ok(if right == "0 1\n" { "0 2\n".to_string() } else { right })
        });
    }

    #[test]
    #[should_panic(expected = "expected Err")]
    fn an_answer_to_an_invalid_input_is_found() {
        check("kv_retain", &samples(), 2000, |input| {
            Ok(crate::kv_retain::answer(input).unwrap_or_default())
        });
    }

    #[test]
    #[should_panic(expected = "kv_evict: ")]
    fn an_illegal_plan_is_found() {
        check("kv_evict", &samples(), 2000, |input| {
            let input = Input::parse(&String::from_utf8_lossy(input));
            let input = input.map_err(|error| error.to_string())?;
            Ok("EVICT 0\n".repeat(input.rounds()))
        });
    }
}
