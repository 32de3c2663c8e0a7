//! `wwi sweep`: a scenario over values of one knob or several. All points share their random numbers.

use crate::compute::{compute, read, read_given, split_set, warn, Answer, Asking, Bar};
use crate::input::scenario_text;
use crate::table::{ci, number, time_ms, Table};
use crate::threads::{cores, heed, is_interrupted, on_threads};
use crate::{write_out, Fault};
use serde::Serialize;
use std::fmt::Write;
use std::num::NonZeroUsize;
use wwi_model::experiment::Figures;
use wwi_scenario::acts::Warning;
use wwi_scenario::canonical::join;
use wwi_scenario::metrics::{self, Metric, METRICS};
use wwi_scenario::scenario::Scenario;
use wwi_scenario::value::quoted;

/// Most points of one sweep.
const MAX_POINTS: usize = 10_000;

/// So many faults of points are told, and the rest are not looked for.
const MAX_FAULTS: usize = 100;

/// Which scenario and which values.
#[derive(clap::Args)]
pub struct SweepArguments {
    /// A preset, a link or a JSON file.
    scenario: String,
    /// knob=a:b, knob=a:b:step or knob=a,b,c; several span a grid.
    #[arg(long = "over", value_name = "KNOB=VALUES", required = true)]
    over: Vec<String>,
    /// knob=value; may be repeated.
    #[arg(long = "set", value_name = "KNOB=VALUE")]
    sets: Vec<String>,
    /// Root of all randomness.
    #[arg(long)]
    seed: Option<u64>,
    /// Relative 95 % half-width to stop at.
    #[arg(long)]
    precision: Option<f64>,
    /// A figure of the catalogue to print as well; that of the preset where nothing is said.
    #[arg(long, value_name = "NAME")]
    metric: Option<String>,
    /// Comma-separated values.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// JSON.
    #[arg(long)]
    json: bool,
    /// Threads that share the points; all that there are where nothing is said. What is printed is the same.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

#[derive(Serialize)]
struct Point {
    values: Vec<String>,
    query: String,
    /// Why it has no figures; absent where it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
    #[serde(flatten)]
    figures: Option<PointFigures>,
}

#[derive(Serialize)]
struct PointFigures {
    /// The figure asked for; absent where it does not apply, or the queue that it is of grows.
    #[serde(skip_serializing_if = "Option::is_none")]
    metric: Option<f64>,
    /// The queue that it is of grows without bound, so that it would say how long the run went on.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    metric_grows: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    metric_ci95: Option<f64>,
    lio_per_s: f64,
    lio_per_s_ci95: Option<f64>,
    transactions_per_s: f64,
    response_ms: f64,
    response_ms_ci95: Option<f64>,
    resmgr_wait_ms: Option<f64>,
    cpu_busy_threads: f64,
    precision: Option<f64>,
    truncated: bool,
    events: u64,
}

#[derive(Serialize)]
struct Sweep<'a> {
    version: u32,
    scenario: &'a str,
    over: Vec<&'a str>,
    metric: &'a str,
    /// Values that were given and change nothing at any point.
    warnings: Vec<Warning>,
    points: Vec<Point>,
}

/// Runs every point and prints them.
pub fn sweep(arguments: &SweepArguments) -> Result<String, Fault> {
    heed();
    let text = scenario_text(&arguments.scenario)?;
    let mut faults = Fault::new();
    let mut sets = Vec::new();
    for set in &arguments.sets {
        split_set(set).map_or_else(|fault| faults.push(fault), |set| sets.push(set));
    }
    let mut axes = Vec::new();
    for over in &arguments.over {
        axis(over).map_or_else(|fault| faults.push(fault), |axis| axes.push(axis));
    }
    sets.extend(arguments.seed.map(|seed| ("seed".to_owned(), seed.to_string())));
    sets.extend(arguments.precision.map(|precision| ("precision".to_owned(), precision.to_string())));
    let count = axes.iter().map(|(_, values)| values.len()).product::<usize>();
    if count > MAX_POINTS {
        faults.push(format!("--over makes {count} points; at most {MAX_POINTS}"));
    }
    let metric = metric(arguments.metric.as_deref(), &text).map_err(|fault| faults.push(fault));
    let (Ok(metric), true) = (metric, faults.is_empty()) else {
        return Err(faults);
    };
    let grid = grid(&axes);
    let (scenarios, warnings) = scenarios(&text, &sets, &grid)?;
    warn(&warnings);
    let threads = arguments.threads.map_or_else(cores, NonZeroUsize::get);
    let points = points(grid, &scenarios, metric, threads)?;
    let faults: Fault = points.iter().filter_map(fault_of).collect();
    if faults.len() == points.len() {
        return Err(faults);
    }
    let told = told(arguments, metric, &axes, warnings, points)?;
    if faults.is_empty() {
        return Ok(told);
    }
    // The other points are told all the same.
    write_out(&told)?;
    Err(faults)
}

