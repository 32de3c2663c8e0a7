//! What became of redo, blocks and commits, written down by a test that trusts no process: from what devices were
//! asked and have done, and from what sessions say that they did.
use super::World;
use crate::ids::{DeviceId, QueueId};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Something that happened, in the order of events.
#[derive(Clone, Copy, Debug)]
pub enum Note {
    /// A device got a request.
    Submitted(DeviceId, QueueId, u32),
    /// A device has done one.
    Done(QueueId, u32),
    /// A session took a buffer from a set to read into.
    Took(u32, usize),
    /// A session takes a buffer of a set for a block that it changes.
    Chose(u32, usize, u32),
    /// A session reads so many blocks.
    Read(u32, u32),
    /// A session changed a buffer by redo that it makes next.
    Changed(u32, u32),
    /// A session has made so many bytes of redo.
    Made(u32, u64),
    /// A write of the log takes what is made, and the rest of its last block.
    Gathered,
    /// A writer has a buffer in its batch: later changes are not in what it writes.
    Begun(u32),
    /// A session commits.
    Commits(u32),
    /// Its commit is answered.
    Answered(u32),
    /// A session of an instance took a value of the sequence.
    Value(usize, u64),
    /// Redo goes on in the next log.
    Switched,
    /// A checkpoint is recorded.
    Recorded(u64),
}

thread_local! {
    static NOTES: RefCell<Vec<Note>> = const { RefCell::new(Vec::new()) };
}

/// Notes what happens; each test has a thread to itself.
pub fn note(note: Note) {
    NOTES.with_borrow_mut(|notes| notes.push(note));
}

/// What happened since this was asked last.
pub fn notes() -> Vec<Note> {
    NOTES.take()
}

/// Redo of a piece: from and to; no end before it is made.
#[derive(Clone, Copy, Debug)]
struct Piece {
    from: u64,
    to: Option<u64>,
}

/// One buffer: pieces of redo whose change is not on disk, in order; of these so many are in what is being written.
#[derive(Clone, Debug, Default)]
struct Block {
    pieces: Vec<usize>,
    image: Option<usize>,
    under_way: bool,
}

/// The books of the first instance.
pub struct Books {
    case: String,
    members: usize,
    size: u64,
    block: u64,
    pub waits: bool,
    log: QueueId,
    record: QueueId,
    writers: Vec<QueueId>,
    pieces: Vec<Piece>,
    /// The piece that a session is about to make.
    open: BTreeMap<u32, usize>,
    blocks: Vec<Block>,
    pub made: u64,
    pub on_disk: u64,
    /// The write of the log under way: what it holds, members submitted, and those that are done.
    write: Option<(u64, Vec<DeviceId>, usize)>,
    /// Each group with the redo it holds, the present one last to be overwritten.
    groups: Vec<(u64, u64)>,
    present: usize,
    pub checkpoint: u64,
    records: u64,
    /// End of the redo of each session.
    ends: BTreeMap<u32, u64>,
    pending: BTreeSet<u32>,
    sets: usize,
    /// Set that each session took buffers from last, and how many since its last read.
    took: BTreeMap<u32, (usize, u32)>,
    answered: u64,
    pub commits: u64,
    pub changes: u64,
    pub log_writes: u64,
    pub block_writes: u64,
    pub rewrites: u64,
    /// What writes of the log left empty of their last blocks.
    pub wasted: u64,
    /// Buffers taken for blocks that are changed.
    pub chosen: u64,
    pub switches: u64,
    pub recorded: u64,
    /// Redo on disk when it began.
    pub began: u64,
}

impl Books {
    /// As a world starts.
    pub fn new(world: &World, case: String) -> Books {
        let database = world.database(0);
        let (of, redo) = (database.config.log, &database.redo);
        let mut groups = vec![(redo.start(), redo.made)];
        let older = |i: u32| (redo.start() - u64::from(i) * of.size, redo.start() - u64::from(i - 1) * of.size);
        groups.extend((1..of.groups).rev().map(older));
        let mut books = Books {
            case,
            members: of.members as usize,
            size: of.size,
            block: of.block,
            waits: database.config.transaction.commit_waits,
            log: database.written,
            record: database.recorded,
            writers: database.writers.iter().map(|writer| writer.completions).collect(),
            pieces: Vec::new(),
            open: BTreeMap::new(),
            blocks: vec![Block::default(); database.config.cache.buffers as usize],
            made: redo.made,
            on_disk: redo.on_disk,
            write: None,
            groups,
            present: 0,
            checkpoint: redo.checkpoint(),
            records: 0,
            ends: BTreeMap::new(),
            pending: BTreeSet::new(),
            sets: database.cache.sets(),
            took: BTreeMap::new(),
            answered: 0,
            commits: 0,
            changes: 0,
            log_writes: 0,
            block_writes: 0,
            rewrites: 0,
            wasted: 0,
            chosen: 0,
            switches: 0,
            recorded: 0,
            began: redo.on_disk,
        };
        for buffer in 0..books.blocks.len() {
            if let Some(first) = database.cache.first_change(buffer as u32) {
                books.blocks[buffer].pieces.push(books.pieces.len());
                books.pieces.push(Piece { from: first, to: Some(first) });
            }
        }
        books.crash();
        books
    }

