//! Hosts, schedulers, the Resource Manager and sessions as a discrete-event model.
//!
//! The model takes a [`config::Config`] and a replication number and nothing else: no clock, no file, no printing. Which
//! mechanisms it has, and which it leaves out, stands in `docs/model.md`.
pub mod accounts;
pub mod activity;
pub mod cage;
pub mod config;
pub mod estimate;
pub mod evaluate;
pub mod experiment;
pub mod fault;
pub mod host;
pub mod ids;
pub mod latch;
pub mod machine;
pub mod meet;
pub mod pair;
mod picture;
pub mod plan;
pub mod program;
pub mod record;
pub mod replication;
pub mod report;
pub mod rows;
mod services;
mod setup;
mod summary;
pub mod testing;
mod wake;
pub mod world;
mod world_hosts;
mod world_instances;
mod world_latches;
pub mod world_rates;
mod world_services;
mod world_switches;
pub mod yardstick;
