//! What a CPU does whose last process has just left it, where queues are fair.
use crate::host::balance::groups::Puller;
use crate::host::balance::newidle::{self, Luck};
use crate::ids::ThreadId;
use crate::world::{Host, World};

impl World {
    /// A CPU whose last process has just left it looks for one that waits elsewhere, as far as its usual idle time
    /// pays for the search.
    #[inline(never)]
    pub(crate) fn newly_idle(&mut self, at: ThreadId) -> bool {
        let thread = &self.threads[at.i()];
        let node = thread.node as usize;
        let local = (at.0 - self.hosts[node].base) as usize;
        let Some(balance) = self.hosts[node].balance.as_deref() else { return false };
        let levels =
            newidle::levels(&balance.domains.levels, thread.usual_idle, balance.newidle_cost, balance.least_idle);
        (0..levels).any(|level| self.search(node, local, level))
    }

    /// Such a CPU looks at one level, where dice are thrown only if it has the luck; whether it took anybody.
    fn search(&mut self, node: usize, local: usize, level: usize) -> bool {
        let Host { balance, has_dice, dice, .. } = &mut self.hosts[node];
        let weight = match balance.as_deref_mut().filter(|_| *has_dice) {
            Some(balance) => balance.luck_mut(local, level).throw((dice.uniform() * f64::from(Luck::SIDES)) as u32),
            None => Some(0),
        };
        let Some(weight) = weight else { return false };
        let has_found = self.attempt(node, local, level, Puller::NewlyIdle).1;
        let Host { balance, has_dice, .. } = &mut self.hosts[node];
        if let Some(balance) = balance.as_deref_mut().filter(|_| *has_dice) {
            balance.luck_mut(local, level).note(if has_found { weight } else { 0 });
        }
        has_found
    }
}
