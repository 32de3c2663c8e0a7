//! The kernel thread of a host that sends the heartbeats of its CSSD and takes those of others, as ksoftirqd does on
//! Linux where interrupts come faster than they can be handled: an ordinary process that has to get CPU.
use super::{Item, On, Program, Step};
use crate::cluster::message::Member;
use crate::ids::{Pid, QueueId};
use crate::measure::events::Activity;
use crate::world::run::to_work;
use crate::world::{Parcel, World};
use wwi_kernel::time::Ns;

/// The tag of a turn to send; that of a heartbeat is the number of its sender.
pub(crate) const SEND: u32 = u32::MAX;

/// Where one stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Waits, or has just been woken.
    Waiting,
    /// Works on an item with this tag.
    Working(u32),
}

/// The thread of an instance's host, where heartbeats count.
pub fn start(world: &mut World, instance: usize) {
    if world.config.instances[instance].others.heartbeat.is_none() {
        return;
    }
    let Some(queue) = queue(world, instance) else { return };
    let node = world.config.instances[instance].node;
    let pid = world.admit(Program::Heartbeat(At::Waiting), node, instance as u16, (instance as u64) << 32);
    world.born(pid, On::Items(queue, 1), None);
}

fn queue(world: &World, instance: usize) -> Option<QueueId> {
    world.cluster.as_ref()?.css.as_ref()?.queues.get(instance).copied()
}

/// Takes the next item, or waits for one; what it has worked on is sent, or has come.
pub fn next(world: &mut World, pid: Pid, at: At) -> Step {
    let instance = world.processes[pid.i()].instance as usize;
    let Some(queue) = queue(world, instance) else { return Step::Exit };
    let waits = match at {
        At::Waiting => Step::Again,
        At::Working(tag) => {
            world.end(pid);
            if tag == SEND {
                beat(world, instance);
            } else {
                world.hears(instance as Member, tag as Member);
            }
            Step::Wait { event: Activity::OFF, on: On::Items(queue, 1), until: None }
        }
    };
    let (at, step) = match world.take(queue) {
        Some((item, came)) => {
            world.begin(pid, came);
            let work = world.cluster.as_ref().and_then(|of| of.css.as_ref()).map_or(Ns(1), |css| css.config.work);
            (At::Working(item.tag), Step::Cpu { work: to_work(work).max(1), reads: 0 })
        }
        None => (At::Waiting, waits),
    };
    world.tasks[pid.i()].program = Program::Heartbeat(at);
    step
}

/// A heartbeat to each other instance.
fn beat(world: &mut World, from: usize) {
    for to in world.living() {
        let Some(queue) = queue(world, usize::from(to)).filter(|_| usize::from(to) != from) else { continue };
        let node = |instance: usize| world.config.instances[instance].node;
        let (source, target) = (node(from), node(usize::from(to)));
        let Some(cluster) = world.cluster.as_deref() else { return };
        let bytes = cluster.config.interconnect.message_bytes;
        let item = Item { tag: from as u32, ..Item::default() };
        world.send_over(source, bytes, Parcel { queue, item, node: target as u16 });
    }
}
