//! The redo of an instance: what was made, what is on disk, which logs are free, and who waits for what.
//!
//! Addresses are bytes of redo since the start, those included that a write leaves empty of its last block: the next
//! one begins with a new block. A log holds those from its start to that of the next.
use crate::ids::{QueueId, Reply};
use crate::instance::broadcast::Broadcasts;
use std::collections::VecDeque;

/// A commit that is to be answered once its redo is on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Its redo ends here.
    pub end: u64,
    /// Who is told.
    pub reply: Reply,
    /// Its session sleeps and looks, and is not posted.
    pub polls: bool,
}

/// The redo of one instance.
#[derive(Clone, Debug)]
pub struct Redo {
    /// Size of a log \[bytes\].
    size: u64,
    groups: usize,
    /// Log buffer \[bytes\].
    buffer: u64,
    /// Redo for which a block of the log has room \[bytes\].
    block: u64,
    /// What the present write leaves empty of its last block \[bytes\].
    wasted: u64,
    /// End of what was made.
    pub made: u64,
    /// End of what the present write writes.
    pub writing: u64,
    /// End of what is on disk.
    pub on_disk: u64,
    /// Start of the present log.
    start: u64,
    /// Starts of the logs before it that hold redo which may still be needed, oldest first.
    older: VecDeque<u64>,
    /// All buffers first changed before are on disk, as far as is recorded.
    checkpoint: u64,
    /// Commits that somebody waits for, in the order of their redo.
    pub commits: VecDeque<Commit>,
    /// Commits of which other instances have yet to learn.
    pub broadcasts: Broadcasts,
    /// Commits that nobody waits for whose redo is in the buffer.
    pub unheard: u64,
    /// Of these, what the present write takes to disk.
    pub carried: u64,
    /// A recursive transaction has committed whose redo is in the buffer.
    pub recursive: bool,
    /// The present write takes such a commit to disk.
    pub carries_recursive: bool,
    /// Who waits for room in the log buffer.
    pub for_buffer: VecDeque<Reply>,
    /// Who waits for the next log.
    pub for_log: VecDeque<Reply>,
    /// Writers that want redo up to an address on disk.
    pub for_disk: VecDeque<(u64, Reply)>,
    /// No log is free, and somebody needs one.
    pub is_stalled: bool,
}

impl Redo {
    /// A log of which `filled` bytes are used, the logs before it full, all of them needed up to `checkpoint` bytes
    /// before the end. Nothing of a block is wasted.
    pub fn new(size: u64, groups: u32, buffer: u64, filled: u64, lag: u64) -> Redo {
        let start = size * u64::from(groups);
        let made = start + filled.min(size);
        let mut redo = Redo {
            size,
            groups: groups.max(2) as usize,
            buffer,
            block: 1,
            wasted: 0,
            made,
            writing: made,
            on_disk: made,
            start,
            older: (1..groups.max(2) as u64).map(|log| log * size).collect(),
            checkpoint: made - lag.min(made),
            commits: VecDeque::new(),
            broadcasts: Broadcasts::default(),
            unheard: 0,
            carried: 0,
            recursive: false,
            carries_recursive: false,
            for_buffer: VecDeque::new(),
            for_log: VecDeque::new(),
            for_disk: VecDeque::new(),
            is_stalled: false,
        };
        redo.free_logs();
        redo
    }

    /// The same log written in blocks that have room for so much redo \[bytes\], of which its size is a multiple.
    pub fn in_blocks(self, block: u64) -> Redo {
        Redo { block, ..self }
    }

    /// Start of the present log.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Redo for which the present log has room \[bytes\].
    pub fn room(&self) -> u64 {
        (self.start + self.size).saturating_sub(self.made)
    }

    /// Whether the present log has room for so much; one that is empty takes anything, one that somebody has found full
    /// nothing: it is about to end.
    pub fn log_has_room(&self, bytes: u64) -> bool {
        let fits = self.made + bytes <= self.start + self.size || self.made == self.start;
        fits && self.for_log.is_empty()
    }

    /// Whether the log buffer has; one that is empty takes anything.
    pub fn buffer_has_room(&self, bytes: u64) -> bool {
        self.made + bytes <= self.on_disk + self.buffer || self.made == self.on_disk
    }

    /// Redo in the buffer that no write has taken yet \[bytes\].
    pub fn unwritten(&self) -> u64 {
        self.made - self.writing
    }

    /// The next write takes what is in the buffer, and the rest of its last block.
    pub fn gather(&mut self) {
        let made = self.start + (self.made - self.start).next_multiple_of(self.block);
        self.wasted = made - std::mem::replace(&mut self.made, made);
        self.writing = self.made;
        self.carried += std::mem::take(&mut self.unheard);
        self.carries_recursive = std::mem::take(&mut self.recursive);
    }

    /// Blocks of the present write.
    pub fn blocks(&self) -> u64 {
        (self.writing - self.on_disk).div_ceil(self.block)
    }

