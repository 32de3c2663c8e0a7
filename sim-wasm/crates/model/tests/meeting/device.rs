//! A device that remembers every request it ever had: who is in service, who waits and every figure are read from
//! that list.
use crate::alike::{histogram, pass_time, Figures, Log, Rooms, Server, Tally};
use crate::real::Real;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::meet::device::{self, ServiceTime, Shape, Started};

struct Request {
    number: u32,
    submitted: Ns,
    started: Option<(Started, Ns)>,
    completed: Option<Ns>,
}

pub struct Slow {
    width: u32,
    service: ServiceTime,
    stream: Stream,
    requests: Vec<Request>,
}

impl Slow {
    pub fn new(width: u32, service: ServiceTime, stream: Stream) -> Self {
        Slow { width, service, stream, requests: Vec::new() }
    }

    fn in_slot(&self, slot: u32) -> Option<usize> {
        self.requests.iter().position(|r| r.completed.is_none() && r.started.is_some_and(|s| s.0.slot == slot))
    }

    fn draw(&mut self) -> Ns {
        let times = match self.service.slow {
            Some(slow) if self.stream.uniform() < slow.share => slow.times,
            _ => 1.0,
        };
        let mean = self.service.mean.0 as f64;
        let length = match self.service.shape {
            Shape::Constant => mean,
            Shape::Exponential => mean * self.stream.exponential(),
            Shape::Hyperexponential => {
                // Both branches carry half of the load: p·mean₁ = (1 − p)·mean₂ = mean / 2.
                let p = (1.0 + 0.6f64.sqrt()) / 2.0;
                let share = if self.stream.uniform() < p { p } else { 1.0 - p };
                mean / (2.0 * share) * self.stream.exponential()
            }
        };
        Ns((length * times).round() as u64)
    }

    /// The oldest that waits starts in the lowest free slot.
    fn start(&mut self, now: Ns) -> Option<Started> {
        let slot = (0..self.width).find(|&slot| self.in_slot(slot).is_none())?;
        let oldest = self.requests.iter().position(|r| r.started.is_none())?;
        let started = Started { slot, done: now + self.draw() };
        self.requests[oldest].started = Some((started, now));
        Some(started)
    }
}

impl Server for Slow {
    fn submit(&mut self, number: u32, now: Ns) -> Option<Started> {
        self.requests.push(Request { number, submitted: now, started: None, completed: None });
        self.start(now)
    }
    fn completed(&mut self, slot: u32, now: Ns) -> Option<(u32, Option<Started>)> {
        let at = self.in_slot(slot)?;
        if self.requests[at].started.is_some_and(|s| now < s.0.done) {
            return None;
        }
        self.requests[at].completed = Some(now);
        Some((self.requests[at].number, self.start(now)))
    }
    fn figures(&mut self, now: Ns) -> Figures {
        let (mut busy, mut queued) = (0, 0);
        let (mut response, mut service) = (Vec::new(), Vec::new());
        for request in &self.requests {
            let start = request.started.map(|s| s.1);
            queued += u128::from((start.unwrap_or(now) - request.submitted).0);
            busy += start.map_or(0, |start| u128::from((request.completed.unwrap_or(now) - start).0));
            if let Some(end) = request.completed {
                response.push(end - request.submitted);
                service.push(end - start.expect("what is completed was started"));
            }
        }
        Figures {
            counts: vec![
                ("submitted", self.requests.len() as u128),
                ("completed", response.len() as u128),
                ("busy", busy),
                ("queued", queued),
            ],
            spans: vec![("response", histogram(response)), ("service", histogram(service))],
        }
    }
}

/// Commands of one list.
const COMMANDS: u32 = 400;

struct Driver<'a> {
    fast: &'a mut dyn Server,
    slow: &'a mut dyn Server,
    tally: &'a mut Tally,
    log: Log,
    random: Stream,
    now: Ns,
    width: usize,
    submitted: u32,
    /// Submitted and not started, in order.
    waiting: Vec<u32>,
    /// Slot, when it is done, request, when it started.
    in_service: Vec<(Started, u32, Ns)>,
    done: u64,
}

fn check(seed: u64, width: u32, mean: Ns, fast: &mut dyn Server, slow: &mut dyn Server, tally: &mut Tally) {
    let mut driver = Driver {
        fast,
        slow,
        tally,
        log: Log::new(seed),
        random: Stream::new(seed, 0, "meeting", 0, "device"),
        now: Ns(0),
        width: width as usize,
        submitted: 0,
        waiting: Vec::new(),
        in_service: Vec::new(),
        done: 0,
    };
    let gap = 2 * mean.0 / u64::from(width);
    for _ in 0..COMMANDS {
        driver.pass_time(gap);
        match driver.random.below(12) {
            0..=8 => driver.submit(),
            9 => driver.too_late(),
            10 => driver.too_early(),
            _ => {}
        }
        driver.compare_sums();
    }
}

