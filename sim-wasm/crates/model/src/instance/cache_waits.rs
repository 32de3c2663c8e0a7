//! Who waits for a buffer of the cache, or for the write of one.
use super::Cache;
use crate::ids::{QueueId, Reply};

impl Cache {
    /// Somebody waits for a buffer of a set.
    pub fn wait_for_free(&mut self, set: usize, reply: Reply) {
        self.sets[set].waiting.push_back(reply);
    }

    /// The one who has waited longest for a buffer of a set.
    pub fn next_waiting(&mut self, set: usize) -> Option<Reply> {
        self.sets[set].waiting.pop_front()
    }

    /// Whether somebody waits for a buffer of a set.
    pub fn is_short(&self, set: usize) -> bool {
        !self.sets[set].waiting.is_empty()
    }

    /// Somebody waits for the write of a buffer.
    pub fn wait_for_write(&mut self, buffer: u32, reply: Reply) {
        self.for_write.push((buffer, reply));
    }

    /// Everybody who waits for a buffer or a write.
    #[cfg(test)]
    pub fn all_waiting(&self) -> impl Iterator<Item = Reply> + '_ {
        self.sets.iter().flat_map(|set| &set.waiting).copied().chain(self.for_write.iter().map(|waiter| waiter.1))
    }

    /// Who waits with this queue waits no longer.
    pub fn forget(&mut self, queue: QueueId) {
        self.sets.iter_mut().for_each(|set| set.waiting.retain(|reply| reply.queue != queue));
        self.for_write.retain(|waiter| waiter.1.queue != queue);
    }

    /// Somebody who waits for the write of this buffer, which is done.
    pub fn next_for_write(&mut self, buffer: u32) -> Option<Reply> {
        let at = self.for_write.iter().position(|waiter| waiter.0 == buffer)?;
        Some(self.for_write.remove(at).1)
    }
}
