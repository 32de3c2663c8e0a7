//! How much of its weight a group's entity counts for on each CPU (`se->avg.load_sum` by its maximum) beside a naive
//! twin: from `update_tg_cfs_load` and who calls for it in `kernel/sched/fair.c`, and worked anew from the first
//! moment for every question.
//!
//! Left out on both sides: the whole numbers, the steps of 1.024 ms, and the floor from utilisation ("runnable_sum
//! can't be lower than running_sum"). And who wakes elsewhere is taken off its old CPU at once: `removed` of the text
//! waits until that queue is brought up to date next, and forgets whose average is less than one of 1024.
use crate::{Process, GROUP, HALF_LIFE, MS, ONE};
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::host::shares::{Own, Rule, Shares};

/// What fades is from a table in production that is right within 0.01 % a reading. A presence and every process's share
/// of time may be off by a few readings of their whole: what was read earlier fades.
pub const NEAR: f64 = 3e-4;

/// What happens to the entity of a group on a CPU.
#[derive(Clone, Copy)]
enum Event {
    /// `se->on_rq`.
    Stands(bool),
    /// A process is attached that was queued for this share of time: "add runnable; clip".
    Joined(f64),
    /// One is detached: "all tasks equally runnable" of those still queued makes this, "not to inflate"; and this
    /// production may be off.
    Left(f64, f64),
}

/// A group: the past of its processes, and of its entity on each CPU.
struct Naive {
    cpus: Vec<Vec<(u64, Event)>>,
    processes: Vec<Process>,
    /// The weights of those that were detached from each CPU, and when.
    taken: Vec<Vec<(u64, u64)>>,
}

fn kept(since: u64, now: u64) -> f64 {
    (-((now - since) as f64) / HALF_LIFE).exp2()
}

impl Naive {
    fn new(cpus: usize) -> Self {
        Naive { cpus: vec![Vec::new(); cpus], processes: Vec::new(), taken: vec![Vec::new(); cpus] }
    }
    /// At least and at most: what is in doubt when one leaves stays so until it has faded.
    fn presence(&self, at: usize, now: u64) -> [f64; 2] {
        let (mut presence, mut stands, mut since) = ([0.0, 0.0], false, 0);
        for &(when, event) in self.cpus[at].iter().chain(&[(now, Event::Stands(true))]) {
            let kept = kept(since, when);
            presence = presence.map(|presence: f64| presence * kept + if stands { 1.0 - kept } else { 0.0 });
            since = when;
            match event {
                Event::Stands(on) => stands = on,
                Event::Joined(share) => presence = presence.map(|presence| (presence + share).min(1.0)),
                Event::Left(share, by) => {
                    presence = [presence[0].min((share - by).max(0.0)), presence[1].min(share + by)];
                }
            }
        }
        presence
    }
    fn stand(&mut self, at: usize, stands: bool, now: u64) {
        self.cpus[at].push((now, Event::Stands(stands)));
    }
    /// `load.weight` of the group's queue.
    fn queued(&self, at: usize) -> u64 {
        self.processes.iter().filter(|p| p.home == at && p.is_queued()).map(|p| p.weight).sum()
    }
    /// `attach_entity_load_avg`, and up.
    fn join(&mut self, process: usize, to: usize, now: u64) {
        self.processes[process].home = to;
        let of = &self.processes[process];
        let share = of.average(now) / of.weight as f64;
        self.cpus[to].push((now, Event::Joined(share)));
    }
    /// `detach_entity_load_avg` or `remove_entity_load_avg`, and up: that only looks when the process is off the queue.
    fn leave(&mut self, process: usize, now: u64) {
        let from = std::mem::replace(&mut self.processes[process].home, usize::MAX);
        self.taken[from].push((now, self.processes[process].weight));
        let here = || self.processes.iter().filter(|p| p.home == from);
        let load: f64 = here().map(|p| p.average(now)).sum();
        // A little of the heavy that left is much beside the light that stay.
        let weight = here().map(|p| p.weight).sum::<u64>() as f64
            + self.taken[from].iter().map(|&(when, weight)| weight as f64 * kept(when, now)).sum::<f64>();
        let (share, by) = match self.queued(from) as f64 {
            0.0 => (0.0, 0.0),
            queued => (load / queued, NEAR * weight / queued),
        };
        self.cpus[from].push((now, Event::Left(share, by)));
    }
    /// A new process is queued.
    fn start(&mut self, weight: u64, to: usize, now: u64) {
        self.processes.push(Process { weight, born: now, past: vec![(now, true)], home: to });
        self.join(self.processes.len() - 1, to, now);
    }
    fn wake(&mut self, process: usize, to: usize, now: u64) {
        if self.processes[process].home != to {
            self.leave(process, now);
            self.join(process, to, now);
        }
        self.processes[process].past.push((now, true));
    }
    fn sleep(&mut self, process: usize, now: u64) {
        self.processes[process].past.push((now, false));
    }
}

/// Both groups, their processes, and what a root queue does with the entities.
struct Both {
    random: Stream,
    shares: Shares,
    own: Vec<Own>,
    naive: Naive,
    now: u64,
    stands: Vec<bool>,
    /// When the entity leaves the root queue, after the last process of the group.
    leaves: Vec<Option<u64>>,
}

