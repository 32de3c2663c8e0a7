//! `wwi validate`: every published figure beside the simulated one. Misses stay in the list.

use crate::compute::{compute, read, Asking, Bar};
use crate::table::{ci, number, Table};
use crate::threads::{cores, on_threads};
use crate::Fault;
use serde::Serialize;
use std::collections::BTreeMap;
use wwi_model::experiment::Figures;
use wwi_scenario::canonical::canonical;
use wwi_scenario::figures::{self, Answered, Figure, Reading, Tolerance, Verdict};
use wwi_scenario::scenario::Scenario;
use wwi_scenario::value::quoted;

/// Sessions between which the crossover is looked for.
const CROSSOVER: std::ops::RangeInclusive<u32> = 8..=32;

/// The figures that the crossover belongs to.
const CROSSOVER_FAMILY: &str = "slob";

/// How to print.
#[derive(clap::Args)]
pub struct ValidateArguments {
    /// Print as JSON.
    #[arg(long)]
    json: bool,
    /// Relative 95 % half-width of each run whose scenario says none.
    #[arg(long, default_value_t = 0.005)]
    precision: f64,
    /// Only figures whose name starts so: slob, six, lpar, db, hackbench, server, access, px.
    #[arg(long, value_name = "PREFIX")]
    only: Option<String>,
    /// End with a fault where an input or a consistency check is not met and no reason is known. Predictions may miss.
    #[arg(long)]
    strict: bool,
}

#[derive(Serialize)]
struct Row {
    id: &'static str,
    what: &'static str,
    value: Option<f64>,
    unit: &'static str,
    simulated: Option<f64>,
    /// 95 % half-width of what is simulated, and of its difference from what is published.
    ci95: Option<f64>,
    /// The event budget ended a run behind it before it was as precise as asked.
    truncated: bool,
    /// Relative, of the published value; not of a difference in percent or of zero.
    error_pct: Option<f64>,
    /// Half-width of that.
    error_pct_ci95: Option<f64>,
    /// Simulated less published.
    difference: Option<f64>,
    verdict: Option<Verdict>,
    /// Whether an input or a consistency check is within its tolerance.
    met: Option<bool>,
    tolerance: Option<Tolerance>,
    unmet: Option<&'static str>,
    role: &'static str,
    note: &'static str,
    query: &'static str,
    against: Option<&'static str>,
}

#[derive(Serialize)]
struct Crossover {
    preset: &'static str,
    /// Sessions from which caging is ahead at every larger number looked at.
    sessions: Option<u32>,
    /// The largest number at which it is behind by more than the interval.
    behind_up_to: Option<u32>,
    /// The least number from which it is ahead by more than the interval at every larger one.
    ahead_from: Option<u32>,
    role: &'static str,
    note: &'static str,
}

#[derive(Serialize)]
struct Validation {
    version: u32,
    figures: Vec<Row>,
    crossover: Option<Crossover>,
}

/// Runs every scenario of the table once and prints.
pub fn validate(arguments: &ValidateArguments) -> Result<String, Fault> {
    if !(0.0001..=0.5).contains(&arguments.precision) {
        return Err(vec![format!("--precision lies between 0.0001 and 0.5, not {}", arguments.precision)]);
    }
    let prefix = arguments.only.as_deref().unwrap_or("");
    let wanted: Vec<&Figure> = figures::all().filter(|figure| figure.id.starts_with(prefix)).collect();
    let with_crossover = CROSSOVER_FAMILY.starts_with(prefix);
    if wanted.is_empty() {
        return Err(vec![format!("--only {}: no figure has such a name", quoted(prefix))]);
    }
    let mut queries: Vec<&str> =
        wanted.iter().flat_map(|figure| [Some(figure.query), figure.against]).flatten().collect();
    let steps = queries.len() + if with_crossover { 2 * CROSSOVER.count() } else { 0 };
    let bar = Bar::new(steps as u64);
    queries.sort_unstable();
    queries.dedup();
    let scenarios: Vec<_> = queries.iter().map(|query| read(query, &[])).collect::<Result<_, _>>()?;
    let found = on_threads(cores(), &scenarios, |scenario| {
        let found = answered(scenario, arguments.precision, &bar);
        bar.step(&canonical(scenario));
        found
    });
    let runs: BTreeMap<&str, Answered> = queries.into_iter().zip(found).collect();
    let judged: Vec<(Row, Option<String>)> = wanted.iter().map(|figure| row(figure, &runs)).collect();
    let crossover = if with_crossover { Some(crossover(arguments.precision, &bar)?) } else { None };
    bar.finish();
    let (figures, complaints): (Vec<Row>, Vec<Option<String>>) = judged.into_iter().unzip();
    let text = print(&Validation { version: 2, figures, crossover }, arguments.json)?;
    let complaints: Fault = complaints.into_iter().flatten().collect();
    if arguments.strict && !complaints.is_empty() {
        crate::write_out(&text)?;
        return Err(complaints);
    }
    Ok(text)
}

