//! The checkpoint process: tells the writers of log switches, and records how far the checkpoint has come.
use super::lgwr::WAKES;
use super::{Item, On, Program, Step};
use crate::ids::Pid;
use crate::measure::database::Sum;
use crate::measure::events::Activity;
#[cfg(test)]
use crate::world::database_books::{note, Note};
use crate::world::run::to_work;
use crate::world::{Parcel, World};

/// Where a checkpoint process stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Asleep, or has just been woken.
    Asleep,
    /// Works.
    Works,
    /// Has writers from this one on yet to post.
    Posts(u16),
    /// Records a checkpoint up to an address.
    Records(u64),
    /// Has posted the log writer.
    Posted,
}

/// The checkpoint process of an instance, if it has a database.
pub fn start(world: &mut World, instance: usize) {
    let first = world.first_wakes(instance, "ckpt wakes")();
    if let Some(database) = &mut world.databases[instance] {
        let ear = database.ckpt;
        database.pace.due = first;
        world.start_asleep(instance, (Program::Ckpt(At::Asleep), instance as u64), ear, first);
    }
}

/// The next step of a checkpoint process.
pub fn next(world: &mut World, pid: Pid, at: At) -> Step {
    let instance = world.processes[pid.i()].instance as usize;
    let (at, step) = match at {
        At::Asleep => {
            let queue = world.database(instance).ckpt.queue;
            while world.take(queue).is_some() {}
            works(world, instance)
        }
        At::Works => {
            let hurries = std::mem::take(&mut world.database_mut(instance).hurries);
            tells(world, instance, if hurries { 0 } else { u16::MAX })
        }
        At::Posts(from) => tells(world, instance, from),
        At::Records(to) => records(world, instance, to),
        At::Posted => sleeps(world, instance),
    };
    world.tasks[pid.i()].program = Program::Ckpt(at);
    step
}

fn works(world: &mut World, instance: usize) -> (At, Step) {
    let now = world.now;
    let database = world.database_mut(instance);
    if database.counts_next().is_some_and(|next| next <= now) {
        database.pace.counts(now);
    }
    (database.ckpt.is_awake, database.ckpt.looks_again) = (true, false);
    let work = to_work(database.config.checkpoint.work).max(1);
    (At::Works, Step::Cpu { work, reads: 0 })
}

/// Posts the writers, each that sleeps; then records the checkpoint, if it has come further.
fn tells(world: &mut World, instance: usize, from: u16) -> (At, Step) {
    for writer in usize::from(from)..world.database(instance).writers.len() {
        if let Some(post) = world.post_writer(instance, writer) {
            return (At::Posts(writer as u16 + 1), post);
        }
    }
    let node = world.config.instances[instance].node as u16;
    let database = world.database(instance);
    let to = database.cache.oldest().unwrap_or(database.redo.made);
    if to <= database.redo.checkpoint() {
        return sleeps(world, instance);
    }
    let (data, queue) = (database.data, database.recorded);
    world.submit(data, Parcel { queue, item: Item::default(), node });
    let event = Activity::CONTROL_FILE_WRITE;
    (At::Records(to), Step::Wait { event, on: On::Items(queue, 1), until: None })
}

fn records(world: &mut World, instance: usize, to: u64) -> (At, Step) {
    let queue = world.database(instance).recorded;
    if world.take(queue).is_none() {
        return (At::Records(to), Step::Again);
    }
    world.accounts.databases[instance].count(Sum::Checkpoints, 1);
    world.note_database(instance);
    #[cfg(test)]
    note(Note::Recorded(to));
    let redo = &mut world.database_mut(instance).redo;
    let frees = redo.record_checkpoint(to) && !redo.for_log.is_empty();
    match frees.then(|| world.post_lgwr(instance)).flatten() {
        Some(post) => (At::Posted, post),
        None => sleeps(world, instance),
    }
}

fn sleeps(world: &mut World, instance: usize) -> (At, Step) {
    let now = world.now;
    if world.database(instance).ckpt.looks_again {
        return works(world, instance);
    }
    let database = world.database_mut(instance);
    database.ckpt.is_awake = false;
    let (on, wakes) = (On::Items(database.ckpt.queue, 1), now.plus(WAKES));
    let until = Some(database.counts_next().map_or(wakes, |next| next.min(wakes)));
    (At::Asleep, Step::Wait { event: Activity::OFF, on, until })
}
