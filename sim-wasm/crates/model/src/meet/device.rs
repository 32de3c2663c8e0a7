//! A device that serves so many requests at once and keeps the others waiting, first in, first out.
//!
//! It announces nothing: it says when a request will be done, and the caller comes back at that moment with the slot.
use std::collections::VecDeque;
use wwi_kernel::histogram::Histogram;
use wwi_kernel::rng::{short_share, Stream};
use wwi_kernel::time::Ns;

/// How the lengths of service lie about their mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// All alike; no number is drawn.
    Constant,
    /// Exponential.
    Exponential,
    /// Two exponential branches of balanced means, squared coefficient of variation 4.
    Hyperexponential,
}

/// A faulty path: some requests take longer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slow {
    /// Share of the requests that are slow, 0 to 1.
    pub share: f64,
    /// How many times as long those take.
    pub times: f64,
}

/// How long service lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServiceTime {
    /// Mean of requests that are not slow.
    pub mean: Ns,
    /// Distribution about that mean.
    pub shape: Shape,
    /// Those that take longer, if any.
    pub slow: Option<Slow>,
}

impl ServiceTime {
    /// The time that each request takes, where all take the same.
    pub fn constant(&self) -> Option<Ns> {
        (self.shape == Shape::Constant && self.slow.is_none()).then_some(self.mean)
    }

    /// When the last of so many requests that come together is done by a device that serves so many at once, in mean
    /// services: the device is full until as many are left as it serves, and the longest of these is their harmonic
    /// number.
    pub fn last_of(&self, requests: f64, width: f64) -> f64 {
        if self.shape == Shape::Constant {
            return (requests / width).ceil();
        }
        let left = requests.min(width);
        (requests - left) / width + (1..=left as u32).map(|one| 1.0 / f64::from(one)).sum::<f64>()
    }
}

/// Service of a request has started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Started {
    /// In which slot, from 0.
    pub slot: u32,
    /// When it will be done: the moment for [`Device::completed`].
    pub done: Ns,
}

/// Sums over one device since its start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeviceSums {
    /// Requests submitted.
    pub submitted: u64,
    /// Requests completed.
    pub completed: u64,
    /// Integral of the number of requests in service over time \[ns\].
    pub busy: u128,
    /// Integral of the number of requests that wait over time \[ns\].
    pub queued: u128,
    /// Of requests completed: from submission to completion.
    pub response: Histogram,
    /// Of requests completed: from start of service to completion.
    pub service: Histogram,
}

#[derive(Clone, Debug)]
struct Serving<R> {
    request: R,
    submitted: Ns,
    started: Ns,
    done: Ns,
}

/// A device whose requests are of type `R`.
#[derive(Clone, Debug)]
pub struct Device<R> {
    time: ServiceTime,
    stream: Stream,
    slots: Vec<Option<Serving<R>>>,
    /// All slots below it are taken.
    lowest: usize,
    in_service: usize,
    /// Each with the moment when it was submitted, and what its length adds to its service.
    waiting: VecDeque<(R, Ns, Ns)>,
    sums: DeviceSums,
    /// Up to when the integrals are summed.
    at: Ns,
}

impl ServiceTime {
    /// Draws whether a request is slow (only where some are), then its branch, then its length; rounded once to a whole
    /// nanosecond.
    fn draw(&self, stream: &mut Stream) -> Ns {
        let times = match self.slow {
            Some(slow) if stream.uniform() < slow.share => slow.times,
            _ => 1.0,
        };
        let mean = self.mean.0 as f64;
        let length = match self.shape {
            Shape::Constant => mean,
            Shape::Exponential => stream.exponential() * mean,
            Shape::Hyperexponential => stream.hyperexponential(mean, short_share()),
        };
        Ns((length * times).round() as u64)
    }
}

impl DeviceSums {
    /// What came after `earlier`, an older copy.
    pub fn since(&self, earlier: &DeviceSums) -> DeviceSums {
        DeviceSums {
            submitted: self.submitted - earlier.submitted,
            completed: self.completed - earlier.completed,
            busy: self.busy - earlier.busy,
            queued: self.queued - earlier.queued,
            response: self.response.since(&earlier.response),
            service: self.service.since(&earlier.service),
        }
    }

    /// Adds the sums of another device or replication.
    pub fn add(&mut self, other: &DeviceSums) {
        self.submitted += other.submitted;
        self.completed += other.completed;
        self.busy += other.busy;
        self.queued += other.queued;
        self.response.add(&other.response);
        self.service.add(&other.service);
    }
}

impl<R> Device<R> {
    /// Idle at time zero, with `width` slots (1 or more). Lengths of service are drawn from `stream`, in the order of
    /// starts.
    pub fn new(width: u32, time: ServiceTime, stream: Stream) -> Self {
        Device {
            time,
            stream,
            slots: (0..width).map(|_| None).collect(),
            lowest: 0,
            in_service: 0,
            waiting: VecDeque::new(),
            sums: DeviceSums::default(),
            at: Ns::ZERO,
        }
    }

