//! What fills the GPU, round by round.

use crate::style::{axes, legend, picture, title, Area, Drawn, COLORS};
use clap::Args;
use plotters::prelude::*;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use tools::evict::baselines::named;
use tools::evict::{play_watched, Action, Cost, Input, Policy, Replies};
use tools::run::{run, End};
use tools::{cli, solver};

#[derive(Args)]
pub struct Arguments {
    /// The input; standard input if "-"
    input: PathBuf,

    /// Baselines (`score --baselines` names them), paths, or programs of this workspace
    #[arg(default_values = ["lru", "kv_evict"], value_name = "POLICY")]
    policies: Vec<String>,
}

/// Some rounds in a row: the occupancy of the fullest, and what happened in all of them.
#[derive(Clone, Copy, Default)]
struct Column {
    private: u64,
    active: u64,
    idle: u64,
    events: [u64; EVENTS.len()],
}

impl Column {
    fn occupied(&self) -> u64 {
        self.private + self.active + self.idle
    }
}

const EVENTS: [&str; 4] = ["loads", "allocations", "evictions", "preemptions"];

/// The rounds of a policy.
struct Played {
    name: String,
    cost: Cost,
    rounds: Vec<Column>,
}

/// Columns of a picture, so that it stays small and legible.
const COLUMNS: usize = 320;

/// Pixels.
const WIDTH: u32 = 760;
const PANEL: u32 = 320;
const LANES: u32 = 120;
const HEAD: u32 = 34;
const LABELS: u32 = 128;
const LEFT: i32 = LABELS as i32 + 12;

/// The picture.
pub fn draw(arguments: &Arguments) -> Result<String, String> {
    let name = cli::name(&arguments.input);
    let text = String::from_utf8(cli::read(&arguments.input)?)
        .map_err(|error| format!("{name}: {error}"))?;
    let input = Input::parse(&text).map_err(|error| format!("{name}: {error}"))?;
    if input.rounds() == 0 {
        return Err(format!("{name}: no DECODE"));
    }
    let played: Vec<Played> =
        arguments.policies.iter().map(|name| played(name, &input)).collect::<Result<_, _>>()?;
    let most = |event: usize| {
        let columns = played.iter().flat_map(|played| columns(&played.rounds));
        columns.map(|column| column.events[event]).max().unwrap_or(0).max(1)
    };
    let most = [0, 1, 2, 3].map(most);
    picture((WIDTH, HEAD + PANEL * played.len() as u32), |area| {
        let kinds = ["private blocks", "shared, in use", "shared, idle"];
        let kinds = kinds.map(String::from).into_iter().zip(COLORS);
        legend(area, (LEFT, 12), &kinds.collect::<Vec<_>>())?;
        let (_, panels) = area.split_vertically(HEAD);
        for (panel, played) in panels.split_evenly((played.len(), 1)).iter().zip(&played) {
            self::panel(panel, &input, played, most)?;
        }
        Ok(())
    })
}

