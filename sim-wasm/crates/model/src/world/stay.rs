//! A stay on a thread: begun, charged, planned, ended. Most events of most runs pass through here, so what a stay
//! touches is looked up once.
use crate::host::policy::Next as Pick;
use crate::host::topology::Q;
use crate::ids::{Pid, ThreadId};
use crate::measure::accounts::Group;
use crate::measure::each::Each;
use crate::measure::events::Activity;
use crate::measure::ledger::SWITCHING;
use crate::measure::record::{Recorder, Stay};
use crate::world::ledger::WAITING;
use crate::world::run::LONGEST_WORK;
use crate::world::{Process, Then, Thread, World};
use wwi_kernel::time::Ns;

/// What happened on a thread since the sums of its host were last brought up to date.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreadSums {
    /// Stays that ended.
    pub stays: u64,
    /// Dispatches that changed the process.
    pub switches: u64,
    /// Time in use \[ns\].
    pub busy: u64,
    /// Length of the stays that ended \[ns\].
    pub stay_time: u64,
    /// Of the time in use, that spent on switching and refilling caches \[ns\].
    pub switching: u64,
    /// Time owed for the switches \[ns\].
    pub switch_cost: u64,
}

impl Thread {
    /// Books what the process on it did since the last call.
    #[inline(always)]
    pub(crate) fn charge(&mut self, process: &mut Process, group: &mut Group, now: Ns, keeps_ledger: bool) {
        let span = now.0 - self.since.0;
        if span == 0 {
            return;
        }
        self.since = now;
        self.sums.busy += span;
        process.used.0 += span;
        let lost = span.min(process.debt.0);
        if keeps_ledger && lost > 0 {
            group.book.busy[SWITCHING + usize::from(process.owes)] += i128::from(lost * self.speed);
        }
        process.debt.0 -= lost;
        self.lost.0 += lost;
        self.sums.switching += lost;
        let whole = (span - lost) * self.speed;
        let done = whole.min(process.work);
        process.work -= done;
        group.work += u128::from(done);
        group.rounding += whole - done;
        group.purr += u128::from(span * self.purr);
    }

    /// When what `process` does on it comes to an end, one way or another.
    #[inline(always)]
    pub(crate) fn completion(&self, process: &Process, now: Ns) -> Ns {
        self.completion_by(self.slice_until.min(self.yields_at).min(self.latch_at), process, now)
    }

    /// As [`Thread::completion`], where it is known what stops the process.
    #[inline(always)]
    pub(crate) fn completion_by(&self, stop: Ns, process: &Process, now: Ns) -> Ns {
        let span = (stop.0.saturating_sub(now.0)).min(LONGEST_WORK);
        let useful = span.saturating_sub(process.debt.0);
        if span < process.debt.0 || useful * self.speed < process.work {
            return Ns(now.0 + span);
        }
        let work =
            if self.speed == 1 << Q { (process.work + (1 << Q) - 1) >> Q } else { process.work.div_ceil(self.speed) };
        Ns(now.0 + process.debt.0 + work)
    }

    /// A stay on it ends.
    #[inline(always)]
    fn end_stay(&mut self, (at, pid): (ThreadId, Pid), recorder: &mut Option<Recorder>, now: Ns) {
        self.sums.stays += 1;
        self.sums.stay_time += (now - self.picked).0;
        if let Some(recorder) = recorder {
            let (start, lost) = (self.picked, self.lost);
            recorder.note(Stay { pid, activity: Activity::RUNNING, thread: at, start, end: now, lost });
        }
        self.running = Pid::NONE;
    }

    /// A stay on it begins.
    #[inline(always)]
    pub(crate) fn begin_stay(&mut self, pid: Pid, until: Ns, now: Ns) {
        (self.running, self.last, self.lost) = (pid, pid, Ns::ZERO);
        (self.since, self.picked) = (now, now);
        (self.slice_until, self.yields_at, self.latch_at) = (until, Ns::MAX, Ns::MAX);
    }
}

impl Process {
    /// The only writer of an activity. Returns the one before.
    #[inline(always)]
    fn enter(
        &mut self,
        pid: Pid,
        activity: Activity,
        (group, each): (&mut Group, &mut Each),
        recorder: &mut Option<Recorder>,
        now: Ns,
    ) -> Activity {
        if let Some(recorder) = recorder {
            recorder.left(pid, self, now);
        }
        if self.before == Activity::ANSWERED && self.activity == Activity::RUN_QUEUE {
            self.book_answered((group, each), now);
        }
        group.leave(self.activity, now - self.since, now - self.entered);
        each.leave(self.told, self.activity, (now - self.since, now - self.entered));
        (self.since, self.entered) = (now, now);
        std::mem::replace(&mut self.activity, activity)
    }
}

