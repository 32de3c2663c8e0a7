//! What crosses a border: scenarios in (links and JSON documents), reports out.
//!
//! One table of knobs ([`knobs::KNOBS`]) serves validator, command line, sliders, links and documents, and one
//! decoder ([`decode::decode`]) reads every form a scenario takes.

pub mod acts;
pub mod address;
pub mod bench;
pub mod canonical;
#[cfg(feature = "texts")]
pub mod catalogue;
mod check;
mod cluster;
pub mod columns;
pub mod config;
mod consumer_rows;
mod consumers;
pub mod cpus;
mod database;
mod databases;
pub mod decode;
pub mod describe;
pub mod document;
pub mod encoding;
mod ended;
mod estimate;
pub mod events;
pub mod figures;
mod find;
pub mod fit;
pub mod json;
pub mod knob;
pub mod knobs;
pub mod ledger;
pub mod linear;
pub mod metrics;
mod nearest;
mod node_row;
pub mod number;
pub mod options;
mod pairs;
mod parallel;
pub mod presets;
pub mod problem;
mod processors;
pub mod report;
pub mod scenario;
pub mod scope;
mod select;
mod sequence;
pub mod shown;
#[cfg(feature = "texts")]
pub mod terms;
pub mod truths;
#[cfg(feature = "typescript")]
pub mod typescript;
pub mod value;
pub mod when;
#[cfg(feature = "texts")]
pub mod works;
