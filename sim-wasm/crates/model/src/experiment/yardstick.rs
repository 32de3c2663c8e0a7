//! Hand-written minima of what the engine simulates, to measure it against: no policy, no timers. Benchmarks print the
//! ratios.
//!
//! Two of them for round robin: with the engine's calendar and draws, which gets faster as these do, and with those of
//! the standard library, which stays what it is, so that ratios of different days can be compared.
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use wwi_kernel::calendar::{Calendar, Next, Phase};
use wwi_kernel::histogram::Histogram;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

const QUANTUM: u64 = 100_000_000;
const SWITCH: u64 = 5_000;
const MEAN: f64 = 1e9;
/// Utilisation of the open queue.
const LOAD: f64 = 0.9;

/// What a minimum keeps of what happens.
trait Books {
    /// A process was put in the queue, or taken from it to run, on one of the CPUs.
    fn queued(&mut self, pid: u32, now: u64);
    fn runs(&mut self, pid: u32, now: u64);
    /// A turn of so much work is over; a transaction is, too.
    fn ran(&mut self, pid: u32, cpu: u16, work: u64);
    fn ended(&mut self, pid: u32, now: u64);
}

/// Nothing but a count.
struct Bare;

impl Books for Bare {
    fn queued(&mut self, _: u32, _: u64) {}
    fn runs(&mut self, _: u32, _: u64) {}
    fn ran(&mut self, _: u32, _: u16, _: u64) {}
    fn ended(&mut self, _: u32, _: u64) {}
}

/// What the engine keeps of each process and CPU, ledger apart: time in two activities with the lengths of their stays,
/// busy time, work, and how long transactions took.
struct Kept {
    since: Vec<u64>,
    began: Vec<u64>,
    time: [u64; 2],
    stays: [Histogram; 2],
    busy: Vec<u64>,
    work: u128,
    response: Histogram,
}

impl Kept {
    fn new(sessions: usize, cpus: usize) -> Kept {
        Kept {
            since: vec![0; sessions],
            began: vec![0; sessions],
            time: [0; 2],
            stays: [Histogram::default(), Histogram::default()],
            busy: vec![0; cpus],
            work: 0,
            response: Histogram::default(),
        }
    }

    fn stay(&mut self, pid: u32, activity: usize, now: u64) {
        let since = std::mem::replace(&mut self.since[pid as usize], now);
        self.time[activity] += now - since;
        self.stays[activity].record(Ns(now - since));
    }

    /// So that nothing of it may be left out.
    fn sum(&self) -> u64 {
        let stays: u64 = self.stays.iter().map(Histogram::count).sum();
        stays ^ self.time[0] ^ self.time[1] ^ self.busy.iter().sum::<u64>() ^ self.work as u64 ^ self.response.sum()
    }
}

impl Books for Kept {
    fn queued(&mut self, pid: u32, now: u64) {
        self.stay(pid, 0, now);
    }
    fn runs(&mut self, pid: u32, now: u64) {
        self.stay(pid, 1, now);
    }
    fn ran(&mut self, _: u32, cpu: u16, work: u64) {
        self.busy[cpu as usize] += work + SWITCH;
        self.work += u128::from(work) << 20;
    }
    fn ended(&mut self, pid: u32, now: u64) {
        let began = std::mem::replace(&mut self.began[pid as usize], now);
        self.response.record(Ns(now - began));
    }
}

/// Runs `events` ends of turns of `sessions` CPU-bound sessions on `cpus`; answers the transactions that ended.
pub fn round_robin(sessions: usize, cpus: usize, events: u64, seed: u64) -> u64 {
    turns((sessions, cpus, QUANTUM), events, seed, &mut Bare)
}

/// The same with the books that the engine keeps; answers something of all of them.
pub fn round_robin_with_books(sessions: usize, cpus: usize, events: u64, seed: u64) -> u64 {
    let mut kept = Kept::new(sessions, cpus);
    turns((sessions, cpus, QUANTUM), events, seed, &mut kept) ^ kept.sum()
}

/// The same without turns: each runs until its transaction ends.
pub fn first_in_first_out(sessions: usize, cpus: usize, events: u64, seed: u64) -> u64 {
    turns((sessions, cpus, u64::MAX), events, seed, &mut Bare)
}

