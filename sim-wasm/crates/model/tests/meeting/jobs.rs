//! Runs a network of queues, devices, locks and a link with a small calendar, whoever built them. After every
//! event: order kept, work conserved, holders that go together; in the end nothing lost and all quiet.
use crate::alike::{Figures, Line, Rooms, Server, Table, Tally, Wire};
use crate::lock::together;
use crate::network::Plan;
use std::collections::VecDeque;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::ids::Pid;
use wwi_model::meet::device::Started;
use wwi_model::meet::lock::{Answer, Mode};

/// When, what, who or which, and a figure of it.
pub type Trace = Vec<(Ns, &'static str, usize, u64)>;

#[derive(Clone, Copy, Debug)]
enum Event {
    Comes(u32),
    Arrives(usize, u32),
    Done(usize, u32),
    /// A worker goes on, if this is still its wait.
    Resume(usize),
    TimeOut(usize, u64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Fetch,
    /// So many locks are held.
    Lock(usize),
    Serve,
    Ship,
}

struct Worker {
    station: usize,
    step: Step,
    /// How many jobs it wants now.
    least: u32,
    /// Jobs and when they were taken.
    jobs: VecDeque<(u32, Ns)>,
    waits: bool,
    was_woken: bool,
    /// Number of its wait; a time-out of another is void.
    wait: u64,
}

struct Network<'a, R: Rooms> {
    plan: &'a Plan,
    tally: &'a mut Tally,
    lines: Vec<R::Line>,
    servers: Vec<R::Server>,
    table: R::Table,
    wire: R::Wire,
    calendar: Vec<(Ns, u64, Event)>,
    events: u64,
    random: Stream,
    now: Ns,
    workers: Vec<Worker>,
    trace: Trace,
    /// What is in each queue, as it was put.
    inside: Vec<VecDeque<(u32, Ns)>>,
    /// Of each device: what waits, and what is in service (slot, worker).
    queued: Vec<VecDeque<u32>>,
    in_service: Vec<Vec<(u32, u32)>>,
    last_arrival: Ns,
    came: Vec<Ns>,
    finished: Vec<u32>,
    /// Time of jobs in the network, and in the hands of workers.
    stayed: u128,
    carried: u128,
}

/// The trace of a network until all is quiet, and all sums.
pub fn run<R: Rooms>(plan: &Plan, tally: &mut Tally) -> (Trace, Vec<Figures>) {
    let stream = |at: usize| Stream::new(plan.seed, 0, "meeting", at as u64, "network service");
    let servers = plan.devices.iter().enumerate().map(|(at, d)| R::server(d.0, d.1, stream(at))).collect();
    let worker = |station: usize| Worker {
        station,
        step: Step::Fetch,
        least: plan.stations[station].least,
        jobs: VecDeque::new(),
        waits: false,
        was_woken: false,
        wait: 0,
    };
    let stations = 0..plan.stations.len();
    let mut network = Network::<R> {
        plan,
        tally,
        lines: plan.stations.iter().map(|s| R::line(s.capacity)).collect(),
        servers,
        table: R::table(plan.locks),
        wire: R::wire(plan.latency, plan.bytes_per_s),
        calendar: Vec::new(),
        events: 0,
        random: Stream::new(plan.seed, 0, "meeting", 0, "network"),
        now: Ns(0),
        workers: stations.flat_map(|s| (0..plan.stations[s].workers).map(move |_| s)).map(worker).collect(),
        trace: Vec::new(),
        inside: vec![VecDeque::new(); plan.stations.len()],
        queued: vec![VecDeque::new(); plan.devices.len()],
        in_service: vec![Vec::new(); plan.devices.len()],
        last_arrival: Ns(0),
        came: Vec::new(),
        finished: Vec::new(),
        stayed: 0,
        carried: 0,
    };
    network.all();
    network.is_quiet();
    let figures = network.figures();
    (network.trace, figures)
}

impl<R: Rooms> Network<'_, R> {
    fn below(&mut self, bound: u64) -> Ns {
        Ns(self.random.below(bound))
    }

    fn at(&mut self, time: Ns, event: Event) {
        self.calendar.push((time, self.events, event));
        self.events += 1;
    }

    fn note(&mut self, what: &'static str, who: usize, figure: u64) {
        self.trace.push((self.now, what, who, figure));
    }

    fn all(&mut self) {
        let mut comes = Ns(0);
        for job in 0..self.plan.jobs {
            comes += self.below(self.plan.gap);
            self.came.push(comes);
            self.at(comes, Event::Comes(job));
        }
        (0..self.workers.len()).for_each(|worker| self.at(Ns(0), Event::Resume(worker)));
        for _ in 0..200_000 {
            let soonest = (0..self.calendar.len()).min_by_key(|&at| (self.calendar[at].0, self.calendar[at].1));
            let Some(at) = soonest else { return };
            let (time, _, event) = self.calendar.remove(at);
            self.now = time;
            self.act(event);
            self.laws();
        }
        panic!("network {} never ends: {:?}", self.plan.seed, &self.trace[self.trace.len() - 40..]);
    }

    fn act(&mut self, event: Event) {
        match event {
            Event::Comes(job) => self.put(0, job),
            Event::Arrives(station, job) => self.put(station, job),
            Event::Done(device, slot) => self.done(device, slot),
            Event::Resume(worker) => self.advance(worker),
            Event::TimeOut(worker, wait) => self.time_out(worker, wait),
        }
    }

    fn put(&mut self, station: usize, job: u32) {
        self.note("put", station, u64::from(job));
        self.inside[station].push_back((job, self.now));
        let mut woken = Vec::new();
        self.lines[station].put(job, self.now, &mut woken);
        self.wake(&woken);
    }

    /// Each goes on after a delay of its own, so that they may come in another order.
    fn wake(&mut self, woken: &[Pid]) {
        for pid in woken {
            self.go_on(pid.i());
        }
    }

    fn go_on(&mut self, at: usize) {
        self.note("woken", at, 0);
        let worker = &mut self.workers[at];
        assert!(worker.waits, "worker {at} is woken, but does not wait");
        (worker.waits, worker.was_woken, worker.wait) = (false, true, worker.wait + 1);
        let delay = self.below(self.plan.dispatch);
        self.at(self.now + delay, Event::Resume(at));
    }

    /// A worker waits, perhaps not for ever.
    fn waits(&mut self, at: usize, gives_up: bool) {
        self.note("waits", at, self.workers[at].wait);
        self.workers[at].waits = true;
        if gives_up {
            let patience = Ns(self.plan.patience) + self.below(self.plan.patience);
            self.at(self.now + patience, Event::TimeOut(at, self.workers[at].wait));
        }
    }

    fn advance(&mut self, at: usize) {
        loop {
            let goes_on = match self.workers[at].step {
                Step::Fetch => self.fetch(at),
                Step::Lock(held) => self.lock(at, held),
                Step::Serve => false,
                Step::Ship => self.ship(at),
            };
            if !goes_on {
                return;
            }
        }
    }

    fn fetch(&mut self, at: usize) -> bool {
        let Worker { station, least, was_woken, .. } = self.workers[at];
        let (line, pid) = (&mut self.lines[station], Pid(at as u32));
        self.workers[at].was_woken = false;
        let holds = match was_woken {
            true => line.again_items(pid, least, self.now),
            false => line.await_items(pid, least, self.now),
        };
        if !holds {
            if was_woken {
                self.tally.saw("woken in vain");
            }
            self.waits(at, least > 1);
            return false;
        }
        for _ in 0..least {
            let mut woken = Vec::new();
            let taken = self.lines[station].take(self.now, &mut woken);
            assert_eq!(taken, self.inside[station].pop_front(), "network {}: order of a queue", self.plan.seed);
            let job = taken.expect("there are enough").0;
            self.note("take", station, u64::from(job));
            self.workers[at].jobs.push_back((job, self.now));
            self.wake(&woken);
        }
        self.workers[at].least = self.plan.stations[station].least;
        self.workers[at].step = Step::Lock(0);
        true
    }

    fn lock(&mut self, at: usize, held: usize) -> bool {
        if std::mem::take(&mut self.workers[at].was_woken) {
            self.workers[at].step = Step::Lock(held + 1);
            return true;
        }
        let Some(&(lock, mode)) = self.plan.stations[self.workers[at].station].locks.get(held) else {
            self.submit(at);
            return false;
        };
        let mut wanted = Vec::new();
        let answer = self.table.request(lock, at as u32, mode, self.now, &mut wanted);
        self.note(["granted", "waits for lock", "refused"][answer as usize], at, u64::from(lock));
        wanted.iter().for_each(|&owner| self.note("is asked for its lock", owner as usize, u64::from(lock)));
        match answer {
            Answer::Granted => self.workers[at].step = Step::Lock(held + 1),
            Answer::Waits => {
                self.tally.saw("waits for a lock");
                let gives_up = self.random.below(2) == 0;
                self.waits(at, gives_up);
            }
            Answer::Refused => {
                self.tally.saw("refused a lock");
                self.start_over(at);
            }
        }
        answer == Answer::Granted
    }

    /// Gives all locks back, and tries again later.
    fn start_over(&mut self, at: usize) {
        self.unlock(at);
        self.workers[at].step = Step::Lock(0);
        let pause = self.below(self.plan.patience);
        self.at(self.now + pause, Event::Resume(at));
    }

    fn unlock(&mut self, at: usize) {
        for lock in 0..self.plan.locks {
            let mut granted = Vec::new();
            self.table.give(lock, at as u32, Mode::Null, self.now, &mut granted);
            granted.iter().for_each(|g| self.go_on(g.0 as usize));
        }
    }

    fn submit(&mut self, at: usize) {
        let device = self.plan.stations[self.workers[at].station].device;
        self.workers[at].step = Step::Serve;
        self.note("submit", device, at as u64);
        self.queued[device].push_back(at as u32);
        let started = self.servers[device].submit(at as u32, self.now);
        if started.is_none() {
            self.tally.saw("waits in a device");
        }
        self.started(device, started);
    }

    fn started(&mut self, device: usize, started: Option<Started>) {
        let Some(Started { slot, done }) = started else { return };
        self.note("done at", device, done.0);
        let oldest = self.queued[device].pop_front().expect("somebody was waiting");
        self.in_service[device].push((slot, oldest));
        self.at(done, Event::Done(device, slot));
    }

    fn done(&mut self, device: usize, slot: u32) {
        let (request, next) = self.servers[device].completed(slot, self.now).expect("in service");
        let place = self.in_service[device].iter().position(|s| *s == (slot, request));
        self.in_service[device].remove(place.expect("order of a device"));
        self.started(device, next);
        let at = request as usize;
        self.note("served", device, u64::from(request));
        self.unlock(at);
        self.workers[at].step = Step::Ship;
        self.advance(at);
    }

    fn ship(&mut self, at: usize) -> bool {
        let station = self.workers[at].station;
        let Some(&(job, taken)) = self.workers[at].jobs.front() else {
            self.workers[at].step = Step::Fetch;
            return true;
        };
        let is_last = station + 1 == self.lines.len();
        let was_woken = std::mem::take(&mut self.workers[at].was_woken);
        let has_room = is_last || {
            let (line, pid) = (&mut self.lines[station + 1], Pid(at as u32));
            match was_woken {
                true => line.again_room(pid, self.now),
                false => line.await_room(pid, self.now),
            }
        };
        if !has_room {
            self.tally.saw("waits for room");
            let gives_up = self.random.below(2) == 0;
            self.waits(at, gives_up);
            return false;
        }
        self.workers[at].jobs.pop_front();
        self.carried += u128::from((self.now - taken).0);
        if is_last {
            self.note("finished", station, u64::from(job));
            self.finished.push(job);
            self.stayed += u128::from((self.now - self.came[job as usize]).0);
        } else if self.plan.stations[station].sends {
            self.send(station + 1, job);
        } else {
            self.put(station + 1, job);
        }
        true
    }

    fn send(&mut self, to: usize, job: u32) {
        let bytes = self.random.below(50_000);
        let arrives = self.wire.send(bytes, self.now);
        assert!(arrives >= self.last_arrival, "network {}: order of the link", self.plan.seed);
        self.last_arrival = arrives;
        self.tally.saw("sent over the link");
        self.note("sent, arrives", to, arrives.0);
        self.at(arrives, Event::Arrives(to, job));
    }

    fn time_out(&mut self, at: usize, wait: u64) {
        let Worker { station, step, waits, wait: current, .. } = self.workers[at];
        if !waits || wait != current {
            return;
        }
        (self.workers[at].waits, self.workers[at].wait) = (false, wait + 1);
        self.note("gives up", at, wait);
        let (mut woken, mut granted) = (Vec::new(), Vec::new());
        match step {
            Step::Fetch => self.lines[station].leave(Pid(at as u32), self.now, &mut woken),
            Step::Ship => self.lines[station + 1].leave(Pid(at as u32), self.now, &mut woken),
            _ => self.table.leave(at as u32, self.now, &mut granted),
        }
        self.wake(&woken);
        granted.iter().for_each(|g| self.go_on(g.0 as usize));
        match step {
            Step::Fetch => {
                self.tally.saw("gave up waiting for items");
                self.workers[at].least = 1;
                self.advance(at);
            }
            Step::Ship => {
                self.tally.saw("gave up waiting for room");
                self.advance(at);
            }
            _ => {
                self.tally.saw("gave up waiting for a lock");
                self.start_over(at);
            }
        }
    }

    fn laws(&mut self) {
        let seed = self.plan.seed;
        for device in 0..self.servers.len() {
            let is_full = self.in_service[device].len() == self.plan.devices[device].0 as usize;
            assert!(is_full || self.queued[device].is_empty(), "network {seed}: a slot is free while one waits");
        }
        for lock in 0..self.plan.locks {
            let held: Vec<Mode> = (0..self.workers.len()).map(|at| self.table.held(lock, at as u32)).collect();
            let go_together = |a: usize| (0..a).all(|b| together(held[a], held[b]));
            assert!((0..held.len()).all(go_together), "network {seed}: lock {lock} held as {held:?}");
        }
        for (line, inside) in self.lines.iter().zip(&self.inside) {
            assert_eq!(line.len(), inside.len(), "network {seed}: items of a queue");
        }
    }

    fn figures(&mut self) -> Vec<Figures> {
        let now = self.now;
        let lines = self.lines.iter_mut().map(|line| line.figures(now));
        let servers = self.servers.iter_mut().map(|server| server.figures(now));
        lines.chain(servers).chain([self.wire.figures(now), self.table.figures(now)]).collect()
    }

    /// Every job came through, nobody holds or waits for anything but jobs, and the time of jobs is that of all stays.
    fn is_quiet(&mut self) {
        let seed = self.plan.seed;
        self.finished.sort();
        assert!(self.finished.iter().copied().eq(0..self.plan.jobs), "network {seed}: {:?}", self.finished);
        assert!(self.lines.iter().all(|line| line.len() == 0), "network {seed}: a queue holds items");
        for (at, worker) in self.workers.iter().enumerate() {
            assert!(worker.step == Step::Fetch && worker.waits && worker.jobs.is_empty(), "network {seed}: {at}");
            let holds = (0..self.plan.locks).any(|lock| self.table.held(lock, at as u32) != Mode::Null);
            assert!(!holds, "network {seed}: worker {at} holds a lock");
        }
        let now = self.now;
        for server in &mut self.servers {
            let sums = server.figures(now);
            assert_eq!(sums.count("submitted"), sums.count("completed"), "network {seed}: a device");
            let response = u128::from(sums.spans("response").sum());
            assert_eq!(response, sums.count("busy") + sums.count("queued"), "network {seed}: response of a device");
        }
        let in_queues: u128 = self.lines.iter_mut().map(|line| line.figures(now).count("item_time")).sum();
        let on_the_way = u128::from(self.wire.figures(now).spans("delay").sum());
        assert_eq!(self.stayed, in_queues + on_the_way + self.carried, "network {seed}: time of jobs");
    }
}
