//! `wwi run`: one scenario, as a page for a DBA or as JSON.

use crate::against;
use crate::compute::{compute, compute_against, read, read_given, split_set, warn, Answer, Asking, Bar};
use crate::input::scenario_text;
use crate::rows::with_rows;
use crate::sweep::known_metric;
use crate::table::{ci, number, percentile_ms, thousands, time_ms, Table};
use crate::{write_out, Fault, RunArguments};
use std::fmt::Write;
use wwi_model::experiment::Figures;
use wwi_model::report::consumers::ConsumerWait;
use wwi_model::report::evictions::EvictionRow;
use wwi_model::report::{Estimate, Report, WaitRow};
use wwi_scenario::metrics::Metric;
use wwi_scenario::report::to_json;
use wwi_scenario::scenario::Scenario;
use wwi_scenario::shown::line;

/// Characters of a title; the decoder refuses more.
const LONGEST_TITLE: usize = 120;

/// Where there is no response to tell of.
const NONE_ENDED: &str = "none ended";
/// Where they come faster than they end.
const GROWS: &str = "none: a queue that grows for ever has neither mean nor percentile";
/// Where transactions outlast the run.
const OUTLASTED: &str = "by Little's law: too many have not ended to say how they spread";

/// Runs and prints.
pub fn run(arguments: &RunArguments) -> Result<String, Fault> {
    let text = scenario_text(&arguments.scenario)?;
    let (mut sets, faults): (Vec<_>, Vec<_>) = arguments.sets.iter().map(|set| split_set(set)).partition(Result::is_ok);
    if !faults.is_empty() {
        return Err(faults.into_iter().filter_map(Result::err).collect());
    }
    sets.extend(arguments.seed.map(|seed| Ok(("seed".to_owned(), seed.to_string()))));
    sets.extend(arguments.precision.map(|precision| Ok(("precision".to_owned(), precision.to_string()))));
    let sets: Vec<(String, String)> = sets.into_iter().flatten().collect();
    let (scenario, warnings) = read_given(&text, &sets)?;
    warn(&warnings);
    let other = arguments.against.as_deref().map(|against| other(against, &scenario)).transpose()?;
    let figure = arguments.figure.as_deref().map(|id| known_metric("--figure", id)).transpose();
    let figure = figure.map_err(|fault| vec![fault])?;
    // The JSON report is that of the page, its directory of columns included, with the histograms in it.
    let asking = Asking {
        record: if arguments.json { arguments.record as usize } else { 0 },
        histograms: arguments.json,
        ledger: arguments.json,
        figures: figure.map_or(Figures::ThroughputAndResponse, |metric| Figures::With(metric.figure())),
        ..Asking::default()
    };
    let bar = Bar::new(1);
    let mut answer = match &other {
        Some(other) => compute_against(&scenario, other, &asking, &bar),
        None => compute(&scenario, &asking, &bar),
    };
    answer.asked.warnings = warnings;
    bar.step("");
    bar.finish();
    // Both were given up then.
    if let Some(fault) = answer.other.as_ref().and_then(|other| other.report.fault.as_ref()) {
        return Err(vec![format!("--against: {fault}")]);
    }
    if arguments.json {
        let json = to_json(&answer.report, &answer.asked);
        let json = if arguments.without_rows || other.is_some() { json } else { with_rows(&json, &answer.rows) } + "\n";
        // What there is is told all the same, and the fault is in it.
        return answer.report.fault.map_or(Ok(json.clone()), |fault| {
            write_out(&json)?;
            Err(vec![fault.to_string()])
        });
    }
    if let Some(fault) = answer.report.fault {
        return Err(vec![fault.to_string()]);
    }
    Ok(page(scenario.shown_title(), &answer, figure))
}

/// What a scenario is compared with: of the same seed, wherever that was said, for both are to draw the same numbers.
fn other(against: &str, scenario: &Scenario) -> Result<Scenario, Fault> {
    read(&scenario_text(against)?, &[("seed".to_owned(), scenario.run_number("seed").to_string())])
}

/// The figure that was asked for, with its interval.
fn asked_figure(metric: &Metric, answer: &Answer) -> String {
    match metric.read(&answer.report, answer.asked.sessions) {
        Some(value) => format!("{}: {} {}\n", metric.title, with_ci(&value, 1.0), metric.unit),
        None => format!("{} does not apply here\n", metric.title),
    }
}

