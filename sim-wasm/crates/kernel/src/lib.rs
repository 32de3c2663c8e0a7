//! Discrete-event machinery without a domain word: time, calendar, random streams, histograms, statistics.
//!
//! Everything here is deterministic on every platform: whole nanoseconds, a total order of events, `libm` for
//! transcendental functions, no hash order and no clock.
pub mod arena;
pub mod bits;
pub mod calendar;
pub mod decay;
pub mod heap;
pub mod histogram;
pub mod order;
pub mod rng;
pub mod stats;
pub mod table;
pub mod time;
pub mod timers;