    /// Takes a request, which starts in the free slot of the lowest number. `None`: none is free, and it waits.
    pub fn submit(&mut self, request: R, now: Ns) -> Option<Started> {
        self.submit_long(request, Ns::ZERO, now)
    }

    /// The same for a request whose length adds so much to what its service is drawn as.
    pub fn submit_long(&mut self, request: R, transfer: Ns, now: Ns) -> Option<Started> {
        self.advance(now);
        self.sums.submitted += 1;
        while self.slots.get(self.lowest).is_some_and(Option::is_some) {
            self.lowest += 1;
        }
        if self.lowest == self.slots.len() {
            self.waiting.push_back((request, now, transfer));
            return None;
        }
        self.in_service += 1;
        Some(self.start(self.lowest, (request, now, transfer), now))
    }

    /// The request of that slot is done; the oldest one that waits, if any, starts in it. `None`, and nothing
    /// changes, if that slot serves nothing or what it serves is not done yet: so a second completion does nothing.
    pub fn completed(&mut self, slot: u32, now: Ns) -> Option<(R, Option<Started>)> {
        self.advance(now);
        let at = slot as usize;
        let served = self.slots.get_mut(at)?.take_if(|serving| serving.done <= now)?;
        self.sums.completed += 1;
        self.sums.response.record(now - served.submitted);
        self.sums.service.record(now - served.started);
        let next = self.waiting.pop_front().map(|oldest| self.start(at, oldest, now));
        if next.is_none() {
            self.in_service -= 1;
            self.lowest = self.lowest.min(at);
        }
        Some((served.request, next))
    }

    /// Number of requests in service.
    pub fn in_service(&self) -> usize {
        self.in_service
    }

    /// Number of requests that wait.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Sums up to `now`.
    pub fn sums(&mut self, now: Ns) -> &DeviceSums {
        self.advance(now);
        &self.sums
    }

    fn start(&mut self, at: usize, (request, submitted, transfer): (R, Ns, Ns), now: Ns) -> Started {
        let done = now.plus(self.time.draw(&mut self.stream)).plus(transfer);
        self.slots[at] = Some(Serving { request, submitted, started: now, done });
        Started { slot: at as u32, done }
    }