impl Driver<'_> {
    /// What is done on the way is completed at its time.
    fn pass_time(&mut self, gap: u64) {
        let target = pass_time(&mut self.random, self.now, 4 * gap);
        while let Some(next) = self.in_service.iter().map(|s| s.0.done).min().filter(|&done| done <= target) {
            let is_late = self.random.below(8) == 0;
            let next = next.max(self.now);
            self.now = if is_late { next + Ns(self.random.below((target - next).0 + 1)) } else { next };
            self.complete();
            self.compare_sums();
        }
        self.now = target;
    }

    fn started(&mut self, started: Option<Started>) {
        let Some(started) = started else { return };
        self.log.law(started.done >= self.now, "nothing is done before it starts");
        let is_free = self.in_service.iter().all(|s| s.0.slot != started.slot);
        self.log.law(is_free && (started.slot as usize) < self.width, "a slot holds one request");
        let oldest = self.waiting.remove(0);
        self.in_service.push((started, oldest, self.now));
    }

    fn submit(&mut self) {
        let (request, busy) = (self.submitted, self.in_service.len());
        self.submitted += 1;
        self.waiting.push(request);
        let said = (self.fast.submit(request, self.now), self.slow.submit(request, self.now));
        let said = self.log.same(self.now, format!("submit {request}"), said.0, said.1);
        let lowest = (0..).find(|slot| self.in_service.iter().all(|s| s.0.slot != *slot));
        self.log.law(said.is_none_or(|s| Some(s.slot) == lowest), "the lowest free slot first");
        self.tally.saw(if said.is_none() { "waits" } else { "starts at once" });
        if lowest.is_some_and(|slot| (slot as usize) < busy) {
            self.tally.saw("a gap between slots is filled");
        }
        self.started(said);
    }

    fn completed(&mut self, slot: u32) -> Option<(u32, Option<Started>)> {
        let said = (self.fast.completed(slot, self.now), self.slow.completed(slot, self.now));
        self.log.same(self.now, format!("completed {slot}"), said.0, said.1)
    }

    fn complete(&mut self) {
        let due: Vec<usize> = (0..self.in_service.len()).filter(|&n| self.in_service[n].0.done <= self.now).collect();
        if due.len() > 1 {
            self.tally.saw("several done at one moment");
        }
        let at = due[self.random.below(due.len() as u64) as usize];
        let (started, request, since) = self.in_service.remove(at);
        if started.done < self.now {
            self.tally.saw("completed late");
        }
        self.done += (self.now - since).0;
        let said = self.completed(started.slot);
        self.log.law(said.is_some_and(|s| s.0 == request), "the request that was in the slot");
        let next = said.and_then(|s| s.1);
        self.log.law(next.is_some() != self.waiting.is_empty(), "the next starts if there is one");
        self.log.law(next.is_none_or(|n| n.slot == started.slot), "it starts in the slot that is free now");
        self.started(next);
        if self.random.below(4) == 0 && next.is_none_or(|n| n.done > self.now) {
            self.tally.saw(if next.is_some() { "completed twice, taken again" } else { "completed twice, free" });
            let twice = self.completed(started.slot);
            self.log.law(twice.is_none(), "a double completion does nothing");
        }
    }

    /// A completion of a slot where nothing is in service, or that there is not.
    fn too_late(&mut self) {
        let slot = self.random.below(self.width as u64 + 2) as u32;
        if self.in_service.iter().all(|s| s.0.slot != slot) {
            self.tally.saw("completion without request");
            let said = self.completed(slot);
            self.log.law(said.is_none(), "a late completion does nothing");
        }
    }

    /// A completion of what is in service still.
    fn too_early(&mut self) {
        let early: Vec<u32> = self.in_service.iter().filter(|s| s.0.done > self.now).map(|s| s.0.slot).collect();
        if !early.is_empty() {
            self.tally.saw("completed early");
            let slot = early[self.random.below(early.len() as u64) as usize];
            let said = self.completed(slot);
            self.log.law(said.is_none(), "an early completion does nothing");
        }
    }

    fn compare_sums(&mut self) {
        let (fast, slow) = (self.fast.figures(self.now), self.slow.figures(self.now));
        self.log.same_figures(self.now, &fast, &slow);
        let all = fast.count("completed") + (self.in_service.len() + self.waiting.len()) as u128;
        self.log.law(fast.count("submitted") == all, "submitted = completed + in service + waiting");
        let is_full = self.in_service.len() == self.width;
        self.log.law(is_full || self.waiting.is_empty(), "no slot is free while one waits");
        let under_way = self.in_service.iter().map(|s| (self.now - s.2).0).sum::<u64>();
        self.log.law(fast.count("busy") == u128::from(self.done + under_way), "busy is the time in service");
        self.log.law(fast.spans("service").sum() == self.done, "service is the time in service of what is done");
    }
}

