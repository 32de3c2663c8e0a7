//! What a page and a table say is what the report says under that name.

use std::process::Command;

fn out(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_wwi")).args(arguments).output().expect("it starts");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&out(arguments)).expect("JSON on stdout alone")
}

/// A time before these words \[µs\].
fn microseconds(line: &str, words: &str) -> f64 {
    let mut before = line.split(words).next().unwrap_or_default().split_whitespace().rev();
    let unit = before.next().map(|unit| match unit {
        "µs" => 1.0,
        "ms" => 1e3,
        _ => 1e6,
    });
    let value = before.next().and_then(|value| value.parse::<f64>().ok());
    value.zip(unit).map(|(value, unit)| value * unit).unwrap_or_else(|| panic!("{words}: {line}"))
}

#[test]
fn a_page_says_of_hosts_and_lengths_what_the_report_says() {
    let asked = ["run", "instance-caging-vm", "--precision", "0.1"];
    let (page, report) = (out(&asked), json(&[&asked[..], &["--json"]].concat()));
    let near = |a: f64, b: f64, what: &str| assert!((a / b - 1.0).abs() < 0.01, "{what}: {a} and {b} in\n{page}");
    let of = |pointer: &str| report.pointer(pointer).and_then(serde_json::Value::as_f64).expect(pointer);
    let host = page.lines().find(|line| line.trim_start().starts_with("Host 1")).expect("a host");
    near(microseconds(host, " a switch"), of("/nodes/0/mean_switch_us"), "a switch");
    near(microseconds(host, " a slice"), 1e3 * of("/nodes/0/mean_slice_ms"), "a slice");
    let each = page.split("replications of ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a length");
    near(each.parse().expect("a number"), of("/simulated_s") / of("/replications"), "a replication");
    for row in report["rows"].as_array().expect("a list").iter().filter(|row| row["count"].as_f64() > Some(0.0)) {
        let of = |key: &str| row[key].as_f64().expect(key);
        let (total_s, off) = (of("count") * of("mean_ms") / 1e3, of("total_s"));
        assert!((total_s - off).abs() <= 1e-9 * off, "{row}");
    }
}

#[test]
fn columns_of_a_csv_are_those_of_their_names() {
    let asked = ["sweep", "caging-nine-on-six", "--over", "cpu_count=2,4", "--precision", "0.1"];
    let csv = out(&[&asked[..], &["--csv"]].concat());
    let sweep = json(&[&asked[..], &["--json"]].concat());
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let metric = sweep["metric"].as_str().expect("a name");
    let names: Vec<String> = lines.next().expect("a head").iter().map(|name| name.replace(metric, "metric")).collect();
    for (line, point) in lines.zip(sweep["points"].as_array().expect("a list")) {
        assert_eq!((line.len(), line[0]), (names.len(), point["values"][0].as_str().expect("a value")));
        for (cell, name) in line.iter().zip(&names).skip(1) {
            let told = &point[name];
            let text = told.to_string();
            assert!(text == *cell || told.as_f64() == cell.parse().ok(), "{name}: {cell} for {told}");
        }
    }
}
