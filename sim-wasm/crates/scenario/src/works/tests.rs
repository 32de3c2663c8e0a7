use super::{pieces, WORKS};
use crate::figures::{all, listings::LISTINGS, snapshots::CACHE_SNAPSHOTS, snapshots::SNAPSHOTS};
use crate::knobs::KNOBS;
use std::collections::BTreeSet;

/// Sources without a link.
const UNLINKED: &[&str] = &[
    // They name no work.
    "Yours to choose",
    "Estimate: no measurement known",
    "Estimate: no measurement tells it from the cost of blocks",
    "Estimate: about twice as many as the storage serves at once",
    "Estimate: it depends on the network card and irqbalance",
    "Estimate: about half of κx, so that a lone small instance gains nothing from one socket",
    "Estimate: an interrupt from CPU to CPU takes about a microsecond",
    "Assumed small: the published chart shows CPU and no latch waits",
    "One over the number of latches, for SLOB schemas",
    "Bare metal: yes; for the cloud guest of the SLOB runs an assumption",
    "3.6 against 3.3 GHz, 1.09, for an E5-2690 v2; off in the published runs",
    "8,192 bytes of a block and 300 of header, in IP fragments of MTU less 28 bytes",
    "Linux measures it (max_newidle_lb_cost); nobody published figures",
    "Oracle Linux and RHEL are built with HZ=1000; AIX and Solaris tick every 10 ms",
    // Standards, which are sold.
    "IEEE 802.3; InfiniBand QDR: 32 Gbit/s of data",
    // Parameters whose name begins with an underscore: Oracle documents none, and lists of them go round as copies.
    "Hidden parameters with defaults, 10.2 and 11.2",
    "Hidden parameters with defaults, 11.2 and 19c",
    "Hidden parameters with defaults, 19c",
    "Hidden parameters with defaults, 11.2, on a small host: _db_block_lru_latches",
    "Hidden parameters with defaults, 11.2: _log_file_sync_timeout",
    "Oracle RAC: parameters and their defaults, 11.2 and 19c",
    // A thread, a letter to a list, and slides: no address of them is known for certain.
    "Estimate: this, lgwr_gather_us and a write took 161 µs together in a loop of commits (asktom)",
    "Estimate within the 5 to 20 µs of Closson 2007-02-21 on oracle-l",
    "weak prediction. Mazumdar, slides: load based soft affinity (4,1000), users not given; 24 taken here",
];

/// What knobs and published tables say they are from.
fn sources() -> BTreeSet<&'static str> {
    let knobs = KNOBS.iter().map(|knob| knob.source);
    let tables = LISTINGS.iter().map(|one| one.source).chain(SNAPSHOTS.iter().map(|one| one.source));
    knobs.chain(tables).chain(CACHE_SNAPSHOTS.iter().map(|one| one.source)).collect()
}

/// Notes of published figures, which may name a work.
fn notes() -> BTreeSet<&'static str> {
    all().map(|figure| figure.note).collect()
}

fn is_linked(text: &str) -> bool {
    pieces(text).iter().any(|(_, address)| address.is_some())
}

#[test]
fn every_source_leads_to_its_work_or_is_listed_with_why_not() {
    let wrong: Vec<_> = sources().into_iter().filter(|it| is_linked(it) == UNLINKED.contains(it)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_note_that_names_an_author_leads_to_the_work() {
    let authors: BTreeSet<&str> = WORKS
        .iter()
        .filter(|work| work.phrase.contains(" 20"))
        .filter_map(|work| work.phrase.split([' ', ',']).next())
        .collect();
    assert!(authors.contains("Drouvot") && authors.len() >= 7, "{authors:?}");
    let names_one = |note: &&str| note.split([' ', ',']).any(|word| authors.contains(word));
    for note in notes().into_iter().filter(names_one) {
        assert_ne!(is_linked(note), UNLINKED.contains(&note), "{note}");
    }
}

#[test]
fn every_phrase_and_every_exception_stands_somewhere() {
    let said: BTreeSet<&str> = sources().union(&notes()).copied().collect();
    for work in WORKS {
        let is_meant = |text: &&str| pieces(text).contains(&(work.phrase, Some(work.address)));
        assert!(said.iter().any(is_meant), "nothing is from {}", work.phrase);
    }
    for text in UNLINKED {
        assert!(said.contains(text), "nothing says {text}");
    }
}

#[test]
fn addresses_are_https_and_carry_nothing_that_tells_who_comes_from_where() {
    for work in WORKS {
        let rest = work.address.strip_prefix("https://").unwrap_or_default();
        assert!(rest.contains('/') && !rest.contains([' ', '"', '(', ')', '#']), "{}", work.address);
        let asks = rest.split_once('?').map_or("s=", |(_, query)| query);
        assert!(asks.starts_with("s=") && !asks.contains('&'), "{}", work.address);
    }
}

#[test]
fn the_longer_of_two_phrases_is_the_link() {
    let source = "Linux 6.6 kernel/sched; Linux 6.6 kernel/sched/core.c: both";
    let tree = "https://github.com/torvalds/linux/tree/v6.6/kernel/sched";
    let file = "https://github.com/torvalds/linux/blob/v6.6/kernel/sched/core.c";
    let expected = [
        ("Linux 6.6 kernel/sched", Some(tree)),
        ("; ", None),
        ("Linux 6.6 kernel/sched/core.c", Some(file)),
        (": both", None),
    ];
    assert_eq!(pieces(source), expected);
}
