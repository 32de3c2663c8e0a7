//! The operating system of a host. It sees processes that want CPU, and knows nobody's name.
pub mod balance;
pub mod cfs;
pub mod eevdf;
pub mod fluid;
pub mod groups;
pub mod masks;
pub mod placement;
pub mod policy;
pub mod queue;
pub mod topology;
pub mod weights;
