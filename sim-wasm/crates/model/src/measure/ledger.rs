//! The loss ledger's sums: where the capacity of hosts and the time of processes went, in whole numbers. What each
//! cause means and in which order they are taken stands in `docs/model.md`, "The loss ledger"; who books:
//! `world/ledger.rs`.
//!
//! Two units: *speed time*, work per nanosecond in the fixed point of [`crate::host::topology`] times nanoseconds; and
//! nanoseconds of threads or processes, each worth the speed v₀ of its host.
use crate::config::NodeConfig;
use crate::measure::events::COUNT;
use wwi_kernel::time::Ns;

/// Work done.
pub const WORK: usize = 0;
/// What was left of the last nanosecond of a stretch of work.
pub const ROUNDING: usize = 1;
/// Spinning for a latch.
pub const SPINNING: usize = 2;
/// Slower than with the host to itself.
pub const TURBO: usize = 3;
/// Slower than with the core to itself.
pub const SIBLINGS: usize = 4;
/// Slower for shared blocks and remote memory.
pub const SHARED: usize = 5;
/// Under processor sharing: what a process lacks of a thread. Of the process alone, not of the threads.
pub const SHARING: usize = 6;
/// Polling for what then held, or not in time.
pub const POLLING: usize = 7;
/// Paying for switches, by what was owed: [`OWES_SWITCH`], [`OWES_CORE`] or [`OWES_SOCKET`], plus [`OWES_POST`]; or
/// [`OWES_POST_ALONE`] or [`OWES_SET`].
pub const SWITCHING: usize = 8;
const CODES: usize = 8;
/// Waking up from idleness. Of the threads alone: the woken process is ready.
pub const WAKING: usize = SWITCHING + CODES;
/// Number of sums of speed time.
pub const BUSY: usize = WAKING + 1;

/// The switch itself, with its refill.
pub const OWES_SWITCH: u8 = 0;
/// A refill after a move to another core of the socket.
pub const OWES_CORE: u8 = 1;
/// A refill after a move to another socket.
pub const OWES_SOCKET: u8 = 2;
/// The post by which a slot came, and nothing else.
pub const OWES_POST_ALONE: u8 = 3;
/// The post besides the others.
pub const OWES_POST: u8 = 4;
/// What is owed with a working set, with the post or without: another time each time.
pub const OWES_SET: u8 = 7;

/// From birth to exit \[ns\].
pub const ALIVE: usize = 0;
/// Idle after exit, until the place is another's \[ns\].
pub const GONE: usize = 1;
/// Ready processes held back by a limit \[ns\]; threads idle meanwhile at [`THREADS`] further on, and so for the next
/// two.
pub const THROTTLED: usize = 2;
/// Processes that wait for a slot which stands empty.
pub const CAGE_EMPTY: usize = 3;
/// Processes that wait for a slot though none stands empty for them.
pub const CAGE_LIMIT: usize = 4;
/// From a span of processes to that of the threads idle for it.
pub const THREADS: usize = 3;
/// Threads idle though a ready process may run there \[ns\].
pub const BALANCE: usize = 8;
/// Threads idle beside ready processes that may not run on any of them \[ns\].
pub const BINDING: usize = 9;
/// Threads idle beside processes in a wait, by activity \[ns\].
pub const WAITS: usize = 10;
/// Number of spans.
pub const SPANS: usize = WAITS + COUNT;

/// Sums of one accounting group.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    /// Speed time by use: [`WORK`] and those after it.
    pub busy: Box<[i128]>,
    /// Time by cause \[ns\]: [`ALIVE`] and those after it.
    pub spans: Box<[u64]>,
    /// What was owed with working sets \[ns\]: switches themselves, refills, moves, posts.
    pub owed: [u64; 4],
}

impl Default for Book {
    fn default() -> Self {
        Book { busy: Box::new([0; BUSY]), spans: Box::new([0; SPANS]), owed: [0; 4] }
    }
}

impl Book {
    /// What came after `earlier`.
    pub fn since(&self, earlier: &Book) -> Book {
        let mut later = self.clone();
        later.busy.iter_mut().zip(&earlier.busy).for_each(|(sum, before)| *sum -= before);
        later.spans.iter_mut().zip(&earlier.spans).for_each(|(sum, before)| *sum -= before);
        later.owed.iter_mut().zip(&earlier.owed).for_each(|(sum, before)| *sum -= before);
        later
    }

