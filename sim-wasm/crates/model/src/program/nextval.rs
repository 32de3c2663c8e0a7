//! Values of a sequence: a session looks for one, passes the gate of its instance where there is none, gets the locks
//! that it needs, changes the row in SEQ$, and goes on.
use super::foreground::{Next, Stage, Turn};
use super::{On, Step};
use crate::cluster::message::Member;
use crate::cluster::request::Want;
use crate::config::sequence::{SequenceConfig, Transfers};
use crate::instance::database::{Foreground, Nextval, Within};
use crate::instance::sequence::{Found, Sequence, Which};
use crate::measure::database::Sum;
use crate::measure::events::Activity;
use crate::measure::statements::{Call, Done, Statement};
use crate::world::run::to_work;
use wwi_kernel::time::Ns;

/// Where a session stands that takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Waits to pass the gate.
    Gate,
    /// Works to ask for a lock.
    Asks(Which),
    /// Waits for it.
    Awaits(Which),
    /// Works to take it.
    Takes(Which),
    /// Parses the recursive statement.
    Parses,
    /// Waits for a copy of the row's block, for a given time.
    Reads,
    /// Waits for the block, for a given time.
    Gets,
    /// Changes the row.
    Updates,
    /// Has posted the log writer for the commit of the recursive transaction, and waits for nothing.
    Commits,
}

fn cpu(span: Ns) -> Step {
    Step::Cpu { work: to_work(span).max(1), reads: 0 }
}

/// Waiting for a lock.
fn event_of(which: Which) -> Activity {
    match which {
        Which::Row => Activity::ROW_CACHE_LOCK,
        Which::Order => Activity::DFS_LOCK_HANDLE,
    }
}

