//! One balance of one domain for one of its CPUs (`load_balance`, `load_balance_newidle`, `active_load_balance` of
//! `kernel/sched.c`, Linux 2.6.18).
use super::levels::Level;
use super::tasks::{take, Listed, Take};
use super::{Balance, Outcome, Queues, View};
use crate::host::balance::groups::Puller;
use crate::ids::Pid;

/// Failures beyond `cache_nice_tries` after which who runs is moved.
const PATIENCE: u32 = 2;
/// What may be moved by force: as much as anybody weighs who is not in real time of a priority above this
/// (`RTPRIO_TO_LOAD_WEIGHT(100)`).
const FORCED_WEIGHT: u64 = 1024 + 128;

/// How it ended.
enum End {
    Balanced,
    /// Everybody looked at is bound elsewhere.
    Pinned,
    /// Who runs there may not run here.
    OnePinned,
    Moved(Vec<Pid>, usize),
    InVain(usize),
}

impl Balance {
    /// One balance that found nothing to move; `all_pinned`: because everybody looked at is bound elsewhere.
    pub fn found_balance(&mut self, (cpu, number): (usize, usize), puller: Puller, all_pinned: bool) {
        let longer = self.levels.all[number].lengthened(self.tried(cpu, number).interval, all_pinned);
        let tried = self.tried_mut(cpu, number);
        tried.failed = 0;
        if puller != Puller::NewlyIdle {
            tried.interval = longer;
        }
    }

    /// One balance of the domain of a CPU at a level.
    pub fn attempt(
        &mut self,
        (cpu, number): (usize, usize),
        seen: (&[super::Cpu], usize, Puller),
        queues: &dyn Queues,
    ) -> Outcome {
        let level = self.levels.all[number].clone();
        let view = View { level: &level, cpus: seen.0, first: seen.1, puller: seen.2 };
        let is_newly = view.puller == Puller::NewlyIdle;
        // Threads of a core that all idle look further up as idle ones; one that has just become so does not yet.
        let is_core_busy = level.is_core() && (view.puller == Puller::Busy || view.cpus.iter().any(|cpu| !cpu.is_idle));
        let end = self.look(&view, cpu, number, queues);
        let mut outcome = Outcome { is_busy: is_core_busy, ..Outcome::default() };
        let tried = self.tried_mut(cpu, number);
        match end {
            End::Balanced | End::Pinned if is_newly && is_core_busy => {}
            End::Balanced => self.found_balance((cpu, number), view.puller, false),
            End::Pinned => self.found_balance((cpu, number), view.puller, true),
            End::OnePinned => tried.interval = level.lengthened(tried.interval, true),
            End::Moved(taken, from) => {
                tried.failed = 0;
                if !is_newly {
                    tried.interval = level.rules.least;
                }
                outcome.moves = taken.into_iter().map(|pid| (pid, from)).collect();
                outcome.is_busy = true;
            }
            End::InVain(_) if is_newly => {}
            End::InVain(from) if tried.failed > level.domain.tries + PATIENCE => {
                tried.failed = level.domain.tries + 1;
                tried.interval = level.lengthened(tried.interval, false);
                outcome.forced_from = Some(from);
            }
            End::InVain(_) => tried.interval = level.rules.least,
        }
        outcome
    }

    fn look(&mut self, view: &View, cpu: usize, number: usize, queues: &dyn Queues) -> End {
        let Some((group, weight)) = view.busiest(cpu) else { return End::Balanced };
        let Some(from) = view.busiest_queue(group, weight) else { return End::Balanced };
        let (is_newly, running) = (view.puller == Puller::NewlyIdle, view.at(from).running);
        let failed = self.tried(cpu, number).failed;
        if running > 1 {
            let (best, current) = queues.best(from);
            let rule =
                Take { most: running - 1, weight, own_best: queues.best(cpu).0, best, has_best: best == current };
            let goes = |one: &Listed| !one.is_running && stays_not(view.level, failed, one, queues);
            let (taken, all_pinned) = take(&queues.list(from), rule, |one| queues.allows(one.pid, cpu), goes);
            if !taken.is_empty() {
                return End::Moved(taken, from);
            }
            if all_pinned && !is_newly {
                return End::Pinned;
            }
        }
        if is_newly {
            return End::InVain(from);
        }
        self.tried_mut(cpu, number).failed = failed + 1;
        if failed + 1 > view.level.domain.tries + PATIENCE && !queues.current_may_go(from, cpu) {
            return End::OnePinned;
        }
        End::InVain(from)
    }

    /// Who goes by force from a CPU to another: the first that may; nobody runs at that moment.
    pub fn forced(&self, from: usize, to: usize, queues: &dyn Queues) -> Option<Pid> {
        let number = self.levels.common(to, from)?;
        let (level, failed) = (&self.levels.all[number], self.tried(to, number).failed);
        let (own_best, best) = (queues.best(to).0, 0);
        let rule = Take { most: 1, weight: FORCED_WEIGHT, own_best, best, has_best: true };
        let goes = |one: &Listed| stays_not(level, failed, one, queues);
        take(&queues.list(from), rule, |one| queues.allows(one.pid, to), goes).0.first().copied()
    }
}

/// After enough failures everybody goes, before that who did not run lately.
fn stays_not(level: &Level, failed: u32, one: &Listed, queues: &dyn Queues) -> bool {
    failed > level.domain.tries || !queues.is_hot(one, level)
}
