//! How sessions learn that their commits are complete: the log writer posts them, or they look themselves; with
//! adaptive log file sync the log writer changes from the one to the other and back, by what the checkpoint process
//! counts.
use crate::config::database::{Answering, WRITERS_WAKE};
use crate::instance::database::Database;
use wwi_kernel::time::Ns;

/// What the log writer and the sessions know of answering commits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Commits are not posted at present.
    pub polls: bool,
    /// Mean length of a write from gathering to the end of its I/O \[ns\], the last ones weighing most.
    pub write: f64,
    /// Waits for commits since they were last counted, and how many of them took longer than 110 % of what polling is
    /// expected to take.
    pub waits: [u64; 2],
    /// When that was, and when it is due next.
    pub counted: Ns,
    pub due: Ns,
    /// What was counted then, by the second.
    pub sample: Sample,
    /// Commits a second in the sample by which the log writer last changed its way.
    pub rate: f64,
    /// Writes since the log writer last looked.
    pub writes: u32,
    /// When that was.
    pub looked: Ns,
}

/// What the checkpoint process counted last.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Waits for commits, and those of them that were long.
    pub waits: [u64; 2],
    /// Waits a second.
    pub rate: f64,
}

/// Weight of a new value in a mean of the last ones.
const NEW: f64 = 1.0 / 16.0;

impl Pace {
    /// Before anything was measured.
    pub fn new(answering: Answering, write: Ns) -> Pace {
        let polls = answering == Answering::Poll;
        let (sample, at) = (Sample::default(), Ns::ZERO);
        Pace {
            polls,
            write: write.0 as f64,
            waits: [0; 2],
            counted: at,
            due: at,
            sample,
            rate: 0.0,
            writes: 0,
            looked: at,
        }
    }

    /// A write took so long, with the gathering before it.
    pub fn wrote(&mut self, span: Ns) {
        self.write += NEW * (span.0 as f64 - self.write);
        self.writes += 1;
    }

    /// A session knows that its commit is complete, after so long; polling is expected to take as long as that.
    pub fn synced(&mut self, span: Ns, polled: Ns) {
        self.waits[0] += 1;
        self.waits[1] += u64::from(span.0 * 100 > polled.0 * 110);
    }

    /// The checkpoint process counts every 3 s what was waited for since.
    pub fn counts(&mut self, now: Ns) {
        let span = now - self.counted;
        self.sample = Sample { waits: self.waits, rate: self.waits[0] as f64 * 1e9 / span.0.max(1) as f64 };
        (self.waits, self.counted, self.due) = ([0; 2], now, now.plus(WRITERS_WAKE));
    }

    /// The log writer looks, every 128 writes or 3 s, at what was counted last: it changes to polling where more than
    /// an eighth of five waits or more were long, back where commits were below 50 % of what they were when it changed.
    /// Whether it did.
    pub fn looks(&mut self, now: Ns) -> bool {
        if self.writes < 128 && now - self.looked < WRITERS_WAKE {
            return false;
        }
        (self.writes, self.looked) = (0, now);
        let Sample { waits: [all, long], rate } = self.sample;
        let changes = if self.polls { rate < 0.5 * self.rate } else { all >= 5 && 8 * long > all };
        if changes {
            (self.polls, self.rate) = (!self.polls, rate);
        }
        changes
    }
}

impl Database {
    /// How long who polls sleeps for a commit whose redo ends there: until the write under way is over and all have
    /// answered, or as long as two of these where that is not its write; as long as the host can at least.
    pub fn sleep(&self, end: u64) -> Ns {
        let each = self.pace.write.max(self.redo.broadcasts.ack.0 as f64).max(1000.0);
        let times = if end <= self.redo.writing { 1.0 } else { 2.0 };
        self.config.log.least_sleep.max(Ns((times * each) as u64))
    }

