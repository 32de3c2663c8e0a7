//! Parallel queries without time: which slaves a coordinator has, the channels of buffers between them, and which rows
//! have yet to go where. It knows no wire: whoever carries messages keeps the order of those of one channel.
use crate::config::parallel::{ParallelQuery, TableQueue};
use crate::ids::QueueId;
use std::collections::VecDeque;

/// What lies in the queue of a coordinator or a slave, by its tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrived {
    /// An execution begins.
    Start,
    /// An execution is over.
    Close,
    /// A buffer of a channel with rows.
    Rows(usize),
}

/// Tags of messages without rows; below them channels by number.
const START: u32 = u32::MAX;
const CLOSE: u32 = u32::MAX - 1;

impl Arrived {
    /// What a tag says.
    pub fn of(tag: u32) -> Arrived {
        match tag {
            START => Arrived::Start,
            CLOSE => Arrived::Close,
            channel => Arrived::Rows(channel as usize),
        }
    }
    /// The tag that says so.
    pub fn tag(self) -> u32 {
        match self {
            Arrived::Start => START,
            Arrived::Close => CLOSE,
            Arrived::Rows(channel) => channel as u32,
        }
    }
}

/// A buffer with rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Buffer {
    /// How many.
    pub rows: u32,
    /// The sender has no more.
    pub is_last: bool,
}

/// From one process of a query to another.
#[derive(Clone, Debug)]
pub struct Channel {
    /// The slave that sends.
    pub from: usize,
    /// The slave that receives; `None`: the coordinator does.
    pub to: Option<usize>,
    /// Rows of granules that the sender has yet to send over it.
    pub left: u64,
    /// Of these, how many it has scanned.
    pub scanned: u64,
    /// Its last buffer has been sent.
    pub has_ended: bool,
    /// Free buffers, as far as the sender knows.
    pub credits: u32,
    /// Buffers that the receiver has not yet taken up, oldest first.
    pub sent: VecDeque<Buffer>,
}

/// A slave of a query.
#[derive(Clone, Debug)]
pub struct Slave {
    /// Its instance.
    pub instance: usize,
    /// Where it is told of starts, ends and rows.
    pub queue: QueueId,
    /// Where it is told of buffers that are free again: channels by number.
    pub freed: QueueId,
    /// Channels over which it sends.
    pub out: std::ops::Range<usize>,
    /// Which of these is next.
    pub turn: usize,
    /// Rows of its granule that it has yet to scan, and the CPU of a row of it \[ns\].
    pub granule: (u64, f64),
    /// Rows of all granules that it got in this execution.
    pub dealt: u64,
    /// It asked for a granule, and there was none.
    pub is_over: bool,
    /// Of the second set: rows that came, those of them that it may send on, and channels to it that have not ended.
    pub came: u64,
    /// See there.
    pub ready: u64,
    /// See there.
    pub open: u32,
    /// The buffer that it fills, or takes up, and of which channel.
    pub present: (usize, Buffer),
}

/// The query of one coordinator.
#[derive(Clone, Debug)]
pub struct Query {
    /// The coordinator's instance.
    pub instance: usize,
    /// Where rows come to it.
    pub queue: QueueId,
    /// The set that scans, then the second set, if there is one.
    pub slaves: Vec<Slave>,
    /// Of the first slave to each receiver, then of the next.
    pub channels: Vec<Channel>,
    /// Granules of the table that slaves have got.
    pub given: u64,
    /// Channels to the coordinator that have not ended.
    pub open: u32,
    /// The buffer that the coordinator takes up, and of which channel.
    pub present: (usize, Buffer),
}

