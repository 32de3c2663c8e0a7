//! Queues with Poisson arrivals of a configuration, and how long textbooks say that they have to be looked at.
use crate::config::{Arrivals, Config, Demand, DemandShape, NodeConfig};
use crate::experiment::plan::demand_of_arrival;
use crate::experiment::{FigureKind, Figures};
use wwi_kernel::rng::HYPEREXPONENTIAL;
use wwi_kernel::stats::mean_wait;

/// Student's t of the first starts, and a half more, so that the first look is mostly the last.
pub(super) const REACH: f64 = 2.365 * 1.5;

/// Utilisation that a queue is taken to have where textbooks know of no steady state. Free.
const LONG: f64 = 0.95;

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

/// Work of so many servers, each on a thread: on as many cores as there are, or where nobody sees the cores as many as
/// chance gives them, at the turbo of so many. What a core does between two numbers of threads is between the two.
fn speed(node: &NodeConfig, servers: usize) -> f64 {
    let (sockets, each) = (node.sockets as usize, node.threads_per_core as usize);
    let (threads, busy) = (node.threads() as f64, servers as f64);
    let cores = threads / each as f64;
    let idle = |k: usize| ((threads - busy - k as f64) / (threads - k as f64)).max(0.0);
    let active = match node.guest_sees_smt {
        true => busy.min(cores),
        false => cores * (1.0 - (0..each).map(idle).product::<f64>()),
    };
    let on_core = (busy / active).max(1.0);
    let of = |threads: usize| node.smt_yield.get(threads - 1).copied().unwrap_or(0.0);
    let (least, more) = (on_core as usize, on_core.fract());
    let turbo = node.turbo((active.round() as usize).div_ceil(sockets), active.round() as usize);
    active * ((1.0 - more) * of(least) + more * of(least + 1)) * turbo
}

/// The queues with Poisson arrivals of a configuration. What textbooks know of the speed of its sessions is not what
/// they have: where that would be too little, the queue is a long one all the same.
pub(super) fn queues(config: &Config) -> Vec<Queue> {
    let open = config.instances.iter().filter_map(|instance| {
        let Arrivals::Open { per_s } = instance.workload.arrivals else { return None };
        let node = &config.nodes[instance.node];
        let servers = instance.cage.as_ref().map_or(node.threads(), |cage| node.threads().min(cage.slots as usize));
        let spread = squared_variation(&instance.workload.demand);
        let (per_ns, of_all) = (per_s / 1e9, servers as f64);
        let service = demand_of_arrival(instance) * of_all / speed(node, servers);
        let least = of_all / per_ns;
        let service = if service < least { service } else { LONG * least };
        Some(Queue { per_ns, service, servers: of_all, spread })
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
    use crate::testing::{cage, hogs, node, one};
    use wwi_kernel::time::Ns;

    /// Utilisation of a cage on four cores of two threads, 1.3 times the work of one, by calls of 10 ms.
    fn caged(slots: u32, turbo_one_core: f64, guest_sees_smt: bool, per_s: f64) -> f64 {
        let (cores_per_socket, threads_per_core, smt_yield) = (4, 2, vec![1.0, 1.3]);
        let of = NodeConfig { cores_per_socket, threads_per_core, smt_yield, ..node() };
        let mut users = hogs(0);
        users.cage = Some(cage(slots));
        users.workload.arrivals = Arrivals::Open { per_s };
        users.workload.demand.mean = Ns::from_ms(10.0);
        queues(&one(NodeConfig { turbo_one_core, guest_sees_smt, ..of }, users))[0].utilisation()
    }

    /// Six slots are two threads alone on their cores, and two pairs; two of four cores run at 1 + 2/3 times the speed.
    /// Where nobody sees the cores a thread of four has its sibling busy with 3/7, and either does 0.65.
    #[test]
    fn slots_are_as_fast_as_so_few_threads() {
        for (slots, speed) in [(4, 4.0), (6, 4.6), (8, 5.2), (9, 5.2)] {
            let found = caged(slots, 1.0, true, 100.0) * speed;
            assert!((found - 1.0).abs() < 1e-9, "{slots} slots: {found}");
        }
        let turbo = caged(2, 2.0, true, 100.0) * 10.0 / 3.0;
        let hidden = caged(4, 1.0, false, 100.0) * 4.0 * (4.0 + 3.0 * 0.65) / 7.0;
        assert!((turbo - 1.0).abs() < 1e-9 && (hidden - 1.0).abs() < 1e-9, "{turbo}, {hidden}");
    }

    #[test]
    fn what_is_more_than_textbooks_allow_is_a_long_queue() {
        let found = caged(4, 1.0, true, 500.0);
        assert!((found - LONG).abs() < 1e-9, "{found}");
    }

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
