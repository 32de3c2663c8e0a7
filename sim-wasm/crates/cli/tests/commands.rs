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

/// What every report has.
const POINTERS: &[&str] = &[
    "/warnings",
    "/throughput/transactions_per_s/ci95",
    "/throughput/lio_per_s/mean",
    "/response_ms/mean",
    "/response_ms/ci95",
    "/response_ms/p50_ci95",
    "/response_ms/p95_ci95",
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
    "/waits/0/clocked_p99_ci95",
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
    "/processes/0/dispatch_delay_us/p99_ci95",
    "/processes/0/switches_voluntary",
    "/processes/0/switches_involuntary",
    "/processes/0/migrations",
    "/processes/0/socket_migrations",
    "/processes/0/run_queue/mean",
    "/instances/0/lio_per_s/mean",
    "/instances/0/cpu/on_cpu/mean",
    "/instances/0/cpu/time/ci95",
    "/instances/0/cpu/purr/mean",
    "/metrics/0/id",
    "/metrics/0/ci95",
    "/timeline/from_ms",
    "/timeline/to_ms",
    "/kinds/0",
    "/nodes/0/cpu_busy_threads",
    "/simulated_s",
    "/warmup_s",
    "/events",
    "/checks/0/law",
    "/checks/0/residual",
    "/checks/0/ok",
    "/columns/0/key",
    "/rows/0/metric",
    "/rows/0/mean_ci95",
    "/rows/0/active",
];

#[test]
fn the_report_has_the_documented_keys() {
    let report = json(&["run", "instance-caging-vm", "--set", "sessions=9", "--seed", "3", "--json"]);
    for pointer in POINTERS {
        assert!(report.pointer(pointer).is_some(), "{pointer}");
    }
    let keys: Vec<&str> =
        report["columns"].as_array().expect("a list").iter().filter_map(|column| column["key"].as_str()).collect();
    for key in [
        "histogram/dispatch delay/session/edge_ms",
        "timeline/process",
        "timeline/activity",
        "timeline/thread",
        "timeline/start_ms",
        "timeline/end_ms",
        "timeline/debt_ms",
        "timeline/kind",
    ] {
        assert!(keys.contains(&key), "{key} is missing from {keys:?}");
    }
    assert_eq!(report["query"], "instance-caging-vm?sessions=9&seed=3");
    assert_eq!(report["seed"], 3);
}

