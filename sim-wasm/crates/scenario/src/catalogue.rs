//! The tables of knobs, presets and events as JSON, so that the page has no second copy of any of them.

use crate::acts::presence;
use crate::address::{Address, ProcessKind};
use crate::decode::{Limits, LIMITS, VIEW_KEYS};
use crate::events::{events, EventInfo};
use crate::figures::listings::{Listing, LISTINGS};
use crate::figures::snapshots::{CacheSnapshot, Snapshot, CACHE_SNAPSHOTS, SNAPSHOTS};
use crate::figures::{self, FigureInfo};
use crate::json::{Json, Map};
use crate::knob::{Case, DefaultValue, Group, Kind, Knob, NameScope, Scale, Status};
use crate::knobs::KNOBS;
use crate::linear::Linear;
use crate::metrics::{Metric, MetricInfo, METRICS};
use crate::presets::{Pairs, Preset, Variant, Variants, PRESETS};
use crate::scenario::Scenario;
use crate::terms::{Term, TERMS};
use crate::value::most_entries;
use crate::value::Value;
use crate::when::When;
use crate::works::{Work, WORKS};
use serde::Serialize;
use wwi_model::measure::events::ACTIVITIES;

#[cfg(feature = "typescript")]
use ts_rs::TS;

/// All tables.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct Catalogue {
    version: u32,
    knobs: Vec<KnobRow>,
    /// Titles of the groups of knobs, in the order in which they are listed.
    groups: Vec<&'static str>,
    /// Process kinds that have values of their own, and when a host has processes of each.
    process_kinds: Vec<KindRow>,
    /// What a link may hold.
    limits: Limits,
    /// Keys of the page's own state that may be said without `view.`.
    view_keys: &'static [&'static str],
    presets: Vec<PresetRow>,
    events: Vec<EventInfo>,
    metrics: Vec<MetricInfo>,
    /// What a process can be doing, by the number that the column `timeline/activity` has.
    activities: Vec<ActivityRow>,
    published: Vec<FigureInfo>,
    /// Published reports of Statspack.
    snapshots: &'static [Snapshot],
    cache_snapshots: &'static [CacheSnapshot],
    /// Published listings of tkprof.
    listings: &'static [Listing],
    /// Words that the page explains.
    terms: &'static [Term],
    /// Works that sources name, and where they are.
    works: &'static [Work],
}

/// One row of the table of knobs.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS), ts(rename = "Knob"))]
pub struct KnobRow {
    id: &'static str,
    #[cfg_attr(feature = "typescript", ts(type = "\"run\" | \"node\" | \"instance\" | \"kind\""))]
    name_scope: &'static str,
    /// Title of its group.
    group: &'static str,
    #[cfg_attr(feature = "typescript", ts(type = "\"integer\" | \"number\" | \"choice\" | \"vector\" | \"cpus\""))]
    kind: &'static str,
    unit: Option<&'static str>,
    /// How sentences say a value, `{}`: of what is counted one and many, with a bar between; else name and value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    said: Option<&'static str>,
    min: Option<f64>,
    max: Option<f64>,
    step: Option<f64>,
    #[cfg_attr(feature = "typescript", ts(type = "\"linear\" | \"log\""))]
    scale: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    choices: Option<&'static [&'static str]>,
    /// Entries of a vector at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    most_entries: Option<usize>,
    #[cfg_attr(feature = "typescript", ts(type = "number | string"))]
    default: Json,
    /// The default in words, where it depends on other values.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    default_words: Option<String>,
    /// Defaults that hold under conditions; the first whose condition holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    default_cases: Option<&'static [Case]>,
    /// The default is the product of these knobs of the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    default_product: Option<&'static [&'static str]>,
    /// The default follows this number of the same place, within the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    default_linear: Option<Linear>,
    /// Under which values it can change anything.
    acts: When,
    /// Shown at first; others are one press away.
    front: bool,
    help: &'static str,
    source: &'static str,
    #[cfg_attr(feature = "typescript", ts(type = "\"constant\" | \"calibrated\" | \"free\""))]
    status: &'static str,
    restart: bool,
}

/// A process kind.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS), ts(rename = "ProcessKindRow"))]
pub struct KindRow {
    id: &'static str,
    /// What has processes of it.
    #[cfg_attr(feature = "typescript", ts(type = "\"host\" | \"instance\""))]
    per: &'static str,
    /// When there are any.
    present: When,
}

