//! Requests for the servers of hosts.
use crate::ids::{Pid, QueueId};
use crate::program::Item;
use crate::world::{Then, Timer, World};
use wwi_kernel::calendar::Phase;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

/// Requests that wait for one server at most. A starved one would fill any memory.
const MOST_REQUESTS: usize = 1_000_000;

/// The requests that come for the server of a host.
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
    /// Puts the next request for a server on the calendar.
    pub(crate) fn schedule_request(&mut self, server: usize) {
        let requests = &mut self.requests[server];
        let Some(service) = &self.config.nodes[requests.node as usize].service else { return };
        let after = Ns::nearest(requests.times.exponential() * 1e9 / service.per_s);
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
        self.schedule_request(server);
        self.accounts.hosts[node].requests += 1;
        self.put_by_interrupt(queue, Item::default(), node, true);
    }

    /// Requests that wait for the server of a host; one for which it has been woken waits no longer.
    pub fn waiting_requests(&self, node: usize) -> usize {
        let of = |requests: &&Requests| requests.node as usize == node;
        self.requests.iter().find(of).map_or(0, |requests| {
            let is_woken = self.processes[requests.server.i()].then != Then::Work;
            self.queues[requests.queue.i()].len().saturating_sub(usize::from(is_woken))
        })
    }
}
