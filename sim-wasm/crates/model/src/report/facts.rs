//! Figures with dimensions: one visit tells every row, by metric, host, kind, instance, process and event, to whoever
//! collects it. A new kind or event needs nothing here.
use crate::config::kinds::GroupOf;
use crate::config::{Config, Scheduler};
use crate::experiment::estimate::of_ratio;
use crate::experiment::evaluate::Assessment;
use crate::experiment::replication::Replication;
use crate::measure::accounts::{Accounts, Group};
use crate::measure::database::Sum;
use crate::measure::each::OfProcess;
use crate::measure::events::{Activity, ACTIVITIES, COUNT};
use crate::measure::ledger::GONE;
use crate::report::clocked::by_last_names;
use crate::report::Estimate;
use crate::world::World;

/// What a row is of. A dimension that is left out is summed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Key {
    /// What is measured.
    pub metric: &'static str,
    /// Host, counted from 1.
    pub node: Option<u32>,
    /// Process kind.
    pub kind: Option<&'static str>,
    /// Instance, counted from 1.
    pub instance: Option<u32>,
    /// Class of transactions, where its instance has several.
    pub class: Option<&'static str>,
    /// Consumer group of its instance, where that has several, counted from 1.
    pub consumer_group: Option<u32>,
    /// Process of this kind and instance or host, counted from 1 in the order in which they came.
    pub process: Option<u32>,
    /// Event as the database names it.
    pub event: Option<&'static str>,
    /// Queue, device, link or lock, counted from 1.
    pub object: Option<u32>,
}

/// What a row says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fact {
    /// How many: stays that ended, transactions, items.
    pub count: u64,
    /// How long they were together, all replications \[ns\].
    pub total_ns: u128,
    /// How long one is \[ms\]; nothing of none.
    pub mean_ms: Estimate,
    /// How many there are at a time.
    pub active: Estimate,
}

/// Who collects rows.
pub trait Sink {
    /// One row. No two have one key.
    fn fact(&mut self, key: Key, fact: Fact);
}

/// Number and length \[ns\] of what one start has.
type Amount = (u64, u128);

/// Dimensions of a row: host, kind, instance.
const CUTS: [[bool; 3]; 5] =
    [[false, false, false], [true, false, false], [false, true, false], [true, true, false], [true, true, true]];

/// The row of a cut in which a group is counted; none where it lacks the dimension.
fn place(of: &GroupOf, [node, kind, instance]: [bool; 3]) -> Option<Key> {
    Some(Key {
        node: node.then_some(of.node as u32 + 1),
        kind: kind.then_some(of.kind.name()),
        instance: if instance { Some(of.instance? as u32 + 1) } else { None },
        ..Key::default()
    })
}

/// Stays in an event as the database clocks them: with the time in a run queue that follows, which it cannot see.
fn clocked(of: &OfProcess, event: usize) -> Amount {
    (of.stays[event], u128::from(of.stayed[event]) + u128::from(of.queued[event]))
}

fn waited(of: &OfProcess, event: usize) -> Amount {
    (of.stays[event], u128::from(of.stayed[event]))
}

fn spent(of: &OfProcess, event: usize) -> Amount {
    (of.stays[event], u128::from(of.time[event]))
}