impl Both {
    fn new(seed: u64) -> Self {
        let cpus = 2 + seed as usize % 3;
        Both {
            random: Stream::new(seed, 0, "shares", 0, "presence"),
            shares: Shares::new([GROUP, GROUP / 100, 30 * GROUP][seed as usize / 3 % 3], cpus, Rule::Linux67),
            own: Vec::new(),
            naive: Naive::new(cpus),
            now: 0,
            stands: vec![false; cpus],
            leaves: vec![None; cpus],
        }
    }
    fn below(&mut self, end: u64) -> u64 {
        self.random.below(end)
    }
    fn stand(&mut self, at: usize, stands: bool, now: u64) {
        self.shares.stand(at, stands, Ns(now));
        self.naive.stand(at, stands, now);
        self.stands[at] = stands;
        self.leaves[at] = None;
    }
    /// Time passes, and the entities leave that are due.
    fn pass(&mut self) {
        let spans = [0, self.below(300_000), self.below(5 * MS), self.below(60 * MS), self.below(2000 * MS)];
        self.now += spans[[0, 1, 2, 3, 3, 3, 3, 4][self.below(8) as usize]];
        let mut due: Vec<(u64, usize)> =
            self.leaves.iter().enumerate().filter_map(|(at, when)| when.map(|when| (when, at))).collect();
        due.retain(|d| d.0 <= self.now);
        due.sort_unstable();
        due.into_iter().for_each(|(when, at)| self.stand(at, false, when));
    }
    /// The last of the group has left, perhaps: its entity follows at once or later.
    fn left(&mut self, at: usize) {
        if self.naive.queued(at) == 0 {
            match self.below(3) {
                0 => self.stand(at, false, self.now),
                1 => self.leaves[at] = Some(self.now + self.below(3 * MS)),
                _ => self.leaves[at] = Some(self.now + self.below(100 * MS)),
            }
        }
    }
    /// A process is queued, and its group's entity with the first, before or after it.
    fn add(&mut self, of: usize, to: usize, to_naive: impl FnOnce(&mut Naive, u64)) {
        let (is_first, is_before) = (self.naive.queued(to) == 0, self.below(2) == 0);
        if is_first && is_before {
            self.stand(to, true, self.now);
        }
        self.shares.add(&mut self.own[of], to, Ns(self.now));
        to_naive(&mut self.naive, self.now);
        if is_first && !is_before {
            self.stand(to, true, self.now);
        }
    }
    /// Something happens to a random process, or nothing.
    fn change(&mut self, processes: usize) {
        let (now, to) = (self.now, self.below(self.stands.len() as u64) as usize);
        let of = self.below(processes as u64) as usize;
        match self.naive.processes.get(of).map(|process| (process.home, process.is_queued())) {
            None => {
                let weight = [15, 335, ONE, 3121, 9548][self.below(5) as usize];
                let of = self.own.len();
                self.own.push(Own::new(weight));
                self.add(of, to, |naive, now| naive.start(weight, to, now));
            }
            Some((home, false)) => {
                let to = if self.below(2) == 0 { home } else { to };
                self.add(of, to, |naive, now| naive.wake(of, to, now));
            }
            Some((home, true)) if self.below(2) == 0 => {
                self.shares.remove(&mut self.own[of], home, false, Ns(now));
                self.naive.sleep(of, now);
                self.left(home);
            }
            Some((home, true)) if home != to => {
                self.shares.remove(&mut self.own[of], home, true, Ns(now));
                self.naive.leave(of, now);
                self.left(home);
                self.add(of, to, |naive, now| naive.join(of, to, now));
            }
            Some(_) => {}
        }
        // Who is asked for its weight is brought up to date on the way.
        if self.naive.queued(to) > 0 && self.below(3) == 0 {
            self.shares.of(to, Ns(now));
        }
    }
    fn compare(&self) -> Result<(), String> {
        (0..self.stands.len()).try_for_each(|at| {
            let (fast, [low, high]) = (self.shares.presence(at, Ns(self.now)), self.naive.presence(at, self.now));
            let is_right = (low - NEAR..=high + NEAR).contains(&fast) && (0.0..=1.0).contains(&fast);
            is_right.then_some(()).ok_or_else(|| format!("at {}: CPU {at}: {fast}, not {low} to {high}", self.now))
        })
    }
}

/// A list of random changes and questions.
fn list(seed: u64) -> Result<(), String> {
    let mut both = Both::new(seed);
    let processes = 1 + seed as usize / 3 % 6;
    (0..200).try_for_each(|_| {
        both.pass();
        both.compare()?;
        both.change(processes);
        both.compare()
    })
}

#[test]
fn presence_is_that_of_the_naive_twin() {
    let wrong: Vec<String> =
        (0..400).filter_map(|seed| list(seed).err().map(|wrong| format!("seed {seed} {wrong}"))).collect();
    assert!(wrong.is_empty(), "{} lists\n{}", wrong.len(), wrong[..wrong.len().min(10)].join("\n"));
}
