//! The rows of servers in a report.
use crate::config::Config;
use crate::evaluate::Assessment;
use crate::experiment::Replication;
use crate::report::{Estimate, ServiceRow};
use crate::summary::{by_replication, distribution};
use wwi_kernel::histogram::Histogram;

/// A backlog that grows by less than this share of the arrivals is not called growing.
const STEADY: f64 = 0.01;

impl Assessment {
    /// One row a node with a server.
    pub(crate) fn services(&self, config: &Config, all: &[Replication]) -> Vec<ServiceRow> {
        (0..config.nodes.len()).filter_map(|node| self.service(config, all, node)).collect()
    }

    fn service(&self, config: &Config, all: &[Replication], node: usize) -> Option<ServiceRow> {
        let service = config.nodes[node].service.as_ref()?;
        let group = config.instances.len() + config.nodes.len() + node;
        let span_s = self.span_ns() / 1e9;
        let answered = |a: &crate::accounts::Accounts| a.groups[group].transactions as f64;
        let grown = |a: &crate::accounts::Accounts| (a.hosts[node].requests as f64 - answered(a)) / span_s;
        let growth_per_s = by_replication(self.accounts.iter().map(grown).collect());
        let mut response = Histogram::default();
        self.accounts.iter().for_each(|a| response.add(&a.groups[group].response));
        let means = self.accounts.iter().map(|a| &a.groups[group].response).filter(|h| h.count() > 0);
        let means = by_replication(means.map(|h| h.mean() / 1e6).collect());
        let inside = |r: &Replication| r.world.hosts[node].requests.len() as f64;
        Some(ServiceRow {
            node: node as u32 + 1,
            demand: service.per_s * service.demand.mean.as_s(),
            answered_per_s: by_replication(self.accounts.iter().map(|a| answered(a) / span_s).collect()),
            response: distribution(&response, Estimate { mean: response.mean() / 1e6, ..means }),
            backlog: all.iter().map(inside).sum::<f64>() / all.len() as f64,
            grows: growth_per_s.mean > growth_per_s.ci95.unwrap_or(0.0).max(STEADY * service.per_s),
            growth_per_s,
        })
    }
}
