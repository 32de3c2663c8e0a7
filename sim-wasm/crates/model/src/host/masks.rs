//! Where processes may run: hard and soft affinity, by process.
use crate::config::{Affinity, CpuSet};
use crate::ids::Pid;
use wwi_kernel::bits::Bits;
use wwi_kernel::table::reach;

/// One set of allowed threads, and within it the preferred ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    /// Threads it may run on.
    pub allowed: Bits,
    /// Threads it had better run on; `None`: all allowed ones.
    pub preferred: Option<Bits>,
}

impl Mask {
    /// The threads whose utilisation load-based soft affinity compares: the first preferred one, and the first of the
    /// others.
    pub fn compared(&self) -> Option<(usize, Option<usize>)> {
        let preferred = self.preferred.as_ref()?;
        preferred.first_from(0).map(|home| (home, self.allowed.first_without(preferred)))
    }
}

/// The masks of a host and who has which. Mask 0 allows every thread.
#[derive(Clone, Debug, PartialEq)]
pub struct Masks {
    masks: Vec<Mask>,
    of: Vec<u16>,
    threads: usize,
    /// By thread: its kind, the same for threads that the same masks allow.
    kinds: Vec<u16>,
}

impl Masks {
    /// Everybody may run anywhere.
    pub fn new(threads: usize) -> Self {
        let mut allowed = Bits::new(threads);
        (0..threads).for_each(|t| allowed.set(t, true));
        Masks { masks: vec![Mask { allowed, preferred: None }], of: Vec::new(), threads, kinds: vec![0; threads] }
    }
    /// Whether every process may run anywhere and prefers nothing.
    #[inline]
    pub fn is_free(&self) -> bool {
        self.masks.len() == 1
    }
    /// Gives a process the mask of its kind's binding and its instance's affinity.
    pub fn assign_for(&mut self, pid: Pid, kind: Option<&CpuSet>, affinity: &Affinity) {
        if kind.is_none() && *affinity == Affinity::None {
            return;
        }
        let bits = |keep: &dyn Fn(u16) -> bool| {
            let mut set = Bits::new(self.threads);
            (0..self.threads).for_each(|t| set.set(t, keep(t as u16)));
            set
        };
        let of_kind = |t: u16| kind.is_none_or(|cpus| cpus.0.contains(&t));
        let mask = match affinity {
            Affinity::None => Mask { allowed: bits(&of_kind), preferred: None },
            Affinity::Hard(cpus) => Mask { allowed: bits(&|t| of_kind(t) && cpus.0.contains(&t)), preferred: None },
            Affinity::Soft(cpus) => {
                let preferred = bits(&|t| of_kind(t) && cpus.0.contains(&t));
                let allowed = bits(&of_kind);
                let differs = !preferred.is_empty() && preferred != allowed;
                Mask { allowed, preferred: Some(preferred).filter(|_| differs) }
            }
        };
        let number = self.masks.iter().position(|m| *m == mask).unwrap_or_else(|| {
            self.split_kinds(&mask);
            self.masks.push(mask);
            self.masks.len() - 1
        });
        self.assign(pid, number as u16);
    }

    /// Threads of one kind that a further mask tells apart become two kinds.
    fn split_kinds(&mut self, mask: &Mask) {
        let old: Vec<(u16, bool)> = (0..self.threads).map(|t| (self.kinds[t], mask.allowed.has(t))).collect();
        let mut known: Vec<(u16, bool)> = Vec::new();
        for (thread, signature) in old.into_iter().enumerate() {
            let number = known.iter().position(|k| *k == signature).unwrap_or_else(|| {
                known.push(signature);
                known.len() - 1
            });
            self.kinds[thread] = number as u16;
        }
    }

    /// The kind of a thread, 0..: on two threads of one kind the same processes may run.
    #[inline]
    pub fn kind(&self, thread: usize) -> usize {
        usize::from(self.kinds[thread])
    }

    fn assign(&mut self, pid: Pid, mask: u16) {
        reach(&mut self.of, pid.i(), 0);
        self.of[pid.i()] = mask;
    }
    /// The number of a process's mask.
    #[inline]
    pub fn number(&self, pid: Pid) -> usize {
        self.of.get(pid.i()).map_or(0, |&m| usize::from(m))
    }
    /// The mask of a number.
    pub fn numbered(&self, number: u16) -> &Mask {
        &self.masks[usize::from(number)]
    }
    /// Every mask in use.
    pub fn all(&self) -> impl Iterator<Item = &Mask> {
        self.masks.iter()
    }
    /// The mask of a process.
    #[inline]
    pub fn of(&self, pid: Pid) -> &Mask {
        &self.masks[self.number(pid)]
    }
    /// Whether a process may run on a thread.
    #[inline]
    pub fn allows(&self, pid: Pid, thread: usize) -> bool {
        self.is_free() || self.of(pid).allowed.has(thread)
    }
}
