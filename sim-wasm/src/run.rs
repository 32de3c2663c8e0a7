//! One run behind the border, in plain Rust types so that it is tested without JavaScript.

use std::cell::OnceCell;
use wwi_model::config::Config;
use wwi_model::experiment::pair::Pair;
#[cfg(any(test, feature = "bench"))]
use wwi_model::experiment::Experiment;
use wwi_model::experiment::{Goal, Progress};
use wwi_model::report::Report;
use wwi_scenario::acts::warnings;
use wwi_scenario::address::Address;
use wwi_scenario::canonical::canonical;
use wwi_scenario::decode::{decode, Decoded};
use wwi_scenario::json::{self, Json};
use wwi_scenario::metrics::Metric;
use wwi_scenario::options::RunOptions;
use wwi_scenario::scenario::Scenario;
use wwi_scenario::{columns, config, problem, report};

/// One scenario of a run, and what is known of it.
struct Side {
    scenario: Scenario,
    /// What its text says on top of its preset.
    given: Vec<Address>,
    seed: u64,
    precision: f64,
    /// Sessions of all instances, where their number is fixed.
    sessions: Option<f64>,
    histograms: bool,
    progress: Progress,
    answer: OnceCell<Report>,
}

/// A scenario on its way to an answer, or two that are to be compared.
pub struct Run {
    pair: Pair,
    metric: &'static Metric,
    b: Side,
    /// What B is compared with.
    a: Option<Side>,
}

/// Smallest and largest slice \[events\].
const SLICE: (f64, f64) = (1.0, 1e12);

impl Run {
    /// Reads scenario and options; the fault is JSON text.
    pub fn new(query: &str, options: &str) -> Result<Run, String> {
        let options = RunOptions::from_json(options).map_err(|message| fault("options", &message, None))?;
        let (config, b) = Side::read(query, &options)?;
        let other = options.against.as_deref().map(|query| Side::read(query, &options)).transpose()?;
        let (other, a) = other.unzip();
        let metric = options.metric().map_err(|message| fault("options", &message, None))?;
        let goal = Goal {
            precision: b.precision,
            max_events: options.max_events_for(&b.scenario),
            record: options.record as usize,
            figures: options.figures(),
            coarse: options.coarse,
        };
        let of = if options.is_point() { Pair::of_points } else { Pair::new };
        let pair = of(&config, other.as_ref(), goal);
        Ok(Run { pair, metric, b, a })
    }

    /// Simulates about so many events.
    pub fn advance(&mut self, max_events: f64) -> Vec<f64> {
        self.b.progress = self.pair.advance(max_events.clamp(SLICE.0, SLICE.1) as u64);
        self.b.answer.take();
        if let Some(a) = &mut self.a {
            a.progress = self.pair.other_progress().unwrap_or_default();
            a.answer.take();
        }
        figures(&self.b.progress)
    }

    /// The figures of [`Run::advance`] for what B is compared with; empty where there is nothing.
    pub fn other_progress(&self) -> Vec<f64> {
        self.a.as_ref().map_or(Vec::new(), |a| figures(&a.progress))
    }

    /// Why the run has no figures, as JSON text, once that is known.
    pub fn fault(&self) -> Option<String> {
        self.pair.fault().map(|found| fault("fault", &found.to_string(), None))
    }

    fn side(&self, of_a: bool) -> Option<&Side> {
        if of_a {
            self.a.as_ref()
        } else {
            Some(&self.b)
        }
    }

    /// LIO/s of each replication, then response times \[ms\]; of B, or of A where there is one.
    pub fn reps(&self, of_a: bool) -> Vec<f64> {
        let Some(Side { progress, .. }) = self.side(of_a) else { return Vec::new() };
        let (reads, responses) = (&progress.lio_per_s.reps, &progress.response_ms.reps);
        // Where nothing has ended yet there is no response; half of a list would be taken for it.
        let is_whole = reads.len() == responses.len();
        reads.iter().chain(responses).filter(|_| is_whole).copied().collect()
    }

