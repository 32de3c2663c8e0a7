//! The log against a twin that keeps every group and what it holds, and looks at all of them.
use crate::ids::{QueueId, Reply};
use crate::instance::redo::{Commit, Redo};
use wwi_kernel::rng::Stream;

/// As memory is counted \[bytes\].
const MEGABYTE: u64 = 1024 * 1024;

/// A log of some groups used in turn; each holds redo from one address to another.
struct Twin {
    groups: Vec<(u64, u64)>,
    present: usize,
    size: u64,
    buffer: u64,
    made: u64,
    taken: u64,
    on_disk: u64,
    checkpoint: u64,
}

impl Twin {
    /// The last `groups` logs are full but for the present one.
    fn new(size: u64, groups: u64, buffer: u64, filled: u64, lag: u64) -> Twin {
        let start = groups * size;
        let made = start + filled;
        // Group 0 is the present one, the last was used before it, and so on.
        let mut held = vec![(start, made)];
        held.extend((1..groups).map(|i| (i * size, (i + 1) * size)));
        Twin { groups: held, present: 0, size, buffer, made, taken: made, on_disk: made, checkpoint: made - lag }
    }

    fn in_log(&self) -> u64 {
        self.groups[self.present].1 - self.groups[self.present].0
    }

    fn log_has_room(&self, bytes: u64) -> bool {
        self.in_log() == 0 || self.in_log() + bytes <= self.size
    }

    fn buffer_has_room(&self, bytes: u64) -> bool {
        self.made == self.on_disk || self.made - self.on_disk + bytes <= self.buffer
    }

    fn is_due(&self) -> bool {
        let unwritten = self.made - self.taken;
        unwritten * 3 >= self.buffer || unwritten >= MEGABYTE
    }

    fn next(&self) -> usize {
        (self.present + 1) % self.groups.len()
    }

    fn wanted(&self) -> Option<u64> {
        let end = self.groups[self.next()].1;
        (end > self.checkpoint).then_some(end)
    }

    /// Groups beside the present one that hold redo from after the checkpoint.
    fn needed(&self) -> usize {
        let others = (0..self.groups.len()).filter(|&i| i != self.present);
        others.filter(|&i| self.groups[i].1 > self.checkpoint).count()
    }

    fn make(&mut self, bytes: u64) {
        self.made += bytes;
        self.groups[self.present].1 = self.made;
    }

    fn switch(&mut self) {
        self.present = self.next();
        self.groups[self.present] = (self.made, self.made);
    }

    /// Redo after the checkpoint is in some group, each byte once: what a recovery would read.
    fn is_whole(&self) -> bool {
        let held = |at: u64| self.groups.iter().filter(|group| (group.0..group.1).contains(&at)).count();
        (self.checkpoint..self.made).all(|at| held(at) == 1)
    }
}

/// All that can be asked agrees, for redo of all sizes.
fn agree(redo: &Redo, twin: &Twin) {
    assert_eq!((redo.made, redo.writing.max(redo.on_disk), redo.on_disk), (twin.made, twin.taken, twin.on_disk));
    assert_eq!((redo.start(), redo.checkpoint()), (twin.groups[twin.present].0, twin.checkpoint));
    assert_eq!((redo.wanted(), redo.can_switch()), (twin.wanted(), twin.wanted().is_none()));
    assert_eq!((redo.unwritten(), redo.is_due()), (twin.made - twin.taken, twin.is_due()));
    for bytes in 0..=2 * twin.size.max(twin.buffer) {
        assert_eq!(redo.log_has_room(bytes), twin.log_has_room(bytes), "{bytes} bytes in the log");
        assert_eq!(redo.buffer_has_room(bytes), twin.buffer_has_room(bytes), "{bytes} bytes in the buffer");
    }
}

