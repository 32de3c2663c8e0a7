//! Requests for the server of a host.
use crate::ids::ThreadId;
use crate::world::{Timer, World};
use wwi_kernel::calendar::Phase;
use wwi_kernel::time::Ns;

/// Requests that wait for one server at most. A starved one would fill any memory.
const MOST_REQUESTS: usize = 1_000_000;

impl World {
    /// Puts the next request on the calendar.
    pub(crate) fn schedule_request(&mut self, node: usize) {
        let Some(service) = &self.config.nodes[node].service else { return };
        let after = Ns((self.hosts[node].request_times.exponential() * 1e9 / service.per_s).round() as u64);
        self.calendar.schedule(self.now.plus(after), Phase::Arrive, Timer::Request(node as u16));
    }

    /// A request comes; the server is woken if it waits for one.
    pub(crate) fn request(&mut self, node: usize) {
        if self.hosts[node].requests.len() >= MOST_REQUESTS {
            self.is_full = true;
            return;
        }
        self.schedule_request(node);
        self.accounts.hosts[node].requests += 1;
        self.hosts[node].requests.push_back(self.now);
        let daemon = self.hosts[node].daemon;
        if self.processes[daemon.i()].activity == crate::measure::events::Activity::OFF {
            let waker: Option<ThreadId> = self.interrupted(node);
            self.woken(daemon, waker);
        }
    }
}
