//! A link that works out the whole way of its wire anew for every question, in whole numbers without rounding.
use crate::alike::{histogram, pass_time, Figures, Log, Rooms, Tally, Wire};
use crate::real::Real;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

pub struct Slow {
    latency: Ns,
    bytes_per_s: Option<f64>,
    messages: Vec<(u64, Ns)>,
}

/// The least whole number of nanoseconds in which so many bytes pass.
fn on_wire(bytes: u64, bytes_per_s: Option<f64>) -> u64 {
    let Some(rate) = bytes_per_s else { return 0 };
    // A floating number is mantissa × 2^exponent: 10⁹ × bytes / (mantissa × 2^exponent), rounded up.
    let (mut mantissa, mut exponent) = (rate, 0);
    while mantissa.fract() != 0.0 {
        (mantissa, exponent) = (mantissa * 2.0, exponent + 1);
    }
    let work = (u128::from(bytes) * 1_000_000_000) << exponent;
    work.div_ceil(mantissa as u128) as u64
}

impl Slow {
    pub fn new(latency: Ns, bytes_per_s: Option<f64>) -> Self {
        Slow { latency, bytes_per_s, messages: Vec::new() }
    }

    /// When each message is on the wire: from, to.
    fn stays(&self) -> Vec<(Ns, Ns)> {
        let mut free = Ns(0);
        let mut stays = Vec::new();
        for &(bytes, sent) in &self.messages {
            let from = if sent > free { sent } else { free };
            free = from + Ns(on_wire(bytes, self.bytes_per_s));
            stays.push((from, free));
        }
        stays
    }
}

impl Wire for Slow {
    fn send(&mut self, bytes: u64, now: Ns) -> Ns {
        self.messages.push((bytes, now));
        self.stays().last().expect("just sent").1 + self.latency
    }
    fn figures(&mut self, now: Ns) -> Figures {
        let stays = self.stays();
        let busy = stays.iter().map(|&(from, to)| u128::from(to.min(now).minus(from).0)).sum();
        let delays = stays.iter().zip(&self.messages).map(|(stay, message)| stay.1 + self.latency - message.1);
        Figures {
            counts: vec![
                ("messages", self.messages.len() as u128),
                ("bytes", self.messages.iter().map(|m| u128::from(m.0)).sum()),
                ("busy", busy),
            ],
            spans: vec![("delay", histogram(delays))],
        }
    }
}

/// Messages of one list.
const MESSAGES: u32 = 150;

fn check(seed: u64, latency: Ns, rate: Option<f64>, fast: &mut dyn Wire, slow: &mut dyn Wire, tally: &mut Tally) {
    let mut random = Stream::new(seed, 0, "meeting", 0, "link");
    let (mut log, mut now, mut last) = (Log::new(seed), Ns(0), Ns(0));
    // Wire time of all that was sent; how much of it is done; both as the laws have it.
    let (mut sent, mut done) = (0u128, 0u128);
    for _ in 0..MESSAGES {
        let later = pass_time(&mut random, now, 400_000);
        done += u128::from((later - now).0).min(sent - done);
        now = later;
        if random.below(5) > 0 {
            let bytes = [0, 1, 200, 8_192, 1 << 20, random.below(100_000)][random.below(6) as usize];
            let arrives = (fast.send(bytes, now), slow.send(bytes, now));
            let arrives = log.same(now, format!("send {bytes}"), arrives.0, arrives.1);
            tally.saw(if sent > done { "the wire is taken" } else { "the wire is free" });
            sent += u128::from(on_wire(bytes, rate));
            log.law(arrives >= last, "order is kept");
            log.law(arrives >= now + latency, "nothing arrives before the latency is over");
            let left = Ns((sent - done) as u64);
            log.law(arrives == now + left + latency, "the wire is idle only when nothing waits for it");
            last = arrives;
        } else {
            tally.saw("nothing is sent");
        }
        let (fast, slow) = (fast.figures(now), slow.figures(now));
        log.same_figures(now, &fast, &slow);
        log.law(fast.count("busy") <= u128::from(now.0), "the wire is busy for no longer than time passes");
        log.law(fast.count("busy") == done, "the wire works while there is work");
    }
}

#[test]
fn links() {
    let mut tally = Tally::default();
    for seed in 0..500 {
        let latency = Ns([0, 20_000, 1_000_000][seed as usize % 3]);
        let rates = [None, Some(1.25e9), Some(125e6), Some(3e9), Some(123_456_789.5), Some(3e8 + 0.25), Some(9.5)];
        let rate = rates[seed as usize / 3 % 7];
        check(seed, latency, rate, &mut Real::wire(latency, rate), &mut Slow::new(latency, rate), &mut tally);
    }
    tally.expect(&["the wire is taken", "the wire is free", "nothing is sent"]);
}
