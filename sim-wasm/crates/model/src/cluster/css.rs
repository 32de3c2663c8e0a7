//! Cluster Synchronization Services: who has heard of whom, and who has to leave when some have not. CSSD itself runs
//! before all other processes and needs next to no CPU, so that it has no process here; its heartbeats come and go
//! through a kernel thread of an ordinary class, which has one.
use crate::cluster::message::Member;
use crate::config::cluster::CssConfig;
use crate::ids::QueueId;
use wwi_kernel::time::Ns;

/// Why an instance left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its heartbeats had not come for misscount, and it was not of the sub-cluster that stayed.
    Misscount,
    /// An LMS had not moved (LMHB).
    Hung,
}

/// An instance left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eviction {
    /// When.
    pub at: Ns,
    /// Who.
    pub member: Member,
    /// Why.
    pub reason: Reason,
}

/// What CSS knows of all instances.
#[derive(Clone, Debug)]
pub struct Css {
    /// As it is set.
    pub config: CssConfig,
    /// Where heartbeats come, by instance.
    pub queues: Vec<QueueId>,
    /// When each instance last heard of each: of all others by the first, then by the second.
    heard: Vec<Ns>,
    /// When LMHB looks next, by instance.
    pub looks: Vec<Ns>,
    /// Nobody asks for a block before this moment: the global cache is being set up anew.
    pub frozen_until: Ns,
    /// Where messages go that nobody may read any more.
    pub void: QueueId,
    /// Who left, in order.
    pub evictions: Vec<Eviction>,
    /// Blocks that nobody held when the global cache was last set up anew; zero before.
    pub lost: usize,
    /// When nearly all of them had been read again.
    pub read_again: Option<Ns>,
}

/// Of the blocks that were lost, one in so many may be still to be read when figures begin. Free: what is chosen evenly
/// is left over as e to the minus time, and that is after five time constants.
const STILL_LOST: usize = 128;

impl Css {
    /// Nobody is missed at the start.
    pub fn new(config: CssConfig, queues: Vec<QueueId>, void: QueueId) -> Css {
        let members = queues.len();
        Css {
            looks: vec![config.looks; members],
            config,
            queues,
            heard: vec![Ns::ZERO; members * members],
            frozen_until: Ns::ZERO,
            void,
            evictions: Vec::new(),
            lost: 0,
            read_again: None,
        }
    }

    /// The global cache has been set up anew, and nobody holds so many blocks.
    pub fn loses(&mut self, unheld: usize) {
        (self.lost, self.read_again) = (unheld, None);
    }

    /// So many blocks nobody holds at a moment.
    pub fn looks_for_lost(&mut self, unheld: usize, now: Ns) {
        if self.read_again.is_none() && unheld * STILL_LOST <= self.lost {
            self.read_again = Some(now);
        }
    }

    /// An instance hears of another.
    pub fn hears(&mut self, me: Member, of: Member, now: Ns) {
        let at = usize::from(me) * self.queues.len() + usize::from(of);
        self.heard[at] = now;
    }

    /// The longer of the times for which two have not heard of one another.
    fn silence(&self, one: Member, other: Member, now: Ns) -> Ns {
        let of = |me: Member, of: Member| self.heard[usize::from(me) * self.queues.len() + usize::from(of)];
        now - of(one, other).min(of(other, one))
    }

