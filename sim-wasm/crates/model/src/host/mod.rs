//! The operating system of a host. It sees processes that want CPU, and knows nobody's name.
pub mod aix;
pub mod balance;
pub mod cfs;
pub mod eevdf;
pub mod fluid;
pub mod groups;
pub mod levels;
pub mod masks;
pub mod o1;
pub mod placement;
pub mod policy;
pub mod queue;
pub mod quota;
pub mod realtime;
pub mod solaris;
pub mod topology;
pub mod weights;
