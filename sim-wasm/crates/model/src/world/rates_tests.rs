//! Speeds of threads by where an instance runs, against arithmetic.
use super::*;
use crate::config::Arrivals;
use crate::testing::{hogs, node, one};

fn spread(threads: [f64; 2]) -> Spread {
    Spread { threads: threads.to_vec(), caches: threads.to_vec(), cores: 1.0, ..Spread::default() }
}

#[test]
fn caches_that_an_instance_does_without() {
    let (left, right, both) = (spread([8.0, 0.0]), spread([0.0, 8.0]), spread([4.0, 4.0]));
    assert_eq!(missing_caches(&left, std::slice::from_ref(&left)), 1.0, "alone on one socket of two: one cache of two");
    assert_eq!(missing_caches(&both, std::slice::from_ref(&both)), 0.0, "alone on both");
    assert_eq!(missing_caches(&left, &[left.clone(), right]), 1.0, "one each");
    assert_eq!(missing_caches(&both, &[both.clone(), both.clone()]), 1.0, "both shared by two: as much as one each");
}

/// m ÷ (1 + σ (m − 1) + κ m (m − 1)), which is largest at √((1 − σ) ÷ κ).
#[test]
fn a_law_of_scaling_and_its_peak() {
    let mut instance = hogs(1);
    (instance.coherence.sigma, instance.coherence.kappa) = (0.02, 0.0005);
    let world = World::new(&one(node(), instance), 0);
    let speed = |cores: f64| {
        let on = Spread { cores, ..spread([cores, 0.0]) };
        cores / world.slowdown(0, 0, (&on, 0.0), std::slice::from_ref(&on))
    };
    let hundredths = |cores: f64| (100.0 * speed(cores)).round() / 100.0;
    assert_eq!([1.0, 8.0, 16.0, 32.0].map(hundredths), [1.0, 6.85, 11.27, 15.12]);
    let best = (1..=100).max_by(|&a, &b| speed(f64::from(a)).total_cmp(&speed(f64::from(b))));
    assert_eq!(best, Some(44));
}

#[test]
fn caches_of_one_socket_count_as_those_of_two_do() {
    let mut host = node();
    (host.cores_per_socket, host.cores_per_llc) = (8, 2);
    let mut instance = hogs(2);
    instance.coherence.llc_share = 0.3;
    let start_spread = Ns::ZERO;
    instance.workload.arrivals = Arrivals::Closed { sessions: 2, think: Ns::ZERO, start_spread };
    let mut world = World::new(&one(host, instance), 0);
    assert!(world.run(Ns::from_ms(20.0), 100_000));
    let spread = &world.spreads(0)[0];
    assert_eq!((spread.threads.clone(), spread.caches.iter().sum::<f64>()), (vec![2.0], 2.0));
    // On one or two of four caches.
    let missed = missing_caches(spread, std::slice::from_ref(spread));
    let expected = if spread.caches.contains(&2.0) { 1.0 } else { 2.0 / 3.0 };
    assert!((missed - expected).abs() < 1e-9, "{missed}");
    assert!((world.slowdown(0, 0, (spread, 0.0), std::slice::from_ref(spread)) - (1.0 + 0.3 * expected)).abs() < 1e-9);
}
