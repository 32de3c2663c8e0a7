//! Where the beginning of a run ends: what is cut off before anything is counted.
use crate::config::Config;
use crate::experiment::lasting::memory;
use crate::experiment::plan::{relaxation, starts_by};
use crate::experiment::replication::Replication;
use crate::experiment::REPLICATIONS;
use crate::measure::events::{Activity, ACTIVITIES, COUNT};
use crate::measure::rows::Column;
use std::ops::Range;
use wwi_kernel::order::sort_and_dedup;
use wwi_kernel::stats::{half_width_99, mean, mser5, ratio};
use wwi_kernel::time::Ns;

/// A beginning that is so many times in a bucket is no reason to cut that off: free.
const NEGLIGIBLE: u64 = 100;

/// A column's rate, or a ratio of columns, bucket by bucket, averaged over the replications.
fn series(all: &[Replication], edges: usize, over: (Column, Option<Column>)) -> Vec<f64> {
    let mut last = 0.0;
    (0..edges)
        .map(|e| {
            let up: f64 = all.iter().map(|r| r.rows.between(over.0, e, e + 1)).sum();
            let under = over.1.map_or(1.0, |c| all.iter().map(|r| r.rows.between(c, e, e + 1)).sum());
            if under > 0.0 {
                last = up / under;
            }
            last
        })
        .collect()
}

/// Activities that are waits of any kind: neither idle nor on a thread.
fn waits() -> impl Iterator<Item = usize> {
    (0..COUNT).filter(|&a| !ACTIVITIES[a].is_idle && a != Activity::RUNNING.i())
}

/// A column over another, or over time, of these buckets of one replication.
fn part(r: &Replication, over: (Column, Option<Column>), edges: Range<usize>) -> (f64, f64) {
    let under = over.1.map_or(edges.len() as f64, |column| r.rows.between(column, edges.start, edges.end));
    (r.rows.between(over.0, edges.start, edges.end), under)
}

/// Whether what a column is over the first of these buckets differs from what it is from there to the end, by more than
/// replications differ: one time in a hundred where it does not. Few say nothing, so that it may.
fn differs(all: &[Replication], over: (Column, Option<Column>), first: Range<usize>, edges: usize) -> bool {
    if all.len() < REPLICATIONS {
        return true;
    }
    let side = |edges: Range<usize>| {
        let parts: Vec<(f64, f64)> = all.iter().map(|r| part(r, over, edges.clone())).collect();
        ratio(&parts)
    };
    let (Some((_, before)), Some((_, after))) = (side(first.clone()), side(first.end..edges)) else { return true };
    let steps: Vec<f64> = before.iter().zip(&after).map(|(before, after)| before - after).collect();
    half_width_99(&steps).is_none_or(|half| mean(&steps).abs() > half)
}

/// MSER-5 of a column, averaged over the replications. What comes seldom and all at once looks as if it began late:
/// the cut is halved until what it adds differs from the rest.
fn begins(all: &[Replication], edges: usize, over: (Column, Option<Column>)) -> usize {
    let mut cut = mser5(&series(all, edges, over));
    while cut > 0 && !differs(all, over, cut / 2..cut, edges) {
        cut /= 2;
    }
    cut
}

/// The latest of these cuts over throughput, response and every wait; never before the last session started, nor
/// earlier than what a queue remembers.
pub fn warm_up(config: &Config, all: &[Replication], bucket: Ns, edges: usize) -> usize {
    let mut watched = vec![(Column::Lio, None), (Column::Response, Some(Column::Transactions))];
    // What never happens is level from the start.
    let happens = |a: &usize| all.iter().any(|r| r.rows.between(Column::Time(*a), 0, edges) > 0.0);
    for a in waits().filter(happens) {
        watched.push((Column::Time(a), None));
        watched.push((Column::StayTime(a), Some(Column::Stays(a))));
    }
    let found = watched.into_iter().map(|over| begins(all, edges, over)).max().unwrap_or(0);
    found.max(least_warm_up(config, bucket, edges))
}

/// The bucket edge before which no warm-up of a run of so many ends, whatever was seen; none where that is next to
/// nothing of the first bucket.
pub(super) fn least_warm_up(config: &Config, bucket: Ns, edges: usize) -> usize {
    // A sketch cannot wait until priorities have settled.
    let of_priorities = Ns((memory(config) as u64).min(bucket.0 * (edges / 4) as u64));
    let least = starts_by(config).max(relaxation(config)).max(of_priorities).0;
    if least.saturating_mul(NEGLIGIBLE) < bucket.0 {
        0
    } else {
        least.div_ceil(bucket.0) as usize
    }
}

