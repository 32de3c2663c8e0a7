//! Database writers: each writes the dirty buffers of its sets, the oldest first as far as a checkpoint has to come, by
//! turns with those found where somebody waits for a buffer; then others found where one was to be taken. No block is
//! written before its redo: one whose redo is not on disk is put off, and the others are written.
use super::lgwr::WAKES;
use super::{Item, On, Program, Step};
use crate::ids::Pid;
use crate::instance::cache::Cache;
use crate::instance::database::{Database, Ear, Writer};
use crate::measure::database::Sum;
use crate::measure::events::Activity;
#[cfg(test)]
use crate::world::database_books::{note, Note};
use crate::world::run::to_work;
use crate::world::{Parcel, World};

/// Its number among the writers of its instance, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// Number.
    pub number: u16,
    /// Where it stands.
    pub stage: Stage,
}

/// Where a database writer stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Asleep, or has just been woken.
    Asleep,
    /// Works for its batch.
    Works,
    /// Has posted the log writer, for redo of blocks that it put off.
    Asked,
    /// Waits for writes under way.
    Writes,
    /// Posts who waited for them.
    Posts,
}

/// The database writers of an instance.
pub fn start(world: &mut World, instance: usize) {
    let writers = world.databases[instance].iter().flat_map(|database| &database.writers);
    let ears: Vec<Ear> = writers.map(|writer| writer.ear).collect();
    let mut wakes = world.first_wakes(instance, "dbwr wakes");
    for (number, ear) in ears.into_iter().enumerate() {
        let at = At { number: number as u16, stage: Stage::Asleep };
        let key = (instance as u64) << 32 | number as u64;
        let until = world.database(instance).looks.first(wakes());
        world.start_asleep(instance, (Program::Dbwr(at), key), ear, until);
    }
}

/// The next step of a database writer.
pub fn next(world: &mut World, pid: Pid, At { number, stage }: At) -> Step {
    let instance = world.processes[pid.i()].instance as usize;
    let mut turn = Turn { world, instance, number: usize::from(number) };
    let (stage, step) = match stage {
        Stage::Asleep => turn.wakes(),
        Stage::Works => turn.submits(),
        Stage::Asked => turn.looks(),
        Stage::Writes => turn.written(),
        Stage::Posts => turn.posts(),
    };
    world.tasks[pid.i()].program = Program::Dbwr(At { number, stage });
    step
}

struct Turn<'a> {
    world: &'a mut World,
    instance: usize,
    number: usize,
}

type Next = (Stage, Step);

/// Chooses a buffer and begins to write it: by turns one for which sessions wait and one that the checkpoint needs, the
/// oldest of all sets; where there is neither, one that stands in the way of those who will take buffers.
fn next_to_write(database: &mut Database, number: usize, target: u64) -> Option<(u32, u64)> {
    let sets = database.sets_of(number);
    let Database { cache, writers, .. } = database;
    let me = &mut writers[number];
    me.serves_waiting = !me.serves_waiting;
    if me.serves_waiting {
        if let Some(chosen) = next_listed(cache, me, sets.clone(), Cache::is_short) {
            return Some(chosen);
        }
    }
    let oldest = sets.clone().filter_map(|set| Some((cache.candidate(set)?, set))).min();
    let due = oldest.filter(|oldest| oldest.0 < target).and_then(|oldest| cache.begin_oldest(oldest.1));
    due.or_else(|| next_listed(cache, me, sets.clone(), Cache::is_short))
        .or_else(|| next_listed(cache, me, sets, |_, _| true))
}

/// Begins to write what stands longest on the list of the next of a writer's sets, after the one that it chose from
/// last, that has something on it and `counts`.
fn next_listed(
    cache: &mut Cache,
    me: &mut Writer,
    sets: impl Iterator<Item = usize> + Clone,
    counts: impl Fn(&Cache, usize) -> bool,
) -> Option<(u32, u64)> {
    let after = me.chose;
    let turn = sets.clone().filter(|&set| set > after).chain(sets.take_while(|&set| set <= after));
    for set in turn {
        if counts(cache, set) {
            if let Some(chosen) = cache.begin_listed(set) {
                me.chose = set;
                return Some(chosen);
            }
        }
    }
    None
}

