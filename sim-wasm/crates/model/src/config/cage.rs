//! The Resource Manager's limit on sessions that run at once, and its consumer groups.
use wwi_kernel::time::Ns;

/// The Resource Manager's limit on sessions that run at once.
#[derive(Clone, Debug, PartialEq)]
pub struct CageConfig {
    /// `cpu_count`: sessions that may run at once.
    pub slots: u32,
    /// CPU time after which a session gives way.
    pub quantum: Ns,
    /// Period of both the clock that finds expired quanta and the scheduler that fills slots; zero: continuous.
    pub tick: Ns,
    /// From the flag to the next place in the code where a session may yield.
    pub safe_point: Ns,
    /// A wait shorter than this keeps the slot.
    pub short_wait: Ns,
    /// How a slot is refilled after its session blocked.
    pub handoff: Handoff,
    /// CPU time a session pays for being posted.
    pub post: Ns,
    /// Consumer groups, to which sessions are dealt. Never empty.
    pub groups: Vec<GroupConfig>,
}

/// When a slot whose session blocked is filled again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handoff {
    /// At once.
    Immediate,
    /// On the next tick.
    Tick,
}

/// One consumer group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupConfig {
    /// As the plan names it.
    pub name: String,
    /// Sessions that it has for those of the others: of as many as all of these together it has so many. One has more
    /// than zero.
    pub sessions: u32,
    /// Weight among the groups of its level.
    pub shares: u32,
    /// Share of the slots that it may hold, 0 < limit <= 1.
    pub utilization_limit: f64,
    /// Lower levels are served first; what they leave flows down.
    pub level: u32,
}