impl Query {
    /// The query of a coordinator on `places[0]`, with slaves on these instances by turns; `queues` are new ones.
    pub fn new(of: &ParallelQuery, places: &[usize], queues: &mut dyn FnMut() -> QueueId) -> Query {
        let degree = of.degree as usize;
        let has_second = of.table_queue != TableQueue::Coordinator;
        let targets = if has_second { degree } else { 1 };
        let count = if has_second { 2 * degree } else { degree };
        let channel = |from: usize, to: Option<usize>| Channel {
            from,
            to,
            left: 0,
            scanned: 0,
            has_ended: false,
            credits: of.buffers,
            sent: VecDeque::new(),
        };
        let (mut slaves, mut channels) = (Vec::new(), Vec::new());
        for number in 0..count {
            let first = channels.len();
            match number < degree && has_second {
                true => channels.extend((0..targets).map(|to| channel(number, Some(degree + to)))),
                false => channels.push(channel(number, None)),
            }
            slaves.push(Slave {
                instance: places[number % degree % places.len()],
                queue: queues(),
                freed: queues(),
                out: first..channels.len(),
                turn: 0,
                granule: (0, 0.0),
                dealt: 0,
                is_over: false,
                came: 0,
                ready: 0,
                open: 0,
                present: (0, Buffer::default()),
            });
        }
        let (queue, present) = (queues(), (0, Buffer::default()));
        Query { instance: places[0], queue, slaves, channels, given: 0, open: 0, present }
    }

    /// An execution begins: no granule has been given.
    pub fn begins(&mut self, of: &ParallelQuery) {
        for slave in &mut self.slaves {
            (slave.turn, slave.granule, slave.dealt, slave.is_over) = (0, (0, 0.0), 0, false);
            (slave.came, slave.ready, slave.open) = (0, 0, of.degree);
        }
        for channel in &mut self.channels {
            (channel.left, channel.scanned, channel.has_ended) = (0, 0, false);
        }
        (self.given, self.open) = (0, of.degree);
    }

    /// Rows of the next granule of the table, if there is one: all have as many, the first of them one more.
    pub fn next_granule(&self, of: &ParallelQuery) -> Option<u64> {
        let parts = u64::from(of.degree) * u64::from(of.granules);
        let rows = of.rows / parts + u64::from(self.given < of.rows % parts);
        (self.given < parts && rows > 0).then_some(rows)
    }

    /// A slave that has scanned its granule gets the next, of which a row takes so much CPU \[ns\].
    pub fn gives(&mut self, of: &ParallelQuery, slave: usize, row: f64) {
        let rows = self.next_granule(of);
        let own = &mut self.slaves[slave];
        let before = own.dealt;
        own.dealt += rows.unwrap_or(0);
        (own.granule, own.is_over) = ((rows.unwrap_or(0), row), rows.is_none());
        self.given += u64::from(rows.is_some());
        let parts = own.out.len() as u64;
        for (part, channel) in (1..).zip(&mut self.channels[own.out.clone()]) {
            // Of a hash each gets a row in turn.
            let share = |rows: u64| (rows + parts - part) / parts;
            match of.table_queue {
                _ if of.sends_one() => {
                    channel.left = u64::from(own.is_over);
                    channel.scanned = channel.left;
                }
                TableQueue::Hash => channel.left += share(own.dealt) - share(before),
                _ => channel.left += own.dealt - before,
            }
        }
    }

    /// The buffer that a slave of the first set fills next, and of which channel: a full one of what it has, or at the
    /// end of all granules the last ones.
    pub fn next_full(&self, of: &ParallelQuery, slave: usize) -> Option<(usize, Buffer)> {
        let own = &self.slaves[slave];
        let full = u64::from(of.rows_of_message);
        let is_due = |at: &usize| {
            let channel = &self.channels[*at];
            !channel.has_ended && (own.is_over || channel.left >= full)
        };
        let at = self.turns(slave).find(is_due)?;
        Some((at, Buffer { rows: self.channels[at].left.min(full) as u32, is_last: false }))
    }

