//! What timers are for.
use crate::ids::{DeviceId, Pid};
use crate::world::evictions;
use wwi_kernel::time::Ns;

/// What timers are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// The time-out of a process's wait, counted by its waits so far.
    Wake(Pid, u32),
    /// An open arrival of this instance.
    Arrive(u16),
    /// The cage of this instance fills slots.
    RmTick(u16),
    /// Levelling of this host's run queues.
    Level(u16),
    /// Some CPU of this host may be due to balance.
    Balance(u16),
    /// Idle threads of this host look for work again.
    Pull(u16),
    /// The hypervisor deals this host's virtual CPUs out anew.
    Remap(u16),
    /// The policy of this host recalculates.
    Periodic(u16),
    /// What threads of this host gave back to a quota is handed out.
    HandOut(u16),
    /// The speeds of this host follow who runs where.
    Rates(u16),
    /// A request for this server.
    Request(u16),
    /// A request of this device is done, in this of its slots.
    Device(DeviceId, u32),
    /// Something of the cluster.
    Cluster(evictions::Due),
    /// A message arrives that is kept at this place.
    Arrival(u32),
    /// The wait of a process proved too long to keep its slot; the time when it began.
    ShortWait(Pid, Ns),
}
