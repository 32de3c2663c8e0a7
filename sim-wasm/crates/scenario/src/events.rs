//! What the page may say of each wait event and state.

use serde::Serialize;

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
pub static EVENTS: &[EventInfo] = &[
    EventInfo {
        event: "running",
        class: "CPU",
        help: "On a hardware thread, switching and refilling of caches included. The database shows it as ON CPU.",
    },
    EventInfo {
        event: "run queue",
        class: "run queue",
        help: "Ready, but the operating system runs somebody else. The database cannot tell it from ON CPU.",
    },
    EventInfo {
        event: "resmgr:cpu quantum",
        class: "Scheduler",
        help: "Held back by the Resource Manager until one of cpu_count slots is given to the session.",
    },
    EventInfo {
        event: "latch: cache buffers chains",
        class: "Concurrency",
        help: "Asleep for a latch whose holder lost the CPU.",
    },
];
