//! Averages over time in which the past counts less and less.
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

/// Share of something that is gone after a span \[ns\], where it fades as e^(−span ÷ time); all of what takes no time.
pub fn faded(span: u64, time_ns: f64) -> f64 {
    if span == 0 {
        return 0.0;
    }
    1.0 - libm::exp(-(span as f64) / time_ns)
}

/// Log of the steps of the table of fractions of a half-life.
const STEPS_LOG: u32 = 5;

/// How much of the past still counts after a time, by a table, for what fades often. The half-life is two to the power
/// of so much \[ns\], more than 5 and less than 52.
#[derive(Clone, Debug)]
pub struct Fading<const HALF_LIFE_LOG: u32> {
    /// Powers of two to minus fractions of a half-life, and how much further down the next one is.
    powers: [(f64, f64); 1 << STEPS_LOG],
}

impl<const HALF_LIFE_LOG: u32> Default for Fading<HALF_LIFE_LOG> {
    fn default() -> Self {
        let power = |step: usize| libm::exp2(-(step as f64) / f64::from(1u32 << STEPS_LOG));
        let mut powers = [(0.0, 0.0); 1 << STEPS_LOG];
        (0..).zip(&mut powers).for_each(|(step, entry)| *entry = (power(step), power(step + 1) - power(step)));
        Fading { powers }
    }
}

impl<const HALF_LIFE_LOG: u32> Fading<HALF_LIFE_LOG> {
    /// The share that is left after so long \[ns\], within 0.01 %.
    #[inline]
    pub fn kept(&self, span: u64) -> f64 {
        let halvings = span >> HALF_LIFE_LOG;
        if halvings > 62 {
            return 0.0;
        }
        let step_log = HALF_LIFE_LOG - STEPS_LOG;
        let step = (span >> step_log) as usize % (1 << STEPS_LOG);
        let within = (span & ((1 << step_log) - 1)) as f64 * (1.0 / (1u64 << step_log) as f64);
        let (power, further) = self.powers[step];
        // Times two to the power of minus the halvings.
        (power + further * within) * f64::from_bits((1023 - halvings) << 52)
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

    #[test]
    fn the_table_follows_the_power_of_two() {
        let fading = Fading::<25>::default();
        for span in (0..400_000_000u64).step_by(1_234_567) {
            let exact = libm::exp2(-(span as f64) / f64::from(1u32 << 25));
            assert!((fading.kept(span) / exact - 1.0).abs() < 1e-4, "{span}");
        }
        assert_eq!((fading.kept(0), fading.kept(u64::MAX)), (1.0, 0.0));
    }
}
