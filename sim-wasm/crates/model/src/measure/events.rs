//! What a process can be doing. Each activity is an event with a wait class; time is accounted to exactly one.

/// Index into [`ACTIVITIES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Activity(pub u8);

impl Activity {
    /// Idle: thinking, asleep, or not there.
    pub const OFF: Activity = Activity(0);
    /// On a hardware thread.
    pub const RUNNING: Activity = Activity(1);
    /// Ready, waiting for the operating system.
    pub const RUN_QUEUE: Activity = Activity(2);
    /// Held back by the Resource Manager.
    pub const CPU_QUANTUM: Activity = Activity(3);
    /// Asleep until the holder of a latch runs again.
    pub const LATCH: Activity = Activity(4);

    /// As an index.
    #[inline]
    pub fn i(self) -> usize {
        self.0 as usize
    }
}

/// Name and class of an activity.
pub struct Info {
    /// Event name as the database prints it; "running" and "run queue" for the two sides of ON CPU.
    pub event: &'static str,
    /// Wait class.
    pub class: &'static str,
    /// Whether it is an instrumented wait of the database.
    pub is_wait: bool,
}

/// Number of activities.
pub const COUNT: usize = 5;

/// All activities, by index.
pub const ACTIVITIES: [Info; COUNT] = [
    Info { event: "idle", class: "Idle", is_wait: false },
    Info { event: "running", class: "CPU", is_wait: false },
    Info { event: "run queue", class: "run queue", is_wait: false },
    Info { event: "resmgr:cpu quantum", class: "Scheduler", is_wait: true },
    Info { event: "latch: cache buffers chains", class: "Concurrency", is_wait: true },
];
