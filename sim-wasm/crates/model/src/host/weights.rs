//! Nice values and the clock of fair scheduling.

pub use crate::config::weights::{tunable_factor, weight, NICE_0, NICE_WEIGHTS};

/// CPU time \[ns\] as virtual time of a weight, where `unit` is the weight of nice 0.
#[inline]
pub fn virtual_ns(ran: u64, weight: u64, unit: u64) -> u64 {
    if weight == unit {
        return ran;
    }
    scale(ran, unit, weight)
}

/// Virtual time \[ns\] as CPU time of a weight, rounded up.
#[inline]
pub fn real_ns(virtual_ns: u64, weight: u64, unit: u64) -> u64 {
    if weight == unit {
        return virtual_ns;
    }
    match virtual_ns.checked_mul(weight) {
        Some(product) => product.div_ceil(unit),
        None => (u128::from(virtual_ns) * u128::from(weight)).div_ceil(u128::from(unit)) as u64,
    }
}

/// `value * up / down` without overflow on the way.
#[inline]
pub fn scale(value: u64, up: u64, down: u64) -> u64 {
    match value.checked_mul(up) {
        Some(product) => product / down,
        None => (u128::from(value) * u128::from(up) / u128::from(down)) as u64,
    }
}
