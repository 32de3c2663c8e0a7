//! What is asked of the machine row by row, and the scenario that says the same to the model.
use super::measure::Measured;
use super::system::System;
use super::table::{quantile_of, Row, Side, Spread};
use super::ProbeArguments;
use crate::compute::{compute, read, Asking, Bar};
use crate::sweep::known_metric;
use crate::Fault;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::experiment::Figures;
use wwi_model::report::{Distribution, Report};

/// Most of a CPU that the server may ask for: in a real-time class nobody else gets what it takes.
const MOST_DEMAND: f64 = 0.7;
/// Requests of a row at least, on average.
const LEAST_REQUESTS: f64 = 20.0;
/// Hogs for each CPU.
pub const HOGS: [u32; 3] = [0, 1, 2];
/// Rows of the table.
pub const ROWS: usize = HOGS.len() * Class::ALL.len();

/// How the server is scheduled; the hogs are ordinary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Fifo,
    RoundRobin,
    Favoured,
    Ordinary,
}

impl Class {
    pub const ALL: [Class; 4] = [Class::Fifo, Class::RoundRobin, Class::Favoured, Class::Ordinary];

    /// As people say it.
    pub fn name(self) -> &'static str {
        match self {
            Class::Fifo => "FIFO",
            Class::RoundRobin => "RR",
            Class::Favoured => "nice −20",
            Class::Ordinary => "nice 0",
        }
    }

    /// What a process must have to take it.
    pub fn permission(self) -> &'static str {
        match self {
            Class::Fifo | Class::RoundRobin => "CAP_SYS_NICE or RLIMIT_RTPRIO of 1",
            Class::Favoured => "CAP_SYS_NICE or RLIMIT_NICE of 40",
            Class::Ordinary => "nothing",
        }
    }

    fn knobs(self) -> [(&'static str, &'static str); 2] {
        let (class, nice) = match self {
            Class::Fifo => ("FIFO", "0"),
            Class::RoundRobin => ("RR", "0"),
            Class::Favoured => ("TS", "-20"),
            Class::Ordinary => ("TS", "0"),
        };
        [("class@service", class), ("nice@service", nice)]
    }
}

/// Load and length of each row.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Length \[s\].
    pub seconds: f64,
    /// CPU time of a request \[ns\].
    pub service: f64,
    /// Requests a second.
    pub per_s: f64,
    /// Root of all randomness.
    pub seed: u64,
}

impl Plan {
    /// What was asked for, or everything that is wrong with it.
    pub fn new(asked: &ProbeArguments) -> Result<Plan, Fault> {
        let &ProbeArguments { seconds, service_us, per_s, seed, .. } = asked;
        let within = |name: &str, value: f64, (low, high): (f64, f64)| {
            let is_within = (low..=high).contains(&value);
            (!is_within).then(|| format!("--{name} lies between {low} and {high}, not {value}"))
        };
        let mut faults: Fault = [
            within("seconds", seconds, (0.1, 600.0)),
            within("service-us", service_us, (10.0, 100_000.0)),
            within("per-s", per_s, (1.0, 10_000.0)),
        ]
        .into_iter()
        .flatten()
        .collect();
        let demand = service_us * per_s / 1e6;
        if faults.is_empty() && demand > MOST_DEMAND {
            faults.push(format!("--per-s times --service-us asks for {demand:.2} CPUs, {MOST_DEMAND} at most"));
        }
        if faults.is_empty() && seconds * per_s < LEAST_REQUESTS {
            faults.push(format!(
                "--seconds times --per-s makes {:.1} requests, {LEAST_REQUESTS} at least",
                seconds * per_s
            ));
        }
        if faults.is_empty() {
            Ok(Plan { seconds, service: service_us * 1e3, per_s, seed })
        } else {
            Err(faults)
        }
    }

    /// When requests come \[ns from the start\]: at random, the same whatever the class.
    pub fn arrivals(&self, hogs: u32) -> Vec<u64> {
        let mut gaps = Stream::new(self.seed, hogs, "probe", 0, "arrivals");
        let mean = Ns((1e9 / self.per_s) as u64);
        let next = |at: &u64| Some(at + gaps.exponential_ns(mean).0);
        let all = std::iter::successors(Some(0), next).skip(1);
        all.take_while(|&at| at as f64 <= self.seconds * 1e9).collect()
    }

    /// The scenario of a row. `wakes`: from a wake-up on the idle machine to the first instruction, the median \[ns\].
    pub fn scenario(&self, system: &System, class: Class, hogs: u32, wakes: f64) -> Vec<(String, String)> {
        let mut sets: Vec<(&str, String)> = vec![
            ("sessions", "0".to_owned()),
            ("seed", self.seed.to_string()),
            ("service_per_s", self.per_s.to_string()),
            ("service_us", (self.service / 1e3).to_string()),
            // Spins touch no memory: there are no caches to be filled again.
            ("switch_refill_us", "0".to_owned()),
            ("migration_refill_us", "0".to_owned()),
            ("socket_refill_us", "0".to_owned()),
            // The machine's own threads are not simulated.
            ("background2_processes", "0".to_owned()),
            ("background_processes", (hogs as usize * system.cpus.len()).to_string()),
            ("background_sleep_ms", "0".to_owned()),
            ("background_busy_ms", "100".to_owned()),
            ("wake_ipi_us", "0".to_owned()),
            ("wake_path_us", (wakes / 1e3).clamp(0.0, 1000.0).to_string()),
        ];
        sets.extend(class.knobs().map(|(knob, value)| (knob, value.to_owned())));
        sets.extend(system.knobs());
        sets.into_iter().map(|(knob, value)| (knob.to_owned(), value)).collect()
    }

