//! How long to look before anything is known: the first horizon, from the configuration and the precision asked for.
//! Its constants are free: they make first looks neither too short nor too long, and a run that is not as precise as
//! was asked goes on.
use crate::config::cluster::Flush;
use crate::config::database::{Answering, DeviceConfig, WRITERS_WAKE};
use crate::config::{Arrivals, Config, DemandShape, InstanceConfig};
use crate::experiment::lasting::{memory, turn, turn_beside_hogs};
use crate::experiment::queue::{queues, squared_variation, Queue, REACH};
use crate::experiment::{Figures, Goal, COARSE_REPLICATIONS, REPLICATIONS};
use crate::world::databases::fills::writers_allow;
use wwi_kernel::time::Ns;

/// A host of several sockets is watched for at least this long \[ns\]: balancing between sockets and the utilisation
/// that soft affinity goes by need some tenths of a second to come round.
const SOCKETS_SETTLE: f64 = 1e9;
/// Where messages are passed that is \[ns\], for they come by the million.
const MESSAGES_SETTLE: f64 = 5e7;
/// What acts once in a period (real-time throttling, priorities recalculated each second, `cpu.max`) is watched for so
/// many.
const PERIODS: f64 = 5.0;
/// Requests of a server that a replication sees at least, so that its 99th percentile means something.
const REQUESTS: f64 = 3000.0;
/// Logs of a database that fill while it is watched, and for how long at most \[ns\]: stalls come once a log. One that
/// takes longer to fill is not waited for: no run that is watched for so long would see a switch.
const LOGS: f64 = 3.0;
const LOGS_SETTLE: f64 = 6e10;
/// Of the first horizon, what a sketch looks at.
const SKETCH: f64 = 0.3;
/// Of the responses and waits that the structure wants, what a point of throughput looks at: what is done goes on at
/// one rate, whatever of it is whole.
const POINT: f64 = 0.1;
/// How precise the figures of closed sessions in a sketch are to be, about; no more than what is asked.
const SKETCH_PRECISION: f64 = 0.1;
/// Transactions of open arrivals that a start of a sketch sees at most.
const SKETCH_TRANSACTIONS: f64 = 60_000.0;
/// Events of an open transaction at least: it comes, and it ends.
const LEAST_EVENTS: f64 = 2.0;
/// Relaxation times that the first horizon spans at least: warm-up is one or more, and at most half.
const RELAXATIONS: f64 = 4.0;
/// A node without heartbeats is given this many times as long as it may take until it has left.
const LEAVES: f64 = 1.05;
/// Responses and waits of a session that are looked at, and turns of all sessions on the threads of their host.
const RESPONSES: f64 = 7.0;
const WAITS: f64 = 40.0;
const ROUNDS: f64 = 3.0;
/// Where sessions come from outside: their response and their longest wait, in services.
const OPEN: (f64, f64) = (20.0, 5.0);
/// By how much precision may lengthen what the structure of closed sessions wants, before anything is known.
const MOST_RESPONSES: f64 = 64.0;

/// Mean CPU demand of the transactions of an instance, over its classes.
fn mean_demand(instance: &InstanceConfig) -> Ns {
    let mean = instance.workload.demand.mean;
    let Some(database) = instance.others.database.as_deref().filter(|of| of.query.share > 0.0) else { return mean };
    let query = database.query;
    Ns(((1.0 - query.share) * mean.0 as f64 + query.share * query.demand.0 as f64) as u64)
}

/// Transactions of one that comes by itself: of a loop its calls come.
pub(super) fn per_arrival(instance: &InstanceConfig) -> f64 {
    instance.others.database.as_deref().map_or(1.0, |of| f64::from(of.transaction.per_call))
}

/// Mean CPU demand of what comes by itself \[ns\].
pub(super) fn demand_of_arrival(instance: &InstanceConfig) -> f64 {
    per_arrival(instance) * mean_demand(instance).0 as f64
}

