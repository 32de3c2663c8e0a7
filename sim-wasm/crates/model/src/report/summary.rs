//! The report of an assessment: rows of waits, classes, hosts and processes, and the conservation laws.
use crate::config::kinds::KindId;
use crate::config::{Arrivals, Config, InstanceConfig, Scheduler};
use crate::experiment::estimate::{of_quantile, of_ratio, of_starts};
use crate::experiment::evaluate::{relative, Assessment};
use crate::experiment::replication::Replication;
use crate::host::topology::Q;
use crate::measure::accounts::{Accounts, Group};
use crate::measure::events::{Activity, ACTIVITIES, COUNT};
use crate::measure::rows::{messages_per_work, Column, GroupColumn};
use crate::report::clocked::on_cpu;
use crate::report::databases::moments;
use crate::report::evictions::evictions;
use crate::report::picture::timeline;
use crate::report::statements::statements;
use crate::report::*;
use wwi_kernel::histogram::Histogram;
use wwi_kernel::order::{descending, sort_by_rank};

const CONSERVED: f64 = 1e-9;

pub(crate) fn distribution(histogram: &Histogram, mean_ms: Estimate) -> Distribution {
    Distribution {
        count: histogram.count(),
        total_s: histogram.sum() as f64 / 1e9,
        mean_ms,
        p50_ms: histogram.quantile(0.5) / 1e6,
        p95_ms: histogram.quantile(0.95) / 1e6,
        p99_ms: histogram.quantile(0.99) / 1e6,
        max_ms: histogram.max().as_ms(),
        buckets: histogram.buckets().map(|(low, high, n)| (low as f64 / 1e6, high as f64 / 1e6, n)).collect(),
        ..Distribution::default()
    }
}

/// Of stays that outlast the run how many ended is known, and their mean.
fn unknown(histogram: &Histogram, mean_ms: Estimate) -> Distribution {
    let (count, total_s) = (histogram.count(), mean_ms.mean * histogram.count() as f64 / 1e3);
    Distribution { count, total_s, mean_ms, ..Distribution::default() }
}

/// Process kind and node of an accounting group.
pub(crate) fn kind_and_node(config: &Config, group: usize) -> (&'static str, usize) {
    let group = config.groups()[group];
    (group.kind.name(), group.node)
}

/// Of something that is kept by accounting group, what is of sessions, with their instance.
fn sessions<'a, T>(config: &'a Config, all: &'a [T]) -> impl Iterator<Item = (&'a InstanceConfig, &'a T)> {
    let groups = config.groups().into_iter().zip(all).filter(|(of, _)| of.kind.row().is_session);
    groups.filter_map(|(of, one)| Some((config.instances.get(of.instance?)?, one)))
}

/// Events that are not idle.
fn active() -> impl Iterator<Item = usize> {
    (0..COUNT).filter(|&a| !ACTIVITIES[a].is_idle)
}

/// Of some groups: time in an activity \[ns\]; length \[ms\] and number of the stays in it that ended.
#[inline(never)]
fn sums_of(sums: &Accounts, own: &[usize], a: usize) -> (u64, (f64, f64)) {
    let mut found = (0, (0.0, 0.0));
    for group in own.iter().map(|&group| &sums.groups[group]) {
        found.0 += group.time[a];
        found.1 .0 += group.stays[a].sum() as f64 / 1e6;
        found.1 .1 += group.stays[a].count() as f64;
    }
    found
}

impl Distribution {
    /// With the intervals of its percentiles, from the same observations by start.
    #[inline(never)]
    pub(crate) fn with_intervals(mut self, pooled: &Histogram, starts: &[Histogram]) -> Distribution {
        let ms = |ns: f64| ns / 1e6;
        for (half, q) in [(&mut self.p50_ci95, 0.5), (&mut self.p95_ci95, 0.95), (&mut self.p99_ci95, 0.99)] {
            let found = of_quantile(pooled, starts, q);
            *half = found.ci95.map(ms);
            self.p99_reps = found.reps.into_iter().map(ms).collect();
        }
        self
    }
}

