//! The floors themselves: plain programs that read, split and parse.

use super::READING;
use std::io::{self, ErrorKind, Read, Write};

/// Reads standard input and parses its numbers as a program for `problem` would, then writes some
/// bytes.
///
/// # Errors
/// Reading or writing fails, or there is no such problem.
pub fn read_and_parse(problem: &str, writes: u64) -> Result<(), String> {
    let seen = match problem {
        "kv_retain" => doubles()?,
        "prefix_opt" => short_integers()?,
        "prefix_router" => integers()?,
        "quant_matmul" => matrices()?,
        READING => whole_input()?.len() as u64,
        _ => return Err(format!("{problem} has no floor")),
    };
    // Whatever was parsed has to be used.
    std::hint::black_box(seen);
    let mut block = vec![b'0'; 1 << 20];
    // The standard library looks for the last end of a line, from behind.
    *block.last_mut().expect("a block has bytes") = b'\n';
    let mut left = writes;
    while left > 0 {
        let part = left.min(block.len() as u64);
        write(&block[..part as usize])?;
        left -= part;
    }
    Ok(())
}

/// Writes to standard output.
///
/// # Errors
/// Writing fails.
pub fn write(bytes: &[u8]) -> Result<(), String> {
    io::stdout().lock().write_all(bytes).map_err(|error| error.to_string())
}

/// Calls `parse` with blocks of standard input that hold whole numbers, followed by 8 blanks.
///
/// Small blocks stay in the processor's cache, and need no new memory from the system.
fn by_blocks(mut parse: impl FnMut(&[u8])) -> Result<(), String> {
    const BLOCK: usize = 1 << 16;
    let mut buffer = vec![b' '; BLOCK + 8];
    let mut stdin = io::stdin().lock();
    let mut kept = 0;
    loop {
        let read = match stdin.read(&mut buffer[kept..BLOCK]) {
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error.to_string()),
        };
        let end = kept + read;
        // A number at the end of the block may go on in the next one.
        let whole = match read {
            0 => end,
            _ => buffer[..end].iter().rposition(|&byte| byte <= b' ').map_or(0, |at| at + 1),
        };
        let part: [u8; 8] = *buffer[whole..].first_chunk().expect("8 bytes follow");
        buffer[whole..whole + 8].fill(b' ');
        parse(&buffer[..whole + 8]);
        buffer[whole..whole + 8].copy_from_slice(&part);
        if read == 0 {
            return Ok(());
        }
        buffer.copy_within(whole..end, 0);
        kept = end - whole;
    }
}

/// Standard input, at once.
fn whole_input() -> Result<Vec<u8>, String> {
    let mut input = Vec::new();
    io::stdin().lock().read_to_end(&mut input).map_err(|error| error.to_string())?;
    Ok(input)
}

/// Every number as a double, into a list; the whole input is read first, as is usual.
fn doubles() -> Result<u64, String> {
    let input = whole_input()?;
    let mut rest = &input[..];
    let mut numbers: Vec<f64> = Vec::new();
    while let Some((&first, behind)) = rest.split_first() {
        if first <= b' ' {
            rest = behind;
            continue;
        }
        let parsed = fast_float2::parse_partial(rest);
        let (number, length) = parsed.map_err(|_| "a number is malformed".to_string())?;
        numbers.push(number);
        rest = &rest[length..];
    }
    Ok(numbers.last().map_or(0, |last| last.to_bits()))
}

/// Every number as an integer, digit by digit, into a list; signs and commas are passed over.
fn integers() -> Result<u64, String> {
    let mut numbers = Vec::new();
    by_blocks(|block| {
        let mut bytes = block.iter();
        while let Some(byte) = bytes.next() {
            let mut digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                continue;
            }
            let mut number = 0u64;
            while digit <= 9 {
                number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
                digit = bytes.next().map_or(10, |byte| byte.wrapping_sub(b'0'));
            }
            numbers.push(number);
        }
    })?;
    Ok(numbers.last().copied().unwrap_or(0))
}

/// Every number as an integer of at most 7 digits, eight bytes at a time.
fn short_integers() -> Result<u64, String> {
    let mut sum = 0u64;
    by_blocks(|block| {
        let mut at = 0;
        while let Some(word) = block.get(at..at + 8) {
            let word = u64::from_le_bytes(word.try_into().expect("8 bytes"));
            if (word as u8) < b'0' {
                at += 1;
                continue;
            }
            // Bytes that end a number lack a bit that all digits have.
            let end = (!word & 0x1010_1010_1010_1010).trailing_zeros();
            let mut number = (word << (68 - end)) & 0x0f0f_0f0f_0f0f_0f0f;
            number = (number.wrapping_mul(2561) >> 8) & 0x00ff_00ff_00ff_00ff;
            number = (number.wrapping_mul(6_553_601) >> 16) & 0x0000_ffff_0000_ffff;
            sum += number.wrapping_mul(42_949_672_960_001) >> 32;
            at += end as usize / 8 + 1;
        }
    })?;
    Ok(sum)
}

/// The left matrix as 8-bit integers, the right one as doubles, a column at a time.
fn matrices() -> Result<u64, String> {
    let mut input = whole_input()?;
    // A blank at the end spares the loop a look at the end for every byte.
    input.push(b' ');
    let mut at = 0;
    let mut number = || -> (i64, usize) {
        while input[at] <= b' ' {
            at += 1;
        }
        let minus = input[at] == b'-';
        at += usize::from(minus);
        let (mut value, mut point) = (0i64, None);
        loop {
            let digit = input[at].wrapping_sub(b'0');
            if digit <= 9 {
                value = value * 10 + i64::from(digit);
            } else if input[at] == b'.' {
                point = Some(at);
            } else {
                let decimals = point.map_or(0, |point| at - point - 1);
                return (if minus { -value } else { value }, decimals);
            }
            at += 1;
        }
    };
    let [m, k, n] = [0; 3].map(|_| number().0 as usize);
    let left: Vec<i8> = (0..m * (k + 2)).map(|_| number().0 as i8).collect();
    let mut column = vec![0.0; k];
    let mut seen = left[left.len() / 2] as u64;
    for _ in 0..n {
        for element in &mut column {
            let (value, decimals) = number();
            *element = value as f64 / UNITS[decimals];
        }
        seen ^= column[k / 2].to_bits();
    }
    Ok(seen)
}

/// Powers of ten.
const UNITS: [f64; 19] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18,
];
