//! Averages that halve every 32 periods of 1024 µs: `pelt.c`.

pub const LOAD_AVG_PERIOD: u64 = 32;
pub const LOAD_AVG_MAX: u64 = 47742;
/// A unit is 1024 ns; a period 1024 of them.
pub const UNIT_NS: u64 = 1024;

/// `runnable_avg_yN_inv`: `y^n` of `2^32 - 1`, with `y^32 = 1/2`, cut off. Worked out with 62 binary places.
pub fn runnable_avg_yn_inv(n: u64) -> u64 {
    let one: u128 = 1 << 62;
    // The fifth square root of a half is y.
    let y = (0..5).fold(one / 2, |x, _| (x * one).isqrt());
    let power = (0..n).fold(one, |x, _| x * y / one);
    (((1u128 << 32) - 1) * power / one) as u64
}

/// `decay_load`: by table, with whole halvings as shifts; nothing is left after 63 of them.
pub fn decay_load(value: u64, periods: u64) -> u64 {
    if periods > LOAD_AVG_PERIOD * 63 {
        return 0;
    }
    let halved = value >> (periods / LOAD_AVG_PERIOD);
    ((u128::from(halved) * u128::from(runnable_avg_yn_inv(periods % LOAD_AVG_PERIOD))) >> 32) as u64
}

/// `__accumulate_pelt_segments`: the rest of the first period, the whole ones, and the beginning of the last.
pub fn accumulate_pelt_segments(periods: u64, d1: u64, d3: u64) -> u64 {
    decay_load(d1, periods) + (LOAD_AVG_MAX - decay_load(LOAD_AVG_MAX, periods) - 1024) + d3
}

/// `struct sched_avg`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Avg {
    pub last_update_ns: u64,
    pub load_sum: u64,
    pub runnable_sum: u64,
    pub util_sum: u64,
    pub period_contrib: u64,
    pub load_avg: u64,
    pub runnable_avg: u64,
    pub util_avg: u64,
}

/// `accumulate_sum`: true if a period ended.
fn accumulate_sum(delta: u64, a: &mut Avg, load: u64, runnable: u64, running: bool) -> bool {
    let mut contrib = delta;
    let all = delta + a.period_contrib;
    let (periods, rest) = (all / 1024, all % 1024);
    if periods > 0 {
        a.load_sum = decay_load(a.load_sum, periods);
        a.runnable_sum = decay_load(a.runnable_sum, periods);
        a.util_sum = decay_load(a.util_sum, periods);
        if load > 0 {
            contrib = accumulate_pelt_segments(periods, 1024 - a.period_contrib, rest);
        }
    }
    a.period_contrib = rest;
    a.load_sum += load * contrib;
    a.runnable_sum += (runnable * contrib) << 10;
    a.util_sum += (u64::from(running) * contrib) << 10;
    periods > 0
}

/// `___update_load_sum`: time in whole units only; nothing runs where there is no load.
fn update_load_sum(now_ns: u64, a: &mut Avg, load: u64, runnable: u64, running: bool) -> bool {
    let delta = now_ns.saturating_sub(a.last_update_ns) / UNIT_NS;
    if delta == 0 {
        return false;
    }
    a.last_update_ns += delta * UNIT_NS;
    let (runnable, running) = if load == 0 { (0, false) } else { (runnable, running) };
    accumulate_sum(delta, a, load, runnable, running)
}

/// `___update_load_avg` with `get_pelt_divider`: the period that is not over counts only as far as it has come.
fn update_load_avg(a: &mut Avg, load: u64) {
    let divider = LOAD_AVG_MAX - 1024 + a.period_contrib;
    a.load_avg = load * a.load_sum / divider;
    a.runnable_avg = a.runnable_sum / divider;
    a.util_avg = a.util_sum / divider;
}

/// `__update_load_avg_se`: a task's. Averages change only when a period has ended. The clock is `clock_pelt`: at full
/// speed on a full CPU it is the time itself.
pub fn update_load_avg_se(now_ns: u64, a: &mut Avg, weight: u64, on_rq: bool, running: bool) -> bool {
    let ended = update_load_sum(now_ns, a, u64::from(on_rq), u64::from(on_rq), running);
    if ended {
        update_load_avg(a, weight);
    }
    ended
}

/// `__update_load_avg_cfs_rq`: a queue's; `weight` is the sum of those on it, `nr` is `h_nr_running`.
pub fn update_load_avg_cfs_rq(now_ns: u64, a: &mut Avg, weight: u64, nr: u64, running: bool) -> bool {
    let ended = update_load_sum(now_ns, a, weight, nr, running);
    if ended {
        update_load_avg(a, 1);
    }
    ended
}

/// `update_rt_rq_load_avg`: the part of the time real-time tasks run.
pub fn update_rt_rq_load_avg(now_ns: u64, a: &mut Avg, running: bool) -> bool {
    let on = u64::from(running);
    let ended = update_load_sum(now_ns, a, on, on, running);
    if ended {
        update_load_avg(a, 1);
    }
    ended
}