/// What a process can be doing.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS), ts(rename = "Activity"))]
pub struct ActivityRow {
    event: &'static str,
    class: &'static str,
    /// Whether it is an instrumented wait of the database.
    is_wait: bool,
}

/// A scenario with a name.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS), ts(rename = "Preset"))]
pub struct PresetRow {
    id: &'static str,
    title: &'static str,
    question: &'static str,
    note: &'static str,
    /// Hosts.
    nodes: usize,
    /// On which host each instance runs, counted from 1.
    instances: &'static [usize],
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, number | string>"))]
    set: Json,
    /// What A overrides.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, number | string>"))]
    compare: Json,
    sweep: Sweep,
    /// Metric of the vertical axis it opens with.
    metric: &'static str,
    family: Option<Family>,
    hinge: Option<HingeRow>,
    /// Ranges that suit sliders here, narrower than the knob's own.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, { min: number, max: number }>"))]
    ranges: Json,
    published: Vec<PointRow>,
    /// The panel with which the page begins, where that is not the curve.
    opens: Option<&'static str>,
    /// What a published difference could come from.
    variants: Option<VariantsInfo>,
    /// Minutes one point takes on the real machine.
    cost_note: f64,
}

/// The x axis of the curve; for a knob of words each of them is a point, and the numbers do not act.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct Sweep {
    /// Address: `sessions`, `class@service`.
    knob: &'static str,
    from: f64,
    to: f64,
    step: f64,
}

/// One curve for each value.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct Family {
    knob: &'static str,
    values: &'static [f64],
}

/// The assumption an answer hangs on.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS), ts(rename = "Hinge"))]
pub struct HingeRow {
    knob: &'static str,
    from: f64,
    to: f64,
    marks: Vec<Mark>,
}

/// A value with a name.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct Mark {
    value: f64,
    label: &'static str,
}

/// What a published difference could come from: pairs of scenarios, run when asked for.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS), ts(rename = "Variants"))]
pub struct VariantsInfo {
    title: &'static str,
    rows: Vec<VariantInfo>,
    /// Throughput of A over that of B as published, and by what.
    #[cfg_attr(feature = "typescript", ts(type = "Array<[number, string]>"))]
    published: &'static [(f64, &'static str)],
}

/// A pair that differs from A and B as the preset has them.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS), ts(rename = "Variant"))]
pub struct VariantInfo {
    /// What is changed, in words.
    label: &'static str,
    /// Of both.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, number | string>"))]
    both: Json,
    /// Of B alone.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, number | string>"))]
    b: Json,
}

/// A cross on the chart.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS), ts(rename = "PublishedPoint"))]
pub struct PointRow {
    x: f64,
    y: f64,
    label: &'static str,
    #[cfg_attr(feature = "typescript", ts(type = "\"input\" | \"consistency check\" | \"prediction\""))]
    role: &'static str,
    unit: &'static str,
}

/// The catalogue as JSON on one line.
pub fn to_json() -> String {
    serde_json::to_string(&catalogue()).unwrap_or_default()
}

/// All tables.
pub fn catalogue() -> Catalogue {
    Catalogue {
        version: 1,
        knobs: KNOBS.iter().map(knob_row).collect(),
        groups: Group::ALL.iter().map(|(_, title)| *title).collect(),
        process_kinds: ProcessKind::all().map(kind_row).collect(),
        limits: LIMITS,
        view_keys: VIEW_KEYS,
        presets: PRESETS.iter().map(preset_row).collect(),
        events: events(),
        metrics: METRICS.iter().map(Metric::info).collect(),
        activities: ACTIVITIES
            .iter()
            .map(|info| ActivityRow { event: info.event, class: info.class, is_wait: info.is_wait })
            .collect(),
        published: figures::all().map(FigureInfo::of).collect(),
        snapshots: SNAPSHOTS,
        cache_snapshots: CACHE_SNAPSHOTS,
        listings: LISTINGS,
        terms: TERMS,
        works: WORKS,
    }
}

fn kind_row(kind: ProcessKind) -> KindRow {
    let per = if kind.is_per_instance() { "instance" } else { "host" };
    KindRow { id: kind.name(), per, present: presence(kind) }
}