/// One policy: the occupancy, and below it a lane for each kind of event.
fn panel(area: &Area, input: &Input, played: &Played, most: [u64; EVENTS.len()]) -> Drawn {
    let Cost { loads, allocations, rounds } = played.cost;
    let total = played.cost.total();
    let parts = format!("{loads} loads + {allocations} allocations + {rounds} rounds");
    title(area, (LEFT, 0), &format!("{}: T = {total} = {parts}", played.name))?;
    let rounds = rounds as f64;
    let columns = columns(&played.rounds);
    let width = rounds / columns.len() as f64;
    let (upper, lower) = area.split_vertically(PANEL - LANES);

    let mut chart = ChartBuilder::on(&upper)
        .margin_left(12)
        .margin_right(16)
        .margin_top(26)
        .margin_bottom(8)
        .y_label_area_size(LABELS)
        .build_cartesian_2d(0.0..rounds, 0.0..input.c as f64)?;
    let mut mesh = chart.configure_mesh();
    axes(&mut mesh);
    mesh.disable_x_mesh()
        .y_labels(5)
        .y_desc(format!("blocks, of C = {}", input.c))
        .y_label_formatter(&|blocks| format!("{blocks:.0}"))
        .draw()?;
    // Each reaches down to zero; the lower ones are drawn over the higher ones.
    let layers: [fn(&Column) -> u64; 3] =
        [Column::occupied, |column| column.private + column.active, |column| column.private];
    for (layer, color) in layers.iter().zip([COLORS[2], COLORS[1], COLORS[0]]) {
        let heights = columns.iter().map(|column| layer(column) as f64);
        chart.draw_series([Polygon::new(steps(heights, width, 0.0), color.filled())])?;
    }

    let lanes = EVENTS.len();
    let mut chart = ChartBuilder::on(&lower)
        .margin_left(12)
        .margin_right(16)
        .margin_bottom(8)
        .x_label_area_size(40)
        .y_label_area_size(LABELS)
        .build_cartesian_2d(0.0..rounds, (0..lanes - 1).into_segmented())?;
    let lane = |place: &SegmentValue<usize>| match place {
        // The first lane is on top.
        SegmentValue::CenterOf(at) if *at < lanes => {
            let event = lanes - 1 - at;
            let sum: u64 = columns.iter().map(|column| column.events[event]).sum();
            format!("{sum} {}", EVENTS[event])
        }
        _ => String::new(),
    };
    let mut mesh = chart.configure_mesh();
    axes(&mut mesh);
    mesh.disable_mesh()
        .x_desc("round")
        .y_labels(lanes)
        .x_label_formatter(&|round| format!("{round:.0}"))
        .y_label_formatter(&lane)
        .draw()?;
    let plain = chart.plotting_area().strip_coord_spec();
    let (pixels_wide, pixels_high) = plain.dim_in_pixel();
    let high = f64::from(pixels_high) / lanes as f64;
    for (event, most) in most.into_iter().enumerate() {
        let floor = high * (event + 1) as f64;
        // By the root, so that single events are seen beside the greatest.
        let height = |column: &Column| (column.events[event] as f64 / most as f64).sqrt();
        let heights = columns.iter().map(|column| floor - 0.9 * high * height(column));
        let across = f64::from(pixels_wide) / columns.len() as f64;
        let outline = steps(heights, across, floor);
        let pixel = |(x, y): (f64, f64)| (x.round() as i32, y.round() as i32);
        let outline: Vec<_> = outline.into_iter().map(pixel).collect();
        plain.draw(&Polygon::new(outline, COLORS[4].filled()))?;
    }
    Ok(())
}

/// The outline of bars from `floor` to each height.
fn steps(heights: impl Iterator<Item = f64>, width: f64, floor: f64) -> Vec<(f64, f64)> {
    let mut points = vec![(0.0, floor)];
    let mut x = 0.0;
    for height in heights {
        points.extend([(x, height), (x + width, height)]);
        x += width;
    }
    points.push((x, floor));
    points
}

/// Rounds put together so that there are at most [`COLUMNS`].
fn columns(rounds: &[Column]) -> Vec<Column> {
    let together = rounds.len().div_ceil(COLUMNS);
    let column = |rounds: &[Column]| {
        let fullest = rounds.iter().max_by_key(|round| round.occupied()).expect("not empty");
        let events = |event: usize| rounds.iter().map(|round| round.events[event]).sum();
        Column { events: [0, 1, 2, 3].map(events), ..*fullest }
    };
    rounds.chunks(together).map(column).collect()
}

/// Plays a baseline, or a program by what it replies to the whole input.
fn played(name: &str, input: &Input) -> Result<Played, String> {
    let baseline = named(name, input).map_err(|broken| broken.to_string())?;
    let mut policy: Box<dyn Policy> = match baseline {
        Some(policy) => policy,
        None => Box::new(replies(name, input)?),
    };
    let (mut rounds, mut before) = (Vec::new(), Cost::default());
    let cost = play_watched(input, policy.as_mut(), |rules, plan| {
        let shared = rules.resident().len() as u64;
        let is_idle = |&&block: &&_| rules.block(block).active == 0;
        let idle = rules.resident().iter().filter(is_idle).count() as u64;
        let preempts = |action: &&Action| matches!(action, Action::Preempt(_));
        let preemptions = plan.iter().filter(preempts).count() as u64;
        let now = rules.cost();
        rounds.push(Column {
            private: rules.c() - rules.free() - shared,
            active: shared - idle,
            idle,
            events: [
                now.loads - before.loads,
                now.allocations - before.allocations,
                plan.len() as u64 - preemptions,
                preemptions,
            ],
        });
        before = now;
    });
    let cost = cost.map_err(|failure| format!("{name}: {failure}"))?;
    Ok(Played { name: name.to_string(), cost, rounds })
}

fn replies(name: &str, input: &Input) -> Result<Replies, String> {
    const LIMIT: Duration = Duration::from_secs(60);
    let path = solver::find(name).map_err(|error| error.to_string())?;
    let run = run(Command::new(path), input.to_string().as_bytes(), LIMIT)
        .map_err(|error| format!("{name}: {error}"))?;
    match run.end {
        End::Exit(status) if status.success() => {
            Replies::parse(&String::from_utf8_lossy(&run.output))
                .map_err(|error| format!("{name}: {error}"))
        }
        end => Err(format!("{name} failed: {end:?}")),
    }
}
