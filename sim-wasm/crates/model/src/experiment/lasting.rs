//! How long hosts remember what was, and how long turns are: what a run has to outlast.
use crate::config::kinds::GroupOf;
use crate::config::weights::{tunable_factor, weight, NICE_0};
use crate::config::{
    Arrivals, Background, CgroupConfig, Class, Config, InstanceConfig, KindConfig, NodeConfig, Scheduler,
};
use wwi_kernel::time::Ns;

/// Turns of background load until it waits as it always does; it begins as if nobody ever waited.
const CYCLES: f64 = 2.0;
/// And no longer than this \[ns\]: who sleeps for minutes is left as he began, and so is whose turns come that seldom.
const LONGEST_CYCLES: f64 = 10e9;

/// Background load of a host, of each kind.
fn loads(node: &NodeConfig) -> impl Iterator<Item = &Background> {
    std::iter::once(&node.background).chain(node.more_background.iter().flatten().map(|kind| &**kind))
}

/// Until background load that sleeps has slept and, all after one another, worked some times \[ns\].
fn background_settles(node: &NodeConfig) -> f64 {
    let of = |kind: &Background| {
        let in_turn = (f64::from(kind.processes) / node.threads() as f64).max(1.0);
        match kind.processes > 0 && kind.sleep > Ns::ZERO {
            true => CYCLES * (kind.sleep.0 as f64 + kind.busy.0 as f64 * in_turn),
            false => 0.0,
        }
    };
    loads(node).map(of).fold(0.0, f64::max).min(LONGEST_CYCLES)
}

/// CPU time in which a process under O(1) loses all that sleep has brought it \[ns\]: of each tenth of a second as many
/// as the bonus says, 9 to 1, and one of the last.
const O1_TIRES: f64 = 4.6e9;
/// Who sleeps for less of what it works loses more than it gains even with every bonus.
const O1_KEEPS: f64 = 0.1;

/// Until who sleeps hardly ever under O(1) has no more bonus than that gives, of as many as there are, all one after
/// another; it begins with all of it \[ns\].
fn bonus_settles(config: &Config) -> f64 {
    let tires = |of: GroupOf| {
        let (node, place) = (&config.nodes[of.node], of.instance.unwrap_or(of.node));
        let is_so = node.scheduler == Scheduler::O1 && config.rested(of.kind, place)?.share < O1_KEEPS;
        let many = match (of.instance, node.load_of(of.kind)) {
            (Some(instance), _) => config.instances[instance].closed_sessions(),
            (None, load) => load?.processes,
        };
        (is_so && many > 0).then(|| O1_TIRES * (f64::from(many) / node.threads() as f64).max(1.0))
    };
    config.groups().into_iter().filter_map(tires).fold(0.0, f64::max).min(LONGEST_CYCLES)
}

/// How long a host remembers what its processes did \[ns\]: AIX keeps `sched_d` of 32 parts of what one used each
/// second; and background load. Zero: no longer than a moment.
pub(super) fn memory(config: &Config) -> f64 {
    let of = |node: &NodeConfig| match node.scheduler {
        Scheduler::Aix => 1e9 / (1.0 - f64::from(node.aix_sched_d) / 32.0).max(1.0 / 32.0),
        Scheduler::Solaris => 1e9,
        _ => 0.0,
    };
    config.nodes.iter().map(|node| of(node).max(background_settles(node))).fold(bonus_settles(config), f64::max)
}

/// Processes of one kind that never pause, on each CPU that they may use.
struct Hogs<'a> {
    many: f64,
    kind: &'a KindConfig,
    /// Of one of them, where queues are fair.
    weight: f64,
}

/// Of SCHED_RR \[ns\] (Linux, `RR_TIMESLICE`).
const REAL_TIME_SLICE: f64 = 1e8;
/// A quantum of who computes under Solaris \[ns\]: priorities 0 to 9 (`ts_dptbl`).
const SOLARIS_QUANTUM: f64 = 2e8;
/// After which priorities are looked at under AIX \[ns\].
const AIX_TICK: f64 = 1e7;

