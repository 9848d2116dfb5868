//! Ways to read a list of numbers that its length precedes: the library's, and those that contestants
//! are used to.

use kv_contest::io::Scanner;
use proconio::input;
use proconio::source::Readable;
use std::fmt::Debug;
use std::hint::black_box;
use std::io;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Reads standard input; `numbers` and `way` are those of a row of the table.
///
/// # Panics
/// There is no such way, or the input is malformed.
pub fn read(numbers: &str, way: &str) {
    match numbers {
        "integers" => list::<u32>(way, |scanner, length, numbers| {
            scanner.take_ints(length, 0..=u32::MAX, |number| numbers.push(number));
        }),
        _ => list::<f64>(way, |scanner, length, numbers| {
            const FINITE: RangeInclusive<f64> = f64::MIN..=f64::MAX;
            scanner.take_floats(length, FINITE, |number| numbers.push(number));
        }),
    }
}

fn list<T: Readable<Output = T> + FromStr<Err: Debug>>(
    way: &str,
    scan: impl Fn(&mut Scanner, usize, &mut Vec<T>),
) {
    let mut scanner = Scanner::new(io::stdin().lock());
    let numbers: Vec<T> = match way {
        "scanner" => {
            let length = scanner.int(0..=usize::MAX);
            let mut numbers = Vec::new();
            scan(&mut scanner, length, &mut numbers);
            numbers
        }
        "input-from-scanner" => {
            input! { from &mut scanner, numbers: [T] }
            numbers
        }
        "input" => {
            drop(scanner);
            input! { numbers: [T] }
            numbers
        }
        "split-and-parse" => {
            drop(scanner);
            let text = io::read_to_string(io::stdin().lock()).expect("readable input");
            let numbers = text.split_ascii_whitespace().skip(1);
            numbers.map(|number| number.parse().expect("a number")).collect()
        }
        _ => panic!("no way to read is called {way}"),
    };
    // What was read has to be used.
    black_box(numbers);
}
