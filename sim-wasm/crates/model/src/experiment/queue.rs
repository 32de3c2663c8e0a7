//! Queues with Poisson arrivals of a configuration, and how long textbooks say that they have to be looked at.
use crate::config::{Arrivals, Config, Demand, DemandShape};
use crate::experiment::plan::demand_of_arrival;
use crate::experiment::{FigureKind, Figures};
use wwi_kernel::rng::HYPEREXPONENTIAL;
use wwi_kernel::stats::mean_wait;

/// Student's t of the first starts, and a half more, so that the first look is mostly the last.
pub(super) const REACH: f64 = 2.365 * 1.5;

/// A queue with Poisson arrivals as textbooks see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Queue {
    /// Arrivals a nanosecond.
    pub(super) per_ns: f64,
    /// Time of a service on one server \[ns\].
    service: f64,
    /// Servers.
    servers: f64,
    /// Squared coefficient of variation of a service.
    spread: f64,
}

pub(super) fn squared_variation(demand: &Demand) -> f64 {
    match demand.shape {
        DemandShape::Constant => 0.0,
        DemandShape::Exponential => 1.0,
        DemandShape::Hyperexponential => HYPEREXPONENTIAL,
    }
}

impl Queue {
    pub(super) fn utilisation(self) -> f64 {
        self.per_ns * self.service / self.servers
    }

    /// How long the queue remembers: S / (c (1 − √ρ)²), the relaxation time of M/M/c, longer where services vary
    /// more \[ns\].
    pub(super) fn relaxation(self) -> f64 {
        let short = 1.0 - self.utilisation().sqrt();
        self.service / self.servers / (short * short) * ((1.0 + self.spread) / 2.0).max(1.0)
    }

    /// Time to look at, all starts, until the relative half-width of a figure is `precision` \[ns\].
    ///
    /// Long-run variance of the number in an M/M/1 queue with c times the speed, relative:
    /// 2 (1 + ρ) / (ρ (1 − ρ)² (c/S) T) (W. Whitt, Planning queueing simulations, 1989). Waiting is only a part
    /// of the mean response.
    pub(super) fn needed(self, figures: &Figures, precision: f64) -> f64 {
        let utilisation = self.utilisation();
        let free = 1.0 - utilisation;
        let grown = (1.0 + self.spread) / 2.0;
        let wait = mean_wait(utilisation, self.servers) * self.service * grown;
        let share = wait / (wait + self.service);
        let queue = 2.0 * (1.0 + utilisation) / (utilisation * free * free * self.servers / self.service) * grown;
        let counts = 1.0 / self.per_ns;
        let variance = match figures {
            Figures::ThroughputOnly => counts * (1.0 + self.spread),
            Figures::ThroughputAndResponse | Figures::With(_) => share * share * queue + counts * (1.0 + self.spread),
            Figures::One(figure) if figure.kind == FigureKind::Rate => counts * (1.0 + self.spread),
            Figures::One(_) => queue + counts * (1.0 + self.spread),
        };
        variance * (REACH / precision) * (REACH / precision)
    }
}

/// The queues with Poisson arrivals of a configuration that have a steady state.
pub(super) fn queues(config: &Config) -> Vec<Queue> {
    let open = config.instances.iter().filter_map(|instance| {
        let Arrivals::Open { per_s } = instance.workload.arrivals else { return None };
        let node = &config.nodes[instance.node];
        let threads = node.threads() as f64;
        let servers = instance.cage.as_ref().map_or(threads, |cage| f64::from(cage.slots).min(threads));
        let of_core = node.smt_yield.last().copied().unwrap_or(1.0) / node.smt_yield.len().max(1) as f64;
        let demand = &instance.workload.demand;
        let service = demand_of_arrival(instance) / of_core;
        Some(Queue { per_ns: per_s / 1e9, service, servers, spread: squared_variation(demand) })
    });
    let servers = config.nodes.iter().filter_map(|node| node.service.as_ref()).map(|service| Queue {
        per_ns: service.per_s / 1e9,
        service: service.demand.mean.0 as f64,
        servers: 1.0,
        spread: squared_variation(&service.demand),
    });
    open.chain(servers).filter(|q| q.utilisation() > 0.0 && q.utilisation() < 1.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(utilisation: f64, servers: f64) -> Queue {
        Queue { per_ns: utilisation * servers / 1e7, service: 1e7, servers, spread: 1.0 }
    }

    #[test]
    fn a_queue_near_its_limit_remembers_long_and_needs_long() {
        // M/M/1 at 0.99, 10 ms: 10 ms / (1 - sqrt(0.99))^2 = 398 s.
        assert!((queue(0.99, 1.0).relaxation() / 1e9 - 398.0).abs() < 1.0);
        // Relative variance of the mean number over T: 402 s / T.
        let half_width = |t: f64| (402.0f64 / (t / 1e9)).sqrt();
        let needed = queue(0.99, 1.0).needed(&Figures::ThroughputAndResponse, 0.2);
        assert!((half_width(needed) * REACH / 0.2 - 1.0).abs() < 0.02, "{}", needed / 1e9);
        let short = queue(0.9, 8.0);
        assert!(short.needed(&Figures::ThroughputOnly, 0.05) < short.needed(&Figures::ThroughputAndResponse, 0.05));
        let ratio =
            short.needed(&Figures::ThroughputAndResponse, 0.01) / short.needed(&Figures::ThroughputAndResponse, 0.05);
        assert!((ratio - 25.0).abs() < 1e-6);
    }
}