impl Turn<'_> {
    fn member(&self) -> Member {
        self.instance as Member
    }

    fn sequence(&mut self) -> Option<&mut Sequence> {
        let member = self.member();
        self.world.sequence(member)
    }

    /// How its transactions take values, if they do.
    fn own(&self) -> Option<&SequenceConfig> {
        self.world.sequence_config(self.member()).filter(|own| own.values > 0.0)
    }

    /// A call begins that takes values, if the transaction changes blocks.
    pub(super) fn begins_insert(&mut self) {
        if self.own().is_some() && !self.me().is_query {
            self.world.begin_block(self.pid);
            self.world.begin_call(self.pid, Statement::INSERT, Call::Execute);
        }
    }

    /// It is over. Of its share of the transaction's logical reads those of the blocks that it has changed are current.
    pub(super) fn ends_insert(&mut self) {
        if self.own().is_none() || self.me().is_query {
            return;
        }
        let all = self.world.config.instances[self.instance].workload.lio_per_transaction;
        let calls = f64::from(self.world.database(self.instance).config.transaction.calls);
        let &mut Foreground { done, changes: (changes, _), .. } = self.me();
        let up_to = |done: u32| ((all - f64::from(changes)).max(0.0) * f64::from(done) / calls) as u64;
        let current = u64::from(self.due(done + 1) - self.due(done));
        let query = up_to(done + 1) - up_to(done);
        self.world.end_call(self.pid, Done { query, current, rows: 1, ..Done::default() });
    }

    /// How many values a call takes.
    pub(super) fn draw_values(&mut self) {
        let Some(values) = self.own().map(|own| own.values) else { return };
        let is_query = self.me().is_query;
        let database = self.world.database_mut(self.instance);
        let mean = values / f64::from(database.config.transaction.calls);
        let number = (mean + database.draws.uniform()) as u32;
        let me = self.me();
        me.values = if is_query { 0 } else { number };
        me.inserts.clear();
    }

    /// Takes the values of a call one after another. Nothing once it has them all.
    pub(super) fn nextvals(&mut self) -> Option<Next> {
        while self.me().values > 0 {
            let member = self.member();
            self.flushes();
            match self.sequence()?.look(member) {
                Found::Value(value) => self.took(value),
                Found::Passed => {
                    if let Some(next) = self.passes() {
                        return Some(next);
                    }
                }
                Found::Closed => {
                    let session = self.session;
                    let reply = self.world.database_mut(self.instance).awaits(session);
                    self.me().nextval = Nextval::AtGate(reply);
                    let sequence = self.sequence()?;
                    sequence.waits(member, reply);
                    let event = match (sequence.has_order(), sequence.config.cache) {
                        (true, _) => Activity::DFS_LOCK_HANDLE,
                        (false, 1) => Activity::ROW_CACHE_LOCK,
                        (false, _) => Activity::ENQ_SQ,
                    };
                    return Some(self.waits_at(Place::Gate, event));
                }
            }
        }
        None
    }

    fn waits_at(&mut self, place: Place, event: Activity) -> Next {
        let on = On::Items(self.me().posts, 1);
        (Stage::Nextval(place), Step::Wait { event, on, until: None })
    }

    /// Values that were lost meanwhile, as the shared pool was flushed.
    fn flushes(&mut self) {
        let (now, member) = (self.world.now, self.member());
        let Some(sequence) = self.sequence() else { return };
        let flushes = sequence.flushes(now);
        let lost = sequence.flushed(member, flushes);
        self.count(Sum::SequenceLost, lost);
    }

    fn took(&mut self, value: u64) {
        self.me().values -= 1;
        self.count(Sum::SequenceValues, 1);
        #[cfg(test)]
        crate::world::database_books::note(crate::world::database_books::Note::Value(self.instance, value));
        self.inserts(value);
    }

    /// It is to insert a value into the index, if there is one: the leaf is one of the blocks that joined instances
    /// share, or of the contended ones of an instance alone.
    fn inserts(&mut self, value: u64) {
        let rows = self.own().map_or(0, |own| own.index_rows);
        let blocks = match &self.world.cluster {
            Some(cluster) => cluster.config.blocks,
            None => self.world.database(self.instance).config.contended.blocks,
        };
        let leaf = (value - 1).checked_div(u64::from(rows)).and_then(|leaf| leaf.checked_rem(u64::from(blocks)));
        self.me().inserts.extend(leaf.map(|leaf| leaf as u32));
    }

    /// What it has within the gate.
    fn within(&mut self) -> Within {
        match self.me().nextval {
            Nextval::Within(within) => within,
            Nextval::Out | Nextval::AtGate(_) => Within::default(),
        }
    }

    fn notes(&mut self, of: impl FnOnce(&mut Within)) {
        let mut within = self.within();
        of(&mut within);
        self.me().nextval = Nextval::Within(within);
    }

    /// What it takes to have lock and block from another instance is given.
    fn are_transfers_given(&self) -> bool {
        self.world.cluster.is_some() && self.own().is_some_and(|own| own.transfers != Transfers::Messages)
    }

    /// The block of the row comes over the global cache.
    fn is_row_shared(&self) -> bool {
        self.world.cluster.is_some() && self.own().is_some_and(|own| own.transfers == Transfers::Messages)
    }

    /// A step towards a value is over.
    pub(super) fn nextval(&mut self, place: Place) -> Next {
        let next = match place {
            Place::Gate | Place::Awaits(_) if !self.is_posted() => return (Stage::Nextval(place), Step::Again),
            Place::Gate => self.passes(),
            Place::Asks(which) => return self.asked_for_lock(which),
            Place::Awaits(which) => self.lock_came(which),
            Place::Takes(which) => self.goes_on_with(which),
            Place::Parses => self.parsed(),
            Place::Reads => self.read_row(),
            Place::Gets => self.changes_row(),
            Place::Updates => self.updated(),
            Place::Commits => self.goes_out(),
        };
        next.unwrap_or_else(|| self.has_values())
    }

    /// It has passed the gate.
    fn passes(&mut self) -> Option<Next> {
        self.notes(|within| *within = Within::default());
        self.flushes();
        match self.sequence()?.has_order() {
            true => self.needs(Which::Order),
            false => self.takes_or_refills(),
        }
    }

    fn takes_or_refills(&mut self) -> Option<Next> {
        let member = self.member();
        match self.sequence()?.take(member) {
            Some(value) => {
                self.took(value);
                self.goes_out()
            }
            None => self.needs(Which::Row),
        }
    }

    /// It has its value: it lets others in, and goes on.
    fn goes_out(&mut self) -> Option<Next> {
        self.leaves();
        self.nextvals()
    }

    /// It lets go of all it has of the sequence.
    fn leaves(&mut self) {
        let (member, holds) = (self.member(), self.within().holds);
        self.me().nextval = Nextval::Out;
        for which in [Which::Row, Which::Order] {
            if holds[which as usize] {
                self.world.done_with_lock(member, which);
            }
        }
        self.world.open_gate(member);
    }

    /// It needs a lock: its instance has it, or another.
    fn needs(&mut self, which: Which) -> Option<Next> {
        let (member, now) = (self.member(), self.world.now);
        let joined = self.world.cluster.is_some();
        if !joined || self.sequence()?.lock(which).take(member, now) {
            self.notes(|within| within.holds[which as usize] = true);
            return self.goes_on_with(which);
        }
        if self.world.given_lock(member).is_some() {
            return Some(self.asked_for_lock(which));
        }
        let request = self.world.gc()?.config.costs.request;
        Some((Stage::Nextval(Place::Asks(which)), cpu(request)))
    }

    fn goes_on_with(&mut self, which: Which) -> Option<Next> {
        match which {
            Which::Order => self.takes_or_refills(),
            Which::Row => self.has_row(),
        }
    }

    /// Its request goes.
    fn asked_for_lock(&mut self, which: Which) -> Next {
        let (member, session) = (self.member(), self.session);
        let reply = self.world.database_mut(self.instance).awaits(session);
        self.notes(|within| within.asked = Some(which));
        if let Some(sequence) = self.sequence() {
            sequence.lock(which).asks(member, reply);
        }
        self.world.ask_for_lock(member, which);
        self.waits_at(Place::Awaits(which), event_of(which))
    }

    /// The lock has come.
    fn lock_came(&mut self, which: Which) -> Option<Next> {
        let member = self.member();
        self.sequence()?.lock(which).arrives(member, true);
        self.notes(|within| (within.asked, within.holds[which as usize]) = (None, true));
        if self.world.given_lock(member).is_some() {
            return self.goes_on_with(which);
        }
        let costs = self.world.gc()?.config.costs;
        Some((Stage::Nextval(Place::Takes(which)), cpu(costs.granted.plus(costs.wakeup))))
    }

    /// It has the row cache lock: the recursive statement begins.
    fn has_row(&mut self) -> Option<Next> {
        let parse = self.own()?.parse;
        self.world.begin_call(self.pid, Statement::SEQ, Call::Parse);
        match parse {
            Ns::ZERO => self.parsed(),
            parse => Some((Stage::Nextval(Place::Parses), cpu(parse))),
        }
    }

    /// The block is next, if it is elsewhere.
    fn parsed(&mut self) -> Option<Next> {
        let member = self.member();
        self.world.end_call(self.pid, Done::default());
        self.world.begin_call(self.pid, Statement::SEQ, Call::Execute);
        let (transfers, is_here) = (self.own()?.transfers, self.sequence()?.block_at == member);
        let joined = self.world.cluster.is_some();
        match transfers {
            Transfers::Given { cr, .. } if joined && !is_here => {
                let until = Some(self.world.now.plus(cr));
                let step = Step::Wait { event: Activity::GC_CR_2WAY, on: On::Time, until };
                Some((Stage::Nextval(Place::Reads), step))
            }
            Transfers::Messages if joined => {
                let block = self.world.row_block();
                self.me().get = Some((block, Want::Read));
                self.notes(|within| within.needs = Some(Want::Read));
                self.row_block()
            }
            _ => self.changes_row(),
        }
    }

    /// It has a copy of the block, and needs the block.
    fn read_row(&mut self) -> Option<Next> {
        let Transfers::Given { current, .. } = self.own()?.transfers else { return self.changes_row() };
        let until = Some(self.world.now.plus(current));
        let step = Step::Wait { event: Activity::GC_CURRENT_2WAY, on: On::Time, until };
        Some((Stage::Nextval(Place::Gets), step))
    }

    /// Whether it is under way to the block of the row.
    pub(super) fn needs_row_block(&mut self) -> bool {
        matches!(self.me().nextval, Nextval::Within(Within { needs: Some(_), .. }))
    }

    /// Gets the block of the row over the global cache: a copy first, then the block.
    pub(super) fn row_block(&mut self) -> Option<Next> {
        if let Some(next) = self.gets() {
            return Some(next);
        }
        if self.within().needs == Some(Want::Read) {
            return self.changes_row();
        }
        self.notes(|within| within.needs = None);
        self.updates()
    }

    /// Changes the row, as soon as there is room for its redo.
    fn changes_row(&mut self) -> Option<Next> {
        let block = self.world.row_block();
        self.notes(|within| within.needs = Some(Want::Change));
        if self.is_row_shared() {
            self.me().get = Some((block, Want::Change));
            return self.row_block();
        }
        if let Some(wait) = self.makes_redo_of_one(None) {
            return Some(wait);
        }
        self.notes(|within| within.needs = None);
        self.updates()
    }

    /// The rest of a change of the row where no message is needed for it.
    pub(super) fn row_changes(&mut self) -> Option<Next> {
        if self.is_row_shared() {
            return self.row_block();
        }
        self.changes_row()
    }

    fn updates(&mut self) -> Option<Next> {
        match self.own()?.update {
            Ns::ZERO => self.updated(),
            update => Some((Stage::Nextval(Place::Updates), cpu(update))),
        }
    }

    /// The row is changed: its instance has values, of which it takes the first before anybody else can.
    fn updated(&mut self) -> Option<Next> {
        let member = self.member();
        self.world.end_call(self.pid, Done { query: 1, current: 2, rows: 1, ..Done::default() });
        self.count(Sum::SequenceChanges, 1);
        // A flush while the row was changed has lost what there was before, not what is got now.
        self.flushes();
        let sequence = self.sequence()?;
        sequence.block_at = member;
        sequence.changed(member);
        let value = sequence.take(member)?;
        self.took(value);
        self.commits_row()
    }

    /// The recursive transaction commits while the session has its locks. It posts the log writer and does not wait, so
    /// that its redo is written while the row cache lock travels. Given times have that in them.
    fn commits_row(&mut self) -> Option<Next> {
        if self.are_transfers_given() {
            return self.goes_out();
        }
        self.world.database_mut(self.instance).redo.recursive = true;
        self.posts_lgwr(Stage::Nextval(Place::Commits)).or_else(|| self.goes_out())
    }
}
