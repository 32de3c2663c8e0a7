//! One replication of an experiment: the world, its sums at bucket edges, and all of them at some.
//!
//! Distributions are recorded in the world from one kept edge to the next, and packed there: what lies between two kept
//! edges is what their windows hold together.
use crate::config::Config;
use crate::experiment::ending::first_bucket;
use crate::experiment::plan::in_step;
use crate::measure::accounts::{Accounts, Group};
use crate::measure::chronicle::Chronicle;
use crate::measure::record::Recorder;
use crate::measure::rows::Rows;
use crate::world::databases::Pace;
use crate::world::runs::Phases;
use crate::world::World;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

/// Windows that end at no edge which counts, of one replication, before they are put together.
const MOST_LOOSE: usize = 3;

/// Stops that are kept as the latest.
const LATEST: usize = 3;

/// Moments within a second at which what is done each second may be done: clock ticks of AIX and Solaris.
const PARTS_OF_A_SECOND: u64 = 100;

/// What an edge is kept for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A warm-up can end there.
    Part,
    /// It is one of the last three stops: a spent budget may leave no more than a beginning and an end, and one start
    /// may be a stop further than others.
    Latest,
    /// Nothing any more: its window belongs to the next.
    Loose,
}

/// All sums at an edge.
#[derive(Debug)]
struct Kept {
    edge: usize,
    mark: Mark,
    /// Since the start, without distributions and books.
    sums: Accounts,
    /// The books since the start.
    books: Box<[u8]>,
    /// The distributions since the edge kept before.
    window: Box<[u8]>,
}

/// One replication with its history.
#[derive(Debug)]
pub struct Replication {
    /// The simulated world; its distributions are those since the last kept edge.
    pub world: World,
    /// Watched sums at bucket edges.
    pub rows: Rows,
    /// Length of a bucket, of a run that ends; those of others are as long as their experiment says.
    pub bucket: Ns,
    /// Edges of which all sums were kept, ascending.
    kept: Vec<Kept>,
}

/// Where a start stands in what comes round: no start begins where another does, so that intervals know of it.
fn phases(config: &Config, number: u32) -> Phases {
    let mut stream = Stream::new(config.seed, number, "experiment", 0, "phase");
    let in_step = Ns(stream.below(in_step(config).0.max(1)));
    let second = Ns(Phases::ZERO.second.0 / PARTS_OF_A_SECOND * (1 + stream.below(PARTS_OF_A_SECOND)));
    Phases { in_step, second, uptime: Ns(1 << 50) }
}

impl Replication {
    pub(crate) fn new(config: &Config, number: u32, record: usize, paces: &[Pace]) -> Replication {
        let mut world = World::phased(config, number, paces, phases(config, number));
        if number == 0 && record > 0 {
            world.recorder = Some(Recorder::new(record, Ns::ZERO));
            world.chronicles = vec![Chronicle::default(); config.instances.len()];
        }
        let bucket = if config.ends() { first_bucket(config) } else { Ns::ZERO };
        Replication { world, rows: Rows::new(config), bucket, kept: Vec::new() }
    }

    fn counted(&self) -> impl DoubleEndedIterator<Item = &Kept> {
        self.kept.iter().filter(|kept| kept.mark != Mark::Loose)
    }

