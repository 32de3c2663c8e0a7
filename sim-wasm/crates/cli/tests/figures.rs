//! `wwi validate` from outside: published figures, their intervals, and whether inputs and checks are met.

use std::process::{Command, Output};

fn wwi(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wwi")).args(arguments).output().expect("it starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = wwi(arguments);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON on stdout alone")
}

fn strict(prefix: &str) {
    let output = wwi(&["validate", "--strict", "--only", prefix]);
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
}

#[test]
fn what_cages_were_set_from_is_met() {
    strict("slob");
    strict("six");
}

#[test]
fn what_the_lpar_was_set_from_is_met() {
    strict("lpar");
}

#[test]
fn what_two_databases_were_set_from_is_met() {
    strict("db");
}

#[test]
fn what_clusters_and_their_queries_were_set_from_is_met() {
    ["access", "gc", "px", "sequence"].into_iter().for_each(strict);
}

#[test]
fn what_queueing_theory_says_of_the_server_is_met() {
    strict("server");
    strict("real-time");
}

#[test]
fn a_row_says_what_its_interval_allows() {
    // The budget of the second is small.
    for (id, is_truncated) in [("hackbench-2x8-soft", false), ("hackbench-1x8-hard", true)] {
        let validation = json(&["validate", "--json", "--only", id]);
        let row = &validation["figures"][0];
        let number = |key: &str| row[key].as_f64().expect("a number");
        assert_eq!(row["truncated"], is_truncated, "{row}");
        assert!(number("ci95") > 0.0, "{row}");
        let excludes_zero = number("simulated").abs() > number("ci95");
        assert_eq!(row["verdict"] == "cannot tell", !excludes_zero, "only the sign is claimed: {row}");
        assert!((number("difference") - (number("simulated") - number("value"))).abs() < 1e-12, "{row}");
        let page = text(&wwi(&["validate", "--only", id]).stdout);
        let is_told = page.contains(" *  ") && page.contains("\n* The event budget ended a run");
        assert_eq!(is_told, is_truncated, "{page}");
        assert!(page.contains("cannot tell: the interval is too wide"), "{page}");
    }
}

#[test]
fn an_lpar_is_validated_by_name() {
    let validation = json(&["validate", "--json", "--only", "lpar"]);
    let figures = validation["figures"].as_array().expect("a list");
    assert!(validation["crossover"].is_null());
    for (id, least, most) in [
        ("lpar-one", 179.0, 180.0),
        ("lpar-response-nominal", 2.48, 2.52),
        ("lpar-response", 2.59, 2.63),
        ("lpar-purr-20", 8.7, 8.8),
        ("lpar-purr-40", 9.95, 10.05),
        ("lpar-wait-40", -0.1, 0.1),
        ("lpar-wait-50", 9.9, 10.1),
        // Ten cores: 1 + 0.05 · 9/10 with the query, 1 with the loop.
        ("lpar-loop", 0.9569 - 1e-3, 0.9569 + 1e-3),
    ] {
        let figure = figures.iter().find(|figure| figure["id"] == id).expect("a figure");
        let simulated = figure["simulated"].as_f64().expect("a number");
        assert!((least..=most).contains(&simulated), "{id}: {simulated}");
    }
}

#[test]
fn validation_lists_published_figures_with_their_roles() {
    let validation = json(&["validate", "--json", "--only", "s"]);
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
    let crossover = |key: &str| validation["crossover"][key].as_u64().expect("it is found");
    let (behind, overtakes, ahead) = (crossover("behind_up_to"), crossover("sessions"), crossover("ahead_from"));
    assert!((16..=18).contains(&overtakes), "{overtakes}");
    assert!(behind < overtakes && overtakes <= ahead, "{behind}, {overtakes}, {ahead}");
}

/// Errors are shares of what was published.
#[test]
fn an_error_is_what_is_simulated_over_what_is_published_less_one() {
    let validation = json(&["validate", "--json", "--only", "lpar-response"]);
    let figures = validation["figures"].as_array().expect("a list");
    for figure in figures {
        let of = |key: &str| figure[key].as_f64().expect(key);
        let expected = (of("simulated") / of("value") - 1.0) * 100.0;
        assert!((of("error_pct") - expected).abs() < 1e-9 && expected.abs() > 0.01, "{figure}");
    }
    assert_eq!(figures.len(), 3);
}
