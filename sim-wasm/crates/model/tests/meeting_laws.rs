//! A device against queueing theory. Each estimate pools 20 seeds; its 99.9 % interval must hold the exact value and
//! be at most 2 % wide on either side.
use wwi_kernel::calendar::{Calendar, Next, Phase};
use wwi_kernel::rng::Stream;
use wwi_kernel::stats::{mean, variance};
use wwi_kernel::time::Ns;
use wwi_model::meet::device::{Device, DeviceSums, ServiceTime, Shape, Slow};
use wwi_model::testing::erlang_c;

const SEEDS: u32 = 20;
/// Two-sided 99.9 % quantile of Student's t, 19 degrees of freedom (NIST/SEMATECH e-Handbook, 1.3.6.7.2).
const T999_19: f64 = 3.883;
/// Utilisation of the open devices.
const LOAD: f64 = 0.7;
/// Mean service of requests that are not slow \[ns\].
const SERVICE: f64 = 1e6;
/// Requests counted for each seed.
const REQUESTS: u64 = 600_000;

fn service(shape: Shape) -> ServiceTime {
    ServiceTime { mean: Ns(SERVICE as u64), shape, slow: None }
}

/// The interval of the means of all seeds holds `exact`.
fn holds(name: &str, found: &[f64], exact: f64) {
    let (middle, width) = (mean(found), T999_19 * (variance(found).unwrap() / f64::from(SEEDS)).sqrt());
    println!("{name}: {middle:.5} ± {width:.5}, exact {exact:.5}");
    assert!(width <= 0.02 * middle, "{name}: half-width {width} of {middle}");
    assert!((middle - exact).abs() <= width, "{name}: {middle} ± {width}, exact {exact}");
}

/// What holds of a device at any moment, whatever it was asked.
fn conserves(device: &mut Device<u32>, width: usize, now: Ns) {
    let (inside, waiting) = (device.in_service(), device.waiting());
    assert!(waiting == 0 || inside == width, "{waiting} wait and {inside} of {width} are served at {now:?}");
    let sums = device.sums(now);
    assert_eq!(sums.submitted, sums.completed + (inside + waiting) as u64);
    if inside == 0 {
        assert_eq!(sums.busy, u128::from(sums.service.sum()));
        assert_eq!(sums.busy + sums.queued, u128::from(sums.response.sum()));
    }
}

/// Poisson arrivals, on average one each `between`, until `REQUESTS` are done after the first tenth of them.
fn open(width: u32, service: ServiceTime, between: f64, seed: u32) -> DeviceSums {
    let mut device = Device::new(width, service, Stream::new(1, seed, "device", 0, "service"));
    let mut gaps = Stream::new(1, seed, "device", 0, "arrivals");
    let mut calendar = Calendar::<()>::new(width as usize);
    let mut early = None;
    calendar.schedule(Ns::ZERO, Phase::Arrive, ());
    loop {
        let now = calendar.next_time();
        let started = match calendar.next().expect("the next arrival is always announced") {
            Next::Timer(()) => {
                calendar.schedule(now + gaps.exponential_ns(Ns(between as u64)), Phase::Arrive, ());
                device.submit(0, now)
            }
            Next::Slot(slot) => {
                calendar.set(slot, Ns::MAX);
                device.completed(u32::from(slot), now).expect("it is done at its moment").1
            }
        };
        if let Some(started) = started {
            calendar.set(started.slot as u16, started.done);
        }
        conserves(&mut device, width as usize, now);
        let completed = device.sums(now).completed;
        if completed == REQUESTS / 10 && early.is_none() {
            early = Some(device.sums(now).clone());
        }
        if completed == REQUESTS / 10 + REQUESTS {
            return device.sums(now).since(&early.expect("a tenth comes before the end"));
        }
    }
}

/// Mean times in the queue of a device at `LOAD`, in mean services.
fn waits(width: u32, service: ServiceTime, mean_service: f64) -> Vec<f64> {
    let between = mean_service / (LOAD * f64::from(width));
    let sums = (0..SEEDS).map(|seed| open(width, service, between, seed));
    sums.map(|s| (s.response.mean() - s.service.mean()) / mean_service).collect()
}

#[test]
fn exponential_service_and_one_two_and_four_slots_are_m_m_c() {
    for width in [1, 2, 4] {
        let load = LOAD * f64::from(width);
        let exact = erlang_c(width, load) / (f64::from(width) - load);
        holds(&format!("M/M/{width}"), &waits(width, service(Shape::Exponential), SERVICE), exact);
    }
}