    /// Writes its sums, each as its length in bytes and so many of them, and gives its memory back.
    pub fn pack(&mut self, bytes: &mut Vec<u8>) {
        let spans = self.spans.iter().chain(&self.owed).map(|&span| i128::from(span));
        for sum in self.busy.iter().copied().chain(spans) {
            // The sign goes last, so that small numbers are short.
            let folded = ((sum << 1) ^ (sum >> 127)) as u128;
            let length = (u128::BITS - folded.leading_zeros()).div_ceil(8) as usize;
            bytes.push(length as u8);
            bytes.extend_from_slice(&folded.to_le_bytes()[..length]);
        }
        (self.busy, self.spans) = (Box::default(), Box::default());
    }

    /// Reads what was written.
    pub fn unpack(&mut self, bytes: &mut &[u8]) {
        *self = Book::default();
        let mut next = || {
            let (&length, rest) = bytes.split_first()?;
            let (value, rest) = rest.split_at_checked(usize::from(length))?;
            let mut folded = [0; 16];
            folded[..value.len()].copy_from_slice(value);
            *bytes = rest;
            let folded = u128::from_le_bytes(folded);
            Some((folded >> 1) as i128 ^ -((folded & 1) as i128))
        };
        self.busy.iter_mut().for_each(|sum| *sum = next().unwrap_or(0));
        self.spans.iter_mut().chain(&mut self.owed).for_each(|span| *span = next().unwrap_or(0) as u64);
    }

    /// Memory that it takes, in bytes.
    pub fn heap_bytes(&self) -> usize {
        size_of_val(&*self.busy) + size_of_val(&*self.spans)
    }

    /// Adds the sums of another replication.
    pub fn add(&mut self, other: &Book) {
        self.busy.iter_mut().zip(&other.busy).for_each(|(sum, more)| *sum += more);
        self.spans.iter_mut().zip(&other.spans).for_each(|(sum, more)| *sum += more);
        self.owed.iter_mut().zip(&other.owed).for_each(|(sum, more)| *sum += more);
    }

    /// Speed time paid for switches: the switch itself, its refill, moves, posts. Each piece in proportion to what was
    /// owed in whole, with working sets to all that was owed; the four sum to what was paid.
    pub fn switching(&self, node: &NodeConfig, post: Ns) -> [i128; 4] {
        let mut parts = [0; 4];
        for (code, &paid) in self.busy[SWITCHING..WAKING].iter().enumerate() {
            let owed = if code as u8 == OWES_SET { self.owed_sets() } else { owed(code as u8, node, post) };
            let whole: u64 = owed.iter().sum();
            let (mut below, mut taken) = (0, 0);
            for (part, owed) in parts.iter_mut().zip(owed) {
                below += owed;
                let upto = (paid * i128::from(below)).checked_div(i128::from(whole)).unwrap_or(0);
                *part += upto - taken;
                taken = upto;
            }
        }
        parts
    }

    /// Nothing was owed of late: what is paid is the rest of a refill.
    fn owed_sets(&self) -> [u64; 4] {
        if self.owed == [0; 4] {
            return [0, 1, 0, 0];
        }
        self.owed
    }

    /// Speed time of threads that ran something.
    pub fn on_threads(&self) -> i128 {
        self.busy.iter().sum::<i128>() - self.busy[SHARING]
    }
}

/// What a code says is owed \[ns\]: the switch itself, its refill, the move, the post.
fn owed(code: u8, node: &NodeConfig, post: Ns) -> [u64; 4] {
    let alone = code == OWES_POST_ALONE;
    let unless_alone = |owed: Ns| if alone { 0 } else { owed.0 };
    let moved = match code % OWES_POST {
        OWES_CORE => node.migration_refill.0,
        OWES_SOCKET => node.socket_refill.0,
        _ => 0,
    };
    let post = if alone || code >= OWES_POST { post.0 } else { 0 };
    [unless_alone(node.switch_direct), unless_alone(node.switch_refill), moved, post]
}