/// A guess of mean response and longest mean wait of an instance \[ns\].
fn guess(config: &Config, instance: &InstanceConfig) -> (f64, f64) {
    let threads = config.nodes[instance.node].threads() as f64;
    let demand = mean_demand(instance).0 as f64;
    let Arrivals::Closed { sessions, think, .. } = instance.workload.arrivals else {
        let among = match instance.workload.arrivals {
            Arrivals::Messages { groups, pairs, .. } => f64::from(2 * groups * pairs) / threads,
            _ => 1.0,
        };
        return (OPEN.0 * demand * among.max(1.0), OPEN.1 * demand * among.max(1.0));
    };
    let (slots, quantum) = match &instance.cage {
        Some(cage) => (f64::from(cage.slots).min(threads), (cage.quantum + cage.tick).0 as f64),
        None => (threads, 0.0),
    };
    let crowd = (f64::from(sessions) / slots).max(1.0);
    (demand * crowd + think.0 as f64, quantum * (crowd - 1.0))
}

/// About how long a run that ends goes on \[ns\].
pub(super) fn guess_of_runs(config: &Config) -> f64 {
    let of = |instance: &InstanceConfig| {
        let (Some(ends), Arrivals::Closed { sessions, start_spread, .. }) =
            (instance.workload.ends, &instance.workload.arrivals)
        else {
            return 0.0;
        };
        let starts = (ends.begins + *start_spread).0 as f64 + ends.skew.0 as f64 * f64::from(*sessions);
        starts + f64::from(ends.executions) * guess(config, instance).0
    };
    config.instances.iter().map(of).fold(0.0, f64::max)
}

/// Periods of `cpu.max` of control groups.
fn quota_periods(config: &Config) -> impl Iterator<Item = Ns> + '_ {
    let groups = (0..config.nodes.len()).flat_map(|node| config.control_groups(node));
    groups.flatten().filter(|group| group.quota.is_some()).map(|group| group.period)
}

/// How long the slowest of its queues remembers, or the longest of the waits whose time is given takes; nothing is
/// known of what happened within that time of the start.
pub fn relaxation(config: &Config) -> Ns {
    let slowest = queues(config).into_iter().map(Queue::relaxation).fold(0.0, f64::max);
    Ns(slowest.min(1e17) as u64).max(longest_wait(config))
}

/// The longest of the waits whose time is given: a request of a device, what is waited for the redo of a block that
/// is to leave, or from one count of commits to the next where the log writer goes by them. Who does not watch for
/// longer sees none that has ended, however rare or common they are.
fn longest_wait(config: &Config) -> Ns {
    let of = |instance: &InstanceConfig| {
        let others = &instance.others;
        let devices =
            others.database.as_deref().map(|of| of.redo.unwrap_or(of.data).service.mean.max(of.data.service.mean));
        let flush = others.lms.as_ref().and_then(|lms| match lms.flush {
            Flush::Given { share, current, takes } if share + current > 0.0 => Some(takes),
            _ => None,
        });
        let counts = others.database.as_deref().filter(|of| of.log.answering == Answering::Adaptive);
        devices.max(flush).max(counts.map(|_| WRITERS_WAKE)).unwrap_or(Ns::ZERO)
    };
    config.instances.iter().map(of).max().unwrap_or(Ns::ZERO)
}

/// The longest period in which a limit lets processes run for a part alone (`cpu.max`, real-time throttling); zero:
/// none.
pub fn limit_period(config: &Config) -> Ns {
    let linux = (0..config.nodes.len()).filter(|&n| config.nodes[n].scheduler.is_linux());
    let throttled = linux.map(|n| config.slowest_period(n));
    throttled.chain(quota_periods(config)).max().unwrap_or(Ns::ZERO)
}

/// How long its writers have to be watched: until its redo has filled some logs, about, else until they have looked for
/// work of their own accord some times \[ns\].
fn writers_settle(config: &Config, instance: &InstanceConfig) -> f64 {
    let Some(database) = instance.others.database.as_deref() else { return 0.0 };
    let (of, threads) = (database.transaction, config.nodes[instance.node].threads() as f64);
    let work = (mean_demand(instance) + of.client).0 as f64;
    let per_ns = match instance.workload.arrivals {
        Arrivals::Closed { sessions, think, .. } => (f64::from(sessions) / (work + think.0 as f64)).min(threads / work),
        Arrivals::Open { per_s } => per_arrival(instance) * per_s / 1e9,
        _ => 0.0,
    };
    let asked = (1.0 - database.query.share) * per_ns;
    let commits = if asked > 0.0 { asked.min(writers_allow(database)) } else { 0.0 };
    let each = database.log.size as f64 / (of.redo * commits);
    match each.is_finite() {
        false => 0.0,
        true if each <= LOGS_SETTLE => (LOGS * each).min(LOGS_SETTLE),
        true => PERIODS * WRITERS_WAKE.0 as f64,
    }
}

