//! A program that takes a list of steps and notes how each went, for tests of the interpreter.
use super::{Resume, Step};
use crate::ids::{DeviceId, LinkId, Pid, QueueId};
use crate::measure::events::Activity;
use crate::measure::statements::{Call, Done, Statement};
use crate::meet::lock::LockId;
use crate::world::{Parcel, World};
use std::collections::VecDeque;
use wwi_kernel::time::Ns;

/// A step, or a call before the next one.
#[derive(Clone, Copy, Debug)]
pub enum Do {
    /// This.
    Step(Step),
    /// A transaction begins that is waited for since then.
    Begin(Ns),
    /// The next wait is counted late.
    Late,
    /// The wait that is over was this.
    Rename(Activity),
    /// The present wait has this time-out when it goes on.
    Until(Ns),
    /// What it holds of a lock its instance holds from now on.
    HandOver(LockId),
    /// Takes an item, if there is one.
    Take(QueueId),
    /// Asks a device.
    Submit(DeviceId, Parcel),
    /// Sends so many bytes.
    Send(LinkId, u64, Parcel),
    /// Begins a call of a statement.
    BeginCall(Statement, Call),
    /// Ends the call that it began last.
    EndCall(Done),
    /// Goes on with whatever comes so many places before.
    Back(usize),
}

/// What one scripted process does, and did.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// To do.
    pub todo: VecDeque<Do>,
    /// Where it stands.
    pub at: usize,
    /// When it was asked for a step, and how the last one went.
    pub log: Vec<(Ns, Resume)>,
    /// What it took.
    pub taken: Vec<u32>,
}

/// The next step of a script; at its end the process leaves.
pub fn next(world: &mut World, pid: Pid, why: Resume) -> Step {
    let now = world.now;
    let script = world.scripts.entry(pid).or_default();
    script.log.push((now, why));
    loop {
        let script = world.scripts.entry(pid).or_default();
        let Some(&what) = script.todo.get(script.at) else { return Step::Exit };
        script.at += 1;
        match what {
            Do::Step(step) => return step,
            Do::Begin(since) => world.begin(pid, since),
            Do::HandOver(lock) => world.hand_to_instance(pid, lock),
            Do::Late => world.count_late(pid),
            Do::Rename(event) => world.rename(pid, event),
            Do::Until(until) => world.set_time_out(pid, until),
            Do::BeginCall(statement, call) => world.begin_call(pid, statement, call),
            Do::EndCall(done) => world.end_call(pid, done),
            Do::Back(places) => script.at -= places + 1,
            Do::Take(queue) => {
                if let Some((item, _)) = world.take(queue) {
                    world.scripts.entry(pid).or_default().taken.push(item.tag);
                }
            }
            Do::Submit(device, parcel) => world.submit(device, parcel),
            Do::Send(link, bytes, parcel) => world.send(link, bytes, parcel),
        }
    }
}
