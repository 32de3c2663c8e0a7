//! Servers: requests come for each and wait for it in order of arrival.
use super::session::draw;
use super::{On, Program, Step};
use crate::ids::{Pid, QueueId};
use crate::measure::events::Activity;
use crate::world::run::to_work;
use crate::world::{Requests, World, NO_INSTANCE};
use wwi_kernel::rng::Stream;

/// Where a server stands; its requests wait in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Waits for a request, or has just been woken.
    Waiting(QueueId),
    /// Works.
    Working(QueueId),
}

/// The servers of a host, if it has any, with the queue of each and the requests that come for it.
pub fn start(world: &mut World, node: usize) {
    let servers = world.config.nodes[node].service.as_ref().map_or(0, |service| service.servers);
    for number in 0..u64::from(servers) {
        let key = number << 32 | node as u64;
        let queue = world.new_queue(None);
        let server = world.admit(Program::Daemon(At::Waiting(queue)), node, NO_INSTANCE, key);
        world.born(server, On::Items(queue, 1), None);
        let times = Stream::new(world.config.seed, world.replication, "node", key, "requests");
        world.requests.push(Requests { node: node as u16, queue, server, times });
        world.schedule_request(world.requests.len() - 1, true);
    }
}

/// Takes the request that came first, or waits for one.
pub fn next(world: &mut World, pid: Pid, at: At) -> Step {
    let (queue, waits) = match at {
        At::Waiting(queue) => (queue, Step::Again),
        At::Working(queue) => {
            world.end(pid);
            (queue, Step::Wait { event: Activity::OFF, on: On::Items(queue, 1), until: None })
        }
    };
    let (at, step) = match world.take(queue) {
        Some((_, came)) => {
            world.begin(pid, came);
            (At::Working(queue), Step::Cpu { work: work(world, pid), reads: 0 })
        }
        None => (At::Waiting(queue), waits),
    };
    world.tasks[pid.i()].program = Program::Daemon(at);
    step
}

fn work(world: &mut World, pid: Pid) -> u64 {
    let node = world.processes[pid.i()].node as usize;
    let service = world.config.nodes[node].service.as_ref();
    service.map_or(1, |service| to_work(draw(&service.demand, &mut world.streams[pid.i()].demand)).max(1))
}