#[test]
fn a_server_and_its_metrics() {
    let report =
        json(&["run", "starved-service?service_per_s=100", "--precision", "0.05", "--json", "--record", "100"]);
    for pointer in [
        "/services/0/demand",
        "/services/0/answered_per_s/mean",
        "/services/0/response_ms/p99",
        "/services/0/growth_per_s/ci95",
        "/services/0/grows",
    ] {
        assert!(report.pointer(pointer).is_some(), "{pointer}");
    }
    let of = |id: &str| {
        let rows = report["metrics"].as_array().expect("a list");
        rows.iter().find(|row| row["id"] == id).and_then(|row| row["mean"].as_f64())
    };
    assert_eq!(of("throughput_lio"), report["throughput"]["lio_per_s"]["mean"].as_f64());
    assert_eq!(of("service_p99_ms"), report["services"][0]["response_ms"]["p99"].as_f64());
    let row = report["rows"].as_array().and_then(|rows| rows.iter().find(|row| row["process"] == 1));
    let row = row.expect("a row of a process");
    assert_eq!(
        (&row["kind"], &row["node"], &row["instance"]),
        (&"service".into(), &1.into(), &serde_json::Value::Null)
    );
    let near = (of("cpu_wait_time").expect("it applies") - of("on_cpu").unwrap() + of("cpu_time").unwrap()).abs();
    assert!(near < 1e-9, "CPU wait is on CPU less time: {near}");
    let page = out(&wwi(&["run", "starved-service?service_per_s=100", "--precision", "0.05"]));
    for words in ["CPU of the sessions", "by time", "Server (host 1)", "its queue does not grow", "to another socket"] {
        assert!(page.contains(words), "{words} is missing from:\n{page}");
    }
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
        &["sweep", "cpu-queue", "--over", "arrivals_per_s=900:1000:50"],
        &["sweep", "cpu-queue", "--over", "sessions=1:2", "--metric", "speed"],
        &["validate", "--precision", "0"],
        &["validate", "--only", "nothing"],
        &["coverage", "--seeds", "1", "--only", "nothing"],
        &["fly"],
    ] {
        let output = wwi(arguments);
        assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_value_that_changes_nothing_is_told() {
    let told = "wwi: warning: cpu_count has no effect: resource_manager_plan is none and workload is logical_reads\n";
    let free = ["instance-caging-vm?resource_manager_plan=none", "--set", "cpu_count=4", "--precision", "0.1"];
    let run = wwi(&[&["run"][..], &free].concat());
    assert!(run.status.success() && !out(&run).is_empty());
    assert_eq!(err(&run), told);
    let run = wwi(&[&["run", "--json"][..], &free].concat());
    let report: serde_json::Value = serde_json::from_str(&out(&run)).expect("JSON on stdout alone");
    let warning = serde_json::json!({
        "path": "cpu_count",
        "message": "cpu_count has no effect: resource_manager_plan is none and workload is logical_reads"
    });
    assert_eq!(report["warnings"], serde_json::json!([warning]));
    assert_eq!(err(&run), told);
    let sweep = wwi(&[&["sweep", "--over", "sessions=4,8", "--json"][..], &free].concat());
    let grid: serde_json::Value = serde_json::from_str(&out(&sweep)).expect("JSON on stdout alone");
    assert_eq!(grid["warnings"], serde_json::json!([warning]));
    assert_eq!(err(&sweep), told);
    // At one point of two it acts.
    let over = "resource_manager_plan=none,default";
    let sweep = json(&["sweep", "instance-caging-vm?cpu_count=4", "--over", over, "--precision", "0.1", "--json"]);
    assert_eq!(sweep["warnings"], serde_json::json!([]));
}

#[test]
fn a_page_for_people_names_the_event() {
    let page = out(&wwi(&["run", "caging-nine-on-six"]));
    for words in ["Nine sessions on six CPUs", "resmgr:cpu quantum", "Logical reads", "% DB time", "Little's law"] {
        assert!(page.contains(words), "{words} is missing from:\n{page}");
    }
}

/// Numbers of the row of a page that begins so, in order.
fn numbers(page: &str, row: &str) -> Vec<f64> {
    let found = page.lines().find(|line| line.trim_start().starts_with(row)).unwrap_or_else(|| panic!("{row}: {page}"));
    let words = found.trim_start()[row.len()..].replace(',', "");
    words.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// A session that is posted waits for a thread among hogs: the database clocks that as part of the wait.
#[test]
fn a_page_tells_waits_and_on_cpu_as_the_database_clocks_them() {
    let asked = ["run", "log-writer-starved", "--precision", "0.05"];
    let (page, report) = (out(&wwi(&asked)), json(&[&asked[..], &["--json", "--without-rows"]].concat()));
    let near = |a: f64, b: f64, what: &str| assert!((a / b - 1.0).abs() < 0.01, "{what}: {a} and {b} in\n{page}");
    let mean = |pointer: &str| report.pointer(pointer).and_then(serde_json::Value::as_f64).expect(pointer);
    let [waits, time_s, each_ms, .., percent] = numbers(&page, "log file sync")[..] else { panic!("{page}") };
    near(each_ms, mean("/waits/0/clocked_ms/mean"), "a log file sync");
    near(time_s, waits * each_ms / 1e3, "time in it");
    // To the wake-up it is half of that.
    assert!(each_ms > 1.5 * mean("/waits/0/mean_ms"), "{page}");
    let [.., p99, longest, _] = numbers(&page, "log file sync")[..] else { panic!("{page}") };
    near(p99, mean("/waits/0/clocked_p99_ms"), "one wait in a hundred");
    near(longest, mean("/waits/0/clocked_max_ms"), "the longest");
    let on_cpu = mean("/instances/0/cpu/on_cpu/mean");
    let sync = mean("/waits/0/clocked_aas/mean");
    near(percent, 100.0 * sync / (on_cpu + sync), "its share of DB time");
    // Sessions hardly ever give way: their run queues are all in waits.
    assert!(on_cpu < 1.1 * mean("/instances/0/cpu/time/mean"), "{page}");
    near(numbers(&page, "Instance 1")[0], on_cpu, "ON CPU (ASH)");
    // DB time is that of foreground sessions.
    let writes = numbers(&page, "log file parallel write (lgwr)");
    assert_eq!(writes.len(), 3, "number, time, mean, and neither tail nor share: {page}");
    let of_lgwr = report["waits"].as_array().and_then(|rows| rows.iter().find(|row| row["process_kind"] == "lgwr"));
    assert_eq!(of_lgwr.map(|row| &row["db_time_pct"]), Some(&serde_json::Value::Null));
}

/// PURR is a register of POWER.
#[test]
fn a_page_counts_by_purr_where_the_system_does() {
    for (preset, has_purr) in [("lpar-smt4", true), ("instance-caging-vm", false)] {
        let page = out(&wwi(&["run", preset, "--precision", "0.05"]));
        assert_eq!(page.contains("PURR"), has_purr, "{page}");
        assert!(page.contains("ON CPU (ASH)"), "{page}");
        if has_purr {
            let [on_cpu, _, _, purr, less] = numbers(&page, "Instance 1")[..] else { panic!("{page}") };
            assert!((on_cpu - purr - less).abs() < 0.02, "{page}");
        }
        let report = json(&["run", preset, "--precision", "0.05", "--json", "--without-rows"]);
        let ids = report["metrics"].as_array().expect("a list").iter().filter_map(|row| row["id"].as_str());
        assert_eq!(ids.filter(|id| id.contains("purr")).count(), if has_purr { 2 } else { 0 });
    }
}

/// Of two groups the one with nearly all shares has all slots: the other waits, and is not quick.
#[test]
fn a_consumer_group_of_which_nothing_ends_has_no_response() {
    let asked = "caging-nine-on-six?sessions=32&consumer_group_sessions=16/16&consumer_group_shares=1000000/1";
    let page = out(&wwi(&["run", asked, "--precision", "0.05"]));
    let row = page.lines().find(|line| line.contains("GROUP_2")).expect("a row");
    assert!(row.contains("none ended") && row.contains("resmgr:cpu quantum 16.00"), "{row}");
    let report = json(&["run", asked, "--precision", "0.05", "--json", "--without-rows"]);
    assert_eq!(report["consumer_groups"][1]["transactions_per_s"]["mean"].as_f64(), Some(0.0));
    assert!(report["consumer_groups"][0]["response_ms"]["mean"].as_f64() > Some(100.0));
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

/// Eight CPUs serve 800 transactions of 10 ms a second.
#[test]
fn a_sweep_tells_the_points_that_have_figures_and_why_others_have_none() {
    let arguments = ["sweep", "cpu-queue", "--over", "arrivals_per_s=700,900", "--precision", "0.1"];
    let why = "the queue would grow for ever";
    let told = |format: &[&str]| {
        let output = wwi(&[&arguments[..], format].concat());
        assert!(!output.status.success() && err(&output).contains(why), "{}", err(&output));
        out(&output)
    };
    let sweep: serde_json::Value = serde_json::from_str(&told(&["--json"])).expect("JSON on stdout alone");
    assert!(sweep["points"][0]["transactions_per_s"].as_f64() > Some(650.0) && sweep["points"][0]["fault"].is_null());
    assert!(sweep["points"][1]["fault"].as_str().is_some_and(|fault| fault.contains(why)), "{sweep}");
    assert!(sweep["points"][1].get("transactions_per_s").is_none());
    let csv = told(&["--csv"]);
    assert_eq!(csv.lines().last(), Some("900,,,,,,,,,,"), "{csv}");
    let table = told(&[]);
    assert!(table.contains(why) && table.lines().any(|line| line.trim_start().starts_with("700")), "{table}");
}

#[test]
fn a_sweep_over_words_and_scopes_with_a_metric_of_its_own() {
    let arguments =
        ["sweep", "starved-service?service_per_s=50", "--over", "class@service=TS,FIFO", "--precision", "0.05"];
    let sweep = json(&[&arguments[..], &["--json"]].concat());
    assert_eq!(sweep["metric"], "service_p99_ms", "that of the preset");
    assert!(sweep["points"][0]["metric"].as_f64() > sweep["points"][1]["metric"].as_f64(), "{sweep}");
    let csv = out(&wwi(&[&arguments[..], &["--csv", "--metric", "migrations_per_s"]].concat()));
    assert!(csv.starts_with("class@service,migrations_per_s,migrations_per_s_ci95,lio_per_s,"), "{csv}");
    let table = out(&wwi(&[&arguments[..], &["--metric", "transactions_per_session"]].concat()));
    assert!(table.contains("Transactions of a session, 1/s"), "{table}");
}

/// 300 requests of 2 ms a second are more than an ordinary server gets among hogs, and less than one in real time:
/// how long it answers would say how long the run went on.
#[test]
fn a_sweep_has_no_answers_of_a_server_whose_queue_grows() {
    let asked = ["sweep", "starved-service?service_per_s=300", "--over", "class@service=TS,FIFO", "--precision", "0.1"];
    let told = |more: &[&str]| out(&wwi(&[&asked[..], more].concat()));
    let sweep: serde_json::Value = serde_json::from_str(&told(&["--json"])).expect("JSON on stdout alone");
    let [grows, holds] = [0, 1].map(|at| &sweep["points"][at]);
    assert!(grows.get("metric").is_none() && grows["metric_grows"] == serde_json::json!(true), "{grows}");
    assert!(holds["metric"].as_f64() > Some(0.0) && holds.get("metric_grows").is_none(), "{holds}");
    let csv = told(&["--csv"]);
    assert!(csv.lines().nth(1).is_some_and(|line| line.starts_with("TS,,,")), "{csv}");
    let table = told(&[]);
    assert!(table.lines().any(|line| line.trim_start().starts_with("TS") && line.contains("grows")), "{table}");
    // How much it does is what it is.
    let rate = json(&[&asked[..], &["--json", "--metric", "service_backlog_growth_per_s"]].concat());
    assert!(rate["points"][0]["metric"].as_f64() > Some(1.0), "{rate}");
}

#[test]
fn a_sweep_prints_the_same_bytes_on_any_number_of_threads() {
    let asked =
        ["sweep", "caging-nine-on-six", "--over", "sessions=1:9", "--over", "resource_manager_plan=none,default"];
    for format in ["--csv", "--json"] {
        let printed = |threads: &str| {
            let output = wwi(&[&asked[..], &[format, "--threads", threads]].concat());
            assert!(output.status.success() && output.stderr.is_empty(), "{}", err(&output));
            out(&output)
        };
        let one = printed("1");
        assert!(one.lines().count() > 18, "{one}");
        assert_eq!([printed("2"), printed("7")], [one.clone(), one], "{format}");
    }
    assert!(err(&wwi(&[&asked[..], &["--threads", "0"]].concat())).contains("--threads"));
}

/// One value changes nothing, which is said before the first point is begun: from then on an interrupt is heeded.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_sweep_says_how_far_it_was_and_prints_nothing() {
    use std::io::{BufRead, BufReader, Read};
    let endless = ["--over", "sessions=1:40", "--set", "precision=0.001", "--set", "max_events=1000000000"];
    let mut sweep = Command::new(env!("CARGO_BIN_EXE_wwi"))
        .args([&["sweep", "starved-lms", "--set", "rm_tick_ms=3"][..], &endless].concat())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut said = BufReader::new(sweep.stderr.take().expect("piped"));
    let mut warning = String::new();
    said.read_line(&mut warning).expect("a line");
    assert!(warning.starts_with("wwi: warning: "), "{warning}");
    let process = rustix::process::Pid::from_child(&sweep);
    rustix::process::kill_process(process, rustix::process::Signal::INT).expect("it runs");
    let mut rest = String::new();
    said.read_to_string(&mut rest).expect("text");
    let output = sweep.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), out(&output)), (Some(1), String::new()), "{rest}");
    assert!(rest.ends_with("wwi: interrupted after 0 of 40 points\n"), "{rest}");
}

