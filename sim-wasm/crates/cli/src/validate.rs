//! `wwi validate`: every published figure beside the simulated one. Misses stay in the list.

use crate::compute::{compute, read, Asking, Bar};
use crate::table::{number, Table};
use crate::Fault;
use serde::Serialize;
use std::collections::BTreeMap;
use wwi_model::experiment::Figures;
use wwi_scenario::figures::{self, Answered, Figure};
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
    /// Only figures whose name starts so: slob, six, lpar, db, hackbench, server.
    #[arg(long, value_name = "PREFIX")]
    only: Option<String>,
}

#[derive(Serialize)]
struct Row {
    id: &'static str,
    what: &'static str,
    value: Option<f64>,
    unit: &'static str,
    simulated: Option<f64>,
    /// Relative, of the published value; not of a difference in percent or of zero.
    error_pct: Option<f64>,
    /// Simulated less published.
    difference: Option<f64>,
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
    let mut runs: BTreeMap<&str, Answered> = BTreeMap::new();
    let queries: Vec<&str> = wanted.iter().flat_map(|figure| [Some(figure.query), figure.against]).flatten().collect();
    let steps = queries.len() + if with_crossover { 2 * CROSSOVER.count() } else { 0 };
    let mut bar = Bar::new(steps as u64);
    for query in queries {
        if !runs.contains_key(query) {
            runs.insert(query, answered(&read(query, &[])?, arguments.precision, &bar));
        }
        bar.step(query);
    }
    let figures = wanted.iter().map(|figure| row(figure, &runs)).collect();
    let crossover = if with_crossover { Some(crossover(arguments.precision, &mut bar)?) } else { None };
    bar.finish();
    let validation = Validation { version: 1, figures, crossover };
    if arguments.json {
        let json = serde_json::to_string_pretty(&validation).map_err(|error| vec![error.to_string()])?;
        return Ok(json + "\n");
    }
    Ok(page(&validation))
}

fn answered(scenario: &Scenario, precision: f64, bar: &Bar) -> Answered {
    let asking = Asking { precision: scenario.said_precision().or(Some(precision)), ..Asking::default() };
    let answer = compute(scenario, &asking, bar);
    Answered { report: answer.report, sessions: answer.asked.sessions }
}

fn row(figure: &'static Figure, runs: &BTreeMap<&str, Answered>) -> Row {
    let against = figure.against.and_then(|query| runs.get(query));
    let simulated = runs.get(figure.query).and_then(|run| figures::read(figure.reading, run, against));
    let both = simulated.zip(figure.value);
    let is_relative = !figure.reading.is_difference() && figure.value != Some(0.0);
    Row {
        id: figure.id,
        what: figure.what,
        value: figure.value,
        unit: figure.unit,
        simulated,
        error_pct: both.filter(|_| is_relative).map(|(simulated, value)| (simulated / value - 1.0) * 100.0),
        difference: both.map(|(simulated, value)| simulated - value),
        role: figure.role.name(),
        note: figure.note,
        query: figure.query,
        against: figure.against,
    }
}

fn crossover(precision: f64, bar: &mut Bar) -> Result<Crossover, Fault> {
    let asking = Asking { precision: Some(precision), figures: Figures::ThroughputOnly, ..Asking::default() };
    let mut sessions = None;
    for count in CROSSOVER {
        let mut lio = |plan: &str| -> Result<f64, Fault> {
            let sets = [("sessions", count.to_string()), ("resource_manager_plan", plan.to_owned())];
            let scenario = read("instance-caging-vm", &sets.map(|(knob, value)| (knob.to_owned(), value)))?;
            let answer = compute(&scenario, &asking, bar);
            bar.step("crossover");
            Ok(answer.report.lio_per_s.mean)
        };
        sessions = match lio("default")? > lio("none")? {
            true => sessions.or(Some(count)),
            false => None,
        };
    }
    Ok(Crossover {
        preset: "instance-caging-vm",
        sessions,
        role: "consistency check",
        note:
            "not published; expected near 17 when the cost of a switch was modelled, and it moves with switch_refill_us",
    })
}

fn page(validation: &Validation) -> String {
    let mut table = Table::new(&["<", ">", ">", ">", "<", "<", "<"]);
    table.row(["Published", "Value", "Simulated", "Error", "Unit", "Role", "Note"].map(str::to_owned));
    table.rule();
    for row in &validation.figures {
        table.row([
            row.what.to_owned(),
            row.value.map_or("–".to_owned(), number),
            row.simulated.map_or("–".to_owned(), number),
            error(row),
            row.unit.to_owned(),
            row.role.to_owned(),
            row.note.to_owned(),
        ]);
    }
    let crossover = validation.crossover.as_ref().map(crossing).unwrap_or_default();
    format!(
        "{}\n{crossover}Agreement with an input shows nothing; a consistency check shows that the program does what the model says.\n",
        table.render()
    )
}

/// Relative in percent, or in the unit of the figure where it is a difference in percent or of zero.
fn error(row: &Row) -> String {
    let text = match (row.error_pct, row.difference) {
        (Some(error), _) => format!("{error:+.1} %"),
        (None, Some(difference)) if row.unit == "%" => format!("{difference:+.1} points"),
        (None, Some(difference)) => format!("{difference:+.2}"),
        (None, None) => "–".to_owned(),
    };
    text.replace('-', "−")
}

fn crossing(crossover: &Crossover) -> String {
    let crossing = match crossover.sessions {
        Some(sessions) => format!("caging overtakes at {sessions} sessions"),
        None => format!("caging does not overtake up to {} sessions", CROSSOVER.end()),
    };
    format!("In {}, {crossing} ({}; {}).\n", crossover.preset, crossover.role, crossover.note)
}
