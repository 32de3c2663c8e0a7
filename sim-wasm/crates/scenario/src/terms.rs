//! Words of the field that the page explains where they first stand: names as they are written there, and what they
//! mean in words. Each has its row in `docs/glossary.md`, or is in one.

use serde::Serialize;

/// A term and its explanation.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Term {
    /// As texts have it, in the singular.
    pub name: &'static str,
    /// What it means, in at most three sentences.
    pub words: &'static str,
}

const fn term(name: &'static str, words: &'static str) -> Term {
    Term { name, words }
}

/// Longer names before those that they begin with.
pub static TERMS: &[Term] = &[
    term(
        "resmgr:cpu quantum",
        "The wait event of a session that the Resource Manager does not let run: it waits for a slot of its \
        instance's cage, whether or not a thread stands idle.",
    ),
    term(
        "LIO",
        "Logical read: a read of a block from the buffer cache, without I/O. Logical reads a second are the measure \
        of throughput here, as in SLOB.",
    ),
    term(
        "PURR",
        "A register of POWER processors that counts each thread's share of its core, not the time it was on. AIX \
        charges CPU time by it; of four busy threads of a core each gets a quarter.",
    ),
    term(
        "ASH",
        "Active session history: a sample of which sessions are active each second, and what they wait for. A session \
        that waits in the operating system's run queue is sampled as on CPU.",
    ),
    term(
        "run queue",
        "Processes that are ready to run and have no thread. Oracle has no wait event for it: the time looks like \
        CPU, or lengthens whatever the process was waiting for.",
    ),
    term("dispatch delay", "From the moment at which a process could run to the one at which a thread runs it."),
    term(
        "quantum",
        "How long a session keeps its slot in the cage while others wait for one; 100 ms unless told otherwise. The \
        scheduler's turn on a thread is a slice.",
    ),
    term(
        "cage",
        "Instance caging: with a Resource Manager plan, at most cpu_count sessions of an instance run at once; the \
        others wait for resmgr:cpu quantum.",
    ),
    term("slot", "A place in the cage: the session that holds it may run. There are cpu_count of them."),
    term(
        "latch",
        "What a session holds for microseconds while it works on a shared structure. Others spin for it on the CPU, \
        then sleep.",
    ),
    term(
        "LMS",
        "The background process that serves the global cache of a cluster: it sends blocks to other instances. If it \
        does not get a CPU, all instances wait.",
    ),
    term(
        "redo",
        "What a session writes down of its changes before it may say that they are done; the log writer brings it to \
        disk.",
    ),
    term(
        "paired replication",
        "Both sides run with equal random numbers from equal starts, so that what is left between them is the \
        difference of the scenarios. The interval is over these pairs.",
    ),
    term(
        "refilling",
        "After a switch a process finds its data in none of the core's caches any more and is slow until they are \
        back.",
    ),
];

#[cfg(test)]
mod tests {
    use super::TERMS;

    /// The first column of the tables of the glossary.
    fn glossary() -> Vec<String> {
        let page = include_str!("../../../docs/glossary.md");
        page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next().map(str::to_owned)).collect()
    }

    #[test]
    fn each_term_has_its_row_in_the_glossary() {
        let rows = glossary();
        for term in TERMS {
            let has = |row: &String| row.split(", ").any(|word| word.trim_matches('`') == term.name);
            assert!(rows.iter().any(has), "{} has no row in docs/glossary.md", term.name);
        }
    }

    #[test]
    fn a_longer_name_is_found_before_one_within_it() {
        for (i, term) in TERMS.iter().enumerate() {
            assert!(TERMS[..i].iter().all(|before| !term.name.contains(before.name)), "{}", term.name);
            assert!(term.words.ends_with('.') && term.words.len() <= 240, "{}", term.name);
        }
    }
}
