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
    /// Rows that the sender has yet to send over it.
    pub left: u64,
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
    /// Rows that it has yet to scan.
    pub scans: u64,
    /// Of these, rows of its present granule, and the CPU of a row of it \[ns\].
    pub granule: (u64, f64),
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
                scans: 0,
                granule: (0, 0.0),
                came: 0,
                ready: 0,
                open: 0,
                present: (0, Buffer::default()),
            });
        }
        let (queue, open, present) = (queues(), 0, (0, Buffer::default()));
        Query { instance: places[0], queue, slaves, channels, open, present }
    }

    /// An execution begins: each slave has all its rows before it.
    pub fn begins(&mut self, of: &ParallelQuery) {
        let degree = u64::from(of.degree);
        let share = |rows: u64, parts: u64, at: u64| rows / parts + u64::from(at < rows % parts);
        let has_second = of.table_queue != TableQueue::Coordinator;
        let sends_one = of.is_pushed_down && !has_second;
        for (number, slave) in self.slaves.iter_mut().enumerate() {
            let scans = if number < of.degree as usize { share(of.rows, degree, number as u64) } else { 0 };
            (slave.turn, slave.scans, slave.granule) = (0, scans, (0, 0.0));
            (slave.came, slave.ready, slave.open) = (0, 0, of.degree);
            for at in slave.out.clone() {
                let channel = &mut self.channels[at];
                channel.has_ended = false;
                channel.left = match of.table_queue {
                    _ if sends_one => 1,
                    TableQueue::Hash if channel.to.is_some() => share(scans, degree, (at - slave.out.start) as u64),
                    _ => scans,
                };
            }
        }
        self.open = of.degree;
    }

    /// The next channel over which a slave of the first set sends, if it has not ended on all.
    pub fn next_out(&self, slave: usize) -> Option<usize> {
        let Slave { out, turn, .. } = &self.slaves[slave];
        let count = out.len();
        (0..count).map(|step| out.start + (turn + step) % count).find(|&at| !self.channels[at].has_ended)
    }

    /// A slave sends the buffer that it has filled, and turns to its next channel.
    pub fn sends(&mut self, slave: usize) -> usize {
        let of = &mut self.slaves[slave];
        let (at, buffer) = of.present;
        of.turn = (at + 1 - of.out.start) % of.out.len();
        let channel = &mut self.channels[at];
        channel.left = channel.left.saturating_sub(u64::from(buffer.rows));
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