impl<'a> Hogs<'a> {
    /// So many of a kind on CPUs of a node, all in a control group where they have one.
    fn of(node: &NodeConfig, many: f64, kind: &'a KindConfig, group: Option<&CgroupConfig>) -> Hogs<'a> {
        let cpus = kind.cpus.as_ref().map_or(node.threads(), |set| set.0.len()) as f64;
        let weight = match group {
            Some(group) => NICE_0 as f64 * f64::from(group.weight) / 100.0 / many,
            None => weight(kind.nice) as f64,
        };
        Hogs { many: many / cpus, kind, weight }
    }

    fn is_ordinary(&self) -> bool {
        matches!(self.kind.class, Class::TimeSharing | Class::Batch)
    }

    /// One slice \[ns\], where slices do not depend on who else is there. O(1): 20 steps of 5 ms at nice 0, of 20
    /// below.
    fn slice(&self, node: &NodeConfig) -> f64 {
        let step = if self.kind.nice < 0 { 2e7 } else { 5e6 };
        match node.scheduler {
            Scheduler::RoundRobin => node.round_robin_quantum.0 as f64,
            Scheduler::Aix => AIX_TICK,
            Scheduler::Solaris => SOLARIS_QUANTUM,
            _ if self.kind.class == Class::RoundRobin => REAL_TIME_SLICE,
            Scheduler::O1 if self.is_ordinary() => step * f64::from(20 - self.kind.nice),
            _ => 0.0,
        }
    }

    /// What it runs for at least before a fair queue looks again \[ns\]: its request, and a tick.
    fn least(&self, node: &NodeConfig) -> f64 {
        let request = self.kind.slice.unwrap_or(Ns(node.eevdf_base_slice.0 * tunable_factor(node.threads())));
        let tick = 1e9 / f64::from(node.tick_hz);
        match node.scheduler {
            Scheduler::Eevdf => tick.max(request.0 as f64),
            _ => tick,
        }
    }
}

/// Background load of a host that never sleeps.
fn sleepless(node: &NodeConfig) -> impl Iterator<Item = &Background> {
    loads(node).filter(|load| load.processes > 0 && load.sleep == Ns::ZERO)
}

/// Who never pauses on a host: sessions as far as their cage lets them, and background load without sleep.
fn hogs(config: &Config, place: usize) -> Vec<Hogs<'_>> {
    let node = &config.nodes[place];
    let background =
        sleepless(node).map(|load| Hogs::of(node, f64::from(load.processes), &load.kind, load.kind.cgroup.as_ref()));
    let sessions = config.instances.iter().filter(|instance| instance.node == place).filter_map(|instance| {
        let Arrivals::Closed { sessions: many @ 1.., think: Ns::ZERO, .. } = instance.workload.arrivals else {
            return None;
        };
        let at_once = instance.cage.as_ref().map_or(many, |cage| cage.slots.min(many));
        let kind = &instance.session_kind;
        Some(Hogs::of(node, f64::from(at_once), kind, kind.cgroup.as_ref().or(instance.cgroup.as_ref())))
    });
    background.chain(sessions).collect()
}

/// Until all that never pause have had a turn on the threads of their host \[ns\]; of many short transactions in a turn
/// the last waits for the next one, and who looks for less sees whoever has the first turn. Zero where each has a
/// thread, or this instance's sessions pause.
pub(super) fn turn(config: &Config, instance: &InstanceConfig) -> f64 {
    let Arrivals::Closed { think: Ns::ZERO, .. } = instance.workload.arrivals else { return 0.0 };
    let (node, hogs) = (&config.nodes[instance.node], hogs(config, instance.node));
    let sum = |of: &dyn Fn(&Hogs) -> f64| hogs.iter().map(|hogs| hogs.many * of(hogs)).sum::<f64>();
    let crowd = sum(&|_| 1.0);
    if crowd <= 1.0 {
        return 0.0;
    }
    let in_turn = sum(&|hogs| hogs.slice(node));
    let (all, factor) = (sum(&|hogs| hogs.weight), tunable_factor(node.threads()) as f64);
    let lightest = hogs.iter().filter(|hogs| hogs.is_ordinary()).map(|hogs| hogs.least(node) * all / hogs.weight);
    let by_weight = lightest.fold(0.0, f64::max);
    let fair = match node.scheduler {
        Scheduler::Cfs => {
            by_weight.max(factor * (node.cfs.latency.0 as f64).max(crowd * node.cfs.min_granularity.0 as f64))
        }
        Scheduler::Eevdf => by_weight,
        _ => 0.0,
    };
    in_turn.max(fair).min(LONGEST_CYCLES)
}

