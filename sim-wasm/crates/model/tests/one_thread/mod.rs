//! One hardware thread under a policy, without the rest of the model: processes that work and sleep by turns for given
//! times.
use wwi_kernel::time::Ns;
use wwi_model::host::policy::{Ended, Next, Preempt, RunQueue, Why};
use wwi_model::ids::Pid;

/// What a process does from its first wake-up on \[ms\]: pieces of work of one size, each after a rest.
#[derive(Clone, Copy, Debug)]
pub struct Habit {
    first: f64,
    work: f64,
    rest: Rest,
}

#[derive(Clone, Copy, Debug)]
enum Rest {
    /// For so long.
    Sleep(f64),
    /// Until the next piece comes; one comes at these intervals, ready or not.
    Period(f64),
}

/// Always at work from a moment on.
pub fn hog(first: f64) -> Habit {
    Habit { first, work: 1e6, rest: Rest::Sleep(1e6) }
}

/// Works and sleeps by turns.
#[allow(dead_code)]
pub fn sleeper(first: f64, work: f64, sleep: f64) -> Habit {
    Habit { first, work, rest: Rest::Sleep(sleep) }
}

/// A piece of work comes at intervals and waits its turn.
#[allow(dead_code)]
pub fn server(first: f64, work: f64, period: f64) -> Habit {
    Habit { first, work, rest: Rest::Period(period) }
}

/// (process, from, to) \[ms\].
pub type Stay = (u32, f64, f64);

pub struct OneThread<Q> {
    pub queue: Q,
    pub stays: Vec<Stay>,
    habits: Vec<Habit>,
    left: Vec<Ns>,
    pieces: Vec<f64>,
    wakes: Vec<Ns>,
    now: Ns,
    running: Option<(Pid, Ns)>,
    since: Ns,
}

impl<Q: RunQueue> OneThread<Q> {
    /// The processes, numbered from 0, are already admitted.
    pub fn new(queue: Q, habits: &[Habit]) -> Self {
        OneThread {
            queue,
            stays: Vec::new(),
            habits: habits.to_vec(),
            left: habits.iter().map(|h| Ns::from_ms(h.work)).collect(),
            pieces: vec![0.0; habits.len()],
            wakes: habits.iter().map(|h| Ns::from_ms(h.first)).collect(),
            now: Ns::ZERO,
            running: None,
            since: Ns::ZERO,
        }
    }

    fn advance(&mut self, to: Ns) {
        if let Some((pid, _)) = self.running {
            self.left[pid.i()] = self.left[pid.i()].minus(to.minus(self.now));
        }
        self.now = to;
    }

    fn turn(&mut self, why: Why) {
        let ended = self.running.take().map(|(pid, _)| pid);
        let next = self.queue.turn(0, ended.map(|pid| Ended { pid, why }), self.now);
        let goes_on = next.is_some_and(|next| Some(next.pid) == ended);
        if let Some(pid) = ended.filter(|_| !goes_on) {
            self.stays.push((pid.0, self.since.as_ms(), self.now.as_ms()));
        }
        if let Some(Next { pid, until }) = next {
            self.running = Some((pid, until));
            self.since = if goes_on { self.since } else { self.now };
        }
    }

    fn wake(&mut self, pid: Pid) {
        self.wakes[pid.i()] = Ns::MAX;
        match (self.queue.wake(0, pid, self.now), self.running) {
            (_, None) => self.turn(Why::Blocked),
            (Preempt::Now, Some(_)) => self.turn(Why::Preempted),
            (Preempt::Until(until), Some((running, _))) => self.running = Some((running, until)),
            (Preempt::No, Some(_)) => {}
        }
    }

    fn done(&mut self, pid: Pid) {
        let Habit { first, work, rest } = self.habits[pid.i()];
        self.left[pid.i()] = Ns::from_ms(work);
        self.pieces[pid.i()] += 1.0;
        let next = match rest {
            Rest::Sleep(span) => self.now.plus(Ns::from_ms(span)),
            Rest::Period(period) => Ns::from_ms(first + self.pieces[pid.i()] * period),
        };
        if next > self.now {
            self.wakes[pid.i()] = next;
            self.turn(Why::Blocked);
        }
    }

    /// Runs to a moment.
    pub fn run(&mut self, until_ms: f64) {
        let until = Ns::from_ms(until_ms);
        loop {
            let done = self.running.map_or(Ns::MAX, |(pid, _)| self.now.plus(self.left[pid.i()]));
            let slice = self.running.map_or(Ns::MAX, |(_, slice)| slice);
            let wake = self.wakes.iter().copied().min().unwrap_or(Ns::MAX);
            let periodic = self.queue.next_periodic(self.now);
            let at = done.min(slice).min(wake).min(periodic);
            if at > until {
                return self.advance(until);
            }
            self.advance(at);
            match self.running {
                Some((pid, _)) if at == done => self.done(pid),
                Some(_) if at == slice => self.turn(Why::SliceExpired),
                _ if at == wake => {
                    let pid = self.wakes.iter().position(|&w| w == at).unwrap_or(0);
                    self.wake(Pid(pid as u32));
                }
                _ => {
                    if !self.queue.periodic(at).is_empty() {
                        self.turn(Why::Preempted);
                    }
                }
            }
        }
    }

    /// Share of the time since a moment that a process ran.
    #[allow(dead_code)]
    pub fn share(&self, pid: u32, since_ms: f64) -> f64 {
        let of = |&(who, from, to): &Stay| if who == pid { (to - from.max(since_ms)).max(0.0) } else { 0.0 };
        let open = self
            .running
            .filter(|r| r.0 == Pid(pid))
            .map_or(0.0, |_| self.now.as_ms() - self.since.as_ms().max(since_ms));
        (self.stays.iter().map(of).sum::<f64>() + open) / (self.now.as_ms() - since_ms)
    }
}
