//! The only ways in which processes meet: a [`queue`] of items, a [`device`] that serves requests, a [`link`] that
//! carries messages, a table of [`lock`]s.
//!
//! All four are plain data. They know processes by number and nothing of what those do or where they run; the time is
//! an argument of every call and never goes back; nothing here announces an event or wakes anybody. Who is to be
//! woken, told or granted something is appended to a list of the caller, which acts on it. Rules and laws:
//! `docs/meeting.md`.
pub mod device;
mod lines;
pub mod link;
pub mod lock;
pub mod mode;
pub mod queue;
