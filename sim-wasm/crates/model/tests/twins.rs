//! Slow, honest twins: every policy again with linear scans over plain lists, and random commands on which both must
//! agree.
#[path = "twins/aix.rs"]
mod aix;
#[path = "twins/cfs.rs"]
mod cfs;
#[path = "twins/cfs_lists.rs"]
mod cfs_lists;
#[path = "twins/draws.rs"]
mod draws;
#[path = "twins/driver.rs"]
mod driver;
#[path = "twins/eevdf.rs"]
mod eevdf;
#[path = "twins/eevdf_group_lists.rs"]
mod eevdf_group_lists;
#[path = "twins/eevdf_lists.rs"]
mod eevdf_lists;
#[path = "twins/fluid.rs"]
mod fluid;
#[path = "twins/lines.rs"]
mod lines;
#[path = "twins/moves.rs"]
mod moves;
#[path = "twins/o1.rs"]
mod o1;
#[path = "twins/quota.rs"]
mod quota;
#[path = "twins/realtime.rs"]
mod realtime;
#[path = "twins/server.rs"]
mod server;
#[path = "twins/shared.rs"]
mod shared;
#[path = "twins/solaris.rs"]
mod solaris;
