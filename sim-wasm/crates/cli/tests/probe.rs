//! `wwi probe` from outside, on the machine at hand.
#![cfg(target_os = "linux")]
use serde_json::Value;
use std::process::{Command, Output};

fn probe(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wwi")).arg("probe").args(arguments).output().expect("it starts")
}

/// Mean and quantiles of one side, which are times in order.
fn expect_spread(spread: &Value, least_us: f64, what: &str) {
    let [mean, p50, p90, p99] =
        ["mean_us", "p50_us", "p90_us", "p99_us"].map(|name| spread[name].as_f64().expect("a time"));
    assert!(least_us <= p50 && p50 <= p90 && p90 <= p99 && mean >= least_us, "{what}: {spread}");
}

/// How long anything takes is the machine's; that it is there, and as much as was asked for, is not.
#[test]
fn each_class_is_measured_with_each_number_of_hogs_beside_what_is_simulated() {
    let output = probe(&["--seconds", "0.3", "--seed", "5", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read: Value = serde_json::from_slice(&output.stdout).expect("JSON on stdout alone");
    let rows = read["rows"].as_array().expect("rows");
    let names: Vec<String> =
        rows.iter().map(|row| format!("{} {}", row["class"].as_str().expect("a name"), row["hogs_per_cpu"])).collect();
    let expected = ["FIFO", "RR", "nice -20", "nice 0"].map(|class| [0, 1, 2].map(|hogs| format!("{class} {hogs}")));
    assert_eq!(names, expected.as_flattened());
    let requests = |row: &Value| row["measured"]["requests"].as_u64();
    for row in rows {
        if row["measured"].is_null() {
            assert_ne!(row["class"], "nice 0", "that needs no permission");
            assert!(row["simulated"].is_null() && row["not_permitted_without"].is_string(), "{row}");
            continue;
        }
        // 150 of them, within five standard deviations; the same for every class.
        let count = requests(row).expect("a count");
        assert!((89..=211).contains(&count), "{row}");
        let last = &rows[9 + row["hogs_per_cpu"].as_u64().expect("hogs") as usize];
        assert_eq!(requests(row), requests(last), "{row}");
        assert!(row["simulated"]["requests"].as_u64() > Some(1000), "{row}");
        // A request asks for 300 µs of CPU; the quickest trial of many says how many spins those are.
        expect_spread(&row["simulated"]["answer"], 280.0, "simulated");
        expect_spread(&row["measured"]["answer"], 100.0, "measured");
        expect_spread(&row["simulated"]["delay"], 0.0, "simulated delay");
        if !row["measured"]["delay"].is_null() {
            expect_spread(&row["measured"]["delay"], 0.0, "measured delay");
        }
        assert!(row["others_cpus"].as_f64() >= Some(0.0) && row["steal_cpus"].as_f64() >= Some(0.0), "{row}");
    }
    assert!(read["system"]["cpus"].as_array().is_some_and(|cpus| !cpus.is_empty()), "{read}");
    assert_eq!((&read["asked"]["per_s"], &read["asked"]["service_us"]), (&500.0.into(), &300.0.into()));
}

#[test]
fn what_cannot_be_asked_is_a_fault_in_one_line_each() {
    let output = probe(&["--seconds", "0", "--per-s", "0"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "wwi: --seconds lies between 0.1 and 600, not 0\nwwi: --per-s lies between 1 and 10000, not 0\n"
    );
    let output = probe(&["--service-us", "1000", "--per-s", "800"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(said, "wwi: --per-s times --service-us asks for 0.80 CPUs, 0.7 at most\n");
}
