//! From what each start says to a figure with its interval.
//!
//! Starts are independent, so every interval is Student's t over them. Where the sums of each bucket are kept it may
//! not be narrower than the same over batches, which are more but not quite independent.
use crate::report::Estimate;
use wwi_kernel::histogram::Histogram;
use wwi_kernel::stats::{half_width, mean, neighbours, ratio, t95};

/// Observations beyond a quantile, all starts, without which it has no interval.
const BEYOND: f64 = 20.0;

/// A mean of values, one a start.
pub fn of_starts(values: Vec<f64>) -> Estimate {
    Estimate { mean: mean(&values), ci95: half_width(&values), reps: values }
}

/// The ratio of two sums, pooled over the starts; zero, without an interval, where the lower one is zero.
pub fn of_ratio(pairs: &[(f64, f64)]) -> Estimate {
    match ratio(pairs) {
        Some((mean, reps)) => Estimate { mean, ci95: half_of_ratio(pairs, &reps), reps },
        None => Estimate::default(),
    }
}

/// The half-width of a ratio from what each pair says of it. A pair with nothing under the line says nothing, and what
/// one alone says is the ratio: there is an interval from two on, with as many degrees of freedom.
#[inline(never)]
fn half_of_ratio(pairs: &[(f64, f64)], values: &[f64]) -> Option<f64> {
    let seen = pairs.iter().filter(|pair| pair.1 > 0.0).count();
    let half = half_width(values)?;
    (seen > 1).then(|| half * (t95(seen - 1) / t95(values.len() - 1)))
}

/// A figure from the sums of buckets: `starts[i]` is start i as (up, under) by bucket; a rate has its time under the
/// line.
#[derive(Clone, Debug)]
pub struct Batched {
    /// The figure.
    pub estimate: Estimate,
    /// Starts differ by clearly more than batches explain.
    pub starts_dominate: bool,
    /// Batches, even as long as they may be, resemble their neighbours.
    pub is_slow: bool,
    /// Buckets in a batch.
    pub batch: usize,
}

/// Batches of a start: the most of these that do not resemble their neighbours, else the fewest.
const BATCHES: [usize; 3] = [16, 8, 4];
/// By how much the spread between starts must exceed that of batches to be more than chance.
const DOMINATES: f64 = 1.3;

/// The figure with the wider of its two intervals.
pub fn batched(starts: &[Vec<(f64, f64)>]) -> Option<Batched> {
    let total = |v: &[(f64, f64)]| v.iter().fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
    let sums: Vec<(f64, f64)> = starts.iter().map(|s| total(s)).collect();
    let (pooled, reps) = ratio(&sums)?;
    let length = starts.iter().map(Vec::len).min().unwrap_or(0);
    let mut found = (length.max(1), Vec::new(), 0.0);
    let mut pairs = Vec::new();
    for count in BATCHES.into_iter().filter(|&count| count <= length) {
        let batch = length / count;
        let whole: Vec<Vec<(f64, f64)>> =
            starts.iter().map(|s| s[length % count..].chunks_exact(batch).map(total).collect()).collect();
        let values = about(&whole, pooled);
        let alike = neighbours(&values);
        found = (batch, values.concat(), alike);
        pairs = whole.concat();
        if alike <= 0.0 {
            break;
        }
    }
    // What one batch counts too much the next counts too little: their mean scatters less than they do.
    let contrary = (1.0 + 2.0 * found.2.min(0.0)).max(0.0).sqrt();
    let within = half_of_ratio(&pairs, &found.1).map(|half| half * contrary);
    let between = half_of_ratio(&sums, &reps);
    // Batches of one start are not independent enough to stand alone.
    let ci95 = between.map(|between| within.map_or(between, |within| between.max(within)));
    Some(Batched {
        estimate: Estimate { mean: pooled, ci95, reps },
        starts_dominate: matches!((between, within), (Some(b), Some(w)) if b > DOMINATES * w),
        is_slow: found.2 > 0.0,
        batch: found.0,
    })
}

