//! Simulated time: whole nanoseconds since the start of a run.
use std::ops::{Add, AddAssign, Sub};

/// A moment or a span \[ns\]. Arithmetic that leaves the range is a fault of the caller; spans that may be
/// unbounded use [`Ns::MAX`] with [`Ns::plus`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ns(pub u64);

impl Ns {
    /// The start of a run, or no time at all.
    pub const ZERO: Ns = Ns(0);
    /// Never.
    pub const MAX: Ns = Ns(u64::MAX);

    /// From nanoseconds that are not whole, up to 2^52 of them: rounded to the nearest, a half up. As the library
    /// rounds, but for the greatest number below a half; without a call, for most processors of today have no
    /// instruction for that.
    #[inline]
    pub fn nearest(ns: f64) -> Self {
        Ns((ns + 0.5) as u64)
    }
    /// From milliseconds, rounded to the nearest nanosecond.
    pub fn from_ms(ms: f64) -> Self {
        Ns((ms * 1e6).round() as u64)
    }
    /// From microseconds, rounded to the nearest nanosecond.
    pub fn from_us(us: f64) -> Self {
        Ns((us * 1e3).round() as u64)
    }
    /// From seconds, rounded to the nearest nanosecond.
    pub fn from_s(s: f64) -> Self {
        Ns((s * 1e9).round() as u64)
    }
    /// In milliseconds.
    pub fn as_ms(self) -> f64 {
        self.0 as f64 / 1e6
    }
    /// In microseconds.
    pub fn as_us(self) -> f64 {
        self.0 as f64 / 1e3
    }
    /// In seconds.
    pub fn as_s(self) -> f64 {
        self.0 as f64 / 1e9
    }
    /// Later by `span`; never overflows.
    pub fn plus(self, span: Ns) -> Ns {
        Ns(self.0.saturating_add(span.0))
    }
    /// Earlier by `span`, not before the start.
    pub fn minus(self, span: Ns) -> Ns {
        Ns(self.0.saturating_sub(span.0))
    }
    /// The first multiple of `tick` at or after this moment; the moment itself without a tick.
    pub fn ceil_to(self, tick: Ns) -> Ns {
        if tick.0 == 0 || self == Ns::MAX {
            return self;
        }
        Ns(self.0.div_ceil(tick.0).saturating_mul(tick.0))
    }
    /// The first multiple of `tick` strictly after this moment; the moment itself without a tick.
    pub fn next_tick(self, tick: Ns) -> Ns {
        if tick.0 == 0 {
            return self;
        }
        Ns((self.0 / tick.0 + 1) * tick.0)
    }
}

impl Add for Ns {
    type Output = Ns;
    fn add(self, other: Ns) -> Ns {
        Ns(self.0 + other.0)
    }
}
impl AddAssign for Ns {
    fn add_assign(&mut self, other: Ns) {
        self.0 += other.0;
    }
}
impl Sub for Ns {
    type Output = Ns;
    fn sub(self, other: Ns) -> Ns {
        Ns(self.0 - other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_round_up_and_stay_put_on_a_tick() {
        let ms = Ns::from_ms(1.0);
        assert_eq!(Ns::from_ms(2.8).ceil_to(ms), Ns::from_ms(3.0));
        assert_eq!(Ns::from_ms(3.0).ceil_to(ms), Ns::from_ms(3.0));
        assert_eq!(Ns::from_ms(3.0).next_tick(ms), Ns::from_ms(4.0));
        assert_eq!(Ns::MAX.ceil_to(ms), Ns::MAX);
        assert_eq!(Ns(17).ceil_to(Ns::ZERO), Ns(17));
    }
}
