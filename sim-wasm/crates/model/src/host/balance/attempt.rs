//! One balance of one domain for one of its CPUs (`load_balance` of `fair.c`, Linux 6.6; with `by_load` Linux 3.14).
use super::active;
use super::busiest::{Imbalance, What};
use super::detach::{Detach, MOST_LOOKED_AT};
use super::domains::Domain;
use super::groups::{Puller, View};
use super::{Balance, Outcome, Queues};
use std::ops::Range;

/// How it ended.
#[derive(PartialEq)]
enum End {
    /// Nothing is to be moved, as far as this CPU can tell.
    Balanced,
    /// Whoever could be moved is bound.
    Pinned,
    /// Who runs there may not run here.
    OnePinned,
    /// Somebody moved, or nobody could.
    Done,
}

/// What stays the same on the way, and what it has found out.
struct Attempt<'a> {
    domain: &'a Domain,
    level: usize,
    puller: Puller,
    /// Whose attempt it is.
    cpu: usize,
    queues: &'a dyn Queues,
    /// Everybody looked at last was bound elsewhere (`LBF_ALL_PINNED`).
    all_pinned: bool,
    /// Somebody looked at was (`LBF_SOME_PINNED`).
    some_pinned: bool,
    outcome: Outcome,
}

impl Balance {
    /// One balance of the domain of a CPU at a level, whose CPUs are in `cpus`.
    pub fn attempt(&mut self, cpu: usize, level: usize, puller: Puller, queues: &dyn Queues) -> Outcome {
        let domain = self.domains.levels[level].clone();
        let (all_pinned, some_pinned, outcome) = (false, false, Outcome::default());
        let mut attempt = Attempt { domain: &domain, level, puller, cpu, queues, all_pinned, some_pinned, outcome };
        let end = self.look(&mut attempt);
        let all_pinned = attempt.all_pinned;
        let by_load = self.domains.by_load;
        if end == End::Balanced && !all_pinned && !by_load {
            self.set_pinned(&attempt, false);
        }
        let tried = self.tried_mut(cpu, level);
        if matches!(end, End::Balanced | End::Pinned) {
            tried.failed = 0;
        }
        // One that has just become idle looks as often as it likes: that says nothing of how often to look.
        if end != End::Done && (puller != Puller::NewlyIdle || by_load) {
            tried.interval = domain.lengthened(tried.interval, all_pinned);
        }
        attempt.outcome
    }

    /// What a CPU remembers of a level at which it found balance.
    pub fn found_balance(&mut self, cpu: usize, level: usize, puller: Puller) {
        let interval = self.tried(cpu, level).interval;
        let is_left = puller == Puller::NewlyIdle && !self.domains.by_load;
        let next = if is_left { interval } else { self.domains.levels[level].lengthened(interval, false) };
        let tried = self.tried_mut(cpu, level);
        (tried.failed, tried.interval) = (0, next);
        if self.domains.by_load {
            return;
        }
        if let Some(above) = self.domains.levels.get(level + 1) {
            self.pinned[level + 1][cpu / above.group] = false;
        }
    }

    /// Notes whether balancing within the CPU's group of the domain above failed because processes are bound.
    fn set_pinned(&mut self, attempt: &Attempt, is_so: bool) {
        let above = attempt.level + 1;
        if let Some(domain) = self.domains.levels.get(above) {
            self.pinned[above][attempt.cpu / domain.group] = is_so;
        }
    }

    fn look(&mut self, attempt: &mut Attempt) -> End {
        let (domain, mut to) = (attempt.domain, attempt.cpu);
        let by_load = self.domains.by_load;
        loop {
            let view = View { domain, cpus: &self.cpus, first: self.first, puller: attempt.puller };
            if !(if by_load { view.is_first_idle(to) } else { view.is_chosen(to) }) {
                attempt.outcome.stops = true;
                return End::Balanced;
            }
            let pinned = |group: &Range<usize>| self.pinned[attempt.level][group.start / domain.group];
            let found = if by_load {
                view.imbalance_by_load(&self.lately, to, pinned)
            } else {
                view.imbalance(to, self.generation, pinned)
            };
            let Some(imbalance) = found else { return End::Balanced };
            let queue = if by_load { view.queue_by_load(&imbalance) } else { view.busiest_queue(&imbalance) };
            let Some(from) = queue else { return End::Balanced };
            let is_single = self.cpus[from - self.first].running <= 1;
            attempt.all_pinned |= !(by_load && is_single);
            if !is_single {
                self.take(attempt, &imbalance, from, &mut to);
                if attempt.all_pinned {
                    self.cpus[from - self.first].is_open = false;
                    if self.has_left(attempt) {
                        continue;
                    }
                    return End::Pinned;
                }
            }
            return self.conclude(attempt, &imbalance, from, to);
        }
    }