/// The longest request of its devices that takes the same each time.
fn longest_constant(instance: &InstanceConfig) -> Option<Ns> {
    let database = instance.others.database.as_deref()?;
    let constant = |device: &DeviceConfig| device.service.constant();
    [Some(&database.data), database.redo.as_ref()].into_iter().flatten().filter_map(constant).max()
}

/// Within what time sessions that start in step start: about a response, or a turn of all or a request of a device
/// that takes the same each time, where that is longer than all take to start. Without pauses, and where all need the
/// same, they may stay in step for ever, and then every start would look at the same phases of their transactions,
/// from the first edge to the last: whatever was counted too often there, no interval would know of it.
pub(super) fn in_step(config: &Config) -> Ns {
    let of = |instance: &InstanceConfig| match instance.workload.arrivals {
        Arrivals::Closed { start_spread, think: Ns::ZERO, .. } if instance.workload.ends.is_none() => {
            let request = longest_constant(instance).filter(|&request| request > start_spread);
            let beside_hogs = turn_beside_hogs(config, instance);
            let response = match start_spread {
                Ns::ZERO => guess(config, instance).0.max(turn(config, instance)),
                _ if beside_hogs > start_spread.0 as f64 => beside_hogs,
                _ => 0.0,
            };
            response.max(request.map_or(0.0, |request| request.0 as f64))
        }
        _ => 0.0,
    };
    Ns(config.instances.iter().map(of).fold(0.0, f64::max) as u64)
}

/// When all sessions have started.
pub(super) fn starts_by(config: &Config) -> Ns {
    let spread = config.instances.iter().map(|instance| match instance.workload.arrivals {
        Arrivals::Closed { start_spread, .. } => start_spread,
        _ => Ns::ZERO,
    });
    spread.chain([in_step(config)]).max().unwrap_or(Ns::ZERO)
}

/// What the structure of a configuration wants, whatever the precision \[ns\]: for responses and waits of sessions, and
/// for all else.
fn structural(config: &Config) -> (f64, f64) {
    let (mut response, mut wait, mut writers) = (1e6f64, 0f64, 0f64);
    for instance in &config.instances {
        let (r, w) = guess(config, instance);
        (response, wait) = (response.max(r).max(ROUNDS / RESPONSES * turn(config, instance)), wait.max(w));
        writers = writers.max(writers_settle(config, instance));
    }
    let servers = config.nodes.iter().filter_map(|n| n.service.as_ref());
    let requests = servers.map(|s| REQUESTS / s.all_per_s() * 1e9).fold(0.0, f64::max);
    let settle = match config.nodes.iter().any(|n| n.caches() > 1) {
        _ if config.instances.iter().any(InstanceConfig::passes_messages) => MESSAGES_SETTLE,
        true => SOCKETS_SETTLE,
        false => 0.0,
    };
    let looks = (0..config.nodes.len()).map(|n| config.slowest_period(n));
    let slowest = looks.chain(quota_periods(config));
    let periods = PERIODS * slowest.map(|p| p.0 as f64).fold(0.0, f64::max);
    let remembered = RELAXATIONS * memory(config);
    ((RESPONSES * response).max(WAITS * wait), requests.max(settle).max(periods).max(writers).max(remembered))
}

/// How many starts, and how long each is looked at before the first judgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Independent starts.
    pub starts: usize,
    /// Simulated time of each.
    pub horizon: Ns,
}

impl Plan {
    /// What is enough for both.
    pub fn or(self, other: Plan) -> Plan {
        Plan { starts: self.starts.max(other.starts), horizon: self.horizon.max(other.horizon) }
    }
}

