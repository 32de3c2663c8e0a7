//! The changes of a call: each makes its redo, for which there must be room, and dirties a buffer, which must be had.
use crate::instance::cache::Found;
use crate::instance::database::{Database, Foreground};
use crate::measure::database::Sum;
use crate::measure::events::Activity;
use crate::program::foreground::{Next, Stage, Turn, LOOKS_AGAIN};
#[cfg(test)]
use crate::world::database_books::{note, Note};

impl Turn<'_> {
    /// Changes of the transaction that are due by the end of so many calls.
    pub(super) fn due(&mut self, calls: u32) -> u32 {
        let all = u64::from(self.me().changes.0);
        let of = self.world.database(self.instance).config.transaction;
        (all * u64::from(calls) / u64::from(of.calls)) as u32
    }

    /// Redo of changes of the present call, up to this one of the transaction \[bytes\]: evenly over the calls and over
    /// the changes of each, a byte at the least where a block is changed. Transactions without redo change nothing.
    fn redo(&mut self, to: u32) -> u64 {
        let &mut Foreground { is_query, done, changes: (_, from), .. } = self.me();
        let (start, end) = (self.due(done), self.due(done + 1));
        let of = self.world.database(self.instance).config.transaction;
        if is_query || of.redo < 1.0 {
            return 0;
        }
        let up_to = |calls: u32| (of.redo * f64::from(calls) / f64::from(of.calls)) as u64;
        let all = up_to(done + 1) - up_to(done);
        let part = |change: u32| all * u64::from(change - start) / u64::from((end - start).max(1));
        let bytes = if start == end { all } else { part(to) - part(from) };
        bytes.max(u64::from(to > from))
    }

    /// Makes the redo of the present call and changes its blocks, once there is room for it.
    pub(super) fn changes(&mut self) -> Next {
        if self.needs_row_block() {
            return self.row_changes().unwrap_or_else(|| self.has_values());
        }
        if let Some(next) = self.gets() {
            return next;
        }
        if let Some(next) = self.contended() {
            return next;
        }
        let &mut Foreground { done, changes: (_, before), .. } = self.me();
        let due = self.due(done + 1);
        let bytes = self.redo(due);
        if bytes == 0 {
            return self.goes_on();
        }
        if let Some(wait) = self.lacks_room(bytes) {
            return wait;
        }
        if let Some(wait) = self.lacks_buffer(due - before) {
            return wait;
        }
        self.makes(bytes);
        let is_due = self.world.database(self.instance).redo.is_due();
        is_due.then(|| self.posts_lgwr(Stage::Changed)).flatten().unwrap_or_else(|| self.goes_on())
    }

    /// Makes redo, and changes the buffers that it has: that is one, nothing comes between.
    fn makes(&mut self, bytes: u64) {
        let mut chosen = std::mem::take(&mut self.me().buffers);
        let changes = chosen.len() as u32;
        chosen.drain(..).for_each(|buffer| self.change(buffer, bytes));
        let me = self.me();
        me.buffers = chosen;
        me.changes.1 += changes;
        self.count(Sum::Changes, u64::from(changes));
        self.count(Sum::Redo, bytes);
        #[cfg(test)]
        note(Note::Made(self.session, bytes));
        let Database { redo, foregrounds, .. } = self.world.database_mut(self.instance);
        redo.made += bytes;
        foregrounds[self.session as usize].end = redo.made;
    }

    /// There is no buffer for its next change: what it has it changes, and keeps nothing while it waits.
    fn changes_what_it_has(&mut self) {
        let Database { config, cache, foregrounds, .. } = self.world.database(self.instance);
        let me = &foregrounds[self.session as usize];
        let is_written = config.cache.changes_wait && me.buffers.iter().any(|&buffer| cache.is_written(buffer));
        if !me.buffers.is_empty() && !is_written {
            let bytes = self.redo(me.changes.1 + me.buffers.len() as u32);
            self.makes(bytes);
        }
    }

    /// The wait of a session that finds no buffer for a block it changes, or may not change one which is being written.
    fn lacks_buffer(&mut self, changes: u32) -> Option<Next> {
        let session = self.session as usize;
        while self.me().buffers.len() < changes as usize {
            let Database { cache, foregrounds, .. } = self.world.database_mut(self.instance);
            let me = &mut foregrounds[session];
            let set = me.set;
            let drawn = if std::mem::take(&mut me.lacks_clean) { cache.next_cold() } else { cache.draw() };
            let is_posted = match drawn.map_or_else(|| cache.take(set), |_| Found::Taken(false)) {
                Found::Taken(is_posted) => is_posted,
                Found::Nothing => {
                    me.lacks_clean = true;
                    self.changes_what_it_has();
                    return Some(self.lacks_free(set));
                }
            };
            let taken = drawn.or_else(|| cache.taken(set));
            taken.into_iter().for_each(|buffer| cache.keep(buffer));
            me.buffers.extend(taken);
            if drawn.is_none() {
                me.set = (set + 1) % cache.sets();
                #[cfg(test)]
                taken.into_iter().for_each(|buffer| note(Note::Chose(self.session, set, buffer)));
            }
            if let Some(post) = is_posted.then(|| self.world.post_writer_of(self.instance, set)).flatten() {
                return Some((Stage::PostedWriter, post));
            }
        }
        let Database { config, cache, foregrounds, .. } = self.world.database_mut(self.instance);
        if !config.cache.changes_wait {
            return None;
        }
        let buffers = &foregrounds[session].buffers;
        let buffer = buffers.iter().copied().find(|&buffer| cache.is_written(buffer))?;
        let database = self.world.database_mut(self.instance);
        let reply = database.awaits(self.session);
        database.cache.wait_for_write(buffer, reply);
        let event = Activity::WRITE_COMPLETE_WAITS;
        Some((Stage::WaitsToChange(event), self.wait(event, LOOKS_AGAIN)))
    }

    /// One change of a buffer.
    pub(super) fn change(&mut self, buffer: u32, bytes: u64) {
        self.world.sum_dirty(self.instance);
        let database = self.world.database_mut(self.instance);
        let at = database.redo.made;
        database.cache.change(buffer, at, at + bytes);
        #[cfg(test)]
        note(Note::Changed(self.session, buffer));
    }

    /// The wait of a session for whose redo there is no room in the log or in the log buffer.
    pub(super) fn lacks_room(&mut self, bytes: u64) -> Option<Next> {
        let session = self.session;
        let database = self.world.database_mut(self.instance);
        let event = if !database.redo.log_has_room(bytes) {
            let reply = database.awaits(session);
            database.redo.for_log.push_back(reply);
            if database.redo.can_switch() {
                Activity::LOG_SWITCH_COMPLETION
            } else {
                if !database.redo.is_stalled {
                    self.world.sum_dirty(self.instance);
                    self.world.database_mut(self.instance).redo.is_stalled = true;
                    self.count(Sum::Stalls, 1);
                    self.world.note_database(self.instance);
                }
                Activity::LOG_SWITCH_CHECKPOINT
            }
        } else if !database.redo.buffer_has_room(bytes) {
            let reply = database.awaits(session);
            database.redo.for_buffer.push_back(reply);
            Activity::LOG_BUFFER_SPACE
        } else {
            return None;
        };
        let posts = self.posts_lgwr(Stage::Waits(event));
        Some(posts.unwrap_or_else(|| (Stage::WaitsToChange(event), self.wait(event, LOOKS_AGAIN))))
    }
}
