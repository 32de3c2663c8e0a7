//! `wwi coverage`: how often the intervals that runs print hold the truth, over many seeds. The truth is exact where a
//! closed form exists, else a run of one seed that is far longer.

use crate::compute::read;
use crate::table::Table;
use crate::threads::{cores, on_threads};
use crate::Fault;
use wwi_kernel::stats::variance;
use wwi_model::config::Config;
use wwi_model::experiment::pair::{difference, Pair};
use wwi_model::experiment::{Experiment, Figures, Goal};
use wwi_model::report::{Estimate, Report};
use wwi_scenario::config::to_config;
use wwi_scenario::metrics::{find, Metric};
use wwi_scenario::truths::{Case, CASES};
use wwi_scenario::value::quoted;

/// How many seeds, how precise.
#[derive(clap::Args)]
pub struct CoverageArguments {
    /// Seeds 1 to this.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Relative half-width of the figure tested.
    #[arg(long, default_value_t = 0.05)]
    precision: f64,
    /// Only cases whose name starts so.
    #[arg(long, value_name = "PREFIX")]
    only: Option<String>,
    /// Fail unless at least this share of the intervals holds the truth.
    #[arg(long, value_name = "SHARE")]
    at_least: Option<f64>,
    /// Fail where intervals are on average wider than this, in units of 1.96 standard deviations of the figure.
    #[arg(long, value_name = "TIMES")]
    no_wider: Option<f64>,
    /// Take the mean over the seeds for the truth: bias does not show.
    #[arg(long)]
    about_mean: bool,
    /// Draw A's random numbers from other seeds than B's: what the half-width of B − A would be without the pairing.
    #[arg(long)]
    independent: bool,
    /// Compute the truth of each case that has no closed form, by runs so many times as long as one at this precision.
    #[arg(long, value_name = "TIMES")]
    truth: Option<f64>,
}

/// Events that any of these may take.
const BUDGET: u64 = 4_000_000_000;

/// What one seed gives.
struct Found {
    estimate: Estimate,
    events: u64,
    is_cut_short: bool,
}

/// One case, ready to run.
struct Ready {
    b: Config,
    a: Option<Config>,
    metric: &'static Metric,
    /// How far A's seeds are from B's.
    apart: u64,
}

/// Seeds that no other case has.
const APART: u64 = 1_000_000_000;

impl Ready {
    fn of(case: &Case, is_independent: bool) -> Result<Ready, Fault> {
        let metric = find(case.figure).ok_or_else(|| vec![format!("there is no figure {}", case.figure)])?;
        let config = |query: &str| read(query, &[]).map(|scenario| to_config(&scenario));
        Ok(Ready {
            b: config(case.query)?,
            a: case.against.map(config).transpose()?,
            metric,
            apart: if is_independent { APART } else { 0 },
        })
    }

    fn figure(&self, report: &Report) -> Estimate {
        self.metric.read(report, self.b.closed_sessions()).unwrap_or_default()
    }

    fn run(&self, seed: u64, precision: f64) -> Found {
        let figures = Figures::One(self.metric.figure());
        let goal = Goal { precision, max_events: BUDGET, record: 0, figures, coarse: false };
        let with_seed = |config: &Config, seed: u64| Config { seed, ..config.clone() };
        let Some(a) = &self.a else {
            let mut experiment = Experiment::new(&with_seed(&self.b, seed), goal).without_ledger();
            while !experiment.advance(1_000_000).done {}
            let report = experiment.report();
            return Found { estimate: self.figure(&report), events: report.events, is_cut_short: report.truncated };
        };
        let pair = Pair::new(&with_seed(&self.b, seed), Some(&with_seed(a, seed + self.apart)), goal);
        let mut pair = pair.without_ledger();
        while !pair.advance(1_000_000).done {}
        let (b, a) = (pair.report(), pair.other_report().unwrap_or_default());
        let estimate = difference(&self.figure(&b), &self.figure(&a));
        Found { estimate, events: b.events + a.events, is_cut_short: b.truncated || a.truncated }
    }
}

