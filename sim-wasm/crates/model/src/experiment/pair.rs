//! Two scenarios looked at together: equal starts and horizons until both are precise, so that they can be compared
//! replication by replication. Both draw from the same streams, so most of what is chance in the one is in the other,
//! too.
use crate::config::Config;
use crate::experiment::plan::first_plan;
use crate::experiment::{Experiment, Goal, Progress, Wish};
use crate::fault::RunFault;
use crate::report::{Estimate, Report};
use wwi_kernel::stats::{half_width, mean};

/// One experiment, or two that go on together.
#[derive(Debug)]
pub struct Pair {
    b: Experiment,
    /// What B is compared with.
    a: Option<Experiment>,
}

impl Pair {
    /// Sets up; each has the whole event budget to itself.
    pub fn new(b: &Config, a: Option<&Config>, goal: Goal) -> Pair {
        let own = first_plan(b, &goal);
        let plan = a.map_or(own, |a| own.or(first_plan(a, &goal)));
        Pair { b: Experiment::planned(b, goal, plan), a: a.map(|a| Experiment::planned(a, goal, plan)) }
    }

    /// No loss ledger is kept of either ([`Experiment::without_ledger`]).
    pub fn without_ledger(self) -> Self {
        Pair { b: self.b.without_ledger(), a: self.a.map(Experiment::without_ledger) }
    }

    /// Goes on for about this many events; the progress of B, done when both are, with the events of both.
    pub fn advance(&mut self, max_events: u64) -> Progress {
        let Some(a) = &mut self.a else { return self.b.advance(max_events) };
        let mut left = max_events;
        while left > 0 && !(a.is_done() && self.b.is_done()) {
            // A fault of the one leaves nothing to compare.
            if a.fault().is_some() || self.b.fault().is_some() {
                a.give_up();
                self.b.give_up();
                break;
            }
            let is_working = !self.b.is_done() && self.b.work(&mut left) || !a.is_done() && a.work(&mut left);
            if !is_working {
                let wish = judge([&mut self.b, a]);
                [&mut self.b, a].into_iter().filter(|one| !one.is_done()).for_each(|one| one.follow(wish));
            }
        }
        self.progress()
    }

    /// How far B is; done when both are.
    pub fn progress(&self) -> Progress {
        let b = self.b.progress();
        match self.a.as_ref().map(Experiment::progress) {
            Some(a) => Progress { done: a.done && b.done, events: a.events + b.events, ..b },
            None => b,
        }
    }

    /// How far A is, where there is one.
    pub fn other_progress(&self) -> Option<Progress> {
        self.a.as_ref().map(Experiment::progress)
    }

    /// Why there are no figures, once that is known: of B, else of A.
    pub fn fault(&self) -> Option<RunFault> {
        self.b.fault().or(self.a.as_ref().and_then(Experiment::fault))
    }

    /// The present answer of B.
    pub fn report(&self) -> Report {
        self.b.report()
    }

    /// The present answer of A, where there is one.
    pub fn other_report(&self) -> Option<Report> {
        self.a.as_ref().map(Experiment::report)
    }
}

/// Looks at both: what satisfies them together. Both are cut off at the same edge, else what happened to the one alone
/// in between would stand in the difference.
fn judge(both: [&mut Experiment; 2]) -> Wish {
    let [b, a] = both;
    let look = |one: &mut Experiment, from| if one.is_done() { Wish::NOTHING } else { one.judge(from) };
    let mut wishes = [look(b, 0), look(a, 0)];
    if b.cut() < a.cut() {
        wishes[0] = look(b, a.cut());
    } else if a.cut() < b.cut() {
        wishes[1] = look(a, b.cut());
    }
    wishes.into_iter().fold(Wish::NOTHING, Wish::or)
}

/// B − A, replication by replication; where their numbers differ, or one has none, from both intervals as if
/// independent.
pub fn difference(b: &Estimate, a: &Estimate) -> Estimate {
    if b.reps.is_empty() || b.reps.len() != a.reps.len() {
        let ci95 = b.ci95.zip(a.ci95).map(|(b, a)| (b * b + a * a).sqrt());
        return Estimate { mean: b.mean - a.mean, ci95, reps: Vec::new() };
    }
    let reps: Vec<f64> = b.reps.iter().zip(&a.reps).map(|(b, a)| b - a).collect();
    // The pooled figures are the means of their values, save for rounding; two equal scenarios differ by nothing at
    // all.
    let exact = if b == a { 0.0 } else { mean(&reps) };
    Estimate { mean: exact, ci95: half_width(&reps), reps }
}
