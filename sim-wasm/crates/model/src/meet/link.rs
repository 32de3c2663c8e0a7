//! A link: messages go over a wire one after another, each for as long as its bytes take, and arrive a latency later.
use wwi_kernel::histogram::Histogram;
use wwi_kernel::time::Ns;

/// Sums over one link since its start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinkSums {
    /// Messages sent.
    pub messages: u64,
    /// Bytes sent.
    pub bytes: u64,
    /// Time for which the wire carried something \[ns\].
    pub busy: u128,
    /// Of messages sent: from sending to arrival.
    pub delay: Histogram,
}

/// One direction between two places.
#[derive(Clone, Debug)]
pub struct Link {
    latency: Ns,
    bytes_per_s: Option<f64>,
    /// From when on the wire is free for the next message.
    free: Ns,
    /// Wire time of all messages sent, also of those that it has yet to carry \[ns\].
    booked: u128,
    sums: LinkSums,
}

impl LinkSums {
    /// What came after `earlier`, an older copy.
    pub fn since(&self, earlier: &LinkSums) -> LinkSums {
        LinkSums {
            messages: self.messages - earlier.messages,
            bytes: self.bytes - earlier.bytes,
            busy: self.busy - earlier.busy,
            delay: self.delay.since(&earlier.delay),
        }
    }

    /// Adds the sums of another link or replication.
    pub fn add(&mut self, other: &LinkSums) {
        self.messages += other.messages;
        self.bytes += other.bytes;
        self.busy += other.busy;
        self.delay.add(&other.delay);
    }
}

impl Link {
    /// An idle link. `bytes_per_s` is its bandwidth, above zero; `None` is no limit.
    pub fn new(latency: Ns, bytes_per_s: Option<f64>) -> Self {
        Link { latency, bytes_per_s, free: Ns::ZERO, booked: 0, sums: LinkSums::default() }
    }

    /// Sends a message; returns when it arrives. It is on the wire for its bytes over the bandwidth, rounded up to a
    /// whole nanosecond, once all that were sent before are through.
    pub fn send(&mut self, bytes: u64, now: Ns) -> Ns {
        let length = self.bytes_per_s.map_or(Ns::ZERO, |rate| Ns((bytes as f64 * 1e9 / rate).ceil() as u64));
        let start = self.free.max(now);
        self.free = start.plus(length);
        self.booked += u128::from((self.free - start).0);
        let arrival = self.free.plus(self.latency);
        self.sums.messages += 1;
        self.sums.bytes += bytes;
        self.sums.delay.record(arrival - now);
        arrival
    }

    /// When all that was sent is through.
    pub fn free(&self) -> Ns {
        self.free
    }

    /// Sums up to `now`.
    pub fn sums(&mut self, now: Ns) -> &LinkSums {
        // What is booked beyond now is one stretch without a gap, up to when the wire is free.
        self.sums.busy = self.booked - u128::from(self.free.minus(now).0);
        &self.sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 3 µs of latency, a gigabyte a second: a nanosecond a byte.
    fn link() -> Link {
        Link::new(Ns(3_000), Some(1e9))
    }

    #[test]
    fn messages_go_over_the_wire_one_after_another() {
        let mut l = link();
        assert_eq!(l.send(8_000, Ns(0)), Ns(11_000));
        assert_eq!(l.send(100, Ns(1_000)), Ns(11_100), "on the wire from 8,000 to 8,100");
        assert_eq!(l.send(100, Ns(8_100)), Ns(11_200), "the wire is free at that moment");
        assert_eq!(l.send(50, Ns(20_000)), Ns(23_050), "an idle wire carries at once");
        let sums = l.sums(Ns(30_000)).clone();
        assert_eq!((sums.messages, sums.bytes, sums.busy), (4, 8_250, 8_250));
        assert_eq!((sums.delay.sum(), sums.delay.max()), (11_000 + 10_100 + 3_100 + 3_050, Ns(11_000)));
    }

    #[test]
    fn a_message_without_bytes_keeps_its_place() {
        let mut l = link();
        l.send(8_000, Ns(0));
        assert_eq!(l.send(0, Ns(5)), Ns(11_000));
    }

    #[test]
    fn time_on_the_wire_is_rounded_up() {
        // 7 bytes at 3 a second: 2.333333333333 s.
        assert_eq!(Link::new(Ns(0), Some(3.0)).send(7, Ns(0)), Ns(2_333_333_334));
        assert_eq!(Link::new(Ns(0), Some(1.25e9)).send(8_192, Ns(0)), Ns(6_554), "6,553.6 ns");
    }

    #[test]
    fn without_a_limit_of_bandwidth_there_is_latency_alone() {
        let mut l = Link::new(Ns(3_000), None);
        assert_eq!([0, 1 << 40].map(|bytes| l.send(bytes, Ns(7))), [Ns(3_007); 2]);
        assert_eq!(l.sums(Ns(9)).busy, 0);
    }

    #[test]
    fn the_wire_is_busy_up_to_now_and_never_more_than_all_the_time() {
        let mut l = link();
        l.send(100, Ns(50));
        l.send(100, Ns(60));
        let early = l.sums(Ns(170)).clone();
        assert_eq!(early.busy, 120, "from 50 to 170, though 200 are booked");
        l.send(100, Ns(400));
        let mut part = l.sums(Ns(1_000)).since(&early);
        assert_eq!((part.messages, part.bytes, part.busy, part.delay.sum()), (1, 100, 180, 3_100));
        part.add(&early);
        assert_eq!(&part, l.sums(Ns(1_000)));
    }
}