/// All observations of all starts.
pub(crate) fn pooled(starts: &[Histogram]) -> Histogram {
    let mut pooled = Histogram::default();
    starts.iter().for_each(|h| pooled.add(h));
    pooled
}

impl Assessment {
    /// The whole answer, save what the experiment itself knows (events, precision, truncation).
    pub fn report(&self, config: &Config, all: &[Replication]) -> Report {
        let sum = &self.sum;
        let (waits, on_cpu) = self.rows(config, all);
        let all = &all[..self.starts];
        let (ledger, laws) = all[0].world.keeps_ledger.then(|| self.ledger(config, &all[0].world)).unzip();
        Report {
            transactions_per_s: self.transactions_per_s.clone(),
            lio_per_s: self.lio_per_s.clone(),
            response: self.responses(config),
            aas: self.classes(all, &on_cpu, &waits),
            waits,
            on_cpu,
            instances: (0..config.instances.len()).map(|i| self.instance(config, i)).collect(),
            consumer_groups: self.consumer_groups(config, all),
            processes: self.processes(config, all, sum),
            nodes: (0..config.nodes.len()).map(|n| self.node(config, n, sum)).collect(),
            simulated_s: self.simulated_s,
            warmup_s: self.bucket.as_s() * self.cut as f64,
            replications: all.len() as u32,
            batches: self.batches,
            batch_s: match self.ends {
                true => self.simulated_s / all.len() as f64,
                false => self.bucket.as_s() * self.batch as f64,
            },
            ended: self.ended(config, all),
            ends: self.ends_of_all(all),
            statements: statements(config, all),
            checks: self.checks(config, sum).into_iter().chain(laws.into_iter().flatten()).collect(),
            ledger: ledger.unwrap_or_default(),
            series: self.series(config, all),
            services: self.services(config, all),
            databases: self.databases(config),
            parallel: self.parallel(config),
            pairs: self.pairs(config),
            evictions: evictions(config, all),
            chronicles: moments(&all[0].world),
            timeline: timeline(config, &all[0]),
            ..Report::default()
        }
    }

    /// Responses of the sessions of all instances.
    fn responses(&self, config: &Config) -> Distribution {
        let all: Vec<usize> = (0..self.sum.groups.len()).collect();
        // Of a run that transactions outlast those that ended say nothing of how they spread.
        let own: Vec<usize> = sessions(config, &all).filter(|_| !self.outlasted()).map(|(_, &group)| group).collect();
        let starts = self.distributions(&own, GroupColumn::Response as usize);
        let pooled = pooled(&starts);
        distribution(&pooled, self.response_ms.clone()).with_intervals(&pooled, &starts)
    }

    /// Largest relative half-width of the 99th percentiles that sentences name: of responses, and of servers whose
    /// queue does not grow. Not where messages are passed. `None` where one has none.
    pub(crate) fn named_quantiles(&self, config: &Config, counts_response: bool) -> Option<f64> {
        let own = |d: &Distribution| if d.count > 0 { relative(&d.p99()) } else { Some(0.0) };
        let response = if counts_response { own(&self.responses(config))? } else { 0.0 };
        Some(response.max(self.service_tails(config)?))
    }