/// What the intervals of one case are worth.
struct Verdict {
    held: f64,
    width: f64,
    bias_pct: f64,
    half_pct: f64,
    events: f64,
    cut_short: usize,
}

fn judge(found: &[Found], truth: f64, scale: f64) -> Verdict {
    let count = found.len() as f64;
    let means: Vec<f64> = found.iter().map(|one| one.estimate.mean).collect();
    let halves: Vec<f64> = found.iter().map(|one| one.estimate.ci95.unwrap_or(f64::NAN)).collect();
    let held = means.iter().zip(&halves).filter(|(mean, half)| (*mean - truth).abs() <= **half).count();
    let half = halves.iter().sum::<f64>() / count;
    let spread = 1.96 * variance(&means).unwrap_or(f64::NAN).sqrt();
    Verdict {
        held: held as f64 / count,
        width: half / spread,
        bias_pct: 100.0 * (means.iter().sum::<f64>() / count - truth) / scale,
        half_pct: 100.0 * half / scale,
        events: found.iter().map(|one| one.events as f64).sum::<f64>() / count,
        cut_short: found.iter().filter(|one| one.is_cut_short).count(),
    }
}

/// Runs and prints.
pub fn coverage(arguments: &CoverageArguments) -> Result<String, Fault> {
    let prefix = arguments.only.as_deref().unwrap_or("");
    let chosen: Vec<&Case> = CASES.iter().filter(|case| case.name.starts_with(prefix)).collect();
    if chosen.is_empty() {
        return Err(vec![format!("--only {}: no figure has such a name", quoted(prefix))]);
    }
    let mut table = Table::new(&["<", ">", ">", ">", ">", ">", ">", ">"]);
    let head = ["figure", "truth", "held", "of 1.96 sd", "half-width %", "bias %", "M events", "cut short"];
    table.row(head.map(str::to_owned));
    table.rule();
    let mut faults = Vec::new();
    for case in chosen {
        let ready = Ready::of(case, arguments.independent)?;
        if let Some(times) = arguments.truth {
            if case.exact.is_none() {
                let found = ready.run(1_000_003, arguments.precision / times.sqrt());
                let (mean, half) = (found.estimate.mean, found.estimate.ci95.unwrap_or(f64::NAN));
                eprintln!("{}: {mean:.9e} ± {half:.1e}, {} M events", case.name, found.events / 1_000_000);
            }
            continue;
        }
        let seeds: Vec<u64> = (1..=arguments.seeds).collect();
        let found = on_threads(cores(), &seeds, |&seed| ready.run(seed, arguments.precision));
        let middle = found.iter().map(|one| one.estimate.mean).sum::<f64>() / found.len() as f64;
        let truth = if arguments.about_mean { middle } else { case.truth() };
        let verdict = judge(&found, truth, if arguments.about_mean { middle } else { case.scale() });
        table.row([
            case.name.to_owned(),
            format!("{truth:.5}"),
            format!("{:.3}", verdict.held),
            format!("{:.2}", verdict.width),
            format!("{:.2}", verdict.half_pct),
            format!("{:+.2}", verdict.bias_pct),
            format!("{:.2}", verdict.events / 1e6),
            verdict.cut_short.to_string(),
        ]);
        eprintln!("{}: {:.3} {:.2}", case.name, verdict.held, verdict.width);
        if arguments.at_least.is_some_and(|least| verdict.held < least) {
            faults.push(format!("{}: {:.1} % of the intervals hold the truth", case.name, 100.0 * verdict.held));
        }
        if arguments.no_wider.is_some_and(|most| verdict.width > most || verdict.width.is_nan()) {
            faults.push(format!("{}: intervals are {:.2} times as wide as they need to be", case.name, verdict.width));
        }
    }
    match faults.is_empty() {
        true => Ok(table.render()),
        false => Err(std::iter::once(table.render()).chain(faults).collect()),
    }
}
