//! An average over time in which the past counts less and less.
use crate::time::Ns;

/// The share of time that something is on; what happened one half-life ago counts half.
#[derive(Clone, Copy, Debug)]
pub struct Decaying {
    average: f64,
    since: Ns,
    is_on: bool,
    half_life: Ns,
}

impl Decaying {
    /// Off since the start.
    pub fn new(half_life: Ns) -> Self {
        Decaying { average: 0.0, since: Ns::ZERO, is_on: false, half_life }
    }
    /// Notes that it goes on or off.
    pub fn set(&mut self, is_on: bool, now: Ns) {
        self.average = self.at(now);
        self.since = now;
        self.is_on = is_on;
    }
    /// The share at a moment, 0 to 1.
    pub fn at(&self, now: Ns) -> f64 {
        let kept = libm::exp2(-((now - self.since).0 as f64) / self.half_life.0 as f64);
        let target = if self.is_on { 1.0 } else { 0.0 };
        target + (self.average - target) * kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_halves_in_a_half_life_and_settles_at_the_share() {
        let mut share = Decaying::new(Ns::from_ms(32.0));
        share.set(true, Ns::ZERO);
        assert!((share.at(Ns::from_ms(32.0)) - 0.5).abs() < 1e-12);
        for ms in 0..2000 {
            share.set(ms % 4 == 0, Ns::from_ms(f64::from(ms)));
        }
        assert!((share.at(Ns::from_s(2.0)) - 0.25).abs() < 0.02);
    }
}
