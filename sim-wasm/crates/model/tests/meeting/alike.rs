//! What a structure and its twin have in common, so that one driver serves both, and the log that compares what
//! they say.
use std::collections::BTreeMap;
use std::fmt::Debug;
use wwi_kernel::histogram::Histogram;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::ids::Pid;
use wwi_model::meet::device::{ServiceTime, Started};
use wwi_model::meet::lock::{Answer, Mode};

/// Sums by name: whole numbers, and histograms of spans.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    pub counts: Vec<(&'static str, u128)>,
    pub spans: Vec<(&'static str, Histogram)>,
}

impl Figures {
    pub fn count(&self, name: &str) -> u128 {
        self.counts.iter().find(|c| c.0 == name).unwrap_or_else(|| panic!("no figure {name}")).1
    }
    pub fn spans(&self, name: &str) -> &Histogram {
        &self.spans.iter().find(|s| s.0 == name).unwrap_or_else(|| panic!("no spans {name}")).1
    }
}

/// A histogram of these spans.
pub fn histogram(spans: impl IntoIterator<Item = Ns>) -> Histogram {
    let mut all = Histogram::default();
    spans.into_iter().for_each(|span| all.record(span));
    all
}

/// A queue of numbered items.
pub trait Line {
    fn put(&mut self, item: u32, now: Ns, woken: &mut Vec<Pid>);
    fn take(&mut self, now: Ns, woken: &mut Vec<Pid>) -> Option<(u32, Ns)>;
    fn len(&self) -> usize;
    fn has_room(&self) -> bool;
    fn await_items(&mut self, pid: Pid, least: u32, now: Ns) -> bool;
    fn await_room(&mut self, pid: Pid, now: Ns) -> bool;
    fn again_items(&mut self, pid: Pid, least: u32, now: Ns) -> bool;
    fn again_room(&mut self, pid: Pid, now: Ns) -> bool;
    fn leave(&mut self, pid: Pid, now: Ns, woken: &mut Vec<Pid>);
    fn figures(&mut self, now: Ns) -> Figures;
}

/// A device for numbered requests.
pub trait Server {
    fn submit(&mut self, request: u32, now: Ns) -> Option<Started>;
    fn completed(&mut self, slot: u32, now: Ns) -> Option<(u32, Option<Started>)>;
    fn figures(&mut self, now: Ns) -> Figures;
}

/// A link.
pub trait Wire {
    fn send(&mut self, bytes: u64, now: Ns) -> Ns;
    fn figures(&mut self, now: Ns) -> Figures;
}

/// A table of locks, numbered from 0, and of owners by number.
pub trait Table {
    fn request(&mut self, lock: u32, owner: u32, mode: Mode, now: Ns, wanted: &mut Vec<u32>) -> Answer;
    fn give(&mut self, lock: u32, owner: u32, to: Mode, now: Ns, granted: &mut Vec<(u32, Mode)>);
    fn leave(&mut self, owner: u32, now: Ns, granted: &mut Vec<(u32, Mode)>);
    fn gone(&mut self, owner: u32, now: Ns, granted: &mut Vec<(u32, Mode)>);
    fn held(&self, lock: u32, owner: u32) -> Mode;
    fn figures(&mut self, now: Ns) -> Figures;
}

/// One way to build all of them.
pub trait Rooms {
    type Line: Line;
    type Server: Server;
    type Wire: Wire;
    type Table: Table;
    fn line(capacity: Option<u32>) -> Self::Line;
    fn server(width: u32, service: ServiceTime, stream: Stream) -> Self::Server;
    fn wire(latency: Ns, bytes_per_s: Option<f64>) -> Self::Wire;
    fn table(locks: u32) -> Self::Table;
}

/// The twins.
pub struct Twins;

/// What was commanded and said so far.
pub struct Log(Vec<String>);

impl Log {
    pub fn new(seed: u64) -> Self {
        Log(vec![format!("seed {seed}")])
    }

    /// The end of the log, for a message.
    pub fn tail(&self) -> String {
        self.0[self.0.len().saturating_sub(40)..].join("\n")
    }

    /// What both say to a command; panics where they differ.
    pub fn same<T: PartialEq + Debug>(&mut self, now: Ns, command: String, fast: T, slow: T) -> T {
        self.0.push(format!("{:>13} {command}: {fast:?}", now.0));
        assert!(fast == slow, "the slow one says {slow:?}\n{}", self.tail());
        fast
    }

    /// Two sets of sums, figure by figure.
    pub fn same_figures(&self, now: Ns, fast: &Figures, slow: &Figures) {
        let tail = || self.tail();
        assert_eq!(fast.counts, slow.counts, "sums at {}\n{}", now.0, tail());
        for (fast, slow) in fast.spans.iter().zip(&slow.spans) {
            let shown = |s: &(&'static str, Histogram)| (s.0, s.1.count(), s.1.sum(), s.1.max().0);
            assert_eq!(shown(fast), shown(slow), "count, sum, maximum at {}\n{}", now.0, tail());
            assert!(fast.1 == slow.1, "buckets of {} at {}\n{}", fast.0, now.0, tail());
        }
        assert_eq!(fast.spans.len(), slow.spans.len());
    }

    /// A law that holds now.
    pub fn law(&self, holds: bool, words: &str) {
        assert!(holds, "broken: {words}\n{}", self.tail());
    }
}

/// How often each case came up over all lists.
#[derive(Default)]
pub struct Tally(BTreeMap<String, u32>);

impl Tally {
    pub fn saw(&mut self, case: impl Into<String>) {
        *self.0.entry(case.into()).or_default() += 1;
    }

    /// Every one of these came up some dozens of times at least.
    pub fn expect(&self, cases: &[&str]) {
        for &case in cases {
            let seen = self.0.get(case).copied().unwrap_or_default();
            assert!(seen >= 48, "{case}: only {seen} times; {:?}", self.0);
        }
    }
}

/// Random steps of time: none at all in half the cases, else up to `most`.
pub fn pass_time(random: &mut Stream, now: Ns, most: u64) -> Ns {
    match random.below(4) {
        0 | 1 => now,
        2 => now + Ns(random.below(most)),
        _ => now + Ns(1 + random.below(7)),
    }
}
