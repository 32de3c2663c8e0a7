//! Requests from one instance of a cluster to another: how many, how long, and in which parts.
use crate::cluster::request::PARTS;
use crate::config::Config;
use crate::experiment::estimate::of_ratio;
use crate::experiment::evaluate::Assessment;
use crate::measure::accounts::Accounts;
use crate::measure::cluster::{Pair, Reply, REPLIES};
use crate::measure::events::Activity;
use crate::report::databases::FEW;
use crate::report::Estimate;

/// Requests of one instance that another served.
#[derive(Clone, Debug, PartialEq)]
pub struct PairRow {
    /// Who asked, counted from 1.
    pub from: u32,
    /// Who served them, counted from 1.
    pub server: u32,
    /// What came of them.
    pub reply: &'static str,
    /// How many a second.
    pub per_s: Estimate,
    /// From asking to having \[ms\].
    pub mean_ms: Estimate,
    /// Means of its parts \[ms\], in the order of [`PART_NAMES`]; they add up to the mean.
    pub parts_ms: [f64; PARTS],
    /// Share that waited for redo, or for others to give up \[%\].
    pub busy_percent: f64,
    /// Share that lay long in the queue of an LMS \[%\].
    pub congested_percent: f64,
    /// Share for which a third instance was asked first \[%\].
    pub three_way_percent: f64,
    /// Mean time of those \[ms\]; 0 where there were none.
    pub three_way_ms: f64,
    /// Mean time of the others \[ms\]; 0 where there were none.
    pub two_way_ms: f64,
}

/// Names of the parts.
pub const PART_NAMES: [&str; PARTS] =
    ["send", "wire", "LMS dispatch", "LMS queue", "LMS work", "defer", "log flush", "wake-up", "receive"];

/// Mean of so many times \[ms\], of their sum \[ns\].
fn mean_ms(time: f64, number: f64) -> f64 {
    if number > 0.0 {
        time / 1e6 / number
    } else {
        0.0
    }
}

fn name(reply: Reply) -> &'static str {
    match reply {
        Reply::CrBlock => "cr block",
        Reply::CurrentBlock => "current block",
        Reply::CrGrant => "cr grant",
        Reply::CurrentGrant => "current grant",
    }
}

/// The waits that end with such a reply.
fn waits(reply: Reply) -> &'static [Activity] {
    use Activity as A;
    match reply {
        Reply::CrBlock => &[A::GC_CR_2WAY, A::GC_CR_3WAY, A::GC_CR_BUSY, A::GC_CR_CONGESTED, A::GC_CR_LOST],
        Reply::CurrentBlock => {
            &[A::GC_CURRENT_2WAY, A::GC_CURRENT_3WAY, A::GC_CURRENT_BUSY, A::GC_CURRENT_CONGESTED, A::GC_CURRENT_LOST]
        }
        Reply::CrGrant => &[A::GC_CR_GRANT, A::GC_CR_GRANT_CONGESTED, A::GC_CR_MULTI],
        Reply::CurrentGrant => &[A::GC_CURRENT_GRANT, A::GC_CURRENT_GRANT_BUSY, A::GC_CURRENT_GRANT_CONGESTED],
    }
}

impl Assessment {
    /// The longest wait of these groups for such a reply, whoever served \[ms\].
    fn longest_ms(&self, reply: Reply, own: &[usize]) -> f64 {
        let groups = self.accounts.iter().flat_map(|found| own.iter().map(|&group| &found.groups[group]));
        let longest = groups.flat_map(|group| waits(reply).iter().map(|event| group.stays[event.i()].max()));
        longest.max().map_or(0.0, |longest| longest.0 as f64 / 1e6)
    }

    /// The mean time of so many requests \[ms\]. A chain of sessions that wait for one another's blocks is long and
    /// comes seldom: of as many requests more or fewer may have lasted as long as the longest of the instance that
    /// asks, although starts agree. `own`: its accounting groups.
    fn mean_of(&self, times: &[(f64, f64)], reply: Reply, own: &[usize]) -> Estimate {
        let requests: f64 = times.iter().map(|start| start.1).sum();
        let mut mean = of_ratio(times);
        mean.ci95 = mean.ci95.map(|half| half.max(FEW * self.longest_ms(reply, own) / requests));
        mean
    }

    /// One row for each two instances and each kind of reply, where there were any.
    pub(crate) fn pairs(&self, config: &Config) -> Vec<PairRow> {
        if config.cluster.is_none() {
            return Vec::new();
        }
        let instances = config.instances.len();
        let mut rows = Vec::new();
        let groups = config.groups();
        for from in 0..instances {
            let own: Vec<usize> = (0..groups.len()).filter(|&group| groups[group].instance == Some(from)).collect();
            for server in (0..instances).filter(|&server| server != from) {
                rows.extend(REPLIES.into_iter().filter_map(|reply| self.pair((from, server), reply, &own)));
            }
        }
        rows
    }

    fn pair(&self, (from, server): (usize, usize), reply: Reply, own: &[usize]) -> Option<PairRow> {
        let found: Vec<Pair> = self.accounts.iter().map(|found| found.cluster.pair(from, server, reply)).collect();
        let sum = |of: &dyn Fn(&Pair) -> u64| found.iter().map(of).sum::<u64>() as f64;
        let requests = sum(&|pair| pair.requests);
        if requests == 0.0 {
            return None;
        }
        let (three, three_time) = (sum(&|pair| pair.three_way), sum(&|pair| pair.three_way_time));
        let seconds = self.accounts.iter().map(Accounts::span_s);
        let rates: Vec<(f64, f64)> = found.iter().zip(seconds).map(|(pair, s)| (pair.requests as f64, s)).collect();
        let times: Vec<(f64, f64)> =
            found.iter().map(|pair| (pair.time() as f64 / 1e6, pair.requests as f64)).collect();
        let share = |of: &dyn Fn(&Pair) -> u64| 100.0 * sum(of) / requests;
        Some(PairRow {
            from: from as u32 + 1,
            server: server as u32 + 1,
            reply: name(reply),
            per_s: of_ratio(&rates),
            mean_ms: self.mean_of(&times, reply, own),
            parts_ms: std::array::from_fn(|part| sum(&|pair| pair.parts[part]) / 1e6 / requests),
            busy_percent: share(&|pair| pair.busy),
            congested_percent: share(&|pair| pair.congested),
            three_way_percent: share(&|pair| pair.three_way),
            three_way_ms: mean_ms(three_time, three),
            two_way_ms: mean_ms(sum(&Pair::time) - three_time, requests - three),
        })
    }
}