/// Both draw the same numbers, wherever the seed was said: a scenario differs from itself by nothing at all.
#[test]
fn what_a_scenario_is_compared_with_stands_beside_it_and_has_its_seed() {
    let rows = |arguments: &[&str]| -> Vec<String> {
        let output = wwi(&[&["run"], arguments, &["--precision", "0.1"]].concat());
        let text = out(&output);
        let from = text.find("\nAgainst ").unwrap_or_else(|| panic!("{arguments:?}: {text}{}", err(&output)));
        text[from + 1..].lines().take_while(|line| !line.is_empty()).map(str::to_owned).collect()
    };
    let own = "instance-caging-vm";
    for arguments in [
        &[&format!("{own}?seed=7"), "--against", own][..],
        &[own, "--set", "seed=7", "--against", own],
        &[own, "--seed", "7", "--against", own],
    ] {
        let rows = rows(arguments);
        assert_eq!(rows[0], "Against instance-caging-vm?seed=7");
        assert!(rows[3..6].iter().all(|row| row.contains("  0.00 ±0.00  0.00 ±0.00 %  ")), "{rows:#?}");
    }
    let figure = ["dbwr-heavy?db_writer_processes=1", "--against", "dbwr-heavy", "--figure", "stalled_percent"];
    let rows = rows(&figure);
    let cells = |row: &str| row.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).count();
    // Title, this, against, difference, per cent, unit; of a figure in per cent none of per cent.
    assert_eq!(rows[3..].iter().map(|row| cells(row)).collect::<Vec<_>>(), [6, 6, 6, 5], "{rows:#?}");
    let value = |row: &str, at: usize| -> f64 {
        let cell = row.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).nth(at).expect("a cell");
        cell.split(' ').next().expect("a number").replace(',', "").replace('−', "-").parse().expect("a number")
    };
    // One writer where there were eight: fewer transactions, each of which takes longer.
    for (row, is_more) in [(&rows[4], false), (&rows[5], true)] {
        let [this, against, by, percent] = [1, 2, 3, 4].map(|at| value(row, at));
        assert!((this > against) == is_more && (by / (this - against) - 1.0).abs() < 0.1, "{row}");
        assert!((percent / (100.0 * by / against) - 1.0).abs() < 0.01, "{row}");
    }
}

/// Where what it is compared with has no figures there is nothing to compare.
#[test]
fn what_has_no_figures_is_compared_with_nothing() {
    let (own, other) = ("sequence-nocache?sequence_cache=1000&max_events=80000", "sequence-nocache");
    for rest in [&[][..], &["--json"]] {
        let output = wwi(&[&["run", own, "--against", other], rest].concat());
        let said = err(&output);
        assert!(!output.status.success() && out(&output).is_empty(), "{}", out(&output));
        assert!(said.contains("--against: the sessions did not come to their end"), "{said}");
    }
}
