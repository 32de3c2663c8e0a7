//! What happens to an instance: sessions enter and leave the cage, run into latches, and arrive.
use crate::config::Arrivals;
use crate::ids::{Pid, ThreadId};
use crate::instance::cage::Fill;
use crate::measure::events::Activity;
use crate::measure::ledger::{CAGE_EMPTY, CAGE_LIMIT};
use crate::program::{foreground, session, visitor, On, Program, Resume, Step};
use crate::world::run::to_work;
use crate::world::wake::Waker;
use crate::world::{Place, Then, Timer, Waiting, World, MOST_PROCESSES};
use wwi_kernel::calendar::Phase;
use wwi_kernel::time::Ns;

impl World {
    pub(crate) fn account_cage(&mut self, instance: usize) {
        if self.instances[instance].cage.as_ref().is_none_or(|cage| cage.is_accounted(self.now)) {
            return;
        }
        self.tell(self.config.instances[instance].node);
        if let Some(cage) = &mut self.instances[instance].cage {
            let (span, held, empty) = cage.account(self.now);
            if self.keeps_ledger {
                let (for_empty, for_limit) = cage.waiters();
                let book = &mut self.accounts.groups[instance].book;
                book.spans[CAGE_EMPTY] += u64::from(for_empty) * span;
                book.spans[CAGE_LIMIT] += u64::from(for_limit) * span;
            }
            self.accounts.cages[instance].held += held;
            self.accounts.cages[instance].empty += empty;
        }
    }

    /// The consumer group of the next session that comes to an instance: the one that then has fewest for its size, of
    /// equals the first (d'Hondt's rule). Of equal size they are dealt in turn.
    fn next_group(&self, instance: u16) -> u8 {
        let Some(state) = self.instances.get(instance as usize) else { return 0 };
        let Some(cage) = &state.cage else { return 0 };
        let sizes = || cage.config.groups.iter().map(|group| u64::from(group.sessions));
        let mut next = 0;
        let mut least = (u64::MAX, 0);
        for ((at, size), &dealt) in sizes().enumerate().zip(&state.dealt) {
            let with = u64::from(dealt) + 1;
            if size > 0 && (least.1 == 0 || with * least.1 < least.0 * size) {
                (next, least) = (at, (with, size));
            }
        }
        next as u8
    }

    /// The same, and it comes.
    pub(crate) fn deal_to_group(&mut self, instance: u16) -> u8 {
        let next = self.next_group(instance);
        let dealt = self.instances.get_mut(instance as usize).and_then(|state| state.dealt.get_mut(usize::from(next)));
        dealt.into_iter().for_each(|dealt| *dealt += 1);
        next
    }

    /// Who comes next to an open instance in the place of one that has gone, and was of its consumer group; none where
    /// there is no such place.
    fn comes_again(&mut self, instance: usize) -> Option<Pid> {
        let group = self.next_group(instance as u16);
        let of_group = |pid: &Pid| self.processes[pid.i()].consumer_group == group;
        let place = self.instances[instance].free.iter().rposition(of_group)?;
        self.deal_to_group(instance as u16);
        Some(self.instances[instance].free.remove(place))
    }

    /// It comes as another: caches have nothing of it, and no thread takes it for the one that it ran last.
    fn is_another(&mut self, pid: Pid, node: usize) {
        let host = &mut self.hosts[node];
        host.footprints.iter_mut().for_each(|footprints| footprints.forget(pid));
        let threads = &mut self.threads[host.base as usize..][..host.threads as usize];
        threads.iter_mut().filter(|thread| thread.last == pid).for_each(|thread| thread.last = Pid::NONE);
    }

    /// Asks for a slot; without one the session waits.
    pub(crate) fn enter_cage(&mut self, pid: Pid) -> bool {
        let instance = self.processes[pid.i()].instance as usize;
        let group = usize::from(self.processes[pid.i()].consumer_group);
        self.account_cage(instance);
        let Some(cage) = &mut self.instances[instance].cage else { return true };
        let granted = cage.enter(pid, group);
        // What it used of a quantum before its first slot was dealt to it at the start; later it is nothing.
        self.processes[pid.i()].has_slot = granted;
        if !granted {
            self.note_wait(pid, false);
            self.enter_here(pid, Activity::CPU_QUANTUM);
            let fill = self.instances[instance].cage.as_mut().map_or(Fill::Nothing, |c| c.wanted(self.now));
            self.fill(instance, fill, Waker::default());
        }
        granted
    }