    /// One activity of all processes of a kind, which are these accounting groups. Intervals of others than sessions
    /// are over starts.
    #[inline(never)]
    fn row(&self, all: &[Replication], (kind, own): (KindId, &[usize]), a: usize) -> WaitRow {
        let mut stays = Histogram::default();
        own.iter().for_each(|&group| stays.add(&self.sum.groups[group].stays[a]));
        let is_running = a == Activity::RUNNING.i();
        let starts = || self.accounts.iter().map(|sums| sums_of(sums, own, a));
        let ended = || (of_ratio(&starts().map(|(_, stays)| stays).collect::<Vec<_>>()), false);
        let ((mean_ms, outlasted), aas) = if kind.row().is_session {
            let found = self.mean_stay(all, a);
            // Who is alone on its CPU never leaves it; how long others stay is what those say that ended.
            (if found.1 && is_running { ended() } else { found }, self.aas(all, a))
        } else {
            (ended(), self.over_time(&starts().map(|(time, _)| time as f64).collect::<Vec<_>>()))
        };
        let aas = self.by_last_names(own, a, &aas);
        let clocked = self.clocked(own, a, &aas, outlasted);
        let by_start = self.as_clocked(own, a);
        let all_clocked = pooled(&by_start);
        let spread = if outlasted { unknown } else { distribution };
        let clocked_spread = spread(&all_clocked, clocked.ms);
        WaitRow {
            event: ACTIVITIES[a].event,
            class: ACTIVITIES[a].class,
            process_kind: kind.name(),
            duration: spread(&stays, mean_ms),
            aas,
            clocked: match outlasted {
                true => clocked_spread,
                false => clocked_spread.with_intervals(&all_clocked, &by_start),
            },
            clocked_aas: clocked.aas,
            db_time_pct: kind.row().is_session.then_some(clocked.percent),
        }
    }

    /// Waits by kind of process, sessions first, and where sessions are on CPU.
    fn rows(&self, config: &Config, all: &[Replication]) -> (Vec<WaitRow>, Vec<WaitRow>) {
        let groups = config.groups();
        let (mut waits, mut on_cpu) = (Vec::new(), Vec::new());
        for kind in KindId::all() {
            let own: Vec<usize> = (0..groups.len()).filter(|&group| groups[group].kind == kind).collect();
            let first = waits.len();
            for a in active() {
                let is_wait = ACTIVITIES[a].is_wait;
                let queued = || own.iter().any(|&group| self.sum.groups[group].queued[a] > 0);
                // Whose name was not known before its end may have no time under it.
                let (time, (_, stays)) = sums_of(&self.sum, &own, a);
                let is_seen = if is_wait { time > 0 || stays > 0.0 || queued() } else { kind.row().is_session };
                if is_seen {
                    let row = self.row(all, (kind, &own), a);
                    if is_wait { &mut waits } else { &mut on_cpu }.push(row);
                }
            }
            sort_by_rank(&mut waits[first..], |row| descending(row.clocked_aas.mean));
        }
        (waits, on_cpu)
    }

