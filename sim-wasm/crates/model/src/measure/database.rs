//! What an instance did besides running sessions: counts and times since the start, by name.

/// One sum of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Sum {
    /// Commits.
    Commits,
    /// Commits of writes of the log: how many had their redo in each write, all together.
    CommitsWritten,
    /// Writes of the log, all members together.
    LogWrites,
    /// Of these, writes that were over before all other instances had answered to the broadcast of their commits.
    LateAcks,
    /// From then to the last answer \[ns\].
    LateAckTime,
    /// Redo put into the log buffer, written or not \[bytes\].
    Redo,
    /// What writes left empty of their last blocks \[bytes\].
    Wasted,
    /// Log switches.
    Switches,
    /// Times that somebody needed the next log and it was not free.
    Stalls,
    /// From then to the switch \[ns\].
    StallTime,
    /// Changes of blocks.
    Changes,
    /// Blocks written.
    Writes,
    /// Blocks read.
    Reads,
    /// Time integral of dirty buffers, those being written included \[ns\].
    DirtyTime,
    /// Checkpoints recorded.
    Checkpoints,
    /// Times that adaptive answering changed its way.
    Changeovers,
    /// Transactions that only read.
    Queries,
    /// From their start to their end, all together \[ns\].
    QueryTime,
    /// Other transactions.
    Updates,
    /// The same of these \[ns\].
    UpdateTime,
    /// Values taken from the sequence.
    SequenceValues,
    /// Changes of the row in SEQ$.
    SequenceChanges,
    /// Values lost when the shared pool was flushed.
    SequenceLost,
    /// Locks of the sequence that came from other instances.
    LockHandovers,
}

/// Number of sums.
const SUMS: usize = Sum::LockHandovers as usize + 1;

/// The sums of one instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DatabaseSums([u64; SUMS]);

impl DatabaseSums {
    /// One of them.
    #[inline]
    pub fn get(&self, sum: Sum) -> u64 {
        self.0[sum as usize]
    }

    /// Adds to one.
    #[inline]
    pub fn count(&mut self, sum: Sum, by: u64) {
        self.0[sum as usize] += by;
    }

    /// What came after `earlier`, an older copy.
    pub fn since(&self, earlier: &DatabaseSums) -> DatabaseSums {
        DatabaseSums(std::array::from_fn(|at| self.0[at] - earlier.0[at]))
    }

    /// Adds those of another replication.
    pub fn add(&mut self, other: &DatabaseSums) {
        self.0.iter_mut().zip(other.0).for_each(|(mine, theirs)| *mine += theirs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_and_sums_are_by_name() {
        let mut early = DatabaseSums::default();
        early.count(Sum::Commits, 3);
        let mut late = early;
        late.count(Sum::Commits, 4);
        late.count(Sum::Changeovers, 2);
        let part = late.since(&early);
        assert_eq!((part.get(Sum::Commits), part.get(Sum::Changeovers), part.get(Sum::Redo)), (4, 2, 0));
        early.add(&part);
        assert_eq!(early, late);
    }
}
