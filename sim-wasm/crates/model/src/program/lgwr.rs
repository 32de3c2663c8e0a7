//! The log writer: writes what there is when it is woken or asked, tells those who wait for it one by one, and switches
//! logs.
use super::{Item, On, Program, Step};
use crate::config::database::Answering;
use crate::config::database::WRITERS_WAKE;
use crate::ids::{Pid, Reply};
use crate::instance::database::Database;
use crate::measure::database::Sum;
use crate::measure::events::Activity;
#[cfg(test)]
use crate::world::database_books::{note, Note};
use crate::world::run::to_work;
use crate::world::{Parcel, World};
use wwi_kernel::time::Ns;

/// It looks at the log buffer at least so often.
pub const WAKES: Ns = WRITERS_WAKE;

/// Where a log writer stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Asleep, or has just been woken.
    Asleep,
    /// Gathers what there is to write.
    Gathers,
    /// Tells other instances of the commits that it is about to write.
    Tells,
    /// Writes.
    Writes,
    /// Does what comes after a write.
    Wrote,
    /// Looks whom to post.
    Posts,
    /// Works for a post.
    Posting(Reply),
    /// Writes the control file and the headers of logs, and has so many writes left.
    Switches(u32),
    /// Posts the checkpoint process.
    Hurries,
}

/// The log writer of an instance, if it has a database.
pub fn start(world: &mut World, instance: usize) {
    if let Some(database) = &world.databases[instance] {
        let (ear, mut wakes) = (database.lgwr, world.first_wakes(instance, "lgwr wakes"));
        world.start_asleep(instance, (Program::Lgwr(At::Asleep), instance as u64), ear, wakes());
    }
}

/// The next step of a log writer.
pub fn next(world: &mut World, pid: Pid, at: At) -> Step {
    let instance = world.processes[pid.i()].instance as usize;
    let (at, step) = match at {
        At::Asleep => {
            drain(world, instance);
            looks(world, instance)
        }
        At::Gathers => {
            let database = world.database_mut(instance);
            database.redo.gather();
            database.lgwr.looks_again = false;
            #[cfg(test)]
            note(Note::Gathered);
            tells(world, instance)
        }
        At::Tells => {
            world.broadcast(instance);
            begins(world, instance)
        }
        At::Writes => writes(world, instance),
        At::Wrote => answers(world, instance),
        At::Posts | At::Hurries => posts(world, instance),
        At::Posting(reply) => (At::Posts, post(reply)),
        At::Switches(left) => switches(world, instance, left),
    };
    if matches!((at, step), (At::Writes | At::Switches(_), Step::Wait { .. })) && !is_parallel(world.database(instance))
    {
        world.count_late(pid);
    }
    world.tasks[pid.i()].program = Program::Lgwr(at);
    step
}

fn drain(world: &mut World, instance: usize) {
    let queue = world.database(instance).lgwr.queue;
    while world.take(queue).is_some() {}
    let lgwr = &mut world.database_mut(instance).lgwr;
    (lgwr.is_awake, lgwr.looks_again) = (true, true);
}

fn cpu(span: Ns) -> Step {
    Step::Cpu { work: to_work(span).max(1), reads: 0 }
}

fn post(reply: Reply) -> Step {
    Step::Put(reply.queue, Item { tag: reply.wait, ..Item::default() })
}

/// Writes, if there is anything to write and it was woken, or asked since it gathered; redo alone is no reason.
/// Switches, if somebody needs the next log and it is free, or has the writers told that it is wanted; sleeps.
fn looks(world: &mut World, instance: usize) -> (At, Step) {
    let now = world.now;
    world.note_database(instance);
    let database = world.database_mut(instance);
    database.grows_older(now);
    let of = database.config.log;
    let bytes = database.redo.made - database.redo.on_disk;
    if bytes > 0 && database.lgwr.looks_again {
        let each = of.gather_kb.0 as f64 * bytes as f64 / 1024.0;
        database.write_began = now;
        return (At::Gathers, cpu(Ns(of.gather.0 + each as u64)));
    }
    if !database.redo.for_log.is_empty() {
        if database.redo.can_switch() {
            let writes = of.switch_writes;
            return switch_writes(world, instance, writes);
        }
        if !std::mem::replace(&mut database.has_asked, true) {
            database.hurries = true;
            return hurries(world, instance);
        }
    }
    database.lgwr.is_awake = false;
    let on = On::Items(database.lgwr.queue, 1);
    (At::Asleep, Step::Wait { event: Activity::OFF, on, until: Some(now.plus(WAKES)) })
}

/// Writes one member of the log.
fn submit(world: &mut World, instance: usize, member: usize) {
    let node = world.config.instances[instance].node as u16;
    let database = world.database(instance);
    let parcel = Parcel { queue: database.written, item: Item::default(), node };
    let device = database.members[member];
    let transfer = Ns((database.config.log.transfer * database.redo.blocks() as f64) as u64);
    world.submit_long(device, parcel, transfer);
}

/// All members of a log are written at once, or there is one.
fn is_parallel(database: &Database) -> bool {
    let log = &database.config.log;
    log.members == 1 || log.is_parallel && database.config.redo.unwrap_or(database.config.data).is_async
}