    /// Fills slots, if it is time to; `by` posts who gets one.
    fn fill(&mut self, instance: usize, fill: Fill, by: Waker) {
        match fill {
            Fill::Now | Fill::One => {
                self.grant_slots(instance, if fill == Fill::One { 1 } else { u32::MAX }, by);
                let then = self.instances[instance].cage.as_mut().map_or(Fill::Nothing, |c| c.wanted(self.now));
                if let Fill::At(at) = then {
                    self.calendar.schedule(at, Phase::Dispatch, Timer::RmTick(instance as u16));
                }
            }
            Fill::At(at) => self.calendar.schedule(at, Phase::Dispatch, Timer::RmTick(instance as u16)),
            Fill::Nothing => {}
        }
    }

    fn grant_slots(&mut self, instance: usize, at_most: u32, by: Waker) {
        for _ in 0..at_most {
            self.account_cage(instance);
            let Some(cage) = &mut self.instances[instance].cage else { return };
            let Some(pid) = cage.grant(self.now) else { return };
            let process = &mut self.processes[pid.i()];
            process.has_slot = true;
            process.used = Ns::ZERO;
            process.was_posted = true;
            self.runnable(pid, by);
        }
    }

    pub(crate) fn cage_tick(&mut self, instance: usize) {
        if let Some(cage) = &mut self.instances[instance].cage {
            cage.ticked();
        }
        self.grant_slots(instance, u32::MAX, Waker::default());
        let fill = self.instances[instance].cage.as_mut().map_or(Fill::Nothing, |c| c.wanted(self.now));
        self.fill(instance, fill, Waker::default());
    }

    /// The running session has used its quantum and stands at a safe point.
    #[inline(never)]
    pub(crate) fn cage_yield(&mut self, at: ThreadId, pid: Pid) {
        let instance = self.processes[pid.i()].instance as usize;
        let group = usize::from(self.processes[pid.i()].consumer_group);
        let used = self.reset_used(pid);
        self.account_cage(instance);
        let Some(cage) = &mut self.instances[instance].cage else { return self.arm_here(at) };
        if !cage.gives_way(group) {
            cage.renewed(group, used);
            let until = cage.yields_at(pid, Ns::ZERO, self.now);
            let before = std::mem::replace(&mut self.threads[at.i()].yields_at, until);
            if self.held_latches > 0 {
                self.horizon_moved(at, before);
            }
            return self.arm_here(at);
        }
        self.stop_spinning(at, pid);
        self.processes[pid.i()].has_slot = false;
        let fill = match &mut self.instances[instance].cage {
            Some(cage) => cage.expired(pid, group, used, self.now),
            None => Fill::Nothing,
        };
        self.block(at, pid, Activity::CPU_QUANTUM);
        self.fill(instance, fill, Waker::default());
    }

    /// Whether a session whose slot was given up is on a thread all the same.
    pub(crate) fn lacks_slot(&self, pid: Pid) -> bool {
        let process = &self.processes[pid.i()];
        process.is_caged && !process.has_slot
    }

    /// A session gives its slot up before a wait that is known to be long, and posts who gets it: it is the one who is
    /// there to do so. `false`: that one has its thread, and it waits when it runs again.
    #[inline(never)]
    pub(crate) fn hands_slot_on(&mut self, place: Place, pid: Pid, wait: Waiting) -> bool {
        let (Place::Thread(at), On::Time, Some(until)) = (place, wait.on, wait.until) else { return true };
        let cage = &self.instances[self.processes[pid.i()].instance as usize].cage;
        if until <= self.now || cage.as_ref().is_none_or(|cage| until - self.now < cage.config.short_wait) {
            return true;
        }
        self.stash(pid, Step::Wait { event: wait.event, on: wait.on, until: wait.until });
        self.release_slot(pid, Some(at).into());
        if self.threads[at.i()].running != pid {
            return false;
        }
        self.tasks[pid.i()].stashed = None;
        self.processes[pid.i()].then = Then::Work;
        true
    }

    /// Whether a process whose step is stashed comes back only to wait: it has paid what it owed, or gave its slot up,
    /// and lost its thread before it could.
    #[inline(never)]
    pub(crate) fn is_off(&self, pid: Pid) -> bool {
        let owes_nothing = self.processes[pid.i()].debt == Ns::ZERO;
        owes_nothing && matches!(self.tasks[pid.i()].stashed, Some(Step::Wait { .. }))
    }