    /// The answer so far, put together once however many ask for a part of it.
    fn answer<'a>(&self, side: &'a Side) -> &'a Report {
        let of_b = std::ptr::eq(side, &self.b);
        side.answer.get_or_init(|| if of_b { self.pair.report() } else { self.pair.other_report().unwrap_or_default() })
    }

    /// The metric asked for: mean, half-width, then the value of each replication; empty where it does not apply.
    pub fn metric(&self, of_a: bool) -> Vec<f64> {
        let read = |side: &Side| self.metric.read(self.answer(side), side.sessions);
        let Some(value) = self.side(of_a).and_then(read) else { return Vec::new() };
        [value.mean, value.ci95.unwrap_or(f64::NAN)].into_iter().chain(value.reps).collect()
    }

    /// The report as JSON; empty where there is no such side.
    pub fn report(&self, of_a: bool) -> String {
        self.side(of_a).map_or(String::new(), |side| report::to_json(self.answer(side), &side.asked()))
    }

    /// The numbers behind the columns of the report.
    pub fn data(&self, of_a: bool) -> Vec<f64> {
        self.side(of_a).map_or(Vec::new(), |side| columns::columns(self.answer(side)).1)
    }
}

impl Side {
    fn read(query: &str, options: &RunOptions) -> Result<(Config, Side), String> {
        let Decoded { scenario, given, .. } = decode(query).map_err(|problems| scenario_fault(&problems))?;
        let mut config = config::to_config(&scenario);
        config.seed = options.seed.unwrap_or(config.seed);
        let side = Side {
            given,
            seed: config.seed,
            precision: options.precision_for(&scenario),
            sessions: config.closed_sessions(),
            histograms: options.histograms,
            progress: Progress::default(),
            answer: OnceCell::new(),
            scenario,
        };
        Ok((config, side))
    }

    /// What a report says of the question; a point has no report, and is spared it.
    fn asked(&self) -> report::Asked {
        report::Asked {
            query: canonical(&self.scenario),
            seed: self.seed,
            precision: self.precision,
            sessions: self.sessions,
            histograms: self.histograms,
            warnings: warnings(&self.scenario, &self.given),
        }
    }
}

fn figures(progress: &Progress) -> Vec<f64> {
    vec![
        f64::from(u8::from(progress.done)),
        progress.events as f64,
        progress.precision.unwrap_or(f64::NAN),
        progress.lio_per_s.mean,
        progress.lio_per_s.ci95.unwrap_or(f64::NAN),
        progress.simulated_s,
        progress.response_ms.mean,
        progress.response_ms.ci95.unwrap_or(f64::NAN),
        f64::from(progress.batches),
        f64::from(u8::from(progress.truncated)),
    ]
}

pub fn fault(code: &str, message: &str, field: Option<&str>) -> String {
    let field = field.map_or(Json::Null, Json::from);
    json::to_string(&Json::object(&[("code", Json::from(code)), ("message", Json::from(message)), ("field", field)]))
}

fn scenario_fault(problems: &[problem::Problem]) -> String {
    let words: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
    let field = problems.first().map(|problem| problem.path.as_str()).filter(|path| !path.is_empty());
    fault("scenario", &words.join("\n"), field)
}

#[cfg(any(test, feature = "bench"))]
thread_local! {
    /// The benchmarks under way, by name, so that the next turn of each goes on where the last one ended.
    static BENCH: std::cell::RefCell<std::collections::BTreeMap<String, Experiment>> =
        const { std::cell::RefCell::new(std::collections::BTreeMap::new()) };
}

