/**
 * Which runs the present state needs, in the order to do them. Pure: effects compares it with what is known and under
 * way.
 */
import {
  asKnobValue, findKnob, sketchOf, visitOrder, type Catalogue, type KnobValue, type KnobValues, type Metric,
  type Preset, type RunOptions,
} from "../engine";
import type { Measured } from "../analysis";
import type { AppState } from "./state";
import { memoLast } from "../base/memo";
import { axisKeyOf, CHEAP_METRICS, metricOf, placeOn, valueOn, xAxisOf, type XAxis } from "./axes";
import { growthOf } from "./reach";
import { areHalves } from "./results";
import { CLUSTER_NODES, scopeOfKey } from "./scope";
import { actsOnEither, presetOf, queryOf, sideOf, valueIn, type Pair } from "./values";

/** Relative half-width at which the page stops refining, unless the link says otherwise. */
const PAGE_PRECISION = 0.03;
/** The event budget of a run where nothing names one. */
const PAGE_EVENTS = 20_000_000;
/** The share of it that a point of a percentile may take where the handle does not stand: close to a queue's limit
    such a figure scatters so much that each of twenty points would spend all of it. The point shows the interval it
    came to, and that its budget ended. */
const TAIL_SHARE = 0.1;
const HINGE_POINTS = 9;
/** What pairs asked for by hand are compared by. */
const VARIANT_METRIC = "throughput_transactions";
/** What sessions that end are, as the name of a curve says it. */
const BY_END = " of=elapsed_s";
/** Slices that a run keeps for the lanes beside the curve, and for the timeline. */
const LANE_SLICES = 4_096;
const TIMELINE_SLICES = 131_072;

export type Wanted =
  | {
      readonly kind: "point";
      readonly curve: string;
      readonly x: number;
      readonly query: string;
      readonly options: RunOptions;
      /** A first sketch that came out precise enough is answer enough. */
      readonly mayBeCoarse: boolean;
      /** The curve of A, where both points come from one run. */
      readonly other: string | null;
    }
  | {
      readonly kind: "full" | "timeline";
      readonly full: string;
      readonly query: string;
      readonly options: RunOptions;
      /** The full run of A, where both come from one run. */
      readonly other: string | null;
    };

/** Names of the answers behind what the page shows. */
export interface Keys {
  readonly metric: Metric;
  readonly axis: XAxis;
  /** Where B stands on the axis. */
  readonly x: number;
  readonly fullA: string;
  readonly fullB: string;
  readonly curveA: string;
  readonly curveB: string;
  readonly family: readonly { readonly value: number; readonly curve: string }[];
  /** Pairs of whole scenarios, each at its own place on the axis. */
  readonly hinge: readonly ({ readonly value: number } & WholePair)[];
  /** What a published difference could come from; asked for by hand. */
  readonly variants: readonly ({ readonly label: string } & WholePair)[];
}

/** Points of scenarios that have their place on the axis already. */
export interface WholePair {
  readonly curveA: string;
  readonly curveB: string;
}

/** Where they stand among the points of their curves, which have no other. */
export const WHOLE = 0;

/** The part of the state on which answers depend. */
interface Scope extends Pair {
  readonly catalogue: Catalogue;
  readonly seed: number;
  readonly budgetFactor: number;
  readonly y: string | null;
  readonly xKnob: string | null;
  /** The axis reaches them. */
  readonly points: Measured | null;
  /** The pair before the hand that is on the axis's knob. */
  readonly held: Pair | null;
}

/** A curve's or run's name is its scenario with the seed and budget, so that Back and undo find what is known. */
function keyOf(scope: Scope, query: string): string {
  const budget = scope.budgetFactor === 1 ? "" : ` budget×${scope.budgetFactor}`;
  return `${query} seed=${scope.seed}${budget}`;
}

export function queryOfKey(key: string): string {
  return key.slice(0, key.indexOf(" "));
}