/// A metric that is told by event: its name, what of an event it counts, and of which events.
type ByEvent = (&'static str, fn(&OfProcess, usize) -> Amount, fn(usize) -> bool);

const BY_EVENT: [ByEvent; 3] = [
    ("time", spent, |_| true),
    ("wait", waited, |event| ACTIVITIES[event].is_wait),
    ("wait_clocked", clocked, |event| ACTIVITIES[event].is_wait),
];

/// The rows of all metrics of some processes, from what they did in each start; `has_cpu`: it is known what they had of
/// the threads.
fn rows_of(key: Key, starts: &[OfProcess], (spans, has_cpu): (&[f64], bool), sink: &mut dyn Sink) {
    let mut row = |key: Key, of: &dyn Fn(&OfProcess) -> Amount| {
        let starts: Vec<Amount> = starts.iter().map(of).collect();
        tell(key, &starts, spans, sink);
    };
    row(Key { metric: "response", ..key }, &|of| (of.transactions, u128::from(of.response)));
    let running = Activity::RUNNING.i();
    if has_cpu {
        row(Key { metric: "cpu", ..key }, &|of| (of.stays[running], u128::from(of.time[running] - of.lacked)));
    }
    for (metric, of, is_of) in BY_EVENT {
        let events: Vec<usize> = (0..COUNT).filter(|&event| is_of(event)).collect();
        let all =
            |own: &OfProcess| events.iter().map(|&e| of(own, e)).fold((0, 0), |s, one| (s.0 + one.0, s.1 + one.1));
        row(Key { metric, ..key }, &all);
        for &event in &events {
            row(Key { metric, event: Some(ACTIVITIES[event].event), ..key }, &|own| of(own, event));
        }
    }
}

/// One row from what each start has; nothing where none has any.
fn tell(key: Key, starts: &[Amount], spans: &[f64], sink: &mut dyn Sink) {
    let count = starts.iter().map(|start| start.0).sum();
    let total_ns = starts.iter().map(|start| start.1).sum();
    if count == 0 && total_ns == 0 {
        return;
    }
    let pairs: Vec<(f64, f64)> = starts.iter().map(|start| (start.1 as f64 / 1e6, start.0 as f64)).collect();
    let lengths: Vec<(f64, f64)> =
        starts.iter().zip(spans).map(|(start, &span_ns)| (start.1 as f64, span_ns)).collect();
    sink.fact(key, Fact { count, total_ns, mean_ms: of_ratio(&pairs), active: of_ratio(&lengths) });
}

/// Classes of transactions, with their number and length.
const CLASSES: [(&str, Sum, Sum); 2] =
    [("query", Sum::Queries, Sum::QueryTime), ("update", Sum::Updates, Sum::UpdateTime)];

/// Tells the responses of sessions by class, of each instance that has several; not where they outlast the run, for
/// which class is under way nobody counts.
fn visit_classes(found: &Assessment, config: &Config, sink: &mut dyn Sink) {
    for of in config.groups().iter().filter(|of| of.kind.row().is_session && !found.outlasted()) {
        let Some(at) = of.instance.filter(|&at| config.instances[at].has_classes()) else { continue };
        let Some(key) = place(of, [true, true, true]) else { continue };
        for (class, number, time) in CLASSES {
            let sums = found.accounts.iter().map(|start| &start.databases[at]);
            let starts: Vec<Amount> = sums.map(|sums| (sums.get(number), u128::from(sums.get(time)))).collect();
            tell(Key { metric: "response", class: Some(class), ..key }, &starts, &found.spans(), sink);
        }
    }
}

/// What processes did, by the names that waits have in the end; sessions with all time in transactions where that is
/// what their mean response is of.
fn seen(found: &Assessment, is_session: bool, mut of: OfProcess) -> OfProcess {
    if is_session && found.outlasted() {
        of.response = of.time.iter().zip(ACTIVITIES).filter(|(_, at)| !at.is_idle).map(|(&time, _)| time).sum();
    }
    by_last_names(of)
}

/// What all of a group did; places that nobody has are no idle processes.
fn of_group(group: &Group) -> OfProcess {
    let mut of = OfProcess::all_of(group);
    of.time[Activity::OFF.i()] -= group.book.spans[GONE];
    of
}

/// Tells all rows of processes: what came after the warm-up.
pub fn visit(found: &Assessment, config: &Config, sink: &mut dyn Sink) {
    let groups = config.groups();
    let sums = |members: &[usize]| -> Vec<OfProcess> {
        let of = |start: &Accounts| {
            let mut all = OfProcess::default();
            members
                .iter()
                .for_each(|&g| all.add(&seen(found, groups[g].kind.row().is_session, of_group(&start.groups[g]))));
            all
        };
        found.accounts.iter().map(of).collect()
    };
    for cut in CUTS {
        let places: Vec<Option<Key>> = groups.iter().map(|of| place(of, cut)).collect();
        for (at, key) in places.iter().enumerate() {
            let is_first = !places[..at].contains(key);
            if let Some(key) = key.filter(|_| is_first) {
                let members: Vec<usize> = (0..groups.len()).filter(|&g| places[g] == Some(key)).collect();
                rows_of(key, &sums(&members), (&found.spans(), true), sink);
            }
        }
    }
    visit_classes(found, config, sink);
}

/// What the sessions of a consumer group did in each start, group by group with the instance of each, where that has
/// several.
pub(crate) fn consumer_groups<'a>(
    found: &'a Assessment,
    all: &'a [Replication],
) -> impl Iterator<Item = (usize, usize, Vec<OfProcess>)> + 'a {
    let instances = all.first().map_or(&[][..], |first| &first.world.instances);
    let told = instances
        .iter()
        .enumerate()
        .flat_map(|(instance, state)| state.told.iter().enumerate().map(move |(group, &told)| (instance, group, told)));
    told.filter(|&(_, _, told)| told > 0).map(|(instance, group, told)| {
        let of = |start: &Accounts| seen(found, true, start.each.of(told).copied().unwrap_or_default());
        (instance, group, found.accounts.iter().map(of).collect())
    })
}

/// Whether it is known what each process had of the threads: where they share processors only all together do.
fn counts_each(config: &Config, of: &GroupOf) -> bool {
    config.nodes[of.node].scheduler != Scheduler::ProcessorSharing
}

/// Tells the rows of consumer groups, of each instance that has several.
fn visit_consumer_groups(found: &Assessment, config: &Config, all: &[Replication], sink: &mut dyn Sink) {
    for of in config.groups().iter().filter(|of| of.kind.row().is_session) {
        let Some(key) = place(of, [true, true, true]) else { continue };
        for (_, group, starts) in consumer_groups(found, all).filter(|&(instance, ..)| Some(instance) == of.instance) {
            let key = Key { consumer_group: Some(group as u32 + 1), ..key };
            rows_of(key, &starts, (&found.spans(), counts_each(config, of)), sink);
        }
    }
}

