//! What is known of each thing that a process can be doing.
use crate::config::kinds::{Kind, KindId, Per};
use crate::measure::events::COUNT;
use std::ops::{Deref, DerefMut};

/// Name, class and nature of an activity.
pub struct Info {
    /// Event name as the database prints it; "running" and "run queue" for the two sides of ON CPU.
    pub event: &'static str,
    /// Wait class.
    pub class: &'static str,
    /// Whether it is an instrumented wait of the database.
    pub is_wait: bool,
    /// Nobody waits for what the process would do: no time of a transaction, no active session, no reason for a longer
    /// warm-up.
    pub is_idle: bool,
    /// Who may be in it.
    pub who: Who,
    /// What a process does in it, for the catalogue; empty where that is not built.
    pub help: &'static str,
}

/// Who may be in an activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Every process.
    All,
    /// Those that the Resource Manager counts.
    Caged,
    /// Those of an instance.
    OfInstances,
    /// Sessions of an instance with redo and writers.
    Foregrounds,
    /// The same of an instance in a cluster.
    InClusters,
    /// Sessions whose transactions are parallel queries.
    InParallel,
    /// Processes of these kinds.
    Of(&'static [KindId]),
}

impl Who {
    /// Whether processes of a kind may be in it.
    pub fn has(self, kind: &Kind) -> bool {
        match self {
            Who::All => true,
            Who::Caged => kind.is_caged,
            Who::OfInstances => kind.per == Per::Instance,
            Who::Foregrounds | Who::InClusters | Who::InParallel => kind.is_session,
            Who::Of(kinds) => kinds.iter().any(|one| one.name() == kind.name),
        }
    }
}

/// Words that only the catalogue needs.
pub(super) const fn text(words: &'static str) -> &'static str {
    if cfg!(feature = "texts") {
        words
    } else {
        ""
    }
}

/// Something of each activity, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByActivity<T>([T; COUNT]);

impl<T: Default> Default for ByActivity<T> {
    fn default() -> Self {
        ByActivity(std::array::from_fn(|_| T::default()))
    }
}

impl<T> ByActivity<T> {
    /// What a function says of each.
    pub fn from_fn(of: impl FnMut(usize) -> T) -> Self {
        ByActivity(std::array::from_fn(of))
    }
}

impl<T> Deref for ByActivity<T> {
    type Target = [T; COUNT];
    #[inline(always)]
    fn deref(&self) -> &[T; COUNT] {
        &self.0
    }
}

impl<T> DerefMut for ByActivity<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T; COUNT] {
        &mut self.0
    }
}
