//! Text in, text out: what the decoder makes of links, queries and documents.

use wwi_scenario::acts::warnings;
use wwi_scenario::canonical::{canonical, resolved};
use wwi_scenario::config::to_config;
use wwi_scenario::decode::{decode, decode_with};
use wwi_scenario::document::Document;
use wwi_scenario::json::Json;
use wwi_scenario::presets::PRESETS;

fn short(text: &str) -> String {
    match decode(text) {
        Ok(decoded) => canonical(&decoded.scenario),
        Err(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    }
}

fn ghost(text: &str) -> String {
    canonical(&decode(text).expect("a valid link").compared)
}

#[test]
fn only_what_differs_from_the_preset_stays() {
    assert_eq!(short("instance-caging-vm"), "instance-caging-vm");
    assert_eq!(short("instance-caging-vm?sessions=9&cpu_count=8&seed=42"), "instance-caging-vm?sessions=9");
    assert_eq!(
        short("instance-caging-vm?seed=7&smt_yield=1%2F1.4&cpu_count=4"),
        "instance-caging-vm?cpu_count=4&smt_yield=1%2F1.4&seed=7"
    );
    assert_eq!(
        short("#v1/cpu-queue?arrivals_per_s=7e2&a.os_scheduler=CFS&view.side=B&title=a+%3Cb%3E"),
        "cpu-queue?arrivals_per_s=700&title=a+%3Cb%3E"
    );
}

#[test]
fn a_bare_name_speaks_for_all_and_a_scope_for_one() {
    assert_eq!(short("two-instances?cpu_count@instance2=4"), "two-instances?cpu_count%40instance2=4");
    assert_eq!(short("two-instances?cpu_count=4&cpu_count%40instance2=6"), "two-instances?cpu_count%40instance1=4");
    assert_eq!(short("two-instances?cpu_count@instance1=4&cpu_count@instance2=4"), "two-instances?cpu_count=4");
    assert_eq!(ghost("two-instances?cpu_count@instance2=5"), "two-instances?cpu_count=4");
    assert_eq!(
        short("instance-caging-vm?cpu_count@instance1=4&sockets@node1=2&nice@background=5"),
        "instance-caging-vm?cpu_count=4&nice%40background=5&sockets=2"
    );
    let decoded = decode("two-instances?cpu_count@instance2=4").expect("valid");
    let values = resolved(&decoded.scenario);
    assert_eq!(*values.get("cpu_count").expect("a value"), Json::Number(6.0));
    assert_eq!(*values.get("cpu_count@instance2").expect("a value"), Json::Number(4.0));
}

#[test]
fn the_compared_scenario_starts_from_b() {
    assert_eq!(ghost("instance-caging-vm?sessions=9"), "instance-caging-vm?resource_manager_plan=none&sessions=9");
    assert_eq!(ghost("instance-caging-vm?sessions=9&a="), "instance-caging-vm?sessions=9");
    assert_eq!(ghost("v1/instance-caging-vm?sessions=9&a.cpu_count=2"), "instance-caging-vm?cpu_count=2&sessions=9");
}

#[test]
fn a_is_b_with_one_more_layer() {
    let value = |text: &str, key: &str| resolved(&decode(text).expect("valid").compared).get(key).cloned().expect(key);
    // Said of all by A: it holds for every part, whatever B says of one.
    let all = "two-instances?cpu_count@instance2=2&a.cpu_count=6";
    assert_eq!(
        (value(all, "cpu_count@instance1"), value(all, "cpu_count@instance2")),
        (Json::Number(6.0), Json::Number(6.0))
    );
    assert_eq!(ghost(all), "two-instances");
    // Said of one part by A: the others keep what B says.
    let one = "two-instances?cpu_count=2&cpu_count@instance2=3&a.cpu_count@instance1=5";
    assert_eq!(
        (value(one, "cpu_count@instance1"), value(one, "cpu_count@instance2")),
        (Json::Number(5.0), Json::Number(3.0))
    );
    // Within a layer the narrower wins, wherever it stands.
    assert_eq!(
        ghost("two-instances?a.cpu_count@instance1=5&a.cpu_count=3"),
        "two-instances?cpu_count%40instance1=5&cpu_count%40instance2=3"
    );
    // A preset's layer lies below both.
    assert_eq!(value("starved-service?a.class=FIFO", "class@service"), "FIFO".into());
    let sets = [("cpu_count".to_owned(), "6".to_owned())];
    let set = decode_with("two-instances?cpu_count@instance2=2&a=", &sets).expect("valid");
    assert_eq!(canonical(&set.scenario), "two-instances");
}

#[test]
fn a_default_follows_the_values_that_it_depends_on() {
    let value = |text: &str, key: &str| resolved(&decode(text).expect("valid").scenario).get(key).cloned().expect(key);
    assert_eq!((value("lpar-smt4", "tick_hz"), value("cpu-queue", "tick_hz")), ("100".into(), "1000".into()));
    assert_eq!(
        (value("lpar-smt4", "cpu_count"), value("cpu-queue", "cpu_count")),
        (Json::Number(40.0), Json::Number(8.0))
    );
    let a = decode("instance-caging-vm?a.os_scheduler=Solaris").expect("valid").compared;
    assert_eq!(resolved(&a).get("tick_hz"), Some(&"100".into()));
    // What was said stays said: it may be read with another scheduler or another host on top.
    assert_eq!(short("instance-caging-vm?tick_hz=1000"), "instance-caging-vm?tick_hz=1000");
    let a = decode("instance-caging-vm?tick_hz=1000&a.os_scheduler=Solaris").expect("valid").compared;
    assert_eq!(resolved(&a).get("tick_hz"), Some(&"1000".into()));
    assert_eq!(short("lpar-smt4?cpu_count=40"), "lpar-smt4?cpu_count=40");
}

#[test]
fn state_of_the_page_may_stand_bare() {
    let decoded = decode("v1/cpu-queue?view=timeline&view.side=A&t=0..5").expect("valid");
    let view: Vec<String> = decoded.view.iter().map(|(key, text)| format!("{key}={text}")).collect();
    assert_eq!(view.join(" "), "view=timeline side=A t=0..5");
    assert_eq!(short("cpu-queue?y=1&view.y=2"), "“view.y” is given twice");
    assert_eq!(short("cpu-queue?title=a&title=b"), "title is given twice");
}

#[test]
fn what_was_given_and_does_not_act() {
    let told = |text: &str| {
        let decoded = decode(text).expect("valid");
        let warnings = warnings(&decoded.scenario, &decoded.given);
        warnings.into_iter().map(|warning| warning.message).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(told("instance-caging-vm?cpu_count=4"), "");
    assert_eq!(
        told("instance-caging-vm?cpu_count=4&resource_manager_plan=none"),
        "cpu_count has no effect: resource_manager_plan is none and workload is logical_reads"
    );
    assert_eq!(told("lpar-smt4"), "", "what the preset says is not given");
    assert_eq!(told("instance-caging-vm?nice@service=5"), "nice@service has no effect: service_per_s is 0");
    assert_eq!(
        told("starved-service?sessions=0&nice@session=5"),
        "nice@session has no effect: arrivals is closed and sessions is 0"
    );
    assert_eq!(told("cpu-queue?sessions=5"), "sessions has no effect: arrivals is open");
    assert_eq!(
        told("starved-service?sched_rt_runtime_us=500000"),
        "sched_rt_runtime_us has no effect: class@session is TS and background_processes is 0 and class@service is TS \
         and workload is logical_reads and class@background2 is TS and background3_processes is 0"
    );
    assert_eq!(told("instance-caging-vm?priority=10&class@session=FIFO"), "", "it acts for one kind");
    assert_eq!(
        told("instance-caging-vm?working_set_mb=20&switch_refill_us=100"),
        "switch_refill_us has no effect: working_set_mb@session is 20 and background_processes is 0 and service_per_s \
         is 0 and workload is logical_reads and background2_processes is 0 and background3_processes is 0"
    );
    let beside = "instance-caging-vm?working_set_mb@session=20&background_processes=1&switch_refill_us=100";
    assert_eq!(told(beside), "", "who has no working set pays it");
    assert_eq!(
        told("two-instances?cpu_count@instance2=2&resource_manager_plan@instance2=none&rm_tick_ms=5"),
        "cpu_count@instance2 has no effect: resource_manager_plan@instance2 is none and workload@instance2 is \
            logical_reads"
    );
    assert_eq!(
        told("{\"version\":1,\"nodes\":[{\"os_scheduler\":\"AIX\",\"eevdf_base_slice_ms\":2}]}"),
        "eevdf_base_slice_ms has no effect: os_scheduler is AIX"
    );
}

#[test]
fn everything_wrong_is_said_at_once() {
    assert_eq!(
        short(
            "instance-caging-vm?cpu_cuont=4&sessions=-1&sessions=3&lio_us=NaN&os_scheduler=magic\
             &rm_tick_ms@session=5&cpu_count@instance2=1&nice@rvwr=1&precision=%f&a.seed=3"
        ),
        "“precision=%f” is cut off or wrongly percent-encoded\n\
         cpu_cuont: there is no knob “cpu_cuont”; did you mean cpu_count?\n\
         sessions lies between 0 and 100000, not -1\n\
         lio_us is a number, not “NaN”\n\
         os_scheduler is one of CFS, EEVDF, O1, AIX, Solaris, round_robin, fifo, processor_sharing, not “magic”\n\
         rm_tick_ms@session: belongs to an instance: write @instance1, or @node1 for those of a host\n\
         cpu_count@instance2: there is no instance 2; the scenario has only one\n\
         nice@rvwr: there is no scope “rvwr”; scopes are @node1, @instance1, @session, @background, @service, \
         @lgwr, @dbwr, @ckpt, @client, @lms, @lmd, @lck0, @slave, @heartbeat, \
         @background2 and @background3\n\
         a.seed: both scenarios share one seed"
    );
}

#[test]
fn rules_that_join_knobs() {
    assert_eq!(
        short("instance-caging-vm?sockets=3&cores_per_socket=200"),
        "cores_per_socket makes 1200 hardware threads together with sockets and threads_per_core; the model holds 1024"
    );
    assert_eq!(
        short("instance-caging-vm?threads_per_core=4&smt_yield=1/1.4/1.3/5"),
        "smt_yield says that 4 threads do the work of 5"
    );
    assert_eq!(short("instance-caging-vm?smt_yield=2.5"), "smt_yield says that 2 threads do the work of 2.5");
    assert_eq!(
        short("instance-caging-vm?os_scheduler=processor_sharing"),
        "os_scheduler is processor_sharing, which knows no cage: set resource_manager_plan to none"
    );
    assert_eq!(
        short("instance-caging-vm?a.os_scheduler=processor_sharing"),
        "a.os_scheduler is processor_sharing, which knows no cage: set resource_manager_plan to none"
    );
    assert_eq!(
        short("starved-lms?css_misscount_s=2"),
        "css_misscount_s is less than three times css_heartbeat_s: a node would be evicted for a heartbeat or two"
    );
    assert_eq!(
        short("starved-lms?css_heartbeats=sometimes"),
        "css_heartbeats is one of auto, on, off, not “sometimes”"
    );
    assert_eq!(
        short("starved-lms?css_heartbeats=on&sequence_values_per_transaction=1"),
        "css_heartbeats = on: nobody takes over the locks of a sequence or the work of slaves; set \
         sequence_values_per_transaction to 0, and run no parallel queries"
    );
    let lone = wwi_scenario::decode::decode("cpu-queue?resource_manager_plan=default&cpu_count=8").unwrap();
    assert_eq!(lone.compared, lone.scenario, "the preset's comparison would be processor sharing in a cage");
    assert_eq!(
        short("two-instances?sessions=60000"),
        "sessions adds up to 120000 over all instances; the model holds 100000"
    );
    assert_eq!(
        short("cpu-queue?arrivals_per_s=800"),
        "arrivals_per_s asks for 8.00 CPUs of work where the host does that of 8.00: the queue would grow for ever"
    );
    assert_eq!(
        short("instance-caging-vm?lio_per_transaction=1e9"),
        "lio_per_transaction times lio_us makes 1666.7 s of CPU a transaction; it lies between 1 µs and 60 s"
    );
}

#[test]
fn a_scalar_yield_falls_with_each_further_thread() {
    let decoded = decode("instance-caging-vm?threads_per_core=4&smt_yield=1.6").expect("valid");
    let config = to_config(&decoded.scenario);
    let shown: Vec<String> = config.nodes[0].smt_yield.iter().map(|y| format!("{y:.3}")).collect();
    assert_eq!(shown.join(" "), "1.000 1.388 1.525 1.600");
}

#[test]
fn a_list_of_yields_follows_the_threads_of_a_core() {
    for (threads, shown) in [(1, "1"), (2, "1 1.4"), (4, "1 1.4 1.52 1.6"), (6, "1 1.4 1.52 1.6 1.6 1.6")] {
        let decoded = decode(&format!("lpar-smt4?threads_per_core={threads}")).expect("a list of four yields fits");
        let yields: Vec<String> = to_config(&decoded.scenario).nodes[0].smt_yield.iter().map(f64::to_string).collect();
        assert_eq!(yields.join(" "), shown, "{threads} threads");
    }
    assert_eq!(
        short("lpar-smt4?threads_per_core=2&smt_yield=1/1.4/3.2"),
        "smt_yield says that 3 threads do the work of 3.2"
    );
}

#[test]
fn the_model_gets_its_own_units() {
    let decoded = decode("instance-caging-vm").expect("valid");
    let config = to_config(&decoded.scenario);
    let instance = &config.instances[0];
    let cage = instance.cage.as_ref().expect("a cage");
    let node = &config.nodes[0];
    assert_eq!(
        format!(
            "{} slots, {} ns, tick {} ns, demand {} ns, refill {} ns, held {:.2}, {:.2} collisions/s, {:?} {} Hz",
            cage.slots,
            cage.quantum.0,
            cage.tick.0,
            instance.workload.demand.mean.0,
            node.switch_refill.0,
            instance.latch.held_share,
            instance.latch.request_per_s,
            node.scheduler,
            node.tick_hz
        ),
        "8 slots, 100000000 ns, tick 10000000 ns, demand 100002000 ns, refill 800000 ns, held 0.12, 0.36 collisions/s, \
            Cfs 1000 Hz"
    );
    let other =
        decode_with("instance-caging-vm", &[("resource_manager_plan".to_owned(), "none".to_owned())]).expect("valid");
    assert!(to_config(&other.scenario).instances[0].cage.is_none());
}

#[test]
fn every_preset_is_valid_and_its_document_says_the_same() {
    for preset in PRESETS {
        let (scenario, problems) = preset.scenario();
        assert!(problems.is_empty(), "{}: {:?}", preset.id, problems.into_list());
        let decoded = decode(preset.id).expect("a preset is valid");
        assert_eq!(decoded.scenario, scenario);
        let text = serde_json::to_string_pretty(&Document::of(&scenario)).expect("JSON");
        let again = decode(&text).expect("its document is valid").scenario;
        assert_eq!(to_config(&again), to_config(&scenario), "{}", preset.id);
        let line = canonical(&again);
        assert_eq!(canonical(&decode(&line).expect("valid").scenario), line);
        for (knob, low, high) in preset.ranges {
            let knob = wwi_scenario::knob::find(knob).expect("a knob");
            assert!(knob.min <= *low && *high <= knob.max, "{} {}", preset.id, knob.id);
        }
        for knob in [Some(preset.sweep.0), preset.family.map(|family| family.0)].iter().flatten() {
            let id = knob.split('@').next().unwrap_or_default();
            assert!(wwi_scenario::knob::find(id).is_some(), "{knob}");
        }
    }
}

#[test]
fn a_document_with_lists_scopes_and_groups() {
    let text = r#"{
        "version": 1, "title": "Two hosts", "seed": 7, "nice@background": 5,
        "sessions": 10, "sessions@instance2": 20,
        "nodes": [ { "cores_per_socket": 2 }, { "smt_yield": [1, 1.4], "os_scheduler": "EEVDF" } ],
        "instances": [
            { "node": 1, "resource_manager_plan": "default", "consumer_groups": [
                { "name": "OLTP", "shares": 3 }, { "name": "BATCH", "utilization_limit": 50, "level": 2 } ] },
            { "node": 2, "cpu_count": 3, "tick_hz@node1": 100 }
        ]
    }"#;
    let problems = decode(text).expect_err("one key is out of place");
    assert_eq!(problems[0].to_string(), "“tick_hz@node1” stands inside instance 2 already; leave out the scope");
    let decoded = decode(&text.replace(", \"tick_hz@node1\": 100", "")).expect("valid");
    let config = to_config(&decoded.scenario);
    let groups = &config.instances[0].cage.as_ref().expect("a cage").groups;
    assert_eq!(
        format!(
            "{} {} {:?} {} {} {}",
            config.nodes.len(),
            config.instances[1].node,
            config.nodes[1].scheduler,
            groups[0].shares,
            groups[1].utilization_limit,
            config.nodes[1].background.kind.nice
        ),
        "2 1 Eevdf 3 0.5 5"
    );
    assert_eq!(config.instances[0].cage.as_ref().expect("a cage").slots, 4, "all threads of host 1");
    let line = canonical(&decoded.scenario);
    assert_eq!(to_config(&decode(&line).expect("valid").scenario), config);
}

#[test]
fn a_document_reports_everything_with_its_path() {
    let text = r#"{
        "version": 1, "title": 5, "sessions": "many", "tick_hz": 100, "tick_hz": 250, "colour": "red", "sockets": [1],
        "nodes": [ { "sockets": 0, "cpu_count": 4 }, 7 ],
        "instances": [ { "node": 3, "cpu_count": 2.5, "consumer_groups": [ { "shares": -1, "cap": 2 } ] } ]
    }"#;
    let problems = decode(text).expect_err("much is wrong");
    let shown: Vec<String> = problems.iter().map(|problem| format!("{} {:?}", problem.path, problem.code)).collect();
    assert_eq!(
        shown.join("\n"),
        "nodes[2] WrongType\n\
         title WrongType\n\
         sessions NotANumber\n\
         tick_hz Duplicate\n\
         colour UnknownKnob\n\
         sockets WrongType\n\
         sockets@node1 OutOfRange\n\
         cpu_count@node1 UnknownKey\n\
         cpu_count@instance1 NotWhole\n\
         node@instance1 NoSuchScope\n\
         consumer_groups[1].name@instance1 Missing\n\
         consumer_groups[1].shares@instance1 OutOfRange\n\
         consumer_groups[1].cap@instance1 UnknownKey"
    );
}

