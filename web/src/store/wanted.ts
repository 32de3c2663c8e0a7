/**
 * Which runs the present state needs, in the order to do them. Pure: effects compares it with what is known and under
 * way.
 */
import { findKnob, sketchOf, visitOrder, type RunOptions } from "../engine";
import { CHEAP_METRICS } from "./axes";
import { metricOfKey, queryOfKey, timelineKey, WHOLE, withKnob, type Keys, type MapKeys, type WholePair } from "./keys";
import { areHalves } from "./results";
import type { AppState } from "./state";
import { valueIn } from "./values";

/** Relative half-width at which the page stops refining, unless the link says otherwise. */
const PAGE_PRECISION = 0.03;
/** The event budget of a run where nothing names one. */
const PAGE_EVENTS = 20_000_000;
/** The share of it that a point of a percentile may take where the handle does not stand: close to a queue's limit
    such a figure scatters so much that each of twenty points would spend all of it. The point shows the interval it
    came to, and that its budget ended. */
const TAIL_SHARE = 0.1;
/** What pairs asked for by hand are compared by. */
const VARIANT_METRIC = "throughput_transactions";
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

/** Across the curve: a sketch of all, then each place as precise as asked, those near where one stands first. */
function planMap(plan: Plan, { place, xs, rows }: MapKeys, x: number): void {
  const columns = visitOrder(xs, x);
  const order = rows.toSorted((one, other) => Math.abs(one.place - place) - Math.abs(other.place - place));
  plan.points(order.flatMap(({ curveA, curveB }) => [curveB, curveA]), columns, "coarse");
  for (const { curveA, curveB } of order) {
    if (curveA === curveB) plan.points([curveB], columns, "precise enough");
    else plan.pairsOf(curveB, curveA, columns);
  }
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
    if (keys.map !== null) planMap(plan, keys.map, keys.x);
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
