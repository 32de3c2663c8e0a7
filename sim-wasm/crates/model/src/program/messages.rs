//! Senders and receivers that pass messages, as hackbench does: each sender of a group writes to each receiver of its
//! group in turn, and waits while the buffer it writes to is full; each receiver handles its messages in order.
use super::{Item, On, Program, Resume, Step};
use crate::ids::{Pid, QueueId};
use crate::measure::events::Activity;
use crate::program::session::draw;
use crate::world::run::to_work;
use crate::world::World;
use wwi_kernel::time::Ns;

/// Senders and receivers start within this time. Free; hackbench starts them all at once when they are ready.
const START: Ns = Ns(1_000_000);

/// Groups of `pairs` receivers and as many senders, with room for `buffer` messages at each receiver.
pub fn start(world: &mut World, instance: usize, (groups, pairs, buffer): (u32, u32, u32)) {
    let node = world.config.instances[instance].node;
    for group in 0..groups {
        let first = world.queues.len() as u32;
        (0..pairs).for_each(|_| _ = world.new_channel(Some(buffer)));
        for number in 0..2 * pairs {
            let key = (instance as u64) << 32 | u64::from(group * 2 * pairs + number);
            let program = if number < pairs {
                Program::Receiver(Receiving::New(QueueId(first + number)))
            } else {
                Program::Sender(Sending { first, pairs, at: 0 })
            };
            let pid = world.admit(program, node, instance as u16, key);
            world.start_within(pid, "session", key, START);
        }
    }
}

/// A sender: the queues of its group's receivers, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sending {
    /// Queue of the first receiver of the group; those of the others follow.
    pub first: u32,
    /// Receivers in the group.
    pub pairs: u32,
    /// To which it writes now.
    pub at: u32,
}

/// A receiver and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiving {
    /// Has taken no message yet.
    New(QueueId),
    /// Waits for a message, or has just been woken.
    Waiting(QueueId),
    /// Works.
    Working(QueueId),
}

/// Half of a message's demand: one is the sender's, one the receiver's.
#[inline]
fn half(world: &mut World, pid: Pid) -> Step {
    let instance = world.processes[pid.i()].instance as usize;
    let demand = world.config.instances[instance].workload.demand;
    let work = (to_work(draw(&demand, &mut world.streams[pid.i()].demand)) / 2).max(1);
    world.reading(instance, work)
}

/// The message it worked on is written; then the next, or a wait for room.
pub fn next_sent(world: &mut World, pid: Pid, mut sending: Sending, why: Resume) -> Step {
    let queue = |sending: &Sending| QueueId(sending.first + sending.at);
    let wait = |queue| Step::Wait { event: Activity::OFF, on: On::Room(queue), until: None };
    let step = match why {
        Resume::CpuDone => Step::Put(queue(&sending), Item::default()),
        Resume::GoOn => {
            sending.at = if sending.at + 1 == sending.pairs { 0 } else { sending.at + 1 };
            if world.queues[queue(&sending).i()].is_open() {
                world.tasks[pid.i()].started = world.now;
                half(world, pid)
            } else {
                wait(queue(&sending))
            }
        }
        Resume::Started => wait(queue(&sending)),
        _ if world.queues[queue(&sending).i()].has_room() => half(world, pid),
        _ => Step::Again,
    };
    world.tasks[pid.i()].program = Program::Sender(sending);
    step
}

/// The next message, or a wait for one; a message taken makes room for a sender.
pub fn next_received(world: &mut World, pid: Pid, at: Receiving) -> Step {
    use Receiving::*;
    let wait = |queue| Step::Wait { event: Activity::OFF, on: On::Items(queue, 1), until: None };
    let (queue, waits) = match at {
        Waiting(queue) => (queue, Step::Again),
        New(queue) => (queue, wait(queue)),
        Working(queue) => {
            world.end(pid);
            (queue, wait(queue))
        }
    };
    let (at, step) = match world.take(queue) {
        Some((_, written)) => {
            world.begin(pid, written);
            (Working(queue), half(world, pid))
        }
        None => (Waiting(queue), waits),
    };
    world.tasks[pid.i()].program = Program::Receiver(at);
    step
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Arrivals;
    use crate::testing::{hogs, node, one};

    /// In every sender hackbench's loop over the receivers of its group begins with the first (`sender`, hackbench.c).
    #[test]
    fn all_senders_of_a_group_begin_with_its_first_receiver() {
        let mut load = hogs(0);
        load.workload.arrivals = Arrivals::Messages { groups: 2, pairs: 3, buffer: 4 };
        let world = World::new(&one(node(), load), 0);
        let senders = world.tasks.iter().filter_map(|task| match task.program {
            Program::Sender(Sending { first, pairs, at }) => Some((first, pairs, at)),
            _ => None,
        });
        let expected = [(0, 3, 0), (0, 3, 0), (0, 3, 0), (3, 3, 0), (3, 3, 0), (3, 3, 0)];
        assert_eq!(senders.collect::<Vec<_>>(), expected);
    }
}