    /// Something happened.
    pub fn note(&mut self, note: Note) {
        match note {
            Note::Submitted(device, queue, _) if queue == self.log => self.writes_log(device),
            Note::Done(queue, _) if queue == self.log => self.wrote_log(),
            Note::Submitted(_, queue, buffer) if self.writers.contains(&queue) => self.writes(buffer),
            Note::Done(queue, buffer) if self.writers.contains(&queue) => self.wrote(buffer),
            Note::Done(queue, _) if queue == self.record => self.records += 1,
            Note::Submitted(..) | Note::Done(..) | Note::Value(..) => {}
            Note::Took(session, set) => self.took(session, set),
            Note::Read(session, blocks) => {
                let taken = self.took.get_mut(&session).map_or(0, |took| std::mem::take(&mut took.1));
                assert_eq!(taken, blocks, "{}: buffers that session {session} reads into", self.case);
            }
            Note::Chose(session, set, buffer) => self.chose(session, set, buffer),
            Note::Changed(session, buffer) => self.changed(session, buffer),
            Note::Made(session, bytes) => self.makes(session, bytes),
            Note::Gathered => self.gathered(),
            Note::Begun(buffer) => {
                let block = &mut self.blocks[buffer as usize];
                assert!(block.image.is_none() && !block.pieces.is_empty(), "{}: {buffer} is clean or twice", self.case);
                block.image = Some(block.pieces.len());
            }
            Note::Commits(session) => {
                self.commits += 1;
                assert!(self.pending.insert(session), "{}: {session} commits twice", self.case);
            }
            Note::Answered(session) => self.answers(session),
            Note::Switched => self.switched(),
            Note::Recorded(to) => self.recorded(to),
        }
    }

    /// From one set after another, all of a read from the same.
    fn took(&mut self, session: u32, set: usize) {
        let (sets, before) = (self.sets, self.took.get(&session).copied());
        let (expected, taken) = match before {
            None => (set, 0),
            Some((last, 0)) => ((last + 1) % sets, 0),
            Some((last, taken)) => (last, taken),
        };
        assert_eq!(set, expected, "{}: session {session} took {before:?} last", self.case);
        self.took.insert(session, (set, taken + 1));
    }

    /// From the next set, and a clean one.
    fn chose(&mut self, session: u32, set: usize, buffer: u32) {
        let before = self.took.insert(session, (set, 0));
        let expected = before.map_or(set, |(last, _)| (last + 1) % self.sets);
        assert!(set == expected && before.is_none_or(|last| last.1 == 0), "{}: {before:?}, then {set}", self.case);
        assert!(self.blocks[buffer as usize].pieces.is_empty(), "{}: {buffer} is dirty", self.case);
        self.chosen += 1;
    }

    fn changed(&mut self, session: u32, buffer: u32) {
        let from = self.made;
        let pieces = &mut self.pieces;
        let piece = *self.open.entry(session).or_insert_with(|| {
            pieces.push(Piece { from, to: None });
            pieces.len() - 1
        });
        self.changes += 1;
        self.blocks[buffer as usize].pieces.push(piece);
    }

    /// There is room in the log and in the log buffer, unless it is alone there.
    fn makes(&mut self, session: u32, bytes: u64) {
        let (from, to) = (self.made, self.made + bytes);
        let group = &mut self.groups[self.present];
        assert!(to <= group.0 + self.size || from == group.0, "{}: {bytes} bytes do not fit the log", self.case);
        group.1 = to;
        self.made = to;
        self.ends.insert(session, to);
        if let Some(piece) = self.open.remove(&session) {
            self.pieces[piece] = Piece { from, to: Some(to) };
        }
    }

    /// Whoever makes redo goes on in a new block of the log.
    fn gathered(&mut self) {
        let group = &mut self.groups[self.present];
        let left = (self.block - (group.1 - group.0) % self.block) % self.block;
        group.1 += left;
        self.wasted += left;
        self.made = group.1;
    }

    /// What a write of the log writes is what was made when it began: no more is known to be in it.
    fn writes_log(&mut self, device: DeviceId) {
        let made = self.made;
        let (_, devices, _) = self.write.get_or_insert((made, Vec::new(), 0));
        devices.push(device);
        assert!(devices.len() <= self.members, "{}: a member is written twice", self.case);
    }

