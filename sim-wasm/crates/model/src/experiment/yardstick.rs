//! A hand-written minimum of the round-robin workload, to measure the engine against: no accounting but a count, no
//! policy, no timers. Benchmarks print the ratio.
use wwi_kernel::calendar::{Calendar, Next};
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

const QUANTUM: u64 = 100_000_000;
const SWITCH: u64 = 5_000;
const MEAN: f64 = 1e9;

/// Runs `events` slice ends of `sessions` CPU-bound sessions on `cpus`; answers the transactions that ended.
pub fn round_robin(sessions: usize, cpus: usize, events: u64, seed: u64) -> u64 {
    let mut random = Stream::new(seed, 0, "yardstick", 0, "demand");
    let mut draw = || (random.exponential() * MEAN) as u64 + 1;
    let mut left: Vec<u64> = (0..sessions).map(|_| draw()).collect();
    let mut queue: std::collections::VecDeque<u32> = (cpus as u32..sessions as u32).collect();
    let mut running: Vec<u32> = (0..cpus as u32).collect();
    let mut calendar: Calendar<()> = Calendar::new(cpus);
    for (cpu, demand) in left.iter().take(cpus).enumerate() {
        calendar.set(cpu as u16, Ns((*demand).min(QUANTUM)));
    }
    let mut done = 0;
    for _ in 0..events {
        let now = calendar.next_time().0;
        let Some(Next::Slot(cpu)) = calendar.next() else { break };
        let pid = running[cpu as usize];
        let ran = left[pid as usize].min(QUANTUM - SWITCH);
        left[pid as usize] -= ran;
        if left[pid as usize] == 0 {
            left[pid as usize] = draw();
            done += 1;
        }
        queue.push_back(pid);
        let Some(next) = queue.pop_front() else { break };
        running[cpu as usize] = next;
        calendar.set(cpu, Ns(now + (left[next as usize] + SWITCH).min(QUANTUM)));
    }
    done
}
