//! A writer and its clients, as a log writer has them; built where tests ask for a kind of process that nothing else
//! has heard of. A client works, sends the writer an item and waits until it is posted. The writer waits for items,
//! works, writes all that had come to its device at once, and posts those who sent them one by one.
use super::{Item, On, Program, Step};
use crate::config::kinds::Planted;
use crate::ids::{DeviceId, Pid, QueueId};
use crate::measure::events::Activity;
use crate::meet::device::{Device, ServiceTime, Shape};
use crate::world::run::to_work;
use crate::world::{Parcel, World};
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

/// Where one stands. Completions of the device come to the queue that follows the inbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// A client, with the queue to which it is posted.
    Client(Client, QueueId, QueueId),
    /// The writer, its inbox and device, and how many it has yet to post.
    Writer(Writer, QueueId, DeviceId, u16),
}

/// What a client does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// Thinks, or is new.
    Thinking,
    /// Works.
    Working,
    /// Sends.
    Sending,
    /// Waits for its post.
    Waiting,
}

/// What the writer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    /// Waits for items.
    Gathering,
    /// Works.
    Working,
    /// Writes.
    Writing,
    /// Posts.
    Posting,
}

/// The writer of an instance and its clients, if it has any.
pub fn start(world: &mut World, instance: usize) {
    let Some(settings) = world.config.instances[instance].others.planted.clone() else { return };
    let node = world.config.instances[instance].node;
    let (inbox, _completions) = (world.new_queue(None), world.new_queue(None));
    let stream = Stream::new(world.config.seed, world.replication, "planted", instance as u64, "write");
    let device = DeviceId(world.devices.len() as u16);
    let time = ServiceTime { mean: settings.write, shape: Shape::Constant, slow: None };
    world.devices.push(Device::new(1, time, stream));
    let mut admit = |number: u32, at: At| {
        let key = (instance as u64) << 32 | u64::from(number);
        let pid = world.admit(Program::Planted(at), node, instance as u16, key);
        world.start_within(pid, "planted", key, Ns(1));
        world.new_queue(None)
    };
    let mut own = admit(0, At::Writer(Writer::Posting, inbox, device, 0));
    for number in 1..=settings.clients {
        own = admit(number, At::Client(Client::Thinking, inbox, own));
    }
}

/// The next step of either.
pub fn next(world: &mut World, pid: Pid, at: At) -> Step {
    let instance = &world.config.instances[world.processes[pid.i()].instance as usize];
    let Some(settings) = instance.others.planted.clone() else { return Step::Exit };
    let (at, step) = match at {
        At::Client(client, inbox, own) => {
            let (client, step) = of_client(world, pid, client, (inbox, own), &settings);
            (At::Client(client, inbox, own), step)
        }
        At::Writer(writer, inbox, device, mut left) => {
            let (writer, step) = of_writer(world, pid, writer, (inbox, device, &mut left), &settings);
            (At::Writer(writer, inbox, device, left), step)
        }
    };
    world.tasks[pid.i()].program = Program::Planted(at);
    step
}

fn wait(event: Activity, queue: QueueId) -> Step {
    Step::Wait { event, on: On::Items(queue, 1), until: None }
}

fn work(settings: &Planted) -> Step {
    Step::Cpu { work: to_work(settings.work).max(1), reads: 0 }
}

fn of_client(
    world: &mut World,
    pid: Pid,
    client: Client,
    (inbox, own): (QueueId, QueueId),
    settings: &Planted,
) -> (Client, Step) {
    match client {
        Client::Thinking => {
            world.begin_since_wake(pid);
            (Client::Working, work(settings))
        }
        Client::Working => (Client::Sending, Step::Put(inbox, Item { reply: Some(own), ..Item::default() })),
        Client::Sending => (Client::Waiting, wait(Activity::PLANTED_POST, own)),
        Client::Waiting if world.take(own).is_none() => (client, Step::Again),
        Client::Waiting => {
            world.end(pid);
            let until = Some(world.now.plus(settings.think.max(Ns(1))));
            (Client::Thinking, Step::Wait { event: Activity::OFF, on: On::Time, until })
        }
    }
}

fn of_writer(
    world: &mut World,
    pid: Pid,
    writer: Writer,
    (inbox, device, left): (QueueId, DeviceId, &mut u16),
    settings: &Planted,
) -> (Writer, Step) {
    let completions = QueueId(inbox.0 + 1);
    match writer {
        Writer::Gathering if world.queues[inbox.i()].is_empty() => (writer, Step::Again),
        Writer::Gathering => {
            *left = world.queues[inbox.i()].len() as u16;
            (Writer::Working, work(settings))
        }
        Writer::Working => {
            let node = world.processes[pid.i()].node;
            world.submit(device, Parcel { queue: completions, item: Item::default(), node });
            (Writer::Writing, wait(Activity::PLANTED_WRITE, completions))
        }
        Writer::Writing if world.take(completions).is_none() => (writer, Step::Again),
        Writer::Writing | Writer::Posting => match (*left > 0).then(|| world.take(inbox)).flatten() {
            Some((Item { reply: Some(client), .. }, _)) => {
                *left -= 1;
                (Writer::Posting, Step::Put(client, Item::default()))
            }
            _ => (Writer::Gathering, wait(Activity::OFF, inbox)),
        },
    }
}
