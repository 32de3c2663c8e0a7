//! Hosts, schedulers, the Resource Manager and sessions as a discrete-event model.
pub mod config;
pub mod report;