    /// Edges of which all sums were kept.
    pub fn kept_edges(&self) -> impl Iterator<Item = usize> + '_ {
        self.counted().map(|kept| kept.edge)
    }

    /// Whether all sums at an edge were kept.
    pub fn has(&self, edge: usize) -> bool {
        self.kept_edges().any(|kept| kept == edge)
    }

    /// Whether a warm-up can end at an edge.
    pub(crate) fn is_part(&self, edge: usize) -> bool {
        self.kept.iter().any(|kept| kept.edge == edge && kept.mark == Mark::Part)
    }

    /// All sums between two edges that were kept; since the start if the first was not, up to now if not the second.
    pub fn between(&self, cut: usize, edges: usize) -> Accounts {
        let sums_at = |edge: usize| self.counted().find(|kept| kept.edge == edge).map(Kept::whole);
        let (start, end) = (sums_at(cut), sums_at(edges).unwrap_or_else(|| self.world.accounts.clone()));
        let mut found = start.as_ref().map_or_else(|| end.clone(), |start| end.since(start));
        let first = if start.is_some() { cut } else { 0 };
        for kept in self.kept.iter().filter(|kept| first < kept.edge && kept.edge <= edges) {
            found.unpack(&kept.window);
        }
        found
    }

    /// Notes an edge of which nothing but the rows is asked.
    pub(crate) fn mark(&mut self, edge: usize) {
        self.kept.push(Kept {
            edge,
            mark: Mark::Part,
            sums: Accounts::default(),
            books: Box::default(),
            window: Box::default(),
        });
    }

    /// Keeps all sums at the present edge.
    pub(crate) fn keep(&mut self, edge: usize, mark: Mark) {
        let is_latest = |kept: &&mut Kept| kept.mark == Mark::Latest;
        if mark == Mark::Latest && self.kept.iter_mut().filter(is_latest).count() == LATEST {
            self.kept.iter_mut().find(is_latest).into_iter().for_each(Kept::loosen);
        }
        self.rows.packs(&self.world.accounts);
        let window = self.world.accounts.pack();
        let mut sums = if mark == Mark::Loose { Accounts::default() } else { self.world.accounts.clone() };
        let books = sums.pack_books();
        self.kept.push(Kept { edge, mark, sums, books, window });
        if self.kept.iter().filter(|kept| kept.mark == Mark::Loose).count() > MOST_LOOSE {
            self.tidy();
        }
    }

    /// While others go on its distributions take no more memory than this \[bytes\]: those that take more are packed,
    /// and their memory is given back.
    pub(crate) fn put_away(&mut self, edge: usize, most: usize) {
        if self.world.accounts.heap_bytes() <= most {
            return;
        }
        if !self.has(edge) {
            self.keep(edge, Mark::Loose);
        }
        self.world.accounts.release();
    }

    /// No edge counts but those where `is_part` says that a warm-up can still end.
    pub(crate) fn forget(&mut self, is_part: impl Fn(usize) -> bool) {
        let goes = |kept: &&mut Kept| kept.mark == Mark::Latest || !is_part(kept.edge);
        self.kept.iter_mut().filter(goes).for_each(Kept::loosen);
        self.tidy();
    }

    /// Loose windows are put together with what follows them.
    fn tidy(&mut self) {
        let last = self.kept.len().saturating_sub(1);
        let groups: Vec<Group> = self.world.accounts.groups.iter().map(Group::empty).collect();
        let mut open = Accounts { groups: groups.into(), ..Accounts::default() };
        let mut is_open = false;
        for (at, mut kept) in std::mem::take(&mut self.kept).into_iter().enumerate() {
            let goes = kept.mark == Mark::Loose && at < last;
            is_open |= goes;
            if is_open {
                open.unpack(&kept.window);
            }
            if !goes {
                if std::mem::take(&mut is_open) {
                    kept.window = open.pack();
                }
                self.kept.push(kept);
            }
        }
    }

    /// Every second edge; of what was kept at odd ones the windows alone.
    pub(crate) fn merge_pairs(&mut self) {
        self.rows.merge_pairs();
        self.forget(|edge| edge.is_multiple_of(2));
        self.kept.iter_mut().for_each(|kept| kept.edge = kept.edge.div_ceil(2));
    }

    /// Cut off where it stands: all that there is counts, as one bucket.
    pub(crate) fn cut_off(&mut self, config: &Config) {
        self.world.cut();
        for kept in std::mem::take(&mut self.kept) {
            self.world.accounts.unpack(&kept.window);
        }
        self.rows = Rows::new(config);
        self.rows.push(&self.world.accounts);
        self.keep(1, Mark::Part);
    }

    /// Memory that its sums take, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let of =
            |kept: &Kept| kept.window.len() + kept.books.len() + kept.sums.heap_bytes() + std::mem::size_of::<Kept>();
        self.world.accounts.heap_bytes() + self.rows.heap_bytes() + self.kept.iter().map(of).sum::<usize>()
    }
}

impl Kept {
    /// All sums since the start, without distributions.
    fn whole(&self) -> Accounts {
        let mut sums = self.sums.clone();
        sums.unpack_books(&self.books);
        sums
    }