/// Tells the rows of single processes, of each host's or instance's kinds all of whose processes have sums of their
/// own: what came after the warm-up.
pub fn visit_each(found: &Assessment, config: &Config, all: &[Replication], sink: &mut dyn Sink) {
    visit_consumer_groups(found, config, all, sink);
    for (group, of) in config.groups().iter().enumerate().filter(|(_, of)| of.kind.row().is_told_singly) {
        let told = |world: &World| -> Vec<u8> {
            world.processes.iter().filter(|p| usize::from(p.group) == group).map(|p| p.told).collect()
        };
        let starts: Vec<Vec<u8>> = all[..found.starts].iter().map(|r| told(&r.world)).collect();
        if starts.iter().flatten().any(|&number| number == 0) {
            continue;
        }
        for at in 0..starts.iter().map(Vec::len).max().unwrap_or(0) {
            let of_start = |(sums, told): (&Accounts, &Vec<u8>)| -> OfProcess {
                told.get(at).and_then(|&number| sums.each.of(number)).copied().unwrap_or_default()
            };
            let own: Vec<OfProcess> = found.accounts.iter().zip(&starts).map(of_start).collect();
            if let Some(key) = place(of, [true, true, of.instance.is_some()]) {
                let key = Key { process: Some(at as u32 + 1), ..key };
                rows_of(key, &own, (&found.spans(), counts_each(config, of)), sink);
            }
        }
    }
}

/// Objects of one sort that are told one by one; more are told together alone.
const MOST_OBJECTS: usize = 32;

/// What one object has: a metric, and how much of it.
type Parts = Vec<(&'static str, Amount)>;

/// Rows of all objects of a sort together, and of each where there are few.
fn objects(all: &[Replication], count: usize, of: fn(&Replication, usize) -> Parts, sink: &mut dyn Sink) {
    let spans: Vec<f64> = all.iter().map(|r| r.world.now.0 as f64).collect();
    let starts: Vec<Vec<Parts>> = all.iter().map(|r| (0..count).map(|at| of(r, at)).collect()).collect();
    let metrics: Vec<&str> = starts.iter().flatten().next().map_or(Vec::new(), |o| o.iter().map(|p| p.0).collect());
    for (metric, name) in metrics.into_iter().enumerate() {
        let mut row = |object: Option<u32>, range: std::ops::Range<usize>| {
            let over = |parts: &Vec<Parts>| {
                parts[range.clone()].iter().map(|o| o[metric].1).fold((0, 0), |s, one| (s.0 + one.0, s.1 + one.1))
            };
            let amounts: Vec<Amount> = starts.iter().map(over).collect();
            tell(Key { metric: name, object, ..Key::default() }, &amounts, &spans, sink);
        };
        row(None, 0..count);
        if count <= MOST_OBJECTS {
            (0..count).for_each(|at| row(Some(at as u32 + 1), at..at + 1));
        }
    }
}

/// Tells the rows of queues, devices, links and locks: all that they did since the start of the run. Locks are told
/// together.
pub fn visit_meeting(all: &[Replication], sink: &mut dyn Sink) {
    let fewest = |count: fn(&World) -> usize| all.iter().map(|r| count(&r.world)).min().unwrap_or(0);
    let queue = |r: &Replication, at: usize| {
        let mut queue = r.world.queues[at].clone();
        let sums = queue.sums(r.world.now);
        vec![
            ("queue_put", (sums.puts, 0)),
            ("queue_taken", (sums.takes, sums.wait_time)),
            ("queue_waiting", (0, sums.item_time)),
        ]
    };
    let device = |r: &Replication, at: usize| {
        let mut device = r.world.devices[at].clone();
        let sums = device.sums(r.world.now);
        vec![
            ("device_served", (sums.completed, u128::from(sums.response.sum()))),
            ("device_busy", (0, sums.busy)),
            ("device_queue", (0, sums.queued)),
        ]
    };
    let link = |r: &Replication, at: usize| {
        let mut link = r.world.links[at].clone();
        let sums = link.sums(r.world.now);
        vec![("link_sent", (sums.messages, u128::from(sums.delay.sum()))), ("link_busy", (0, sums.busy))]
    };
    let lock = |r: &Replication, _: usize| {
        let sums = r.world.locks.sums();
        vec![
            ("lock_granted", (sums.at_once + sums.wait.count(), 0)),
            ("lock_refused", (sums.refused, 0)),
            ("lock_wait", (sums.wait.count(), u128::from(sums.wait.sum()))),
        ]
    };
    objects(all, fewest(|w| w.queues.len()), queue, sink);
    objects(all, fewest(|w| w.devices.len()), device, sink);
    objects(all, fewest(|w| w.links.len()), link, sink);
    objects(all, 1, lock, sink);
}