    fn classes(&self, all: &[Replication], on_cpu: &[WaitRow], waits: &[WaitRow]) -> Vec<ClassRow> {
        let mut classes: Vec<&'static str> = Vec::new();
        let of_sessions = waits.iter().filter(|row| row.process_kind == KindId::SESSION.name());
        for row in on_cpu.iter().chain(of_sessions) {
            if !classes.contains(&row.class) {
                classes.push(row.class);
            }
        }
        let of = |class: &'static str| {
            let members = active().filter(|&a| ACTIVITIES[a].class == class).map(|a| self.aas(all, a).reps);
            let total = members.reduce(|sum, reps| sum.iter().zip(&reps).map(|(a, b)| a + b).collect());
            ClassRow { class, aas: of_starts(total.unwrap_or_default()) }
        };
        classes.into_iter().map(of).collect()
    }

    /// How long what is looked at of each start is \[ns\].
    pub(crate) fn spans(&self) -> Vec<f64> {
        self.accounts.iter().map(|sums| sums.span as f64).collect()
    }

    /// A sum of each start in a nanosecond of all of them: where runs end, some are longer than others.
    #[inline(never)]
    pub(crate) fn over_time(&self, sums: &[f64]) -> Estimate {
        of_ratio(&sums.iter().copied().zip(self.spans()).collect::<Vec<_>>())
    }

    /// The same of what the sums of each start give.
    #[inline(never)]
    pub(crate) fn per_ns(&self, of: &dyn Fn(&Accounts) -> f64) -> Estimate {
        self.over_time(&self.accounts.iter().map(of).collect::<Vec<_>>())
    }

    fn instance(&self, config: &Config, index: usize) -> InstanceRow {
        let of = |f: &dyn Fn(&Accounts) -> f64| self.per_ns(f);
        let group = |f: &dyn Fn(&Group) -> f64| of(&|a| f(&a.groups[index]));
        let one = (1u64 << Q) as f64;
        let messages = messages_per_work(config)[index];
        let cage = config.instances[index].cage.as_ref();
        InstanceRow {
            slots: cage.map(|c| c.slots),
            slot_utilisation: cage.map(|c| of(&|a| a.cages[index].held as f64 / f64::from(c.slots))),
            slots_empty: cage.map(|_| of(&|a| a.cages[index].empty as f64).mean),
            transactions_per_s: self.counted_whole(group(&|g| match messages {
                Some(each) => g.work as f64 * each * 1e9,
                None => g.transactions as f64 * 1e9,
            })),
            lio_per_s: group(&|g| g.logical_reads() * 1e9),
            cpu: CpuRow {
                on_cpu: group(&|g| on_cpu(g, &self.sum.groups[index])),
                time: group(&Group::cpu_time),
                purr: group(&|g| g.purr as f64 / one),
            },
            has_purr: config.nodes[config.instances[index].node].scheduler == Scheduler::Aix,
        }
    }

    fn dispatch_delay(&self, all: &[Replication], group: usize, pooled: &Histogram) -> Distribution {
        let starts = self.distributions(&[group], GroupColumn::Delay as usize);
        distribution(pooled, self.group_mean(all, group, GroupColumn::Delay)).with_intervals(pooled, &starts)
    }

    fn processes(&self, config: &Config, all: &[Replication], sum: &Accounts) -> Vec<ProcessRow> {
        let row = |group: usize| {
            let (kind, node) = kind_and_node(config, group);
            let members = all[0].world.processes.iter().filter(|p| p.group as usize == group).count() as u64;
            let (sums, delay) = (&sum.groups[group], &sum.groups[group].stays[Activity::RUN_QUEUE.i()]);
            let of = |f: &dyn Fn(&Group) -> f64| self.per_ns(&|a| f(&a.groups[group]));
            ProcessRow {
                kind,
                node: node as u32 + 1,
                count: members,
                cpu_s: sums.cpu_time() / 1e9,
                run_queue_s: sums.time[Activity::RUN_QUEUE.i()] as f64 / 1e9,
                dispatch_delay: self.dispatch_delay(all, group, delay),
                switches_voluntary: sums.voluntary,
                switches_involuntary: sums.involuntary,
                migrations: sums.migrations,
                socket_migrations: sums.socket_migrations,
                run_queue: of(&|g| g.time[Activity::RUN_QUEUE.i()] as f64),
                involuntary_per_s: of(&|g| g.involuntary as f64 * 1e9),
                migrations_per_s: of(&|g| g.migrations as f64 * 1e9),
                socket_migrations_per_s: of(&|g| g.socket_migrations as f64 * 1e9),
            }
        };
        (0..sum.groups.len()).map(row).filter(|r| r.count > 0).collect()
    }

    fn node(&self, config: &Config, index: usize, sum: &Accounts) -> NodeRow {
        let first: usize = config.nodes[..index].iter().map(|n| n.threads()).sum();
        let threads = config.nodes[index].threads();
        let whole = sum.span as f64;
        let thread_busy: Vec<f64> = sum.threads[first..first + threads].iter().map(|t| t.0 as f64 / whole).collect();
        let busy = sum.busy(first..first + threads) / whole;
        let host = &sum.hosts[index];
        let (switching, spinning) = (host.switching as f64 / whole, host.spinning as f64 / whole);
        let per = |total: f64, n: u64| if n > 0 { total / n as f64 } else { 0.0 };
        let of = |f: &dyn Fn(&Accounts) -> f64| self.per_ns(f);
        NodeRow {
            threads: threads as u32,
            cpu_busy_threads: of(&|a| a.busy(first..first + threads)),
            thread_busy,
            useful_threads: busy - switching - spinning,
            switch_threads: switching,
            spin_threads: spinning,
            mean_slice_ms: per(host.stay_time as f64 / 1e6, host.stays),
            mean_switch_us: per(host.switch_cost as f64 / 1e3, host.switches),
            switches_per_s: of(&|a| a.hosts[index].switches as f64 * 1e9),
            throttled_percent: (host.periods > 0).then(|| {
                let pair = |a: &Accounts| (100.0 * a.hosts[index].throttled as f64, a.hosts[index].periods as f64);
                of_ratio(&self.accounts.iter().map(pair).collect::<Vec<_>>())
            }),
        }
    }

    fn checks(&self, config: &Config, sum: &Accounts) -> Vec<Check> {
        let whole = sum.span as f64;
        let threads: u128 = sum.threads.iter().map(|t| u128::from(t.0) + u128::from(t.1)).sum();
        let sessions = || sessions(config, &sum.groups);
        // A message's time begins when it is written, not when its receiver becomes active.
        let timed = || sessions().filter(|(instance, _)| !instance.passes_messages()).map(|(_, g)| g);
        let total = |of: &dyn Fn(&Group) -> f64| timed().map(of).sum::<f64>();
        let spent = total(&|g| active().map(|a| g.time[a]).sum::<u64>() as f64);
        // What transactions under way at the two ends of a replication have lasted and done so far belongs to it, too.
        let lasted = total(&|g| g.response.sum() as f64 + g.open_time as f64 + g.abandoned as f64);
        let done: f64 = sessions().map(|(_, g)| g.work as f64).sum();
        let asked: f64 = sessions().map(|(_, g)| g.asked as f64 + g.open_work as f64).sum();
        let law = |law, residual: f64, allowed: f64| Check { law, residual, ok: residual <= allowed };
        let relative = |a: f64, b: f64| if a.max(b) > 0.0 { (a - b).abs() / a.max(b) } else { 0.0 };
        let all_threads = whole * sum.threads.len() as f64;
        let mut checks = vec![
            law("threads: busy + idle = threads × time", relative(threads as f64, all_threads), CONSERVED),
            law("Little's law", relative(spent, lasted), CONSERVED),
            law("utilisation law", relative(done, asked), CONSERVED),
        ];
        let closed = config.instances.iter().map(|i| match i.workload.arrivals {
            Arrivals::Closed { sessions, .. } => Some(f64::from(sessions)),
            _ => None,
        });
        if let Some(total) = closed.sum::<Option<f64>>() {
            let booked: f64 = sessions().map(|(_, g)| g.time.iter().sum::<u64>() as f64).sum::<f64>() / whole;
            checks.push(law("classes sum to the sessions", relative(booked, total), CONSERVED));
        }
        checks
    }

    fn series(&self, config: &Config, all: &[Replication]) -> Series {
        let rows = &all[0].rows;
        let classes = |time: &dyn Fn(usize, usize, usize) -> f64| {
            // A run that ends does within a bucket.
            let length = |e: usize| match self.ends {
                true => self.bucket.0.min(all[0].world.now.0 - e as u64 * self.bucket.0),
                false => self.bucket.0,
            };
            let bucket = |a: usize, e: usize| time(a, e, e + 1) / length(e) as f64;
            let mut columns: Vec<(&'static str, Vec<f64>)> = Vec::new();
            for a in active().filter(|&a| time(a, 0, self.edges) > 0.0) {
                let class = ACTIVITIES[a].class;
                let at = columns.iter().position(|(known, _)| *known == class).unwrap_or(columns.len());
                if at == columns.len() {
                    columns.push((class, vec![0.0; self.edges]));
                }
                columns[at].1.iter_mut().enumerate().for_each(|(edge, sum)| *sum += bucket(a, edge));
            }
            columns
        };
        let of_node = |n: usize| classes(&|a, from, to| rows.of_node(n, a, from, to));
        let nodes = if config.nodes.len() > 1 { config.nodes.len() } else { 0 };
        Series {
            bucket_s: self.bucket.as_s(),
            classes: classes(&|a, from, to| rows.between(Column::Time(a), from, to)),
            nodes: (0..nodes).map(of_node).collect(),
        }
    }
}
