//! The binary from outside: what it prints, where, and how it ends.

use std::process::{Command, Output};

fn wwi(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wwi")).args(arguments).output().expect("it starts")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = wwi(arguments);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", err(&output));
    serde_json::from_str(&out(&output)).expect("JSON on stdout alone")
}

#[test]
fn the_report_has_the_documented_keys() {
    let report = json(&["run", "instance-caging-vm", "--set", "sessions=9", "--seed", "3", "--json"]);
    for pointer in [
        "/throughput/transactions_per_s/ci95",
        "/throughput/lio_per_s/mean",
        "/response_ms/mean",
        "/response_ms/ci95",
        "/response_ms/p99",
        "/waits/0/event",
        "/waits/0/class",
        "/waits/0/process_kind",
        "/waits/0/count",
        "/waits/0/time_s",
        "/waits/0/mean_ms",
        "/waits/0/ci95",
        "/waits/0/p50_ms",
        "/waits/0/p99_ms",
        "/waits/0/max_ms",
        "/waits/0/db_time_pct",
        "/aas/0/class",
        "/aas/0/mean",
        "/aas/0/ci95",
        "/instances/0/slot_utilisation",
        "/processes/0/kind",
        "/processes/0/node",
        "/processes/0/count",
        "/processes/0/cpu_s",
        "/processes/0/run_queue_s",
        "/processes/0/dispatch_delay_us/p99",
        "/processes/0/switches_voluntary",
        "/processes/0/switches_involuntary",
        "/processes/0/migrations",
        "/nodes/0/cpu_busy_threads",
        "/simulated_s",
        "/warmup_s",
        "/events",
        "/checks/0/law",
        "/checks/0/residual",
        "/checks/0/ok",
        "/columns/0/key",
    ] {
        assert!(report.pointer(pointer).is_some(), "{pointer}");
    }
    assert_eq!(report["query"], "instance-caging-vm?sessions=9&seed=3");
    assert_eq!(report["seed"], 3);
}

#[test]
fn two_runs_are_the_same_and_a_file_says_what_the_preset_says() {
    let first = out(&wwi(&["run", "two-instances", "--precision", "0.05", "--json"]));
    assert_eq!(first, out(&wwi(&["run", "two-instances", "--precision", "0.05", "--json"])));
    let folder = std::env::temp_dir().join(format!("wwi-test-{}", std::process::id()));
    let written = wwi(&["generate", folder.to_str().expect("a path")]);
    assert!(written.status.success(), "{}", err(&written));
    let file = folder.join("public/scenarios/two-instances.json");
    let report = json(&["run", file.to_str().expect("a path"), "--precision", "0.05", "--json"]);
    let preset: serde_json::Value = serde_json::from_str(&first).expect("JSON");
    assert_eq!(report["throughput"], preset["throughput"]);
    assert!(wwi(&["generate", folder.to_str().expect("a path"), "--check"]).status.success());
    std::fs::write(&file, "{}").expect("written");
    let drift = wwi(&["generate", folder.to_str().expect("a path"), "--check"]);
    assert!(!drift.status.success() && err(&drift).contains("two-instances.json is not what the tables say"));
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn everything_wrong_goes_to_stderr_at_once() {
    let output = wwi(&["run", "instance-caging-vm", "--set", "cpu_cuont=4", "--set", "lio_us=-1"]);
    assert!(!output.status.success() && output.stdout.is_empty());
    assert_eq!(
        err(&output),
        "wwi: cpu_cuont: there is no knob “cpu_cuont”; did you mean cpu_count?\n\
         wwi: lio_us lies between 0.01 and 1000 µs, not -1\n"
    );
    for arguments in [
        &["run", "no-such-preset"][..],
        &["run", "no/such/file.json"],
        &["run", "cpu-queue", "--set", "sessions"],
        &["sweep", "cpu-queue", "--over", "sessions"],
        &["sweep", "cpu-queue", "--over", "arrivals_per_s=700:900:50"],
        &["validate", "--precision", "0"],
        &["fly"],
    ] {
        let output = wwi(arguments);
        assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_page_for_people_names_the_event() {
    let page = out(&wwi(&["run", "caging-nine-on-six"]));
    for words in ["Nine sessions on six CPUs", "resmgr:cpu quantum", "Logical reads", "% DB time", "Little's law"] {
        assert!(page.contains(words), "{words} is missing from:\n{page}");
    }
}

#[test]
fn a_sweep_as_csv_and_json() {
    let arguments = ["sweep", "instance-caging-vm", "--over", "cpu_count=2,4", "--over", "sessions=8:16:8"];
    let csv = out(&wwi(&[&arguments[..], &["--csv"]].concat()));
    let points: Vec<String> = csv.lines().map(|line| line.split(',').take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(points, ["cpu_count sessions", "2 8", "2 16", "4 8", "4 16"]);
    let sweep = json(&[&arguments[..], &["--json"]].concat());
    assert_eq!(sweep["points"][3]["query"], "instance-caging-vm?cpu_count=4&sessions=16");
    assert!(sweep["points"][3]["lio_per_s"].as_f64() > sweep["points"][1]["lio_per_s"].as_f64());
}

#[test]
fn validation_lists_published_figures_with_their_roles() {
    let validation = json(&["validate", "--json"]);
    let figures = validation["figures"].as_array().expect("a list");
    let of = |id: &str| figures.iter().find(|figure| figure["id"] == id).expect("a figure");
    let near = |id: &str, value: f64, half: f64| {
        let simulated = of(id)["simulated"].as_f64().expect("a number");
        assert!((simulated - value).abs() <= half, "{id}: {simulated}");
    };
    near("slob-one", 0.6, 0.006);
    near("slob-peak", 3.6, 0.036);
    near("slob-nine-on-eight", 23.75, 1.0);
    near("slob-32-on-eight", 340.0, 3.0);
    near("six-wait-1", 65.0, 1.0);
    near("six-waits-2", 16_364.0, 100.0);
    assert_eq!(of("slob-peak")["role"], "input");
    assert_eq!(of("six-cpu")["role"], "consistency check");
    assert_eq!(of("six-loss")["role"], "consistency check");
    let crossover = validation["crossover"]["sessions"].as_u64().expect("it is found");
    assert!((14..=20).contains(&crossover), "{crossover}");
}
