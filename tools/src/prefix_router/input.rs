//! An input, and how the statement writes it.

use std::fmt;

/// An input of `prefix_router`; `to_string` gives it as the statement writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// The load of each node.
    pub loads: Vec<u64>,
    /// The sequences in the cache of each node.
    pub caches: Vec<Vec<Vec<i64>>>,
    /// The requests in order.
    pub requests: Vec<Vec<i64>>,
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}", self.loads.len(), self.requests.len())?;
        separated(f, &self.loads, " ")?;
        writeln!(f)?;
        for sequences in &self.caches {
            write!(f, "{}", sequences.len())?;
            for sequence in sequences {
                write!(f, " ")?;
                separated(f, sequence, ",")?;
            }
            writeln!(f)?;
        }
        for request in &self.requests {
            separated(f, request, " ")?;
            writeln!(f)?;
        }
        Ok(())
    }
}

fn separated(
    f: &mut fmt::Formatter<'_>,
    numbers: &[impl fmt::Display],
    separator: &str,
) -> fmt::Result {
    for (index, number) in numbers.iter().enumerate() {
        let separator = if index > 0 { separator } else { "" };
        write!(f, "{separator}{number}")?;
    }
    Ok(())
}