/// A write to all members of a log begins: to all at once, or to the first.
fn begins_members(world: &mut World, instance: usize) {
    let database = world.database_mut(instance);
    database.left = database.config.log.members;
    let at_once = if is_parallel(database) { database.left } else { 1 };
    (0..at_once as usize).for_each(|member| submit(world, instance, member));
}

/// The wait for all members of a log: one, whether they are written at once or one by one.
fn awaits_members(world: &World, instance: usize, event: Activity) -> Step {
    let database = world.database(instance);
    let least = if is_parallel(database) { database.left } else { 1 };
    Step::Wait { event, on: On::Items(database.written, least), until: None }
}

/// Takes note of members that were written, and writes the next where they are written one by one. Whether all are.
fn are_written(world: &mut World, instance: usize) -> bool {
    let queue = world.database(instance).written;
    while world.take(queue).is_some() {
        let database = world.database_mut(instance);
        database.left -= 1;
        if database.left > 0 && !is_parallel(database) {
            let member = database.config.log.members - database.left;
            submit(world, instance, member as usize);
        }
    }
    world.database(instance).left == 0
}

/// It tells other instances of the commits that it is about to write, if there are both.
fn tells(world: &mut World, instance: usize) -> (At, Step) {
    match world.telling(instance) {
        Some(span) => (At::Tells, cpu(span)),
        None => begins(world, instance),
    }
}

fn begins(world: &mut World, instance: usize) -> (At, Step) {
    begins_members(world, instance);
    (At::Writes, awaits_members(world, instance, Activity::LOG_FILE_PARALLEL_WRITE))
}

fn writes(world: &mut World, instance: usize) -> (At, Step) {
    if are_written(world, instance) {
        return written(world, instance);
    }
    (At::Writes, Step::Again)
}

/// The redo is on disk.
fn written(world: &mut World, instance: usize) -> (At, Step) {
    let now = world.now;
    let database = world.database_mut(instance);
    let (wasted, unheard) = database.redo.written();
    database.pace.wrote(now - database.write_began);
    let is_late = database.redo.broadcasts.written(now);
    let after = database.config.log.after;
    let sums = &mut world.accounts.databases[instance];
    sums.count(Sum::LogWrites, 1);
    sums.count(Sum::LateAcks, u64::from(is_late));
    sums.count(Sum::CommitsWritten, unheard);
    sums.count(Sum::Wasted, wasted);
    if after > Ns::ZERO {
        return (At::Wrote, cpu(after));
    }
    answers(world, instance)
}

/// Who waited for what is on disk now is to be posted: commits that are complete, unless they look themselves;
/// writers; and whoever waits for room in the log buffer.
fn answers(world: &mut World, instance: usize) -> (At, Step) {
    let now = world.now;
    let database = world.database_mut(instance);
    let on_disk = database.redo.on_disk;
    let mut to = std::mem::take(&mut database.posts);
    let answered = database.completes(&mut to);
    database.posts = to;
    let (ready, left): (Vec<_>, Vec<_>) = database.redo.for_disk.drain(..).partition(|waiter| waiter.0 <= on_disk);
    database.redo.for_disk = left.into();
    database.posts.extend(ready.into_iter().map(|waiter| waiter.1));
    let for_buffer = std::mem::take(&mut database.redo.for_buffer);
    database.posts.extend(for_buffer);
    let is_adaptive = database.config.log.answering == Answering::Adaptive;
    let changed = is_adaptive && database.pace.looks(now);
    let sums = &mut world.accounts.databases[instance];
    sums.count(Sum::CommitsWritten, answered);
    sums.count(Sum::Changeovers, u64::from(changed));
    posts(world, instance)
}

/// Posts the next one.
fn posts(world: &mut World, instance: usize) -> (At, Step) {
    let database = world.database_mut(instance);
    let Some(reply) = database.posts.pop_front() else { return looks(world, instance) };
    match database.config.log.post {
        Ns::ZERO => (At::Posts, post(reply)),
        each => (At::Posting(reply), cpu(each)),
    }
}

/// The next of so many writes of a switch, to all members as redo is.
fn switch_writes(world: &mut World, instance: usize, left: u32) -> (At, Step) {
    begins_members(world, instance);
    (At::Switches(left), awaits_members(world, instance, Activity::CONTROL_FILE_WRITE))
}

/// Redo goes on in the next log once all is written that a switch writes.
fn switches(world: &mut World, instance: usize, left: u32) -> (At, Step) {
    match are_written(world, instance) {
        false => (At::Switches(left), Step::Again),
        true if left > 1 => switch_writes(world, instance, left - 1),
        true => switched(world, instance),
    }
}

fn switched(world: &mut World, instance: usize) -> (At, Step) {
    world.sum_dirty(instance);
    let database = world.database_mut(instance);
    database.redo.is_stalled = false;
    database.redo.switch();
    #[cfg(test)]
    note(Note::Switched);
    let for_log = std::mem::take(&mut database.redo.for_log);
    database.posts.extend(for_log);
    (database.hurries, database.has_asked) = (true, false);
    world.accounts.databases[instance].count(Sum::Switches, 1);
    world.note_database(instance);
    hurries(world, instance)
}

/// The checkpoint process is posted, which tells the writers.
fn hurries(world: &mut World, instance: usize) -> (At, Step) {
    match world.post_ckpt(instance) {
        Some(post) => (At::Hurries, post),
        None => posts(world, instance),
    }
}
