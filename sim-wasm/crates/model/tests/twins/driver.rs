//! Feeds two run queues the same random commands, as the event loop would give them, and compares every answer.
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::host::masks::Masks;
use wwi_model::host::policy::{Ended, Next, Preempt, RunQueue, Why};
use wwi_model::ids::Pid;

/// Commands of one list.
const COMMANDS: u32 = 500;

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Asleep,
    Waiting,
    Running(usize),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Thread {
    Idle,
    /// Runs somebody whom the queue does not know.
    Foreign,
    Busy(Pid, Ns),
}

struct Driver<'a> {
    fast: &'a mut dyn RunQueue,
    slow: &'a mut dyn RunQueue,
    masks: &'a Masks,
    random: Stream,
    now: Ns,
    due: Ns,
    threads: Vec<Thread>,
    states: Vec<State>,
    last: Vec<usize>,
    log: Vec<String>,
}

/// One list of commands for processes 0.., admitted to both queues but never woken. Panics where the answers differ,
/// and where the fast one's answer is impossible.
pub fn check(
    seed: u64,
    threads: usize,
    fast: &mut dyn RunQueue,
    slow: &mut dyn RunQueue,
    processes: usize,
    masks: &Masks,
) {
    let due = fast.next_periodic(Ns::ZERO);
    let mut driver = Driver {
        fast,
        slow,
        masks,
        random: Stream::new(seed, 0, "twins", 0, "commands"),
        now: Ns::ZERO,
        due,
        threads: vec![Thread::Idle; threads],
        states: vec![State::Asleep; processes],
        last: (0..processes).map(|p| p % threads).collect(),
        log: vec![format!("seed {seed}")],
    };
    driver.last.iter_mut().enumerate().for_each(|(pid, at)| {
        *at = (0..threads).map(|t| (*at + t) % threads).find(|&t| masks.allows(Pid(pid as u32), t)).unwrap_or(*at);
    });
    for _ in 0..COMMANDS {
        driver.pass_time();
        driver.command();
        driver.compare_counts();
    }
}

