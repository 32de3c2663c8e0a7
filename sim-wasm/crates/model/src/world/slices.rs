//! The end of a slice, where most events of most runs pass through: one process gives way to another on its thread.
//! What [`World::turn`] does by way of giving way and dispatch is done here in one go, with everything looked up once,
//! wherever nobody looks at each step of it.
use crate::host::policy::{Ended, Why};
use crate::ids::ThreadId;
use crate::measure::events::Activity;
use crate::world::ledger::WAITING;
use crate::world::{Host, Process, Then, World};
use wwi_kernel::time::Ns;

impl Host {
    /// No speed depends on who runs, and all may run anywhere.
    fn is_unwatched(&self, keeps_ledger: bool) -> bool {
        let is_told = keeps_ledger && self.ledger.is_limited;
        self.footprints.is_none() && !self.rates.acts && !is_told && self.masks.is_free() && !self.waking.has_sections()
    }
}

/// Nothing comes before the work of a process that waits for a thread and has none of its own sums.
#[inline(always)]
fn is_plain(next: &Process) -> bool {
    let is_special = next.has_slot | next.was_posted | (next.told != 0);
    !is_special && next.activity == Activity::RUN_QUEUE && !matches!(next.then, Then::Resume(_) | Then::Stashed)
}

impl World {
    /// Nobody looks at each step of the end of a slice.
    pub(crate) fn is_unwatched(&self) -> bool {
        let has_latches = self.instances.iter().any(|instance| instance.latches.can_be_held());
        let hosts = self.hosts.iter().all(|host| host.is_unwatched(self.keeps_ledger) && !host.has_delays);
        self.recorder.is_none() && !has_latches && hosts
    }

