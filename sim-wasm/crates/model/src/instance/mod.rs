//! What a database instance has of its own. It knows no scheduler.
pub mod aged;
pub mod answering;
pub mod broadcast;
pub mod cache;
pub mod cage;
mod consumers;
pub mod database;
pub mod latch;
pub mod pins;
pub mod redo;
#[cfg(test)]
mod redo_tests;
pub mod sequence;