/// The report as a page of text.
fn page(title: &str, answer: &Answer, figure: Option<&Metric>) -> String {
    let report = &answer.report;
    let mut out = String::new();
    if !title.is_empty() {
        let _ = writeln!(out, "{}", line(title, LONGEST_TITLE));
    }
    // A document of its own would fill the screen.
    if !answer.asked.query.starts_with('{') {
        let _ = writeln!(out, "{}", answer.asked.query);
    }
    out.push('\n');
    out += &figure.map_or(String::new(), |metric| asked_figure(metric, answer) + "\n");
    out += &headline(answer);
    if let Some(other) = &answer.other {
        let asked = figure.map(|metric| (metric, [answer.asked.sessions, other.sessions]));
        let grows = !answer.growing.is_empty() || !other.growing.is_empty();
        out += &format!("\n{}", against::page(&other.query, [report, &other.report], asked, grows));
    }
    out += &evictions(report);
    out += &ended(report);
    out += &consumer_groups(answer);
    out += "\nTop timed events, waits with the run queue after them, as the database clocks them; \
        p99 and longest of sessions\n";
    out += &events(report).render();
    out += "\nAverage active sessions, waits up to the wake-up and run queues apart\n";
    out += &classes(report);
    out += &accounting(report);
    out += &hosts(report);
    out += &servers(report);
    out += &trust(answer);
    out
}

fn with_ci(estimate: &Estimate, scale: f64) -> String {
    format!("{}{}", number(estimate.mean / scale), ci(estimate.ci95.map(|half| half / scale)))
}

fn headline(answer: &Answer) -> String {
    let (report, response) = (&answer.report, &answer.report.response);
    let mut table = Table::new(&["<", "<"]);
    table.row(["Logical reads".to_owned(), format!("{} M/s", with_ci(&report.lio_per_s, 1e6))]);
    table.row(["Transactions".to_owned(), format!("{} /s", with_ci(&report.transactions_per_s, 1.0))]);
    let spread = format!(
        "{} ms   median {}   95 % {}   99 % {}   longest {}",
        with_ci(&response.mean_ms, 1.0),
        percentile_ms(response.p50_ms, response.p50_ci95),
        percentile_ms(response.p95_ms, response.p95_ci95),
        percentile_ms(response.p99_ms, response.p99_ci95),
        time_ms(response.max_ms)
    );
    let told = match response.count {
        _ if !answer.growing.is_empty() => GROWS.to_owned(),
        0 if response.mean_ms.mean > 0.0 => format!("{} ms   {OUTLASTED}", with_ci(&response.mean_ms, 1.0)),
        0 => NONE_ENDED.to_owned(),
        _ => spread,
    };
    table.row(["Response time".to_owned(), told]);
    for of in &answer.growing {
        table.row([format!("Queue of instance {}", of.instance), of.told()]);
    }
    for (count, instance) in report.instances.iter().enumerate() {
        if let (Some(slots), Some(used)) = (instance.slots, &instance.slot_utilisation) {
            let empty = instance.slots_empty.unwrap_or(0.0);
            let text = format!(
                "cpu_count {slots}: slots {} % in use, {} empty while somebody waits",
                with_ci(used, 0.01),
                number(empty)
            );
            table.row([format!("Instance {} cage", count + 1), text]);
        }
    }
    table.render()
}

/// Nodes and instances that left their cluster.
fn evictions(report: &Report) -> String {
    let line = |row: &EvictionRow| {
        let why = match row.reason {
            "misscount" => "evicted: heartbeats did not come for css_misscount_s",
            _ => "ended by LMHB: an LMS had not moved for 70 s",
        };
        let at = row.at_s;
        format!(
            "\nReplication {}: instance {} on node {} left at {at:.1} s, {why}",
            row.replication, row.instance, row.node
        )
    };
    report.evictions.iter().map(line).chain((!report.evictions.is_empty()).then(|| "\n".to_owned())).collect()
}

/// Sessions that ended, by instance.
fn ended(report: &Report) -> String {
    if report.ended.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&["<", "<"]);
    for row in &report.ended {
        let text = format!(
            "{} s elapsed, {} s of CPU, {} execution{}, {} logical reads a session; {} of them, the first over \
                after {} s, half after {} s, the last after {} s, standard deviation {} s",
            with_ci(&row.elapsed_s, 1.0),
            with_ci(&row.cpu_s, 1.0),
            thousands(f64::from(row.executions)),
            if row.executions == 1 { "" } else { "s" },
            thousands(row.reads.mean),
            thousands(f64::from(row.sessions)),
            with_ci(&row.ends.first_s, 1.0),
            with_ci(&row.ends.median_s, 1.0),
            with_ci(&row.ends.last_s, 1.0),
            with_ci(&row.ends.sd_s, 1.0),
        );
        table.row([format!("Instance {}", row.instance), text]);
    }
    format!("\nSessions that ended\n{}{}", table.render(), traces(report))
}

