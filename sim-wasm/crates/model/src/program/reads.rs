//! Gets of the blocks of a SELECT where instances are joined: those that the instance does not hold come from another
//! one, and then it works on what it has.
use super::select::At;
use super::{On, Step};
use crate::cluster::message::Member;
use crate::cluster::request::{RequestId, Want};
use crate::config::Path;
use crate::ids::{Pid, QueueId, Reply};
use crate::measure::cluster::Gc;
use crate::measure::events::Activity;
use crate::program::Resume;
use crate::world::clusters::Look;
use crate::world::run::to_work;
use crate::world::World;
use wwi_kernel::time::Ns;

/// Who waits for another session's block looks again after this.
const LOOKS_AGAIN: Ns = Ns(1_000_000_000);

/// A session that gets the blocks of a SELECT.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    /// Its process.
    pub pid: Pid,
    posts: QueueId,
    /// Number of its last wait.
    wait: u32,
    /// How many of the blocks of this fetch it has got.
    got: u32,
    /// The block of the table with the row that it looks for.
    row: u32,
    request: Option<RequestId>,
}

/// The block of a fetch by its number: those of the index, then those of the table; nothing after the last.
fn block_of(path: &Path, reader: &Reader) -> Option<u32> {
    match reader.got {
        got if got < path.index => Some(path.table + got),
        got if got - path.index >= path.rows => None,
        got if path.rows == path.table => Some(got - path.index),
        _ => Some(reader.row),
    }
}

fn cpu(span: Ns) -> Step {
    Step::Cpu { work: to_work(span).max(1), reads: 0 }
}

impl World {
    /// A session of a joined instance that executes a SELECT.
    pub(crate) fn new_reader(&mut self, pid: Pid) {
        let instance = usize::from(self.processes[pid.i()].instance);
        if self.cluster.is_some() && self.config.instances[instance].others.lms.is_some() {
            let posts = self.new_queue(None);
            self.readers.push(Reader { pid, posts, wait: 0, got: 0, row: 0, request: None });
        }
    }

    fn reader(&mut self, pid: Pid) -> Option<&mut Reader> {
        let at = self.readers.binary_search_by_key(&pid, |reader| reader.pid).ok()?;
        self.readers.get_mut(at)
    }

    /// A fetch begins: which row it looks for.
    pub(super) fn begin_reads(&mut self, pid: Pid, path: &Path) {
        let instance = usize::from(self.processes[pid.i()].instance);
        if self.reader(pid).is_none() {
            return;
        }
        let is_one = path.rows < path.table;
        let Some(cluster) = self.gc() else { return };
        let row = if is_one { cluster.draws[instance].below(u64::from(path.table)) as u32 } else { 0 };
        if let Some(reader) = self.reader(pid) {
            (reader.got, reader.row) = (0, row);
        }
    }

    /// Gets the blocks of a fetch one after another. Nothing once it has them all.
    pub(super) fn reads(&mut self, pid: Pid, path: &Path) -> Option<(At, Step)> {
        let member = self.processes[pid.i()].instance as Member;
        loop {
            let block = block_of(path, self.reader(pid)?)?;
            match self.look(usize::from(member), block, Want::Read) {
                Look::Held => {
                    self.count_gc(member, Gc::LocalGets, 1);
                    self.reader(pid)?.got += 1;
                }
                Look::Busy(event) => {
                    let reply = self.awaits_block(pid)?;
                    self.wait_for_block(usize::from(member), block, reply);
                    let until = Some(self.now.plus(LOOKS_AGAIN));
                    return Some((At::Busy, Step::Wait { event, on: On::Items(reply.queue, 1), until }));
                }
                Look::Missing => {
                    let (now, Reply { queue, wait }) = (self.now, self.awaits_block(pid)?);
                    let cluster = self.gc()?;
                    let id = cluster.cache.ask(member, block, Want::Read);
                    let times = &mut cluster.cache.request_mut(id).times;
                    (times.mark, times.queue, times.wait, times.blocks) = (now, queue.0, wait, 1);
                    let request = cluster.config.costs.request;
                    self.reader(pid)?.request = Some(id);
                    return Some((At::Asks, cpu(request)));
                }
            }
        }
    }

    fn awaits_block(&mut self, pid: Pid) -> Option<Reply> {
        let reader = self.reader(pid)?;
        reader.wait += 1;
        Some(Reply { queue: reader.posts, wait: reader.wait })
    }

    /// The request goes to the master.
    pub(super) fn read_asked(&mut self, pid: Pid, path: &Path) -> Option<(At, Step)> {
        let &mut Reader { request, posts, .. } = self.reader(pid)?;
        let id = request?;
        if self.ask_master(id) {
            return self.read_taken(pid, path);
        }
        let now = self.now;
        let cluster = self.gc()?;
        let until = cluster.asks_again().then(|| now.plus(cluster.config.retry));
        if cluster.wakes_in_vain() {
            self.count_late(pid);
        }
        Some((At::Awaits, Step::Wait { event: Activity::GC_CR_REQUEST, on: On::Items(posts, 1), until }))
    }

    /// What it waited for has come, or its time is out.
    pub(super) fn read_came(&mut self, pid: Pid, why: Resume, (at, path): (At, &Path)) -> Option<(At, Step)> {
        let &mut Reader { request, posts, wait, .. } = self.reader(pid)?;
        if why == Resume::TimedOut {
            if at == At::Busy {
                return self.reads(pid, path);
            }
            self.reply_is_late(pid, request?);
            return Some((at, Step::Again));
        }
        let (item, came) = loop {
            match self.take(posts) {
                Some((item, came)) if item.tag == wait => break (item, came),
                Some(_) => {}
                None => return Some((at, Step::Again)),
            }
        };
        if at == At::Busy {
            return self.reads(pid, path);
        }
        item.was.into_iter().for_each(|was| self.rename(pid, was));
        let id = request?;
        let takes = self.reply_came(id, came);
        let gc = self.gc()?;
        let builds = if gc.cache.request(id).is_left_to_asker() { gc.config.costs.build } else { Ns::ZERO };
        Some((At::Receives, cpu(takes.plus(builds))))
    }

    /// It has worked to take the block.
    pub(super) fn takes_read(&mut self, pid: Pid, path: &Path) -> Option<(At, Step)> {
        let id = self.reader(pid)?.request?;
        self.reply_taken(id);
        self.read_taken(pid, path)
    }

    /// It has the block.
    fn read_taken(&mut self, pid: Pid, path: &Path) -> Option<(At, Step)> {
        let reader = self.reader(pid)?;
        let id = reader.request.take()?;
        reader.got += 1;
        self.have_block(id);
        self.reads(pid, path)
    }

    /// A session is gone: nobody of an instance that stays waits for what it asked for.
    pub(crate) fn leave_reads(&mut self, pid: Pid) {
        let has_left = self.has_left(usize::from(self.processes[pid.i()].instance));
        let request = self.reader(pid).and_then(|reader| reader.request.take());
        request.filter(|_| !has_left).into_iter().for_each(|id| self.abandon(id));
        self.readers.retain(|reader| reader.pid != pid);
    }
}
