//! Slow, honest twins: every policy again with linear scans over plain lists, and random commands on which both must agree.
#[path = "twins/driver.rs"]
mod driver;
#[path = "twins/shared.rs"]
mod shared;
