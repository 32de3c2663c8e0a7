//! Sums of single processes, of kinds that have few of them: for rows that tell processes one by one. A page is shown
//! no such rows, so what it downloads keeps no such sums.
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
        self.transactions += other.transactions;
        self.response += other.response;
    }
}

#[cfg(not(target_arch = "wasm32"))]
type List = Vec<OfProcess>;
#[cfg(target_arch = "wasm32")]
type List = [OfProcess; 0];

/// Sums of the processes that have some of their own, in the order in which they came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Each(List);

impl Each {
    /// Room for one more process; its number counts from 1. Zero: it has no sums of its own.
    pub fn admit(&mut self, is_told: bool) -> u8 {
        if !is_told || self.0.len() >= MOST_TOLD {
            return 0;
        }
        #[cfg(not(target_arch = "wasm32"))]
        self.0.push(OfProcess::default());
        self.0.len() as u8
    }

    /// Those of a process by its number, if it has any.
    pub fn of(&self, number: u8) -> Option<&OfProcess> {
        self.0.get(usize::from(number).wrapping_sub(1))
    }

    /// Books something of a process that has sums of its own, in a copy of its own: few have.
    #[inline(always)]
    fn book(&mut self, number: u8, what: impl Fn(&mut OfProcess)) {
        if MOST_TOLD > 0 && number > 0 {
            self.0.get_mut(usize::from(number) - 1).into_iter().for_each(what);
        }
    }

    /// Books the end of a stay: `booked` since the last cut, `whole` since the activity began.
    #[inline(always)]
    pub fn leave(&mut self, number: u8, activity: Activity, (booked, whole): (Ns, Ns)) {
        self.book(number, |own| {
            own.time[activity.i()] += booked.0;
            own.stays[activity.i()] += 1;
            own.stayed[activity.i()] += whole.0;
        });
    }

    /// Books time in an activity that goes on.
    pub fn cut(&mut self, number: u8, activity: Activity, booked: Ns) {
        self.book(number, |own| own.time[activity.i()] += booked.0);
    }

    /// Books time in a run queue after `before`, if that is told.
    #[inline(always)]
    pub fn queue(&mut self, number: u8, before: Activity, span: Ns) {
        self.book(number, |own| own.queued.get_mut(before.i()).into_iter().for_each(|queued| *queued += span.0));
    }

    /// Books a transaction that ended.
    #[inline(always)]
    pub fn respond(&mut self, number: u8, response: Ns) {
        self.book(number, |own| (own.transactions, own.response) = (own.transactions + 1, own.response + response.0));
    }

    /// Takes off what was there `earlier`, in an older copy.
    pub fn subtract(&mut self, earlier: &Each) {
        for (own, earlier) in self.0.iter_mut().zip(&earlier.0) {
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
        self.0.len() * std::mem::size_of::<OfProcess>()
    }
}
