use super::*;
use crate::io::{attempt, Writer};
use proconio::input;
use proptest::prelude::*;

/// Hands out its bytes a few at a time, as a pipe may.
struct Drip<'a> {
    bytes: &'a [u8],
    portion: usize,
}

impl Read for Drip<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.portion.min(self.bytes.len()).min(buffer.len());
        let (now, later) = self.bytes.split_at(length);
        buffer[..length].copy_from_slice(now);
        self.bytes = later;
        Ok(length)
    }
}

/// What `reader` makes of `input`, whole and in every small portion: all must agree.
fn read<T: PartialEq + std::fmt::Debug>(
    input: &[u8],
    reader: impl Fn(&mut Scanner) -> T,
) -> Result<T, String> {
    let scan = |mut scanner: Scanner| {
        let mut value = None;
        let run = |scanner: &mut Scanner, _: &mut Writer| value = Some(reader(scanner));
        attempt(&mut scanner, &mut Writer::new(std::io::sink()), run)?;
        Ok(value.expect("the reader has run"))
    };
    let whole = scan(Scanner::new(input));
    for portion in 1..4 {
        assert_eq!(scan(Scanner::new(Drip { bytes: input, portion })), whole);
    }
    whole
}

/// The first integer of `text`, with blanks behind it for the fast path to have its window.
fn int(text: &str) -> Result<i64, String> {
    let padded = format!("{text}{:40}", "");
    read(padded.as_bytes(), |scanner| scanner.int(i64::MIN..=i64::MAX))
}

fn float(text: &str) -> Result<f64, String> {
    let short = read(text.as_bytes(), |scanner| scanner.float(f64::MIN..=f64::MAX));
    let padded = format!(" {text}\n{:40}", "");
    let long = read(padded.as_bytes(), |scanner| scanner.float(f64::MIN..=f64::MAX));
    assert_eq!(short.as_ref().map(|v| v.to_bits()).ok(), long.map(|v| v.to_bits()).ok());
    short
}

#[test]
fn integers_of_every_length_are_read() {
    let mut text = String::new();
    for digit in "1234567890123456789".chars() {
        text.push(digit);
        assert_eq!(int(&text), Ok(text.parse().unwrap()));
        assert_eq!(int(&format!("-{text}")), Ok(-text.parse::<i64>().unwrap()));
        assert_eq!(int(&format!("+{text}")), Ok(text.parse().unwrap()));
        assert_eq!(int(&format!("\r\n\t\n 000{text}\t")), Ok(text.parse().unwrap()));
    }
}

#[test]
fn what_is_no_integer_of_the_type_is_refused() {
    for text in [
        "",
        "-",
        "+",
        "x",
        "1x",
        "1.0",
        "--1",
        "1e3",
        "12345678901234567890",
        "9223372036854775808",
        "1\0",
        "\u{b}1",
    ] {
        assert!(int(text).is_err(), "{text:?}");
    }
    assert_eq!(int("-0"), Ok(0));
    for input in ["-0", "-0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20"] {
        assert!(read(input.as_bytes(), |s| s.int(0..=u64::MAX)).is_err(), "{input:?}");
        assert!(read(input.as_bytes(), |s| s.list(0..=u64::MAX).count()).is_err(), "{input:?}");
    }
    assert_eq!(read(b"255 256", |s| [s.int(0..=u8::MAX), s.int(0..=u8::MAX)]).ok(), None);
}

