//! The problems by name: the one list from which commands and tests know them.

use crate::evict::{self, Shape};
use crate::{kv_retain, prefix_opt, prefix_router, quant_matmul, wrong};
use clap::ValueEnum;
use rand::Rng;
use std::fs;
use std::path::{Path, PathBuf};

/// A problem, named like its solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Problem {
    /// Sparse retention
    KvRetain,
    /// Cache eviction, interactive
    KvEvict,
    /// Offline prefix cache
    PrefixOpt,
    /// Prefix-aware router
    PrefixRouter,
    /// Quantized matrix product
    QuantMatmul,
}

/// What there is for a problem with one right answer to each input.
#[derive(Clone, Copy)]
pub struct Batch {
    /// The answer by brute force, or why the input is not valid.
    pub answer: fn(&[u8]) -> Result<String, String>,
    /// A small dense input.
    pub small: fn(&mut dyn Rng) -> String,
    /// Plausible wrong solvers.
    pub wrong: &'static [wrong::Wrong],
    /// What they are without their mistakes.
    pub right: fn(&str) -> String,
}

impl Problem {
    /// All problems.
    pub fn all() -> &'static [Problem] {
        Problem::value_variants()
    }

    /// The problem of this name.
    ///
    /// # Panics
    /// If there is none.
    pub fn named(name: &str) -> Problem {
        let found = Problem::all().iter().find(|problem| problem.name() == name);
        *found.unwrap_or_else(|| panic!("{name} is no problem"))
    }

    /// The name of the problem, its solver and its folder of samples.
    pub fn name(self) -> &'static str {
        match self {
            Problem::KvRetain => "kv_retain",
            Problem::KvEvict => "kv_evict",
            Problem::PrefixOpt => "prefix_opt",
            Problem::PrefixRouter => "prefix_router",
            Problem::QuantMatmul => "quant_matmul",
        }
    }

    /// A small dense input.
    pub fn small(self) -> fn(&mut dyn Rng) -> String {
        match self.batch() {
            Some(batch) => batch.small,
            None => |mut rng| evict::random(&mut rng, &Shape::SMALL).to_string(),
        }
    }

    /// The inputs of the problem in a folder of samples, ascending.
    ///
    /// # Panics
    /// If there are none.
    pub fn samples(self, folder: &Path) -> Vec<PathBuf> {
        let files = fs::read_dir(folder.join(self.name())).expect("there are samples");
        let paths = files.map(|entry| entry.expect("the folder can be read").path());
        let is_input = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "in");
        let mut inputs: Vec<PathBuf> = paths.filter(is_input).collect();
        assert!(!inputs.is_empty(), "{} has no samples", self.name());
        inputs.sort();
        inputs
    }

    /// What there is for a problem with one right answer; none for `kv_evict`, where any legal plan
    /// will do.
    pub fn batch(self) -> Option<Batch> {
        Some(match self {
            Problem::KvEvict => return None,
            Problem::KvRetain => Batch {
                answer: kv_retain::answer,
                small: |mut rng| kv_retain::small(&mut rng),
                wrong: &wrong::kv_retain::ALL,
                right: wrong::kv_retain::right,
            },
            Problem::PrefixOpt => Batch {
                answer: prefix_opt::answer,
                small: |mut rng| prefix_opt::small(&mut rng, 12).to_string(),
                wrong: &wrong::prefix_opt::ALL,
                right: wrong::prefix_opt::right,
            },
            Problem::PrefixRouter => Batch {
                answer: prefix_router::answer,
                small: |mut rng| prefix_router::small(&mut rng),
                wrong: &wrong::prefix_router::ALL,
                right: wrong::prefix_router::right,
            },
            Problem::QuantMatmul => Batch {
                answer: quant_matmul::answer,
                small: |mut rng| quant_matmul::small(&mut rng),
                wrong: &wrong::quant_matmul::ALL,
                right: wrong::quant_matmul::right,
            },
        })
    }
}
