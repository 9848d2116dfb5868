//! Hit rate over capacity.

use crate::style::{axes, legend, picture, title, COLORS};
use clap::Args;
use plotters::prelude::*;
use std::collections::HashSet;
use std::path::PathBuf;
use tools::prefix_opt::{belady, lru_hits};
use tools::trace::Trace;

#[derive(Args)]
pub struct Arguments {
    /// A trace in Mooncake's format, plain or compressed by gzip; standard input if "-"
    trace: PathBuf,

    /// Drop the blocks that all requests start with
    #[arg(long)]
    drop_shared: bool,
}

/// Capacities that are looked at.
const POINTS: u32 = 60;

/// The picture.
pub fn draw(arguments: &Arguments) -> Result<String, String> {
    let mut trace = Trace::open(&arguments.trace)?;
    if arguments.drop_shared {
        trace.drop_shared();
    }
    let blocks: usize = trace.requests.iter().map(Vec::len).sum();
    let distinct = trace.requests.iter().flatten().collect::<HashSet<_>>().len();
    if distinct == 0 {
        return Err("the trace has no blocks".to_string());
    }
    let percent = |hits: u64| hits as f64 * 100.0 / blocks as f64;
    let lru = lru_hits(&trace.requests);
    let capacities = capacities(distinct as f64);
    let least_recent = capacities.iter().map(|&c| (c as f64, percent(lru[c.min(lru.len() - 1)])));
    let optimum =
        capacities.iter().map(|&c| (c as f64, percent(belady(&trace.to_prefix_opt(c as u64)))));
    let curves = [("optimum", optimum.collect::<Vec<_>>()), ("LRU", least_recent.collect())];
    let most = curves[0].1.last().expect("there are capacities").1;

    picture((720, 380), |area| {
        let about = format!(
            "{} requests of {blocks} blocks, {distinct} of them distinct",
            trace.requests.len()
        );
        title(area, (60, 10), &about)?;
        let colors = |at: usize| (curves[at].0.to_string(), COLORS[at]);
        legend(area, (60, 36), &[colors(0), colors(1)])?;
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .margin_top(56)
            .x_label_area_size(44)
            .y_label_area_size(52)
            .build_cartesian_2d((1.0..distinct as f64).log_scale(), 0.0..(most * 1.05).max(1.0))?;
        let mut mesh = chart.configure_mesh();
        axes(&mut mesh);
        mesh.x_desc("capacity of the cache (blocks, logarithmic)")
            .y_desc("hit rate (% of the blocks)")
            .x_label_formatter(&|c| format!("{c:.0}"))
            .y_label_formatter(&|rate| format!("{rate:.0}"))
            .draw()?;
        for ((_, points), color) in curves.into_iter().zip(COLORS) {
            chart.draw_series(LineSeries::new(points, color.stroke_width(2)))?;
        }
        Ok(())
    })
}

/// From 1 to `most`, each larger than the one before by the same factor, without repeats.
fn capacities(most: f64) -> Vec<usize> {
    let at = |step: u32| most.powf(f64::from(step) / f64::from(POINTS - 1)).round() as usize;
    let mut capacities: Vec<usize> = (0..POINTS).map(at).collect();
    capacities.dedup();
    capacities
}
