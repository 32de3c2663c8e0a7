//! The private network: a port of each host sends one message after another and takes one after another, as fast as its
//! bandwidth allows; between two ports lies the latency of stacks and switch.
use crate::config::cluster::InterconnectConfig;
use crate::meet::link::Link;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

/// The ports of all hosts.
#[derive(Clone, Debug)]
pub struct Interconnect {
    config: InterconnectConfig,
    /// Out of each host.
    out: Vec<Link>,
    /// From when on each host can take the next message.
    into: Vec<Ns>,
    /// Which messages get lost.
    losses: Stream,
}

impl Interconnect {
    /// Idle ports of so many hosts.
    pub fn new(config: InterconnectConfig, hosts: usize, losses: Stream) -> Interconnect {
        Interconnect {
            config,
            out: vec![Link::new(config.latency, Some(config.bytes_per_s)); hosts],
            into: vec![Ns::ZERO; hosts],
            losses,
        }
    }

    /// Sends a message; returns when it has arrived.
    pub fn send(&mut self, (from, to): (usize, usize), bytes: u32, now: Ns) -> Ns {
        let first = self.out[from].send(u64::from(bytes), now);
        let length = Ns((f64::from(bytes) * 1e9 / self.config.bytes_per_s).ceil() as u64);
        // The other port takes it while it is sent, unless it is taking another.
        let last = first.max(self.into[to].plus(length));
        self.into[to] = last;
        last
    }

    /// How long a message that is sent now waits for those before it.
    pub fn queue(&self, from: usize, now: Ns) -> Ns {
        self.out[from].free().minus(now)
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
    fn a_port_sends_and_takes_one_message_after_another() {
        let mut all = ports(3);
        assert_eq!(all.send((0, 2), 8_000, Ns(0)), Ns(11_000), "8,000 on the wire, 3,000 of latency");
        assert_eq!([all.queue(0, Ns(3_000)), all.queue(1, Ns(0))], [Ns(5_000), Ns(0)]);
        assert_eq!(all.send((0, 1), 100, Ns(0)), Ns(11_100), "the port of 0 sends until 8,000");
        // Node 2 takes the first one from 3,000 to 11,000.
        assert_eq!(all.send((1, 2), 1_000, Ns(0)), Ns(12_000));
        assert_eq!(all.send((1, 2), 1_000, Ns(20_000)), Ns(24_000), "both ports are free again");
    }

    #[test]
    fn fragments_are_those_of_the_largest_packet() {
        assert_eq!(ports(1).config.fragments(), 6);
    }
}