/// Mean wait at one slot, in mean services, of a service of this squared coefficient of variation (Pollaczek and
/// Khinchine).
fn pollaczek_khinchine(variation: f64) -> f64 {
    LOAD * (1.0 + variation) / (2.0 * (1.0 - LOAD))
}

#[test]
fn constant_service_is_m_d_1() {
    holds("M/D/1", &waits(1, service(Shape::Constant), SERVICE), pollaczek_khinchine(0.0));
}

#[test]
fn hyperexponential_service_is_m_g_1() {
    holds("M/H2/1", &waits(1, service(Shape::Hyperexponential), SERVICE), pollaczek_khinchine(4.0));
}

/// One in ten takes five times as long: mean 0.9 + 0.5 = 1.4, second moment 0.9 + 2.5 = 3.4 of the constant length.
#[test]
fn a_slow_path_is_m_g_1() {
    let slow = ServiceTime { slow: Some(Slow { share: 0.1, times: 5.0 }), ..service(Shape::Constant) };
    let variation = 3.4 / (1.4 * 1.4) - 1.0;
    holds("a slow path", &waits(1, slow, 1.4 * SERVICE), pollaczek_khinchine(variation));
}

/// Mean services of the closed network's two devices \[ns\].
const STATIONS: [f64; 2] = [1e6, 0.6e6];

/// Customers who go round from one device to the other: sums of both after the first tenth of the time.
fn closed(customers: u32, seed: u32, until: Ns) -> ([DeviceSums; 2], Ns) {
    let device = |at: usize| {
        let time = ServiceTime { mean: Ns(STATIONS[at] as u64), shape: Shape::Exponential, slow: None };
        Device::new(1, time, Stream::new(2, seed, "device", at as u64, "service"))
    };
    let mut devices = [device(0), device(1)];
    let mut calendar = Calendar::<()>::new(2);
    for customer in 0..customers {
        if let Some(started) = devices[0].submit(customer, Ns::ZERO) {
            calendar.set(0, started.done);
        }
    }
    let cut = Ns(until.0 / 10);
    let mut early = None;
    loop {
        let now = calendar.next_time();
        if now >= cut && early.is_none() {
            early = Some([0, 1].map(|d| devices[d].sums(cut).clone()));
        }
        if now >= until {
            let early = early.expect("the cut comes before the end");
            return ([0, 1].map(|d| devices[d].sums(until).since(&early[d])), until - cut);
        }
        let Some(Next::Slot(at)) = calendar.next() else { panic!("customers never leave") };
        let (customer, next) = devices[at as usize].completed(0, now).expect("it is done at its moment");
        calendar.set(at, next.map_or(Ns::MAX, |started| started.done));
        let other = 1 - at;
        if let Some(started) = devices[other as usize].submit(customer, now) {
            calendar.set(other, started.done);
        }
        devices.iter_mut().for_each(|device| conserves(device, 1, now));
        let inside: usize = devices.iter().map(|d| d.in_service() + d.waiting()).sum();
        assert_eq!(inside, customers as usize);
    }
}

/// Throughput \[1/ns\] and mean responses \[ns\] of `customers` by mean-value analysis.
fn mean_values(customers: u32) -> (f64, [f64; 2]) {
    let (mut rate, mut responses, mut lengths) = (0.0, [0.0; 2], [0.0; 2]);
    for n in 1..=customers {
        responses = [0, 1].map(|d| STATIONS[d] * (1.0 + lengths[d]));
        rate = f64::from(n) / (responses[0] + responses[1]);
        lengths = responses.map(|response| rate * response);
    }
    (rate, responses)
}

#[test]
fn a_closed_network_of_two_devices_has_the_mean_values_of_the_exact_analysis() {
    for customers in 1..=8 {
        let (rate, responses) = mean_values(customers);
        let (mut rates, mut found) = (Vec::new(), [Vec::new(), Vec::new()]);
        for seed in 0..SEEDS {
            let (sums, span) = closed(customers, seed, Ns::from_s(200.0));
            rates.push(sums[0].completed as f64 / span.0 as f64 / rate);
            (0..2).for_each(|d| found[d].push(sums[d].response.mean() / responses[d]));
        }
        // As shares of the exact value.
        holds(&format!("throughput of {customers}"), &rates, 1.0);
        (0..2).for_each(|d| holds(&format!("response of {customers} at {d}"), &found[d], 1.0));
    }
}