#[test]
fn a_value_outside_its_range_is_refused_with_range_and_place() {
    assert_eq!(
        read(b"3\n 17 ", |s| (s.int(1..=3u32), s.int(1..=16usize))),
        Err(r#"line 2, column 2: expected an integer from 1 to 16, found "17""#.to_string())
    );
    assert_eq!(
        read(b"0.5 1.5", |s| (s.float(0.0..=1.0), s.float(0.0..=1.0))),
        Err(r#"line 1, column 5: expected a number from 0 to 1, found "1.5""#.to_string())
    );
    for text in ["nan", "inf", "-inf", "1e400", "x", ""] {
        assert!(float(text).unwrap_err().contains("expected a finite number"), "{text:?}");
    }
}

#[test]
fn the_end_of_the_input_is_named_with_its_place() {
    assert_eq!(
        read(b"7\r\n \n ", |s| (s.int(0..=9u8), s.int(0..=9u8))),
        Err("line 3, column 2: expected an integer from 0 to 9, found the end of the input"
            .to_string())
    );
}

#[test]
fn what_was_found_is_escaped_and_cut() {
    let input = [b"\xff\"".as_slice(), &[b'a'; 50]].concat();
    let shown = format!(r#"found "\xff\"{}…""#, "a".repeat(38));
    let message = read(&input, |s| s.int(0..=9u8)).unwrap_err();
    assert!(message.ends_with(&shown), "{message}");
}

#[test]
fn lines_end_where_they_end() {
    let lines = |scanner: &mut Scanner| {
        let mut lines = Vec::new();
        while scanner.more() {
            let mut line: Vec<i32> = Vec::new();
            while scanner.more_on_line() {
                line.push(scanner.int_on_line(-99..=99));
            }
            lines.push(line);
        }
        lines
    };
    assert_eq!(read(b"\n 1 2\r\n\n\t3 \n \n-4", lines), Ok(vec![vec![1, 2], vec![3], vec![-4]]));
}

#[test]
fn a_short_line_and_a_long_line_are_refused() {
    let pair = |scanner: &mut Scanner| {
        let pair = (scanner.int_on_line(0..=9u8), scanner.int_on_line(0..=9u8));
        scanner.end_of_line();
        pair
    };
    assert_eq!(read(b"1 2 \r\n3", pair), Ok((1, 2)));
    assert_eq!(
        read(b"1 \n2", pair),
        Err("line 1, column 3: expected an integer from 0 to 9, found the end of the line"
            .to_string())
    );
    assert_eq!(
        read(b"1 2 3\n", pair),
        Err(r#"line 1, column 5: expected the end of the line, found "3""#.to_string())
    );
}

#[test]
fn a_list_is_one_token_of_integers_and_commas() {
    let lists = |scanner: &mut Scanner| {
        let mut lists: Vec<Vec<i64>> = Vec::new();
        while scanner.more() {
            lists.push(scanner.list(i64::MIN..=i64::MAX).collect());
        }
        lists
    };
    let long: Vec<i64> = (0..50_000).map(|value| value * value - 7).collect();
    let text: Vec<String> = long.iter().map(i64::to_string).collect();
    let input = format!(" 1,-2,+03\n4\r\n{} 123456789012345678,5", text.join(","));
    let expected = [vec![1, -2, 3], vec![4], long, vec![123_456_789_012_345_678, 5]];
    assert_eq!(read(input.as_bytes(), lists), Ok(expected.to_vec()));
    for bad in ["1,", ",1", "1,,2", "1, 2", ",", "1,x", "1;2", "1,2.5", "9223372036854775808,1"] {
        let padded = format!("{bad}{:40}", "");
        assert!(read(bad.as_bytes(), lists).is_err(), "{bad:?}");
        assert!(read(padded.as_bytes(), lists).is_err(), "{bad:?}");
    }
    assert_eq!(
        read(b"1,2,\n3", lists),
        Err("line 1, column 5: expected an integer from -9223372036854775808 to \
             9223372036854775807, found the end of the line"
            .to_string())
    );
}

#[test]
fn lines_are_visited_one_by_one_the_blank_ones_too() {
    let lines = |scanner: &mut Scanner| {
        let mut lines: Vec<Vec<u8>> = vec![scanner.ints_on_line(0..=9).collect()];
        while scanner.next_line() {
            lines.push(scanner.ints_on_line(0..=9).collect());
        }
        lines
    };
    let expected = [vec![], vec![1, 2], vec![], vec![], vec![3]];
    assert_eq!(read(b"\n1 2 \r\n\n \n3\n", lines), Ok(expected.to_vec()));
    assert_eq!(read(b"1\n ", lines), Ok(vec![vec![1], vec![]]));
    assert_eq!(read(b"", lines), Ok(vec![vec![]]));
}

#[test]
fn input_takes_its_numbers_from_a_scanner() {
    let header = |scanner: &mut Scanner| {
        input! { from &mut *scanner, l: with In(1..=9usize), budget: with In(l..=2 * l) }
        (l, budget, scanner.int(0..=9usize))
    };
    assert_eq!(read(b"3 5 7", header), Ok((3, 5, 7)));
    assert_eq!(
        read(b"3\n7 7", header),
        Err(r#"line 2, column 1: expected an integer from 3 to 6, found "7""#.to_string())
    );
    assert!(read(b"3", header)
        .unwrap_err()
        .contains("expected an integer from 3 to 6, found the end of the input"));
    assert!(read(b"3 \xff", header).is_err());
}

#[test]
fn tokens_longer_than_a_chunk_and_places_far_into_the_input_are_exact() {
    let lines = 3 * CHUNK;
    let mut input = "12\n".repeat(lines).into_bytes();
    input.extend(std::iter::repeat_n(b'0', 2 * CHUNK));
    input.extend(b"1 x");
    let mut scanner = Scanner::new(input.as_slice());
    let message = attempt(&mut scanner, &mut Writer::new(std::io::sink()), |scanner, _| {
        for _ in 0..lines {
            assert_eq!(scanner.int(0..=99u8), 12);
        }
        assert_eq!(scanner.int(0..=99u8), 1);
        scanner.int(0..=99u8);
    });
    let column = 2 * CHUNK + 3;
    let place = format!(
        "line {}, column {column}: expected an integer from 0 to 99, found \"x\"",
        lines + 1
    );
    assert_eq!(message, Err(place));
}

#[test]
fn the_rest_is_what_has_not_been_consumed() {
    assert_eq!(
        read(b"1 2\n\n3", |s| (s.int(0..=9u8), s.rest().trim_ascii_start().to_vec())),
        Ok((1, b"2\n\n3".to_vec()))
    );
}

/// Decimal notations: with and without point, exponent and sign, up to 30 digits a part.
fn decimal() -> impl Strategy<Value = String> {
    prop_oneof![
        "-?[0-9]{1,9}(\\.[0-9]{0,19})?",
        "-?[0-9]{1,3}\\.[0-9]{14,18}",
        "[-+]?[0-9]{0,30}\\.?[0-9]{1,30}",
        "-?[0-9]{1,17}(\\.[0-9]{1,17})?[eE][-+]?[0-9]{1,3}",
        any::<f64>().prop_filter("finite", |v| v.is_finite()).prop_map(|v| v.to_string()),
        any::<f64>().prop_filter("finite", |v| v.is_finite()).prop_map(|v| format!("{v:e}")),
        (0u64..1 << 12).prop_map(|bits| format!("{:e}", f64::from_bits(bits))),
        (0.0..1.0f64).prop_map(|v| v.to_string()),
        (-1000.0..1000.0f64).prop_map(|v| format!("{v:.6}")),
    ]
}

/// Bytes that matter to a parser of numbers, and some that follow each other in any number.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let common = prop::sample::select(b"0123456789012345678901234567890-. \n".to_vec());
    let other = prop::sample::select(b"+,eE\r\t\x0b\x0c\0\x80\xff/:infa".to_vec());
    prop::collection::vec(prop_oneof![8 => common, 1 => other], 0..60)
}

/// What the standard library makes of `input`, token by token, up to the first that it refuses.
fn parsed<T: std::str::FromStr>(input: &[u8], valid: impl Fn(&T) -> bool) -> (Vec<T>, bool) {
    let mut values = Vec::new();
    for token in input.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty()) {
        match as_text(token).and_then(|text| text.parse().ok()).filter(&valid) {
            Some(value) => values.push(value),
            None => return (values, false),
        }
    }
    (values, true)
}

/// What a scanner makes of `input` with `next`, up to the first token that it refuses.
fn scanned<T: PartialEq + std::fmt::Debug>(
    input: &[u8],
    next: impl Fn(&mut Scanner) -> T,
) -> (Vec<T>, bool) {
    let values = std::cell::RefCell::new(Vec::new());
    let all = read(input, |scanner| {
        values.borrow_mut().clear();
        while scanner.more() {
            let value = next(scanner);
            values.borrow_mut().push(value);
        }
    });
    (values.into_inner(), all.is_ok())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn tokens_are_what_the_standard_library_parses_between_whitespace(input in bytes()) {
        prop_assert_eq!(scanned(&input, |s| s.int(-128..=127i8)), parsed::<i8>(&input, |_| true));
        prop_assert_eq!(scanned(&input, |s| s.int(0..=u64::MAX)), parsed::<u64>(&input, |_| true));
        prop_assert_eq!(
            scanned(&input, |s| s.int(i64::MIN..=i64::MAX)),
            parsed::<i64>(&input, |_| true)
        );
        let floats = scanned(&input, |s| s.float(f64::MIN..=f64::MAX).to_bits());
        let (expected, all) = parsed::<f64>(&input, |value| value.is_finite());
        prop_assert_eq!(floats, (expected.into_iter().map(f64::to_bits).collect(), all));
    }

    #[test]
    fn many_numbers_are_the_same_as_one_after_the_other(input in bytes(), count in 0usize..6) {
        let one_by_one = read(&input, |s| {
            let values: Vec<i8> = (0..count).map(|_| s.int(-99..=99)).collect();
            (values, s.more_on_line(), s.rest().to_vec())
        });
        let many = read(&input, |s| {
            let mut values: Vec<i8> = Vec::new();
            s.take_ints(count, -99..=99, |value| values.push(value));
            (values, s.more_on_line(), s.rest().to_vec())
        });
        prop_assert_eq!(many, one_by_one);
        let one_by_one = read(&input, |s| {
            let values: Vec<u64> = (0..count).map(|_| s.float(-99.0..=99.0).to_bits()).collect();
            (values, s.more_on_line(), s.rest().to_vec())
        });
        let many = read(&input, |s| {
            let mut values: Vec<u64> = Vec::new();
            s.take_floats(count, -99.0..=99.0, |value| values.push(value.to_bits()));
            (values, s.more_on_line(), s.rest().to_vec())
        });
        prop_assert_eq!(many, one_by_one);
    }

    #[test]
    fn the_last_of_many_numbers_is_the_token_at_hand(
        line in prop::collection::vec("-?[0-9]{1,9}[ \n]{1,3}", 1..12),
    ) {
        let count = line.len();
        let text = line.concat();
        let one_by_one: Result<(), _> = read(text.as_bytes(), |s| {
            (0..count).for_each(|_| _ = s.int(i64::MIN..=i64::MAX));
            s.reject("nothing")
        });
        let many: Result<(), _> = read(text.as_bytes(), |s| {
            s.take_ints(count, i64::MIN..=i64::MAX, |_| {});
            s.reject("nothing")
        });
        prop_assert_eq!(many, one_by_one, "{:?}", text);
    }

    #[test]
    fn integers_leave_lines_as_tokens_do(
        text in "([ \n\t]{0,2}-?[0-9]{1,18}[ \n]{1,2}){0,20}",
        calls in prop::collection::vec(0u8..7, 0..40),
    ) {
        let log = |number: fn(&mut Scanner) -> i64| {
            let log = read(text.as_bytes(), |s| {
                let call = |&call: &u8| match call {
                    0 => i64::from(s.more_on_line()),
                    1 => i64::from(s.next_line()),
                    2 => s.count_ints_on_line() as i64,
                    3 if s.more_on_line() => s.int_on_line(i64::MIN..=i64::MAX),
                    _ => number(s),
                };
                calls.iter().map(call).collect::<Vec<_>>()
            });
            log.map_err(|message| message.split(": ").next().unwrap().to_string())
        };
        let by_token = |s: &mut Scanner| {
            let parsed = s.token().and_then(|token| as_text(token)?.parse().ok());
            parsed.unwrap_or_else(|| s.reject("an integer"))
        };
        prop_assert_eq!(log(|s| s.int(i64::MIN..=i64::MAX)), log(by_token));
    }

    #[test]
    fn lists_are_what_the_standard_library_parses_between_commas(input in bytes()) {
        let input: Vec<u8> =
            input.into_iter().map(|byte| if byte == b'.' { b',' } else { byte }).collect();
        let mut expected = (Vec::new(), true);
        for token in input.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty()) {
            let element = |text: &[u8]| as_text(text).and_then(|text| text.parse::<i64>().ok());
            match token.split(|&byte| byte == b',').map(element).collect::<Option<Vec<_>>>() {
                Some(list) => expected.0.push(list),
                None => {
                    expected.1 = false;
                    break;
                }
            }
        }
        let lists = scanned(&input, |s| s.list(i64::MIN..=i64::MAX).collect::<Vec<_>>());
        prop_assert_eq!(lists, expected);
    }

    #[test]
    fn every_double_equals_that_of_the_standard_library_bit_for_bit(text in decimal()) {
        let expected: f64 = text.parse().unwrap();
        prop_assert_eq!(float(&text).map(f64::to_bits).ok(), Some(expected.to_bits()).filter(|_| expected.is_finite()));
    }

    #[test]
    fn many_doubles_equal_those_of_the_standard_library(
        decimals in prop::collection::vec((decimal(), "[ \n]|[ \n]| {2}|\r\n"), 1..30),
    ) {
        let text: String = decimals.iter().map(|(text, space)| format!("{text}{space}")).collect();
        let values: Vec<f64> = decimals.iter().map(|(text, _)| text.parse().unwrap()).collect();
        let count = values.iter().position(|value| value.is_infinite()).unwrap_or(values.len());
        let scanned = read(text.as_bytes(), |scanner| {
            let mut bits = Vec::new();
            scanner.take_floats(count, f64::MIN..=f64::MAX, |value| bits.push(value.to_bits()));
            bits
        });
        prop_assert_eq!(scanned, Ok(values[..count].iter().map(|value| value.to_bits()).collect()));
    }

    #[test]
    fn integers_on_a_line_are_counted_as_strictly_as_they_are_read(
        before in "[0-9] ?",
        line in prop::collection::vec("[-+0]?[0-9]{1,20}|-?[0-9]{1,3}|[-+]|[0-9]-[0-9]|[xé,]", 0..12),
        space in prop::collection::vec("[ ]|[ ]|[ ]{2,9}|[\t\r]|", 12),
        end in "\n7|\n|\r\n-|\né 5|",
    ) {
        let words = line.iter().zip(&space);
        let text = before + " " + &words.map(|(word, space)| format!("{word}{space}")).collect::<String>() + &end;
        let left = |scanner: &mut Scanner| scanner.rest().to_vec();
        let counted = read(text.as_bytes(), |scanner| {
            scanner.int(0..=9);
            (scanner.count_ints_on_line(), left(scanner))
        });
        let values = read(text.as_bytes(), |scanner| {
            scanner.int(0..=9);
            (scanner.ints_on_line(i64::MIN..=i64::MAX).count() as u64, left(scanner))
        });
        prop_assert_eq!(counted, values, "{:?}", text);
    }

    #[test]
    fn the_last_of_counted_integers_is_the_token_at_hand(
        line in prop::collection::vec("-?[0-9]{1,17} {1,3}", 1..12), end in "\n|\r\n|",
    ) {
        let refused = |integers: fn(&mut Scanner)| {
            move |scanner: &mut Scanner| {
                integers(scanner);
                scanner.reject("nothing")
            }
        };
        let text = line.concat() + &end;
        let counted: Result<(), _> =
            read(text.as_bytes(), refused(|scanner| _ = scanner.count_ints_on_line()));
        let values =
            read(text.as_bytes(), refused(|s| _ = s.ints_on_line(i64::MIN..=i64::MAX).count()));
        prop_assert_eq!(counted, values, "{:?}", text);
    }

    #[test]
    fn every_integer_equals_that_of_the_standard_library(text in "[-+]?[0-9]{1,21}") {
        prop_assert_eq!(int(&text).ok(), text.parse::<i64>().ok());
    }
}
