//! Processor sharing: all jobs progress at once and alike. With one thread a core each has the rate min(1, threads /
//! jobs); with more, jobs are spread evenly over the cores, and what the cores do with that many threads active is
//! shared out.
use super::topology::{purr, speeds};
use crate::config::NodeConfig;
use crate::ids::Pid;
use wwi_kernel::heap::Heap;
use wwi_kernel::time::Ns;

/// Bits of a key that hold the order of arrival; what is left of 128 holds the progress of nine thousand years.
const SEQUENCE_BITS: u32 = 40;

/// What a job lacks of a thread is counted in such parts, as a power of two.
pub const LACK_BITS: u32 = 40;

/// All jobs of one host. Work is in the fixed point of [`super::topology`].
#[derive(Clone, Debug)]
pub struct Fluid {
    /// Work done a nanosecond with k threads busy, k = 0.., fixed point.
    capacity: Vec<u64>,
    /// Capacity of cores that they use, as the processor utilisation resource register counts it, fixed point.
    purr: Vec<u64>,
    /// Work that each job present since the host was last empty has received. A host may never be empty, so this needs
    /// more than 64 bits: these hold five hours.
    progress: u128,
    since: Ns,
    /// Keyed by the progress at which a job is done.
    jobs: Heap<Pid>,
    sequence: u64,
    /// What the job that was done last got beyond its work, fixed point.
    pub beyond: u64,
    /// Thread time in use so far \[ns\].
    pub busy: u64,
}

impl Fluid {
    /// An empty host.
    pub fn new(config: &NodeConfig) -> Self {
        let cores = config.threads() / config.threads_per_core as usize;
        let even = |of_threads: Vec<u64>| {
            let core = |active: usize| active as u64 * of_threads[active];
            let of = |busy: usize| {
                let (each, more) = (busy / cores, busy % cores);
                let fuller = if more > 0 { more as u64 * core(each + 1) } else { 0 };
                fuller + (cores - more) as u64 * core(each)
            };
            (0..=config.threads()).map(of).collect()
        };
        Fluid {
            capacity: even(speeds(config)),
            purr: even(purr(config)),
            progress: 0,
            since: Ns::ZERO,
            jobs: Heap::default(),
            sequence: 0,
            beyond: 0,
            busy: 0,
        }
    }

    /// Up to when the host is advanced.
    pub fn since(&self) -> Ns {
        self.since
    }

    /// Work that each job gets a nanosecond, fixed point.
    pub fn rate(&self) -> u64 {
        let jobs = self.jobs.len();
        self.capacity[jobs.min(self.threads())] / jobs.max(1) as u64
    }

    /// Number of jobs.
    pub fn jobs(&self) -> usize {
        self.jobs.len()
    }

    /// Threads in use.
    pub fn in_use(&self) -> usize {
        self.threads().min(self.jobs.len())
    }

    /// What each job lacks of a thread, in parts of 2 to the power of [`LACK_BITS`], and the core capacity that it
    /// uses, fixed point.
    pub fn parts(&self) -> (u64, u64) {
        let (jobs, in_use) = (self.jobs.len().max(1) as u64, self.in_use());
        (((jobs - in_use as u64) << LACK_BITS) / jobs, self.purr[in_use] / jobs)
    }

    fn threads(&self) -> usize {
        self.capacity.len() - 1
    }

    /// Advances to now.
    pub fn advance(&mut self, now: Ns) {
        let span = now.0 - self.since.0;
        self.since = now;
        if self.jobs.is_empty() {
            self.progress = 0;
            return;
        }
        self.progress += u128::from(span) * u128::from(self.rate());
        self.busy += span * self.in_use() as u64;
    }

    /// Adds a job; the host is advanced to now.
    pub fn add(&mut self, pid: Pid, work: u64) {
        self.sequence += 1;
        self.jobs.push((self.progress + u128::from(work)) << SEQUENCE_BITS | u128::from(self.sequence), pid);
    }

    /// Takes a job that is done.
    pub fn done(&mut self) -> Option<Pid> {
        let (key, _) = self.jobs.peek()?;
        if key >> SEQUENCE_BITS > self.progress {
            return None;
        }
        self.beyond = (self.progress - (key >> SEQUENCE_BITS)) as u64;
        self.jobs.pop().map(|(_, pid)| pid)
    }

    /// When the next job is done if nothing changes.
    pub fn next_done(&self, now: Ns) -> Ns {
        self.jobs.peek().map_or(Ns::MAX, |(key, _)| {
            // No more than the work of one job, which fits.
            let left = (key >> SEQUENCE_BITS).saturating_sub(self.progress) as u64;
            now.plus(Ns(left.div_ceil(self.rate())))
        })
    }
}