fn turns((sessions, cpus, quantum): (usize, usize, u64), events: u64, seed: u64, books: &mut impl Books) -> u64 {
    let mut random = Stream::new(seed, 0, "yardstick", 0, "demand");
    let mut draw = || (random.exponential() * MEAN) as u64 + 1;
    let mut left: Vec<u64> = (0..sessions).map(|_| draw()).collect();
    let mut queue: VecDeque<u32> = (cpus as u32..sessions as u32).collect();
    let mut running: Vec<u32> = (0..cpus as u32).collect();
    let mut calendar: Calendar<()> = Calendar::new(cpus);
    for (cpu, demand) in left.iter().take(cpus).enumerate() {
        calendar.set(cpu as u16, Ns((*demand).min(quantum)));
    }
    let mut done = 0;
    for _ in 0..events {
        let now = calendar.next_time().0;
        let Some(Next::Slot(cpu)) = calendar.next() else { break };
        let pid = running[cpu as usize];
        let ran = left[pid as usize].min(quantum - SWITCH);
        left[pid as usize] -= ran;
        books.ran(pid, cpu, ran);
        if left[pid as usize] == 0 {
            left[pid as usize] = draw();
            books.ended(pid, now);
            done += 1;
        }
        books.queued(pid, now);
        queue.push_back(pid);
        let Some(next) = queue.pop_front() else { break };
        running[cpu as usize] = next;
        books.runs(next, now);
        calendar.set(cpu, Ns(now + left[next as usize].saturating_add(SWITCH).min(quantum)));
    }
    done
}

/// Round robin with nothing of the engine but its random words: the library's heap of ends of turns, by time and then
/// order, and the platform's logarithm. Answers the transactions that ended.
pub fn round_robin_of_std(sessions: usize, cpus: usize, events: u64, seed: u64) -> u64 {
    let mut random = Stream::new(seed, 0, "yardstick", 0, "demand");
    #[expect(clippy::disallowed_methods, reason = "nothing that is reported depends on its last bit")]
    let mut draw = || (-(1.0 - random.uniform()).ln() * MEAN) as u64 + 1;
    let mut left: Vec<u64> = (0..sessions).map(|_| draw()).collect();
    let mut queue: VecDeque<u32> = (cpus as u32..sessions as u32).collect();
    let mut running: Vec<u32> = (0..cpus as u32).collect();
    let mut ends: BinaryHeap<Reverse<(u64, u64, u16)>> =
        (0..cpus as u16).map(|cpu| Reverse((left[cpu as usize].min(QUANTUM), u64::from(cpu), cpu))).collect();
    let mut done = 0;
    for event in 0..events {
        let Some(mut first) = ends.peek_mut() else { break };
        let Reverse((now, _, cpu)) = *first;
        let pid = running[cpu as usize] as usize;
        left[pid] -= left[pid].min(QUANTUM - SWITCH);
        if left[pid] == 0 {
            left[pid] = draw();
            done += 1;
        }
        queue.push_back(pid as u32);
        let Some(next) = queue.pop_front() else { break };
        running[cpu as usize] = next;
        *first = Reverse((now + (left[next as usize] + SWITCH).min(QUANTUM), cpus as u64 + event, cpu));
    }
    done
}

/// Runs `events` arrivals and departures of a queue with Poisson arrivals in front of `cpus`, at nine tenths of what
/// they do: an event of the calendar each; answers the departures.
pub fn open(cpus: usize, events: u64, seed: u64) -> u64 {
    let mut arrivals = Stream::new(seed, 0, "yardstick", 0, "arrivals");
    let mut demands = Stream::new(seed, 0, "yardstick", 0, "demand");
    let gap = MEAN / (LOAD * cpus as f64);
    let mut queue: VecDeque<u64> = VecDeque::new();
    let mut free: Vec<u16> = (0..cpus as u16).rev().collect();
    let mut calendar: Calendar<()> = Calendar::new(cpus);
    calendar.schedule(Ns(0), Phase::Dispatch, ());
    let mut done = 0;
    for _ in 0..events {
        let now = calendar.next_time().0;
        let cpu = match calendar.next() {
            None => break,
            Some(Next::Slot(cpu)) => {
                done += 1;
                cpu
            }
            Some(Next::Timer(())) => {
                calendar.schedule(Ns(now + (arrivals.exponential() * gap) as u64 + 1), Phase::Dispatch, ());
                queue.push_back((demands.exponential() * MEAN) as u64 + 1);
                let Some(cpu) = free.pop() else { continue };
                cpu
            }
        };
        match queue.pop_front() {
            Some(demand) => calendar.set(cpu, Ns(now + demand)),
            None => {
                calendar.set(cpu, Ns::MAX);
                free.push(cpu);
            }
        }
    }
    done
}