    /// A session waits for its commit. Those whose redo ends first stand first, whoever came first.
    pub fn awaits_disk(&mut self, commit: Commit) {
        let mut at = self.commits.len();
        self.commits.push_back(commit);
        while at > 0 && self.commits[at - 1].end > commit.end {
            self.commits.swap(at - 1, at);
            at -= 1;
        }
    }

    /// What was written is on disk, and so much of a block left empty \[bytes\], and so many commits that nobody waits
    /// for.
    pub fn written(&mut self) -> (u64, u64) {
        self.on_disk = self.writing;
        self.carries_recursive = false;
        (std::mem::take(&mut self.wasted), std::mem::take(&mut self.carried))
    }

    /// Whether there is so much of it that the log writer writes unasked: a third of the buffer, or a megabyte.
    pub fn is_due(&self) -> bool {
        self.unwritten() >= (self.buffer / 3).min(1 << 20)
    }

    /// Whether the log after the present one may be used again.
    pub fn can_switch(&self) -> bool {
        self.older.len() + 1 < self.groups
    }

    /// A writer is told at this queue when redo up to there is on disk, once, whatever it asks for meanwhile.
    pub fn tells_of_disk(&mut self, needs: u64, queue: QueueId) {
        if self.for_disk.iter().all(|waiter| waiter.1.queue != queue) {
            self.for_disk.push_back((needs, Reply { queue, wait: 0 }));
        }
    }

    /// Up to where a checkpoint must come before the next log is free; none where one is.
    pub fn wanted(&self) -> Option<u64> {
        if self.can_switch() {
            return None;
        }
        Some(self.older.get(1).copied().unwrap_or(self.start))
    }

    /// Redo goes on in the next log.
    pub fn switch(&mut self) {
        self.older.push_back(self.start);
        self.start = self.made;
        self.free_logs();
    }

    /// All buffers first changed before are on disk. Whether that frees a log.
    pub fn record_checkpoint(&mut self, to: u64) -> bool {
        self.checkpoint = self.checkpoint.max(to);
        let before = self.older.len();
        self.free_logs();
        self.older.len() < before
    }

    /// The checkpoint as recorded.
    pub fn checkpoint(&self) -> u64 {
        self.checkpoint
    }

    fn free_logs(&mut self) {
        while !self.older.is_empty() {
            let end = self.older.get(1).copied().unwrap_or(self.start);
            if end > self.checkpoint {
                break;
            }
            self.older.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three logs of 100 bytes; the present one from 300, 40 of it used.
    fn three(lag: u64) -> Redo {
        Redo::new(100, 3, 30, 40, lag)
    }

    #[test]
    fn a_log_is_free_once_the_checkpoint_has_passed_its_end() {
        // 340 made. The logs before start at 100 and 200; the second ends at 300.
        let mut redo = three(190);
        assert_eq!((redo.checkpoint(), redo.can_switch(), redo.wanted()), (150, false, Some(200)));
        assert!(!redo.record_checkpoint(199) && redo.record_checkpoint(200));
        assert_eq!((redo.can_switch(), redo.wanted()), (true, None));
        redo.made = 395;
        assert_eq!(redo.room(), 5);
        assert!(redo.log_has_room(5) && !redo.log_has_room(6));
        redo.switch();
        assert_eq!((redo.start(), redo.can_switch(), redo.wanted()), (395, false, Some(300)));
        // A checkpoint recorded late takes nothing back.
        assert!(!redo.record_checkpoint(10));
        assert_eq!(redo.checkpoint(), 200);
        assert!(redo.record_checkpoint(395));
        assert!(redo.can_switch());
    }

    #[test]
    fn two_logs_are_free_by_turns() {
        let mut redo = Redo::new(100, 2, 30, 0, 0);
        assert!(redo.can_switch());
        redo.made += 100;
        redo.switch();
        // The other log holds 200 to 300: needed until the checkpoint is there.
        assert_eq!(redo.wanted(), Some(300));
        assert!(redo.record_checkpoint(300));
    }

    #[test]
    fn what_is_too_large_goes_where_nothing_else_is() {
        let mut redo = three(0);
        assert!(redo.buffer_has_room(31), "nothing is in the buffer");
        redo.made += 1;
        assert!(redo.buffer_has_room(29) && !redo.buffer_has_room(30));
        redo.made = 400;
        redo.switch();
        assert!(redo.log_has_room(1000), "a log of its own");
        redo.made += 1000;
        assert!(!redo.log_has_room(1));
    }

    #[test]
    fn a_third_of_the_buffer_or_a_megabyte_is_written_unasked() {
        let mut redo = three(0);
        redo.made += 9;
        assert!(!redo.is_due());
        redo.made += 1;
        assert!(redo.is_due());
        let mut large = Redo::new(1 << 30, 3, 64 << 20, 0, 0);
        large.made += (1 << 20) - 1;
        assert!(!large.is_due());
        large.made += 1;
        assert!(large.is_due());
    }
}