impl Driver<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound as u64) as usize
    }

    fn same<T: PartialEq + std::fmt::Debug>(&mut self, command: String, fast: T, slow: T) -> T {
        let line = format!("{:>13} {command}: {fast:?}", self.now.0);
        self.log.push(line);
        if fast != slow {
            let from = self.log.len().saturating_sub(40);
            panic!("the slow one says {slow:?}\n{}", self.log[from..].join("\n"));
        }
        fast
    }

    /// Moves on by a random step: nothing at all, odd nanoseconds, to a tick of 1, 4 or 10 ms, far. Slices that end on
    /// the way end, and what is due at intervals is done.
    fn pass_time(&mut self) {
        let target = match self.below(8) {
            0 | 1 => self.now,
            2 | 3 => self.now.plus(Ns(self.random.below(900_000))),
            4 => self.now.next_tick(Ns(1_000_000)),
            5 => self.now.next_tick(Ns(4_000_000)),
            6 => self.now.next_tick(Ns(10_000_000)),
            _ => self.now.plus(Ns(self.random.below(300_000_000))),
        };
        for _ in 0..10_000 {
            let end = |t: &Thread| if let Thread::Busy(_, until) = t { *until } else { Ns::MAX };
            let (at, soonest) =
                self.threads.iter().map(end).enumerate().min_by_key(|e| e.1).expect("there is a thread");
            if soonest.min(self.due) > target {
                self.now = target;
                return;
            }
            self.now = soonest.min(self.due);
            match self.threads[at] {
                Thread::Busy(pid, until) if until == self.now => self.turn(at, Some((pid, Why::SliceExpired))),
                _ => self.periodic(),
            }
        }
        panic!("time does not pass\n{}", self.log[self.log.len() - 40..].join("\n"));
    }

    fn command(&mut self) {
        let at = self.below(self.threads.len());
        match (self.below(20), self.threads[at]) {
            (0..=6, _) => self.wake(),
            (7..=9, Thread::Busy(pid, _)) => self.turn(at, Some((pid, Why::Blocked))),
            (10, Thread::Busy(pid, _)) => self.turn(at, Some((pid, Why::Preempted))),
            (11, Thread::Busy(pid, _)) => self.put(at, pid),
            (12..=13, Thread::Busy(..)) => self.until(at),
            (7..=13, Thread::Idle | Thread::Foreign) => self.turn(at, None),
            (14..=16, Thread::Idle) => self.pull(at),
            (17, _) => self.level(),
            (18, _) => self.weakest(),
            _ => {}
        }
    }

    fn compare_counts(&mut self) {
        for at in 0..self.threads.len() {
            let (fast, slow) = (self.fast.waiting(at), self.slow.waiting(at));
            if fast != slow {
                self.same(format!("waiting {at}"), fast, slow);
            }
        }
        let (fast, slow) = (self.fast.next_periodic(self.now), self.slow.next_periodic(self.now));
        if fast != slow {
            self.same("next periodic".into(), fast, slow);
        }
    }

    fn allowed(&self, pid: usize) -> Vec<usize> {
        (0..self.threads.len()).filter(|&t| self.masks.allows(Pid(pid as u32), t)).collect()
    }

    fn asleep(&mut self) -> Option<usize> {
        let asleep: Vec<usize> = (0..self.states.len()).filter(|&p| self.states[p] == State::Asleep).collect();
        (!asleep.is_empty()).then(|| asleep[self.below(asleep.len())])
    }

    /// To an idle thread if there is one, mostly; else to where the policy would have it, or anywhere.
    fn wake(&mut self) {
        let Some(pid) = self.asleep() else { return };
        let allowed = self.allowed(pid);
        let idle = allowed.iter().copied().find(|&t| self.threads[t] == Thread::Idle);
        let kept = (self.fast.kept(Pid(pid as u32)), self.slow.kept(Pid(pid as u32)));
        let kept = self.same(format!("kept {pid}"), kept.0, kept.1);
        let at = match (idle, self.below(8)) {
            _ if kept.is_some() => kept.unwrap_or_default(),
            (_, 0) => allowed[self.below(allowed.len())],
            (Some(idle), _) => idle,
            (None, 1..=4) => self.weakest_for(pid).unwrap_or(self.last[pid]),
            (None, _) => self.last[pid],
        };
        let process = Pid(pid as u32);
        let (fast, slow) = (self.fast.wake(at, process, self.now), self.slow.wake(at, process, self.now));
        let preempt = self.same(format!("wake {pid} at {at}"), fast, slow);
        self.states[pid] = State::Waiting;
        match (self.threads[at], preempt) {
            (Thread::Idle, _) => self.turn(at, None),
            (Thread::Busy(running, _), Preempt::Now) => self.turn(at, Some((running, Why::Preempted))),
            (Thread::Busy(running, _), Preempt::Until(until)) => self.set_until(at, running, until),
            _ => {}
        }
    }

    fn set_until(&mut self, at: usize, pid: Pid, until: Ns) {
        assert!(until >= self.now, "a slice that ended before it was told\n{:?}", self.log.last());
        self.threads[at] = Thread::Busy(pid, until);
    }

    /// A turn, and what it pushes to other threads.
    fn turn(&mut self, at: usize, ended: Option<(Pid, Why)>) {
        self.one_turn(at, ended);
        for _ in 0..100 {
            let (fast, slow) = (self.fast.push(self.now), self.slow.push(self.now));
            if fast.is_none() && slow.is_none() {
                return;
            }
            if let Some(to) = self.same("push".into(), fast, slow) {
                self.look_again(to);
            }
        }
        panic!("pushes without end\n{}", self.log[self.log.len() - 40..].join("\n"));
    }

    fn one_turn(&mut self, at: usize, ended: Option<(Pid, Why)>) {
        let stay = ended.map(|(pid, why)| Ended { pid, why });
        let (fast, slow) = (self.fast.turn(at, stay, self.now), self.slow.turn(at, stay, self.now));
        let next = self.same(format!("turn {at} {ended:?}"), fast, slow);
        if let Some((pid, why)) = ended {
            self.states[pid.i()] = if why == Why::Blocked { State::Asleep } else { State::Waiting };
        }
        self.threads[at] = Thread::Idle;
        let Some(Next { pid, until }) = next else { return };
        assert_eq!(self.states[pid.i()], State::Waiting, "picked {pid:?}\n{:?}", self.log.last());
        assert!(until > self.now && self.masks.allows(pid, at), "{pid:?} until {until:?}\n{:?}", self.log.last());
        self.states[pid.i()] = State::Running(at);
        self.last[pid.i()] = at;
        self.threads[at] = Thread::Busy(pid, until);
    }

    fn look_again(&mut self, at: usize) {
        match self.threads[at] {
            Thread::Busy(pid, _) => self.one_turn(at, Some((pid, Why::Preempted))),
            Thread::Idle => self.one_turn(at, None),
            Thread::Foreign => {}
        }
    }

    fn put(&mut self, at: usize, pid: Pid) {
        let why = [Why::Blocked, Why::Preempted, Why::SliceExpired][self.below(3)];
        self.fast.put(at, Ended { pid, why }, self.now);
        self.slow.put(at, Ended { pid, why }, self.now);
        self.log.push(format!("{:>13} put {at} {pid:?} {why:?}", self.now.0));
        self.states[pid.i()] = if why == Why::Blocked { State::Asleep } else { State::Waiting };
        self.threads[at] = Thread::Foreign;
    }

    fn until(&mut self, at: usize) {
        let Thread::Busy(pid, _) = self.threads[at] else { return };
        let (fast, slow) = (self.fast.until(at, self.now), self.slow.until(at, self.now));
        let until = self.same(format!("until {at}"), fast, slow);
        self.set_until(at, pid, until);
    }

    fn pull(&mut self, to: usize) {
        let (a, b) = (self.below(self.threads.len()), self.below(self.threads.len()));
        let from = if self.below(2) == 0 { 0..self.threads.len() } else { a.min(b)..a.max(b) + 1 };
        let fast = self.fast.pull(to, from.clone(), self.now, self.masks);
        let slow = self.slow.pull(to, from.clone(), self.now, self.masks);
        if self.same(format!("pull to {to} from {from:?}"), fast, slow) {
            self.turn(to, None);
        }
    }

    fn level(&mut self) {
        let (fast, slow) = (self.fast.level(self.now, self.masks), self.slow.level(self.now, self.masks));
        for at in self.same("level".into(), fast, slow) {
            match self.threads[at] {
                Thread::Idle => self.turn(at, None),
                Thread::Busy(..) => self.until(at),
                Thread::Foreign => {}
            }
        }
    }

    fn weakest_for(&mut self, pid: usize) -> Option<usize> {
        let (process, last) = (Pid(pid as u32), self.last[pid]);
        let fast = self.fast.weakest(process, last, self.masks);
        let slow = self.slow.weakest(process, last, self.masks);
        let at = self.same(format!("weakest {pid}"), fast, slow);
        assert!(at.is_none_or(|at| self.masks.allows(process, at)), "{pid} may not run on {at:?}");
        at
    }

    fn weakest(&mut self) {
        if let Some(pid) = self.asleep() {
            self.weakest_for(pid);
        }
    }

    fn periodic(&mut self) {
        let (fast, slow) = (self.fast.periodic(self.now), self.slow.periodic(self.now));
        for at in self.same("periodic".into(), fast, slow) {
            match self.threads[at] {
                Thread::Busy(pid, _) => self.turn(at, Some((pid, Why::Preempted))),
                Thread::Idle => self.turn(at, None),
                Thread::Foreign => {}
            }
        }
        self.due = self.fast.next_periodic(self.now);
        assert!(self.due > self.now, "what is due at {:?} stays due", self.now);
    }
}
