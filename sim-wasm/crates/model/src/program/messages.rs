//! Senders and receivers that pass messages, as hackbench does: each sender of a group writes to each receiver of its group in
//! turn, and waits while the buffer it writes to is full; each receiver handles its messages in order.
use super::{Program, Segment};
use crate::config::Arrivals;
use crate::ids::Pid;
use crate::measure::events::Activity;
use crate::program::session::draw;
use crate::world::run::to_work;
use crate::world::World;
use std::collections::VecDeque;
use wwi_kernel::time::Ns;

/// What one receiver has to handle.
#[derive(Clone, Debug, Default)]
pub struct Inbox {
    /// When each message was written.
    pub messages: VecDeque<Ns>,
    /// Who handles them.
    pub receiver: Option<Pid>,
    /// It waits for the next.
    pub is_awaited: bool,
    /// Senders that wait for room.
    pub blocked: VecDeque<Pid>,
}

/// Half of a message's demand: one is the sender's, one the receiver's.
fn half(world: &mut World, pid: Pid) -> u64 {
    let instance = world.processes[pid.i()].instance as usize;
    let demand = world.config.instances[instance].workload.demand;
    (to_work(draw(&demand, &mut world.streams[pid.i()].demand)) / 2).max(1)
}

fn buffer(world: &World, pid: Pid) -> usize {
    match world.config.instances[world.processes[pid.i()].instance as usize].workload.arrivals {
        Arrivals::Messages { buffer, .. } => buffer as usize,
        _ => 1,
    }
}

/// The message it worked on is written; then the next, or a wait for room.
pub fn next_sent(world: &mut World, pid: Pid, woken: bool) -> Segment {
    let Program::Sender { first, pairs, at } = world.processes[pid.i()].program else { return Segment::Exit };
    let inbox = &mut world.inboxes[(first + at) as usize];
    let mut next = at;
    if !woken {
        inbox.messages.push_back(world.now);
        if inbox.is_awaited {
            inbox.is_awaited = false;
            world.wakes.extend(inbox.receiver);
        }
        next = (at + 1) % pairs;
        world.processes[pid.i()].program = Program::Sender { first, pairs, at: next };
    }
    let room = buffer(world, pid);
    let inbox = &mut world.inboxes[(first + next) as usize];
    if inbox.messages.len() >= room {
        inbox.blocked.push_back(pid);
        return Segment::Wait(Activity::OFF);
    }
    Segment::Cpu(half(world, pid))
}

/// The next message, or a wait for one; a message taken makes room for a sender.
pub fn next_received(world: &mut World, pid: Pid) -> Segment {
    let Program::Receiver { inbox } = world.processes[pid.i()].program else { return Segment::Exit };
    let inbox = &mut world.inboxes[inbox as usize];
    match inbox.messages.pop_front() {
        Some(written) => {
            world.wakes.extend(inbox.blocked.pop_front());
            Segment::Serve(half(world, pid), written)
        }
        None => {
            inbox.is_awaited = true;
            Segment::Wait(Activity::OFF)
        }
    }
}