/// Consumer groups, where an instance has several.
fn consumer_groups(answer: &Answer) -> String {
    let report = &answer.report;
    if report.consumer_groups.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&["<", "<", ">", ">", ">", ">", ">", "<"]);
    let titles =
        ["Instance", "Group", "Sessions", "Transactions/s", "Response ms", "On a thread", "Run queue", "Waits"];
    table.row(titles.map(str::to_owned));
    table.rule();
    for row in &report.consumer_groups {
        let wait = |wait: &ConsumerWait| format!("{} {}", wait.event, with_ci(&wait.aas, 1.0));
        table.row([
            row.instance.to_string(),
            line(&row.name, LONGEST_TITLE),
            thousands(row.sessions as f64),
            with_ci(&row.transactions_per_s, 1.0),
            match row.transactions_per_s.mean > 0.0 {
                _ if answer.growing.iter().any(|of| of.instance == row.instance) => "grows".to_owned(),
                true => with_ci(&row.response_ms, 1.0),
                false => NONE_ENDED.to_owned(),
            },
            with_ci(&row.cpu, 1.0),
            with_ci(&row.run_queue, 1.0),
            row.waits.iter().take(3).map(wait).collect::<Vec<_>>().join(", "),
        ]);
    }
    format!("\nConsumer groups\n{}", table.render())
}

/// The statements of a session, as tkprof tells them.
fn traces(report: &Report) -> String {
    let mut out = String::new();
    for row in &report.statements {
        let recursive = if row.depth > 0 { format!(", recursive depth {}", row.depth) } else { String::new() };
        let mut table = Table::new(&["<", ">", ">", ">", ">", ">", ">", ">"]);
        table.row(["call", "count", "cpu", "elapsed", "disk", "query", "current", "rows"].map(str::to_owned));
        table.rule();
        for of in &row.calls {
            let [count, disk, query, current, rows] = [of.count, of.disk, of.query, of.current, of.rows].map(thousands);
            let [cpu, elapsed] = [of.cpu_s, of.elapsed_s].map(|seconds| format!("{seconds:.2}"));
            table.row([of.call.to_owned(), count, cpu, elapsed, disk, query, current, rows]);
        }
        let _ = write!(out, "\nInstance {}, {}{recursive}\n{}", row.instance, row.statement, table.render());
        for wait in &row.waits {
            let (times, longest, total) = (thousands(wait.times), wait.longest_s, wait.total_s);
            let _ = writeln!(out, "  waited {times} times for {}: {longest:.2} s at most, {total:.2} s", wait.event);
        }
    }
    out
}

/// Waits and states of ON CPU as the database clocks them: a wait lasts to the first instruction after it. How they
/// spread is known of sessions alone.
fn events(report: &Report) -> Table {
    let on_cpu = report.on_cpu.iter().map(|row| (row, format!("ON CPU, {}", row.event), false));
    let waits = report.waits.iter().map(|row| match row.process_kind {
        "session" => (row, row.event.to_owned(), true),
        kind => (row, format!("{} ({kind})", row.event), true),
    });
    let mut rows: Vec<(&WaitRow, String, bool)> = on_cpu.chain(waits).collect();
    rows.retain(|(row, ..)| row.clocked_aas.mean > 0.0 || row.duration.count > 0);
    rows.sort_by(|a, b| b.0.clocked_aas.mean.total_cmp(&a.0.clocked_aas.mean));
    let mut table = Table::new(&["<", ">", ">", ">", ">", ">", ">", "<"]);
    let titles = ["Event", "Waits", "Time s", "Avg", "p99", "Longest", "% DB time", "Class"];
    table.row(titles.map(str::to_owned));
    table.rule();
    for (row, name, is_wait) in rows.into_iter().take(10) {
        let if_there = |is_there: bool, text: String| if is_there { text } else { String::new() };
        let (clocked, has_spread) = (&row.clocked, !row.clocked.buckets.is_empty());
        table.row([
            name,
            if_there(is_wait, thousands(row.duration.count as f64)),
            thousands(row.clocked_aas.mean * report.simulated_s),
            if_there(!clocked.mean_ms.reps.is_empty(), time_ms(clocked.mean_ms.mean)),
            if_there(has_spread, percentile_ms(clocked.p99_ms, clocked.p99_ci95)),
            if_there(has_spread, time_ms(clocked.max_ms)),
            row.db_time_pct.map_or(String::new(), |percent| format!("{percent:.1}")),
            row.class.to_owned(),
        ]);
    }
    table
}

fn classes(report: &Report) -> String {
    const WIDTH: f64 = 40.0;
    let longest = report.aas.iter().map(|row| row.aas.mean).fold(1e-9, f64::max);
    let mut table = Table::new(&["<", ">", "<"]);
    for row in report.aas.iter().filter(|row| row.aas.mean > 0.0) {
        let bar = "█".repeat((row.aas.mean / longest * WIDTH).round() as usize);
        table.row([row.class.to_owned(), number(row.aas.mean), bar]);
    }
    table.render()
}