/// Small logs and buffers, so that each edge is met often.
#[test]
fn the_log_does_what_a_slow_twin_does_after_every_one_of_many_random_calls() {
    let mut random = Stream::new(1, 0, "test", 0, "redo");
    // Switches, refused switches, freed logs, redo too large for a log.
    let mut seen = [0; 4];
    for _ in 0..8_000 {
        let (size, groups, buffer) = (1 + random.below(12), 2 + random.below(4), 3 + 3 * random.below(5));
        let filled = random.below(size + 1);
        let lag = random.below((groups - 1) * size + filled + 1);
        let mut redo = Redo::new(size, groups as u32, buffer, filled, lag);
        let mut twin = Twin::new(size, groups, buffer, filled, lag);
        agree(&redo, &twin);
        for _ in 0..60 {
            step(&mut random, &mut redo, &mut twin, &mut seen);
            agree(&redo, &twin);
            assert!(twin.is_whole());
        }
    }
    assert!(seen.iter().all(|&times| times > 1_000), "{seen:?}");
}

/// One call, of those that the instance makes: redo where there is room for it, a write's two ends, a switch when all
/// is on disk, a checkpoint that never goes back.
fn step(random: &mut Stream, redo: &mut Redo, twin: &mut Twin, seen: &mut [u32; 4]) {
    match random.below(8) {
        0..3 => {
            let bytes = 1 + random.below(twin.size + 2);
            if twin.log_has_room(bytes) && twin.buffer_has_room(bytes) {
                seen[3] += u32::from(bytes > twin.size);
                redo.made += bytes;
                twin.make(bytes);
            }
        }
        3 => {
            redo.writing = redo.made;
            twin.taken = twin.made;
        }
        4 => {
            redo.on_disk = redo.on_disk.max(redo.writing);
            twin.on_disk = twin.taken;
        }
        5 if twin.in_log() > 0 && twin.made == twin.on_disk => match twin.wanted() {
            None => {
                seen[0] += 1;
                redo.switch();
                twin.switch();
            }
            Some(_) => seen[1] += 1,
        },
        _ => {
            let to = twin.checkpoint + random.below(twin.made - twin.checkpoint + 1);
            let before = twin.needed();
            twin.checkpoint = to;
            let frees = twin.needed() < before;
            seen[2] += u32::from(frees);
            assert_eq!(redo.record_checkpoint(to), frees);
        }
    }
}

/// What is made while the header of the next log is written would be in a log that has ended.
#[test]
fn nobody_passes_who_waits_for_the_next_log() {
    let mut redo = Redo::new(100, 3, 1000, 95, 0);
    assert!(redo.log_has_room(5) && !redo.log_has_room(6));
    redo.for_log.push_back(Reply { queue: QueueId(0), wait: 1 });
    assert!(!redo.log_has_room(1));
    redo.for_log.clear();
    assert!(redo.log_has_room(5));
}

/// A megabyte is written unasked whatever the buffer, a third of it where that is less.
#[test]
fn a_megabyte_of_redo_is_due_in_a_buffer_of_any_size() {
    for (buffer, due) in [(30_000_000, MEGABYTE), (3 * MEGABYTE, MEGABYTE), (2_999_997, 999_999), (30, 10)] {
        let mut redo = Redo::new(1 << 40, 3, buffer, 0, 0);
        redo.made += due - 1;
        assert!(!redo.is_due(), "{buffer}");
        redo.made += 1;
        assert!(redo.is_due(), "{buffer}");
    }
}

/// Who made its redo first may ask last. Commits stand in the order of their redo, of equal ends who came first.
#[test]
fn commits_wait_in_the_order_of_their_redo() {
    let mut redo = Redo::new(1 << 40, 3, 1 << 20, 0, 0);
    for (wait, end) in [(0, 300), (1, 100), (2, 400), (3, 300), (4, 200)] {
        redo.awaits_disk(Commit { end, reply: Reply { queue: QueueId(0), wait }, polls: false });
    }
    let found: Vec<_> = redo.commits.iter().map(|commit| (commit.end, commit.reply.wait)).collect();
    assert_eq!(found, [(100, 1), (200, 4), (300, 0), (300, 3), (400, 2)]);
}
