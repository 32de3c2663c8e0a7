//! The loss ledger in rows: by cause, event, host, instance and kind, of threads and of processes. `docs/model.md` says
//! what the causes mean.
use crate::config::kinds::GroupOf;
use crate::config::Config;
use crate::experiment::evaluate::Assessment;
use crate::host::topology::Q;
use crate::measure::accounts::{Accounts, Group};
use crate::measure::events::{Activity, ACTIVITIES};
use crate::measure::ledger::*;
use crate::report::{Check, LedgerRow};
use crate::world::World;
use wwi_kernel::time::Ns;

/// What of a law is to be explained: threads, processes.
const CAPACITY: &str = "capacity";
const ALIVE_PROCESSES: &str = "alive";
/// What transactions under way at the ends of the window lasted outside it, less what they lasted inside.
const UNDER_WAY: &str = "under_way";

/// One row of one start, in speed time; `None`: not of this law.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Row {
    /// Its cause.
    pub cause: &'static str,
    /// Its event, of a wait.
    pub event: Option<&'static str>,
    /// Host.
    pub node: usize,
    /// Accounting group; `None`: nobody's.
    pub group: Option<usize>,
    /// Threads.
    pub threads: Option<i128>,
    /// Processes.
    pub processes: Option<i128>,
}

/// All rows of one start, in an order that depends on the configuration alone.
pub fn rows(config: &Config, world: &World, sums: &Accounts, window: Ns) -> Vec<Row> {
    let mut rows = Vec::new();
    for (node, host) in world.hosts.iter().enumerate() {
        let full = i128::from(host.ledger.full);
        let of = |cause, threads| Row { cause, node, threads: Some(threads), ..Row::default() };
        rows.push(of(CAPACITY, i128::from(host.threads) * full * i128::from(window.0)));
        rows.push(of("no_work", i128::from(sums.hosts[node].no_work) * full));
        rows.push(of("rounding", sums.hosts[node].undealt as i128));
    }
    let groups = config.groups();
    for (group, (of, own)) in groups.iter().zip(&sums.groups).enumerate() {
        let (node, instance) = (of.node, of.instance.map(|instance| &config.instances[instance]));
        let first = rows.len();
        let full = i128::from(world.hosts[node].ledger.full);
        let cage = instance.and_then(|instance| instance.cage.as_ref()).filter(|_| of.kind.row().is_caged);
        let post = cage.map_or(Ns::ZERO, |cage| cage.post);
        on_threads(own.book.switching(&config.nodes[node], post), &own.book, &mut rows);
        off_threads(full, own, slots(&groups, &sums.groups, group), &mut rows);
        // A message's time begins when it is written, not when its receiver becomes active.
        if of.kind.row().is_session && instance.is_some_and(|instance| !instance.passes_messages()) {
            let under_way = -(own.open_time + i128::from(own.abandoned)) * full;
            rows.push(Row { cause: UNDER_WAY, processes: Some(under_way), ..Row::default() });
        }
        rows[first..].iter_mut().for_each(|row| (row.node, row.group) = (node, Some(group)));
    }
    rows
}

/// Where processes on threads were: of both laws.
fn on_threads(switching: [i128; 4], book: &Book, rows: &mut Vec<Row>) {
    let names = ["switch_direct", "switch_refill", "switch_migration", "switch_post"];
    let used =
        ["work", "rounding", "spinning", "turbo", "siblings", "shared"].into_iter().zip(book.busy.iter().copied());
    let used = used.chain([("polling", book.busy[POLLING])]);
    for (cause, sum) in used.chain(names.into_iter().zip(switching)) {
        rows.push(Row { cause, threads: Some(sum), processes: Some(sum), ..Row::default() });
    }
}

/// Waits for a slot of one accounting group: processes and threads idle for them, while a slot stood empty, and for the
/// limit. Cages know how many wait, not of which group; each gets of both what it is of all who waited.
fn slots(groups: &[GroupOf], sums: &[Group], own: usize) -> [(u64, u64); 2] {
    let of = groups[own];
    if !of.kind.row().is_caged || of.instance.is_none() {
        return [(0, 0); 2];
    }
    let members = || (0..groups.len()).filter(|&g| groups[g].instance == of.instance && groups[g].kind.row().is_caged);
    let waited = |g: usize| sums[g].time[Activity::CPU_QUANTUM.i()];
    let all: u64 = members().map(waited).sum();
    let before: u64 = members().take_while(|&g| g != own).map(waited).sum();
    let part = |cause: usize| {
        let whole: u64 = members().map(|g| sums[g].book.spans[cause]).sum();
        // All of it together, whatever rounding does.
        let up_to = |share: u64| match share == all {
            true => whole,
            false => whole.min((whole as f64 * (share as f64 / all as f64)) as u64),
        };
        up_to(before + waited(own)) - up_to(before)
    };
    let limit = part(CAGE_LIMIT).min(waited(own));
    [(waited(own) - limit, part(CAGE_EMPTY + THREADS)), (limit, part(CAGE_LIMIT + THREADS))]
}

