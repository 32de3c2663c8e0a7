//! What was measured beside what is simulated, as a table or as JSON.
use super::plan::{Class, Plan};
use super::system::System;
use crate::table::{thousands, Table};
use serde::Serialize;
use serde_json::json;

/// Mean and quantiles \[µs\].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    pub mean_us: f64,
    pub p50_us: f64,
    pub p90_us: f64,
    pub p99_us: f64,
}

impl Spread {
    /// Of single observations \[ns\]: quantiles are the least observation that so many do not exceed. `None` of none.
    pub fn of(mut all: Vec<u64>) -> Option<Spread> {
        all.sort_unstable();
        let last = all.len().checked_sub(1)?;
        let at = |q: f64| all[((q * all.len() as f64).ceil() as usize).saturating_sub(1).min(last)] as f64 / 1e3;
        let mean_us = all.iter().sum::<u64>() as f64 / all.len() as f64 / 1e3;
        Some(Spread { mean_us, p50_us: at(0.5), p90_us: at(0.9), p99_us: at(0.99) })
    }

    fn cells(&self) -> [String; 4] {
        [self.mean_us, self.p50_us, self.p90_us, self.p99_us].map(microseconds)
    }
}

/// As finely as a clock tells them.
fn microseconds(us: f64) -> String {
    if us < 99.95 {
        format!("{us:.1}")
    } else {
        thousands(us)
    }
}

/// One side of a row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Side {
    /// Requests answered.
    pub requests: u64,
    /// From when a request comes to its answer.
    pub answer: Spread,
    /// From a wake-up to the first instruction; `None`: it never slept.
    pub delay: Option<Spread>,
}

/// A class and a number of hogs; nothing measured: the class was not permitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub class: Class,
    /// For each CPU.
    pub hogs: u32,
    pub measured: Option<Side>,
    pub simulated: Option<Side>,
    /// CPUs that other processes used meanwhile.
    pub others: f64,
    /// CPUs that a hypervisor gave to others.
    pub steal: f64,
}

/// A quantile of (lower edge, upper edge, count), even within a bucket; 0 of none.
pub fn quantile_of(buckets: &[(f64, f64, u64)], q: f64) -> f64 {
    let mut left = q * buckets.iter().map(|bucket| bucket.2 as f64).sum::<f64>();
    for &(low, high, count) in buckets {
        if left <= count as f64 {
            return low + (high - low) * left / count as f64;
        }
        left -= count as f64;
    }
    buckets.last().map_or(0.0, |bucket| bucket.1)
}

/// What the columns say.
const LEGEND: &str = "answer: from when a request comes to its end; delay: from a wake-up to the first instruction. \
     Times in µs.\nmeasured delays are those of wake-ups; simulated ones also those after a pre-emption.\nothers, \
     steal: CPUs that other processes used, and that a hypervisor gave away, while it was measured.\nTaken over from \
     what is measured: of each class the median delay without hogs.";

/// For people.
pub fn page(plan: &Plan, system: &System, rows: &[Row]) -> String {
    let load = format!(
        "{} requests a second of {} µs, {} s a row, seed {}",
        plan.per_s,
        plan.service / 1e3,
        plan.seconds,
        plan.seed
    );
    let mut table = Table::new(&["<", ">", "<", ">", ">", ">", ">", ">", ">", ">", ">", ">", ">", ">"]);
    let head = ["class", "hogs", "", "requests", "answer", "50 %", "90 %", "99 %", "delay", "50 %", "90 %", "99 %"];
    let beside = ["others", "steal"];
    let cells: Vec<&str> = head.into_iter().chain(beside).collect();
    table.row(std::array::from_fn::<String, 14, _>(|i| cells[i].to_owned()));
    table.rule();
    let mut denied = Vec::new();
    for row in rows {
        let (Some(measured), Some(simulated)) = (&row.measured, &row.simulated) else {
            let name = row.class.name();
            table.row(std::array::from_fn::<String, 14, _>(|i| match i {
                0 => name.to_owned(),
                1 => row.hogs.to_string(),
                2 => "not permitted".to_owned(),
                _ => String::new(),
            }));
            denied.push(format!("{name} asks for {}.", row.class.permission()));
            continue;
        };
        let beside = [row.others, row.steal].map(|cpus| format!("{cpus:.2}"));
        line(&mut table, [row.class.name(), &row.hogs.to_string(), "measured"], measured, beside);
        line(&mut table, ["", "", "simulated"], simulated, Default::default());
    }
    denied.dedup();
    let denied: String = denied.iter().map(|line| format!("{line}\n")).collect();
    format!("{}\n{load}\n\n{}\n{denied}{LEGEND}\n", system.told().join("\n"), table.render())
}