    fn advance(&mut self, now: Ns) {
        let span = u128::from((now - self.at).0);
        self.sums.busy += self.in_service as u128 * span;
        self.sums.queued += self.waiting.len() as u128 * span;
        self.at = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream() -> Stream {
        Stream::new(1, 0, "test", 0, "device")
    }

    fn device(width: u32) -> Device<char> {
        Device::new(width, ServiceTime { mean: Ns(10), shape: Shape::Constant, slow: None }, stream())
    }

    fn started(slot: u32, done: u64) -> Option<Started> {
        Some(Started { slot, done: Ns(done) })
    }

    #[test]
    fn requests_start_in_the_lowest_free_slot_and_the_others_wait_in_order() {
        let mut d = device(2);
        assert_eq!(d.submit('a', Ns(0)), started(0, 10));
        assert_eq!(d.submit('b', Ns(4)), started(1, 14));
        assert_eq!(d.submit('c', Ns(5)), None);
        assert_eq!(d.submit('d', Ns(6)), None);
        assert_eq!((d.in_service(), d.waiting()), (2, 2));
        assert_eq!(d.completed(0, Ns(10)), Some(('a', started(0, 20))));
        assert_eq!(d.completed(1, Ns(14)), Some(('b', started(1, 24))));
        assert_eq!(d.completed(0, Ns(20)), Some(('c', None)));
        assert_eq!(d.submit('e', Ns(21)), started(0, 31));
        assert_eq!(d.completed(1, Ns(24)), Some(('d', None)));
        assert_eq!(d.completed(0, Ns(31)), Some(('e', None)));
        // Five times 10 in service. c waited from 5 to 10, d from 6 to 14.
        let sums = d.sums(Ns(40)).clone();
        assert_eq!((sums.submitted, sums.completed, sums.busy, sums.queued), (5, 5, 50, 13));
        assert_eq!((sums.response.sum(), sums.response.max(), sums.service.sum()), (63, Ns(18), 50));
    }

    /// Whether it starts at once or waits: a long one takes so much longer, and nobody else does.
    #[test]
    fn what_a_request_has_to_transfer_comes_on_top() {
        let mut d = device(1);
        assert_eq!(d.submit_long('a', Ns(3), Ns(0)), started(0, 13));
        assert_eq!((d.submit_long('b', Ns(5), Ns(1)), d.submit('c', Ns(1))), (None, None));
        assert_eq!(d.completed(0, Ns(13)), Some(('a', started(0, 28))));
        assert_eq!(d.completed(0, Ns(28)), Some(('b', started(0, 38))));
    }

    #[test]
    fn of_several_free_slots_the_lowest_is_taken() {
        let mut d = device(4);
        (0..4).for_each(|n| assert_eq!(d.submit('x', Ns(n)).map(|s| s.slot), Some(n as u32)));
        for slot in [2, 0, 3] {
            assert!(d.completed(slot, Ns(20)).is_some());
        }
        assert_eq!([0; 3].map(|_| d.submit('y', Ns(20)).map(|s| s.slot)), [Some(0), Some(2), Some(3)]);
        assert_eq!(d.submit('z', Ns(20)), None);
    }

    #[test]
    fn a_second_an_early_and_a_foreign_completion_do_nothing() {
        let mut d = device(1);
        d.submit('a', Ns(0));
        d.submit('b', Ns(0));
        assert_eq!(d.completed(0, Ns(9)), None, "not done yet");
        assert_eq!(d.completed(1, Ns(10)), None, "no such slot");
        assert_eq!(d.completed(0, Ns(10)), Some(('a', started(0, 20))));
        assert_eq!(d.completed(0, Ns(10)), None, "its successor has just begun");
        assert_eq!(d.completed(0, Ns(20)), Some(('b', None)));
        assert_eq!(d.completed(0, Ns(20)), None, "the slot is free");
        let sums = d.sums(Ns(20)).clone();
        assert_eq!((sums.submitted, sums.completed, sums.busy, sums.queued), (2, 2, 20, 10));
        assert_eq!(d.submit('c', Ns(20)), started(0, 30));
    }

    #[test]
    fn sums_count_what_is_inside_up_to_now_and_differences_add_up() {
        let mut d = device(1);
        d.submit('a', Ns(0));
        d.submit('b', Ns(2));
        let early = d.sums(Ns(5)).clone();
        assert_eq!((early.submitted, early.completed, early.busy, early.queued), (2, 0, 5, 3));
        d.completed(0, Ns(12));
        let mut part = d.sums(Ns(15)).since(&early);
        // Completed 2 ns late: the slot was in service for them.
        assert_eq!((part.submitted, part.completed, part.busy, part.queued), (0, 1, 10, 7));
        assert_eq!((part.response.sum(), part.service.sum()), (12, 12));
        part.add(&early);
        assert_eq!(&part, d.sums(Ns(15)));
    }

    fn lengths(shape: Shape, slow: Option<Slow>) -> Vec<f64> {
        let (time, mut random) = (ServiceTime { mean: Ns(1_000_000), shape, slow }, stream());
        (0..200_000).map(|_| time.draw(&mut random).0 as f64 / 1e6).collect()
    }

    fn share(drawn: &[f64], holds: impl Fn(f64) -> bool) -> f64 {
        drawn.iter().filter(|&&x| holds(x)).count() as f64 / drawn.len() as f64
    }

    /// Within four standard errors of a share of 200,000.
    fn is_share(found: f64, exact: f64) {
        assert!((found - exact).abs() < 4.0 * (exact * (1.0 - exact) / 2e5).sqrt(), "{found} for {exact}");
    }

    #[test]
    fn lengths_have_their_distribution() {
        assert!(lengths(Shape::Constant, None).iter().all(|&x| x == 1.0));
        // P(X > t) = e^-t.
        let drawn = lengths(Shape::Exponential, None);
        for (t, p) in [(0.1, 0.904_837), (1.0, 0.367_879), (3.0, 0.049_787)] {
            is_share(share(&drawn, |x| x > t), p);
        }
        // p e^-2pt + q e^-2qt with p = 0.887298, q = 1 - p.
        let drawn = lengths(Shape::Hyperexponential, None);
        for (t, p) in [(0.1, 0.853209), (1.0, 0.240401), (5.0, 0.036639), (20.0, 0.001242)] {
            is_share(share(&drawn, |x| x > t), p);
        }
    }

    #[test]
    fn the_slow_share_takes_so_many_times_as_long() {
        let drawn = lengths(Shape::Constant, Some(Slow { share: 0.2, times: 7.5 }));
        is_share(share(&drawn, |x| x == 7.5), 0.2);
        assert!(drawn.iter().all(|&x| x == 7.5 || x == 1.0));
    }

    /// Requests that find a slot free draw the numbers of the same stream whether others come later or not.
    #[test]
    fn lengths_are_drawn_in_the_order_of_starts() {
        let time = ServiceTime { mean: Ns(1_000), shape: Shape::Exponential, slow: None };
        let mut direct = stream();
        let expected: Vec<Ns> = (0..3).map(|_| time.draw(&mut direct)).collect();
        let mut d = Device::new(1, time, stream());
        let first = d.submit('a', Ns(0)).expect("it is idle");
        assert_eq!(first.done, expected[0]);
        assert_eq!((d.submit('b', Ns(0)), d.submit('c', Ns(0))), (None, None));
        let second = d.completed(0, first.done).and_then(|(_, next)| next).expect("b waits");
        assert_eq!(second.done, first.done + expected[1]);
        let third = d.completed(0, second.done).and_then(|(_, next)| next).expect("c waits");
        assert_eq!(third.done, second.done + expected[2]);
    }
}
