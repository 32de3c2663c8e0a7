//! Latch holders that lose the CPU.
//!
//! Logical reads are not events, so neither are their latches. A session that is made to give way while it works holds
//! one with a probability equal to the share of its working time that it spends holding. Each running session of the
//! instance then asks for that very latch at a known rate while it works (not while it pays for a switch), spins, and
//! sleeps until the holder works again.
//!
//! Times to requests have no memory, so what was drawn holds as far as it was drawn, and only what lies beyond is drawn
//! anew: the time up to a horizon (the end of the slice or of the quantum) for the latches held then.
use crate::ids::Pid;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

/// Latches of one instance whose holders are off the CPU.
#[derive(Clone, Debug)]
pub struct Latches {
    holders: Vec<Pid>,
    /// (holder, who sleeps for it), in the order they came.
    sleepers: Vec<(Pid, Pid)>,
    stream: Stream,
    /// Share of a session's working time with a latch held.
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

    /// Whether a session that gives way at work holds a latch; `working` of its time is no spinning for one.
    pub fn caught(&mut self, pid: Pid, working: f64) -> bool {
        let caught = self.stream.uniform() < self.held_share * working;
        if caught {
            self.holders.push(pid);
        }
        caught
    }

    /// When a session that works from `from` to `horizon` first asks for a latch that is held now, and whose; each is
    /// asked for at the rate `per_s`. `None`: not before the horizon.
    pub fn request(&mut self, per_s: f64, from: Ns, horizon: Ns) -> Option<(Ns, Pid)> {
        let at = self.drawn(self.holders.len() as f64 * per_s, from, horizon)?;
        Some((at, self.holders[self.stream.below(self.holders.len() as u64) as usize]))
    }

    /// As [`Latches::request`], for the one latch that became held last.
    pub fn request_for_last(&mut self, per_s: f64, from: Ns, horizon: Ns) -> Option<(Ns, Pid)> {
        let holder = *self.holders.last()?;
        Some((self.drawn(per_s, from, horizon)?, holder))
    }

    fn drawn(&mut self, rate: f64, from: Ns, horizon: Ns) -> Option<Ns> {
        if from >= horizon || rate <= 0.0 {
            return None;
        }
        let span = if horizon == Ns::MAX { f64::INFINITY } else { (horizon - from).as_s() };
        let drawn = self.stream.exponential_below(rate * span)?;
        Some(from.plus(Ns::from_s(drawn / rate)))
    }

    /// A session goes to sleep for the latch of `holder`.
    pub fn sleep(&mut self, holder: Pid, pid: Pid) {
        self.sleepers.push((holder, pid));
    }

    /// A session sleeps no longer, whatever it slept for.
    pub fn leave(&mut self, pid: Pid) {
        self.sleepers.retain(|sleeper| sleeper.1 != pid);
    }

    /// The holder works again and lets go: who wakes, in the order they went to sleep.
    pub fn release(&mut self, holder: Pid) -> Vec<Pid> {
        self.holders.retain(|&h| h != holder);
        if self.sleepers.is_empty() {
            return Vec::new();
        }
        let (woken, rest) = self.sleepers.iter().partition::<Vec<_>, _>(|s| s.0 == holder);
        self.sleepers = rest;
        woken.into_iter().map(|s| s.1).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn latches() -> Latches {
        Latches::new(Stream::new(1, 0, "test", 0, "latch"), 1.0)
    }

    #[test]
    fn all_who_sleep_for_a_latch_wake_when_it_is_let_go_and_nobody_else() {
        let mut l = latches();
        assert!(l.caught(Pid(1), 1.0) && l.caught(Pid(2), 1.0));
        for (holder, pid) in [(1, 5), (2, 6), (1, 7), (1, 4)] {
            l.sleep(Pid(holder), Pid(pid));
        }
        assert_eq!(l.release(Pid(1)), [Pid(5), Pid(7), Pid(4)], "in the order they came");
        assert_eq!((l.held(), l.release(Pid(1))), (1, vec![]));
        assert_eq!((l.release(Pid(2)), l.held()), (vec![Pid(6)], 0));
    }

    #[test]
    fn a_request_names_each_held_latch_as_often_and_comes_at_the_rate_of_all() {
        let mut l = latches();
        (0..3).for_each(|p| assert!(l.caught(Pid(p), 1.0)));
        let (from, horizon) = (Ns::from_ms(7.0), Ns::from_ms(107.0));
        let (mut each, mut within) = ([0.0f64; 3], 0.0f64);
        for _ in 0..60_000 {
            if let Some((at, holder)) = l.request(4.0, from, horizon) {
                assert!(at >= from && at < horizon);
                each[holder.i()] += 1.0;
                within += 1.0;
            }
        }
        // 1 − exp(−3 · 4 / s · 0.1 s); four standard errors of each.
        let expected = 60_000.0 * (1.0 - 0.301_194);
        assert!((within - expected).abs() < 4.0 * (60_000.0f64 * 0.7 * 0.3).sqrt(), "{within}");
        assert!(each.iter().all(|n| (n - within / 3.0).abs() < 4.0 * (within * 2.0 / 9.0).sqrt()), "{each:?}");
        assert_eq!(l.request(4.0, horizon, horizon), None);
        assert_eq!(l.request_for_last(1e9, from, Ns::MAX).map(|r| r.1), Some(Pid(2)));
    }
}