/** What a query says of hosts is left out where there are fewer. */
function ofHosts(query: string, nodes: number): string {
  const [preset = "", text = ""] = query.split("?");
  const said = [...new URLSearchParams(text)].filter(([key]) => {
    const { instance, node } = scopeOfKey(key);
    return Math.max(instance ?? 1, node ?? 1) <= nodes;
  });
  return said.length === 0 ? preset : `${preset}?${new URLSearchParams(said).toString()}`;
}

function withKnob(whole: string, axis: XAxis, x: number): string {
  const query = axis.knob === CLUSTER_NODES ? ofHosts(whole, x) : whole;
  return `${query}${query.includes("?") ? "&" : "?"}${encodeURIComponent(axis.knob)}=`
    + encodeURIComponent(valueOn(axis, x));
}

/** Evenly spaced on the knob's own scale, ends included. */
function spaced(from: number, to: number, count: number, scale: "linear" | "log"): number[] {
  const isLog = scale === "log" && from > 0;
  return Array.from({ length: count }, (_, i) => {
    const t = i / (count - 1);
    const value = isLog ? from * (to / from) ** t : from + (to - from) * t;
    return Number(value.toPrecision(3));
  });
}

/** Points of one curve share its axis; those of throughput are too short for any other metric. */
function curveKey(scope: Scope, query: string, xKnob: string, metric: Metric): string {
  const of = metric.id === "throughput_lio" ? "" : ` of=${metric.id}`;
  return `${keyOf(scope, query)} by=${xKnob}${of}`;
}

function metricOfKey(key: string): string | undefined {
  return / of=(\S+)$/.exec(key)?.[1];
}

/** Two curves whose points stand on the same axes. */
export function areOnOneAxis(one: string, other: string): boolean {
  const axes = (key: string): string => key.slice(key.indexOf(" by="));
  return axes(one) === axes(other);
}

function wholePair(scope: Scope, moreA: KnobValues, moreB: KnobValues): WholePair {
  const curve = (side: "A" | "B", more: KnobValues): string =>
    `${keyOf(scope, queryOf(scope.catalogue, scope, side, more))} whole`;
  return { curveA: curve("A", moreA), curveB: curve("B", moreB) };
}

function hingeKeys(scope: Scope): Keys["hinge"] {
  const { catalogue } = scope;
  const { hinge } = presetOf(catalogue, scope.preset);
  if (hinge === null || scope.ghost[hinge.knob] !== undefined || Object.keys(scope.ghost).length === 0) return [];
  if (!actsOnEither(catalogue, scope, hinge.knob)) return [];
  const scale = findKnob(catalogue, hinge.knob)?.scale ?? "log";
  return spaced(hinge.from, hinge.to, HINGE_POINTS, scale).map((value) => {
    const more = { [hinge.knob]: value };
    return { value, ...wholePair(scope, more, more) };
  });
}

function variantKeys(scope: Scope): Keys["variants"] {
  const { catalogue } = scope;
  const { variants } = presetOf(catalogue, scope.preset);
  if (variants === null || Object.keys(scope.ghost).length === 0) return [];
  const known = (values: KnobValues): KnobValues =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, asKnobValue(value, findKnob(catalogue, key))]),
    );
  return variants.rows.map(({ label, both, b }) => {
    const all = known(both);
    return { label, ...wholePair(scope, all, { ...all, ...known(b) }) };
  });
}

/** Those of the preset, in proportion to the threads of the host in force. */
function familyValues(scope: Scope, { knob, values }: NonNullable<Preset["family"]>): readonly number[] {
  const growth = knob === "cpu_count" ? growthOf(scope.catalogue, scope, knob) : 1;
  return [...new Set(values.map((value) => Math.max(1, Math.round(value * growth))))];
}