/// The same, where others have turns between those of sessions: what sessions do depends on whose turn it is.
pub(super) fn turn_beside_hogs(config: &Config, instance: &InstanceConfig) -> f64 {
    match sleepless(&config.nodes[instance.node]).next() {
        Some(_) => turn(config, instance),
        None => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::CageConfig;
    use crate::testing::{cage, hogs, node, one, ordinary};

    #[test]
    fn background_load_that_sleeps_is_given_two_sleeps_and_turns_of_all() {
        let settles = |processes, busy_ms, sleep_ms| {
            let (busy, sleep) = (Ns::from_ms(busy_ms), Ns::from_ms(sleep_ms));
            let background = Background { processes, busy, sleep, kind: ordinary() };
            memory(&one(NodeConfig { background, ..node() }, hogs(1))) / 1e6
        };
        let threads = node().threads() as f64;
        assert_eq!(settles(20, 100.0, 900.0), 2.0 * (900.0 + 100.0 * 20.0 / threads));
        assert_eq!(settles(1, 10.0, 90.0), 200.0, "one has a turn, too");
        assert_eq!((settles(0, 10.0, 90.0), settles(9, 10.0, 0.0)), (0.0, 0.0), "who never sleeps is there at once");
        assert_eq!(settles(1, 10.0, 600_000.0), 10_000.0);
    }

    /// Nine losses of a tenth of a second, charged by nine to one, and a last one by one; 24 on four CPUs take six
    /// times as long, ten seconds at most. With a tenth of what they work as sleep they keep it.
    #[test]
    fn under_o1_who_hardly_ever_sleeps_is_given_until_he_has_lost_his_bonus() {
        let charged: f64 = (1..10).map(|bonus| 0.1 * f64::from(bonus)).sum::<f64>() + 0.1;
        assert!((O1_TIRES / 1e9 - charged).abs() < 1e-9);
        let settles = |scheduler, sessions, think_ms| {
            let mut instance = hogs(sessions);
            let (think, start_spread) = (Ns::from_ms(think_ms), Ns::ZERO);
            instance.workload.arrivals = Arrivals::Closed { sessions, think, start_spread };
            memory(&one(NodeConfig { scheduler, ..node() }, instance)) / 1e9
        };
        let under_o1 = |sessions, think_ms| settles(Scheduler::O1, sessions, think_ms);
        assert_eq!([under_o1(4, 9.0), under_o1(6, 9.0), under_o1(24, 9.0)], [4.6, 6.9, 10.0]);
        assert_eq!([under_o1(4, 11.0), under_o1(4, 0.0), settles(Scheduler::Cfs, 4, 9.0)], [0.0; 3]);
    }

    /// Sessions on a host of two CPUs, beside hogs of another nice value: milliseconds until all have had a turn.
    fn lasts(scheduler: Scheduler, sessions: u32, hogs_beside: u32, nice: i32, slots: Option<u32>) -> f64 {
        let kind = KindConfig { nice, ..ordinary() };
        let background = Background { processes: hogs_beside, busy: Ns::from_ms(10.0), sleep: Ns::ZERO, kind };
        let eevdf_base_slice = Ns::from_ms(0.7);
        let node = NodeConfig { scheduler, background, cores_per_socket: 2, tick_hz: 250, eevdf_base_slice, ..node() };
        let mut instance = hogs(sessions);
        instance.cage = slots.map(|slots| CageConfig { slots, ..cage(8) });
        let config = one(node, instance);
        turn(&config, &config.instances[0]) / 1e6
    }

    #[test]
    fn turns_are_of_who_never_pauses_and_has_to_wait() {
        use Scheduler::{Cfs, Eevdf, Fifo, RoundRobin, Solaris, O1};
        for scheduler in [Cfs, Eevdf, RoundRobin, Solaris, O1] {
            assert_eq!(lasts(scheduler, 2, 0, 0, None), 0.0, "each has a CPU");
            assert_eq!(lasts(scheduler, 8, 0, 0, Some(2)), 0.0, "the cage lets no more run");
            assert!(lasts(scheduler, 2, 1, 0, None) > 0.0, "a hog is in the way");
        }
        assert_eq!(lasts(RoundRobin, 4, 2, 0, None), 300.0);
        assert_eq!(lasts(Solaris, 4, 2, 0, None), 600.0);
        assert_eq!(lasts(Fifo, 4, 2, 0, None), 0.0);
    }

    /// O(1): 100 ms at nice 0, 95 at 1, 5 at 19, 800 at -20.
    #[test]
    fn under_o1_all_slices_are_used_before_arrays_are_swapped() {
        let beside = |nice| lasts(Scheduler::O1, 2, 2, nice, None);
        assert_eq!([beside(0), beside(1), beside(19), beside(-20)], [200.0, 195.0, 105.0, 900.0]);
    }

    /// On two CPUs tunables count twice: 12 ms are shared by all, 1.5 ms each at least; a tick is 4 ms, and
    /// who weighs 15 of 1,039 has one in 69.3.
    #[test]
    fn under_fair_queues_the_lightest_waits_longest() {
        assert_eq!((node().cfs.latency, node().cfs.min_granularity), (Ns::from_ms(6.0), Ns::from_ms(0.75)));
        assert_eq!(lasts(Scheduler::Cfs, 2, 2, 0, None), 12.0);
        assert_eq!(lasts(Scheduler::Cfs, 20, 20, 0, None), 80.0, "twenty ticks");
        for scheduler in [Scheduler::Cfs, Scheduler::Eevdf] {
            let beside = lasts(scheduler, 2, 2, 19, None);
            assert!((beside - 4.0 * 1039.0 / 15.0).abs() < 1e-9, "{beside}");
        }
        assert_eq!(lasts(Scheduler::Eevdf, 2, 2, 0, None), 8.0);
    }
}
