//! What nice values weigh, and how tunables are scaled, where queues are fair.

/// Load weights of nice -20 to 19: 1024 at nice 0, a factor of about 1.25 a step (Linux, `sched_prio_to_weight`).
pub const NICE_WEIGHTS: [u64; 40] = [
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904, 3906, 3121, 2501,
    1991, 1586, 1277, 1024, 820, 655, 526, 423, 335, 272, 215, 172, 137, 110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
];

/// Weight of a process at nice 0.
pub const NICE_0: u64 = 1024;

/// Weight of a nice value; values outside -20..=19 count as the nearest.
pub fn weight(nice: i32) -> u64 {
    NICE_WEIGHTS[(nice.clamp(-20, 19) + 20) as usize]
}

/// By how much the kernel scales its tunables: 1 + floor(log2(min(CPUs, 8))) (Linux, `SCHED_TUNABLESCALING_LOG`).
pub fn tunable_factor(cpus: usize) -> u64 {
    1 + u64::from(cpus.clamp(1, 8).ilog2())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tunables_scale_with_the_logarithm_up_to_eight_cpus() {
        let factors: Vec<u64> = [1, 2, 3, 4, 7, 8, 128].map(tunable_factor).into();
        assert_eq!(factors, [1, 2, 2, 3, 3, 4, 4]);
    }
}