    /// Who of these has to leave now: nobody as long as no two have missed one another for misscount; then all but the
    /// largest sub-cluster whose members hear one another, of equally large ones the one with the lowest number.
    /// Silence of nearly misscount counts as much, for not all heartbeats go at the same moment.
    pub fn verdict(&self, living: &[Member], now: Ns) -> Vec<Member> {
        let missed =
            |limit: Ns| move |&(one, other): &(Member, Member)| one != other && self.silence(one, other, now) >= limit;
        let pairs = || living.iter().flat_map(|&one| living.iter().map(move |&other| (one, other)));
        if !pairs().any(|pair| missed(self.config.misscount)(&pair)) {
            return Vec::new();
        }
        let slack = Ns(2 * self.config.heartbeat.0);
        let nearly = Ns(self.config.misscount.0.saturating_sub(slack.0).max(1));
        // Of each the others that it misses, as bits in the order of `living`; the first is the highest bit.
        let bit = |at: usize| 1u32 << (living.len() - 1 - at);
        let misses = |at: usize| {
            let all = (0..living.len()).filter(|&other| missed(nearly)(&(living[at], living[other])));
            all.map(bit).sum::<u32>()
        };
        let missed: Vec<u32> = (0..living.len()).map(misses).collect();
        let hear = |set: &u32| (0..living.len()).all(|at| set & bit(at) == 0 || set & missed[at] == 0);
        let stays = (1..1u32 << living.len()).filter(hear).max_by_key(|set| (set.count_ones(), *set)).unwrap_or(0);
        (0..living.len()).filter(|&at| stays & bit(at) == 0).map(|at| living[at]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many instances, all of which heard one another a second ago, but for these pairs.
    fn silent(members: usize, pairs: &[(Member, Member)]) -> Vec<Member> {
        let s = Ns::from_s;
        let config = CssConfig { misscount: s(30.0), heartbeat: s(1.0), ..crate::testing::css() };
        let mut css = Css::new(config, vec![QueueId(0); members], QueueId(0));
        let living: Vec<Member> = (0..members as Member).collect();
        for (one, other) in living.iter().flat_map(|&one| living.iter().map(move |&other| (one, other))) {
            let is_silent = pairs.contains(&(one, other));
            css.hears(one, other, if is_silent { s(10.0) } else { s(39.0) });
        }
        assert_eq!(css.verdict(&living, s(39.9)), [], "not before misscount");
        css.verdict(&living, s(40.0))
    }

    #[test]
    fn the_largest_sub_cluster_stays_and_of_equal_ones_that_with_the_lowest_number() {
        assert_eq!(silent(2, &[]), []);
        assert_eq!(silent(2, &[(0, 1), (1, 0)]), [1], "two alike: the lower number stays, starved or not");
        assert_eq!(silent(2, &[(1, 0)]), [1], "one direction is enough");
        assert_eq!(silent(3, &[(0, 1), (0, 2), (1, 0), (2, 0)]), [0], "one of three leaves, whatever its number");
        assert_eq!(silent(3, &[(2, 0), (2, 1)]), [2]);
        let halves: Vec<_> = [0, 1].into_iter().flat_map(|one| [(one, 2), (one, 3)]).collect();
        assert_eq!(silent(4, &halves), [2, 3], "two halves");
        let two = [(0, 2), (1, 2), (3, 2), (4, 2), (0, 4), (1, 4), (3, 4)];
        assert_eq!(silent(5, &two), [2, 4], "three stay, the other two miss one another as well");
        assert_eq!(silent(16, &(1..16).map(|other| (0, other)).collect::<Vec<_>>()), [0]);
    }

    /// The others miss it one after another within a heartbeat: the first who does takes the rest along.
    #[test]
    fn whom_one_misses_for_misscount_others_miss_a_little_less() {
        let s = Ns::from_s;
        let mut css = Css::new(crate::testing::css(), vec![QueueId(0); 4], QueueId(0));
        for (one, other) in (0..4).flat_map(|one| (0..4).map(move |other| (one, other))) {
            css.hears(one, other, if other == 0 { s(10.0 + 0.3 * f64::from(one)) } else { s(40.0) });
        }
        assert_eq!(css.verdict(&[0, 1, 2, 3], s(40.29)), []);
        assert_eq!(css.verdict(&[0, 1, 2, 3], s(40.3)), [0]);
        assert_eq!(css.verdict(&[1, 2, 3], s(41.0)), [], "who left is not missed");
    }
}
