//! Takes the steps of a process one after another, until it needs its thread for longer or leaves it.
//!
//! A step that may wake or stop somebody is taken while the process stands on a thread and owes nothing for getting
//! there. If that costs it the thread, it goes on with the next step when it runs again.
use crate::config::kinds::KindId;
use crate::host::policy::{Ended, Why};
use crate::ids::{Pid, QueueId, ThreadId};
use crate::measure::events::Activity;
use crate::program::{next, Item, On, Program, Resume, Step};
use crate::world::wake::Waker;
use crate::world::{Place, Then, Timer, Waiting, World};
use wwi_kernel::calendar::Phase;
use wwi_kernel::time::Ns;

impl World {
    /// A transaction (burst, request, message) of a process begins; who waits for it began to at `since`.
    #[inline(always)]
    pub(crate) fn begin(&mut self, pid: Pid, since: Ns) {
        (self.tasks[pid.i()].started, self.processes[pid.i()].is_open) = (since, true);
    }

    /// A transaction begins that has been waited for since the process woke.
    pub(crate) fn begin_since_wake(&mut self, pid: Pid) {
        self.processes[pid.i()].is_open = true;
    }

    /// It ends, and the next begins at once.
    #[inline(always)]
    pub(crate) fn end_and_begin(&mut self, pid: Pid) {
        self.count_response(pid);
        self.tasks[pid.i()].started = self.now;
    }

    /// It ends, and counts. What the process still does before it waits for the next begins now.
    #[inline(always)]
    pub(crate) fn end(&mut self, pid: Pid) {
        self.count_response(pid);
        self.processes[pid.i()].is_open = false;
        self.tasks[pid.i()].started = self.now;
    }

    /// A step is taken at last that a process could not take at once. Had it ended its transaction before, then what
    /// it did since is none's.
    pub(crate) fn took_long(&mut self, pid: Pid) {
        let (process, task) = (&self.processes[pid.i()], &mut self.tasks[pid.i()]);
        if (!process.is_open || task.paused.is_some()) && task.program.kind() == KindId::SESSION {
            let since = std::mem::replace(&mut task.started, self.now);
            self.accounts.groups[process.group as usize].abandoned += (self.now - since).0;
        }
    }

    /// It goes on after an idle wait; that time is no part of it.
    pub(crate) fn pause(&mut self, pid: Pid) {
        let task = &mut self.tasks[pid.i()];
        task.paused = Some(self.now - task.started);
        task.started = self.now;
    }

    /// A session tells its client: its call is over.
    pub(crate) fn answers(&mut self, pid: Pid) {
        self.processes[pid.i()].before = Activity::ANSWERED;
    }

    /// It goes to wait for the next call. What it paid for a thread on its way there is none's.
    pub(crate) fn answered(&mut self, pid: Pid) {
        let (process, task) = (&self.processes[pid.i()], &self.tasks[pid.i()]);
        self.accounts.groups[process.group as usize].abandoned += (self.now - task.started).0;
    }

    #[inline(always)]
    fn count_response(&mut self, pid: Pid) {
        let (process, response) = (&self.processes[pid.i()], self.now - self.tasks[pid.i()].started);
        let group = &mut self.accounts.groups[process.group as usize];
        group.transactions += 1;
        group.response.record(response);
        self.accounts.each.respond(process.told, response);
    }

    /// Work of a process for its instance, with the logical reads in it.
    #[inline(always)]
    pub(crate) fn reading(&self, instance: usize, work: u64) -> Step {
        let reads = work as f64 * self.reads_in_work[instance];
        Step::Cpu { work, reads: (reads + 0.5) as u64 }
    }

    /// A process is dispatched that has a step to take before it can work: one that may wake or stop somebody only when
    /// it has paid for the switch.
    #[inline]
    pub(crate) fn resume(&mut self, at: ThreadId, pid: Pid, why: Resume) {
        if !self.runs.sessions.is_empty() {
            self.waited(pid);
        }
        if self.processes[pid.i()].debt > Ns::ZERO && self.tasks[pid.i()].program.acts_at_once() {
            let (process, task) = (&mut self.processes[pid.i()], &mut self.tasks[pid.i()]);
            (process.then, process.work, task.asked) = (Then::Pays(why), 0, 0);
            return self.arm_here(at);
        }
        self.processes[pid.i()].then = Then::Work;
        self.take_steps(Place::Thread(at), pid, why, true);
    }

