//! `wwi validate`: every published figure beside the simulated one. Misses stay in the list.

use crate::compute::{compute, read, Asking, Bar};
use crate::table::{number, Table};
use crate::Fault;
use serde::Serialize;
use std::collections::BTreeMap;
use wwi_model::experiment::Figures;
use wwi_model::report::Report;
use wwi_scenario::figures::{self, Figure};

/// Sessions between which the crossover is looked for.
const CROSSOVER: std::ops::RangeInclusive<u32> = 8..=32;

/// How to print.
#[derive(clap::Args)]
pub struct ValidateArguments {
    /// Print as JSON.
    #[arg(long)]
    json: bool,
    /// Relative 95 % half-width of each run.
    #[arg(long, default_value_t = 0.005)]
    precision: f64,
}

#[derive(Serialize)]
struct Row {
    id: &'static str,
    what: &'static str,
    value: Option<f64>,
    unit: &'static str,
    simulated: Option<f64>,
    error_pct: Option<f64>,
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
    crossover: Crossover,
}

/// Runs every scenario of the table once and prints.
pub fn validate(arguments: &ValidateArguments) -> Result<String, Fault> {
    if !(0.0001..=0.5).contains(&arguments.precision) {
        return Err(vec![format!("--precision lies between 0.0001 and 0.5, not {}", arguments.precision)]);
    }
    let mut reports: BTreeMap<&str, Report> = BTreeMap::new();
    let queries: Vec<&str> = figures::all().flat_map(|figure| [Some(figure.query), figure.against]).flatten().collect();
    let asking = Asking { precision: Some(arguments.precision), ..Asking::default() };
    let mut bar = Bar::new(queries.len() as u64 + 2 * CROSSOVER.count() as u64);
    for query in queries {
        if !reports.contains_key(query) {
            let scenario = read(query, &[])?;
            let answer = compute(&scenario, &asking, &bar);
            reports.insert(query, answer.report);
        }
        bar.step(query);
    }
    let figures = figures::all().map(|figure| row(figure, &reports)).collect();
    let crossover = crossover(arguments.precision, &mut bar)?;
    bar.finish();
    let validation = Validation { version: 1, figures, crossover };
    if arguments.json {
        let json = serde_json::to_string_pretty(&validation).map_err(|error| vec![error.to_string()])?;
        return Ok(json + "\n");
    }
    Ok(page(&validation))
}

fn row(figure: &Figure, reports: &BTreeMap<&str, Report>) -> Row {
    let against = figure.against.and_then(|query| reports.get(query));
    let simulated = reports.get(figure.query).and_then(|report| figures::read(figure.reading, report, against));
    Row {
        id: figure.id,
        what: figure.what,
        value: figure.value,
        unit: figure.unit,
        simulated,
        error_pct: simulated.zip(figure.value).map(|(simulated, value)| (simulated / value - 1.0) * 100.0),
        role: figure.role.name(),
        note: figure.note,
        query: figure.query,
        against: figure.against,
    }
}

fn crossover(precision: f64, bar: &mut Bar) -> Result<Crossover, Fault> {
    let asking = Asking { precision: Some(precision), figures: Figures::ThroughputOnly, record: 0 };
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
    table.row(["Published", "Value", "Simulated", "Error %", "Unit", "Role", "Note"].map(str::to_owned));
    table.rule();
    for row in &validation.figures {
        table.row([
            row.what.to_owned(),
            row.value.map_or("–".to_owned(), number),
            row.simulated.map_or("–".to_owned(), number),
            row.error_pct.map_or("–".to_owned(), |error| format!("{error:+.1}").replace('-', "−")),
            row.unit.to_owned(),
            row.role.to_owned(),
            row.note.to_owned(),
        ]);
    }
    let crossing = match validation.crossover.sessions {
        Some(sessions) => format!("caging overtakes at {sessions} sessions"),
        None => format!("caging does not overtake up to {} sessions", CROSSOVER.end()),
    };
    format!(
        "{}\nIn {}, {crossing} ({}; {}).\nAgreement with an input shows nothing; a consistency check shows that the program does what the model says.\n",
        table.render(),
        validation.crossover.preset,
        validation.crossover.role,
        validation.crossover.note
    )
}