    /// When the checkpoint process counts the waits for commits next, where the log writer goes by them.
    pub fn counts_next(&self) -> Option<Ns> {
        (self.config.log.answering == Answering::Adaptive).then_some(self.pace.due)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::database::{DatabaseConfig, LogConfig};
    use crate::config::{Arrivals, Demand, DemandShape, NodeConfig, Scheduler};
    use crate::measure::database::Sum;
    use crate::meet::device::Shape;
    use crate::testing::{database, device, near_abs, node, oltp, one};
    use crate::world::World;

    fn ms(t: f64) -> Ns {
        Ns::from_ms(t)
    }

    /// So many waits of which so many are long, where polling is to take 2 ms (2.2 are not), counted then.
    fn count(pace: &mut Pace, (long, all): (u32, u32), at: f64) {
        (0..all).for_each(|number| pace.synced(ms(if number < long { 2.3 } else { 2.2 }), ms(2.0)));
        pace.counts(ms(at));
    }

    /// Of 313 waits in 3 s 53 were long in a published trace that changes; in another 21 are left, and all
    /// 21 are long.
    #[test]
    fn answering_changes_to_polling_where_an_eighth_is_long_and_back_below_half_the_commits() {
        let mut pace = Pace::new(Answering::Adaptive, ms(1.0));
        assert!(!pace.polls);
        let mut look = |waits, at: f64| {
            count(&mut pace, waits, at);
            (0..128).for_each(|_| pace.wrote(ms(1.0)));
            (pace.looks(ms(at + 1.0)), pace.polls)
        };
        assert_eq!(look((4, 4), 3000.0), (false, false));
        assert_eq!(look((125, 1000), 6000.0), (false, false));
        assert_eq!(look((126, 1000), 9000.0), (true, true));
        assert_eq!(look((0, 501), 12_000.0), (false, true));
        assert_eq!(look((0, 499), 15_000.0), (true, false));
        assert_eq!(look((53, 313), 18_000.0), (true, true));
        assert_eq!(look((21, 21), 21_000.0), (true, false));
        assert_eq!(look((1, 5), 24_000.0), (true, true));
        assert_eq!(look((0, 0), 27_000.0), (true, false));
        // A first count may come sooner: half as many in half the time are as many in a second.
        assert_eq!(look((500, 1000), 30_000.0), (true, true));
        assert_eq!(look((0, 251), 31_500.0), (false, true));
        assert_eq!(look((0, 249), 33_000.0), (true, false));
    }

    /// Between two counts it goes by the last one, however many of the waits since were long; it looks every 128 writes
    /// or 3 s.
    #[test]
    fn the_log_writer_goes_by_what_was_counted_last() {
        let mut pace = Pace::new(Answering::Adaptive, ms(1.0));
        count(&mut pace, (0, 100), 3000.0);
        (0..128).for_each(|_| pace.wrote(ms(1.0)));
        (0..100).for_each(|_| pace.synced(ms(9.0), ms(2.0)));
        assert!(!pace.looks(ms(3100.0)));
        pace.counts(ms(6000.0));
        assert!(!pace.looks(ms(6099.0)) && pace.looks(ms(6100.0)), "3 s after it looked last");
        count(&mut pace, (0, 10), 9000.0);
        (0..127).for_each(|_| pace.wrote(ms(1.0)));
        assert!(!pace.looks(ms(9001.0)));
        pace.wrote(ms(1.0));
        assert!(pace.looks(ms(9002.0)), "the 128th write since");
    }

    /// Published of log writers [µs]: mean write, mean answer to a broadcast, least sleep, and how long polling was to
    /// take. Who finds its redo in the write under way sleeps for one of them.
    #[test]
    fn polling_is_to_take_two_writes_or_answers_or_the_least_sleep() {
        let us = |t: u64| Ns(1000 * t);
        for (write, ack, least, both, first) in [(1923, 2372, 1069, 4744, 2372), (5506, 0, 19134, 19134, 19134)] {
            let mut world = World::new(&one(node(), oltp(1, database())), 1);
            let database = world.database_mut(0);
            (database.pace.write, database.redo.broadcasts.ack) = (1e3 * f64::from(write), us(ack));
            database.config.log.least_sleep = us(least);
            database.redo.made += 1000;
            database.redo.gather();
            let writing = database.redo.writing;
            assert_eq!((database.sleep(writing + 1), database.sleep(writing)), (us(both), us(first)));
        }
    }

    /// Log switches wake the checkpoint process twice a second; what was counted stands for 3 s all the same, and with
    /// other ways of answering nothing is counted.
    #[test]
    fn the_checkpoint_process_counts_when_it_is_due() {
        let counted = |answering| {
            let mut database = database();
            (database.log.answering, database.log.size, database.checkpoint.lag) = (answering, 20_000, 10_000);
            let mut world = World::new(&one(node(), oltp(4, database)), 1);
            let mut moments = vec![0.0];
            for at in 1..=200 {
                world.run(ms(100.0 * f64::from(at)), u64::MAX);
                let last = world.database_mut(0).pace.counted.0 as f64 / 1e6;
                moments.extend((moments.last() != Some(&last)).then_some(last));
            }
            world.cut();
            (moments, world.accounts.databases[0].get(Sum::Switches))
        };
        let (moments, switches) = counted(Answering::Adaptive);
        assert!(switches > 30, "{switches} switches");
        assert!((6..=8).contains(&moments.len()), "{moments:?}");
        moments[1..].windows(2).for_each(|two| near_abs(two[1] - two[0], 3000.0, 5.0, "from count to count"));
        assert_eq!(counted(Answering::Post).0, [0.0]);
    }

    /// A log writer that never rests: on idle CPUs a commit waits for the rest of a write of 1 ms and for one of its
    /// own, hardly ever for less than one. Polling is expected to take two, so that none of these waits is long.
    #[test]
    fn waits_of_up_to_two_writes_are_not_long() {
        let redo = Some(device(1, ms(1.0), Shape::Constant));
        let log = LogConfig { answering: Answering::Adaptive, ..database().log };
        let mut instance = oltp(0, DatabaseConfig { log, redo, ..database() });
        instance.workload.arrivals = Arrivals::Open { per_s: 5000.0 };
        instance.workload.demand = Demand { mean: Ns(1000), shape: DemandShape::Constant };
        let host = NodeConfig { cores_per_socket: 64, scheduler: Scheduler::Fifo, ..node() };
        let mut world = World::new(&one(host, instance), 1);
        world.run(Ns::from_s(2.0), u64::MAX);
        let [all, long] = world.database(0).pace.sample.waits;
        let [since, long_since] = world.database(0).pace.waits;
        assert!(all + since > 5000 && long + long_since == 0, "{long} of {all}, {long_since} of {since}");
    }
}