function keysOfScope(scope: Scope): Keys {
  const { catalogue } = scope;
  const preset = presetOf(catalogue, scope.preset);
  const metric = metricOf(catalogue, preset, scope.y);
  const axis = xAxisOf(catalogue, scope, scope.xKnob, scope.held, scope.points);
  const curve = (side: "A" | "B", more: Record<string, KnobValue> = {}): string =>
    curveKey(scope, queryOf(catalogue, scope, side, more, axis.knob), axis.knob, metric);
  const { family } = preset;
  // A family of equal curves says nothing.
  const families =
    family !== null && family.knob !== axis.knob && sideOf(catalogue, scope, "B").acts(family.knob)
      ? familyValues(scope, family)
      : [];
  return {
    metric,
    axis,
    x: placeOn(axis, valueIn(catalogue, scope, "B", axis.knob)),
    fullA: keyOf(scope, queryOf(catalogue, scope, "A")),
    fullB: keyOf(scope, queryOf(catalogue, scope, "B")),
    curveA: curve("A"),
    curveB: curve("B"),
    family: families.map((value) => ({ value, curve: curve("B", { [family?.knob ?? ""]: value }) })),
    hinge: hingeKeys(scope),
    variants: variantKeys(scope),
  };
}

/** Remembered: the reducer, the selectors and the effects all ask for the same state. */
const keysOfParts = memoLast(
  (
    catalogue: Catalogue, preset: string, base: KnobValues, ghost: KnobValues, seed: number, budgetFactor: number,
    y: string | null, xKnob: string | null, held: Pair | null, points: Measured | null,
  ): Keys => keysOfScope({ catalogue, preset, base, ghost, seed, budgetFactor, y, xKnob, held, points }),
);

function heldOf({ catalogue, view, inHand }: AppState): Pair | null {
  return inHand !== null && inHand.id === axisKeyOf(catalogue, inHand.pair, view.x) ? inHand.pair : null;
}

/** Whether it is known of both sides that their sessions end. */
function areEnded({ results: { fulls } }: AppState, { fullA, fullB }: Keys): boolean {
  return [fullA, fullB].every((key) => (fulls.get(key)?.fine?.report.ended.length ?? 0) > 0);
}

/** What the answer hangs on is then another figure: its points have names of their own, and are asked for anew. */
const byEnd = memoLast((keys: Keys): Keys => ({
  ...keys,
  hinge: keys.hinge.map(({ value, curveA, curveB }) => ({
    value, curveA: curveA + BY_END, curveB: curveB + BY_END,
  })),
}));

export function keysOf(state: AppState): Keys {
  const keys = keysOfParts(
    state.catalogue, state.preset, state.base, state.ghost, state.view.seed, state.budgetFactor, state.view.y,
    state.view.x, heldOf(state), state.view.points,
  );
  return keys.hinge.length > 0 && areEnded(state, keys) ? byEnd(keys) : keys;
}

/** The run behind the timeline. */
export function timelineKey(state: AppState, keys: Keys): string {
  return state.view.timelineSide === "a" ? keys.fullA : keys.fullB;
}

export function precisionOf(state: AppState): number {
  return Number(state.base["precision"] ?? PAGE_PRECISION);
}

/** The event budget after “Run longer”; null: as the scenario says. */
export function budgetOf(state: AppState): number | null {
  if (state.budgetFactor === 1) return null;
  const knob = findKnob(state.catalogue, "max_events");
  const own = knob === null ? PAGE_EVENTS : Number(valueIn(state.catalogue, state, "B", "max_events"));
  return Math.min(own * state.budgetFactor, knob?.max ?? Number.MAX_SAFE_INTEGER);
}

class Plan {
  readonly list: Wanted[] = [];
  private readonly seen = new Set<string>();
  private readonly state: AppState;
  private readonly keys: Keys;

  constructor(state: AppState, keys: Keys) {
    this.state = state;
    this.keys = keys;
  }

  points(curves: readonly string[], xs: readonly number[], fineness: "coarse" | "fine" | "precise enough"): void {
    for (const x of xs)
      for (const curve of curves) this.point(curve, x, fineness === "coarse", fineness === "precise enough");
  }

  full(full: string, isCoarse: boolean): void {
    this.add(`${full} ${isCoarse}`, {
      kind: "full", full, query: queryOfKey(full), options: this.options("full", isCoarse), other: null,
    });
  }

