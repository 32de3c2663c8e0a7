//! What the page may say of each wait event and state.

use serde::Serialize;
use wwi_model::measure::events::ACTIVITIES;

/// A wait event, or a state of ON CPU.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct EventInfo {
    /// As the database prints it.
    pub event: &'static str,
    /// Wait class, the name of a band in the chart of active sessions.
    pub class: &'static str,
    /// What a session does in it.
    pub help: &'static str,
}

/// Every event the model has.
pub fn events() -> Vec<EventInfo> {
    let told = ACTIVITIES.iter().filter(|info| !info.is_idle);
    told.map(|info| EventInfo { event: info.event, class: info.class, help: info.help }).collect()
}