/// Why a point has no figures, with what it is.
fn fault_of(point: &Point) -> Option<String> {
    point.fault.as_ref().map(|fault| format!("{}: {fault}", point.query))
}

/// All points as they were asked for.
fn told(
    arguments: &SweepArguments,
    metric: &Metric,
    axes: &[Axis],
    warnings: Vec<Warning>,
    points: Vec<Point>,
) -> Result<String, Fault> {
    let names: Vec<&str> = axes.iter().map(|(knob, _)| knob.as_str()).collect();
    if arguments.json {
        let sweep =
            Sweep { version: 1, scenario: &arguments.scenario, over: names, metric: metric.id, warnings, points };
        return serde_json::to_string_pretty(&sweep).map(|json| json + "\n").map_err(|error| vec![error.to_string()]);
    }
    Ok(if arguments.csv { csv(&names, metric, &points) } else { columns(&names, metric, &points) })
}

/// The figure that is asked for, else that of the preset.
fn metric(asked: Option<&str>, text: &str) -> Result<&'static Metric, String> {
    let Some(id) = asked else {
        let preset = read(text, &[]).ok().and_then(|scenario| scenario.preset);
        return Ok(preset.and_then(|preset| metrics::find(preset.metric)).unwrap_or(&METRICS[0]));
    };
    known_metric("--metric", id)
}

/// The figure of that name, which `flag` asks for, or the fault that there is none.
pub fn known_metric(flag: &str, id: &str) -> Result<&'static Metric, String> {
    metrics::find(id).ok_or_else(|| {
        let known: Vec<&str> = METRICS.iter().map(|metric| metric.id).collect();
        format!("{flag} {}: there is no such figure; there are {}", quoted(id), known.join(", "))
    })
}

/// What is on the axis must be precise; throughput has mean response and the server beside it.
fn figures_for(metric: &Metric) -> Figures {
    match metric.id {
        metrics::DEFAULT => Figures::ThroughputAndResponse,
        _ => Figures::One(metric.figure()),
    }
}

type Axis = (String, Vec<String>);

/// Reads `knob=a:b[:step]` or `knob=a,b,c`.
fn axis(text: &str) -> Result<Axis, String> {
    let usage = || format!("--over {}: write knob=a:b, knob=a:b:step or knob=a,b,c", quoted(text));
    let (knob, values) = text.split_once('=').ok_or_else(usage)?;
    if !values.contains(':') {
        let values: Vec<String> = values.split(',').map(|value| value.trim().to_owned()).collect();
        return if values.iter().any(String::is_empty) { Err(usage()) } else { Ok((knob.to_owned(), values)) };
    }
    let numbers: Vec<f64> =
        values.split(':').map(|n| n.trim().parse()).collect::<Result<_, _>>().map_err(|_| usage())?;
    let (from, to, step) = match numbers[..] {
        [from, to] => (from, to, if from <= to { 1.0 } else { -1.0 }),
        [from, to, step] => (from, to, step),
        _ => return Err(usage()),
    };
    let steps = ((to - from) / step + 1e-9).floor();
    if !(0.0..MAX_POINTS as f64).contains(&steps) {
        return Err(format!(
            "--over {}: from {from} to {to} in steps of {step} makes no list of at most {MAX_POINTS}",
            quoted(text)
        ));
    }
    // Rounded so that 0.1 + 0.2 reads 0.3.
    let value = |k: usize| ((from + step * k as f64) * 1e9).round() / 1e9;
    Ok((knob.to_owned(), (0..=steps as usize).map(|k| value(k).to_string()).collect()))
}