/// The earliest edge of which all sums were kept and that is not before `warm`, else the last before the end; with a
/// whole number of `period`s to the end where there is one.
pub fn cut_at(all: &[Replication], warm: usize, edges: usize, (bucket, period): (Ns, Ns)) -> usize {
    let kept = |edge: &usize| *edge < edges && all.iter().all(|r| r.has(*edge));
    let mut found: Vec<usize> = all.first().map_or(Vec::new(), |r| r.kept_edges().filter(kept).collect());
    sort_and_dedup(&mut found);
    let is_whole = |edge: usize| period == Ns::ZERO || (bucket.0 * (edges - edge) as u64).is_multiple_of(period.0);
    let late = || found.iter().copied().filter(|&edge| edge >= warm);
    late().find(|&edge| is_whole(edge)).or(late().next()).or(found.last().copied()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::cluster::{Flush, LmsConfig};
    use crate::config::database::DatabaseConfig;
    use crate::config::{Arrivals, NodeConfig, Scheduler};
    use crate::experiment::plan::first_plan;
    use crate::experiment::{Figures, Goal};
    use crate::measure::accounts::Accounts;
    use crate::meet::device::Shape;
    use crate::testing::{database, device, hogs, lms, node, oltp, one};
    use wwi_kernel::rng::Stream;

    /// A replication whose throughput and response are level from the start; what `wait` says is spent in the run queue
    /// in each of 200 buckets \[µs\].
    fn with_waits(config: &Config, mut wait: impl FnMut(u64) -> u64) -> Replication {
        let mut found = Replication::new(config, 0, 0, &[]);
        let mut sums = Accounts::new(config.groups().len(), 1, 4, 1);
        let queue = Activity::RUN_QUEUE.i();
        for bucket in 1..=200 {
            let group = &mut sums.groups[0];
            (group.reads, group.transactions) = (group.reads + (1 << 40), group.transactions + 5);
            let wait = Ns(1000 * wait(bucket));
            for _ in 0..5 {
                group.response.record(Ns(10_000_000));
                group.stays[queue].record(wait);
                group.time[queue] += wait.0;
            }
            found.rows.push(&sums);
        }
        found
    }

    /// Of hogs that start at once.
    fn at_once() -> Config {
        let mut instance = hogs(8);
        if let Arrivals::Closed { start_spread, .. } = &mut instance.workload.arrivals {
            *start_spread = Ns::ZERO;
        }
        one(node(), instance)
    }

    fn warm(all: &[Replication]) -> usize {
        warm_up(&at_once(), all, Ns::from_s(1e3), 200)
    }

    #[test]
    fn of_a_limit_a_whole_number_of_periods_is_looked_at_if_an_edge_allows_it() {
        let config = one(node(), hogs(8));
        let mut replication = Replication::new(&config, 0, 0, &[]);
        for edge in [10, 20, 30, 40, 60, 80, 160] {
            replication.mark(edge);
        }
        let all = [replication];
        let cut = |warm, period| cut_at(&all, warm, 160, (Ns(3), Ns(period)));
        // 300 ns before the end of 480 ns is edge 60; 240 ns are edge 80.
        assert_eq!([cut(15, 0), cut(15, 300), cut(15, 240), cut(15, 120)], [20, 60, 80, 40]);
        assert_eq!(cut(70, 300), 80, "none is whole: the first that is late enough");
        assert_eq!(cut(100, 300), 80, "none is late enough: the last before the end");
    }

    /// AIX keeps 16 of 32 parts of what was used each second: half is gone after one, and two are waited for; of 24
    /// four.
    #[test]
    fn priorities_have_settled_when_a_warm_up_ends() {
        let least = |scheduler, aix_sched_d, edges| {
            let config = one(NodeConfig { scheduler, aix_sched_d, ..node() }, hogs(8));
            warm_up(&config, &[with_waits(&config, |_| 1)], Ns::from_ms(100.0), edges)
        };
        let found = [(Scheduler::Cfs, 16), (Scheduler::Solaris, 16), (Scheduler::Aix, 16), (Scheduler::Aix, 24)];
        assert_eq!(found.map(|(scheduler, d)| least(scheduler, d, 200)), [10, 10, 20, 40]);
        assert_eq!(least(Scheduler::Aix, 24, 80), 20, "of a short look a quarter");
    }

    #[test]
    fn the_warm_up_lasts_until_waits_are_level_though_throughput_and_response_are_so_before() {
        let growing = |buckets: u64| with_waits(&at_once(), |bucket| 1000 * bucket.min(buckets) / buckets);
        let least = warm(&[growing(1)]);
        assert!(least <= 5, "{least}: as long as a queue remembers");
        let found = warm(&[growing(40)]);
        assert!((35..=45).contains(&found), "{found}");
    }

    /// Bursts of random length at random moments, one in forty buckets: by chance some begin late or end early. What
    /// does not differ from the rest is not cut off, and what does is, bursts or none.
    #[test]
    fn bursts_are_no_warm_up_but_a_beginning_among_them_is() {
        let begun = |seed: u64, beginning: u64| {
            let all: Vec<Replication> = (0..REPLICATIONS as u64)
                .map(|number| {
                    let mut draws = Stream::new(seed, number as u32, "test", 0, "bursts");
                    with_waits(&at_once(), |bucket| {
                        let burst = if draws.below(40) == 0 { draws.exponential() } else { 0.0 };
                        let early = if bucket <= beginning { 0.5 + 0.1 * draws.uniform() } else { 0.0 };
                        (1e6 * (burst + early)) as u64
                    })
                })
                .collect();
            let over = (Column::Time(Activity::RUN_QUEUE.i()), None);
            (mser5(&series(&all, 200, over)), warm(&all))
        };
        let level: Vec<(usize, usize)> = (0..40).map(|seed| begun(seed, 0)).collect();
        let late = |of: fn(&(usize, usize)) -> usize| level.iter().filter(|one| of(one) >= 20).count();
        // One in a hundred at each halving: two of forty.
        let found = (late(|one| one.0), late(|one| one.1));
        assert!(found.0 >= 8 && found.1 <= 2, "{found:?} of 40");
        for seed in 0..40 {
            let found = begun(seed, 60).1;
            assert!(found >= 55, "{found} of 60, seed {seed}");
        }
    }

    /// The first twenty buckets of one start of many: all together begin higher, by a start that may be odd by chance.
    /// Before and after are looked at by the bucket, however many there are of each.
    #[test]
    fn what_one_start_alone_begins_with_is_no_warm_up() {
        let start = |number: usize| {
            let mut draws = Stream::new(7, number as u32, "test", 0, "odd");
            with_waits(&at_once(), |bucket| 500 + draws.below(20) + if number == 0 && bucket <= 20 { 2000 } else { 0 })
        };
        let all: Vec<Replication> = (0..REPLICATIONS).map(start).collect();
        let over = (Column::Time(Activity::RUN_QUEUE.i()), None);
        assert_eq!(mser5(&series(&all, 200, over)), 20);
        let found = warm(&all);
        assert!(found <= 5, "{found}: as long as a queue remembers");
    }

    /// A log takes so long to write, or a read, or what one block in a thousand waits for: what is level from the
    /// start is so for want of time. Where the delay is nobody's nothing changes.
    #[test]
    fn who_waits_long_is_watched_for_four_times_as_long_and_believed_after_one() {
        let (slow, quick) = (Ns::from_ms(4380.0), Ns::from_ms(1.0));
        let takes = |mean| device(8, mean, Shape::Constant);
        let with = |data, redo| oltp(4, DatabaseConfig { data, redo, ..database() });
        let delayed = |share, current| {
            let mut instance = hogs(4);
            let flush = Flush::Given { share, current, takes: slow };
            instance.others.lms = Some(Box::new(LmsConfig { flush, ..lms(1.0, 1.0) }));
            instance
        };
        let cases = [
            (with(takes(quick), Some(takes(slow))), true),
            (with(takes(slow), Some(takes(quick))), true),
            (with(takes(slow), None), true),
            (with(takes(quick), None), false),
            (delayed(0.001, 0.0), true),
            (delayed(0.0, 0.001), true),
            (delayed(0.0, 0.0), false),
        ];
        for (number, (mut instance, is_long)) in cases.into_iter().enumerate() {
            if let Arrivals::Closed { start_spread, .. } = &mut instance.workload.arrivals {
                *start_spread = Ns::ZERO;
            }
            let mut config = one(node(), instance);
            // No log fills: nothing else asks for so long.
            if let Some(of) = &mut config.instances[0].others.database {
                of.log.size = 1 << 50;
            }
            for coarse in [false, true] {
                let figures = Figures::ThroughputAndResponse;
                let goal = Goal { precision: 0.1, max_events: 1, record: 0, figures, coarse };
                let horizon = first_plan(&config, &goal).horizon;
                assert_eq!(horizon >= Ns(4 * slow.0), is_long, "case {number}: {horizon:?}");
            }
            let warm = warm_up(&config, &[with_waits(&config, |_| 500)], Ns::from_ms(100.0), 200);
            assert_eq!(warm >= 44, is_long, "case {number}: {warm}");
        }
    }
}