/// Shape, share of slow requests and width of a seed.
fn drawn(seed: u64) -> (u32, ServiceTime) {
    let shape = [Shape::Constant, Shape::Exponential, Shape::Hyperexponential][seed as usize % 3];
    let slow = [None, Some(device::Slow { share: 0.1, times: 7.5 })][seed as usize / 3 % 2];
    let mean = Ns([100_000, 1_000, 37, 5_000_003][seed as usize / 6 % 4]);
    ([1, 2, 3, 8][seed as usize / 24 % 4], ServiceTime { mean, shape, slow })
}

#[test]
fn devices() {
    let mut tally = Tally::default();
    for seed in 0..500 {
        let ((width, service), stream) = (drawn(seed), Stream::new(seed, 0, "meeting", 0, "service"));
        let mut fast = Real::server(width, service, stream.clone());
        check(seed, width, service.mean, &mut fast, &mut Slow::new(width, service, stream), &mut tally);
    }
    tally.expect(&[
        "waits",
        "starts at once",
        "a gap between slots is filled",
        "several done at one moment",
        "completed late",
        "completed early",
        "completed twice, taken again",
        "completed twice, free",
        "completion without request",
    ]);
}

/// Means of the first and second powers of service times, in units of their mean, of a device that never rests.
fn powers(service: ServiceTime, count: u32) -> [f64; 2] {
    let mut device = Real::server(1, service, Stream::new(11, 0, "meeting", 0, "moments"));
    let (mut now, mut sums) = (Ns(0), [0.0; 2]);
    for request in 0..count {
        let started = Server::submit(&mut device, request, now).expect("nobody is in service");
        let length = (started.done - now).0 as f64 / service.mean.0 as f64;
        (sums[0], sums[1], now) = (sums[0] + length, sums[1] + length * length, started.done);
        Server::completed(&mut device, started.slot, now).expect("it was in service");
    }
    sums.map(|sum| sum / f64::from(count))
}

/// The exact mean of the n-th power: of branches (probability, mean) k! · Σ p·mᵏ, and of times 1 or `times` by share.
fn power(shape: Shape, slow: Option<device::Slow>, n: i32) -> f64 {
    let factorial = f64::from((1..=n).product::<i32>());
    let branches: f64 = match shape {
        Shape::Constant => 1.0 / factorial,
        Shape::Exponential => 1.0,
        // 0.887298 = (1 + √(3/5)) / 2; means 1 / 2p.
        Shape::Hyperexponential => 0.887298 * 0.563508f64.powi(n) + 0.112702 * 4.436491f64.powi(n),
    };
    factorial * branches * slow.map_or(1.0, |slow| 1.0 - slow.share + slow.share * slow.times.powi(n))
}

#[test]
fn service_times_have_the_moments_of_their_shape() {
    for (shape, variation) in [(Shape::Constant, 0.0), (Shape::Exponential, 1.0), (Shape::Hyperexponential, 4.0)] {
        assert!((power(shape, None, 1) - 1.0).abs() < 1e-5);
        assert!((power(shape, None, 2) - 1.0 - variation).abs() < 1e-4);
        for slow in [None, Some(device::Slow { share: 0.05, times: 10.0 })] {
            let count = 1_000_000;
            let found = powers(ServiceTime { mean: Ns::from_us(500.0), shape, slow }, count);
            for n in [1, 2] {
                let (found, exact) = (found[n as usize - 1], power(shape, slow, n));
                // Four standard errors of the mean of so many, and the rounding of a length to whole nanoseconds.
                let error = ((power(shape, slow, 2 * n) - exact * exact).max(0.0) / f64::from(count)).sqrt();
                assert!((found - exact).abs() <= 4.0 * error + 1e-5, "{shape:?} {slow:?}, power {n}: {found}, {exact}");
            }
        }
    }
}
