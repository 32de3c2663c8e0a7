//! The rows of servers in a report.
use crate::config::{Config, ServiceConfig};
use crate::experiment::estimate::of_quantile;
use crate::experiment::evaluate::{relative, Assessment};
use crate::experiment::looks::{BEYOND_CHANCE, STEADY};
use crate::experiment::replication::Replication;
use crate::measure::accounts::Accounts;
use crate::measure::rows::GroupColumn;
use crate::report::summary::{distribution, pooled};
use crate::report::{Estimate, ServiceRow};
use wwi_kernel::histogram::Histogram;

fn grows(growth_per_s: &Estimate, per_s: f64) -> bool {
    growth_per_s.mean > (BEYOND_CHANCE * growth_per_s.ci95.unwrap_or(0.0)).max(STEADY * per_s)
}

fn servers(config: &Config) -> impl Iterator<Item = (usize, &ServiceConfig)> {
    config.nodes.iter().enumerate().filter_map(|(node, settings)| Some((node, settings.service.as_ref()?)))
}

impl Assessment {
    /// Accounting groups of the servers whose queue does not grow: a growing one has neither mean nor percentile.
    fn steady(&self, config: &Config) -> Vec<usize> {
        let is_steady = |&(node, service): &(usize, &ServiceConfig)| {
            !grows(&self.backlog_growth(node, config.service_group(node)), service.all_per_s())
        };
        servers(config).filter(is_steady).map(|(node, _)| config.service_group(node)).collect()
    }

    /// Relative half-width of the mean response of the servers, the largest; 0 where a queue grows.
    pub(crate) fn service_precision(&self, config: &Config, all: &[Replication]) -> Option<f64> {
        let each =
            self.steady(config).into_iter().map(|group| relative(&self.group_mean(all, group, GroupColumn::Response)));
        each.into_iter().try_fold(0.0, |largest: f64, one| Some(largest.max(one?)))
    }

    /// That of their 99th percentile.
    pub(crate) fn service_tails(&self, config: &Config) -> Option<f64> {
        let answers = self.steady(config).into_iter().map(|group| self.answers(group));
        let each = answers.map(|starts| relative(&of_quantile(&pooled(&starts), &starts, 0.99)));
        each.into_iter().try_fold(0.0, |largest: f64, one| Some(largest.max(one?)))
    }

    fn answers(&self, group: usize) -> Vec<Histogram> {
        self.distributions(&[group], GroupColumn::Response as usize)
    }

    fn backlog_growth(&self, node: usize, group: usize) -> Estimate {
        let grown = |a: &Accounts| a.hosts[node].requests as f64 - a.groups[group].transactions as f64;
        self.per_ns(&|a| 1e9 * grown(a))
    }

    /// One row a node with a server.
    pub(crate) fn services(&self, config: &Config, all: &[Replication]) -> Vec<ServiceRow> {
        servers(config).map(|(node, service)| self.service(config.service_group(node), all, (node, service))).collect()
    }

    fn service(&self, group: usize, all: &[Replication], (node, service): (usize, &ServiceConfig)) -> ServiceRow {
        let answered = |a: &Accounts| a.groups[group].transactions as f64;
        let growth_per_s = self.backlog_growth(node, group);
        let starts = self.answers(group);
        let response = pooled(&starts);
        let inside = |r: &Replication| r.world.waiting_requests(node) as f64;
        ServiceRow {
            node: node as u32 + 1,
            demand: service.all_per_s() * service.demand.mean.as_s(),
            answered_per_s: self.counted_whole(self.per_ns(&|a| 1e9 * answered(a))),
            response: distribution(&response, self.group_mean(all, group, GroupColumn::Response))
                .with_intervals(&response, &starts),
            backlog: all.iter().map(inside).sum::<f64>() / all.len() as f64,
            grows: grows(&growth_per_s, service.all_per_s()),
            growth_per_s,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 100 requests a second more than one has to be left, and more than three times what chance explains.
    #[test]
    fn a_queue_grows_by_more_than_a_hundredth_and_by_more_than_chance() {
        let of = |mean, half| grows(&Estimate { mean, ci95: Some(half), reps: Vec::new() }, 100.0);
        assert_eq!([of(0.9, 0.01), of(1.1, 0.01), of(1.1, 0.5), of(1.6, 0.5)], [false, true, false, true]);
    }
}