    /// This step comes first when the process has paid what it owes.
    pub(crate) fn stash(&mut self, pid: Pid, step: Step) {
        let (process, task) = (&mut self.processes[pid.i()], &mut self.tasks[pid.i()]);
        task.stashed = Some(step);
        (process.then, process.work, task.asked) = (Then::Stashed, 0, 0);
    }

    /// The work of a running process is done, or what it owed before its step is paid.
    #[inline(always)]
    pub(crate) fn segment_done(&mut self, at: ThreadId, pid: Pid) {
        let process = &mut self.processes[pid.i()];
        if process.then != Then::Work {
            return self.vain_segment_done(at, pid);
        }
        let group = &mut self.accounts.groups[process.group as usize];
        let task = &mut self.tasks[pid.i()];
        group.asked += u128::from(std::mem::take(&mut task.asked));
        group.reads += u128::from(task.reads);
        self.go_on(Place::Thread(at), pid, Resume::CpuDone);
    }

    /// What a process spun is over, or what it owed before its step is paid.
    fn vain_segment_done(&mut self, at: ThreadId, pid: Pid) {
        if let Then::Pays(why) = self.processes[pid.i()].then {
            self.processes[pid.i()].then = Then::Work;
            return self.go_on(Place::Thread(at), pid, why);
        }
        if self.processes[pid.i()].then != Then::Stashed {
            let how = self.polled(pid);
            return self.go_on(Place::Thread(at), pid, how);
        }
        self.processes[pid.i()].then = Then::Work;
        self.took_long(pid);
        let Some(step) = self.tasks[pid.i()].stashed.take() else {
            return self.go_on(Place::Thread(at), pid, Resume::GoOn);
        };
        if let Some(why) = self.act(Place::Thread(at), pid, step) {
            self.go_on(Place::Thread(at), pid, why);
        } else {
            self.wake_others(Some(at));
        }
    }

    /// Takes steps from here on.
    #[inline]
    pub(crate) fn go_on(&mut self, place: Place, pid: Pid, why: Resume) {
        self.take_steps(place, pid, why, false);
    }

    /// Takes steps until the process works, waits or leaves; one that owes for a switch stops before a step that
    /// concerns others.
    #[inline]
    fn take_steps(&mut self, place: Place, pid: Pid, why: Resume, owes: bool) {
        let mut next = self.take_step(place, pid, why, owes);
        while let Some(how) = next {
            next = self.take_step(place, pid, how, owes);
        }
        if !self.wakes.is_empty() || !self.notices.is_empty() {
            self.wake_others(place.thread());
        }
    }

    /// How it goes on after one step; `None`: it works, waits or has left. In one piece, for most take one or two.
    #[inline(never)]
    fn take_step(&mut self, place: Place, pid: Pid, why: Resume, owes: bool) -> Option<Resume> {
        let step = next(self, pid, why);
        if self.tasks[pid.i()].late.is_some() {
            self.end_late(pid, step);
        }
        match step {
            Step::Cpu { work, reads } => {
                self.work(place, pid, work, reads);
                None
            }
            _ if owes => {
                self.stash(pid, step);
                place.thread().into_iter().for_each(|at| self.arm_here(at));
                None
            }
            Step::Wait { event, on, until } => self.begin_wait(place, pid, Waiting { event, on, until }),
            Step::Put(queue, item) => self.put_step(place, pid, (queue, item)),
            _ => self.act(place, pid, step),
        }
    }

    /// Wakes whom the present process had to wake, now that it has gone on or gone to wait.
    pub(crate) fn wake_others(&mut self, waker: Option<ThreadId>) {
        while let Some(other) = self.wakes.pop_front() {
            self.wake(other, Resume::Met, waker.into());
        }
        while let Some((queue, item)) = self.notices.pop_front() {
            self.put(queue, item, waker.into());
        }
    }

    /// A process works from here on.
    #[inline(always)]
    fn work(&mut self, place: Place, pid: Pid, work: u64, reads: u64) {
        let task = &mut self.tasks[pid.i()];
        (self.processes[pid.i()].work, task.asked, task.reads) = (work, work, reads);
        match place {
            Place::Thread(at) => self.arm(at),
            Place::Shared => self.fluid_work(pid, work),
        }
    }

