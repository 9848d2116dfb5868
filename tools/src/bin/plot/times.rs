//! Logical time by policy and family.

use crate::style::{axes, legend, picture, title, COLORS};
use clap::Args;
use plotters::prelude::*;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use tools::cli;
use tools::evict::baselines::{CLAIRVOYANT, LEADER};

#[derive(Args)]
pub struct Arguments {
    /// What `score --json` printed; standard input if "-"
    report: PathBuf,

    /// The policies to show, at most six; those scored, lru, leader and clairvoyant if absent
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    policy: Vec<String>,
}

/// The report, as far as it matters here.
#[derive(Deserialize)]
struct Report {
    policies: Vec<String>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    family: String,
    bound: u64,
    /// None for a rejected policy.
    times: HashMap<String, Option<u64>>,
}

/// A family with ΣT over the sum of the bounds for each policy, none if one was rejected.
type Row = (String, Vec<Option<f64>>);

/// The picture.
pub fn draw(arguments: &Arguments) -> Result<String, String> {
    let name = cli::name(&arguments.report);
    let report: Report = serde_json::from_slice(&cli::read(&arguments.report)?)
        .map_err(|error| format!("{name}: no report of score --json: {error}"))?;
    let policies = policies(arguments, &report)?;
    let rows = rows(&report, &policies);
    if rows.is_empty() {
        return Err(format!("{name}: no cases"));
    }
    let ratios = rows.iter().flat_map(|row| row.1.iter().flatten());
    let most = ratios.fold(1.0, |most: f64, &ratio| most.max(ratio));

    let (height, count) = (rows.len() as u32 * 20 + 130, rows.len());
    picture((720, height), |area| {
        title(area, (100, 10), "logical time by family of inputs, relative to the lower bound")?;
        let names = policies.iter().cloned().zip(COLORS);
        legend(area, (100, 38), &names.collect::<Vec<_>>())?;
        let span = most - 1.0;
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .margin_top(56)
            .x_label_area_size(44)
            .y_label_area_size(100)
            .build_cartesian_2d(
                1.0 - 0.02 * span..most + 0.02 * span,
                (0..count - 1).into_segmented(),
            )?;
        let family = |place: &SegmentValue<usize>| match place {
            SegmentValue::CenterOf(row) => rows.get(*row).map_or("", |row| &row.0).to_string(),
            _ => String::new(),
        };
        let mut mesh = chart.configure_mesh();
        axes(&mut mesh);
        mesh.y_labels(count)
            .x_desc("ΣT / Σ of the lower bound (1 is the bound, less is better)")
            .x_label_formatter(&|ratio| format!("{ratio:.1}"))
            .y_label_formatter(&family)
            .draw()?;
        for (place, (_, ratios)) in rows.iter().enumerate() {
            let dots =
                ratios.iter().zip(COLORS).filter_map(|(ratio, color)| Some(((*ratio)?, color)));
            let dot = |(ratio, color): (f64, RGBColor)| {
                Circle::new((ratio, SegmentValue::CenterOf(place)), 5, color.filled())
            };
            chart.draw_series(dots.map(dot))?;
        }
        Ok(())
    })
}

fn policies(arguments: &Arguments, report: &Report) -> Result<Vec<String>, String> {
    let mut policies = arguments.policy.clone();
    if policies.is_empty() {
        policies.extend(report.policies.iter().cloned());
        policies.extend(["lru", LEADER, CLAIRVOYANT].map(String::from));
    }
    let mut seen = Vec::new();
    policies.retain(|name| {
        let fresh = !seen.contains(name);
        seen.push(name.clone());
        fresh
    });
    let known = |name: &&String| report.cases.iter().any(|case| case.times.contains_key(*name));
    if let Some(unknown) = policies.iter().find(|name| !known(name)) {
        return Err(format!("the report has no policy {unknown}"));
    }
    if policies.len() > COLORS.len() {
        return Err(format!("{} policies are too many to tell apart", policies.len()));
    }
    Ok(policies)
}

/// The families, by how near the first policy comes to the bound; the worst last, which is on top.
fn rows(report: &Report, policies: &[String]) -> Vec<Row> {
    let mut families: BTreeMap<&str, (u64, Vec<Option<u64>>)> = BTreeMap::new();
    for case in &report.cases {
        let empty = || (0, vec![Some(0); policies.len()]);
        let (bound, times) = families.entry(&case.family).or_insert_with(empty);
        *bound += case.bound;
        for (sum, policy) in times.iter_mut().zip(policies) {
            *sum = sum.zip(case.times.get(policy).copied().flatten()).map(|(sum, time)| sum + time);
        }
    }
    let row = |(family, (bound, times)): (&str, (u64, Vec<Option<u64>>))| {
        let ratio = |time: Option<u64>| Some(time? as f64 / bound as f64);
        (family.to_string(), times.into_iter().map(ratio).collect())
    };
    let mut rows: Vec<Row> = families.into_iter().map(row).collect();
    let loss = |row: &Row| row.1[0].unwrap_or(f64::INFINITY);
    rows.sort_by(|a, b| loss(a).total_cmp(&loss(b)));
    rows
}