fn line(table: &mut Table, names: [&str; 3], side: &Side, beside: [String; 2]) {
    let [first, hogs, which] = names.map(str::to_owned);
    let nobody = std::array::from_fn(|_| "–".to_owned());
    let ([a, b, c, d], [e, f, g, h]) = (side.answer.cells(), side.delay.as_ref().map_or(nobody, Spread::cells));
    let [others, steal] = beside;
    table.row([first, hogs, which, thousands(side.requests as f64), a, b, c, d, e, f, g, h, others, steal]);
}

/// For programs.
pub fn json(plan: &Plan, system: &System, rows: &[Row]) -> String {
    let rows: Vec<serde_json::Value> = rows
        .iter()
        .map(|row| {
            let needs = row.measured.is_none().then(|| row.class.permission());
            json!({
                "class": row.class.name().replace('−', "-"), "hogs_per_cpu": row.hogs, "not_permitted_without": needs,
                "measured": row.measured, "simulated": row.simulated, "others_cpus": row.others,
                "steal_cpus": row.steal,
            })
        })
        .collect();
    let asked = json!({
        "per_s": plan.per_s, "service_us": plan.service / 1e3, "seconds": plan.seconds, "seed": plan.seed,
    });
    json!({ "version": 1, "system": system, "asked": asked, "rows": rows }).to_string() + "\n"
}

#[cfg(test)]
mod tests {
    use super::super::system::tests::small;
    use super::super::ProbeArguments;
    use super::*;

    #[test]
    fn quantiles_are_observations_or_lie_within_their_bucket() {
        let all: Vec<u64> = (1..=100).map(|n| n * 1000).rev().collect();
        let spread = Spread::of(all).expect("there are some");
        assert_eq!([spread.mean_us, spread.p50_us, spread.p90_us, spread.p99_us], [50.5, 50.0, 90.0, 99.0]);
        assert_eq!(Spread::of(vec![7000]).map(|one| (one.p50_us, one.p99_us)), Some((7.0, 7.0)));
        assert_eq!(Spread::of(Vec::new()), None);
        let buckets = [(0.0, 10.0, 50), (20.0, 30.0, 40), (100.0, 200.0, 10)];
        assert_eq!([0.25, 0.5, 0.7, 0.95, 1.0].map(|q| quantile_of(&buckets, q)), [5.0, 10.0, 25.0, 150.0, 200.0]);
        assert_eq!(quantile_of(&[], 0.5), 0.0);
    }

    #[test]
    fn both_sides_stand_below_one_another_and_what_is_not_permitted_says_what_it_asks_for() {
        let plan = Plan::new(&ProbeArguments { seconds: 3.0, service_us: 300.0, per_s: 500.0, seed: 42, json: false });
        let plan = plan.expect("it is possible");
        let spread = |mean_us| Spread { mean_us, p50_us: 2.0, p90_us: 3.0, p99_us: 4.0 };
        let side = |mean| Some(Side { requests: 1500, answer: spread(mean), delay: Some(spread(1.0)) });
        let (measured, simulated) = (side(310.0), side(320.0));
        let nothing = Row { class: Class::Fifo, hogs: 1, measured: None, simulated: None, others: 0.0, steal: 0.0 };
        let found = Row { class: Class::Ordinary, hogs: 2, measured, simulated, others: 0.25, steal: 0.5 };
        let text = page(&plan, &small(), &[nothing.clone(), found.clone()]);
        let lines: Vec<&str> = text.lines().collect();
        let at = |start: &str| lines.iter().position(|line| line.trim().starts_with(start)).expect(start);
        assert!(lines[at("FIFO")].ends_with("not permitted"), "{text}");
        assert!(text.contains("FIFO asks for CAP_SYS_NICE or RLIMIT_RTPRIO of 1.\n"), "{text}");
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
        assert_eq!(words(lines[at("nice 0")]), "nice 0 2 measured 1,500 310 2.0 3.0 4.0 1.0 2.0 3.0 4.0 0.25 0.50");
        assert_eq!(words(lines[at("simulated")]), "simulated 1,500 320 2.0 3.0 4.0 1.0 2.0 3.0 4.0");
        let read: serde_json::Value = serde_json::from_str(&json(&plan, &small(), &[nothing, found])).expect("JSON");
        assert_eq!(read["rows"][0]["not_permitted_without"], "CAP_SYS_NICE or RLIMIT_RTPRIO of 1");
        assert_eq!(
            (&read["rows"][1]["class"], &read["rows"][1]["measured"]["requests"]),
            (&"nice 0".into(), &1500.into())
        );
        assert!(read["rows"][1]["not_permitted_without"].is_null());
    }
}