    fn loosen(&mut self) {
        (self.mark, self.sums, self.books) = (Mark::Loose, Accounts::default(), Box::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Background, NodeConfig, ServiceArrivals, ServiceConfig};
    use crate::testing::{cage, hogs, node, one, ordinary};

    /// A host where most is going on: a cage, background, a server; the sums in words, distributions as they are.
    fn busy() -> Config {
        let background = Background { processes: 3, busy: Ns::from_ms(3.0), sleep: Ns::from_ms(5.0), kind: ordinary() };
        let demand = crate::config::Demand { mean: Ns::from_ms(1.0), shape: crate::config::DemandShape::Exponential };
        let service = Some(ServiceConfig {
            servers: 1,
            arrivals: ServiceArrivals::Poisson,
            per_s: 200.0,
            demand,
            kind: ordinary(),
        });
        one(
            NodeConfig { background, service, ..node() },
            crate::config::InstanceConfig { cage: Some(cage(2)), ..hogs(6) },
        )
    }

    fn compare(found: &Accounts, plain: &Accounts, name: &str) {
        for (mine, theirs) in found.groups.iter().zip(&plain.groups) {
            let both = mine.stays.iter().zip(theirs.stays.iter()).chain(mine.clocked.iter().zip(theirs.clocked.iter()));
            for (mine, theirs) in both.chain([(&mine.response, &theirs.response)]) {
                assert!(mine.buckets().eq(theirs.buckets()), "{name}");
                assert_eq!((mine.count(), mine.sum()), (theirs.count(), theirs.sum()), "{name}");
                // Whole copies know the longest of a part by its bucket, windows exactly.
                let edge = theirs.buckets().last().map_or(0, |(_, high, _)| high - 1);
                assert!(mine.max() <= theirs.max() && theirs.max().0 <= edge, "{name}");
            }
            assert_eq!((mine.time, mine.work, mine.asked), (theirs.time, theirs.work, theirs.asked), "{name}");
            assert_eq!(mine.book, theirs.book, "{name}");
        }
        assert_eq!((found.events, &found.threads), (plain.events, &plain.threads), "{name}");
    }

    /// After a warm-up with longer ones, the longest and the percentiles below it are those of what is looked at.
    #[test]
    fn the_longest_after_a_cut_is_one_that_came_after_it() {
        let mut one = Replication::new(&one(node(), hogs(3)), 0, 0, &[]);
        for (edge, spans) in [(1, [814_600_000, 900]), (2, [100_200_000; 2]), (3, [100_200_001, 100_199_999])] {
            spans.into_iter().for_each(|span| one.world.accounts.groups[0].response.record(Ns(span)));
            one.rows.push(&one.world.accounts);
            one.keep(edge, Mark::Part);
        }
        one.world.accounts.groups[0].response.record(Ns(7));
        let seen = [(0, 3), (1, 2), (1, 3), (2, 4)].map(|(from, to)| {
            let found = one.between(from, to);
            let response = &found.groups[0].response;
            assert!(response.quantile(0.999) <= response.max().0 as f64);
            response.max().0
        });
        assert_eq!(seen, [814_600_000, 100_200_000, 100_200_001, 100_200_001]);
    }

    /// What lies between two edges is the difference of two whole copies there, however windows were kept, put away,
    /// loosened and merged in between; and rows are those of a run that packs nothing.
    #[test]
    fn what_windows_hold_together_is_what_whole_copies_differ_by() {
        let config = busy();
        let (mut kept, mut plain) = (Replication::new(&config, 0, 0, &[]), Replication::new(&config, 0, 0, &[]));
        let mut copies = vec![plain.world.accounts.clone()];
        let parts = [4, 8, 12, 16, 24, 32];
        for edge in 1..=32 {
            for one in [&mut kept, &mut plain] {
                one.world.run(Ns::from_ms(50.0 * edge as f64), u64::MAX);
                one.world.cut();
                one.rows.push(&one.world.accounts);
            }
            copies.push(plain.world.accounts.clone());
            match edge {
                _ if parts.contains(&edge) => kept.keep(edge, Mark::Part),
                _ if edge.is_multiple_of(5) => kept.keep(edge, Mark::Latest),
                _ if edge.is_multiple_of(3) => kept.put_away(edge, 0),
                _ => {}
            }
        }
        assert_eq!(
            kept.kept_edges().collect::<Vec<_>>(),
            [4, 8, 12, 16, 20, 24, 25, 30, 32],
            "the last three stops beside the parts"
        );
        let edges = || [0].into_iter().chain(parts);
        let check = |kept: &Replication, halves: usize, is_left: fn(usize) -> bool| {
            for (from, to) in edges().flat_map(|from| edges().map(move |to| (from, to))).filter(|(from, to)| from < to)
            {
                if is_left(from) && is_left(to) {
                    let found = kept.between(from / halves, to / halves);
                    compare(&found, &copies[to].since(&copies[from]), &format!("{from} to {to}, by {halves}"));
                }
            }
        };
        check(&kept, 1, |_| true);
        kept.forget(|edge| edge != 12);
        assert!(!kept.has(12) && !kept.has(30));
        check(&kept, 1, |edge| edge != 12);
        kept.merge_pairs();
        plain.rows.merge_pairs();
        check(&kept, 2, |edge| edge != 12);
        for (group, at) in (0..3).flat_map(|group| (0..16).map(move |at| (group, at))) {
            for column in [crate::measure::rows::GroupColumn::Delay, crate::measure::rows::GroupColumn::Response] {
                let of = |one: &Replication| one.rows.of_group(group, column, at, at + 1);
                assert_eq!(of(&kept), of(&plain), "{group} {at}");
            }
        }
        let all = kept.world.accounts.groups.iter().map(|g| g.response.count()).sum::<u64>();
        kept.cut_off(&config);
        assert_eq!(all, 0, "all was packed");
        compare(&kept.between(0, 1), &copies[32].since(&copies[0]), "cut off");
        assert_eq!(
            kept.rows.of_group(0, crate::measure::rows::GroupColumn::Delay, 0, 1).1,
            copies[32].groups[0].stays[2].count() as f64
        );
    }
}