    /// A slave of the first set scans what is not yet of a buffer of this channel: how many rows.
    pub fn scans_for(&mut self, of: &ParallelQuery, slave: usize, (at, buffer): (usize, Buffer)) -> u64 {
        let rows = u64::from(buffer.rows).saturating_sub(self.channels[at].scanned);
        let own = &mut self.slaves[slave];
        own.granule.0 = own.granule.0.saturating_sub(rows);
        // What goes to all is scanned for the first of them.
        let is_for_all = of.table_queue == TableQueue::Broadcast;
        for channel in if is_for_all { own.out.clone() } else { at..at + 1 } {
            self.channels[channel].scanned += rows;
        }
        rows
    }

    /// A slave of the first set scans the rest of its granule: how many rows.
    pub fn scans_rest(&mut self, slave: usize) -> u64 {
        let own = &mut self.slaves[slave];
        for channel in &mut self.channels[own.out.clone()] {
            channel.scanned = channel.left;
        }
        std::mem::take(&mut own.granule.0)
    }

    /// The channels over which a slave sends, from the one whose turn it is.
    fn turns(&self, slave: usize) -> impl Iterator<Item = usize> {
        let own = &self.slaves[slave];
        let (first, count, turn) = (own.out.start, own.out.len(), own.turn);
        (0..count).map(move |step| first + (turn + step) % count)
    }

    /// The next channel over which a slave sends, if it has not ended on all.
    pub fn next_out(&self, slave: usize) -> Option<usize> {
        self.turns(slave).find(|&at| !self.channels[at].has_ended)
    }

    /// A slave sends the buffer that it has filled, and turns to its next channel.
    pub fn sends(&mut self, slave: usize) -> usize {
        let of = &mut self.slaves[slave];
        let (at, mut buffer) = of.present;
        of.turn = (at + 1 - of.out.start) % of.out.len();
        let channel = &mut self.channels[at];
        channel.left = channel.left.saturating_sub(u64::from(buffer.rows));
        channel.scanned = channel.scanned.saturating_sub(u64::from(buffer.rows));
        buffer.is_last |= of.is_over && channel.left == 0;
        channel.has_ended = buffer.is_last;
        channel.sent.push_back(buffer);
        at
    }

    /// A buffer is taken up by who receives it.
    pub fn takes(&mut self, at: usize) -> Buffer {
        self.channels[at].sent.pop_front().unwrap_or_default()
    }

    /// A slave of the second set has done with its buffer: which rows it may send on.
    pub fn joined(&mut self, of: &ParallelQuery, slave: usize) {
        let number = (slave as u64).saturating_sub(u64::from(of.degree));
        let own = &mut self.slaves[slave];
        let (_, buffer) = own.present;
        let before = own.came;
        own.came += u64::from(buffer.rows);
        own.open -= u32::from(buffer.is_last);
        if of.is_pushed_down {
            own.ready = u64::from(own.open == 0);
            return;
        }
        // Of a broadcast each row belongs to one of the set, and all get the same.
        let degree = u64::from(of.degree);
        let own_of = |came: u64| if of.table_queue == TableQueue::Broadcast { (came + number) / degree } else { came };
        own.ready += own_of(own.came) - own_of(before);
    }

    /// The buffer that a slave of the second set fills next: a full one, or the last.
    pub fn next_on(&self, of: &ParallelQuery, slave: usize) -> Option<Buffer> {
        let own = &self.slaves[slave];
        let rows = own.ready.min(u64::from(of.rows_of_message));
        let is_last = own.open == 0 && rows == own.ready;
        let has_ended = self.channels[own.out.start].has_ended;
        let is_due = own.open == 0 || rows == u64::from(of.rows_of_message);
        (is_due && !has_ended).then_some(Buffer { rows: rows as u32, is_last })
    }

    /// The instance to which a channel leads.
    pub fn target(&self, at: usize) -> usize {
        self.channels[at].to.map_or(self.instance, |slave| self.slaves[slave].instance)
    }

    /// The instance from which it comes.
    pub fn source(&self, at: usize) -> usize {
        self.slaves[self.channels[at].from].instance
    }
}
