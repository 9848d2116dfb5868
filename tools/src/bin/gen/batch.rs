//! Inputs of the batch problems: drawn evenly, or hard in one respect.

use clap::Args;
use rand::rngs::StdRng;
use rand::SeedableRng;
use tools::{kv_retain, prefix_opt, prefix_router, quant_matmul};

#[derive(Args)]
pub struct KvRetain {
    /// Layers, L
    #[arg(long, default_value_t = 32, value_name = "L", value_parser = at_least(1))]
    layers: u64,

    /// Heads of a layer, H
    #[arg(long, default_value_t = 32, value_name = "H", value_parser = at_least(1))]
    heads: u64,

    /// Positions, N
    #[arg(long, default_value_t = 200, value_name = "N", value_parser = at_least(1))]
    positions: u64,

    /// Decimals of a score
    #[arg(long, default_value_t = 6, value_name = "D", value_parser = clap::value_parser!(u8).range(1..=19))]
    decimals: u8,

    /// What everything is drawn from
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
}

impl KvRetain {
    /// The text of an input.
    ///
    /// # Errors
    /// It is too large.
    pub fn generate(&self) -> Result<String, String> {
        let size = [self.layers, self.heads, self.positions];
        check_count("scores", &size)?;
        let rng = &mut StdRng::seed_from_u64(self.seed);
        Ok(kv_retain::uniform(rng, size.map(|size| size as usize), self.decimals.into()))
    }
}

#[derive(Args)]
pub struct QuantMatmul {
    /// Rows of the left matrix
    #[arg(value_parser = at_least(1))]
    m: u64,

    /// Columns of the left matrix, rows of the right one
    #[arg(value_parser = at_least(1))]
    k: u64,

    /// Columns of the right matrix
    #[arg(value_parser = at_least(1))]
    n: u64,

    /// Decimals of a real number
    #[arg(long, default_value_t = 3, value_name = "D", value_parser = clap::value_parser!(u8).range(1..=18))]
    decimals: u8,

    /// What everything is drawn from
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
}

impl QuantMatmul {
    /// The text of an input.
    ///
    /// # Errors
    /// It is too large.
    pub fn generate(&self) -> Result<String, String> {
        check_count("elements of the left matrix", &[self.m, self.k])?;
        check_count("elements of the right matrix", &[self.k, self.n])?;
        let size = [self.m, self.k, self.n].map(|size| size as usize);
        let rng = &mut StdRng::seed_from_u64(self.seed);
        Ok(quant_matmul::uniform(rng, size, self.decimals.into()))
    }
}

#[derive(Args)]
pub struct PrefixOpt {
    /// What is hard about it, see --list
    shape: String,

    /// Requests, n, at most
    #[arg(long, default_value_t = 500_000, value_name = "N", value_parser = at_least(16))]
    requests: u64,

    /// Tokens given, the sum of all m, at most
    #[arg(long, default_value_t = 2_000_000, value_name = "N", value_parser = at_least(32))]
    tokens: u64,

    /// Entries of the cache, C
    #[arg(long, default_value_t = 1000, value_name = "C")]
    capacity: u64,

    /// What everything is drawn from
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
}

impl PrefixOpt {
    /// The text of an input.
    ///
    /// # Errors
    /// There is no such shape, or the size is too small for it.
    pub fn generate(&self) -> Result<String, String> {
        let shape = prefix_opt::SHAPES.iter().find(|shape| shape.name == self.shape);
        let shape = shape.ok_or_else(|| no_shape(&self.shape))?;
        if self.tokens < 2 * self.requests {
            return Err("a shape needs twice as many tokens as requests".to_string());
        }
        let (requests, tokens) = (self.requests as usize, self.tokens as usize);
        Ok(shape.input(requests, tokens, self.capacity, self.seed).to_string())
    }
}

#[derive(Args)]
pub struct PrefixRouter {
    /// What is hard about it, see --list
    shape: String,

    /// Nodes, N, at most
    #[arg(long, default_value_t = prefix_router::Size::FULL.nodes as u64, value_name = "N", value_parser = at_least(4))]
    nodes: u64,

    /// Requests, M, at most
    #[arg(long, default_value_t = prefix_router::Size::FULL.requests as u64, value_name = "N", value_parser = at_least(16))]
    requests: u64,

    /// Tokens in all caches and requests, at most
    #[arg(long, default_value_t = prefix_router::Size::FULL.tokens as u64, value_name = "N")]
    tokens: u64,

    /// What everything is drawn from
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
}

impl PrefixRouter {
    /// The text of an input.
    ///
    /// # Errors
    /// There is no such shape, or the size is too small for it.
    pub fn generate(&self) -> Result<String, String> {
        let shape = prefix_router::SHAPES.iter().find(|shape| shape.name == self.shape);
        let shape = shape.ok_or_else(|| no_shape(&self.shape))?;
        let [nodes, requests, tokens] =
            [self.nodes, self.requests, self.tokens].map(|size| size as usize);
        if tokens < 10 * (nodes + requests) {
            return Err("a shape needs ten times as many tokens as nodes and requests".to_string());
        }
        let size = prefix_router::Size { nodes, requests, tokens };
        Ok(shape.input(size, self.seed).to_string())
    }
}

fn no_shape(name: &str) -> String {
    format!("no shape {name}, see --list")
}

/// No input has more of anything: it would not fit a machine's memory.
const MOST: u64 = 1 << 32;

/// A size that fits a machine's memory.
fn at_least(least: u64) -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(least..=MOST)
}

/// Checks that the product of some sizes is a number of `things` that fits a machine's memory.
fn check_count(things: &str, sizes: &[u64]) -> Result<(), String> {
    let product = sizes.iter().try_fold(1, |product: u64, &size| product.checked_mul(size));
    match product {
        Some(..=MOST) => Ok(()),
        _ => Err(format!("more than {MOST} {things}")),
    }
}

/// The generators: solver, name and what they make.
pub fn list() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let opt = prefix_opt::SHAPES.iter().map(|shape| ("prefix_opt", shape.name, shape.about));
    let router =
        prefix_router::SHAPES.iter().map(|shape| ("prefix_router", shape.name, shape.about));
    std::iter::once(("kv_retain", "", "scores drawn evenly")).chain(opt).chain(router).chain([(
        "quant_matmul",
        "",
        "numbers drawn evenly",
    )])
}
