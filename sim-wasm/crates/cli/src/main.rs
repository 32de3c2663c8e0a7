//! `wwi`: runs scenarios from the command line. Results go to stdout alone, progress and faults to stderr.

mod against;
mod compute;
mod coverage;
mod fit;
mod generate;
mod growth;
mod input;
mod knob_page;
mod probe;
mod rows;
mod run;
mod sweep;
mod table;
mod threads;
mod validate;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use std::process::ExitCode;
use wwi_scenario::shown::{line, page};

/// What would this Oracle host do if …? Simulates sessions, CPUs and waits.
#[derive(Parser)]
#[command(name = "wwi", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run one scenario and print throughput, response time and top timed events.
    Run(RunArguments),
    /// Run a scenario over values of one knob or several.
    Sweep(sweep::SweepArguments),
    /// Find the value of one knob that fits measured points, and the range of values that fit hardly worse.
    Fit(fit::FitArguments),
    /// Print every published figure beside the simulated one.
    Validate(validate::ValidateArguments),
    /// Test the intervals of runs against figures whose true value is known.
    Coverage(coverage::CoverageArguments),
    /// Measure a small server among hogs on this machine, beside what the model says of it. Linux.
    Probe(probe::ProbeArguments),
    /// Write TypeScript types, the catalogue, the page of knobs and the preset documents below a folder.
    Generate(generate::GenerateArguments),
}

/// Which scenario, and how precisely.
#[derive(clap::Args)]
pub struct RunArguments {
    /// A preset (instance-caging-vm?sessions=9), a link (v1/…), or a JSON file.
    scenario: String,
    /// knob=value, knob@instance2=value; may be repeated.
    #[arg(long = "set", value_name = "KNOB=VALUE")]
    sets: Vec<String>,
    /// Root of all randomness.
    #[arg(long)]
    seed: Option<u64>,
    /// Relative 95 % half-width to stop at, a fraction; 0.01 where the scenario says nothing.
    #[arg(long)]
    precision: Option<f64>,
    /// A figure that must be so precise beside throughput and mean response, as `sweep --metric` names them.
    #[arg(long, value_name = "FIGURE")]
    figure: Option<String>,
    /// What it is compared with, as the page does: both get the seed of the scenario, equal starts and horizons, until
    /// both are precise. Printed is the scenario, with both beside each other and their difference; as JSON the
    /// scenario alone, without figures by host, kind, instance and event.
    #[arg(long, value_name = "SCENARIO")]
    against: Option<String>,
    /// Print the whole report as JSON.
    #[arg(long)]
    json: bool,
    /// Stays of processes to record for the columns of the JSON report, the latest of the first replication.
    #[arg(long, value_name = "STAYS", default_value_t = 4096, requires = "json")]
    record: u32,
    /// Leave the figures by host, kind, instance and event out of the JSON report.
    #[arg(long, requires = "json")]
    without_rows: bool,
}

/// What goes wrong: everything at once, one line each.
pub type Fault = Vec<String>;

/// Characters of one line of faults.
const LONGEST_LINE: usize = 2000;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return told(&error),
    };
    let outcome = match arguments.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Sweep(arguments) => sweep::sweep(&arguments),
        Command::Fit(arguments) => fit::fit(&arguments),
        Command::Validate(arguments) => validate::validate(&arguments),
        Command::Coverage(arguments) => coverage::coverage(&arguments),
        #[cfg(target_os = "linux")]
        Command::Probe(arguments) => probe::probe(&arguments),
        #[cfg(not(target_os = "linux"))]
        Command::Probe(_) => {
            eprintln!("wwi: probe: not on this system");
            return ExitCode::from(2);
        }
        Command::Generate(arguments) => generate::generate(&arguments),
    };
    match outcome.and_then(|text| write_out(&text)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(lines) => {
            for fault in lines {
                eprintln!("wwi: {}", line(&fault, LONGEST_LINE));
            }
            ExitCode::FAILURE
        }
    }
}

/// Help and version as they are; a fault of the arguments repeats them, so it is written as all words from outside are.
fn told(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    for fault in error.to_string().lines() {
        eprintln!("{}", line(fault, LONGEST_LINE));
    }
    ExitCode::from(2)
}

/// All that goes to stdout goes through here: no words from outside may steer the terminal.
pub fn write_out(text: &str) -> Result<(), Fault> {
    use std::io::{ErrorKind, Write};
    match std::io::stdout().lock().write_all(page(text).as_bytes()) {
        // The reader of a pipe may stop early.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(vec![format!("cannot write: {error}")]),
        _ => Ok(()),
    }
}
