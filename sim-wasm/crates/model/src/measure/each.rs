//! Sums of single processes, of kinds that have few of them, for rows that tell processes one by one; and sums that the
//! sessions of a consumer group share. A page is shown no rows of single processes, so what it downloads keeps no sums
//! of them.
use crate::host::fluid::LACK_BITS;
use crate::measure::accounts::Group;
use crate::measure::events::{Activity, ByActivity, COUNT};
use wwi_kernel::time::Ns;

/// Processes of a kind, of one instance or host, with sums of their own at most.
pub const MOST_OF_A_KIND: u32 = 32;

/// Processes of a replication with sums of their own at most; none in a browser.
pub const MOST_TOLD: usize = if cfg!(target_arch = "wasm32") { 0 } else { 64 };

/// What one process did, or several did together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OfProcess {
    /// Time in each activity \[ns\].
    pub time: ByActivity<u64>,
    /// Stays in each activity that ended.
    pub stays: ByActivity<u64>,
    /// How long those were \[ns\].
    pub stayed: ByActivity<u64>,
    /// Time in run queues \[ns\] by what came before it, as that of its accounting group.
    pub queued: ByActivity<u64>,
    /// Under processor sharing: time on threads that those of an accounting group lack \[ns\].
    pub lacked: u64,
    /// Transactions (or bursts) that ended.
    pub transactions: u64,
    /// From the start to the end of those \[ns\].
    pub response: u64,
}

impl OfProcess {
    /// What all processes of an accounting group did.
    pub fn all_of(group: &Group) -> Self {
        OfProcess {
            time: group.time,
            stays: ByActivity::from_fn(|a| group.stays[a].count()),
            stayed: ByActivity::from_fn(|a| group.stays[a].sum()),
            queued: group.queued,
            lacked: (group.lacked >> LACK_BITS) as u64,
            transactions: group.response.count(),
            response: group.response.sum(),
        }
    }

    /// Adds what another did.
    pub fn add(&mut self, other: &OfProcess) {
        for a in 0..COUNT {
            self.time[a] += other.time[a];
            self.stays[a] += other.stays[a];
            self.stayed[a] += other.stayed[a];
            self.queued[a] += other.queued[a];
        }
        self.lacked += other.lacked;
        self.transactions += other.transactions;
        self.response += other.response;
    }
}

/// Groups of processes that share sums at most.
pub const MOST_SHARED: usize = 128;

/// Sums of the processes that have some beside those of their accounting group: first those that several share, then
/// those of single ones, in the order in which they came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Each {
    sums: Vec<OfProcess>,
    shared: usize,
}

impl Each {
    /// Room for one more process; its number counts from 1. Zero: it has no sums of its own.
    pub fn admit(&mut self, is_told: bool) -> u8 {
        if !is_told || self.sums.len() - self.shared >= MOST_TOLD {
            return 0;
        }
        self.sums.push(OfProcess::default());
        self.sums.len() as u8
    }

    /// Sums that several processes share, before there is anybody; zero: there are [`MOST_SHARED`].
    pub fn share(&mut self) -> u8 {
        if self.shared >= MOST_SHARED {
            return 0;
        }
        self.sums.push(OfProcess::default());
        self.shared = self.sums.len();
        self.shared as u8
    }

    /// Those of a process by its number, if it has any.
    pub fn of(&self, number: u8) -> Option<&OfProcess> {
        self.sums.get(usize::from(number).wrapping_sub(1))
    }

    /// The sums of a process by its number: few have any, so what is booked there is a copy of its own.
    fn own(&mut self, number: u8) -> Option<&mut OfProcess> {
        self.sums.get_mut(usize::from(number).wrapping_sub(1))
    }

    /// Books the end of a stay: `booked` since the last cut, `whole` since the activity began.
    #[inline(always)]
    pub fn leave(&mut self, number: u8, activity: Activity, (booked, whole): (Ns, Ns)) {
        if number > 0 {
            self.leave_own(number, activity, booked, whole);
        }
    }

    #[inline(never)]
    fn leave_own(&mut self, number: u8, activity: Activity, booked: Ns, whole: Ns) {
        if let Some(own) = self.own(number) {
            own.time[activity.i()] += booked.0;
            own.stays[activity.i()] += 1;
            own.stayed[activity.i()] += whole.0;
        }
    }

    /// Books time in an activity that goes on.
    #[inline(never)]
    pub fn cut(&mut self, number: u8, activity: Activity, booked: Ns) {
        if let Some(own) = self.own(number) {
            own.time[activity.i()] += booked.0;
        }
    }

    /// Books time in a run queue after `before`, if that is told.
    #[inline(always)]
    pub fn queue(&mut self, number: u8, before: Activity, span: Ns) {
        if number > 0 {
            self.queue_own(number, before, span);
        }
    }

    #[inline(never)]
    fn queue_own(&mut self, number: u8, before: Activity, span: Ns) {
        if let Some(queued) = self.own(number).and_then(|own| own.queued.get_mut(before.i())) {
            *queued += span.0;
        }
    }

    /// Books a transaction that ended.
    #[inline(always)]
    pub fn respond(&mut self, number: u8, response: Ns) {
        if number > 0 {
            self.respond_own(number, response);
        }
    }

    #[inline(never)]
    fn respond_own(&mut self, number: u8, response: Ns) {
        if let Some(own) = self.own(number) {
            (own.transactions, own.response) = (own.transactions + 1, own.response + response.0);
        }
    }

    /// Takes off what was there `earlier`, in an older copy.
    pub fn subtract(&mut self, earlier: &Each) {
        for (own, earlier) in self.sums.iter_mut().zip(&earlier.sums) {
            for a in 0..COUNT {
                own.time[a] -= earlier.time[a];
                own.stays[a] -= earlier.stays[a];
                own.stayed[a] -= earlier.stayed[a];
                own.queued[a] -= earlier.queued[a];
            }
            own.transactions -= earlier.transactions;
            own.response -= earlier.response;
        }
    }

    /// Memory that they take, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.sums.len() * std::mem::size_of::<OfProcess>()
    }
}