/// Time to look at, all starts, until a figure of closed sessions that work and think at random is as precise \[ns\]:
/// so many transactions, each as good as independent. Relative variances of one: of a mean of exponential times 1, of
/// their 99th percentile 4.7, both doubled for what sessions share.
fn needed_by_sessions(config: &Config, figures: &Figures, precision: f64) -> f64 {
    let variance = match figures {
        Figures::ThroughputOnly => 1.0,
        Figures::One(figure) => [1.0, 2.0, 9.4][figure.kind as usize],
        Figures::ThroughputAndResponse | Figures::With(_) => 2.0,
    };
    let of = |instance: &InstanceConfig| {
        let Arrivals::Closed { sessions, think, .. } = instance.workload.arrivals else { return 0.0 };
        if think == Ns::ZERO && instance.workload.demand.shape == DemandShape::Constant {
            return 0.0;
        }
        let grown = (1.0 + squared_variation(&instance.workload.demand)) / 2.0;
        variance * grown * (REACH / precision) * (REACH / precision) * guess(config, instance).0
            / f64::from(sessions.max(1))
    };
    config.instances.iter().map(of).fold(0.0, f64::max)
}

/// What to do before anything is known.
pub fn first_plan(config: &Config, goal: &Goal) -> Plan {
    plan(config, goal, 1.0)
}

/// The same for a point of a curve. One of throughput is short, less so where sockets are balanced, which takes its
/// time.
pub fn point_plan(config: &Config, goal: &Goal) -> Plan {
    let is_balanced = config.nodes.iter().any(|node| node.caches() > 1);
    plan(
        config,
        goal,
        match goal.figures {
            Figures::ThroughputOnly if is_balanced => SKETCH,
            Figures::ThroughputOnly => POINT,
            _ => 1.0,
        },
    )
}

