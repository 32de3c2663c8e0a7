//! What the instances of a cluster sent one another: counts and times since the start.
use crate::cluster::request::{Given, Request, Want, PARTS};

/// What came of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Reply {
    /// A block to be read.
    CrBlock,
    /// A block to be changed.
    CurrentBlock,
    /// Leave to read a block from disk.
    CrGrant,
    /// Leave to change one.
    CurrentGrant,
}

/// All of them.
pub const REPLIES: [Reply; 4] = [Reply::CrBlock, Reply::CurrentBlock, Reply::CrGrant, Reply::CurrentGrant];

impl Reply {
    /// What came of this one.
    pub fn of(request: &Request) -> Reply {
        match (request.want, request.brings_block()) {
            (Want::Read, true) => Reply::CrBlock,
            (Want::Change, true) => Reply::CurrentBlock,
            (Want::Read, false) => Reply::CrGrant,
            (Want::Change, false) => Reply::CurrentGrant,
        }
    }
}

/// One sum of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Gc {
    /// Shared blocks used that the instance held as it needed them.
    LocalGets,
    /// Copies built for others.
    CrServed,
    /// Blocks given to others to be changed, or to be read and held.
    CurrentServed,
    /// Of copies: those that waited for redo.
    CrFlushes,
    /// How long \[ns\].
    CrFlushTime,
    /// Of blocks given away: those that waited for redo.
    CurrentFlushes,
    /// How long \[ns\].
    CurrentFlushTime,
    /// Work of LMS on copies \[ns\].
    CrBuildTime,
    /// Work of LMS to send those \[ns\].
    CrSendTime,
    /// Work of LMS to send blocks that are given away \[ns\].
    CurrentSendTime,
    /// Blocks given away: from the message to the moment when nobody here used them \[ns\].
    PinTime,
    /// Messages sent, blocks among them.
    Sent,
    /// Those without a block.
    Told,
    /// Messages without a block that came from other instances.
    Heard,
    /// Before messages sent the port was busy with others \[ns\].
    SendQueueTime,
    /// Messages received by LMS.
    Received,
    /// From their arrival to the first work on them \[ns\].
    QueueTime,
    /// Blocks that got lost on their way to the instance.
    Lost,
    /// Copies that were sent as they were, for the requester to finish.
    LightWorks,
    /// Messages for LMS of the instance that found their receive buffer full.
    Dropped,
    /// Exclusive locks given down to shared.
    DownConverts,
    /// Shared locks given up for others.
    Invalidated,
    /// Buffers of rows that processes of its parallel queries sent one another.
    PxMessages,
    /// Of these, from one instance to another.
    PxRemoteMessages,
    /// Rows in them.
    PxRows,
    /// Of these, from one instance to another.
    PxRemoteRows,
    /// Bytes of the buffers that went from one instance to another.
    PxRemoteBytes,
}

/// Number of sums.
const SUMS: usize = Gc::PxRemoteBytes as usize + 1;

/// Requests of one instance that another served, by what came of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// How many.
    pub requests: u64,
    /// Their time by parts \[ns\].
    pub parts: [u64; PARTS],
    /// Those that waited for redo, or for others to give a block up.
    pub busy: u64,
    /// Those that lay long in the queue of an LMS.
    pub congested: u64,
    /// Those that a third instance was asked for first.
    pub three_way: u64,
    /// Their time \[ns\].
    pub three_way_time: u64,
}

/// The sums of a cluster; empty where there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClusterSums {
    own: Vec<[u64; SUMS]>,
    /// By who asked, who served, and what came of it.
    pairs: Vec<Pair>,
}

impl Pair {
    fn each(&mut self, other: &Pair, what: impl Fn(&mut u64, u64)) {
        what(&mut self.requests, other.requests);
        what(&mut self.busy, other.busy);
        what(&mut self.congested, other.congested);
        what(&mut self.three_way, other.three_way);
        what(&mut self.three_way_time, other.three_way_time);
        self.parts.iter_mut().zip(other.parts).for_each(|(mine, theirs)| what(mine, theirs));
    }

    /// From asking to having, all together \[ns\].
    pub fn time(&self) -> u64 {
        self.parts.iter().sum()
    }
}

impl ClusterSums {
    /// Of so many instances.
    pub fn new(instances: usize) -> ClusterSums {
        ClusterSums {
            own: vec![[0; SUMS]; instances],
            pairs: vec![Pair::default(); instances * instances * REPLIES.len()],
        }
    }

    /// One sum.
    pub fn get(&self, instance: usize, sum: Gc) -> u64 {
        self.own.get(instance).map_or(0, |own| own[sum as usize])
    }

    /// Adds to one.
    #[inline]
    pub fn count(&mut self, instance: usize, sum: Gc, by: u64) {
        if let Some(own) = self.own.get_mut(instance) {
            own[sum as usize] += by;
        }
    }

    /// Requests of one instance that another served.
    pub fn pair(&self, from: usize, server: usize, reply: Reply) -> Pair {
        let at = (from * self.own.len() + server) * REPLIES.len() + reply as usize;
        self.pairs.get(at).copied().unwrap_or_default()
    }

    /// A request is over.
    pub fn over(&mut self, request: &Request, is_three_way: bool) {
        if request.given == Given::Nothing || request.times.is_own {
            return;
        }
        let (from, server) = (usize::from(request.from), usize::from(request.server));
        let at = (from * self.own.len() + server) * REPLIES.len() + Reply::of(request) as usize;
        let Some(pair) = self.pairs.get_mut(at) else { return };
        pair.requests += 1;
        pair.busy += u64::from(request.times.is_busy);
        pair.congested += u64::from(request.times.is_congested);
        if is_three_way {
            pair.three_way += 1;
            pair.three_way_time += request.times.parts.iter().sum::<u64>();
        }
        pair.parts.iter_mut().zip(request.times.parts).for_each(|(sum, part)| *sum += part);
    }

    fn each(&mut self, other: &ClusterSums, what: impl Fn(&mut u64, u64) + Copy) {
        for (mine, theirs) in self.own.iter_mut().zip(&other.own) {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| what(mine, *theirs));
        }
        self.pairs.iter_mut().zip(&other.pairs).for_each(|(mine, theirs)| mine.each(theirs, what));
    }

    /// What came after `earlier`, an older copy.
    pub fn since(&self, earlier: &ClusterSums) -> ClusterSums {
        let mut part = self.clone();
        part.each(earlier, |mine, theirs| *mine -= theirs);
        part
    }

    /// Adds those of another replication.
    pub fn add(&mut self, other: &ClusterSums) {
        if self.own.is_empty() {
            *self = other.clone();
            return;
        }
        self.each(other, |mine, theirs| *mine += theirs);
    }
}
