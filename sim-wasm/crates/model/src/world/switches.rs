//! What a switch costs: time on the thread before work goes on.
use crate::ids::{Pid, ThreadId};
use crate::measure::ledger::{OWES_CORE, OWES_POST, OWES_POST_ALONE, OWES_SOCKET, OWES_SWITCH};
use crate::world::World;
use wwi_kernel::time::Ns;

impl World {
    /// Time to pay on a thread whose last process was another. Who lost the CPU within a refill owes it whole again, not twice:
    /// what he had loaded may be gone, and there is no more to load than all of it.
    #[inline(always)]
    pub(crate) fn owe_switch(&mut self, at: ThreadId, pid: Pid) {
        let thread = &self.threads[at.i()];
        if self.processes[pid.i()].was_posted {
            return self.owe_post_and_switch(at, pid);
        }
        if thread.last == pid {
            return;
        }
        let (node, process) = (&self.config.nodes[thread.node as usize], &mut self.processes[pid.i()]);
        let mut owed = node.switch_direct + node.switch_refill;
        process.owes = OWES_SWITCH;
        if process.last != ThreadId::NONE && process.last != at {
            self.accounts.groups[process.group as usize].migrations += 1;
            let base = self.hosts[thread.node as usize].base;
            let socket = |t: ThreadId| (t.0 - base) as usize / node.threads_per_socket();
            if node.sockets > 1 && socket(process.last) != socket(at) {
                self.accounts.groups[process.group as usize].socket_migrations += 1;
                owed += node.socket_refill;
                process.owes += OWES_SOCKET;
            } else if self.threads[process.last.i()].core != thread.core {
                owed += node.migration_refill;
                process.owes += OWES_CORE;
            }
        }
        let sums = &mut self.accounts.hosts[thread.node as usize];
        sums.switches += 1;
        sums.switch_cost += owed.0;
        process.debt = owed;
    }

    /// Before the first stay with a slot that came by a post, that is paid too.
    #[inline(never)]
    fn owe_post_and_switch(&mut self, at: ThreadId, pid: Pid) {
        let process = &mut self.processes[pid.i()];
        process.was_posted = false;
        let post = self.config.instances[process.instance as usize].cage.as_ref().map_or(Ns::ZERO, |c| c.post);
        self.owe_switch(at, pid);
        let process = &mut self.processes[pid.i()];
        let is_alone = process.debt == Ns::ZERO || process.owes == OWES_POST_ALONE;
        process.owes = if is_alone { OWES_POST_ALONE } else { process.owes | OWES_POST };
        process.debt += post;
    }
}