impl Process {
    /// What it has been doing since it told its client and lost its thread: to the database, waiting for the next call.
    #[cold]
    #[inline(never)]
    pub(crate) fn book_answered(&mut self, (group, each): (&mut Group, &mut Each), now: Ns) {
        group.time[Activity::OFF.i()] += (now - self.since).0;
        each.cut(self.told, Activity::OFF, now - self.since);
        self.since = now;
    }
}

impl World {
    /// Books what the process on a thread did since the last call, in one copy: for what comes seldom.
    #[inline(never)]
    pub(crate) fn charge_here(&mut self, at: ThreadId) {
        let thread = &mut self.threads[at.i()];
        if let Some(process) = self.processes.get_mut(thread.running.i()) {
            let group = &mut self.accounts.groups[process.group as usize];
            thread.charge(process, group, self.now, self.keeps_ledger);
        } else if thread.wakes_for != Pid::NONE {
            self.book_waking(at);
        }
    }

    /// Puts the next completion of a thread on the calendar.
    #[inline(always)]
    pub(crate) fn arm(&mut self, at: ThreadId) {
        let thread = &self.threads[at.i()];
        let process = &self.processes[thread.running.i()];
        self.calendar.set(at.0, thread.completion(process, self.now));
    }

    /// As [`World::arm`], in one copy: for what comes seldom.
    #[inline(never)]
    pub(crate) fn arm_here(&mut self, at: ThreadId) {
        self.arm(at);
    }

    /// A process without a thread does something else from now on.
    #[inline(always)]
    pub(crate) fn enter(&mut self, pid: Pid, activity: Activity) {
        let process = &mut self.processes[pid.i()];
        let before = if process.counts_late {
            self.leave_late(pid, activity)
        } else {
            let (group, since) = (&mut self.accounts.groups[process.group as usize], process.entered);
            let before = process.enter(pid, activity, (group, &mut self.accounts.each), &mut self.recorder, self.now);
            if before >= WAITING {
                match activity {
                    Activity::RUN_QUEUE => self.tasks[pid.i()].waited_since = since,
                    _ => group.clock(before, self.now - since),
                }
            }
            before
        };
        if self.keeps_ledger && before.max(activity) >= WAITING {
            self.count_wait(pid, (before, activity));
        }
    }

    /// As [`World::enter`], in one copy: for what comes seldom.
    #[inline(never)]
    pub(crate) fn enter_here(&mut self, pid: Pid, activity: Activity) {
        let before = self.processes[pid.i()].activity;
        self.enter(pid, activity);
        self.count_sharing(pid, (before, activity));
    }

    /// The running process leaves its thread for a wait.
    #[inline(always)]
    pub(crate) fn leave_thread(&mut self, at: ThreadId, pid: Pid, wait: Activity) {
        self.stay_over(at, pid);
        let (thread, process) = (&mut self.threads[at.i()], &mut self.processes[pid.i()]);
        let group = &mut self.accounts.groups[process.group as usize];
        thread.end_stay((at, pid), &mut self.recorder, self.now);
        process.enter(pid, wait, (group, &mut self.accounts.each), &mut self.recorder, self.now);
        group.voluntary += 1;
        if self.keeps_ledger && wait >= WAITING {
            self.count_wait(pid, (Activity::RUNNING, wait));
        }
    }

    /// The running process has to give way.
    #[inline(always)]
    pub(crate) fn give_way(&mut self, at: ThreadId, pid: Pid) {
        self.stay_over(at, pid);
        if self.keeps_ledger {
            self.count_ready_in(pid, 1);
        }
        let (thread, process) = (&mut self.threads[at.i()], &mut self.processes[pid.i()]);
        let (node, own, takes_latches) = (thread.node as usize, process.instance, process.takes_latches);
        let group = &mut self.accounts.groups[process.group as usize];
        thread.end_stay((at, pid), &mut self.recorder, self.now);
        process.enter(pid, Activity::RUN_QUEUE, (group, &mut self.accounts.each), &mut self.recorder, self.now);
        group.involuntary += 1;
        if process.before == Activity::ANSWERED {
            group.answered += 1;
            group.abandoned += (self.now - self.tasks[pid.i()].started).0;
        }
        self.hosts[node].count_ready(pid);
        if takes_latches {
            self.draw_latch(at, pid, own);
        }
    }