  /** B and A as precise as asked, looked at together: equal starts and horizons. */
  pair(): void {
    const { fullB, fullA } = this.keys;
    if (fullA === fullB) return this.full(fullB, false);
    const options = { ...this.options("full", false), against: queryOfKey(fullA) };
    this.add(`${fullB} ${fullA} false`, { kind: "full", full: fullB, query: queryOfKey(fullB), options, other: fullA });
  }

  pairsOf(b: string, a: string, xs: readonly number[]): void {
    if (a === b) return this.points([b], xs, "fine");
    for (const x of xs) this.point(b, x, false, false, a);
  }

  /** Two scenarios that stand where they stand. */
  whole({ curveA, curveB }: WholePair, metric = metricOfKey(curveB)): void {
    const query = queryOfKey(curveB);
    const options = {
      ...this.options("point", false), against: queryOfKey(curveA), ...(metric === undefined ? {} : { metric }),
    };
    this.add(`${curveB} ${curveA}`, {
      kind: "point", curve: curveB, x: WHOLE, query, options, mayBeCoarse: false, other: curveA,
    });
  }

  timeline(full: string, isCoarse: boolean): void {
    const options = { ...this.options("full", isCoarse), record: TIMELINE_SLICES };
    this.add(`timeline ${full} ${isCoarse}`, { kind: "timeline", full, query: queryOfKey(full), options, other: null });
  }

  private point(curve: string, x: number, isCoarse: boolean, mayBeCoarse: boolean, other: string | null = null): void {
    const at = (key: string): string => withKnob(queryOfKey(key), this.keys.axis, x);
    const options = {
      ...this.options("point", isCoarse), ...this.curveOf(metricOfKey(curve), x),
      ...(other === null ? {} : { against: at(other) }),
    };
    this.add(`${curve} ${other} ${x} ${isCoarse}`, {
      kind: "point", curve, x, query: at(curve), options, mayBeCoarse, other,
    });
  }

  private curveOf(metric: string | undefined, x: number): Partial<RunOptions> {
    if (metric === undefined) return {};
    const isFree = x === this.keys.x || this.state.base["max_events"] !== undefined;
    if (isFree || !metric.includes("_p99_")) return { metric };
    return { metric, maxEvents: TAIL_SHARE * (budgetOf(this.state) ?? PAGE_EVENTS) };
  }

  private options(goal: RunOptions["goal"], coarse: boolean): RunOptions {
    const maxEvents = budgetOf(this.state);
    const options = {
      goal, coarse, precision: precisionOf(this.state), seed: this.state.view.seed,
      record: goal === "full" ? LANE_SLICES : 0,
    };
    const metric = goal === "full" && !CHEAP_METRICS.has(this.keys.metric.id) ? { metric: this.keys.metric.id } : {};
    return { ...options, ...metric, ...(maxEvents === null ? {} : { maxEvents }) };
  }

  private add(name: string, wanted: Wanted): void {
    if (this.seen.has(name)) return;
    this.seen.add(name);
    this.list.push(wanted);
  }
}

/**
 * Under the finger: everything coarse. The new point, the curve's sketch, both sides of the matrix; the rest if there
 * is time.
 */
function planDrag(plan: Plan, keys: Keys, families: readonly string[]): void {
  const visit = visitOrder(keys.axis.grid, keys.x);
  const sketch = sketchOf(keys.axis.grid).length;
  plan.points([keys.curveB], visit.slice(0, sketch), "coarse");
  plan.full(keys.fullB, true);
  plan.full(keys.fullA, true);
  plan.points([keys.curveA], visit.slice(0, sketch), "coarse");
  plan.points([keys.curveB, keys.curveA], visit, "coarse");
  plan.points(families, visit.slice(0, sketch), "coarse");
  plan.points(families, visit.slice(sketch), "coarse");
}