/// Of what sessions want, this part.
fn plan(config: &Config, goal: &Goal, part: f64) -> Plan {
    if config.ends() {
        return Plan { starts: COARSE_REPLICATIONS, horizon: Ns(1) };
    }
    let ((of_structure, beside), queues) = (structural(config), queues(config));
    let full = of_structure.max(beside);
    // Of a limit that lets run and stops by turns whole periods are looked at, at any sixteenth: about so long.
    let whole = 16 * limit_period(config).0.clamp(1, 1 << 40);
    // Whose heartbeats do not come leaves before the first half is over: few starts, for they are long.
    let css = config.cluster.as_ref().and_then(|cluster| cluster.css);
    let (until_gone, starts) = css.map_or((0.0, REPLICATIONS), |css| {
        let span = 2.0 * LEAVES * css.longest().0 as f64;
        (span, COARSE_REPLICATIONS)
    });
    // The latest edge at which a warm-up can end is the middle: by then all have started.
    let starts_by = starts_by(config).0 as f64;
    let horizon = |wanted: f64, share: f64| {
        let least = (2.0 * starts_by).max(until_gone).clamp(1.0, 1e15) as u64;
        let about = (starts_by * (1.0 + share) + wanted).max(least as f64).min(1e15) as u64;
        let nearest = ((about + whole / 2) / whole).max(1) * whole;
        Ns(match whole > 16 {
            false => about,
            true if nearest < least => least.next_multiple_of(whole),
            true => nearest,
        })
    };
    let longest = |of: &dyn Fn(&Queue) -> f64| queues.iter().map(of).fold(0.0, f64::max);
    let of_waits = RELAXATIONS * longest_wait(config).0 as f64;
    if goal.coarse {
        let of_queues = longest(&|q| (RELAXATIONS * q.relaxation()).min(SKETCH_TRANSACTIONS / q.per_ns));
        let precision = goal.precision.max(SKETCH_PRECISION);
        let of_sessions = needed_by_sessions(config, &goal.figures, precision) / COARSE_REPLICATIONS as f64;
        let least = of_sessions.min(SKETCH * MOST_RESPONSES * full);
        let wanted = (SKETCH.min(part) * of_structure).max(SKETCH * beside).max(of_queues).max(of_waits).max(least);
        return Plan { starts: COARSE_REPLICATIONS, horizon: horizon(wanted, SKETCH) };
    }
    let needed = longest(&|q| q.needed(&goal.figures, goal.precision));
    let remembered = longest(&|q| q.relaxation());
    let each = |all: f64| all / REPLICATIONS as f64;
    let affordable = longest(&|q| each(goal.max_events as f64) / (LEAST_EVENTS * q.per_ns));
    let of_queues = (each(needed) + 2.0 * remembered).min(affordable).max(RELAXATIONS * remembered);
    let of_sessions = each(needed_by_sessions(config, &goal.figures, goal.precision)).min(MOST_RESPONSES * full);
    let wanted = (part * of_structure).max(beside).max(of_waits);
    Plan { starts, horizon: horizon(wanted.max(of_queues).max(of_sessions), 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{CgroupConfig, NodeConfig, Scheduler};
    use crate::testing::{database, hogs, node, oltp, one};

    /// One writer works 38 µs for a block and then waits 4 ms for its write, ten of a transaction of 1,000 bytes: a
    /// log of 100,000 bytes fills in 4.038 s, however fast sessions would fill it.
    #[test]
    fn logs_fill_no_faster_than_writers_allow() {
        let settle = |changes: f64| {
            let mut of = database();
            (of.transaction.changes, of.cache.hot_share, of.log.size, of.data.is_async) =
                (changes, 0.0, 100_000, false);
            let config = one(node(), oltp(400, of));
            writers_settle(&config, &config.instances[0]) / 1e9
        };
        assert!((settle(10.0) - 3.0 * 4.038).abs() < 1e-9, "{}", settle(10.0));
        let threads = node().threads() as f64;
        assert!((settle(0.0) - 3.0 * 100.0 * 0.1 / threads).abs() < 1e-9, "{}", settle(0.0));
    }

    /// A hog and a session on each CPU have 100 ms each under O(1): sessions that start within a tenth of a second do
    /// so anywhere in a turn of 200, and without hogs, or within a second, as they are told.
    #[test]
    fn beside_hogs_sessions_start_anywhere_in_a_turn() {
        let within = |hogs_beside: u32, spread_ms: f64| {
            let mut host = NodeConfig { scheduler: Scheduler::O1, ..node() };
            (host.background.processes, host.background.sleep) = (hogs_beside, Ns::ZERO);
            let mut instance = hogs(host.threads() as u32);
            if let Arrivals::Closed { start_spread, .. } = &mut instance.workload.arrivals {
                *start_spread = Ns::from_ms(spread_ms);
            }
            in_step(&one(host, instance))
        };
        let threads = node().threads() as u32;
        assert_eq!(within(threads, 100.0), Ns::from_ms(200.0));
        assert_eq!([within(0, 100.0), within(threads, 1000.0)], [Ns::ZERO; 2]);
    }

    /// Sixteen periods of a tenth of a second, or thirty-two, whichever is nearer to what is wanted without the limit,
    /// and never less than twice the time in which sessions start.
    #[test]
    fn of_a_limit_the_nearest_multiple_of_sixteen_periods_is_planned() {
        let plan = |spread: u64, has_limit: bool| {
            let ms = |ms: u64| Ns(1_000_000 * ms);
            let mut instance = hogs(8);
            if let Arrivals::Closed { start_spread, .. } = &mut instance.workload.arrivals {
                *start_spread = ms(spread);
            }
            let quota = Some(ms(50));
            instance.cgroup =
                has_limit.then_some(CgroupConfig { weight: 100, quota, period: ms(100), burst: Ns::ZERO });
            let figures = Figures::ThroughputAndResponse;
            let goal = Goal { precision: 0.03, max_events: 1, record: 0, figures, coarse: false };
            first_plan(&one(node(), instance), &goal).horizon.0 / 1_000_000
        };
        for spread in (0..4000).step_by(130) {
            let (free, limited) = (plan(spread, false), plan(spread, true));
            assert!(limited % 1600 == 0 && limited >= 2 * spread, "{spread}: {limited}");
            let is_near = limited.abs_diff(free) <= 800 || limited == 1600;
            assert!(is_near || limited - 1600 < 2 * spread, "{spread}: {limited} for {free}");
        }
    }
}
