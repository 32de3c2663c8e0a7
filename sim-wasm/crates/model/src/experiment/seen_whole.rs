//! Whether transactions are seen from their beginning to their end, where percentiles of them are told.
use super::evaluate::{mean_stay, Assessment, Look, TRANSACTIONS, UNENDED};
use super::plan::limit_period;
use super::warm_up::{cut_at, warm_up};
use super::{FigureKind, Figures};
use crate::config::Config;

/// All but this part of the responses are no longer than the warm-up: of a 99th percentile a tenth of what is beyond.
const SEEN_WHOLE: f64 = 0.999;

impl Look<'_> {
    /// Whether percentiles of responses are told, and such as sessions have: how long a message takes is a matter of
    /// buffers.
    fn tells_percentiles(&self) -> bool {
        let is_asked = match self.goal.figures {
            Figures::ThroughputOnly => false,
            Figures::One(figure) => figure.kind == FigureKind::Tail,
            Figures::ThroughputAndResponse | Figures::With(_) => true,
        };
        is_asked && !self.config.instances.iter().any(|instance| instance.passes_messages())
    }

    fn gathered(&self, cut: usize) -> Assessment {
        let mut sums = Assessment::default();
        if self.goal.figures != Figures::ThroughputOnly {
            self.all.iter().for_each(|r| sums.gather(r.between(cut, self.edges)));
        }
        sums
    }

    /// Buckets that all but the slowest responses take; none where no percentile is told, for they outlast the run.
    fn slowest(&self, sums: &Assessment, cut: usize) -> usize {
        if !self.tells_percentiles() || mean_stay(self.all, self.bucket, cut..self.edges, TRANSACTIONS).1 > UNENDED {
            return 0;
        }
        let slowest = slowest_response(self.config, sums) / self.bucket.0.max(1) as f64;
        slowest.ceil() as usize
    }

    /// The edge at which warm-up should end, the one at which it does, and the sums from there on. Of a transaction
    /// that is under way at the start nobody knows when it began: it is clocked from then, and what ends at a moment
    /// has lasted no longer than the run. So percentiles are of what ends when the run has gone on for longer than
    /// nearly all of them last.
    pub(super) fn warmed(&self) -> (usize, usize, Assessment) {
        let (config, edges) = (self.config, self.edges);
        let mut warm = warm_up(config, self.all, self.bucket, edges).max(self.not_before);
        // A sketch cannot wait for the slowest.
        let latest = edges / if self.goal.coarse { 4 } else { 2 };
        loop {
            let cut = cut_at(self.all, warm, edges, (self.bucket, limit_period(config)));
            let mut sums = self.gathered(cut);
            let slowest = self.slowest(&sums, cut);
            sums.outlives = slowest > cut;
            if slowest.min(latest) <= cut.max(warm) {
                return (warm, cut, sums);
            }
            warm = slowest.min(latest);
        }
    }
}

/// The longest response but one in a thousand, of sessions \[ns\].
fn slowest_response(config: &Config, sums: &Assessment) -> f64 {
    let groups = config.groups();
    let sessions = sums.sum.groups.iter().zip(&groups).filter(|(_, of)| of.kind.row().is_session);
    sessions.map(|(group, _)| group.response.quantile(SEEN_WHOLE)).fold(0.0, f64::max)
}
