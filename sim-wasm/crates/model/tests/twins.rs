//! Slow, honest twins: every policy again with linear scans over plain lists, and random commands on which both must agree.
#[path = "twins/aix.rs"]
mod aix;
#[path = "twins/driver.rs"]
mod driver;
#[path = "twins/lines.rs"]
mod lines;
#[path = "twins/o1.rs"]
mod o1;
#[path = "twins/shared.rs"]
mod shared;
#[path = "twins/solaris.rs"]
mod solaris;
