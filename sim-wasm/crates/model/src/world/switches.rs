//! What a switch costs: time on the thread before work goes on.
use crate::config::NodeConfig;
use crate::ids::ThreadId;
use crate::measure::accounts::Group;
use crate::measure::ledger::{OWES_CORE, OWES_POST, OWES_POST_ALONE, OWES_SET, OWES_SOCKET, OWES_SWITCH};
use crate::world::{Host, Process, Thread};
use wwi_kernel::time::Ns;

/// What switches cost on a host.
#[derive(Clone, Copy, Debug)]
pub struct SwitchCosts {
    /// The switch itself.
    direct: Ns,
    /// The switch itself and its refill.
    switch: Ns,
    /// A refill after a move to another core of the last-level cache.
    core: Ns,
    /// A refill after a move to another last-level cache.
    socket: Ns,
    /// Threads of a last-level cache.
    per_cache: u16,
}

impl SwitchCosts {
    /// Of one node.
    pub fn new(node: &NodeConfig) -> Self {
        SwitchCosts {
            direct: node.switch_direct,
            switch: node.switch_direct + node.switch_refill,
            core: node.migration_refill,
            socket: node.socket_refill,
            per_cache: node.threads_per_cache() as u16,
        }
    }

    /// The switch itself.
    pub(crate) fn direct(&self) -> Ns {
        self.direct
    }

    /// A process comes from another thread, perhaps from another last-level cache.
    pub(crate) fn count_move(&self, process: &Process, at: ThreadId, base: u16, group: &mut Group) {
        if process.last != ThreadId::NONE && process.last != at {
            let cache_of = |thread: ThreadId| (thread.0 - base) / self.per_cache;
            group.migrations += 1;
            group.socket_migrations += u64::from(cache_of(process.last) != cache_of(at));
        }
    }
}

impl Process {
    /// Time to pay on a thread whose last process was another. Who lost the CPU within a refill owes it whole again,
    /// not twice: what he had loaded may be gone, and there is no more to load than all of it. `last_core`: of the
    /// thread it last ran on.
    #[inline(always)]
    pub(crate) fn owe_switch(
        &mut self,
        (at, last_core): (ThreadId, u16),
        thread: &mut Thread,
        host: &Host,
        group: &mut Group,
    ) {
        let costs = &host.switch_costs;
        let mut owed = costs.switch;
        self.owes = OWES_SWITCH;
        if self.last != ThreadId::NONE && self.last != at {
            group.migrations += 1;
            if host.has_caches && (self.last.0 - host.base) / costs.per_cache != (at.0 - host.base) / costs.per_cache {
                group.socket_migrations += 1;
                owed += costs.socket;
                self.owes += OWES_SOCKET;
            } else if last_core != thread.core {
                owed += costs.core;
                self.owes += OWES_CORE;
            }
        }
        thread.sums.switches += 1;
        thread.sums.switch_cost += owed.0;
        self.debt = owed;
    }

    /// The same for who comes back only to wait: it touches nothing that it had in the caches.
    #[inline(never)]
    pub(crate) fn owe_direct(&mut self, at: ThreadId, thread: &mut Thread, host: &Host, group: &mut Group) {
        host.switch_costs.count_move(self, at, host.base, group);
        thread.sums.switches += 1;
        self.debt = host.switch_costs.direct();
        self.owes = OWES_SET;
        thread.sums.switch_cost += self.debt.0;
        group.book.owed[0] += self.debt.0;
    }

    /// Before the first stay with a slot that came by a post, that is paid too.
    #[inline(never)]
    pub(crate) fn owe_post(&mut self, post: Ns, group: &mut Group) {
        self.was_posted = false;
        let is_alone = self.debt == Ns::ZERO || self.owes == OWES_POST_ALONE;
        self.owes = if is_alone { OWES_POST_ALONE } else { self.owes | OWES_POST };
        if self.owes == OWES_SET {
            group.book.owed[3] += post.0;
        }
        self.debt += post;
    }
}