fn print(validation: &Validation, as_json: bool) -> Result<String, Fault> {
    if !as_json {
        return Ok(page(validation));
    }
    let json = serde_json::to_string_pretty(validation).map_err(|error| vec![error.to_string()])?;
    Ok(json + "\n")
}

fn answered(scenario: &Scenario, precision: f64, bar: &Bar) -> Answered {
    let asking = Asking { precision: scenario.said_precision().or(Some(precision)), ..Asking::default() };
    let answer = compute(scenario, &asking, bar);
    Answered { report: answer.report, sessions: answer.asked.sessions }
}

/// A figure beside its simulation, and what is wrong with it if it has to be met.
fn row(figure: &'static Figure, runs: &BTreeMap<&str, Answered>) -> (Row, Option<String>) {
    let against = figure.against.and_then(|query| runs.get(query));
    let run = runs.get(figure.query);
    let found = run.and_then(|run| figures::read(figure.reading, run, against));
    let judgement = found.map(|found| figure.judge(&found));
    let both = found.zip(figure.value);
    let relative = both.filter(|(_, value)| !figure.reading.is_difference() && *value != 0.0);
    let share = |part: f64, value: f64| part / value.abs() * 100.0;
    let row = Row {
        id: figure.id,
        what: figure.what,
        value: figure.value,
        unit: figure.unit,
        simulated: found.map(|found| found.value),
        ci95: found.and_then(|found| found.ci95),
        truncated: run.into_iter().chain(against).any(|run| run.report.truncated),
        error_pct: relative.map(|(found, value)| (found.value / value - 1.0) * 100.0),
        error_pct_ci95: relative.and_then(|(found, value)| Some(share(found.ci95?, value))),
        difference: both.map(|(found, value)| found.value - value),
        verdict: judgement.and_then(|judgement| judgement.verdict),
        met: judgement.and_then(|judgement| judgement.met),
        tolerance: figure.tolerance,
        unmet: figure.unmet,
        role: figure.role.name(),
        note: figure.note,
        query: figure.query,
        against: figure.against,
    };
    (row, figure.complaint(found.as_ref()))
}

fn crossover(precision: f64, bar: &Bar) -> Result<Crossover, Fault> {
    let asking = Asking { precision: Some(precision), figures: Figures::ThroughputOnly, ..Asking::default() };
    let (mut sessions, mut behind_up_to, mut ahead_from) = (None, None, None);
    for count in CROSSOVER {
        let run = |plan: &str| -> Result<Answered, Fault> {
            let sets = [("sessions", count.to_string()), ("resource_manager_plan", plan.to_owned())];
            let scenario = read("instance-caging-vm", &sets.map(|(knob, value)| (knob.to_owned(), value)))?;
            let answer = compute(&scenario, &asking, bar);
            bar.step("crossover");
            Ok(Answered { report: answer.report, sessions: answer.asked.sessions })
        };
        let gain = figures::read(Reading::LioAgainst, &run("default")?, Some(&run("none")?));
        let (gain, half) = gain.map_or((0.0, f64::INFINITY), |gain| (gain.value, gain.ci95.unwrap_or(f64::INFINITY)));
        sessions = if gain > 0.0 { sessions.or(Some(count)) } else { None };
        ahead_from = if gain > half { ahead_from.or(Some(count)) } else { None };
        behind_up_to = if gain < -half { Some(count) } else { behind_up_to };
    }
    let note =
        "not published; expected near 17 when the cost of a switch was modelled, and it moves with switch_refill_us";
    let preset = "instance-caging-vm";
    Ok(Crossover { preset, sessions, behind_up_to, ahead_from, role: "consistency check", note })
}