/// Values of a point.
type Row = Vec<(String, String)>;

/// All points, the last axis fastest.
fn grid(axes: &[Axis]) -> Vec<Row> {
    let mut grid: Vec<Row> = vec![Vec::new()];
    for (knob, values) in axes {
        grid = grid
            .iter()
            .flat_map(|row| {
                values.iter().map(move |value| {
                    let mut row = row.clone();
                    row.push((knob.clone(), value.clone()));
                    row
                })
            })
            .collect();
    }
    grid
}

/// The scenario of a point, or why it has none.
type Read = Result<Scenario, String>;

/// Every point is read before the first is run, so that a mistake in all of them costs no time. A value is warned of
/// where it changes nothing at any point.
fn scenarios(text: &str, sets: &[(String, String)], grid: &[Row]) -> Result<(Vec<Read>, Vec<Warning>), Fault> {
    let mut scenarios = Vec::new();
    let mut idle: Option<Vec<Warning>> = None;
    let mut faults = Fault::new();
    for row in grid {
        if faults.len() >= MAX_FAULTS && idle.is_none() {
            break;
        }
        let all: Row = sets.iter().chain(row).cloned().collect();
        match read_given(text, &all) {
            Ok((scenario, warnings)) => {
                scenarios.push(Ok(scenario));
                let is_here = |known: &Warning| warnings.iter().any(|warning| warning.path == known.path);
                idle = Some(match idle {
                    Some(known) => known.into_iter().filter(is_here).collect(),
                    None => warnings,
                });
            }
            Err(lines) => {
                scenarios.push(Err(lines.join("; ")));
                if faults.len() < MAX_FAULTS {
                    let fresh: Fault = lines.into_iter().filter(|line| !faults.contains(line)).collect();
                    faults.extend(fresh);
                }
            }
        }
    }
    match idle {
        Some(warnings) => Ok((scenarios, warnings)),
        None => Err(faults),
    }
}

/// Runs every point, on so many threads.
fn points(grid: Vec<Row>, scenarios: &[Read], metric: &Metric, threads: usize) -> Result<Vec<Point>, Fault> {
    let bar = Bar::new(grid.len() as u64);
    let inputs: Vec<(Row, &Read)> = grid.into_iter().zip(scenarios).collect();
    let points = on_threads(threads, &inputs, |(row, scenario)| {
        let point = match scenario {
            Ok(scenario) => point(row, scenario, metric, &bar),
            Err(fault) => Point::without(row, (join("", row).trim_start_matches('?').to_owned(), fault.clone())),
        };
        bar.step(&join("", row));
        (!is_interrupted()).then_some(point)
    });
    bar.finish();
    let whole: Vec<_> = points.into_iter().flatten().collect();
    if whole.len() < inputs.len() {
        return Err(vec![format!("interrupted after {} of {} points", whole.len(), inputs.len())]);
    }
    Ok(whole)
}

fn point(row: &Row, scenario: &Scenario, metric: &Metric, bar: &Bar) -> Point {
    let asking = Asking { figures: figures_for(metric), ..Asking::default() };
    let answer = compute(scenario, &asking, bar);
    let fault = answer.report.fault.map(|fault| fault.to_string());
    match fault {
        Some(fault) => Point::without(row, (answer.asked.query, fault)),
        None => {
            Point { values: values_of(row), figures: Some(figures(metric, &answer)), query: answer.asked.query, fault }
        }
    }
}

fn values_of(row: &Row) -> Vec<String> {
    row.iter().map(|(_, value)| value.clone()).collect()
}

impl Point {
    fn without(row: &Row, (query, fault): (String, String)) -> Point {
        Point { values: values_of(row), query, fault: Some(fault), figures: None }
    }
}

