//! The end of a call of a server process: it answers its client, or commits first and waits until that is
//! complete: its redo is on disk, and other instances know of it.
use super::foreground::{Next, Stage, Turn};
use super::{Item, On, Step};
use crate::config::Arrivals;
use crate::instance::database::{Database, Foreground};
use crate::instance::redo::Commit;
use crate::measure::database::Sum;
use crate::measure::events::Activity;
use crate::program::Resume;
#[cfg(test)]
use crate::world::database_books::{note, Note};
use wwi_kernel::time::Ns;

/// With this time-out and longer ones, those of 10g and before, each sleep that is timed out is a wait of its own.
const CUTS_WAITS: Ns = Ns(1_000_000_000);

impl Turn<'_> {
    /// What a call changes is changed: the next call, or the commit.
    pub(super) fn goes_on(&mut self) -> Next {
        self.ends_insert();
        let Database { config, foregrounds, .. } = self.world.database_mut(self.instance);
        let (me, of) = (&mut foregrounds[self.session as usize], config.transaction);
        me.done += 1;
        let (done, is_query, is_last) = (me.done, me.is_query, me.ended + 1 >= of.per_call);
        if done < of.calls {
            return self.answers();
        }
        if is_query {
            return self.ends();
        }
        self.count(Sum::Commits, 1);
        #[cfg(test)]
        note(Note::Commits(self.session));
        if of.redo < 1.0 {
            return self.ends();
        }
        if of.commit_waits && is_last {
            return self.commits();
        }
        self.world.database_mut(self.instance).redo.unheard += 1;
        of.commit_posts.then(|| self.posts_lgwr(Stage::Ends)).flatten().unwrap_or_else(|| self.ends())
    }

    fn commits(&mut self) -> Next {
        let came = self.world.now;
        let session = self.session;
        let database = self.world.database_mut(self.instance);
        // Its redo may have gone to disk while it had lost the CPU, or told the log writer that there is much.
        if database.complete() >= database.foregrounds[session as usize].end {
            self.count(Sum::CommitsWritten, 1);
            return self.ends();
        }
        let (reply, polls) = (database.awaits(session), database.pace.polls);
        let me = &mut database.foregrounds[session as usize];
        (me.polls, me.came) = (polls, came);
        let end = me.end;
        database.redo.awaits_disk(Commit { end, reply, polls });
        // Who waits for it gets it written, whatever `commit_logging` says.
        self.posts_lgwr(Stage::Commits).unwrap_or_else(|| self.syncs())
    }

    /// Waits for its commit: for a post, or a while before it looks.
    pub(super) fn syncs(&mut self) -> Next {
        // What came for an earlier wait would end this one before it began; who polls looks.
        if self.is_posted() {
            return self.learns();
        }
        let &mut Foreground { polls, end, .. } = self.me();
        if polls && self.world.database(self.instance).complete() >= end {
            self.me().wait += 1;
            return self.learns();
        }
        if self.is_one_wait() {
            self.world.count_late(self.pid);
        }
        let at_most = self.looks_after();
        (Stage::Syncs, self.wait(Activity::LOG_FILE_SYNC, at_most))
    }

    /// All its sleeps are one wait: where it looks by itself, and from 11g on where a time-out makes it look.
    pub(super) fn is_one_wait(&mut self) -> bool {
        self.me().polls || self.world.database(self.instance).config.log.sync_timeout < CUTS_WAITS
    }

    fn looks_after(&mut self) -> Ns {
        let &mut Foreground { polls, end, .. } = self.me();
        let database = self.world.database(self.instance);
        if polls {
            database.sleep(end)
        } else {
            database.config.log.sync_timeout
        }
    }

    /// It looks whether its commit is complete. If not it sleeps again.
    pub(super) fn looked(&mut self) -> Next {
        let end = self.me().end;
        let database = self.world.database(self.instance);
        if database.complete() >= end {
            // A post that comes all the same is void.
            self.me().wait += 1;
            return self.learns();
        }
        if database.pace.polls && !self.me().polls {
            self.polls_from_now_on();
        }
        let until = self.world.now.plus(self.looks_after());
        self.world.set_time_out(self.pid, until);
        (Stage::Syncs, Step::Again)
    }

    /// Commits are no longer posted: nor is this one, unless its post is on its way.
    fn polls_from_now_on(&mut self) {
        let session = self.session;
        let Database { foregrounds, redo, .. } = self.world.database_mut(self.instance);
        let me = &mut foregrounds[session as usize];
        me.polls = true;
        let own = redo.commits.iter_mut().rev().find(|commit| commit.reply.queue == me.posts);
        own.into_iter().for_each(|commit| commit.polls = true);
    }

    pub(super) fn synced(&mut self, why: Resume) -> Next {
        let end = self.me().end;
        if self.world.database(self.instance).complete() >= end {
            return self.learns();
        }
        debug_assert!(why == Resume::TimedOut, "a post comes when the commit is complete");
        // The commit keeps its place.
        let session = self.session;
        let database = self.world.database_mut(self.instance);
        let (reply, polls) = (database.awaits(session), database.pace.polls);
        database.foregrounds[session as usize].polls = polls;
        let own = database.redo.commits.iter_mut().rev().find(|commit| commit.reply.queue == reply.queue);
        if let Some(commit) = own {
            (commit.reply, commit.polls) = (reply, polls);
        }
        self.syncs()
    }

    /// Its commit is complete, as it knows now.
    fn learns(&mut self) -> Next {
        let now = self.world.now;
        let database = self.world.database_mut(self.instance);
        let (span, polled) = (now - database.foregrounds[self.session as usize].came, database.sleep(u64::MAX));
        database.pace.synced(span, polled);
        self.ends()
    }

    pub(super) fn ends(&mut self) -> Next {
        #[cfg(test)]
        note(Note::Answered(self.session));
        let per_call = self.world.database(self.instance).config.transaction.per_call;
        let me = self.me();
        (me.done, me.ended) = (0, me.ended + 1);
        if me.ended < per_call {
            self.ends_transaction();
            return self.begins();
        }
        me.ended = 0;
        self.answers()
    }

    /// The next transaction, at once.
    fn begins(&mut self) -> Next {
        self.world.begin(self.pid, self.world.now);
        self.draw_transaction();
        (Stage::Works, self.work())
    }

    /// Tells its client, or goes on by itself.
    pub(super) fn answers(&mut self) -> Next {
        let &mut Foreground { client, done, .. } = self.me();
        let Some(client) = client else { return self.awaits_call() };
        // Who owes for its switch pays before it tells anybody.
        if self.world.processes[self.pid.i()].debt > Ns::ZERO {
            return (Stage::Tells, Step::Cpu { work: 1, reads: 0 });
        }
        match done {
            0 => self.ends_transaction(),
            _ => self.world.pause(self.pid),
        }
        self.world.answers(self.pid);
        (Stage::Answered, Step::Put(client, Item::default()))
    }

    fn ends_transaction(&mut self) {
        self.count_class();
        self.world.end(self.pid);
    }

    /// It has told its client.
    pub(super) fn answered(&mut self) -> Next {
        self.world.answered(self.pid);
        self.calls()
    }

    /// Waits for a call.
    fn calls(&mut self) -> Next {
        let on = On::Items(self.me().calls, 1);
        (Stage::Called, Step::Wait { event: Activity::OFF, on, until: None })
    }

    /// Its transaction ends, and counts with its class.
    fn count_class(&mut self) {
        let span = self.world.tasks[self.pid.i()].age(self.world.now);
        let (number, time) =
            if self.me().is_query { (Sum::Queries, Sum::QueryTime) } else { (Sum::Updates, Sum::UpdateTime) };
        self.count(number, 1);
        self.count(time, span.0);
    }

    /// Of a session without a client: the next call at once, or the next transaction when it has thought.
    fn awaits_call(&mut self) -> Next {
        if self.me().done > 0 {
            return (Stage::Works, self.work());
        }
        self.ends_transaction();
        if self.world.was_last(self.pid, self.instance) {
            self.world.end_block(self.pid);
            return (Stage::Called, Step::Exit);
        }
        match self.world.config.instances[self.instance].workload.arrivals {
            Arrivals::Closed { think: Ns::ZERO, .. } => self.begins(),
            Arrivals::Closed { think, .. } => {
                let think = self.world.streams[self.pid.i()].think.exponential_ns(think).max(Ns(1));
                let until = Some(self.world.now.plus(think));
                (Stage::Called, Step::Wait { event: Activity::OFF, on: On::Time, until })
            }
            _ => (Stage::Called, Step::Exit),
        }
    }
}
