//! Requests for the servers of hosts.
use crate::config::ServiceArrivals;
use crate::ids::{Pid, QueueId};
use crate::program::Item;
use crate::world::{Then, Timer, World};
use wwi_kernel::calendar::Phase;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

/// Requests that wait for one server at most. A starved one would fill any memory.
const MOST_REQUESTS: usize = 1_000_000;

/// The requests that come for a server.
#[derive(Clone, Debug)]
pub struct Requests {
    /// Its host.
    pub node: u16,
    /// Where they wait.
    pub queue: QueueId,
    /// Who serves them.
    pub server: Pid,
    /// Times between them.
    pub times: Stream,
}

impl World {
    /// Puts the next request for a server on the calendar, or its first.
    pub(crate) fn schedule_request(&mut self, server: usize, is_first: bool) {
        let requests = &mut self.requests[server];
        let Some(service) = &self.config.nodes[requests.node as usize].service else { return };
        // In mean times between requests.
        let after = match service.arrivals {
            ServiceArrivals::Poisson => requests.times.exponential(),
            ServiceArrivals::Periodic if is_first => requests.times.uniform(),
            ServiceArrivals::Periodic => 1.0,
        };
        let after = Ns::nearest(after * 1e9 / service.per_s);
        self.calendar.schedule(self.now.plus(after), Phase::Arrive, Timer::Request(server as u16));
    }

    /// A request comes; the server is woken if it waits for one.
    pub(crate) fn request(&mut self, server: usize) {
        let (node, queue) = (self.requests[server].node as usize, self.requests[server].queue);
        if self.tasks[self.requests[server].server.i()].is_gone {
            return;
        }
        if self.queues[queue.i()].len() >= MOST_REQUESTS {
            self.is_full = true;
            return;
        }
        self.schedule_request(server, false);
        self.accounts.hosts[node].requests += 1;
        self.put_by_interrupt(queue, Item::default(), node, true);
    }

    /// Requests that wait for the servers of a host; one for which its server has been woken waits no longer.
    pub fn waiting_requests(&self, node: usize) -> usize {
        let here = self.requests.iter().filter(|requests| requests.node as usize == node);
        let waiting = here.map(|requests| {
            let is_woken = self.processes[requests.server.i()].then != Then::Work;
            self.queues[requests.queue.i()].len().saturating_sub(usize::from(is_woken))
        });
        waiting.sum()
    }
}
