//! Where the time went: the table of events, sums, watched columns, recording. Reads numbers of things, and decides
//! nothing.
pub mod accounts;
pub mod activity;
pub mod chronicle;
pub mod cluster;
pub mod database;
pub mod each;
pub mod events;
pub mod ledger;
pub mod record;
pub mod rows;
pub mod statements;
