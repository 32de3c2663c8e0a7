//! Queues, devices, links and locks against slow twins: the same rules on plain lists, random commands on which
//! both must agree, the laws of each after every command, and networks of all of them.
#[path = "meeting/alike.rs"]
mod alike;
#[path = "meeting/device.rs"]
mod device;
#[path = "meeting/jobs.rs"]
mod jobs;
#[path = "meeting/link.rs"]
mod link;
#[path = "meeting/lock.rs"]
mod lock;
#[path = "meeting/lock_driver.rs"]
mod lock_driver;
#[path = "meeting/network.rs"]
mod network;
#[path = "meeting/parts.rs"]
mod parts;
#[path = "meeting/queue.rs"]
mod queue;
#[path = "meeting/queue_driver.rs"]
mod queue_driver;
#[path = "meeting/real.rs"]
mod real;
