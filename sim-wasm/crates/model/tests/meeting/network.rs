//! Random networks: stations in a row, each a queue with workers that take jobs, lock what they need, use a device,
//! give the locks back and pass the jobs on, some of them over a link. Once with the model's own structures, once
//! with the twins.
use crate::alike::{Rooms, Tally, Twins};
use crate::jobs::{run, Trace};
use crate::real::Real;
use crate::{device, link, lock, queue};
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::meet::device::{ServiceTime, Shape};
use wwi_model::meet::lock::Mode;

/// A queue and those who serve it.
pub struct Station {
    pub capacity: Option<u32>,
    pub workers: u32,
    /// How many jobs a worker takes at once.
    pub least: u32,
    pub device: usize,
    /// What a worker locks for its jobs, in this order.
    pub locks: Vec<(u32, Mode)>,
    /// Whether jobs come to the next station over the link.
    pub sends: bool,
}

pub struct Plan {
    pub seed: u64,
    pub stations: Vec<Station>,
    pub devices: Vec<(u32, ServiceTime)>,
    pub locks: u32,
    pub bytes_per_s: Option<f64>,
    pub latency: Ns,
    pub jobs: u32,
    /// Longest span between two jobs that come.
    pub gap: u64,
    /// Longest span from being woken to looking again.
    pub dispatch: u64,
    /// After how long a wait is given up, at least.
    pub patience: u64,
}

impl Rooms for Twins {
    type Line = queue::Slow;
    type Server = device::Slow;
    type Wire = link::Slow;
    type Table = lock::Slow;
    fn line(capacity: Option<u32>) -> queue::Slow {
        queue::Slow::new(capacity)
    }
    fn server(width: u32, service: ServiceTime, stream: Stream) -> device::Slow {
        device::Slow::new(width, service, stream)
    }
    fn wire(latency: Ns, bytes_per_s: Option<f64>) -> link::Slow {
        link::Slow::new(latency, bytes_per_s)
    }
    fn table(_locks: u32) -> lock::Slow {
        lock::Slow::default()
    }
}

fn device_of(random: &mut Stream) -> (u32, ServiceTime) {
    let shape = [Shape::Constant, Shape::Exponential, Shape::Hyperexponential][random.below(3) as usize];
    let mean = Ns(1_000 + random.below(40_000));
    let slow = (random.below(3) == 0).then_some(wwi_model::meet::device::Slow { share: 0.05, times: 20.0 });
    (1 + random.below(4) as u32, ServiceTime { mean, shape, slow })
}

fn station_of(random: &mut Stream, devices: usize, locks: u32) -> Station {
    let modes = [Mode::RowExclusive, Mode::Share, Mode::ShareRowExclusive, Mode::Exclusive, Mode::Exclusive];
    let mut wanted = Vec::new();
    for _ in 0..random.below(4) {
        wanted.push((random.below(u64::from(locks)) as u32, modes[random.below(5) as usize]));
    }
    Station {
        capacity: [None, Some(1), Some(3), Some(8)][random.below(4) as usize],
        workers: 1 + random.below(5) as u32,
        least: [1, 1, 2, 4][random.below(4) as usize],
        device: random.below(devices as u64) as usize,
        locks: wanted,
        sends: random.below(3) == 0,
    }
}

fn plan(seed: u64) -> Plan {
    let mut random = Stream::new(seed, 0, "meeting", 0, "plan");
    let (devices, locks) = (1 + random.below(3) as usize, 1 + random.below(4) as u32);
    let stations = 1 + random.below(4) as usize;
    Plan {
        seed,
        devices: (0..devices).map(|_| device_of(&mut random)).collect(),
        stations: (0..stations).map(|_| station_of(&mut random, devices, locks)).collect(),
        locks,
        bytes_per_s: [None, Some(1e9), Some(3e8 + 0.25)][random.below(3) as usize],
        latency: Ns(random.below(30_000)),
        jobs: 60,
        gap: [2_000, 20_000, 100_000][random.below(3) as usize],
        dispatch: [1, 5_000][random.below(2) as usize],
        patience: 10_000 + random.below(200_000),
    }
}

/// The first step where two traces part.
fn same(seed: u64, fast: &Trace, slow: &Trace) {
    let both = || fast.iter().zip(slow);
    if let Some(at) = both().position(|(fast, slow)| fast != slow) {
        panic!("network {seed}: {:?}\nbut the slow one: {:?}", &fast[at.saturating_sub(20)..=at], slow[at]);
    }
    assert_eq!(fast.len(), slow.len(), "network {seed} ends early");
}

#[test]
fn networks() {
    let mut tally = Tally::default();
    for seed in 0..500 {
        let plan = plan(seed);
        let (fast, fast_sums) = run::<Real>(&plan, &mut tally);
        let (slow, slow_sums) = run::<Twins>(&plan, &mut Tally::default());
        same(seed, &fast, &slow);
        assert_eq!(fast_sums, slow_sums, "network {seed}");
    }
    tally.expect(&[
        "woken in vain",
        "waits for a lock",
        "refused a lock",
        "waits for room",
        "waits in a device",
        "sent over the link",
        "gave up waiting for items",
        "gave up waiting for room",
        "gave up waiting for a lock",
    ]);
}