    /// What the process on a thread does comes to an end: its work, its slice, or its time in the cage.
    #[inline(always)]
    pub(crate) fn completion(&mut self, at: ThreadId) {
        let now = self.now;
        let threads = self.threads.as_mut_slice();
        let processes = self.processes.as_mut_slice();
        let thread = &mut threads[at.i()];
        let (pid, node) = (thread.running, thread.node as usize);
        let Some(was) = processes.get_mut(pid.i()) else { return self.nobody_runs(at, node) };
        let number = was.group;
        let group = &mut self.accounts.groups[number as usize];
        thread.charge(was, group, now, self.keeps_ledger);
        if was.work == 0 && was.debt == Ns::ZERO {
            return self.segment_done(at, pid);
        }
        if now >= thread.yields_at.min(thread.latch_at) {
            return self.stopped(at, pid);
        }
        let is_watched = !self.is_unwatched || thread.rated != Ns::MAX || thread.preempts_at != Ns::MAX;
        if is_watched || was.told != 0 {
            let why = if thread.preempts_at <= now { Why::Preempted } else { Why::SliceExpired };
            return self.turn(at, Some(Ended { pid, why }));
        }
        // One process gives way to another, with the same sums.
        let ended = Some(Ended { pid, why: Why::SliceExpired });
        let host = &mut self.hosts[node];
        let Some(next) = host.policy.turn_here((at.0 - host.base) as usize, pid, now) else {
            return self.turned(at, ended, None);
        };
        if next.pid == pid {
            thread.slice_until = next.until;
            return self.arm_here(at);
        }
        let process = match processes.get_mut(next.pid.i()) {
            Some(process) if process.group == number && is_plain(process) => process,
            _ => return self.turned(at, ended, Some(next)),
        };
        let Some(queued) = group.queued.get_mut(process.before.i()) else {
            return self.turned(at, ended, Some(next));
        };
        *queued += (now - process.entered).0;
        if process.before >= WAITING {
            group.clock(process.before, now - self.tasks[next.pid.i()].waited_since);
        }
        group.leave_here(Activity::RUN_QUEUE, now - process.since, now - process.entered);
        (process.since, process.entered, process.activity) = (now, now, Activity::RUNNING);
        process.before = Activity::RUNNING;
        let last_core = threads.get(process.last.i()).map_or(u16::MAX, |thread| thread.core);
        let thread = &mut threads[at.i()];
        process.owe_switch((at, last_core), thread, host, group);
        thread.sums.stays += 1;
        thread.sums.stay_time += (now - thread.picked).0;
        thread.begin_stay(next.pid, next.until, now);
        process.last = at;
        self.calendar.set_here(at.0, thread.completion_by(next.until, process, now));
        let was = &mut processes[pid.i()];
        group.leave_here(Activity::RUNNING, now - was.since, now - was.entered);
        (was.since, was.entered, was.activity) = (now, now, Activity::RUN_QUEUE);
        group.involuntary += 1;
        if host.pushes() {
            self.push(node);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Arrivals, Background, Class, Config, Demand, DemandShape, InstanceConfig};
    use crate::config::{KindConfig, NodeConfig, Scheduler};
    use crate::measure::record::Recorder;
    use crate::testing::{cage, hogs, node, one, ordinary};

    const POLICIES: [Scheduler; 6] =
        [Scheduler::RoundRobin, Scheduler::Cfs, Scheduler::Eevdf, Scheduler::O1, Scheduler::Aix, Scheduler::Solaris];

    /// More sessions than threads, some thinking, beside an instance and processes of other accounting groups; with two
    /// threads a core behind a cage.
    fn crowded(scheduler: Scheduler, threads_per_core: u32) -> Config {
        let (busy, sleep) = (Ns::from_ms(3.0), Ns::from_ms(5.0));
        let background = Background { processes: 2, busy, sleep, kind: ordinary() };
        let [direct, refill, core, socket] = [2.0, 40.0, 70.0, 130.0].map(Ns::from_us);
        let (round_robin_quantum, shape) = (Ns::from_ms(7.0), DemandShape::Exponential);
        let host = NodeConfig {
            scheduler,
            sockets: 2,
            cores_per_socket: 3,
            threads_per_core,
            round_robin_quantum,
            switch_direct: direct,
            switch_refill: refill,
            migration_refill: core,
            socket_refill: socket,
            background,
            ..node()
        };
        let mut sessions = InstanceConfig { cage: (threads_per_core == 2).then(|| cage(14)), ..hogs(17) };
        let (think, start_spread) = (Ns::from_ms(2.0), Ns::from_s(0.1));
        sessions.workload.arrivals = Arrivals::Closed { sessions: 17, think, start_spread };
        sessions.workload.demand = Demand { mean: Ns::from_ms(30.0), shape };
        let others = hogs(3);
        Config { instances: vec![sessions, others], ..one(host, hogs(1)) }
    }

    /// The same with sessions in a real-time class and other ones above them, over Linux.
    fn urgent(scheduler: Scheduler) -> Config {
        let mut config = crowded(scheduler, 1);
        config.nodes[0].rt_runtime = None;
        for (instance, priority) in config.instances.iter_mut().zip([40, 50]) {
            instance.session_kind = KindConfig { class: Class::RoundRobin, priority, ..ordinary() };
            // Longer than the slice of the class.
            instance.workload.demand.mean = Ns::from_ms(400.0);
        }
        config
    }

    fn assert_same_both_ways(config: &Config, keeps_ledger: bool) {
        let [short, long] = [false, true].map(|is_long| {
            let mut world = World::new(config, 3);
            if !keeps_ledger {
                world.keep_no_ledger();
            }
            world.recorder = is_long.then(|| Recorder::new(16, Ns::ZERO));
            assert!(world.run(Ns::from_ms(3000.0), u64::MAX));
            assert_eq!(world.is_unwatched, !is_long);
            world.cut();
            (format!("{:?}", world.accounts), format!("{:?}", world.processes))
        });
        assert!(short == long, "{:?}, ledger {keeps_ledger}", config.nodes[0]);
    }

    /// Who is recorded goes the long way, step by step: to the last nanosecond the same.
    #[test]
    fn the_end_of_a_slice_in_one_go_is_that_step_by_step() {
        for scheduler in POLICIES {
            for (keeps_ledger, smt) in [(true, 1), (false, 1), (true, 2), (false, 2)] {
                assert_same_both_ways(&crowded(scheduler, smt), keeps_ledger);
            }
        }
        for scheduler in [Scheduler::Cfs, Scheduler::Eevdf, Scheduler::O1] {
            for keeps_ledger in [true, false] {
                assert_same_both_ways(&urgent(scheduler), keeps_ledger);
            }
        }
    }
}
