//! The table that is printed.

use super::rows::{Row, READING};
use super::Measured;

const MEGABYTE: f64 = 1e6;

/// Prints a line for each row as soon as it is known, and a mean for each problem.
pub struct Table {
    problem: &'static str,
    ratios: Vec<f64>,
}

impl Table {
    /// Prints the heading.
    pub fn new() -> Self {
        println!(
            "{:<38}{:>9}{:>10}{:>8}{:>10}{:>9}",
            "input", "floor ms", "solver ms", "ratio", "input MB", "peak MB"
        );
        Table { problem: "", ratios: Vec::new() }
    }

    /// Prints a row.
    pub fn add(&mut self, row: &Row, measured: &Measured) {
        if row.problem != self.problem {
            self.finish();
            self.problem = row.problem;
        }
        let solver = measured.solver.cpu.as_secs_f64();
        let input = measured.input_bytes as f64 / MEGABYTE;
        let peak = measured.solver.peak_bytes as f64 / MEGABYTE;
        let (floor, ratio) = match measured.floor {
            None => ("-".to_string(), "-".to_string()),
            Some(floor) => {
                // A system's clock may be too coarse to see a short run.
                let floor = floor.cpu.as_secs_f64().max(1e-6);
                self.ratios.push(solver / floor);
                (format!("{:.1}", floor * 1e3), format!("{:.2}", solver / floor))
            }
        };
        let solver = solver * 1e3;
        let name = row.to_string();
        println!("{name:<38}{floor:>9}{solver:>10.1}{ratio:>8}{input:>10.1}{peak:>9.1}");
    }

    /// Prints the geometric mean of the problem's ratios, if it has several of one program.
    pub fn finish(&mut self) {
        let ratios = std::mem::take(&mut self.ratios);
        if ratios.len() > 1 && self.problem != READING {
            let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64;
            let name = format!("{}: geometric mean", self.problem);
            println!("{name:<38}{:>9}{:>10}{:>8.2}", "", "", mean.exp());
        }
    }
}
