//! What came after a copy was kept is what would have been recorded from there on, whatever came before.
use wwi_kernel::histogram::Histogram;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

#[test]
fn the_difference_of_two_copies_is_the_histogram_of_what_came_between() {
    let mut stream = Stream::new(1, 0, "test", 0, "since");
    let (mut all, mut late) = (Histogram::default(), Histogram::default());
    (0..5_000).for_each(|_| all.record(Ns((stream.exponential() * 3e5) as u64)));
    let earlier = all.clone();
    for _ in 0..2_000 {
        let span = Ns((stream.exponential() * 1e6) as u64);
        all.record(span);
        late.record(span);
    }
    let found = all.since(&earlier);
    assert_eq!((found.count(), found.sum(), found.mean()), (late.count(), late.sum(), late.mean()));
    assert!(found.buckets().eq(late.buckets()));
    for q in [0.01, 0.5, 0.9, 0.99, 0.999] {
        assert_eq!(found.quantile(q), late.quantile(q), "{q}");
    }
    let mut again = earlier.clone();
    again.add(&found);
    assert_eq!((again.count(), again.sum()), (all.count(), all.sum()));
    assert!(again.buckets().eq(all.buckets()));
    assert_eq!([0.5, 0.99].map(|q| again.quantile(q)), [0.5, 0.99].map(|q| all.quantile(q)));
}