impl Turn<'_> {
    fn me(&mut self) -> &mut crate::instance::database::Writer {
        &mut self.world.database_mut(self.instance).writers[self.number]
    }

    fn wakes(&mut self) -> Next {
        let queue = self.me().ear.queue;
        while self.world.take(queue).is_some() {}
        self.me().ear.is_awake = true;
        self.looks()
    }

    /// Prepares a batch, if there is something to write and room for it; waits for writes; waits for redo of what it
    /// has put off; sleeps. Whoever posts it wakes it from either.
    fn looks(&mut self) -> Next {
        let now = self.world.now;
        if self.gather() {
            if let Some(post) = self.world.post_lgwr(self.instance) {
                return (Stage::Asked, post);
            }
        }
        let database = self.world.database(self.instance);
        let me = &database.writers[self.number];
        let (of, blocks) = (database.config.writers, me.batch.len() as u64);
        if blocks > 0 {
            let work = to_work(of.block).saturating_mul(blocks).saturating_add(to_work(of.batch_cost));
            return (Stage::Works, Step::Cpu { work: work.max(1), reads: 0 });
        }
        if me.under_way > 0 {
            let least = if of.whole_batch { me.under_way } else { 1 };
            let on = On::Items(me.completions, least);
            return (Stage::Writes, Step::Wait { event: Activity::DB_FILE_PARALLEL_WRITE, on, until: None });
        }
        // What came while it was awake it has looked at.
        let (queue, needs) = (me.ear.queue, me.put_off.iter().map(|one| one.0).min());
        while self.world.take(queue).is_some() {}
        let database = self.world.database_mut(self.instance);
        database.writers[self.number].ear.is_awake = false;
        let event = match needs {
            Some(needs) => {
                database.redo.tells_of_disk(needs, queue);
                Activity::RDBMS_IPC_REPLY
            }
            None => Activity::OFF,
        };
        (Stage::Asleep, Step::Wait { event, on: On::Items(queue, 1), until: Some(now.plus(WAKES)) })
    }

    /// Chooses what to write, as much as it may: first what it has put off whose redo is on disk by now. What it
    /// chooses whose redo is not it puts off: it keeps that in its hands, and goes on. Whether the log writer is to be
    /// asked for any, as no write under way takes it to disk.
    fn gather(&mut self) -> bool {
        let number = self.number;
        let database = self.world.database_mut(self.instance);
        let (target, of) = (database.target(), database.config.writers);
        let (on_disk, writing) = (database.redo.on_disk, database.redo.writing);
        let window = if database.config.data.is_async { database.window(number) } else { 1 };
        let Writer { under_way, batch, put_off, .. } = &mut database.writers[number];
        let under_way = *under_way;
        let most = if of.whole_batch && under_way > 0 { 0 } else { of.batch.min(window.saturating_sub(under_way)) };
        let (mut batch, mut put_off, mut asks) = (std::mem::take(batch), std::mem::take(put_off), false);
        put_off.retain(|&(needs, buffer)| {
            let is_ready = needs <= on_disk && (batch.len() as u32) < most;
            batch.extend(is_ready.then_some(buffer));
            !is_ready
        });
        while (batch.len() as u32) < most {
            let Some((buffer, needs)) = next_to_write(database, number, target) else { break };
            #[cfg(test)]
            note(Note::Begun(buffer));
            if needs <= on_disk {
                batch.push(buffer);
            } else {
                put_off.push((needs, buffer));
                asks |= needs > writing;
            }
        }
        let me = &mut database.writers[number];
        (me.batch, me.put_off) = (batch, put_off);
        asks
    }

    /// The batch is prepared.
    fn submits(&mut self) -> Next {
        let node = self.world.config.instances[self.instance].node as u16;
        let data = self.world.database(self.instance).data;
        let queue = self.me().completions;
        let batch = std::mem::take(&mut self.me().batch);
        self.me().under_way += batch.len() as u32;
        for &buffer in &batch {
            let item = Item { tag: buffer, ..Item::default() };
            self.world.submit(data, Parcel { queue, item, node });
        }
        let me = self.me();
        me.batch = batch;
        me.batch.clear();
        // What is done by now it takes up before it chooses further.
        self.written()
    }

    /// Writes are done: their buffers are clean, and who waited for one is posted.
    fn written(&mut self) -> Next {
        let queue = self.me().completions;
        let mut blocks = 0;
        self.world.sum_dirty(self.instance);
        while let Some((item, _)) = self.world.take(queue) {
            blocks += 1;
            let database = self.world.database_mut(self.instance);
            database.cache.written(item.tag);
            let set = item.tag as usize % database.cache.sets();
            let mut posts = Vec::new();
            while let Some(reply) = database.cache.next_for_write(item.tag) {
                posts.push(reply);
            }
            posts.extend(database.cache.next_waiting(set));
            let me = &mut database.writers[self.number];
            me.under_way -= 1;
            me.posts.extend(posts);
        }
        self.world.accounts.databases[self.instance].count(Sum::Writes, blocks);
        self.posts()
    }

    /// Posts the next one; last the checkpoint process, if this writer has done its part for a log that is wanted.
    fn posts(&mut self) -> Next {
        if let Some(reply) = self.me().posts.pop_front() {
            let item = Item { tag: reply.wait, ..Item::default() };
            return (Stage::Posts, Step::Put(reply.queue, item));
        }
        let database = self.world.database(self.instance);
        if let Some(wanted) = database.redo.wanted().filter(|&wanted| wanted != database.writers[self.number].told) {
            let mut oldest = database.sets_of(self.number).filter_map(|set| database.cache.oldest_of(set));
            if oldest.all(|at| at >= wanted) {
                self.me().told = wanted;
                if let Some(post) = self.world.post_ckpt(self.instance) {
                    return (Stage::Posts, post);
                }
            }
        }
        self.looks()
    }
}

#[cfg(test)]
#[path = "dbwr_tests.rs"]
mod tests;
