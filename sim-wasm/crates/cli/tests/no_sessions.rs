//! Hosts without sessions: a server or background load alone.

use serde_json::Value;
use std::process::{Command, Output};

fn wwi(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wwi")).args(arguments).output().expect("it starts")
}

fn report(scenario: &str) -> Value {
    let output = wwi(&["run", scenario, "--precision", "0.02", "--json", "--record", "0"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn assert_sound(report: &Value, what: &str) {
    assert_eq!(report["precision"]["truncated"], false, "{what}: it ends by itself");
    for law in report["checks"].as_array().expect("laws") {
        assert_eq!(law["ok"], true, "{what}: {law}");
    }
    assert_eq!(report["throughput"]["lio_per_s"]["mean"], 0.0, "{what}");
    assert_eq!(report["response_ms"]["count"], 0, "{what}");
    for name in ["p50", "p95", "p99", "max"] {
        assert_eq!(report["response_ms"][name], Value::Null, "{what}: {name} of nothing");
    }
    let metrics = report["metrics"].as_array().expect("metrics");
    assert!(metrics.iter().all(|metric| metric["mean"].is_number()), "{what}: a figure that is no number");
    assert!(
        !metrics.iter().any(|metric| metric["id"] == "lio_per_session"),
        "{what}: there is no session to divide by"
    );
    let page = String::from_utf8(wwi(&["run", report["query"].as_str().expect("text")]).stdout).expect("UTF-8");
    assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
}

#[test]
fn a_server_alone_is_a_queue_of_one() {
    // Random arrivals at 300/s, 2 ms each, one server, nothing else: its utilisation is 0.6.
    let alone = "starved-service?sessions=0&service_per_s=300&service_us=2000&switch_direct_us=0&switch_refill_us=0";
    let report = report(alone);
    assert_sound(&report, alone);
    let server = &report["services"][0];
    let number = |json: &Value| json.as_f64().expect("a number");
    assert!((number(&server["answered_per_s"]["mean"]) / 300.0 - 1.0).abs() < 0.02, "{server}");
    assert_eq!(server["grows"], false);
    // Pollaczek and Khinchine: 2 ms × (1 + 0.6 (1 + c²) / (2 (1 − 0.6))), with c² = 0 for constant demand: 3.5 ms.
    let mean = number(&server["response_ms"]["mean"]);
    assert!((mean / 3.5 - 1.0).abs() < 0.03, "{mean} ms");
}

#[test]
fn background_load_alone_keeps_its_threads_busy() {
    let alone = "instance-caging-vm?sessions=0&background_processes=3&background_sleep_ms=0";
    let report = report(alone);
    assert_sound(&report, alone);
    let busy = report["nodes"][0]["cpu_busy_threads"].as_f64().expect("a number");
    assert!((busy - 3.0).abs() < 1e-6, "{busy}");
}

#[test]
fn one_idle_instance_leaves_the_other_as_it_is() {
    let both = report("two-instances?sessions@instance2=0");
    let lio = |instance: usize| both["instances"][instance]["lio_per_s"]["mean"].as_f64().expect("a number");
    assert!(lio(0) > 1e6 && lio(1) == 0.0, "{} {}", lio(0), lio(1));
    assert_eq!(both["precision"]["ok"], true);
}

#[test]
fn nothing_at_all_is_refused_in_words() {
    let nobody = &["sessions=0", "service_per_s=0", "background2_processes=0"][..];
    for (scenario, sets) in [("instance-caging-vm?sessions=0", &[][..]), ("starved-service", nobody)] {
        let sets: Vec<&str> = sets.iter().flat_map(|set| ["--set", *set]).collect();
        let output = wwi(&[&["run", scenario][..], &sets].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(1) && said.contains("nothing would run"), "{scenario}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}
