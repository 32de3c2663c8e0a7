//! A process leaves for good or is killed, and leaves nothing behind.
use crate::ids::Pid;
use crate::measure::events::Activity;
use crate::program::Step;
use crate::world::{Place, Then, World};
use wwi_kernel::time::Ns;

impl World {
    /// Leaves for good, and leaves nothing behind.
    pub(crate) fn exit(&mut self, place: Place, pid: Pid) {
        match place {
            Place::Thread(at) => self.block(at, pid, Activity::OFF),
            Place::Shared => self.enter_here(pid, Activity::OFF),
        }
        self.gone(pid);
    }

    /// What a process has that is gone: its place in the cage, its latch, its unfinished work and transaction.
    fn gone(&mut self, pid: Pid) {
        // Who was woken and takes nothing must not keep it from the next.
        self.leave_line(pid);
        self.end_late(pid, Step::Exit);
        self.leave_cage(pid, Some(Ns::MAX));
        self.drop_latch(pid);
        self.drop_locks(pid);
        self.leave_database(pid);
        self.leave_reads(pid);
        self.leave_run(pid);
        if self.processes[pid.i()].then == Then::Stashed {
            self.took_long(pid);
        }
        let (process, task) = (&mut self.processes[pid.i()], &mut self.tasks[pid.i()]);
        let group = &mut self.accounts.groups[process.group as usize];
        group.asked += u128::from(task.asked - process.work);
        group.reads += u128::from(task.reads_done(process.work));
        if std::mem::take(&mut process.is_open) {
            group.abandoned += task.age(self.now).0;
        }
        (process.work, task.asked, process.debt, process.then) = (0, 0, Ns::ZERO, Then::Work);
        task.generation += 1;
        (task.wait, task.stashed, task.is_gone) = (None, None, true);
        self.count_alive(pid, false);
        if self.tasks[pid.i()].is_visitor {
            self.instances[self.processes[pid.i()].instance as usize].free.push(pid);
        }
    }

    /// Ends a process, whatever it does. One that waits for a thread ends when it gets one, as a killed process of an
    /// operating system does; one under processor sharing at the end of its work.
    pub fn kill(&mut self, pid: Pid) {
        if self.tasks[pid.i()].is_gone {
            return;
        }
        self.abandon_run(pid);
        let process = &self.processes[pid.i()];
        let is_shared = self.hosts[process.node as usize].fluid.is_some();
        match process.activity {
            Activity::RUNNING if is_shared => self.tasks[pid.i()].is_doomed = true,
            Activity::RUNNING => {
                let at = process.last;
                self.charge_here(at);
                self.stop_spinning(at, pid);
                self.exit(Place::Thread(at), pid);
            }
            Activity::RUN_QUEUE => {
                if self.processes[pid.i()].then == Then::Poll {
                    self.leave_line(pid);
                }
                self.withdraw(pid);
                self.stash(pid, Step::Exit);
            }
            _ => {
                self.leave_waiters(pid);
                let (process, task) = (&self.processes[pid.i()], &self.tasks[pid.i()]);
                // Who waits for its first slot has begun nothing, and has waited.
                if process.activity == Activity::CPU_QUANTUM && !process.is_open {
                    self.accounts.groups[process.group as usize].abandoned += task.age(self.now).0;
                }
                self.enter_here(pid, Activity::OFF);
                self.gone(pid);
            }
        }
        self.wake_others(None);
    }

    /// Work asked for and not done is not asked for any more.
    pub(crate) fn withdraw(&mut self, pid: Pid) {
        let (process, task) = (&self.processes[pid.i()], &self.tasks[pid.i()]);
        let group = &mut self.accounts.groups[process.group as usize];
        group.asked += u128::from(task.asked - process.work);
        group.reads += u128::from(task.reads_done(process.work));
    }
}