/// CPU use of the sessions by time, and by PURR where the system counts so; and what each makes of CPU wait.
fn accounting(report: &Report) -> String {
    let has_purr = report.instances.iter().any(|row| row.has_purr);
    let mut table = Table::new(&["<", ">", ">", ">", ">", ">"]);
    let titles = ["", "ON CPU (ASH)", "by time, threads", "CPU wait"];
    let of_purr = if has_purr { ["by PURR, cores", "ON CPU less PURR, no wait"] } else { [""; 2] };
    table.row([titles[0], titles[1], titles[2], titles[3], of_purr[0], of_purr[1]].map(str::to_owned));
    table.rule();
    for (count, row) in report.instances.iter().enumerate() {
        let cpu = &row.cpu;
        let of_purr = |text: String| if row.has_purr { text } else { String::new() };
        table.row([
            format!("Instance {}", count + 1),
            with_ci(&cpu.on_cpu, 1.0),
            with_ci(&cpu.time, 1.0),
            number(cpu.on_cpu.mean - cpu.time.mean),
            of_purr(with_ci(&cpu.purr, 1.0)),
            of_purr(number(cpu.on_cpu.mean - cpu.purr.mean)),
        ]);
    }
    format!("\nCPU of the sessions\n{}", table.render())
}

fn servers(report: &Report) -> String {
    if report.services.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&["<", "<"]);
    for row in &report.services {
        let response = &row.response;
        let queue = match row.grows {
            true => format!("; its queue grows by {} a second without bound", with_ci(&row.growth_per_s, 1.0)),
            false => format!(
                " in {} on average, 99 % {}; its queue does not grow",
                time_ms(response.mean_ms.mean),
                percentile_ms(response.p99_ms, response.p99_ci95)
            ),
        };
        let text = format!(
            "asks for {} CPUs, answers {} /s{queue}, {} inside at the end",
            number(row.demand),
            with_ci(&row.answered_per_s, 1.0),
            number(row.backlog)
        );
        table.row([format!("Server (host {})", row.node), text]);
    }
    format!("\nServers\n{}", table.render())
}

fn hosts(report: &Report) -> String {
    let mut out = String::from("\nHosts and processes\n");
    let mut table = Table::new(&["<", "<"]);
    for (count, node) in report.nodes.iter().enumerate() {
        let text = format!(
            "{} of {} threads busy: {} useful, {} switching, {} spinning; {} switches/s, {} a slice, {} a switch",
            number(node.cpu_busy_threads.mean),
            node.threads,
            number(node.useful_threads),
            number(node.switch_threads),
            number(node.spin_threads),
            thousands(node.switches_per_s.mean),
            time_ms(node.mean_slice_ms),
            time_ms(node.mean_switch_us / 1e3)
        );
        table.row([format!("Host {}", count + 1), text]);
    }
    for row in report.processes.iter().filter(|row| row.count > 0) {
        let delay = &row.dispatch_delay;
        let text = format!(
            "{} of them, ready to running {} on average, 99 % {}; switches {} voluntary, {} not; {} migrations, {} of \
                them to another socket",
            thousands(row.count as f64),
            time_ms(delay.mean_ms.mean),
            percentile_ms(delay.p99_ms, delay.p99_ci95),
            thousands(row.switches_voluntary as f64),
            thousands(row.switches_involuntary as f64),
            thousands(row.migrations as f64),
            thousands(row.socket_migrations as f64)
        );
        table.row([format!("{} (host {})", row.kind, row.node), text]);
    }
    out += &table.render();
    out
}

fn trust(answer: &Answer) -> String {
    let report = &answer.report;
    let reached = report.precision_reached.map_or("none".to_owned(), |p| format!("{:.2} %", p * 100.0));
    let asked = answer.asked.precision * 100.0;
    let each = number(report.simulated_s / f64::from(report.replications.max(1)));
    let looked_at = match report.ends.is_none() {
        true => format!("of {each} s after {} s of warm-up, {} batches", number(report.warmup_s), report.batches),
        false => format!("to their end, {each} s on average"),
    };
    let mut out = format!(
        "\nPrecision {reached} at 95 %, asked {asked} %{}. Seed {}. {} replications {looked_at}, {} events in \
            {:.2} s.\n",
        if report.truncated { " (the event budget ended the run: raise max_events)" } else { "" },
        answer.asked.seed,
        report.replications,
        thousands(report.events as f64),
        answer.took.as_secs_f64(),
    );
    for check in &report.checks {
        let mark = if check.ok { "✓" } else { "✕" };
        let _ = writeln!(out, "{mark} {} (residual {:.1e})", check.law, check.residual);
    }
    out
}
