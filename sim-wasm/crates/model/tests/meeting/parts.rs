//! Sums of a structure are cut into parts: each part is what the twin counts between two moments, and all parts add
//! up to the whole.
use crate::alike::{Figures, Line, Rooms, Server, Table, Twins, Wire};
use crate::lock::{self, MODES};
use crate::real::{device_figures, link_figures, lock_figures, queue_figures, Numbered, Real};
use crate::{device, link, queue};
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::meet::device::{Device, DeviceSums, ServiceTime, Shape, Started};
use wwi_model::meet::link::{Link, LinkSums};
use wwi_model::meet::lock::LockSums;
use wwi_model::meet::queue::{Queue, QueueSums};

/// Parts of one list, and commands of a part.
const PARTS: u32 = 6;
const COMMANDS: u32 = 60;

/// What the twin counted from `earlier` to `later`; of histograms count and sum.
fn between(later: &Figures, earlier: &Figures) -> Vec<u128> {
    let counts = later.counts.iter().zip(&earlier.counts).map(|(l, e)| l.1 - e.1);
    let spans = later.spans.iter().zip(&earlier.spans);
    let spans = spans.flat_map(|(l, e)| [l.1.count() - e.1.count(), l.1.sum() - e.1.sum()]);
    counts.chain(spans.map(u128::from)).collect()
}

trait Sums: Clone + Default {
    fn part(&self, earlier: &Self) -> Self;
    fn plus(&mut self, other: &Self);
    fn figures(&self) -> Figures;
}

macro_rules! sums {
    ($($sums:ty => $figures:path),*) => {$(
        impl Sums for $sums {
            fn part(&self, earlier: &Self) -> Self {
                self.since(earlier)
            }
            fn plus(&mut self, other: &Self) {
                self.add(other);
            }
            fn figures(&self) -> Figures {
                $figures(self)
            }
        }
    )*};
}
sums!(QueueSums => queue_figures, DeviceSums => device_figures, LinkSums => link_figures, LockSums => lock_figures);

/// A structure and its twin, given the same commands; both are read by `read`.
fn check<S: Sums, B>(mut both: B, command: fn(&mut B, &mut Stream, Ns), read: fn(&mut B, Ns) -> (S, Figures)) {
    let (mut random, mut now) = (Stream::new(3, 0, "meeting", 0, "parts"), Ns(0));
    let (mut all, none) = (S::default(), S::default().figures());
    let (mut earlier, mut twin_earlier) = read(&mut both, now);
    for part in 0..PARTS {
        for _ in 0..COMMANDS {
            now += Ns(random.below(3_000));
            command(&mut both, &mut random, now);
        }
        let (later, twin) = read(&mut both, now);
        let between_them = later.part(&earlier);
        let found = between(&between_them.figures(), &none);
        assert_eq!(found, between(&twin, &twin_earlier), "part {part}");
        assert!(found.iter().all(|&figure| figure > 0), "a part tells nothing: {found:?}");
        all.plus(&between_them);
        assert_eq!(all.figures(), later.figures(), "parts up to {part}");
        (earlier, twin_earlier) = (later, twin);
    }
}

#[test]
fn of_a_queue() {
    let both = (Real::line(None), Twins::line(None));
    let command = |both: &mut (Queue<u32>, queue::Slow), random: &mut Stream, now| {
        let woken = &mut Vec::new();
        if random.below(2) == 0 {
            both.0.put(7, now, woken);
            both.1.put(7, now, woken);
        } else {
            both.0.take(now, woken);
            both.1.take(now, woken);
        }
    };
    check(both, command, |both, now| (both.0.sums(now).clone(), both.1.figures(now)));
}

#[test]
fn of_a_device() {
    let service = ServiceTime { mean: Ns(5_000), shape: Shape::Exponential, slow: None };
    let stream = || Stream::new(5, 0, "meeting", 0, "service");
    let both = (Real::server(2, service, stream()), Twins::server(2, service, stream()), Vec::<Started>::new());
    let command = |both: &mut (Device<u32>, device::Slow, Vec<Started>), random: &mut Stream, now| {
        for at in (0..both.2.len()).rev().filter(|&at| both.2[at].done <= now).collect::<Vec<_>>() {
            let slot = both.2.remove(at).slot;
            both.2.extend(both.0.completed(slot, now).and_then(|said| said.1));
            both.1.completed(slot, now);
        }
        if random.below(2) == 0 {
            both.2.extend(both.0.submit(7, now));
            both.1.submit(7, now);
        }
    };
    check(both, command, |both, now| (both.0.sums(now).clone(), both.1.figures(now)));
}

#[test]
fn of_a_link() {
    let both = (Real::wire(Ns(700), Some(1e9)), Twins::wire(Ns(700), Some(1e9)));
    let command = |both: &mut (Link, link::Slow), random: &mut Stream, now| {
        let bytes = random.below(3_000);
        both.0.send(bytes, now);
        both.1.send(bytes, now);
    };
    check(both, command, |both, now| (both.0.sums(now).clone(), both.1.figures(now)));
}

#[test]
fn of_a_table_of_locks() {
    let both = (Real::table(3), Twins::table(3));
    let command = |both: &mut (Numbered, lock::Slow), random: &mut Stream, now| {
        let (lock, owner, mode) = (random.below(3) as u32, random.below(6) as u32, random.below(6) as usize);
        if random.below(3) > 0 {
            both.0.request(lock, owner, MODES[mode], now, &mut Vec::new());
            both.1.request(lock, owner, MODES[mode], now, &mut Vec::new());
        } else {
            both.0.gone(owner, now, &mut Vec::new());
            both.1.gone(owner, now, &mut Vec::new());
        }
    };
    check(both, command, |both, now| (both.0.sums().clone(), both.1.figures(now)));
}