    /// A step that may wake or stop somebody, or the process itself: how it goes on, if it still stands where it stood.
    #[inline(never)]
    fn act(&mut self, place: Place, pid: Pid, step: Step) -> Option<Resume> {
        match step {
            Step::Wait { event, on, until } => self.begin_wait(place, pid, Waiting { event, on, until }),
            Step::Poll { on, at_most } => self.poll(place, pid, on, at_most),
            Step::Again => match self.tasks[pid.i()].wait {
                Some(wait) => self.wait(place, pid, wait, true),
                None => Some(Resume::Met),
            },
            Step::Put(queue, item) => self.put_step(place, pid, (queue, item)),
            Step::Unlock(lock, to) => {
                self.others_first(place, pid, |world| world.unlock(pid, lock, to, place.thread()))
            }
            Step::Kill(other) if other == pid => self.act(place, pid, Step::Exit),
            Step::Kill(other) => self.others_first(place, pid, |world| world.kill(other)),
            Step::Spawn(program, at) => {
                self.spawn(pid, program, at);
                Some(Resume::GoOn)
            }
            Step::Exit => {
                self.exit(place, pid);
                None
            }
            // Concerns nobody, and is taken before it comes to this.
            Step::Cpu { .. } => Some(Resume::GoOn),
        }
    }

    /// A process puts an item.
    #[inline(always)]
    fn put_step(&mut self, place: Place, pid: Pid, (queue, item): (QueueId, Item)) -> Option<Resume> {
        self.others_first(place, pid, |world| world.put(queue, item, place.thread().into()))
    }

    /// A process begins to wait.
    #[inline]
    fn begin_wait(&mut self, place: Place, pid: Pid, wait: Waiting) -> Option<Resume> {
        if self.processes[pid.i()].has_slot && !self.hands_slot_on(place, pid, wait) {
            return None;
        }
        self.tasks[pid.i()].wait = Some(wait);
        self.begin_late(pid, wait.event);
        let how = self.wait(place, pid, wait, false)?;
        self.over_at_once(pid, wait.event);
        match place {
            Place::Thread(at) if self.lacks_slot(pid) => {
                self.block(at, pid, wait.event);
                self.wake(pid, how, Some(at).into());
                None
            }
            _ => Some(how),
        }
    }

    /// Others may take the thread while `what` happens: then the process goes on when it runs again.
    #[inline(always)]
    fn others_first(&mut self, place: Place, pid: Pid, what: impl FnOnce(&mut World)) -> Option<Resume> {
        let waiting = Then::Resume(Resume::GoOn);
        self.processes[pid.i()].then = waiting;
        what(self);
        let is_here = place.thread().is_none_or(|at| self.threads[at.i()].running == pid);
        if !is_here || self.processes[pid.i()].then != waiting {
            return None;
        }
        self.processes[pid.i()].then = Then::Work;
        Some(Resume::GoOn)
    }

    /// How a process goes on if what it waits for holds; else it stands in line for it.
    #[inline(always)]
    fn ask(&mut self, pid: Pid, on: On, is_again: bool) -> Option<Resume> {
        match on {
            On::Lock(lock, mode) => self.ask_lock(pid, lock, mode),
            on => self.stand_in_line(pid, on, is_again).then_some(Resume::Met),
        }
    }

    /// Spins, unless what it polls for holds.
    fn poll(&mut self, place: Place, pid: Pid, on: On, at_most: u64) -> Option<Resume> {
        self.tasks[pid.i()].wait = Some(Waiting { event: Activity::RUNNING, on, until: None });
        let asked = self.ask(pid, on, false);
        if asked.is_some() {
            return asked;
        }
        let (process, task) = (&mut self.processes[pid.i()], &mut self.tasks[pid.i()]);
        (process.work, task.asked, task.reads, process.then) = (at_most, at_most, 0, Then::Poll);
        match place {
            Place::Thread(at) => self.arm_here(at),
            Place::Shared => self.fluid_work(pid, at_most),
        }
        None
    }

    /// What a process polls for holds: it goes on at once if it has a thread, else when it gets one.
    #[inline(never)]
    fn poll_met(&mut self, pid: Pid) {
        let process = &mut self.processes[pid.i()];
        process.then = Then::Polled;
        if self.hosts[process.node as usize].fluid.is_some() {
            return;
        }
        let on_thread = (process.activity == Activity::RUNNING).then_some(process.last);
        if let Some(at) = on_thread {
            self.charge_here(at);
        }
        self.withdraw(pid);
        let (process, task) = (&mut self.processes[pid.i()], &mut self.tasks[pid.i()]);
        let done = task.asked - process.work;
        (process.work, task.asked) = (0, 0);
        self.book_polling(pid, done);
        if let Some(at) = on_thread {
            self.arm_here(at);
        }
    }

