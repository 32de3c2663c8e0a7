//! What a database instance has of its own. It knows no scheduler.
pub mod cage;
pub mod latch;