/// Runs a benchmark workload for about so many events more; answers the events done, 0 for an unknown name.
#[cfg(any(test, feature = "bench"))]
pub fn bench(name: &str, events: u64) -> f64 {
    if let Some(ended) = wwi_scenario::bench::minimum(name, events) {
        std::hint::black_box(ended);
        return events as f64;
    }
    BENCH.with_borrow_mut(|bench| {
        if !bench.contains_key(name) {
            let Some(config) = wwi_scenario::bench::config(name) else { return 0.0 };
            let experiment = Experiment::new(&config, wwi_scenario::bench::endless()).without_ledger();
            bench.insert(name.to_owned(), experiment);
        }
        let Some(experiment) = bench.get_mut(name) else { return 0.0 };
        let before = experiment.progress().events;
        (experiment.advance(events).events - before) as f64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_goes_in_slices_and_reports() {
        let mut run = Run::new("instance-caging-vm?sessions=9", "{\"precision\":0.05,\"seed\":7}").expect("valid");
        let mut slices = 0;
        let last = loop {
            let figures = run.advance(1000.0);
            slices += 1;
            if figures[0] == 1.0 {
                break figures;
            }
        };
        assert!(slices > 1 && last[3] > 1e6, "{slices} slices, {last:?}");
        let json: serde_json::Value = serde_json::from_str(&run.report(false)).expect("JSON");
        assert_eq!(json["query"], "instance-caging-vm?sessions=9");
        assert_eq!(json["seed"], 7);
        assert_eq!(json["throughput"]["lio_per_s"]["mean"], last[3]);
        let column = json["columns"].as_array().and_then(|columns| columns.last()).expect("a column");
        let end = column["offset"].as_u64().zip(column["length"].as_u64()).map(|(offset, length)| offset + length);
        assert_eq!(end, Some(run.data(false).len() as u64));
        assert_eq!(run.reps(false).len() % 2, 0);
    }

    #[test]
    fn a_run_without_time_says_so_and_breaks_no_law() {
        let mut run = Run::new("cpu-queue", "{\"maxEvents\":0}").expect("valid");
        assert_eq!((run.fault(), run.advance(1e6)[0]), (None, 1.0));
        let fault = run.fault().expect("a fault");
        assert!(
            fault.contains("no time was simulated: the budget of 0 events") && fault.contains("\"code\":\"fault\""),
            "{fault}"
        );
        let json: serde_json::Value = serde_json::from_str(&run.report(false)).expect("JSON");
        assert_eq!(
            (json["checks"].as_array().map(Vec::len), json["precision"]["ok"].as_bool()),
            (Some(0), Some(false))
        );
        assert!(json["fault"].as_str().is_some_and(|words| words.starts_with("no time was simulated")), "{json}");
    }

    #[test]
    fn a_point_answers_the_metric_it_is_asked_for() {
        let metric = |options: &str| {
            let mut run = Run::new("instance-caging-vm?sessions=9", options).expect("valid");
            assert!(run.metric(false).is_empty() || run.metric(false)[0] == 0.0, "nothing has run");
            while run.advance(1e6)[0] == 0.0 {}
            run.metric(false)
        };
        let throughput = metric("{\"goal\":\"point\",\"precision\":0.05}");
        assert!(throughput[0] > 1e6 && throughput[1] > 0.0 && throughput.len() > 9, "{throughput:?}");
        let each = metric("{\"goal\":\"point\",\"precision\":0.05,\"metric\":\"lio_per_session\"}");
        assert!((each[0] * 9.0 / throughput[0] - 1.0).abs() < 0.05, "{each:?}");
        let tail = metric("{\"goal\":\"point\",\"precision\":0.05,\"metric\":\"response_p99_ms\"}");
        assert!(tail.len() > 9 && tail[0] > 100.0 && tail[1] > 0.0, "{tail:?}");
        assert!(metric("{\"precision\":0.05,\"metric\":\"service_p99_ms\"}").is_empty());
        let fault = Run::new("cpu-queue", "{\"metric\":\"speed\"}").err().expect("a fault");
        assert!(fault.contains("there is no metric “speed”"), "{fault}");
    }

    /// Report, metric, numbers and replications of a run that may be anywhere: all of it can be read.
    fn look(run: &Run, place: &str) {
        let json: serde_json::Value =
            serde_json::from_str(&run.report(false)).unwrap_or_else(|e| panic!("{place}: {e}"));
        let data = run.data(false);
        assert!(data.iter().all(|number| number.is_finite()), "{place}");
        let mut end = 0;
        for column in json["columns"].as_array().expect("columns") {
            assert_eq!(column["offset"], end, "{place}: {column}");
            end += column["length"].as_u64().expect("a length");
        }
        assert_eq!(end, data.len() as u64, "{place}");
        assert!(
            run.reps(false).iter().all(|rep| rep.is_finite()) && run.reps(false).len().is_multiple_of(2),
            "{place}"
        );
        if let [mean, half_width, reps @ ..] = &run.metric(false)[..] {
            assert!(mean.is_finite() && !half_width.is_infinite(), "{place}: {mean} {half_width}");
            assert!(reps.iter().all(|rep| rep.is_finite()), "{place}");
        }
    }

    #[test]
    fn a_run_can_be_looked_at_after_each_slice() {
        for preset in wwi_scenario::presets::PRESETS {
            for (slice, budget) in [(500.0, 40_000), (3000.0, 300_000), (100_000.0, 1_500_000), (100_000.0, 900)] {
                for goal in ["full", "point"] {
                    let options = format!(
                        "{{\"goal\":\"{goal}\",\"maxEvents\":{budget},\"precision\":0.01,\"record\":64,\
                         \"metric\":\"{}\"}}",
                        preset.metric
                    );
                    let mut run = Run::new(preset.id, &options).expect("valid");
                    look(&run, &format!("{} before it runs", preset.id));
                    for count in 1.. {
                        let done = run.advance(slice)[0] == 1.0;
                        look(&run, &format!("{} {goal} after {count} slices of {slice}, budget {budget}", preset.id));
                        if done {
                            break;
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn two_scenarios_go_on_together_and_equal_ones_do_not_differ() {
        let both = |query: &str, against: &str| {
            let options = format!("{{\"precision\":0.05,\"seed\":3,\"against\":\"{against}\"}}");
            let mut run = Run::new(query, &options).expect("valid");
            while run.advance(1e5)[0] == 0.0 {}
            run
        };
        let query = "instance-caging-vm?sessions=20&demand_distribution=exponential&think_time_ms=200";
        let run = both(query, &format!("{query}&resource_manager_plan=none"));
        let json = |of_a| serde_json::from_str::<serde_json::Value>(&run.report(of_a)).expect("JSON");
        let (b, a) = (json(false), json(true));
        let plan = |report: &serde_json::Value| {
            let whole = |key: &str| report[key].as_f64().expect("a number");
            (whole("replications"), whole("simulated_s") / whole("replications") + whole("warmup_s"))
        };
        assert_eq!(plan(&b).0, plan(&a).0);
        assert!((plan(&b).1 / plan(&a).1 - 1.0).abs() < 1e-9, "{:?} {:?}", plan(&b), plan(&a));
        assert!(
            a["query"].as_str().is_some_and(|query| query.contains("resource_manager_plan=none")),
            "{}",
            a["query"]
        );
        assert_eq!(run.other_progress()[3], a["throughput"]["lio_per_s"]["mean"]);
        let same = both(query, query);
        assert_eq!((same.reps(false), same.data(false)), (same.reps(true), same.data(true)));
        let alone = Run::new(query, "{}").expect("valid");
        assert!(alone.report(true).is_empty() && alone.reps(true).is_empty() && alone.other_progress().is_empty());
        let refused = Run::new(query, "{\"against\":\"cpu-queue?lio_us=x\"}").err().expect("a fault");
        assert!(refused.contains("lio_us"), "{refused}");
    }

    #[test]
    fn faults_are_json() {
        let text = |query, options| Run::new(query, options).err().expect("a fault");
        assert_eq!(
            text("cpu-queue?sessions=-1&lio_us=x", "{}"),
            "{\"code\":\"scenario\",\"field\":\"sessions\",\"message\":\"sessions lies between 0 and 100000, not -1\\n\
             lio_us is a number, not “x”\"}"
        );
        assert!(text("cpu-queue", "{\"speed\":1}").contains("\"code\":\"options\""));
        assert!(text("cpu-queue", "{").contains("options"));
    }

    #[test]
    fn benchmarks_run_to_their_budget() {
        for name in wwi_scenario::bench::GROUPS.into_iter().flatten() {
            assert!(bench(name, 20_000) >= 20_000.0, "{name}");
            assert!(bench(name, 20_000) >= 20_000.0, "{name} goes on");
        }
        assert_eq!(bench("no such thing", 10), 0.0);
    }
}
