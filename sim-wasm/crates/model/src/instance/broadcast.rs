//! Broadcast on commit: which commits of an instance the others have yet to learn of. Their SCN goes to each of them
//! while the log is written, and a commit is complete when its redo is on disk and all have answered.
use crate::cluster::message::Member;
use crate::instance::database::Database;
use std::collections::VecDeque;
use wwi_kernel::time::Ns;

/// How many bits of a message say which broadcast it is about.
pub const NUMBER: u32 = 20;

/// One broadcast that somebody has yet to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Open {
    /// Start of the redo of its write \[bytes\].
    from: u64,
    /// Who has yet to answer, a bit each.
    left: u64,
    /// When it was sent.
    sent: Ns,
    /// When that redo was on disk.
    written: Option<Ns>,
}

/// Broadcasts of an instance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Broadcasts {
    /// Number of the oldest that is open.
    first: u32,
    /// Those that are open, oldest first.
    open: VecDeque<Open>,
    /// Mean time until all have answered, the last ones weighing most.
    pub ack: Ns,
}

impl Broadcasts {
    /// Another, of a write of the redo from an address on, to these instances; its number.
    pub fn begin(&mut self, from: u64, to: &[Member], sent: Ns) -> u32 {
        let left = to.iter().fold(0, |left, &member| left | bit(member));
        self.open.push_back(Open { from, left, sent, written: None });
        self.first.wrapping_add(self.open.len() as u32 - 1) % (1 << NUMBER)
    }

    /// Redo from here on belongs to commits that are not known everywhere \[bytes\].
    pub fn known(&self) -> u64 {
        self.open.front().map_or(u64::MAX, |oldest| oldest.from)
    }

    /// The write is over; whether somebody has yet to answer to it.
    pub fn written(&mut self, now: Ns) -> bool {
        let last = self.open.back_mut().filter(|last| last.written.is_none());
        last.map(|last| last.written = Some(now)).is_some()
    }

    /// An instance has answered: it knows of this broadcast, and so of all before. What writes that were over waited
    /// for it, all together.
    pub fn answered(&mut self, number: u32, by: Member, now: Ns) -> Ns {
        let ahead = number.wrapping_sub(self.first) % (1 << NUMBER);
        // One that nobody waits for any more.
        if ahead as usize >= self.open.len() {
            return Ns::ZERO;
        }
        self.open.iter_mut().take(ahead as usize + 1).for_each(|open| open.left &= !bit(by));
        self.closes(now)
    }

    /// Instances are told of all of it by other means.
    pub fn close(&mut self, now: Ns) -> Ns {
        self.open.iter_mut().for_each(|open| open.left = 0);
        self.closes(now)
    }

    fn closes(&mut self, now: Ns) -> Ns {
        let mut late = Ns::ZERO;
        while let Some(oldest) = self.open.front().copied().filter(|oldest| oldest.left == 0) {
            self.open.pop_front();
            self.first = self.first.wrapping_add(1) % (1 << NUMBER);
            let took = (now - oldest.sent).0;
            self.ack = Ns(if self.ack == Ns::ZERO { took } else { (15 * self.ack.0 + took) / 16 });
            late = late.plus(oldest.written.map_or(Ns::ZERO, |since| now - since));
        }
        late
    }
}

fn bit(member: Member) -> u64 {
    1 << (u32::from(member) % u64::BITS)
}

impl Database {
    /// Commits with redo up to here are complete: it is on disk, and no other instance has yet to learn of them
    /// \[bytes\].
    pub fn complete(&self) -> u64 {
        self.redo.on_disk.min(self.redo.broadcasts.known())
    }

    /// Whether the present write takes commits to disk. Of sessions that wait those came last whose redo ends last.
    pub fn writes_commits(&self) -> bool {
        let (on_disk, writing) = (self.redo.on_disk, self.redo.writing);
        let mut late = self.redo.commits.iter().rev().map(|commit| commit.end).take_while(|&end| end > on_disk);
        self.redo.carried > 0 || self.redo.carries_recursive || late.any(|end| end <= writing)
    }

    /// Commits that are complete are to be posted, unless their sessions look themselves; how many there are.
    pub fn completes(&mut self, posts: &mut impl Extend<crate::ids::Reply>) -> u64 {
        let complete = self.complete();
        let mut answered = 0;
        while let Some(&commit) = self.redo.commits.front().filter(|commit| commit.end <= complete) {
            self.redo.commits.pop_front();
            answered += 1;
            posts.extend((!commit.polls).then_some(commit.reply));
        }
        answered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: fn(u64) -> Ns = |us| Ns(us * 1000);

    #[test]
    fn a_commit_is_known_when_all_have_answered_to_its_broadcast_or_a_later_one() {
        let mut all = Broadcasts::default();
        assert_eq!(all.known(), u64::MAX, "nothing was sent");
        assert_eq!([100, 250, 300].map(|from| all.begin(from, &[1, 2], Ns::ZERO)), [0, 1, 2]);
        assert_eq!(all.known(), 100);
        // The first instance knows of all three, the second of none.
        assert_eq!((all.answered(2, 1, US(10)), all.known()), (Ns::ZERO, 100));
        assert_eq!((all.answered(0, 2, US(20)), all.known()), (Ns::ZERO, 250));
        // What comes late says nothing new.
        assert_eq!((all.answered(0, 2, US(30)), all.known()), (Ns::ZERO, 250));
        assert_eq!((all.answered(2, 2, US(40)), all.known()), (Ns::ZERO, u64::MAX));
    }

    #[test]
    fn what_comes_after_the_write_is_late_by_so_much() {
        let mut all = Broadcasts::default();
        assert!(!all.written(US(5)), "a write of which nobody is told");
        all.begin(0, &[3], US(1));
        assert!(all.written(US(10)));
        assert!(!all.written(US(12)), "a write without commits says nothing of the broadcast before");
        let next = all.begin(50, &[3], US(16));
        assert_eq!(all.answered(next, 3, US(17)), US(7), "the second write is not over");
        // 16 µs the first, 1 the second, a sixteenth of the mean.
        assert_eq!(all.ack, Ns((15 * 16_000 + 1_000) / 16));
        assert!(!all.written(US(20)), "its answer was there before");
    }

    #[test]
    fn numbers_begin_anew_after_a_million() {
        let mut all = Broadcasts::default();
        for number in 0..(1 << NUMBER) + 3 {
            let sent = all.begin(u64::from(number), &[1], US(1));
            assert_eq!(sent, number % (1 << NUMBER));
            if number != 1 << NUMBER {
                all.answered(sent, 1, US(1));
            } else {
                assert_eq!(all.known(), 1 << NUMBER);
            }
        }
        assert_eq!(all.known(), u64::MAX);
    }
}
