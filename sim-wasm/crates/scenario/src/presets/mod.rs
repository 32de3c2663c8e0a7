//! The scenarios the page opens with, each a handful of values that differ from the defaults.

mod access;
mod affinity;
mod caging;
mod cluster;
mod hosts;
mod lpar;
mod parallel;
mod queue;
mod redo;
mod sequence;
mod service;
mod yours;

use crate::problem::Problems;
use crate::scenario::Scenario;

/// Pairs of an address and the text of a value.
pub type Pairs = &'static [(&'static str, &'static str)];

/// A published figure drawn as a cross on the chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedPoint {
    /// Value of the swept knob.
    pub x: f64,
    /// Figure.
    pub y: f64,
    /// What the cross says.
    pub label: &'static str,
    /// input, consistency check or prediction.
    pub role: &'static str,
    /// Unit of `y`.
    pub unit: &'static str,
}

/// The one assumption an answer hangs on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    /// Knob.
    pub knob: &'static str,
    /// Left end.
    pub from: f64,
    /// Right end.
    pub to: f64,
    /// Values worth a mark.
    pub marks: &'static [(f64, &'static str)],
}

/// A pair of scenarios that differs from A and B as the preset has them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variant {
    /// What is changed, in words.
    pub label: &'static str,
    /// Of both.
    pub both: Pairs,
    /// Of B alone.
    pub b: Pairs,
}

/// What a published difference could come from: pairs that are run when asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variants {
    /// The question.
    pub title: &'static str,
    /// Pairs.
    pub rows: &'static [Variant],
    /// Throughput of A over that of B as published, and by what.
    pub published: &'static [(f64, &'static str)],
}

/// What only the page's catalogue says: it is no part of what is downloaded to simulate.
const fn words(text: &'static str) -> &'static str {
    if cfg!(feature = "texts") {
        text
    } else {
        ""
    }
}

/// The same of crosses on the chart.
const fn crosses(points: &'static [PublishedPoint]) -> &'static [PublishedPoint] {
    if cfg!(feature = "texts") {
        points
    } else {
        &[]
    }
}

/// A scenario with a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// Name in links.
    pub id: &'static str,
    /// Title on the page.
    pub title: &'static str,
    /// What it lets one ask.
    pub question: &'static str,
    /// What the model leans on here, said plainly.
    pub note: &'static str,
    /// Hosts.
    pub nodes: usize,
    /// On which host each of its instances runs, counted from 1.
    pub instances: &'static [usize],
    /// Values that differ from the defaults.
    pub set: Pairs,
    /// What the compared scenario A overrides.
    pub compare: Pairs,
    /// Address of the knob of the x axis, from, to, step; of a knob of words every word is a point.
    pub sweep: (&'static str, f64, f64, f64),
    /// Metric of the vertical axis it opens with.
    pub metric: &'static str,
    /// Knob and values of a family of curves.
    pub family: Option<(&'static str, &'static [f64])>,
    /// The assumption the answer hangs on.
    pub hinge: Option<Hinge>,
    /// Ranges narrower than the knob's own that suit sliders here.
    pub ranges: &'static [(&'static str, f64, f64)],
    /// Crosses on the chart.
    pub published: &'static [PublishedPoint],
    /// The panel with which its page begins, where that is not the curve.
    pub opens: Option<&'static str>,
    /// What the published difference could come from.
    pub variants: Option<Variants>,
    /// Minutes one point takes on a real machine, and why.
    pub cost_minutes: f64,
}

/// Every preset; the first opens the page.
pub static PRESETS: &[Preset] = &[
    caging::VM,
    caging::METAL,
    caging::NINE_ON_SIX,
    caging::TWO_INSTANCES,
    queue::CPU_QUEUE,
    lpar::SMT4,
    affinity::TPCC,
    affinity::HACKBENCH,
    service::STARVED,
    hosts::TWO_HOSTS,
    redo::HEAVY,
    redo::MODERATE,
    redo::STARVED,
    redo::SLOW,
    cluster::STARVED_LMS,
    cluster::SLOW_REDO,
    sequence::NOCACHE,
    access::SMALL_TABLE,
    access::BITMAP,
    parallel::PX_ACROSS_NODES,
    yours::HOST,
];

/// The preset called `id`.
pub fn find(id: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.id == id)
}

impl Preset {
    /// Its scenario, and what is wrong with its own table (nothing, as a test shows).
    pub fn scenario(&'static self) -> (Scenario, Problems) {
        let mut scenario = Scenario::blank(self.nodes, self.instances.len());
        for (shape, &node) in scenario.instances.iter_mut().zip(self.instances) {
            shape.node = node;
        }
        scenario.preset = Some(self);
        let mut problems = Problems::default();
        crate::decode::layer(&mut scenario, self.set.iter().copied(), "", &mut problems);
        (scenario, problems)
    }
}