/// What each batch says of a ratio that is known from all of them.
fn about(batches: &[Vec<(f64, f64)>], ratio: f64) -> Vec<Vec<f64>> {
    let count = batches.iter().map(Vec::len).sum::<usize>().max(1) as f64;
    let under = batches.iter().flatten().map(|p| p.1).sum::<f64>() / count;
    let of = |p: &(f64, f64)| if under > 0.0 { ratio + (p.0 - ratio * p.1) / under } else { ratio };
    batches.iter().map(|b| b.iter().map(of).collect()).collect()
}

/// A quantile of the pooled observations \[ns\].
///
/// The share of each start's observations that lies below it scatters about `q`; that scatter, carried through the
/// pooled distribution, is the interval (Woodruff 1952, over starts as clusters). What each start says is on the line
/// between the two ends. As of a ratio, a start without any says nothing, and of one alone there is no interval.
#[inline(never)]
pub fn of_quantile(pooled: &Histogram, starts: &[Histogram], q: f64) -> Estimate {
    let centre = pooled.quantile(q);
    let each = pooled.count() as f64 / starts.len().max(1) as f64;
    let pairs: Vec<(f64, f64)> = starts.iter().map(|h| (0.0, h.count() as f64)).collect();
    let seen = pairs.iter().filter(|pair| pair.1 > 0.0).count();
    if seen < 2 || pooled.count() as f64 * (1.0 - q) < BEYOND {
        return Estimate { mean: centre, ci95: None, reps: Vec::new() };
    }
    let off = |share: &dyn Fn(&Histogram) -> f64, from: f64| -> Vec<f64> {
        starts.iter().map(|h| (share(h) - from) * h.count() as f64 / each).collect()
    };
    // A quantile within a heap of equal spans: shares scatter about the share below it, and about that with it, not
    // about q.
    let below = |h: &Histogram| h.share_below(centre);
    let sides = [off(&|h| h.share_within(centre), q), off(&below, below(pooled))];
    let [with, below] = sides.each_ref().map(|off| half_of_ratio(&pairs, off).unwrap_or(0.0));
    let half = with.max(below);
    let off = &sides[usize::from(below > with)];
    let at = mean(off);
    if half <= 0.0 {
        return Estimate { mean: centre, ci95: Some(0.0), reps: vec![centre; starts.len()] };
    }
    let (low, high) = (pooled.quantile(q - half), pooled.quantile((q + half).min(1.0)));
    let slope = (high - low) / (2.0 * half);
    let reps = off.iter().map(|o| centre - slope * (o - at)).collect();
    // Told as one number either way: the longer side, for tails thin out upwards.
    Estimate { mean: centre, ci95: Some((high - centre).max(centre - low)), reps }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wwi_kernel::rng::Stream;
    use wwi_kernel::time::Ns;

    /// How often intervals of one figure of `runs` independent experiments hold `truth`, and how wide they are against
    /// the spread of the figure.
    fn coverage(runs: u64, truth: f64, run: impl Fn(&mut Stream) -> Estimate) -> (f64, f64) {
        let found: Vec<Estimate> =
            (0..runs).map(|seed| run(&mut Stream::new(seed, 0, "test", 0, "coverage"))).collect();
        let held = found.iter().filter(|e| (e.mean - truth).abs() <= e.ci95.unwrap()).count();
        let means: Vec<f64> = found.iter().map(|e| e.mean).collect();
        let spread = 1.96 * wwi_kernel::stats::variance(&means).unwrap().sqrt();
        let half = found.iter().map(|e| e.ci95.unwrap()).sum::<f64>() / runs as f64;
        (held as f64 / runs as f64, half / spread)
    }

    #[test]
    fn what_one_start_alone_has_seen_has_no_interval() {
        let nothing = (0.0, 0.0);
        assert_eq!(of_ratio(&[nothing, (6.0, 3.0), nothing]).ci95, None);
        let one = batched(&[vec![nothing; 16], vec![(2.0, 1.0), nothing, nothing, nothing], vec![nothing; 16]]);
        assert_eq!(one.map(|one| (one.estimate.mean, one.estimate.ci95)), Some((2.0, None)));
        // Two have: with one degree of freedom, t = 12.706, of eight values 0, .., 0, 4, -4 about 3.
        let two = of_ratio(&[nothing, (4.0, 1.0), nothing, nothing, (2.0, 1.0), nothing, nothing, nothing]);
        let half = 12.706 * (2.0 * 16.0 / 7.0 / 8.0_f64).sqrt();
        assert!(two.mean == 3.0 && (two.ci95.expect("two") - half).abs() < 1e-9, "{two:?}, {half}");
    }

    /// Evenly from 0 to 100 ms in one start, from 10 to 110 in another: the median of both is 55, and 55 and 45 % lie
    /// below it. Of eight starts, six of which saw none, these are off by 0.2 of what a start has on average, with one
    /// degree of freedom: t = 12.706.
    #[test]
    fn a_start_without_observations_says_nothing_of_a_quantile() {
        let even = |from: u64| {
            let mut h = Histogram::default();
            (0..10_000).for_each(|at| h.record(Ns(from * 1_000_000 + 10_000 * at + 5_000)));
            h
        };
        let of = |seen: &[Histogram]| {
            let mut starts = seen.to_vec();
            starts.resize(8, Histogram::default());
            let mut pooled = Histogram::default();
            starts.iter().for_each(|s| pooled.add(s));
            of_quantile(&pooled, &starts, 0.5)
        };
        let (alone, two) = (of(&[even(0)]), of(&[even(0), even(10)]));
        assert!((alone.mean / 50e6 - 1.0).abs() < 1e-3 && alone.ci95.is_none(), "{alone:?}");
        // Of the longer side: below 5 % one start alone, above 95 % the other, 200 ms for the whole share.
        let half = 12.706 * 0.2 * (2.0_f64 / 7.0 / 8.0).sqrt();
        let longest = 100.0 + 200.0 * (0.5 + half - 0.95);
        let ci95 = two.ci95.expect("of two") / 1e6;
        assert!((two.mean / 55e6 - 1.0).abs() < 1e-3 && (ci95 / (longest - 55.0) - 1.0).abs() < 1e-2, "{ci95}");
    }

    /// Of equal spans at the top all lie within the quantile in every start; how many lie below it varies.
    #[test]
    fn a_quantile_in_a_heap_at_the_top_is_as_sure_as_the_share_below_it() {
        let start = |longest: u64| {
            let mut h = Histogram::default();
            (0..1000 - longest).for_each(|_| h.record(Ns(100_000_000)));
            (0..longest).for_each(|_| h.record(Ns(172_000_000)));
            h
        };
        let of = |counts: &[u64]| {
            let starts: Vec<Histogram> = counts.iter().map(|&longest| start(longest)).collect();
            let mut pooled = Histogram::default();
            starts.iter().for_each(|s| pooled.add(s));
            of_quantile(&pooled, &starts, 0.99)
        };
        let unsure = of(&[0, 0, 60, 5, 0, 40, 0, 15]);
        assert_eq!((unsure.mean, unsure.ci95), (172e6, Some(72e6)));
        let sure = of(&[60, 61, 59, 60, 62, 58, 60, 60]);
        assert_eq!((sure.mean, sure.ci95), (172e6, Some(0.0)));
    }

    #[test]
    fn intervals_of_a_quantile_of_unlike_starts_hold_it_95_times_in_100() {
        // Half of the starts are later by a tenth, so observations of one start are alike. Exponential times:
        // (e^-t + e^-(t - 0.1)) / 2 = 0.01 at t = 4.6564.
        let (held, wide) = coverage(1000, 465.642, |stream| {
            let mut starts = vec![Histogram::default(); 8];
            for start in &mut starts {
                let shift = if stream.uniform() < 0.5 { 0.1 } else { 0.0 };
                (0..2000).for_each(|_| start.record(Ns((1e8 * (stream.exponential() + shift)) as u64)));
            }
            let mut pooled = Histogram::default();
            starts.iter().for_each(|s| pooled.add(s));
            let found = of_quantile(&pooled, &starts, 0.99);
            assert!((mean(&found.reps) - found.mean).abs() < 1e-9 * found.mean);
            Estimate { mean: found.mean / 1e6, ci95: found.ci95.map(|c| c / 1e6), reps: Vec::new() }
        });
        assert!((0.925..0.975).contains(&held) && (1.05..1.35).contains(&wide), "{held} {wide}");
    }

    #[test]
    fn intervals_of_a_ratio_hold_it_and_starts_that_differ_are_told() {
        let (held, wide) = coverage(1000, 2.0, |stream| {
            let bucket = |stream: &mut Stream| {
                let n = 1.0 + stream.uniform();
                (n * 4.0 * stream.uniform(), n)
            };
            let starts: Vec<Vec<_>> = (0..8).map(|_| (0..64).map(|_| bucket(stream)).collect()).collect();
            batched(&starts).unwrap().estimate
        });
        assert!((0.94..0.995).contains(&held) && (1.0..1.35).contains(&wide), "{held} {wide}");
        let mut stream = Stream::new(1, 0, "test", 0, "levels");
        let levels: Vec<Vec<_>> =
            (0..8).map(|s| (0..64).map(|_| (f64::from(s) + stream.uniform(), 1.0)).collect()).collect();
        let found = batched(&levels).unwrap();
        assert!(found.starts_dominate && !found.is_slow);
        assert_eq!(found.batch, 4);
        let slow: Vec<Vec<_>> = (0..8).map(|s| (0..64).map(|b| (f64::from(b + s), 1.0)).collect()).collect();
        assert!(batched(&slow).unwrap().is_slow);
        assert!(batched(&[vec![(0.0, 0.0)]]).is_none());
    }

    #[test]
    fn a_figure_without_variance_has_an_interval_of_nothing() {
        let mut one = Histogram::default();
        (0..400).for_each(|_| one.record(Ns(5_000_000)));
        let mut pooled = one.clone();
        (0..7).for_each(|_| pooled.add(&one));
        let found = of_quantile(&pooled, &vec![one; 8], 0.99);
        assert_eq!((found.mean, found.ci95, found.reps), (5e6, Some(0.0), vec![5e6; 8]));
        assert_eq!(of_ratio(&[(2.0, 1.0), (4.0, 2.0)]).ci95, Some(0.0));
    }

    /// Eight starts alike, of sixteen batches of which neighbours are opposed: products of neighbours sum to -15,
    /// squares to 40, so that they resemble each other by -15 / 40 + 1 / 16 = -0.3125. What a batch has too much two
    /// neighbours lack: the variance of the mean is 1 - 2 x 0.3125 times that of independent ones.
    #[test]
    fn batches_that_are_contrary_to_both_neighbours_have_a_surer_mean() {
        let off = [2, -1, 1, 1, -2, 2, -1, -2, -1, 2, -2, -1, 1, 2, -2, 1];
        let starts = vec![off.map(|off| (10.0 + f64::from(off), 1.0)).to_vec(); 8];
        let found = batched(&starts).expect("there are batches");
        let half = t95(127) * (8.0 * 40.0 / 127.0 / 128.0_f64).sqrt() * (1.0 - 2.0 * 0.3125_f64).sqrt();
        let ci95 = found.estimate.ci95.expect("of several");
        assert!(found.estimate.mean == 10.0 && (ci95 / half - 1.0).abs() < 1e-9, "{found:?} for {half}");
    }
}