    /// The ledger's speeds end with the stay, and from now on others take the caches.
    #[inline(always)]
    fn stay_over(&mut self, at: ThreadId, pid: Pid) {
        if self.hosts[self.threads[at.i()].node as usize].footprints.is_some() {
            self.leave_set(at, pid);
        }
        if self.threads[at.i()].rated != Ns::MAX {
            self.book_rates(at);
        }
    }

    /// A process gets a thread that has none.
    #[inline(always)]
    pub(crate) fn dispatch(&mut self, at: ThreadId, next: Pick, was_idle: bool) {
        let pid = next.pid;
        if self.keeps_ledger {
            self.count_ready_in(pid, -1);
        }
        if was_idle {
            self.wake_thread(at);
        }
        let is_off = self.processes[pid.i()].then == Then::Stashed && self.is_off(pid);
        let has_caches = !is_off && self.hosts[self.threads[at.i()].node as usize].footprints.is_some();
        let has_set = has_caches && self.owe_set(at, pid);
        let process = &mut self.processes[pid.i()];
        let last_core = self.threads.get(process.last.i()).map_or(u16::MAX, |thread| thread.core);
        let thread = &mut self.threads[at.i()];
        let host = &mut self.hosts[thread.node as usize];
        let group = &mut self.accounts.groups[process.group as usize];
        let before = process.before;
        match group.queued.get_mut(before.i()) {
            Some(queued) => {
                *queued += (self.now - process.entered).0;
                if before >= WAITING {
                    group.clock(before, self.now - self.tasks[pid.i()].waited_since);
                }
            }
            None if before == Activity::ANSWERED => self.tasks[pid.i()].started = self.now,
            None => self.tasks[pid.i()].late.iter_mut().for_each(|late| late.queued += self.now - process.entered),
        }
        self.accounts.each.queue(process.told, before, self.now - process.entered);
        process.enter(pid, Activity::RUNNING, (group, &mut self.accounts.each), &mut self.recorder, self.now);
        process.before = Activity::RUNNING;
        host.count_dispatched(pid);
        if thread.last != pid && !has_set {
            match is_off {
                true => process.owe_direct(at, thread, host, group),
                false => process.owe_switch((at, last_core), thread, host, group),
            }
        }
        if process.was_posted {
            let cage = &self.config.instances[process.instance as usize].cage;
            process.owe_post(cage.as_ref().map_or(Ns::ZERO, |cage| cage.post), group);
        }
        let last = thread.last;
        thread.begin_stay(pid, next.until, self.now);
        if is_off {
            // It drives nothing out of the caches.
            thread.last = last;
        }
        process.last = at;
        if process.has_slot {
            if let Some(cage) = &mut self.instances[process.instance as usize].cage {
                thread.yields_at = cage.yields_at(pid, process.used, self.now);
            }
        }
        let works = !matches!(process.then, Then::Resume(_));
        if works && !was_idle && !host.rates.acts && self.held_latches == 0 {
            return self.calendar.set(at.0, thread.completion(process, self.now));
        }
        self.settle(at, pid, was_idle);
    }

    /// What a dispatch does besides, where there is more to it: speeds, latches, a step to take before work.
    #[inline(never)]
    fn settle(&mut self, at: ThreadId, pid: Pid, was_idle: bool) {
        let node = self.threads[at.i()].node as usize;
        if was_idle && self.hosts[node].has_siblings {
            self.rerate_core(at);
            self.watch_hypervisor(node);
        }
        if self.hosts[node].rates.acts {
            self.rate_dispatched(at, pid);
        }
        if self.held_latches > 0 {
            self.watch_latches(at, pid);
        }
        match self.processes[pid.i()].then {
            Then::Work | Then::Pays(_) | Then::Stashed | Then::Poll | Then::Polled => self.arm(at),
            Then::Resume(why) => self.resume(at, pid, why),
        }
    }

    /// Brings the sums of hosts up to those of their threads.
    pub(crate) fn cut_threads(&mut self) {
        for (thread, of_thread) in self.threads.iter_mut().zip(&mut self.accounts.threads) {
            let sums = std::mem::take(&mut thread.sums);
            let host = &mut self.accounts.hosts[thread.node as usize];
            of_thread.0 += sums.busy;
            host.switching += sums.switching;
            host.switches += sums.switches;
            host.switch_cost += sums.switch_cost;
            host.stays += sums.stays;
            host.stay_time += sums.stay_time;
        }
    }
}
