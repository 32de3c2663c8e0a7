//! Two scenarios looked at together: equal starts and horizons until both are precise, so that they can be compared
//! replication by replication. Both draw from the same streams, so most of what is chance in the one is in the other,
//! too.
use crate::config::Config;
use crate::experiment::plan::{first_plan, point_plan, Plan};
use crate::experiment::{Experiment, Goal, Progress, Wish, BUCKETS, GROWTH, MARGIN, TURNS};
use crate::fault::RunFault;
use crate::report::{Estimate, Report};
use wwi_kernel::stats::{half_width, mean};
use wwi_kernel::time::Ns;

/// One experiment, or two that go on together.
#[derive(Debug)]
pub struct Pair {
    b: Experiment,
    /// What B is compared with.
    a: Option<Experiment>,
    /// Where their difference has no sign they are looked at up to this horizon at once, once.
    whole: Option<Ns>,
}

/// Of a difference that is looked at twice, so many times its half-width leave no doubt of its sign. Free: of
/// differences that are none, one in a hundred comes so far.
const CERTAIN: f64 = 1.5;
/// Below this part of what is compared a difference is none.
const NONE: f64 = 0.0005;

impl Pair {
    /// Sets up; each has the whole event budget to itself.
    pub fn new(b: &Config, a: Option<&Config>, goal: Goal) -> Pair {
        Pair::planned(b, a, goal, both(b, a, &goal, first_plan))
    }

    /// The same for a point of a curve, which looks no longer than it needs. No loss ledger is kept.
    pub fn of_points(b: &Config, a: Option<&Config>, goal: Goal) -> Pair {
        let [short, whole] = [point_plan, first_plan].map(|plan| both(b, a, &goal, plan));
        Pair { whole: Some(whole.horizon), ..Pair::planned(b, a, goal, short).without_ledger() }
    }

    fn planned(b: &Config, a: Option<&Config>, goal: Goal, plan: Plan) -> Pair {
        let of = |config| Experiment::planned(config, goal, plan);
        Pair { b: of(b), a: a.map(of), whole: None }
    }

    /// No loss ledger is kept of either ([`Experiment::without_ledger`]).
    pub fn without_ledger(self) -> Self {
        Pair { b: self.b.without_ledger(), a: self.a.map(Experiment::without_ledger), ..self }
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
                let mut wish = judge([&mut self.b, a]);
                if let Some(whole) = self.whole.filter(|_| wish == Wish::NOTHING) {
                    wish.longer = until_told([&self.b, a]).min(times_within(&self.b, whole));
                    self.whole = None;
                }
                for one in [&self.b, a].into_iter().filter(|one| !one.is_done()) {
                    wish = one.affords(wish);
                }
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

/// What is enough for both.
fn both(b: &Config, a: Option<&Config>, goal: &Goal, plan: fn(&Config, &Goal) -> Plan) -> Plan {
    let own = plan(b, goal);
    a.map_or(own, |a| own.or(plan(a, goal)))
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

/// How many times as long a run may become without going beyond a horizon, by what its buckets allow; at least once.
fn times_within(one: &Experiment, horizon: Ns) -> f64 {
    let (mut edges, mut merged) = ((horizon.0 / one.bucket.0) as usize, 1);
    while edges >= 2 * BUCKETS {
        (edges, merged) = (edges / 2, 2 * merged);
    }
    let whole = edges / (2 * TURNS) * (2 * TURNS) * merged;
    // Buckets are rounded up.
    (whole as f64 / one.edges as f64 * (1.0 - 1e-12)).max(1.0)
}

/// How many times as long both are to be looked at until their difference has a sign for certain; once, where it has,
/// or is none, or is not to be had.
fn until_told([b, a]: [&Experiment; 2]) -> f64 {
    if b.is_done() || a.is_done() || b.goal.coarse {
        return 1.0;
    }
    let [b, a] = [b, a].map(|one| one.assessment.as_ref().map_or(Estimate::default(), |of| of.lio_per_s.clone()));
    let Estimate { mean, ci95, .. } = difference(&b, &a);
    let half = ci95.unwrap_or(f64::INFINITY);
    let need = CERTAIN * half / mean.abs();
    if need <= 1.0 || mean.abs() + half <= NONE * a.mean.abs() {
        return 1.0;
    }
    (MARGIN * need * need).max(GROWTH.0)
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