const ENDS: &str = "± is half the width of a 95 % interval. Hit: the published figure, give or take its own \
    rounding, is in it, and the interval is narrow enough to say so; miss: it is not; cannot tell: the interval is too \
    wide, or there is none.\n\
    * The event budget ended a run before it was as precise as asked.\n\
    Agreement with an input shows nothing; a consistency check shows that the program does what the model says. Both \
    are met within the tolerance given. A prediction may miss.\n";

fn page(validation: &Validation) -> String {
    let mut table = Table::new(&["<", ">", ">", ">", "<", "<", "<", "<", "<"]);
    let heads = ["Published", "Value", "Simulated, ± 95 %", "Error", "Unit", "Verdict", "Role", "Met", "Note"];
    table.row(heads.map(str::to_owned));
    table.rule();
    for row in &validation.figures {
        table.row([
            row.what.to_owned(),
            row.value.map_or("–".to_owned(), number),
            simulated(row),
            error(row),
            row.unit.to_owned(),
            row.verdict.map_or("–", Verdict::name).to_owned(),
            row.role.to_owned(),
            met(row),
            row.unmet.map_or(row.note.to_owned(), |reason| format!("{}. Not met: {reason}", row.note)),
        ]);
    }
    let crossover = validation.crossover.as_ref().map(crossing).unwrap_or_default();
    format!("{}\n{crossover}{ENDS}", table.render())
}

fn simulated(row: &Row) -> String {
    let star = if row.truncated { " *" } else { "" };
    row.simulated.map_or("–".to_owned(), |value| format!("{}{}{star}", number(value), ci(row.ci95)))
}

/// Whether it is met, and within what: a share of the published value, or points or units of a difference or of zero.
fn met(row: &Row) -> String {
    let within = match (row.tolerance, row.value) {
        (None, _) => String::new(),
        (Some(tolerance), Some(value)) if row.error_pct.is_some() => {
            format!(" ±{} %", short(tolerance.within / value.abs() * 100.0))
        }
        (Some(tolerance), _) if row.unit == "%" => format!(" ±{} points", short(tolerance.within)),
        (Some(tolerance), _) => format!(" ±{} {}", short(tolerance.within), row.unit),
    };
    match row.met {
        Some(true) => format!("yes{within}"),
        Some(false) => format!("no{within}"),
        None => "–".to_owned(),
    }
}

/// Two decimals at most, no zeros at the end.
fn short(value: f64) -> String {
    format!("{}", (value * 100.0).round() / 100.0)
}

/// Relative in percent, or in the unit of the figure where it is a difference in percent or of zero; with its
/// half-width.
fn error(row: &Row) -> String {
    let half = |half: Option<f64>, decimals: usize| half.map_or(String::new(), |half| format!(" ±{half:.decimals$}"));
    let text = match (row.error_pct, row.difference) {
        (Some(error), _) => format!("{error:+.1}{} %", half(row.error_pct_ci95, 1)),
        (None, Some(difference)) if row.unit == "%" => format!("{difference:+.1}{} points", half(row.ci95, 1)),
        (None, Some(difference)) => format!("{difference:+.2}{}", half(row.ci95, 2)),
        (None, None) => "–".to_owned(),
    };
    text.replace('-', "−")
}

fn crossing(crossover: &Crossover) -> String {
    let crossing = match crossover.sessions {
        Some(sessions) => format!("caging overtakes at {sessions} sessions"),
        None => format!("caging does not overtake up to {} sessions", CROSSOVER.end()),
    };
    let behind = crossover.behind_up_to.map(|sessions| format!("behind for certain up to {sessions}"));
    let ahead = crossover.ahead_from.map(|sessions| format!("ahead for certain from {sessions}"));
    let certain: Vec<String> = [behind, ahead].into_iter().flatten().map(|words| format!(", {words}")).collect();
    let Crossover { preset, role, note, .. } = crossover;
    format!("In {preset}, {crossing}{} ({role}; {note}).\n", certain.concat())
}