#[test]
fn what_is_no_scenario_at_all() {
    for (text, words) in [
        ("", "there is no scenario in it: write a preset, a link or a document"),
        ("?sessions=9", "there is no preset “”; there are instance-caging-vm"),
        ("v2/instance-caging-vm", "this page reads links of version v1, not “v2”"),
        ("{\"version\": 2}", "version is 1, the only one there is, not “2”"),
        ("{}", "version is missing"),
        ("{\"version\": 1", "this is not JSON: the text ends too early at line 1 column 14"),
        ("[1]", "a scenario is an object, not a list"),
        ("{\"version\": 1, \"sessions\": 1e999}", "this is not JSON: a number is too large"),
    ] {
        assert!(short(text).starts_with(words), "{text}: {}", short(text));
    }
    assert!(short(&"x".repeat(40_000)).starts_with("the text has 40000 bytes"));
    assert!(short(&format!("{{{}", "[".repeat(2_000))).starts_with("this is not JSON"));
}

#[test]
fn each_word_for_a_scheduler_is_that_scheduler() {
    use wwi_model::config::Scheduler::*;
    let words = ["CFS", "EEVDF", "O1", "AIX", "Solaris", "round_robin", "fifo", "processor_sharing"];
    let found = words.map(|word| {
        let query = format!("instance-caging-vm?os_scheduler={word}&resource_manager_plan=none");
        to_config(&decode(&query).unwrap_or_else(|p| panic!("{word}: {p:?}")).scenario).nodes[0].scheduler
    });
    assert_eq!(found, [Cfs, Eevdf, O1, Aix, Solaris, RoundRobin, Fifo, ProcessorSharing]);
}
