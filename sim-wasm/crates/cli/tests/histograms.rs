//! The histograms of the JSON report: one beside the percentiles of every distribution, and true to them.

use serde_json::Value;
use std::process::Command;

fn report(scenario: &str) -> Value {
    let arguments = ["run", scenario, "--precision", "0.05", "--json", "--record", "0"];
    let output = Command::new(env!("CARGO_BIN_EXE_wwi")).args(arguments).output().expect("it starts");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Every object that has percentiles, with its place and the names of median, 99th percentile and maximum.
fn distributions<'a>(json: &'a Value, place: String, found: &mut Vec<(String, &'a Value, [&'static str; 3])>) {
    const NAMES: [[&str; 3]; 2] = [["p50", "p99", "max"], ["p50_ms", "p99_ms", "max_ms"]];
    match json {
        Value::Object(map) => {
            let names = NAMES.into_iter().find(|names| names.iter().all(|name| map.contains_key(*name)));
            found.extend(names.map(|names| (place.clone(), json, names)));
            map.iter().for_each(|(key, value)| distributions(value, format!("{place}/{key}"), found));
        }
        Value::Array(list) => {
            let each = list.iter().enumerate();
            each.for_each(|(at, value)| distributions(value, format!("{place}/{at}"), found));
        }
        _ => {}
    }
}

fn numbers(json: &Value) -> Vec<f64> {
    json.as_array().map_or(Vec::new(), |list| list.iter().filter_map(Value::as_f64).collect())
}

/// Observations below a value, at least and at most, for it may lie inside a bucket.
fn below(edges: &[f64], counts: &[f64], value: f64) -> (f64, f64) {
    let whole = |is_in: &dyn Fn(&[f64]) -> bool| {
        edges.windows(2).zip(counts).filter(|(bucket, _)| is_in(bucket)).map(|(_, count)| count).sum()
    };
    (whole(&|bucket| bucket[1] <= value), whole(&|bucket| bucket[0] <= value))
}

fn check(place: &str, row: &Value, names: [&str; 3]) -> f64 {
    let (edges, counts) = (numbers(&row["histogram"]["edges"]), numbers(&row["histogram"]["counts"]));
    let total: f64 = counts.iter().sum();
    if total == 0.0 {
        assert!(edges.is_empty() && counts.is_empty(), "{place}");
        return 0.0;
    }
    assert_eq!(edges.len(), counts.len() + 1, "{place}");
    assert!(edges.windows(2).all(|pair| pair[0] < pair[1]), "{place}: edges rise");
    if let Some(count) = row["count"].as_f64() {
        assert_eq!(total, count, "{place}");
    }
    let [p50, p99, max] = names.map(|name| row[name].as_f64().expect("a number"));
    let last = edges.len() - 1;
    // The largest is known exactly, or as the upper edge of its bucket.
    assert!(edges[last - 1] <= max * (1.0 + 1e-9) && max <= edges[last] * (1.0 + 1e-9), "{place}: {max} {edges:?}");
    for (share, quantile) in [(0.5, p50), (0.99, p99)] {
        let (least, most) = below(&edges, &counts, quantile);
        let rank = share * total;
        assert!(least - 1.0 <= rank && rank <= most + 1.0, "{place}: {quantile} at {least} to {most} of {total}");
    }
    let mean = row["mean"].as_f64().or(row["mean_ms"].as_f64()).expect("a mean");
    let sum = |side: usize| counts.iter().enumerate().map(|(at, count)| count * edges[at + side]).sum::<f64>() / total;
    assert!(sum(0) <= mean * 1.0001 && mean <= sum(1) * 1.0001, "{place}: {} to {}, not {mean}", sum(0), sum(1));
    total
}

/// A wait lasts to the first instruction after it, and where many wait for a thread then, most of it may be that.
#[test]
fn tails_of_clocked_waits_are_of_what_their_mean_is_of() {
    let scenario = "slow-redo-device?arrivals=closed&redo_io_ms=0.6&demand_distribution=exponential&max_events=300000&\
        cores_per_socket=32&lio_us=10&os_scheduler=Solaris&sessions=64&lio_per_transaction=800";
    let report = report(scenario);
    let waits = report["waits"].as_array().expect("rows");
    let sync = waits.iter().find(|row| row["event"] == "log file sync").expect("commits are waited for");
    let ms = |place: &str| sync.pointer(place).and_then(Value::as_f64).expect(place);
    let [mean, p99, max] = ["/clocked_ms/mean", "/clocked_p99_ms", "/clocked_max_ms"].map(ms);
    // Without the run queue after the wake-up no wait in a hundred lasts as long as they do on average with it.
    assert!(ms("/p99_ms") < mean && mean < p99 && p99 <= max && ms("/max_ms") < max, "{mean} {p99} {max}");
    let histogram = &sync["clocked_histogram"];
    let (edges, counts) = (numbers(&histogram["edges"]), numbers(&histogram["counts"]));
    let (total, (least, most)) = (counts.iter().sum::<f64>(), below(&edges, &counts, p99));
    assert!(least - 1.0 <= 0.99 * total && 0.99 * total <= most + 1.0, "{p99} at {least} to {most} of {total}");
    // Those in the run queue at the end have not got to their first instruction.
    assert!((total - ms("/count")).abs() <= 64.0 * 64.0, "{total}");
}

#[test]
fn every_distribution_has_its_histogram() {
    for scenario in ["starved-service?service_per_s=100", "instance-caging-vm?sessions=9", "two-instances"] {
        let report = report(scenario);
        let mut found = Vec::new();
        distributions(&report, String::new(), &mut found);
        let places: Vec<&str> = found.iter().map(|(place, ..)| place.as_str()).collect();
        for place in ["/response_ms", "/waits/0", "/on_cpu/0", "/on_cpu/1", "/processes/0/dispatch_delay_us"] {
            assert!(places.contains(&place) || scenario.starts_with("starved") && place == "/waits/0", "{place}");
        }
        assert_eq!(places.contains(&"/services/0/response_ms"), scenario.starts_with("starved"), "{places:?}");
        let seen = found.iter().filter(|(place, row, names)| check(&format!("{scenario}{place}"), row, *names) > 0.0);
        assert!(seen.count() >= 4, "{places:?}");
    }
}
