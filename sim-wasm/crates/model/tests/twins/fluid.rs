//! Processor sharing as a list of jobs, each with the work it still has.
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::config::NodeConfig;
use wwi_model::host::fluid::Fluid;
use wwi_model::host::topology::speeds;
use wwi_model::ids::Pid;
use wwi_model::testing::node;

struct Slow {
    node: NodeConfig,
    /// In order of arrival; work that it still has, below zero once it got more than it asked for.
    jobs: Vec<(Pid, i128)>,
    now: Ns,
    busy: u64,
}

impl Slow {
    /// Deals the jobs out to the cores, one at a time to the emptiest; what all cores do, shared by all jobs.
    fn rate(&self) -> i128 {
        let (threads, per_core) = (self.node.threads(), self.node.threads_per_core as usize);
        let mut cores = vec![0usize; threads / per_core];
        for _ in 0..self.jobs.len().min(threads) {
            *cores.iter_mut().min().expect("a core") += 1;
        }
        let all: u64 = cores.iter().map(|&active| active as u64 * speeds(&self.node)[active]).sum();
        i128::from(all) / self.jobs.len().max(1) as i128
    }

    fn advance(&mut self, now: Ns) {
        let (span, rate) = ((now - self.now).0, self.rate());
        self.jobs.iter_mut().for_each(|job| job.1 -= i128::from(span) * rate);
        self.busy += span * self.jobs.len().min(self.node.threads()) as u64;
        self.now = now;
    }

    /// Of the jobs that are done, the one that was due first; of equals the one that came first.
    fn done(&mut self) -> Option<Pid> {
        let least = self.jobs.iter().map(|job| job.1).min().filter(|&left| left <= 0)?;
        let place = self.jobs.iter().position(|job| job.1 == least)?;
        Some(self.jobs.remove(place).0)
    }

    fn next_done(&self) -> Ns {
        let least = self.jobs.iter().map(|job| job.1.max(0)).min();
        least.map_or(Ns::MAX, |left| self.now + Ns(((left + self.rate() - 1) / self.rate()) as u64))
    }
}

/// Jobs come at random; all that is answered at every arrival and completion must agree.
fn check(seed: u64, node: NodeConfig) {
    let mut random = Stream::new(seed, 0, "twins", 0, "fluid");
    let mut fast = Fluid::new(&node);
    let mut slow = Slow { node, jobs: Vec::new(), now: Ns::ZERO, busy: 0 };
    for number in 0..500 {
        let arrival = slow.now + Ns(random.below(40_000_000));
        while slow.next_done() <= arrival {
            let now = slow.next_done();
            assert_eq!(fast.next_done(slow.now), now, "seed {seed}");
            fast.advance(now);
            slow.advance(now);
            while let Some(pid) = slow.done() {
                assert_eq!(fast.done(), Some(pid), "seed {seed} at {now:?}");
            }
            assert_eq!(fast.done(), None);
        }
        fast.advance(arrival);
        slow.advance(arrival);
        assert_eq!((fast.since(), fast.busy), (slow.now, slow.busy), "seed {seed}");
        // Now and then two that are done at once, or one without work.
        let work = [random.below(100_000_000), 30_000_000, 30_000_000, 0][random.below(4) as usize] << 20;
        fast.add(Pid(number), work);
        slow.jobs.push((Pid(number), i128::from(work)));
    }
}

#[test]
fn processor_sharing() {
    for seed in 0..500 {
        let (cores, per_core) = [(1, 1), (4, 1), (2, 2), (4, 2), (8, 1)][seed as usize % 5];
        check(seed, NodeConfig { cores_per_socket: cores, threads_per_core: per_core, ..node() });
    }
}
