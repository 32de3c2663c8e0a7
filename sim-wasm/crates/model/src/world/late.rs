//! A wait has two ends: the wake-up, and the first instruction after it. Who ends it may say what it was; and where the
//! process asks for that, it is counted at the second end: once, however often it was woken in vain, and under the name
//! that it has by then. What it does at a time, and so the loss ledger, goes by wake-ups and by the names of the time.
use crate::ids::Pid;
use crate::measure::events::Activity;
use crate::program::Step;
use crate::world::ledger::WAITING;
use crate::world::World;
use wwi_kernel::time::Ns;

/// A wait that is counted at the first instruction after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Late {
    /// What it was, as far as is known.
    pub event: Activity,
    /// How long it has lasted, without the times between a wake-up in vain and the next sleep.
    pub slept: Ns,
    /// In run queues after its wake-ups.
    pub queued: Ns,
}

impl World {
    /// The wait that the process asks for next is counted at the first instruction after it: up to then
    /// [`World::rename`] may say what it was, and [`Step::Again`] lets it go on.
    pub(crate) fn count_late(&mut self, pid: Pid) {
        self.tasks[pid.i()].asks_late = true;
    }

    /// The present wait has another time-out when it goes on.
    pub(crate) fn set_time_out(&mut self, pid: Pid, until: Ns) {
        if let Some(wait) = &mut self.tasks[pid.i()].wait {
            wait.until = Some(until);
        }
    }

    /// Before the first instruction after a wait that is counted late: what it was. An idle wait stays one, and no
    /// other becomes one.
    pub fn rename(&mut self, pid: Pid, event: Activity) {
        if let Some(late) = &mut self.tasks[pid.i()].late {
            if late.event.is_idle() == event.is_idle() {
                late.event = event;
            }
        }
    }

    /// Who ends the wait of a process says what it was.
    pub(crate) fn name_wait(&mut self, pid: Pid, event: Activity) {
        let process = &self.processes[pid.i()];
        let before = process.activity;
        if before == Activity::RUNNING || before == Activity::RUN_QUEUE || before.is_idle() != event.is_idle() {
            return;
        }
        if self.keeps_ledger && before.max(event) >= WAITING {
            self.count_wait(pid, (before, event));
        }
        self.processes[pid.i()].activity = event;
        self.rename(pid, event);
    }

    /// A wait that is counted late begins or goes on.
    pub(crate) fn begin_late(&mut self, pid: Pid, event: Activity) {
        let task = &mut self.tasks[pid.i()];
        if std::mem::take(&mut task.asks_late) {
            task.late = Some(Box::new(Late { event, slept: Ns::ZERO, queued: Ns::ZERO }));
        }
    }

    /// A wait was over before it began: it is none, and what comes next has been waited for since now.
    pub(crate) fn over_at_once(&mut self, pid: Pid, event: Activity) {
        let task = &mut self.tasks[pid.i()];
        task.late = None;
        if event.is_idle() {
            task.goes_on(self.now);
        }
    }

    /// A process wakes whose wait is counted late. Returns what it did.
    #[inline(never)]
    pub(crate) fn leave_late(&mut self, pid: Pid, activity: Activity) -> Activity {
        let (process, now) = (&mut self.processes[pid.i()], self.now);
        if let Some(recorder) = &mut self.recorder {
            recorder.left(pid, process, now);
        }
        let (booked, whole) = (now - process.since, now - process.entered);
        self.accounts.groups[process.group as usize].time[process.activity.i()] += booked.0;
        self.accounts.each.cut(process.told, process.activity, booked);
        if let Some(late) = &mut self.tasks[pid.i()].late {
            late.slept += whole;
        }
        (process.since, process.entered, process.counts_late) = (now, now, false);
        process.before = Activity::UNTOLD;
        std::mem::replace(&mut process.activity, activity)
    }

    /// The first step after a wait that is counted late is taken, or the process is gone: it is counted, unless it goes
    /// on.
    #[inline(never)]
    pub(crate) fn end_late(&mut self, pid: Pid, step: Step) {
        if step == Step::Again {
            return;
        }
        let Some(late) = self.tasks[pid.i()].late.take() else { return };
        let Late { event, slept, queued } = *late;
        let process = &self.processes[pid.i()];
        let group = &mut self.accounts.groups[process.group as usize];
        group.stays[event.i()].record(slept);
        group.queued[event.i()] += queued.0;
        if event >= WAITING {
            group.clock(event, slept.plus(queued));
        }
        self.accounts.each.leave(process.told, event, (Ns::ZERO, slept));
        self.accounts.each.queue(process.told, event, queued);
        self.book_wait(pid, event, slept.plus(queued));
    }
}
