//! Latch holders that lose the CPU.
//!
//! Logical reads are not events, so neither are their latches. A session that is made to give way holds one with a
//! probability equal to the share of its CPU time that it spends holding; each running session of the instance then asks
//! for that latch at a known rate, spins, and sleeps until the holder runs again.
use crate::ids::Pid;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

/// Latches of one instance whose holders are off the CPU.
#[derive(Clone, Debug)]
pub struct Latches {
    holders: Vec<Pid>,
    /// (holder, who sleeps for it).
    sleepers: Vec<(Pid, Pid)>,
    stream: Stream,
    /// Share of a session's CPU time with a latch held.
    held_share: f64,
}

impl Latches {
    /// None held.
    pub fn new(stream: Stream, held_share: f64) -> Self {
        Latches { holders: Vec::new(), sleepers: Vec::new(), stream, held_share }
    }

    /// Number of latches held by sessions off the CPU.
    #[inline]
    pub fn held(&self) -> usize {
        self.holders.len()
    }

    /// Whether sessions ever hold latches.
    #[inline]
    pub fn can_be_held(&self) -> bool {
        self.held_share > 0.0
    }

    /// Whether a session that now gives way holds a latch.
    pub fn caught(&mut self, pid: Pid) -> bool {
        let caught = self.stream.uniform() < self.held_share;
        if caught {
            self.holders.push(pid);
        }
        caught
    }

    /// When a session running from now on asks for one of `latches`; [`Ns::MAX`] if not within `horizon`.
    pub fn collision(&mut self, latches: usize, per_s: f64, now: Ns, horizon: Ns) -> Ns {
        let rate = latches as f64 * per_s;
        let span = if horizon == Ns::MAX { f64::INFINITY } else { (horizon - now).as_s() };
        match self.stream.exponential_below(rate * span) {
            Some(drawn) => now.plus(Ns::from_s(drawn / rate)),
            None => Ns::MAX,
        }
    }

    /// Which held latch a session ran into; `None` when all were let go meanwhile.
    pub fn hit(&mut self) -> Option<Pid> {
        if self.holders.is_empty() {
            return None;
        }
        Some(self.holders[self.stream.below(self.holders.len() as u64) as usize])
    }

    /// A session goes to sleep for the latch of `holder`.
    pub fn sleep(&mut self, holder: Pid, pid: Pid) {
        self.sleepers.push((holder, pid));
    }

    /// The holder runs again and lets go: who wakes.
    pub fn release(&mut self, holder: Pid) -> Vec<Pid> {
        self.holders.retain(|&h| h != holder);
        let (woken, rest) = self.sleepers.iter().partition::<Vec<_>, _>(|s| s.0 == holder);
        self.sleepers = rest;
        woken.into_iter().map(|s| s.1).collect()
    }
}