    /// Whether there is another CPU to look at. In 3.14 those of the whole host are counted.
    fn has_left(&self, attempt: &Attempt) -> bool {
        let own = attempt.domain.group_of(attempt.cpu);
        let mut open = (self.first..).zip(&self.cpus).filter(|(_, cpu)| cpu.is_open).map(|(at, _)| at);
        if self.domains.by_load {
            return self.cpus.len() < self.next.len() || open.next().is_some();
        }
        open.any(|at| !own.contains(&at))
    }

    /// Goes through a queue, for the CPU and then for others of its group where those may run who may not run on it.
    fn take(&mut self, attempt: &mut Attempt, imbalance: &Imbalance, from: usize, to: &mut usize) {
        let by_load = self.domains.by_load;
        let running = self.cpus[from - self.first].running;
        let mut detach = Detach {
            list: attempt.queues.list(from, imbalance.what != What::Task),
            looked: 0,
            running,
            most: running.min(MOST_LOOKED_AT),
            what: imbalance.what,
            amount: imbalance.amount,
            failed: self.tried(attempt.cpu, attempt.level).failed,
            tries: attempt.domain.tries,
            puller: attempt.puller,
            all_pinned: true,
            some_pinned: false,
            elsewhere: None,
            passed: if by_load { std::mem::take(&mut attempt.outcome.passed) } else { Vec::new() },
            generation: self.generation,
            by_load,
        };
        loop {
            let (cpus, first) = (&self.cpus, self.first);
            let others = attempt.domain.group_of(attempt.cpu).filter(|&cpu| cpus[cpu - first].is_open);
            let taken = detach.take(others, (from, *to), attempt.queues);
            attempt.outcome.moves.extend(taken.into_iter().map(|pid| (pid, from, *to)));
            match detach.elsewhere.take() {
                Some(other) if detach.amount > 0 => {
                    self.cpus[*to - self.first].is_open = false;
                    *to = other;
                }
                _ => break,
            }
        }
        attempt.outcome.passed = detach.passed;
        attempt.some_pinned = detach.some_pinned || attempt.some_pinned && by_load;
        let is_pinned = attempt.some_pinned && detach.amount > 0;
        if is_pinned || by_load {
            self.set_pinned(attempt, is_pinned);
        }
        attempt.all_pinned = detach.all_pinned;
    }

    /// What is remembered of an imbalance, and whether somebody has to be moved by force.
    fn conclude(&mut self, attempt: &mut Attempt, imbalance: &Imbalance, from: usize, to: usize) -> End {
        let (domain, by_load) = (attempt.domain, self.domains.by_load);
        let pair = (self.cpus[from - self.first], self.cpus[to - self.first]);
        let tried = self.tried_mut(attempt.cpu, attempt.level);
        if !attempt.outcome.moves.is_empty() {
            tried.failed = 0;
        } else {
            tried.failed += u32::from(attempt.puller != Puller::NewlyIdle);
            let is_needed = if by_load {
                active::is_overdue(domain, tried.failed)
            } else {
                active::is_needed(domain, imbalance.what, tried.failed, attempt.puller, (&pair.0, &pair.1))
            };
            if is_needed {
                if attempt.queues.current(from).is_some_and(|pid| !attempt.queues.allows(pid, attempt.cpu)) {
                    attempt.all_pinned |= by_load;
                    return End::OnePinned;
                }
                attempt.outcome.forced_from = Some(from);
                if by_load {
                    // One more failure than that after which nobody is too hot.
                    (tried.failed, tried.interval) = (domain.tries + 1, domain.lengthened(tried.interval, false));
                    return End::Done;
                }
            }
        }
        // The kernel leaves the interval alone if whoever is sent has been there already.
        tried.interval = domain.shortest();
        End::Done
    }
}