    /// The work of a process is done that may have polled: how it goes on.
    pub(crate) fn polled(&mut self, pid: Pid) -> Resume {
        let process = &mut self.processes[pid.i()];
        let then = std::mem::replace(&mut process.then, Then::Work);
        let asked = std::mem::take(&mut self.tasks[pid.i()].asked);
        self.accounts.groups[process.group as usize].asked += u128::from(asked);
        if matches!(then, Then::Poll | Then::Polled) {
            self.book_polling(pid, asked);
        }
        match then {
            Then::Polled => Resume::Met,
            Then::Poll => {
                self.leave_line(pid);
                Resume::TimedOut
            }
            _ => Resume::CpuDone,
        }
    }

    /// Waits, unless what is waited for holds. One who was woken in vain stands in front of the line.
    #[inline]
    fn wait(&mut self, place: Place, pid: Pid, wait: Waiting, is_again: bool) -> Option<Resume> {
        let asked = self.ask(pid, wait.on, is_again);
        if asked.is_some() {
            return asked;
        }
        if wait.until.is_some_and(|until| until <= self.now) {
            self.leave_line(pid);
            return Some(Resume::TimedOut);
        }
        let counts_late = self.tasks[pid.i()].late.is_some();
        match place {
            Place::Thread(at) => {
                self.processes[pid.i()].counts_late = counts_late;
                self.block(at, pid, wait.event);
            }
            Place::Shared => {
                self.enter_here(pid, wait.event);
                self.processes[pid.i()].counts_late = counts_late;
            }
        }
        self.time_out_at(pid, wait.until.map(|until| until.plus(self.slack(pid, wait.on))));
        let known = if wait.on == On::Time { wait.until.map(|until| until - self.now) } else { None };
        self.leave_cage(pid, known);
        None
    }

    fn time_out_at(&mut self, pid: Pid, until: Option<Ns>) {
        if let Some(until) = until {
            let wake = Timer::Wake(pid, self.tasks[pid.i()].generation);
            self.calendar.schedule(until, Phase::Arrive, wake);
        }
    }

    /// The time-out of a wait comes; that of an earlier wait does nothing.
    pub(crate) fn timed_out(&mut self, pid: Pid, generation: u32) {
        if self.tasks[pid.i()].generation != generation {
            return;
        }
        self.leave_line(pid);
        let waker = self.interrupted(self.processes[pid.i()].node as usize);
        self.wake(pid, Resume::TimedOut, waker);
        self.wake_others(waker.at);
    }

    /// The wait of a process is over.
    #[inline]
    pub(crate) fn wake(&mut self, pid: Pid, how: Resume, waker: Waker) {
        if self.processes[pid.i()].then == Then::Poll {
            return self.poll_met(pid);
        }
        let task = &mut self.tasks[pid.i()];
        task.generation += 1;
        let how = if std::mem::take(&mut task.is_new) { Resume::Started } else { how };
        let process = &mut self.processes[pid.i()];
        process.then = Then::Resume(how);
        if process.activity.is_idle() {
            task.goes_on(self.now);
        }
        self.ready(pid, waker);
        if !waker.is_interrupt {
            self.called(waker.at);
        }
    }

    /// A new process waits for its first step.
    pub(crate) fn born(&mut self, pid: Pid, on: On, until: Option<Ns>) {
        let task = &mut self.tasks[pid.i()];
        (task.is_new, task.wait) = (true, Some(Waiting { event: Activity::OFF, on, until }));
        let holds = self.stand_in_line(pid, on, false);
        self.time_out_at(pid, if holds { Some(self.now) } else { until });
    }

    /// A process makes another on its host, of its instance.
    fn spawn(&mut self, parent: Pid, program: Program, at: Ns) -> Pid {
        let process = &self.processes[parent.i()];
        let (node, instance, key) = (process.node as usize, process.instance, self.processes.len() as u64);
        let pid = self.admit(program, node, instance, key);
        self.born(pid, On::Time, Some(at.max(self.now)));
        pid
    }

    /// The running process leaves its thread for something else than CPU.
    #[inline]
    pub(crate) fn block(&mut self, at: ThreadId, pid: Pid, activity: Activity) {
        self.leave_thread(at, pid, activity);
        self.turn(at, Some(Ended { pid, why: Why::Blocked }));
    }
}
