//! Queues that grow in a cluster: its run goes on, and says so.

use std::process::Command;

/// Where blocks always wait for a log that takes seconds an instance ends few of the 250 transactions that come to it
/// in a second: its cluster goes on, and how long one takes would say how long. What comes is what ends and is left.
#[test]
fn a_cluster_says_which_of_its_queues_grow() {
    let page = |given: &str| {
        let text = format!("slow-redo-elsewhere?max_events=2000000&{given}");
        let arguments = ["run", &text, "--precision", "0.1"];
        let output = Command::new(env!("CARGO_BIN_EXE_wwi")).args(arguments).output().expect("it starts");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let grows = page("gc_log_flush_waits=yes");
    let response = grows.lines().find(|line| line.contains("Response time")).expect("a row of it");
    assert!(!response.contains('±') && response.contains("neither mean nor percentile"), "{response}");
    let queue = grows.lines().find(|line| line.contains("Queue of instance 1 ")).expect(&grows);
    let after = |word: &str| -> f64 {
        let rest = queue.split_once(word).map_or("", |(_, rest)| rest.trim_start());
        rest.split([' ', ',']).next().and_then(|number| number.parse().ok()).expect(queue)
    };
    let (by, come, done) = (after("grows by"), after("bound:"), after("come,"));
    assert!((by + done - come).abs() <= 0.1 && come == 250.0 && done < 50.0, "{queue}");
    let holds = page("");
    assert!(!holds.contains("Queue of instance") && !holds.contains("neither mean"), "{holds}");
}