fn knob_row(knob: &Knob) -> KnobRow {
    let is_number = !matches!(knob.kind, Kind::Choice(_) | Kind::Cpus);
    let number = |value: f64| is_number.then_some(value);
    KnobRow {
        id: knob.id,
        name_scope: match knob.scope {
            NameScope::Run => "run",
            NameScope::Node => "node",
            NameScope::Instance => "instance",
            NameScope::Kind => "kind",
        },
        group: knob.group.title(),
        kind: match knob.kind {
            Kind::Integer => "integer",
            Kind::Number => "number",
            Kind::Choice(_) => "choice",
            Kind::Vector => "vector",
            Kind::Cpus => "cpus",
        },
        unit: knob.unit,
        said: knob.said,
        min: number(knob.min),
        max: number(knob.max),
        step: number(knob.step),
        scale: match knob.scale {
            Scale::Linear => "linear",
            Scale::Log => "log",
        },
        most_entries: matches!(knob.kind, Kind::Vector).then(|| most_entries(knob)),
        choices: match knob.kind {
            Kind::Choice(words) => Some(words),
            _ => None,
        },
        default: knob.default_value().to_json(),
        default_words: knob.default_words(),
        default_cases: match knob.default {
            DefaultValue::Cases(cases, _) => Some(cases),
            _ => None,
        },
        default_product: match knob.default {
            DefaultValue::Product(names) => Some(names),
            _ => None,
        },
        default_linear: match knob.default {
            DefaultValue::Linear(linear) => Some(linear),
            _ => None,
        },
        acts: knob.acts,
        front: knob.front,
        help: knob.help,
        source: knob.source,
        status: match knob.status {
            Status::Constant => "constant",
            Status::Calibrated => "calibrated",
            Status::Free => "free",
        },
        restart: knob.restart,
    }
}

fn variants_info(scenario: &Scenario, variants: &Variants) -> VariantsInfo {
    let row = |variant: &Variant| VariantInfo {
        label: variant.label,
        both: values(scenario, variant.both),
        b: values(scenario, variant.b),
    };
    VariantsInfo { title: variants.title, rows: variants.rows.iter().map(row).collect(), published: variants.published }
}

fn preset_row(preset: &'static Preset) -> PresetRow {
    let (scenario, _) = preset.scenario();
    PresetRow {
        id: preset.id,
        title: preset.title,
        question: preset.question,
        note: preset.note,
        nodes: preset.nodes,
        instances: preset.instances,
        set: values(&scenario, preset.set),
        compare: values(&scenario, preset.compare),
        sweep: Sweep { knob: preset.sweep.0, from: preset.sweep.1, to: preset.sweep.2, step: preset.sweep.3 },
        metric: preset.metric,
        family: preset.family.map(|(knob, values)| Family { knob, values }),
        hinge: preset.hinge.map(|hinge| HingeRow {
            knob: hinge.knob,
            from: hinge.from,
            to: hinge.to,
            marks: hinge.marks.iter().map(|&(value, label)| Mark { value, label }).collect(),
        }),
        ranges: ranges(preset),
        published: preset
            .published
            .iter()
            .map(|point| PointRow { x: point.x, y: point.y, label: point.label, role: point.role, unit: point.unit })
            .collect(),
        opens: preset.opens,
        variants: preset.variants.map(|variants| variants_info(&scenario, &variants)),
        cost_note: preset.cost_minutes,
    }
}

/// Smallest and largest value by knob.
fn ranges(preset: &Preset) -> Json {
    let mut map = Map::new();
    for &(knob, min, max) in preset.ranges {
        map.insert(knob.to_owned(), Json::object(&[("min", Json::Number(min)), ("max", Json::Number(max))]));
    }
    Json::Object(map)
}

/// Pairs of a preset as a JSON object of numbers and words.
fn values(scenario: &Scenario, pairs: Pairs) -> Json {
    let mut map = Map::new();
    for (key, text) in pairs {
        let read = Address::parse(key, scenario)
            .and_then(|address| Value::from_text(address.knob, text).map(|value| (address, value)));
        if let Ok((address, value)) = read {
            map.insert(address.to_text(), value.to_json());
        }
    }
    Json::Object(map)
}