/** At rest: a sketch of every curve, then all of it as precise as asked; then what the answer hangs on. */
function planRest(plan: Plan, keys: Keys, families: readonly string[]): void {
  const { curveA, curveB, x } = keys;
  const visit = visitOrder(keys.axis.grid, x);
  const sketch = sketchOf(keys.axis.grid).length;
  const both = (): void => {
    plan.full(keys.fullB, true);
    plan.full(keys.fullA, true);
  };
  // A point of such a metric costs as much as what all panels show, which then comes first.
  if (!CHEAP_METRICS.has(keys.metric.id)) both();
  plan.points([curveB, curveA, ...families], visit.slice(0, sketch), "coarse");
  both();
  plan.pairsOf(curveB, curveA, [x]);
  plan.pair();
  plan.points(families, visit.slice(sketch), "coarse");
  plan.pairsOf(curveB, curveA, visit);
  plan.points(families, visit, "precise enough");
  for (const pair of keys.hinge) plan.whole(pair);
}

/** The timeline shows one side; of the rest only what the sentences need. */
function planTimeline(plan: Plan, keys: Keys, shown: string, isInHand: boolean): void {
  for (const isCoarse of isInHand ? [true] : [true, false]) {
    plan.timeline(shown, isCoarse);
    if (isCoarse) {
      plan.full(keys.fullB, true);
      plan.full(keys.fullA, true);
    } else plan.pair();
  }
}

export function wantedOf(state: AppState, keys: Keys): readonly Wanted[] {
  const plan = new Plan(state, keys);
  if (state.view.view === "timeline") {
    planTimeline(plan, keys, timelineKey(state, keys), state.inHand !== null);
    return plan.list;
  }
  const families = keys.family.map(({ curve }) => curve);
  plan.points([keys.curveB, keys.curveA], [keys.x], "coarse");
  if (state.inHand !== null) planDrag(plan, keys, families);
  else {
    planRest(plan, keys, families);
    if (state.variantsOf === state.preset) for (const pair of keys.variants) plan.whole(pair, VARIANT_METRIC);
  }
  return plan.list;
}

/** Both halves of the very pair: one of another pair was looked at for another time. */
function isKnownPair({ results: { fulls, curves } }: AppState, wanted: Wanted, other: string): boolean {
  const [b, a] =
    wanted.kind === "point"
      ? [curves.get(wanted.curve)?.fine.get(wanted.x), curves.get(other)?.fine.get(wanted.x)]
      : [fulls.get(wanted.full)?.fine, fulls.get(other)?.fine];
  return areHalves(a, b);
}

/** A coarse answer is not needed where the fine one is there. */
export function isKnown(state: AppState, wanted: Wanted): boolean {
  const { fulls, curves, timeline } = state.results;
  if (wanted.kind === "timeline")
    return timeline?.full === wanted.full && (wanted.options.coarse || !timeline.isCoarse);
  if (wanted.other !== null) return isKnownPair(state, wanted, wanted.other);
  if (wanted.kind !== "point") {
    const entry = fulls.get(wanted.full);
    return entry !== undefined && (entry.fine !== null || (wanted.options.coarse && entry.coarse !== null));
  }
  const entry = curves.get(wanted.curve);
  if (entry === undefined || entry.fine.has(wanted.x)) return entry !== undefined;
  const coarse = entry.coarse.get(wanted.x);
  if (coarse === undefined || wanted.options.coarse) return coarse !== undefined;
  return wanted.mayBeCoarse && coarse.precision !== null && coarse.precision <= wanted.options.precision;
}

export function pointName(curve: string, x: number, isCoarse: boolean): string {
  return `point ${isCoarse ? "coarse" : "fine"} ${curve} x=${x}`;
}

export function nameOf(wanted: Wanted): string {
  const against = wanted.other === null ? "" : ` against ${wanted.other}`;
  if (wanted.kind === "point") return pointName(wanted.curve, wanted.x, wanted.options.coarse) + against;
  return `${wanted.kind} ${wanted.options.coarse ? "coarse" : "fine"} ${wanted.full}${against}`;
}
