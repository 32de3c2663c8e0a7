//! CPUs that lend one another real time (`do_balance_runtime` of Linux up to 5.9, the scheduler feature
//! RT_RUNTIME_SHARE): one that has used up its own takes a part of what each other has left in this period, one of as
//! many as there are CPUs, until it may use the whole period. It keeps that, as the others miss it, until they are in
//! want and take some back. Who has less by then notices when it turns.
use super::RealTime;
use wwi_kernel::time::Ns;

impl RealTime {
    /// Real-time processes of a thread may run on: who may use the whole period is never stopped.
    pub(super) fn has_time(&self, at: usize) -> bool {
        let thread = &self.threads[at];
        !thread.is_throttled && self.limit.is_none_or(|period| thread.used < thread.runtime || thread.runtime == period)
    }

    /// A thread that has used up its real time takes some of others.
    pub(super) fn borrow_time(&mut self, at: usize, now: Ns) {
        let Some(period) = self.limit.filter(|_| self.lends) else { return };
        if self.has_time(at) || self.threads[at].is_throttled {
            return;
        }
        let all = self.threads.len();
        for other in (0..all).filter(|&other| other != at) {
            self.charge(other, now);
            let lender = &self.threads[other];
            let part = Ns(lender.runtime.minus(lender.used).0 / all as u64).min(period - self.threads[at].runtime);
            self.threads[other].runtime = self.threads[other].runtime - part;
            self.threads[at].runtime += part;
        }
    }
}