fn figures(metric: &Metric, answer: &Answer) -> PointFigures {
    let report = &answer.report;
    let metric_grows = metric.figure().is_endless(report);
    let value = metric.read(report, answer.asked.sessions).filter(|_| !metric_grows);
    let wait = report.waits.iter().find(|wait| wait.event.starts_with("resmgr"));
    PointFigures {
        metric: value.as_ref().map(|value| value.mean),
        metric_ci95: value.and_then(|value| value.ci95),
        metric_grows,
        lio_per_s: report.lio_per_s.mean,
        lio_per_s_ci95: report.lio_per_s.ci95,
        transactions_per_s: report.transactions_per_s.mean,
        response_ms: report.response.mean_ms.mean,
        response_ms_ci95: report.response.mean_ms.ci95.filter(|_| answer.growing.is_empty()),
        resmgr_wait_ms: wait.filter(|wait| wait.duration.count > 0).map(|wait| wait.duration.mean_ms.mean),
        cpu_busy_threads: report.nodes.iter().map(|node| node.cpu_busy_threads.mean).sum(),
        precision: report.precision_reached,
        truncated: report.truncated,
        events: report.events,
    }
}

fn csv(names: &[&str], metric: &Metric, points: &[Point]) -> String {
    let mut out = format!(
        "{},{id},{id}_ci95,lio_per_s,lio_per_s_ci95,transactions_per_s,response_ms,response_ms_ci95,\
         resmgr_wait_ms,cpu_busy_threads,truncated\n",
        names.join(","),
        id = metric.id,
    );
    let optional = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    for Point { values, figures, .. } in points {
        let values = values.join(",");
        let Some(point) = figures else {
            out += &format!("{values},,,,,,,,,,\n");
            continue;
        };
        let _ = writeln!(
            out,
            "{values},{},{},{},{},{},{},{},{},{},{}",
            optional(point.metric),
            optional(point.metric_ci95),
            point.lio_per_s,
            optional(point.lio_per_s_ci95),
            point.transactions_per_s,
            point.response_ms,
            optional(point.response_ms_ci95),
            optional(point.resmgr_wait_ms),
            point.cpu_busy_threads,
            point.truncated
        );
    }
    out
}

fn columns(names: &[&str], metric: &Metric, points: &[Point]) -> String {
    let mut table = Table::new(&["<", ">", ">", ">", ">", ">"]);
    let title = format!("{}, {}", metric.title, metric.unit);
    let rest = ["M LIO/s", "Response", "resmgr wait", "Threads busy"].map(str::to_owned);
    let [lio, response, wait, busy] = rest;
    table.row([names.join(" × "), title, lio, response, wait, busy]);
    table.rule();
    for Point { values, figures, .. } in points {
        let values = values.join(" × ");
        let Some(point) = figures else {
            table.row([values, "–".to_owned(), String::new(), String::new(), String::new(), String::new()]);
            continue;
        };
        table.row([
            values,
            match point.metric {
                Some(value) => format!("{}{}", number(value), ci(point.metric_ci95)),
                None => if point.metric_grows { "grows" } else { "–" }.to_owned(),
            },
            format!("{}{}", number(point.lio_per_s / 1e6), ci(point.lio_per_s_ci95.map(|half| half / 1e6))),
            time_ms(point.response_ms),
            point.resmgr_wait_ms.map(time_ms).unwrap_or_default(),
            format!("{}{}", number(point.cpu_busy_threads), if point.truncated { " truncated" } else { "" }),
        ]);
    }
    let faults: Vec<String> = points.iter().filter_map(fault_of).collect();
    let why = faults.iter().map(|fault| format!("\n{fault}\n")).collect::<String>();
    table.render() + &why
}

#[cfg(test)]
mod tests {
    use super::axis;

    #[test]
    fn lists_of_values() {
        let read =
            |text| axis(text).map_or_else(|fault| fault, |(knob, values)| format!("{knob} {}", values.join(" ")));
        assert_eq!(read("sessions=1:4"), "sessions 1 2 3 4");
        assert_eq!(read("sessions=8:1:-3"), "sessions 8 5 2");
        assert_eq!(read("lio_us=0.1:0.3:0.1"), "lio_us 0.1 0.2 0.3");
        assert_eq!(read("os_scheduler=CFS,EEVDF"), "os_scheduler CFS EEVDF");
        assert_eq!(read("sessions"), "--over “sessions”: write knob=a:b, knob=a:b:step or knob=a,b,c");
        assert!(read("sessions=1:5:0").contains("makes no list"));
        assert!(read("sessions=1:1e9").contains("makes no list"));
    }
}
