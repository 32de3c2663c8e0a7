//! A kind of process that waits on a queue, works, writes to a device and posts its waiters one by one: in how few
//! files it stands, and that it is then told wherever kinds are, though nothing else has heard of it. The feature
//! `planted` builds it.
use std::fs;
use std::path::{Path, PathBuf};

/// Where it stands: what it does, its row among the kinds, its events, its settings, its knobs, and what becomes of
/// these. Not counted: manifests, which name the feature; tests; what is generated.
const HOMES: [&str; 6] = [
    "sim-wasm/crates/model/src/config/kinds.rs",
    "sim-wasm/crates/model/src/measure/events.rs",
    "sim-wasm/crates/model/src/program/mod.rs",
    "sim-wasm/crates/model/src/program/planted.rs",
    "sim-wasm/crates/scenario/src/config.rs",
    "sim-wasm/crates/scenario/src/knobs/processes.rs",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    paths.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

#[test]
fn a_kind_stands_in_six_files() {
    let sources = ["kernel/src", "model/src", "scenario/src", "cli/src"].map(|of| format!("sim-wasm/crates/{of}"));
    let (mut found, mut read) = (Vec::new(), 0);
    for folder in sources.into_iter().chain(["sim-wasm/src".to_owned(), "web/src".to_owned()]) {
        for path in files_below(&root().join(&folder)) {
            let name = path.strip_prefix(root()).expect("below it").to_string_lossy().replace('\\', "/");
            let is_counted = !name.contains(".test.") && !name.contains("/generated/");
            // What is no text names nobody.
            let Some(text) = fs::read_to_string(&path).ok().filter(|_| is_counted) else { continue };
            read += 1;
            if text.to_lowercase().contains("planted") {
                found.push(name);
            }
        }
    }
    found.sort();
    assert!(read > 300, "{read} files");
    assert_eq!(found, HOMES);
}

#[cfg(feature = "planted")]
mod told {
    use super::root;
    use serde_json::{json, Value as Json};
    use std::fs;
    use wwi_kernel::time::Ns;
    use wwi_model::config::{Arrivals, Class, Config};
    use wwi_model::experiment::{Experiment, Goal};
    use wwi_model::report::facts::{Fact, Key, Sink};
    use wwi_model::report::{LedgerRow, Report, WaitRow};
    use wwi_model::testing::{done, goal, lawful, near_rel};
    use wwi_scenario::acts::warnings;
    use wwi_scenario::canonical::canonical;
    use wwi_scenario::columns::columns;
    use wwi_scenario::config::to_config;
    use wwi_scenario::decode::decode_with;
    use wwi_scenario::report::{to_json, Asked};
    use wwi_scenario::scenario::Scenario;

    /// Two hosts without costs, each with threads enough, an instance and no session; three clients on the second.
    const SCENARIO: &str =
        "two-hosts?sessions=0&os_scheduler=CFS&wake_ipi_us=0&wake_path_us=0&switch_direct_us=0&switch_refill_us=0&\
        migration_refill_us=0&socket_refill_us=0&turbo_one_core=1&planted_think_ms=1&planted_work_us=500&\
        planted_write_us=1000&planted_clients@instance2=3";

    struct Rows(Vec<(Key, Fact)>);

    impl Sink for Rows {
        fn fact(&mut self, key: Key, fact: Fact) {
            self.0.push((key, fact));
        }
    }

    /// What is read, with the number of values that change nothing.
    fn read(sets: &[(&str, &str)]) -> (Scenario, usize) {
        let sets: Vec<_> = sets.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let decoded = decode_with(SCENARIO, &sets).unwrap_or_else(|problems| panic!("{problems:?}"));
        let idle = warnings(&decoded.scenario, &decoded.given).len();
        (decoded.scenario, idle)
    }

    fn config(sets: &[(&str, &str)]) -> Config {
        to_config(&read(sets).0)
    }

    fn run(config: &Config) -> (Report, Rows) {
        let goal = Goal { record: 300, ..goal(0.02, 150_000) };
        let experiment = done(Experiment::new(config, goal));
        let mut rows = Rows(Vec::new());
        experiment.visit(&mut rows);
        (lawful(config, &experiment), rows)
    }

    fn wait<'a>(report: &'a Report, event: &str) -> &'a WaitRow {
        let row = report.waits.iter().find(|row| (row.event, row.process_kind) == (event, "planted"));
        row.unwrap_or_else(|| panic!("{event} in {:?}", report.waits.iter().map(|row| row.event).collect::<Vec<_>>()))
    }

    /// A client thinks 1 ms and works 0.5 ms; the writer works 0.5 ms and writes 1 ms. Three that start together come
    /// to two writes by turns, one for a client, one for two, each as the other is done: all three are posted once in
    /// 3 ms, after 1.5 ms of waiting.
    #[test]
    fn the_report_has_its_rows_and_they_are_what_arithmetic_says() {
        let (report, _) = run(&config(&[]));
        let row = report.processes.iter().find(|row| row.kind == "planted").expect("a row of processes");
        assert_eq!((row.node, row.count), (2, 4));
        let posts = wait(&report, "planted post");
        near_rel(posts.duration.mean_ms.mean, 1.5, 0.01, "a client waits for [ms]");
        near_rel(posts.aas.mean, 1.5, 0.01, "clients that wait");
        assert_eq!(posts.class, "Commit");
        let writes = wait(&report, "planted write");
        near_rel(writes.duration.mean_ms.mean, 1.0, 0.01, "a write takes [ms]");
        near_rel(writes.aas.mean, 2.0 / 3.0, 0.01, "writers that write");
        near_rel(posts.duration.count as f64 / writes.duration.count as f64, 1.5, 0.01, "posts of a write");
        assert!(report.aas.iter().all(|row| row.class != "Commit"), "active sessions are those of sessions");
    }

    #[test]
    fn the_event_table_counts_each_kind_by_itself() {
        let (report, _) = run(&config(&[("sessions", "8"), ("planted_clients@instance2", "0")]));
        assert!(report.waits.iter().all(|row| row.process_kind == "session"));
        let (both, _) = run(&config(&[("sessions", "8")]));
        let kinds: Vec<&str> = both.waits.iter().map(|row| row.process_kind).collect();
        assert_eq!(kinds[kinds.len() - 2..], ["planted", "planted"], "after those of sessions: {kinds:?}");
        assert!(["planted post", "planted write"].iter().all(|event| wait(&both, event).db_time_pct.is_none()));
    }

    #[test]
    fn the_ledger_tells_its_work_and_its_waits() {
        let (report, _) = run(&config(&[]));
        let own: Vec<&LedgerRow> = report.ledger.iter().filter(|row| row.kind == Some("planted")).collect();
        assert!(own.iter().all(|row| (row.node, row.instance) == (2, Some(2))));
        let of = |cause: &str, event: Option<&str>| {
            let row = own.iter().find(|row| (row.cause, row.event) == (cause, event));
            let row = row.unwrap_or_else(|| panic!("{cause} {event:?}"));
            (row.threads.as_ref().map_or(0.0, |e| e.mean), row.processes.as_ref().map_or(0.0, |e| e.mean))
        };
        // In 3 ms: three clients and two writes, 0.5 ms each.
        near_rel(of("work", None).0, 2.5 / 3.0, 0.01, "threads that work");
        near_rel(of("wait", Some("planted post")).1, 1.5, 0.01, "clients that wait");
        near_rel(of("wait", Some("planted write")).1, 2.0 / 3.0, 0.01, "writers that write");
        near_rel(of("alive", None).1, 4.0, 0.01, "processes");
    }

    /// 1 ms of CPU time in 100: whoever is ready is held back by the quota of the control group of its instance.
    #[test]
    fn a_control_group_of_its_instance_holds_it_back() {
        let quota = [("cgroup", "own"), ("cpu_max_quota_ms", "1"), ("cpu_max_period_ms", "100")];
        let mut config = config(&quota);
        // 31 periods are looked at, not 15, of which a millisecond more at an edge would be too much.
        if let Arrivals::Closed { start_spread, .. } = &mut config.instances[0].workload.arrivals {
            *start_spread = Ns::from_s(1.0);
        }
        let (report, _) = run(&config);
        let held = |row: &&LedgerRow| row.cause == "throttled" && row.kind == Some("planted");
        let row = report.ledger.iter().find(held).expect("a row");
        let processes = row.processes.as_ref().map_or(0.0, |held| held.mean);
        assert!(processes > 0.9, "{processes}: one of them at least is ready for nearly all the time");
        let work = report.ledger.iter().find(|row| row.cause == "work" && row.kind == Some("planted"));
        near_rel(work.and_then(|row| row.threads.as_ref()).map_or(0.0, |e| e.mean), 0.01, 0.01, "of a thread");
    }

    #[test]
    fn facts_tell_it_by_host_kind_instance_and_event() {
        let (_, rows) = run(&config(&[]));
        let kind = Key { kind: Some("planted"), ..Key::default() };
        for cut in [kind, Key { node: Some(2), ..kind }, Key { node: Some(2), instance: Some(2), ..kind }] {
            let of = |key: Key| {
                let row = rows.0.iter().find(|(other, _)| *other == key);
                &row.unwrap_or_else(|| panic!("{key:?}")).1
            };
            let posts = of(Key { metric: "wait", event: Some("planted post"), ..cut });
            near_rel(posts.mean_ms.mean, 1.5, 0.01, "a client waits for [ms]");
            near_rel(of(Key { metric: "response", ..cut }).mean_ms.mean, 2.0, 0.01, "with its own work [ms]");
        }
        let device = rows.0.iter().find(|(key, _)| *key == Key { metric: "device_served", ..Key::default() });
        near_rel(device.expect("a device").1.mean_ms.mean, 1.0, 0.01, "a request of the device takes [ms]");
    }

    /// The writer came first: two writes in 3 ms, 0.5 ms of work and 1 ms of waiting each. Each client works 0.5 ms in
    /// 3 ms and waits 1.5 ms for its post.
    #[test]
    fn facts_tell_each_of_its_processes() {
        let (_, rows) = run(&config(&[]));
        let of = |metric, event, process| {
            let key = Key { metric, node: Some(2), instance: Some(2), kind: Some("planted"), event, ..Key::default() };
            rows.0.iter().find(|(other, _)| *other == Key { process: Some(process), ..key }).map(|(_, fact)| fact)
        };
        let active = |metric, event, process| of(metric, event, process).map_or(0.0, |fact| fact.active.mean);
        near_rel(active("cpu", None, 1), 1.0 / 3.0, 0.01, "threads of the writer");
        near_rel(active("wait", Some("planted write"), 1), 2.0 / 3.0, 0.01, "the writer waits for its device");
        assert!(of("response", None, 1).is_none() && of("wait", Some("planted post"), 1).is_none());
        for client in 2..=4 {
            near_rel(active("cpu", None, client), 1.0 / 6.0, 0.01, "threads of a client");
            near_rel(active("wait", Some("planted post"), client), 0.5, 0.01, "a client waits for its post");
            let response = of("response", None, client).expect("transactions");
            near_rel(response.mean_ms.mean, 2.0, 0.01, "of a transaction of a client [ms]");
        }
        assert!(of("cpu", None, 5).is_none(), "there are four");
    }

    /// Beside sessions on the same thread, by turns of 100 ms: waits end in a run queue.
    #[test]
    fn facts_of_its_processes_sum_to_those_of_the_kind() {
        let bound = ["session", "planted"].map(|kind| [format!("cpus_allowed@{kind}"), format!("class@{kind}")]);
        let mut sets = vec![("sessions", "2")];
        bound.iter().for_each(|[cpus, class]| sets.extend([(cpus.as_str(), "0"), (class.as_str(), "RR")]));
        let (_, rows) = run(&config(&sets));
        let kind = |key: &Key| key.kind == Some("planted") && key.instance.is_some();
        let mut clocked_more = 0;
        for (key, whole) in rows.0.iter().filter(|(key, _)| kind(key) && key.process.is_none()) {
            let own = rows.0.iter().filter(|(k, _)| k.process.is_some() && Key { process: None, ..*k } == *key);
            let sum = own.fold((0, 0), |sum, (_, fact)| (sum.0 + fact.count, sum.1 + fact.total_ns));
            assert_eq!(sum, (whole.count, whole.total_ns), "{key:?}");
            let as_clocked = Key { metric: "wait_clocked", ..*key };
            let clocked = rows.0.iter().find(|(other, _)| *other == as_clocked).filter(|_| key.metric == "wait");
            clocked_more += u32::from(clocked.is_some_and(|(_, fact)| fact.total_ns > whole.total_ns));
        }
        assert_eq!(clocked_more, 3, "posts, writes, and both");
    }

    #[test]
    fn the_timeline_shows_what_it_did() {
        let (report, _) = run(&config(&[]));
        let timeline = &report.timeline;
        assert!(timeline.kinds.iter().all(|&kind| kind == "planted") && timeline.kinds.len() == 4);
        let (_, data) = columns(&report);
        assert!(!data.is_empty());
        let did = |event: &str| {
            let at = wwi_model::measure::events::ACTIVITIES.iter().position(|info| info.event == event);
            let at = at.expect("an event") as u8;
            timeline.slices.iter().filter(|slice| slice.activity == at).count()
        };
        for event in ["running", "planted post", "planted write"] {
            assert!(did(event) > 10, "{event}: {}", did(event));
        }
    }

    #[test]
    fn an_address_says_its_class_in_one_instance() {
        let config_of = |key: &str, value: &str| {
            let config = config(&[("planted_clients", "2"), (key, value)]);
            config
                .instances
                .iter()
                .map(|i| i.others.planted.as_ref().expect("clients").kind.clone())
                .collect::<Vec<_>>()
        };
        let classes = |key, value| config_of(key, value).iter().map(|kind| kind.class).collect::<Vec<_>>();
        assert_eq!(classes("class@planted@instance1", "FIFO"), [Class::Fifo, Class::TimeSharing]);
        assert_eq!(classes("class@planted", "RR"), [Class::RoundRobin, Class::RoundRobin]);
        assert_eq!(classes("class@session@instance1", "FIFO"), [Class::TimeSharing; 2]);
        assert_eq!(config_of("nice@planted@node2", "-5").iter().map(|kind| kind.nice).collect::<Vec<_>>(), [0, -5]);
        let text = canonical(&read(&[("class@planted@instance2", "FIFO")]).0);
        assert!(text.contains("class%40planted%40instance2=FIFO"), "{text}");
        // A limit of real-time classes acts where this kind alone is in one.
        let limit = ("sched_rt_runtime_us", "900000");
        let idle = |class| read(&[limit, ("class@planted@instance2", class)]).1;
        assert_eq!(idle("TS"), idle("FIFO") + 1);
    }

    /// What the page is handed: the tables as they are with the kind, and a report made with it.
    fn for_page() -> Json {
        let config = config(&[]);
        let (report, _) = run(&config);
        let asked = Asked {
            query: SCENARIO.to_owned(),
            seed: config.seed,
            precision: 0.02,
            sessions: None,
            histograms: false,
            warnings: Vec::new(),
        };
        let parsed = |text: &str| serde_json::from_str::<Json>(text).expect("JSON");
        let mut catalogue = parsed(&wwi_scenario::catalogue::to_json());
        catalogue["published"] = json!([]);
        let presets = catalogue["presets"].as_array_mut().expect("presets");
        presets.retain(|preset| preset["id"] == "two-hosts");
        for knob in catalogue["knobs"].as_array_mut().expect("knobs") {
            (knob["help"], knob["source"]) = (json!(""), json!(""));
        }
        let report_json = parsed(&to_json(&report, &asked));
        json!({ "link": SCENARIO, "catalogue": catalogue, "report": report_json, "data": columns(&report).1 })
    }

    /// `web/src/app/kindMore.test.ts` reads this file.
    #[test]
    fn what_the_page_is_shown_is_what_is_made_today() {
        let path = root().join("sim-wasm/crates/scenario/tests/kind_more/page.json");
        let text = serde_json::to_string(&for_page()).expect("JSON") + "\n";
        if std::env::var_os("WWI_UPDATE").is_some() {
            fs::write(&path, &text).expect("it can be written");
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == text, "tests/kind_more/page.json is of another day: npm run golden:update writes it");
    }
}
