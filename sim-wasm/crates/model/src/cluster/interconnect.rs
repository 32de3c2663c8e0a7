//! The private network: a port of each host sends one message after another and takes one after another, as fast as its
//! bandwidth allows; between two ports lies the latency of stacks and switch.
use crate::config::cluster::InterconnectConfig;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

/// What Ethernet (preamble, header, check sum, gap: 38), IP (20) and UDP (8) add to a packet \[bytes\].
const FRAMING: u32 = 66;

#[inline(never)]
fn spans_of(config: &InterconnectConfig, bytes: u32) -> (Ns, Ns) {
    let packets = config.fragment_bytes.map_or(0, |payload| bytes.div_ceil(payload.max(1)));
    let length = |bytes: u32| Ns((f64::from(bytes) * 1e9 / config.bytes_per_s).ceil() as u64);
    (length(bytes), length(bytes + packets * FRAMING))
}

/// The ports of all hosts.
#[derive(Clone, Debug)]
pub struct Interconnect {
    config: InterconnectConfig,
    /// Messages without a block and with one, which nearly all are: their bytes, and [`Interconnect::spans`] of them.
    usual: [(u32, (Ns, Ns)); 2],
    /// From when on each host can send the next message.
    out: Vec<Ns>,
    /// Since when each host takes one message after another, and until when.
    into: Vec<(Ns, Ns)>,
    /// Which messages get lost.
    losses: Stream,
}

impl Interconnect {
    /// Idle ports of so many hosts.
    pub fn new(config: InterconnectConfig, hosts: usize, losses: Stream) -> Interconnect {
        let usual = [config.message_bytes, config.block_bytes].map(|bytes| (bytes, spans_of(&config, bytes)));
        Interconnect { config, usual, out: vec![Ns::ZERO; hosts], into: vec![(Ns::ZERO, Ns::ZERO); hosts], losses }
    }

    /// How long so many bytes are on the wire, and how long they hold a port: with what is added to their packets.
    #[inline]
    fn spans(&self, bytes: u32) -> (Ns, Ns) {
        let known = self.usual.iter().find(|usual| usual.0 == bytes);
        known.map_or_else(|| spans_of(&self.config, bytes), |usual| usual.1)
    }

    /// A host sends a message; returns when its last byte comes to the port of the other.
    pub fn send(&mut self, from: usize, bytes: u32, now: Ns) -> Ns {
        let (length, holds) = self.spans(bytes);
        let start = self.out[from].max(now);
        self.out[from] = start.plus(holds);
        start.plus(length).plus(self.config.latency)
    }

    /// The last byte of a message comes to a port now; returns when the port has taken it. It did so while it was sent,
    /// as far as it was not taking others.
    pub fn take(&mut self, to: usize, bytes: u32, now: Ns) -> Ns {
        let (length, holds) = self.spans(bytes);
        let begin = now.minus(length);
        let (busy, free) = &mut self.into[to];
        if begin >= *free {
            (*busy, *free) = (begin, begin.plus(holds));
            return now;
        }
        *free = free.plus(holds.minus(busy.minus(begin)));
        *busy = begin.min(*busy);
        now.max(free.minus(holds.minus(length)))
    }

    /// How long a message that is sent now waits for those before it.
    pub fn queue(&self, from: usize, now: Ns) -> Ns {
        self.out[from].minus(now)
    }

    /// Whether the next message with a block gets lost.
    pub fn loses(&mut self) -> bool {
        self.config.lost > 0.0 && self.losses.uniform() < self.config.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ports(hosts: usize) -> Interconnect {
        let config = InterconnectConfig {
            latency: Ns(3_000),
            bytes_per_s: 1e9,
            fragment_bytes: Some(1_472),
            message_bytes: 300,
            block_bytes: 8_492,
            buffer_bytes: 262_144,
            lost: 0.0,
        };
        Interconnect::new(config, hosts, Stream::new(1, 0, "interconnect", 0, "losses"))
    }

    #[test]
    fn a_port_sends_one_message_after_another() {
        let mut all = ports(3);
        assert_eq!(all.send(0, 8_000, Ns(0)), Ns(11_000), "8,000 on the wire, 3,000 of latency");
        assert_eq!([all.queue(0, Ns(3_000)), all.queue(1, Ns(0))], [Ns(5_396), Ns(0)], "with 66 for each of 6 packets");
        assert_eq!(all.send(0, 100, Ns(0)), Ns(11_496), "the port sends until 8,396");
    }

    #[test]
    fn a_port_takes_one_message_after_another_as_they_come() {
        let mut all = ports(3);
        assert_eq!(all.take(2, 8_000, Ns(11_000)), Ns(11_000), "from 3,000 to 11,000, while it was sent");
        assert_eq!(all.take(2, 1_000, Ns(11_100)), Ns(12_396), "after that, and 6 times 66");
        assert_eq!(all.take(1, 1_000, Ns(11_100)), Ns(11_100), "another port");
        assert_eq!(all.take(2, 1_000, Ns(24_000)), Ns(24_000), "free again");
        // It has taken 700 of the next before this one came in the middle.
        assert_eq!(all.take(2, 100, Ns(30_800)), Ns(30_800));
        assert_eq!(all.take(2, 1_000, Ns(31_000)), Ns(31_166), "1,000 and 166");
    }

    /// From the first byte of a block on, 100 bytes of another message in the middle of it and 8,000 of a second block:
    /// a port that takes one byte a nanosecond has not all of 16,100 before so many have passed.
    #[test]
    fn what_comes_at_once_over_several_wires_takes_no_less_than_all_its_bytes() {
        let mut all = ports(3);
        all.config.fragment_bytes = None;
        assert_eq!(all.take(2, 100, Ns(10_000)), Ns(10_000));
        assert_eq!(all.take(2, 8_000, Ns(10_050)), Ns(2_050 + 8_100));
        assert_eq!(all.take(2, 8_000, Ns(10_060)), Ns(2_050 + 16_100));
    }

    #[test]
    fn infiniband_adds_nothing_to_a_message() {
        let mut all = ports(2);
        all.config.fragment_bytes = None;
        all.send(0, 8_000, Ns(0));
        assert_eq!(all.queue(0, Ns(0)), Ns(8_000));
        let bare = Interconnect::new(all.config, 1, all.losses);
        assert_eq!([300, 301].map(|bytes| bare.spans(bytes)), [(Ns(300), Ns(300)), (Ns(301), Ns(301))]);
    }

    #[test]
    fn fragments_are_those_of_the_largest_packet() {
        assert_eq!(ports(1).config.fragments(), 6);
    }
}