/// Where processes off threads were, and the threads idle for it.
fn off_threads(full: i128, sums: &Group, [empty, limit]: [(u64, u64); 2], rows: &mut Vec<Row>) {
    let (spans, time) = (&sums.book.spans, |activity: Activity| sums.time[activity.i()]);
    let worth = |span: u64| Some(i128::from(span) * full);
    let idle = |cause, threads| Row { cause, threads: worth(spans[threads]), ..Row::default() };
    rows.push(Row { cause: "switch_wake", threads: Some(sums.book.busy[WAKING]), ..Row::default() });
    rows.push(idle("balance", BALANCE));
    rows.push(idle("binding", BINDING));
    let throttled = (spans[THROTTLED], spans[THROTTLED + THREADS]);
    for (cause, (processes, threads)) in [("throttled", throttled), ("cage_empty", empty), ("cage_limit", limit)] {
        rows.push(Row { cause, processes: worth(processes), threads: worth(threads), ..Row::default() });
    }
    for (a, info) in ACTIVITIES.iter().enumerate().filter(|(a, i)| i.is_wait && *a != Activity::CPU_QUANTUM.i()) {
        rows.push(Row { event: Some(info.event), processes: worth(sums.time[a]), ..idle("wait", WAITS + a) });
    }
    let lasts = |cause, processes| Row { cause, processes, ..Row::default() };
    let ready = worth(time(Activity::RUN_QUEUE) - spans[THROTTLED]).map(|ready| ready + sums.book.busy[SHARING]);
    rows.push(lasts("run_queue", ready));
    rows.push(lasts("idle", worth(time(Activity::OFF) - spans[GONE])));
    rows.push(lasts(ALIVE_PROCESSES, worth(spans[ALIVE])));
}

/// What rows leave over of what they explain.
fn left_over(rows: &[Row], whole: &str, of: impl Fn(&Row) -> Option<i128>) -> (i128, i128) {
    let sum = |is_whole: bool| {
        let counts = |row: &&Row| row.cause != UNDER_WAY && (row.cause == whole) == is_whole;
        rows.iter().filter(counts).filter_map(&of).sum::<i128>()
    };
    (sum(true), sum(false))
}

impl Assessment {
    fn ledger_of_starts(&self, config: &Config, world: &World) -> Vec<Vec<Row>> {
        self.accounts.iter().map(|sums| rows(config, world, sums, Ns(sums.span))).collect()
    }

    /// The rows of the loss ledger that are not nothing, in CPUs at reference speed, and its two laws.
    pub(crate) fn ledger(&self, config: &Config, world: &World) -> (Vec<LedgerRow>, [Check; 2]) {
        let starts = self.ledger_of_starts(config, world);
        let one = (1u64 << Q) as f64;
        let figure = |at: usize, of: fn(&Row) -> Option<i128>| {
            let values: Option<Vec<i128>> = starts.iter().map(|rows| of(&rows[at])).collect();
            let used = values.filter(|values| values.iter().any(|&value| value != 0));
            used.map(|values| self.over_time(&values.into_iter().map(|value| value as f64 / one).collect::<Vec<_>>()))
        };
        let groups = config.groups();
        let row = |at: usize| {
            let row = &starts[0][at];
            let (threads, processes) = (figure(at, |row| row.threads), figure(at, |row| row.processes));
            let of = row.group.map(|group| groups[group]);
            let kind = of.map(|of| of.kind.name());
            let instance = of.and_then(|of| of.instance).map(|instance| instance as u32 + 1);
            let (cause, event, node) = (row.cause, row.event, row.node as u32 + 1);
            let is_there = threads.is_some() || processes.is_some();
            is_there.then_some(LedgerRow { cause, event, node, instance, kind, threads, processes })
        };
        let found = (0..starts[0].len()).filter_map(row).collect();
        let law = |law, whole: &str, of: fn(&Row) -> Option<i128>| {
            let sums = starts.iter().map(|rows| left_over(rows, whole, of));
            let residual =
                sums.map(|(all, rows)| (all - rows).abs() as f64 / (all as f64).max(1.0)).fold(0.0, f64::max);
            Check { law, residual, ok: residual == 0.0 }
        };
        let threads = law("losses of threads sum to their capacity", CAPACITY, |row| row.threads);
        (found, [threads, law("losses of processes sum to their time", ALIVE_PROCESSES, |row| row.processes)])
    }
}
