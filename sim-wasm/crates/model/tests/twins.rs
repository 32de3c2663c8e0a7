//! Slow, honest twins: every policy again with linear scans over plain lists, and random commands on which both must agree.
#[path = "twins/cfs.rs"]
mod cfs;
#[path = "twins/driver.rs"]
mod driver;
#[path = "twins/moves.rs"]
mod moves;
#[path = "twins/shared.rs"]
mod shared;
