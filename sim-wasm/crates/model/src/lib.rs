//! Hosts, schedulers, the Resource Manager and sessions as a discrete-event model.
//!
//! The model takes a [`config::Config`] and a replication number and nothing else: no clock, no file, no printing.
//! Which mechanisms it has, and which it leaves out, stands in `docs/model.md`. What each room may not name:
//! `tests/walls.rs`.
pub mod cluster;
pub mod config;
pub mod experiment;
pub mod fault;
pub mod host;
pub mod ids;
pub mod instance;
pub mod measure;
pub mod meet;
pub mod program;
pub mod report;
pub mod testing;
pub mod world;
