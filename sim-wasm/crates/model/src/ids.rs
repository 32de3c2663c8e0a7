//! Plain indices into the arenas of a world.

/// A process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pid(pub u32);

impl Pid {
    /// No process.
    pub const NONE: Pid = Pid(u32::MAX);
    /// As an index.
    #[inline]
    pub fn i(self) -> usize {
        self.0 as usize
    }
}

/// A queue of [`crate::meet`], over all instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct QueueId(pub u32);

impl QueueId {
    /// As an index.
    #[inline]
    pub fn i(self) -> usize {
        self.0 as usize
    }
}

/// Where a process is told that its wait is over, and which of its waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Its queue.
    pub queue: QueueId,
    /// Number of the wait.
    pub wait: u32,
}

/// A device of [`crate::meet`], over all hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeviceId(pub u16);

/// A link of [`crate::meet`] from one host to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkId(pub u16);

/// A hardware thread as the operating system counts them, over all nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ThreadId(pub u16);

impl ThreadId {
    /// No thread.
    pub const NONE: ThreadId = ThreadId(u16::MAX);
    /// As an index.
    #[inline]
    pub fn i(self) -> usize {
        self.0 as usize
    }
}
