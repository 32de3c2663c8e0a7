//! Ordinary processes that a deadline server lets go before real time ([`Server`]).
//!
//! A server is brought up to date when somebody comes to its thread, or that one turns. The kernel does so on ticks,
//! too, which is made up for: what is used up ends on a tick, and timers are served in their turn. The timer of a
//! thread that runs real time ends the stay there.
use super::{RealTime, Running, Server};
use crate::config::{NodeConfig, Scheduler};
use crate::host::policy::{Ended, Next, Preempt, RunQueue};
use crate::ids::Pid;
use wwi_kernel::time::Ns;

/// Time in a period, and the period (`sched_init_dl_servers`).
const SHARE: (Ns, Ns) = (Ns(50_000_000), Ns(1_000_000_000));

/// The server of a thread, where the kernel of a host has one.
pub(super) fn server(config: &NodeConfig) -> Option<Box<Server>> {
    config.has_deadline_server().then(|| Box::new(Server::new(SHARE.0, SHARE.1)))
}

impl NodeConfig {
    /// Whether a deadline server keeps ordinary processes from starving: Linux 6.12 and later.
    pub fn has_deadline_server(&self) -> bool {
        self.scheduler == Scheduler::Eevdf && self.eevdf_generation.delays()
    }

    /// The longest time in which what real time leaves is dealt out; zero: nothing is.
    pub fn real_time_period(&self) -> Ns {
        let limited = self.rt_runtime.map_or(Ns::ZERO, |_| self.rt_period);
        if self.has_deadline_server() {
            return limited.max(SHARE.1);
        }
        limited
    }
}

impl RealTime {
    /// Whether ordinary processes of a thread go before real time.
    pub(super) fn serves(&self, at: usize) -> bool {
        self.has_servers && self.threads[at].server.as_deref().is_some_and(Server::is_queued)
    }

    /// Brings the server of a thread up to now. `comes`: somebody is there for it to run, or just comes.
    #[inline]
    pub(super) fn account(&mut self, at: usize, comes: bool, now: Ns) {
        if self.has_servers {
            self.bring_up(at, comes, now);
        }
    }

    #[inline(never)]
    fn bring_up(&mut self, at: usize, comes: bool, now: Ns) {
        let (tick, thread) = (self.tick, &mut self.threads[at]);
        let Some(server) = &mut thread.server else { return };
        let is_idle = thread.running == Running::Nothing;
        if is_idle && !comes {
            return;
        }
        let idle_since = thread.accounted;
        let mut since = std::mem::replace(&mut thread.accounted, now);
        loop {
            let runs = thread.running == Running::Ordinary;
            let used_up = if runs { end_of(server, since, tick) } else { Ns::MAX };
            let due = server.due();
            if due > used_up.min(now) {
                let next = used_up.min(now);
                if runs {
                    server.charge(next - since, next);
                }
                since = next;
                if next == now {
                    break;
                }
                continue;
            }
            let last_tick = Ns(due.0 / tick.0 * tick.0);
            if runs && last_tick > since {
                server.charge(last_tick - since, last_tick);
                since = last_tick;
            }
            server.fire(due);
            if is_idle && server.is_queued() && due < now {
                server.stop();
            }
        }
        if is_idle {
            server.idled(now - idle_since);
        }
    }

    /// The same, where a thread turns.
    pub(super) fn catch_up(&mut self, at: usize, now: Ns) {
        if self.has_servers {
            self.account(at, self.inner.waiting(at) > 0, now);
        }
    }

    /// A server of a thread where ordinary processes wait is at work.
    pub(super) fn attend(&mut self, at: usize, now: Ns) {
        if self.has_servers && self.inner.waiting(at) > 0 {
            self.threads[at].server.iter_mut().for_each(|server| server.start(now));
        }
    }

    /// When an ordinary process that goes before real time must look whether it still does.
    #[inline(never)]
    pub(super) fn served_until(&self, at: usize, now: Ns) -> Ns {
        match &self.threads[at].server {
            Some(server) if server.is_queued() && !self.threads[at].waiting.is_empty() => {
                end_of(server, now, self.tick)
            }
            _ => Ns::MAX,
        }
    }

    /// An ordinary process wakes.
    pub(super) fn wake_ordinary(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        if self.threads[at].server.is_some() {
            self.charge(at, now);
            self.account(at, true, now);
        }
        let preempt = self.inner.wake(at, pid, now);
        self.attend(at, now);
        match self.threads[at].running {
            Running::Ordinary => match preempt {
                Preempt::Until(until) => Preempt::Until(until.min(self.served_until(at, now))),
                preempt => preempt,
            },
            Running::Real(_) if self.serves(at) => Preempt::Now,
            Running::Real(real) if self.threads[at].server.is_some() => Preempt::Until(self.end(at, real, now)),
            _ => Preempt::No,
        }
    }

    /// The next ordinary process, where they go first; `None`: nobody is there, and the server stops.
    pub(super) fn turn_served(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        let Some(Next { pid, until }) = self.inner.turn(at, ended, now) else {
            self.threads[at].server.iter_mut().for_each(|server| server.stop());
            self.runs(at, Running::Nothing);
            return None;
        };
        self.runs(at, Running::Ordinary);
        Some(Next { pid, until: until.min(self.served_until(at, now)) })
    }
}

/// The tick on which what a server has left is used up, if ordinary processes run from now on.
fn end_of(server: &Server, now: Ns, tick: Ns) -> Ns {
    Ns(now.0 + server.left().max(1) as u64).ceil_to(tick)
}