    /// Each row beside what the model says of it. The idle machine's median delay, class by class, is all that is taken
    /// over from what was measured.
    pub fn simulated(&self, system: &System, measured: Vec<Measured>, bar: &Bar) -> Result<Vec<Row>, Fault> {
        let mut rows = Vec::new();
        let mut wakes = 0.0;
        for one in measured {
            let (class, hogs) = (one.class, one.hogs);
            let found = one.side();
            if hogs == 0 {
                wakes = found.as_ref().and_then(|side| side.delay).map_or(0.0, |delay| delay.p50_us * 1e3);
            }
            let is_permitted = found.is_some();
            let simulated = is_permitted.then(|| self.simulate(system, class, hogs, wakes)).transpose()?;
            rows.push(Row { class, hogs, measured: found, simulated, others: one.others, steal: one.steal });
            bar.step("simulating");
        }
        Ok(rows)
    }

    fn simulate(&self, system: &System, class: Class, hogs: u32, wakes: f64) -> Result<Side, Fault> {
        let scenario = read("starved-service", &self.scenario(system, class, hogs, wakes))?;
        let figure = known_metric("probe", "service_mean_ms").map_err(|fault| vec![fault])?;
        let asking = Asking { figures: Figures::With(figure.figure()), ..Asking::default() };
        let answer = compute(&scenario, &asking, &Bar::new(1));
        side(&answer.report).ok_or_else(|| vec!["the model has answered no request".to_owned()])
    }
}

fn side(report: &Report) -> Option<Side> {
    let answers = &report.services.first()?.response;
    let delays = &report.processes.iter().find(|row| row.kind == "service")?.dispatch_delay;
    (answers.count > 0).then(|| Side { requests: answers.count, answer: spread(answers), delay: Some(spread(delays)) })
}

fn spread(all: &Distribution) -> Spread {
    let [p50_us, p90_us, p99_us] = [0.5, 0.9, 0.99].map(|q| 1e3 * quantile_of(&all.buckets, q));
    Spread { mean_us: 1e3 * all.mean_ms.mean, p50_us, p90_us, p99_us }
}

#[cfg(test)]
mod tests {
    use super::super::system::tests::small;
    use super::*;

    fn asked(seconds: f64, service_us: f64, per_s: f64) -> Result<Plan, Fault> {
        Plan::new(&ProbeArguments { seconds, service_us, per_s, seed: 7, json: false })
    }

    #[test]
    fn what_cannot_be_asked_is_said_at_once() {
        assert!(asked(3.0, 300.0, 500.0).is_ok() && asked(3.0, 700.0, 1000.0).is_ok());
        assert_eq!(
            asked(0.0, 5.0, 0.5).unwrap_err(),
            [
                "--seconds lies between 0.1 and 600, not 0",
                "--service-us lies between 10 and 100000, not 5",
                "--per-s lies between 1 and 10000, not 0.5"
            ]
        );
        assert_eq!(
            asked(3.0, 1000.0, 750.0).unwrap_err(),
            ["--per-s times --service-us asks for 0.75 CPUs, 0.7 at most"]
        );
        assert_eq!(asked(0.5, 300.0, 39.0).unwrap_err(), ["--seconds times --per-s makes 19.5 requests, 20 at least"]);
        assert!(asked(f64::NAN, 300.0, 500.0).is_err());
    }

    #[test]
    fn requests_come_at_random_as_often_as_asked_and_the_same_each_time() {
        let plan = asked(200.0, 300.0, 500.0).expect("it is possible");
        let all = plan.arrivals(1);
        assert_eq!(all, plan.arrivals(1));
        assert_ne!(all[..10], plan.arrivals(2)[..10]);
        assert!((all.len() as f64 - 100_000.0).abs() < 4.0 * 316.0, "{}", all.len());
        let gaps: Vec<f64> = all.windows(2).map(|two| (two[1] - two[0]) as f64 / 2e6).collect();
        // Exponential gaps: the share over the mean is 1/e, over three means 1/e³.
        for (over, share) in [(1.0, 0.3679), (3.0, 0.0498)] {
            let found = gaps.iter().filter(|&&gap| gap > over).count() as f64 / gaps.len() as f64;
            assert!((found - share).abs() < 0.006, "{over} {found}");
        }
        assert!(all.is_sorted() && all.last().is_some_and(|&last| last <= 200_000_000_000));
    }

    #[test]
    fn every_row_is_a_scenario() {
        let plan = asked(3.0, 300.0, 500.0).expect("it is possible");
        for class in Class::ALL {
            for hogs in HOGS {
                let scenario = read("starved-service", &plan.scenario(&small(), class, hogs, 12_345.0));
                let scenario = scenario.unwrap_or_else(|faults| panic!("{faults:?}"));
                assert_eq!(scenario.threads(1), 4.0);
                let link = wwi_scenario::canonical::canonical(&scenario).replace("%40", "@");
                let says = |words: &str| link.contains(words);
                assert_eq!(says("class@service=FIFO"), class == Class::Fifo, "{link}");
                assert_eq!(says("class@service=RR"), class == Class::RoundRobin, "{link}");
                assert_eq!(says("nice@service=-20"), class == Class::Favoured, "{link}");
                assert_eq!(scenario.node_value("wake_path_us", 1).as_number(), 12.345);
                assert_eq!(scenario.node_value("background_processes", 1).as_number(), f64::from(4 * hogs));
            }
        }
    }
}
