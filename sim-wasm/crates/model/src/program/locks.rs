//! LMD and LCK0: see to the locks that instances hand one another. LMD knows as their master who wants them; LCK0 gives
//! those up that its instance holds. Each takes one message after another and sleeps when there is none.
use super::{On, Program, Step};
use crate::cluster::message::Member;
use crate::ids::{Pid, QueueId};
use crate::instance::sequence::read;
use crate::measure::events::Activity;
use crate::world::run::to_work;
use crate::world::World;
use wwi_kernel::time::Ns;

/// Which of the two, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// It is LCK0, not LMD.
    pub is_lck: bool,
    /// On what it works; `None`: it sleeps, or has just been woken.
    pub works_on: Option<u32>,
}

/// LMD of an instance.
pub fn start_lmd(world: &mut World, instance: usize) {
    start(world, instance, false);
}

/// LCK0 of an instance.
pub fn start_lck0(world: &mut World, instance: usize) {
    start(world, instance, true);
}

fn start(world: &mut World, instance: usize, is_lck: bool) {
    if world.config.instances[instance].others.sequence.as_ref().is_none_or(|of| of.servers.is_none()) {
        return;
    }
    let Some(ears) = ears(world, instance) else { return };
    let node = world.config.instances[instance].node;
    let program = Program::Locks(At { is_lck, works_on: None });
    let pid = world.admit(program, node, instance as u16, instance as u64);
    world.born(pid, On::Items(ears[usize::from(is_lck)], 1), None);
}

fn ears(world: &World, instance: usize) -> Option<[QueueId; 2]> {
    world.cluster.as_ref()?.lock_servers.get(instance).copied()
}

/// The next step of one.
pub fn next(world: &mut World, pid: Pid, At { is_lck, works_on }: At) -> Step {
    let member = world.processes[pid.i()].instance as Member;
    if let Some(tag) = works_on {
        world.end(pid);
        world.lock_message(member, read(tag));
    }
    let Some(queue) = ears(world, usize::from(member)).map(|ears| ears[usize::from(is_lck)]) else { return Step::Exit };
    let (works_on, step) = match world.take(queue) {
        Some((item, came)) => {
            world.begin(pid, came);
            let cost = cost(world, member, works_on.is_none());
            (Some(item.tag), Step::Cpu { work: to_work(cost).max(1), reads: 0 })
        }
        None => (None, Step::Wait { event: Activity::OFF, on: On::Items(queue, 1), until: None }),
    };
    world.tasks[pid.i()].program = Program::Locks(At { is_lck, works_on });
    step
}

/// CPU of a message and of what it leads to; none where transfers are given.
fn cost(world: &World, member: Member, slept: bool) -> Ns {
    let Some(cluster) = world.cluster.as_ref().filter(|_| world.given_lock(member).is_none()) else { return Ns::ZERO };
    let costs = &cluster.config.costs;
    let wakeup = if slept { costs.wakeup } else { Ns::ZERO };
    costs.message.plus(costs.forward).plus(wakeup)
}
