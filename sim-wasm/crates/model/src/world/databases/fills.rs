//! How fast logs can fill.
use crate::config::database::DatabaseConfig;
use crate::instance::database::{capacity, Load};

/// Commits in a nanosecond for which the writers can write the blocks, as far behind as the logs allow: faster than
/// that no log fills for long.
pub(crate) fn writers_allow(config: &DatabaseConfig) -> f64 {
    let behind = config.log.size as f64 * (f64::from(config.log.groups) - 1.0);
    let writes = Load::of(config, config.transaction.redo).writes(behind);
    if writes > 0.0 {
        capacity(config, 0.0) / writes
    } else {
        f64::INFINITY
    }
}