    /// A session waits for something else. A wait known to be long gives the slot up at once, a short one keeps it; one
    /// of unknown length keeps it until it has lasted for longer than a short wait.
    #[inline]
    pub(crate) fn leave_cage(&mut self, pid: Pid, known: Option<Ns>) {
        if self.processes[pid.i()].has_slot {
            self.leave_slot(pid, known);
        }
    }

    #[inline(never)]
    fn leave_slot(&mut self, pid: Pid, known: Option<Ns>) {
        let process = &self.processes[pid.i()];
        let cage = &self.instances[process.instance as usize].cage;
        let short = cage.as_ref().map_or(Ns::ZERO, |c| c.config.short_wait);
        match known {
            Some(span) if span < short => {}
            Some(_) => self.release_slot(pid, Waker::default()),
            None => {
                let proof = Timer::ShortWait(pid, self.now);
                self.calendar.schedule(self.now.plus(short), Phase::Complete, proof);
            }
        }
    }

    /// `by`: who posts the one that gets its slot.
    fn release_slot(&mut self, pid: Pid, by: Waker) {
        let process = &mut self.processes[pid.i()];
        let group = usize::from(process.consumer_group);
        process.has_slot = false;
        let instance = process.instance as usize;
        let used = self.reset_used(pid);
        self.account_cage(instance);
        let fill = match &mut self.instances[instance].cage {
            Some(cage) => cage.left(group, used, self.now),
            None => Fill::Nothing,
        };
        self.fill(instance, fill, by);
    }

    /// A process waits neither for a slot nor for a latch any more.
    pub(crate) fn leave_waiters(&mut self, pid: Pid) {
        let process = &self.processes[pid.i()];
        let group = usize::from(process.consumer_group);
        let instance = process.instance as usize;
        match process.activity {
            Activity::CPU_QUANTUM => {
                self.account_cage(instance);
                if let Some(cage) = &mut self.instances[instance].cage {
                    cage.withdraw(pid, group);
                }
            }
            Activity::LATCH => self.instances[instance].latches.leave(pid),
            _ => {}
        }
    }

    /// A wait of unknown length went on for longer than a short wait.
    pub(crate) fn wait_proved_long(&mut self, pid: Pid, since: Ns) {
        let process = &self.processes[pid.i()];
        let waits = ![Activity::RUNNING, Activity::RUN_QUEUE, Activity::CPU_QUANTUM].contains(&process.activity);
        if waits && process.entered == since && process.has_slot {
            self.release_slot(pid, Waker::default());
        }
    }

    /// Puts the next arrival of an open instance on the calendar.
    pub(crate) fn schedule_arrival(&mut self, instance: usize) {
        let state = &mut self.instances[instance];
        let after = match &self.config.instances[instance].workload.arrivals {
            Arrivals::Open { per_s } => Ns::nearest(state.arrivals.think.exponential() * 1e9 / per_s),
            Arrivals::List(list) => match list.get(state.listed) {
                Some(entry) => entry.0,
                None => return,
            },
            Arrivals::Closed { .. } | Arrivals::Messages { .. } => return,
        };
        self.calendar.schedule(self.now.plus(after), Phase::Arrive, Timer::Arrive(instance as u16));
    }

    #[inline(never)]
    pub(crate) fn arrive(&mut self, instance: usize) {
        if self.has_left(instance) {
            return;
        }
        self.accounts.cages[instance].arrived += 1;
        let state = &mut self.instances[instance];
        let listed = state.listed;
        state.listed += 1;
        let came = if self.has_database(instance) {
            Program::Foreground(foreground::At { number: self.new_foreground(instance), stage: foreground::START })
        } else {
            let state = &mut self.instances[instance];
            let demand = match &self.config.instances[instance].workload.arrivals {
                Arrivals::List(list) => list[listed].1,
                _ => session::draw(&self.config.instances[instance].workload.demand, &mut state.arrivals.demand),
            };
            Program::Visitor(visitor::At::Came(to_work(demand).max(1)))
        };
        let node = self.config.instances[instance].node;
        let pid = match self.comes_again(instance) {
            Some(pid) => pid,
            None if self.processes.len() >= MOST_PROCESSES => {
                self.is_full = true;
                return;
            }
            None => self.admit(came, node, instance as u16, self.processes.len() as u64),
        };
        if self.tasks[pid.i()].is_gone {
            self.count_gone(pid);
            self.count_alive(pid, true);
            self.is_another(pid, node);
        }
        let task = &mut self.tasks[pid.i()];
        (task.program, task.is_gone, task.is_visitor) = (came, false, true);
        self.schedule_arrival(instance);
        let waker = self.interrupted(node);
        self.wake(pid, Resume::Started, waker);
    }
}
