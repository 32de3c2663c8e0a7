//! Caches that are run ahead: large ones, of which a small one is run, are as if all of their buffers had been.
use super::*;

const BUFFERS: u32 = 123_083;
const HOT: u32 = 13;
const SETS: u32 = 8;

fn clean(number: u32) -> Cache {
    let sizes = Sizes { buffers: BUFFERS, sets: SETS, hot: HOT, hot_share: 0.5, scan_share: 0.4, large_dirty: 25 };
    Cache::new(sizes, Stream::new(1, number, "test", 0, "changes"))
}

/// Three reads for each change; three changes for each read, with writers that keep up; more changes than reads of
/// eleven blocks, fewer, and more than reads of one; changes alone.
const COURSES: [Course; 6] = [
    Course { reads: 6.0, at_once: 1, cold: 2.0, redo: 1000.0, lag: 1e5, can: 50.0 },
    Course { reads: 2.0, at_once: 1, cold: 6.0, redo: 1000.0, lag: 3e3, can: 50.0 },
    Course { reads: 1.5, at_once: 11, cold: 5.5, redo: 1000.0, lag: 1e5, can: 50.0 },
    Course { reads: 8.0, at_once: 11, cold: 5.5, redo: 1000.0, lag: 1e5, can: 50.0 },
    Course { reads: 1.5, at_once: 1, cold: 5.5, redo: 1000.0, lag: 1e5, can: 50.0 },
    Course { reads: 0.0, at_once: 1, cold: 6.0, redo: 1000.0, lag: 1e5, can: 50.0 },
];

fn is_dirty(cache: &Cache, buffer: u32) -> bool {
    cache.first(buffer) != CLEAN
}

/// Shares of the buffers: dirty, found dirty, in line and dirty in its first half; and their mean age, as a share of
/// `to`.
fn shares(cache: &Cache, to: f64) -> [f64; 4] {
    let all = f64::from(BUFFERS - HOT);
    let numbers = (SETS, BUFFERS);
    let listed: usize = cache.sets.iter().map(|set| set.listed).sum();
    let early = |(number, set): (u32, &super::super::Set)| {
        let line: Vec<u32> = set.list.in_order(first_of(number, (HOT, SETS)), numbers).collect();
        line[..line.len() / 2].iter().filter(|&&buffer| is_dirty(cache, buffer)).count()
    };
    let ages = cache.sets.iter().flat_map(|set| set.dirty.iter().map(|entry| to - entry.0 as f64)).sum::<f64>();
    let in_line: usize = (0..).zip(&cache.sets).map(early).sum();
    [f64::from(cache.dirty()) / all, listed as f64 / all, in_line as f64 / all, ages / to / f64::from(cache.dirty())]
}

/// Run block by block, that is. Within what 60 starts say, at any moment of their rounds: dirty within 2 % of the
/// cache, and as old. (Where nobody reads, how much of a list is found before the first of it is written hangs on the
/// grain, and with that what stays dirty for rounds.)
#[test]
fn a_large_cache_of_which_a_small_one_was_run_is_as_if_it_had_been_run_itself() {
    const STARTS: u32 = 60;
    let to = 4e8;
    let hot = Aged { all_hot: HOT, span: to as u64, ..Aged::default() };
    for course in COURSES.into_iter().filter(|course| course.reads > 0.0) {
        let mut found = [[0.0; 4]; 2];
        for number in 0..STARTS {
            let mut draws = Stream::new(1, number, "test", 0, "ahead");
            let mut whole = clean(number);
            whole.age(Aged { all_hot: HOT, ..Aged::default() }, draws.below(u64::from(BUFFERS - HOT)) as u32);
            let (all, redo) = whole.turns(course, f64::INFINITY, &mut draws);
            whole.dates(|at| to as u64 - ((all - at) as f64 * redo) as u64, &hot);
            let mut scaled = clean(number);
            scaled.runs_ahead(course, to as u64, &hot, &mut Stream::new(1, number, "test", 1, "ahead"));
            for (sum, cache) in found.iter_mut().zip([&whole, &scaled]) {
                sum.iter_mut().zip(shares(cache, to)).for_each(|(sum, one)| *sum += one / f64::from(STARTS));
            }
        }
        let [whole, scaled] = found;
        let is_near = |at: usize, most: f64| (whole[at] - scaled[at]).abs() < most;
        let are_near = is_near(0, 0.02) && is_near(1, 0.02) && is_near(2, 0.03) && is_near(3, 0.3 * whole[3]);
        assert!(are_near, "{course:?}: {whole:?}, {scaled:?}");
    }
}

/// Every buffer that is not hot stands in line once, or is listed to be written and dirty; what is dirty has one entry
/// in its set's queue, in order.
#[test]
fn no_buffer_is_lost_or_doubled() {
    for course in COURSES {
        let hot = Aged { all_hot: HOT, hot: 5, first: 11, span: 1 << 40, ..Aged::default() };
        let mut cache = clean(1);
        cache.runs_ahead(course, 1 << 40, &hot, &mut Stream::new(1, 3, "test", 0, "ahead"));
        let mut places = vec![0; BUFFERS as usize];
        for (number, set) in (0..).zip(&cache.sets) {
            for buffer in set.list.in_order(first_of(number, (HOT, SETS)), (SETS, BUFFERS)) {
                assert_eq!((buffer % SETS, cache.listed.has(buffer as usize)), (number, false));
                places[buffer as usize] += 1;
            }
            for &(at, buffer) in &set.to_write {
                assert_eq!((buffer % SETS, cache.first(buffer)), (number, at));
                assert!(cache.listed.has(buffer as usize));
                places[buffer as usize] += 1;
            }
            assert_eq!(set.listed, set.to_write.len());
            assert!(set.dirty.iter().all(|&(at, buffer)| cache.first(buffer) == at && buffer % SETS == number));
            assert!(set.dirty.iter().zip(set.dirty.iter().skip(1)).all(|(one, next)| one < next));
        }
        assert!(places[..HOT as usize].iter().all(|&times| times == 0), "hot ones are in no line");
        assert!(places[HOT as usize..].iter().all(|&times| times == 1), "{course:?}");
        let dirty: Vec<u32> = (0..BUFFERS).filter(|&buffer| is_dirty(&cache, buffer)).collect();
        let queued: usize = cache.sets.iter().map(|set| set.dirty.len()).sum();
        assert_eq!(
            (dirty.len(), queued, dirty.iter().filter(|&&b| b < HOT).count()),
            (queued, cache.dirty() as usize, 5)
        );
        assert!((HOT..BUFFERS).all(|buffer| cache.cold_dirty.has(buffer as usize) == is_dirty(&cache, buffer)));
    }
}
