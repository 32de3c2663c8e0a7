//! Programs of users on the host of the database: where they run, when they think, and what they need no slot for.
use wwi_kernel::time::Ns;
use wwi_model::config::database::{DatabaseConfig, TransactionConfig};
use wwi_model::config::kinds::KindId;
use wwi_model::config::*;
use wwi_model::measure::accounts::Accounts;
use wwi_model::testing::{cage, database, near_abs, near_rel, node, oltp, one, window};
use wwi_model::world::World;

/// Pairs of a server process that works for `server` a transaction, in so many calls, and a client that works for
/// `client`; no redo.
fn pairs(number: u32, calls: u32, (server, client): (Ns, Ns)) -> InstanceConfig {
    let transaction = TransactionConfig { calls, client, redo: 0.0, ..database().transaction };
    let mut instance = oltp(number, DatabaseConfig { transaction, ..database() });
    instance.workload.demand = Demand { mean: server, shape: DemandShape::Constant };
    instance
}

fn eight_cores() -> NodeConfig {
    NodeConfig { cores_per_socket: 8, ..node() }
}

/// Twenty seconds.
fn measured(config: &Config) -> Accounts {
    window(&mut World::new(config, 0), Ns::from_s(2.0), Ns::from_s(22.0))
}

/// Of each pair one works at a time, the server for 3.2 and the client for 16 ms of 19.2, on the host of the instance.
#[test]
fn clients_run_on_the_host_of_their_instance() {
    let idle = pairs(0, 16, (Ns::from_ms(3.2), Ns::from_ms(16.0)));
    let mut config = one(eight_cores(), idle);
    config.nodes.push(eight_cores());
    config.instances.push(InstanceConfig { node: 1, ..pairs(3, 16, (Ns::from_ms(3.2), Ns::from_ms(16.0))) });
    let sums = measured(&config);
    let busy = |threads: std::ops::Range<usize>| sums.threads[threads].iter().map(|of| of.0).sum::<u64>() as f64 / 2e10;
    near_abs(busy(0..8), 0.0, 1e-3, "threads of the other host");
    near_rel(busy(8..16), 3.0, 1e-3, "threads of its own");
    let clients = sums.groups[config.group(KindId::CLIENT, 1)].work as f64 / f64::from(1 << 20) / 2e10;
    near_rel(clients, 3.0 * 16.0 / 19.2, 1e-3, "threads of clients");
}

/// A user thinks once a transaction, exponentially, and his client works in four calls: 1 + 1 + 10 ms. That is a count
/// of renewals: mean N t / m, variance N t σ² / m³, where σ is 10 ms. Only the server's time is the transaction's.
#[test]
fn users_think_between_transactions_and_not_between_calls() {
    let mut instance = pairs(4, 4, (Ns::from_ms(1.0), Ns::from_ms(1.0)));
    let think = Ns::from_ms(10.0);
    instance.workload.arrivals = Arrivals::Closed { sessions: 4, think, start_spread: Ns::from_s(1.0) };
    let sums = measured(&one(eight_cores(), instance));
    let sessions = &sums.groups[0];
    assert_eq!((sessions.response.max(), sessions.response.mean()), (Ns::from_ms(1.0), 1e6));
    let (n, t, m, think) = (4.0, 20.0_f64, 0.012_f64, 0.010_f64);
    let deviation = (n * t * think * think / (m * m * m)).sqrt();
    near_abs(sessions.transactions as f64, n * t / m, 4.0 * deviation, "transactions");
}

/// A cage is for sessions: three clients work at once where one server may. Each pair needs the slot for 1 ms of 4, and
/// as all times are constant they get out of one another's way in the first round.
#[test]
fn clients_need_no_slot_of_the_cage() {
    let mut instance = pairs(3, 1, (Ns::from_ms(1.0), Ns::from_ms(3.0)));
    instance.cage = Some(cage(1));
    let sums = measured(&one(eight_cores(), instance));
    near_rel(sums.groups[0].transactions as f64, 3.0 * 20.0 / 0.004, 0.01, "transactions");
}
