//! The rows of servers in a report.
use crate::accounts::Accounts;
use crate::config::Config;
use crate::evaluate::Assessment;
use crate::experiment::Replication;
use crate::report::{Estimate, ServiceRow};
use crate::summary::{by_replication, distribution};
use wwi_kernel::histogram::Histogram;

/// A backlog that grows by less than this share of the arrivals is not called growing.
const STEADY: f64 = 0.01;

fn grows(growth_per_s: &Estimate, per_s: f64) -> bool {
    growth_per_s.mean > growth_per_s.ci95.unwrap_or(0.0).max(STEADY * per_s)
}

impl Assessment {
    /// Relative half-width of the mean response of the servers, the largest; 0 where a queue grows, for then there is no mean.
    pub(crate) fn service_precision(&self, config: &Config) -> Option<f64> {
        let mut largest = 0f64;
        for (node, settings) in config.nodes.iter().enumerate() {
            let Some(service) = &settings.service else { continue };
            let group = config.service_group(node);
            if grows(&self.backlog_growth(node, group), service.per_s) {
                continue;
            }
            let of = |a: &Accounts| a.groups[group].response.mean();
            let means = by_replication(self.accounts.iter().map(of).collect());
            largest = largest.max(means.ci95.filter(|_| means.mean > 0.0)? / means.mean);
        }
        Some(largest)
    }

    fn backlog_growth(&self, node: usize, group: usize) -> Estimate {
        let span_s = self.span_ns() / 1e9;
        let grown = |a: &Accounts| (a.hosts[node].requests as f64 - a.groups[group].transactions as f64) / span_s;
        by_replication(self.accounts.iter().map(grown).collect())
    }

    /// One row a node with a server.
    pub(crate) fn services(&self, config: &Config, all: &[Replication]) -> Vec<ServiceRow> {
        (0..config.nodes.len()).filter_map(|node| self.service(config, all, node)).collect()
    }

    fn service(&self, config: &Config, all: &[Replication], node: usize) -> Option<ServiceRow> {
        let service = config.nodes[node].service.as_ref()?;
        let group = config.service_group(node);
        let span_s = self.span_ns() / 1e9;
        let answered = |a: &Accounts| a.groups[group].transactions as f64;
        let growth_per_s = self.backlog_growth(node, group);
        let mut response = Histogram::default();
        self.accounts.iter().for_each(|a| response.add(&a.groups[group].response));
        let means = self.accounts.iter().map(|a| &a.groups[group].response).filter(|h| h.count() > 0);
        let means = by_replication(means.map(|h| h.mean() / 1e6).collect());
        let inside = |r: &Replication| r.world.hosts[node].requests.len() as f64;
        Some(ServiceRow {
            node: node as u32 + 1,
            demand: service.per_s * service.demand.mean.as_s(),
            answered_per_s: by_replication(self.accounts.iter().map(|a| answered(a) / span_s).collect()),
            response: distribution(&response, Estimate { mean: response.mean() / 1e6, ..means })
                .with_p99(self.accounts.iter().map(|a| a.groups[group].response.clone())),
            backlog: all.iter().map(inside).sum::<f64>() / all.len() as f64,
            grows: grows(&growth_per_s, service.per_s),
            growth_per_s,
        })
    }
}