    fn wrote_log(&mut self) {
        let Some((to, devices, done)) = &mut self.write else { panic!("{}: nothing was written", self.case) };
        *done += 1;
        assert!(*done <= devices.len(), "{}", self.case);
        if *done == self.members {
            self.log_writes += u64::from(*to > self.on_disk);
            self.on_disk = *to;
            self.write = None;
        }
    }

    /// Write-ahead logging: redo first.
    fn writes(&mut self, buffer: u32) {
        let block = &mut self.blocks[buffer as usize];
        let image = block.image.unwrap_or_else(|| panic!("{}: {buffer} is in no batch", self.case));
        for &piece in &block.pieces[..image] {
            let to = self.pieces[piece].to;
            let is_logged = to.is_some_and(|to| to <= self.on_disk);
            assert!(is_logged, "{}: {buffer} is written before its redo at {to:?} of {}", self.case, self.on_disk);
        }
        assert!(!std::mem::replace(&mut block.under_way, true), "{}: {buffer} is written twice at once", self.case);
    }

    fn wrote(&mut self, buffer: u32) {
        let block = &mut self.blocks[buffer as usize];
        assert!(std::mem::take(&mut block.under_way), "{}", self.case);
        let image = block.image.take().unwrap_or(0);
        block.pieces.drain(..image);
        self.block_writes += 1;
        self.rewrites += u64::from(!block.pieces.is_empty());
    }

    /// Once, and not before its redo is on disk, if anybody waits for that.
    fn answers(&mut self, session: u32) {
        assert!(self.pending.remove(&session), "{}: an answer to no commit of {session}", self.case);
        let end = self.ends.get(&session).copied().unwrap_or(0);
        if self.waits {
            assert!(end <= self.on_disk, "{}: answered at {end}, on disk {}", self.case, self.on_disk);
            self.answered = self.answered.max(end);
        }
    }

    /// All redo of the log is on disk, and nothing in the next one is needed any more.
    fn switched(&mut self) {
        assert_eq!(self.made, self.on_disk, "{}: a log ends before its redo is on disk", self.case);
        self.present = (self.present + 1) % self.groups.len();
        let next = &mut self.groups[self.present];
        assert!(next.1 <= self.checkpoint, "{}: {next:?} is overwritten, {} is needed", self.case, self.checkpoint);
        *next = (self.made, self.made);
        self.switches += 1;
    }

    fn recorded(&mut self, to: u64) {
        self.recorded += 1;
        assert!(self.recorded <= self.records, "{}: a checkpoint is recorded nowhere", self.case);
        assert!(to >= self.checkpoint && to <= self.made, "{}: {to} after {}", self.case, self.checkpoint);
        self.checkpoint = to;
        self.crash();
    }

    /// Changes whose redo is yet to be made.
    pub fn unmade(&self) -> u64 {
        let open = |piece: &usize| self.open.values().any(|open| open == piece);
        self.blocks.iter().flat_map(|block| &block.pieces).filter(|piece| open(piece)).count() as u64
    }

    /// Oldest change of a buffer that is not on disk.
    pub fn first(&self, buffer: usize) -> Option<u64> {
        self.blocks[buffer].pieces.iter().map(|&piece| self.pieces[piece].from).min()
    }

    /// The machine stops here: what is on disk and in logs that were not overwritten holds every answered commit. Redo
    /// from the checkpoint on is there without a gap; what is older is in the blocks.
    pub fn crash(&self) {
        let mut at = self.checkpoint;
        for i in 1..=self.groups.len() {
            let (from, to) = self.groups[(self.present + i) % self.groups.len()];
            if (from..to).contains(&at) {
                at = to;
            }
        }
        assert_eq!(at, self.made, "{}: redo from {} on is gone", self.case, self.checkpoint);
        assert!(self.answered <= self.on_disk && self.on_disk <= self.made, "{}", self.case);
        for buffer in 0..self.blocks.len() {
            let first = self.first(buffer).unwrap_or(u64::MAX);
            assert!(first >= self.checkpoint, "{}: {buffer} lacks what comes before {}", self.case, self.checkpoint);
        }
    }

    /// What the instance believes, against the books. It learns later than the books do what a device has done.
    pub fn agree(&self, world: &World) {
        let (database, case) = (world.database(0), &self.case);
        let redo = &database.redo;
        assert_eq!((redo.made, redo.checkpoint()), (self.made, self.checkpoint), "{case}");
        assert_eq!(redo.start(), self.groups[self.present].0, "{case}");
        assert!(redo.on_disk <= self.on_disk, "{case}: {} is not yet on disk", redo.on_disk);
        let mut dirty = 0;
        for (buffer, block) in self.blocks.iter().enumerate() {
            let known = database.cache.first_change(buffer as u32);
            dirty += u32::from(known.is_some());
            if block.image.is_some() || !database.cache.is_written(buffer as u32) {
                assert_eq!(known, self.first(buffer), "{case}: buffer {buffer}");
            }
        }
        assert_eq!(database.cache.dirty(), dirty, "{case}");
    }
}
