//! The ten subtasks of the statement: what each is worth and what it limits.

use crate::evict::{Command, Input, InputError};
use std::fmt;

/// A subtask, numbered from 1 to 10 as in the statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subtask(u8);

/// Inclusive bounds that a subtask sets beyond those of every input. The statement's own limits
/// stand where it sets none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Tokens a block: least and most.
    pub s: (u64, u64),
    /// Blocks of the GPU: least and most.
    pub c: (u64, u64),
    /// Commands: least and most.
    pub q: (u64, u64),
    /// Most references of a request.
    pub k: u64,
    /// Most requests of a batch.
    pub n: u64,
    /// Most input tokens of a request.
    pub p: u64,
    /// Most tokens to generate of a request.
    pub m: u64,
    /// Most requests.
    pub requests: u64,
}

impl Bounds {
    /// The statement's limits on any input.
    pub const STATEMENT: Bounds = Bounds {
        s: (1, 100_000),
        c: (1, 100_000),
        q: (1, 200_000),
        k: 30,
        n: 100_000,
        p: 1_000_000_000_000,
        m: 1_000_000_000_000,
        requests: 100_000,
    };
}

impl Subtask {
    /// All ten, in order.
    pub const ALL: [Subtask; 10] = [
        Subtask(1),
        Subtask(2),
        Subtask(3),
        Subtask(4),
        Subtask(5),
        Subtask(6),
        Subtask(7),
        Subtask(8),
        Subtask(9),
        Subtask(10),
    ];

    /// The subtask of this number, if there is one.
    pub fn new(number: u8) -> Option<Subtask> {
        (1..=10).contains(&number).then_some(Subtask(number))
    }

    /// From 1 to 10.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Points of the contest's 100.
    pub fn weight(self) -> f64 {
        [5.0, 5.0, 17.0, 17.0, 17.0, 17.0, 10.0, 4.0, 4.0, 4.0][usize::from(self.0) - 1]
    }

    /// Its bounds. The statement prints those of subtasks 1 and 2 in one cell.
    pub fn bounds(self) -> Bounds {
        let all = Bounds::STATEMENT;
        match self.0 {
            1 | 2 => Bounds { s: (1, 1), c: (7, 7), q: (7, 7), k: 0, ..all },
            3 => Bounds { s: (1, 16), c: (1, 96), q: (1, 600), k: 4, n: 6, ..all },
            4 => Bounds { s: (1, 32), c: (1, 145), q: (1, 600), k: 2, n: 6, ..all },
            5 => Bounds { s: (1, 16), c: (1, 150), q: (1, 1000), k: 3, n: 7, ..all },
            6 => Bounds { s: (1, 64), c: (1, 140), q: (1, 600), k: 0, n: 5, ..all },
            7 => Bounds { q: (1, 400), k: 2, n: 3, ..all },
            8 => Bounds { k: 0, p: 0, m: 2, ..all },
            9 => Bounds { requests: 1, n: 1, ..all },
            _ => Bounds { q: (1, 20_030), m: 1, n: 10_000, ..all },
        }
    }

    /// Checks everything the statement promises of a test of this subtask, by
    /// [`Input::check_limits`] and its own bounds. Expected O(length).
    ///
    /// # Errors
    /// The first line at which a promise is broken.
    pub fn check(self, input: &Input) -> Result<(), InputError> {
        input.check_limits()?;
        let bounds = self.bounds();
        let fault = |line: usize, what: &str, value: u64, (low, high): (u64, u64)| {
            if (low..=high).contains(&value) {
                return Ok(());
            }
            let message = format!("{self} wants {what} in {low}..={high}, it is {value}");
            Err(InputError { line, message })
        };
        fault(1, "S", input.s, bounds.s)?;
        fault(1, "C", input.c, bounds.c)?;
        fault(1, "q", input.commands.len() as u64, bounds.q)?;
        let mut requests = 0;
        for (index, command) in input.commands.iter().enumerate() {
            let line = Input::line(index);
            match command {
                Command::Add { blocks, p, m, .. } => {
                    requests += 1;
                    fault(line, "k", blocks.len() as u64, (0, bounds.k))?;
                    fault(line, "p", *p, (0, bounds.p))?;
                    fault(line, "m", *m, (1, bounds.m))?;
                    fault(line, "the number of requests", requests, (0, bounds.requests))?;
                }
                Command::Decode(ids) => fault(line, "n", ids.len() as u64, (1, bounds.n))?,
                Command::CreateBlock(_) | Command::DropBlock(_) | Command::Cancel(_) => {}
            }
        }
        Ok(())
    }
}

impl fmt::Display for Subtask {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "subtask {}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_make_a_hundred() {
        assert_eq!(Subtask::ALL.iter().map(|subtask| subtask.weight()).sum::<f64>(), 100.0);
    }

    #[test]
    fn each_bound_is_checked() {
        let text = "4 8 3\nADD 1 0 5 1\nDECODE 1 1\nCREATE_BLOCK 1\n";
        let input = Input::parse(text).unwrap();
        let failing = |number: u8| Subtask(number).check(&input).err().map(|error| error.message);
        assert_eq!(failing(3), None);
        assert!(failing(1).unwrap().contains("subtask 1 wants S in 1..=1, it is 4"));
        assert!(failing(8).unwrap().contains("wants p in 0..=0"));
        let small = Input::parse("1 7 2\nADD 1 0 5 1\nDECODE 1 1\n").unwrap();
        assert!(Subtask(2).check(&small).unwrap_err().message.contains("wants q in 7..=7"));
    }
}
