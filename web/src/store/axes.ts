/** What the sweep chart stands on: any metric of the catalogue upwards, any knob sideways. */
import { mostMeasured, type Measured } from "../analysis";
import { findKnob, gridOf, type Catalogue, type Knob, type KnobValue, type Metric, type Preset } from "../engine";
import { inForce, reachOf, roundUp, threadsOf } from "./reach";
import { CLUSTER_NODES, scopeOfKey } from "./scope";
import { actsOnEither, presetOf, sideOf, type Pair } from "./values";

export const CHEAP_METRICS: ReadonlySet<string> = new Set(["throughput_lio", "response_mean_ms"]);

const THROUGHPUT: Metric = { id: "throughput_lio", title: "Logical reads", unit: "LIO/s", better: "up" };

/** The knob sideways. A word's place is its number in the knob's list. */
export interface XAxis {
  readonly knob: string;
  readonly words: readonly string[] | null;
  readonly from: number;
  readonly to: number;
  readonly scale: "linear" | "log";
  readonly grid: readonly number[];
}

const LOG_POINTS = 22;
/** A knob that may go so much further than where it stands shows less than all of its range. */
const FAR = 20;
const ROOM = 4;
const LOAD_ROOM = 1.5;
/** Neighbours on an axis are a step, or at most so much of their value, apart. */
const APART = 0.12;
/** Points of a curve at most; where that is too few they are further apart. */
const MOST = 48;

/** The group of knobs that say how scenarios are run, not what they are: both sides share them. */
export const RUN = "Run";

/** Numbers and words can be swept; lists cannot, and nothing is learned from sweeping the seed. */
export function isSweepable(knob: Knob): boolean {
  return knob.group !== RUN && (knob.kind === "integer" || knob.kind === "number" || knob.kind === "choice");
}

export function metricOf(catalogue: Catalogue, preset: Preset, y: string | null): Metric {
  const wanted = y ?? preset.metric;
  return catalogue.metrics.find(({ id }) => id === wanted) ?? catalogue.metrics[0] ?? THROUGHPUT;
}

function rangeOf(
  catalogue: Catalogue, pair: Pair, knob: Knob, key: string, also: readonly number[],
): readonly [number, number] {
  const own = presetOf(catalogue, pair.preset).ranges[knob.id];
  const values = [...inForce(catalogue, pair, key), ...also];
  const reach = reachOf(catalogue, pair, knob, key, own ?? { min: knob.min ?? 0, max: knob.max ?? 100 }, values);
  const here = values.map(Number);
  const about = Math.max(...here, Number(knob.default) || 0, knob.step ?? 0, 1);
  return own === undefined && knob.scale !== "log" && reach.max > FAR * about
    ? [reach.min, Math.min(reach.max, roundUp(ROOM * about))]
    : [reach.min, reach.max];
}

/** Evenly spaced in the logarithm, in numbers of two digits; zero, where the knob has one, stands before them. */
function logGrid(from: number, to: number, isWhole: boolean): number[] {
  const low = from > 0 ? from : Math.min(to, Math.max(isWhole ? 1 : 0, to / 10_000));
  const points = Array.from({ length: LOG_POINTS }, (_, i) => {
    const value = Number((low * (to / low) ** (i / (LOG_POINTS - 1))).toPrecision(2));
    return isWhole ? Math.round(value) : value;
  });
  return [
    ...new Set([...(from > 0 ? [from] : [0]), ...points.filter((value) => value > from && value < to), to]),
  ].toSorted((a, b) => a - b);
}

/** Steps that a person would choose: the knob's own, or as many of them as give some twenty points. */
function linearGrid(knob: Knob, from: number, to: number): number[] {
  const step = knob.kind === "integer" ? 1 : knob.step;
  if (step === null || step <= 0) return gridOf(from, to, null);
  const stride = Math.max(step, roundUp((to - from) / 25 / step) * step);
  const inner = Array.from({ length: Math.ceil((to - from) / stride) - 1 }, (_, i) =>
    Number(((Math.floor(from / stride) + i + 1) * stride).toPrecision(9)),
  );
  return [...new Set([from, ...inner.filter((value) => value > from && value < to), to])];
}

/** 1, 2 and 5 times powers of ten. A whole number from zero on goes on with 2: one more than nothing is mostly none. */
function decades(from: number, to: number): number[] {
  const inner = [];
  for (let power = 10 ** Math.floor(Math.log10(Math.max(from, 1))); power < to; power *= 10)
    inner.push(power, 2 * power, 5 * power);
  return [...new Set([from, ...inner.filter((value) => value > Math.max(from, 1) && value < to), to])];
}

/** Neighbours are a step or so much of their value apart: curves bend at the foot, and are long above. */
function denseGrid(from: number, to: number, step: number, apart = APART): number[] {
  const grid = [from];
  for (let last = from; last < to; ) {
    const further = from + Math.floor(((1 + apart) * last - from) / step + 1e-9) * step;
    last = Math.min(to, Number(Math.max(last + step, further).toPrecision(12)));
    grid.push(last);
  }
  return grid.length > MOST ? denseGrid(from, to, step, 2 * apart) : grid;
}

function sweptGrid(catalogue: Catalogue, pair: Pair, knob: Knob, key: string, from: number, to: number): number[] {
  const { sweep } = presetOf(catalogue, pair.preset);
  if (sweep.step === 0) return decades(from, to);
  const step = knob.kind === "integer" ? 1 : sweep.step;
  const grid = step === null ? gridOf(from, to, null) : denseGrid(from, to, step);
  const threads = knob.id === "sessions" ? threadsOf(sideOf(catalogue, pair, "B"), key) : from;
  return threads > from && threads < to ? [...new Set([...grid, threads])].toSorted((a, b) => a - b) : grid;
}

/** The axis of the preset's own sweep: as far as the host and the values in force ask for. */
function sweptAxis(
  catalogue: Catalogue, pair: Pair, knob: Knob, key: string, also: readonly number[],
): XAxis {
  const { sweep, ranges } = presetOf(catalogue, pair.preset);
  const own = ranges[knob.id] ?? { min: sweep.from, max: sweep.to };
  const reach = reachOf(catalogue, pair, knob, key, own, [...inForce(catalogue, pair, key), ...also]);
  const to = reach.max === own.max ? sweep.to : reach.max > own.max ? reach.max : Math.min(sweep.to, reach.max);
  const from = Math.min(sweep.from, reach.min, to);
  const scale = to > FAR * sweep.to || (knob.scale === "log" && sweep.step === 0) ? "log" : "linear";
  return { knob: key, words: null, from, to, scale, grid: sweptGrid(catalogue, pair, knob, key, from, to) };
}

/** What says how much there is to do, whichever way it comes: one of them acts. */
const LOADS: ReadonlySet<string> = new Set(["sessions", "arrivals_per_s", "message_groups"]);

/** The first part, where each has a value of its own on both sides: then one for all of them changes nothing. */
function ownPart(catalogue: Catalogue, pair: Pair, knob: Knob, key: string): string | null {
  const parts = sideOf(catalogue, pair, "B").scopes.partsOf(knob, key);
  const isSaid = (part: string): boolean =>
    (["A", "B"] as const).every((side) => sideOf(catalogue, pair, side).isSaid(part));
  return parts.length > 1 && parts.every(isSaid) ? (parts[0] ?? null) : null;
}

/** The preset's own knob; where it changes nothing on either side the load that does, else a knob in front. */
function sweptKey(catalogue: Catalogue, pair: Pair): string {
  const own = presetOf(catalogue, pair.preset).sweep.knob;
  const acts = (key: string): boolean => actsOnEither(catalogue, pair, key);
  const knob = findKnob(catalogue, own);
  if (knob === null) return own;
  if (acts(own)) return ownPart(catalogue, pair, knob, own) ?? own;
  const inFront = catalogue.knobs.filter((knob) => knob.front && knob.name_scope !== "kind" && isSweepable(knob));
  return [...LOADS, ...inFront.map(({ id }) => id)].find(acts) ?? own;
}

/** The knob sideways: what was asked for, else what is swept. */
export function axisKeyOf(catalogue: Catalogue, pair: Pair, x: string | null): string {
  const isThere = (key: string): boolean => sideOf(catalogue, pair, "B").scopes.has(scopeOfKey(key));
  // What stands there by itself may speak of a host that is left out.
  const wanted = x ?? presetOf(catalogue, pair.preset).sweep.knob;
  if (!isThere(wanted)) return CLUSTER_NODES;
  return x ?? sweptKey(catalogue, pair);
}

/** A load of which the preset says nothing: from little to half as much again as there is. Places beyond what the
    host can do are none. */
function loadAxis(catalogue: Catalogue, pair: Pair, knob: Knob, key: string, also: readonly number[]): XAxis {
  const isWhole = knob.kind === "integer";
  const values = [...inForce(catalogue, pair, key), ...also].map(Number);
  const most = LOAD_ROOM * Math.max(...values, isWhole ? Number(knob.default) : 0);
  const to = Math.min(knob.max ?? most, isWhole ? Math.ceil(most) : Number(most.toPrecision(2)));
  const step = isWhole ? 1 : Number(roundUp(to / 25).toPrecision(9));
  const from = Math.min(step, ...values);
  const grid = isWhole ? denseGrid(from, to, step) : linearGrid({ ...knob, step }, from, to);
  return { knob: key, words: null, from, to, scale: "linear", grid };
}

/** Under a hand the axis keeps the ends that it had before: `held` is the pair of that time. */
export function xAxisOf(
  catalogue: Catalogue, present: Pair, x: string | null, held: Pair | null = null, points: Measured | null = null,
): XAxis {
  const pair = held ?? present;
  const preset = presetOf(catalogue, pair.preset);
  const key = axisKeyOf(catalogue, pair, x);
  const knob = findKnob(catalogue, key);
  if (knob?.kind === "choice") {
    const words = knob.choices ?? [];
    return { knob: key, words, from: 0, to: words.length - 1, scale: "linear", grid: words.map((_, i) => i) };
  }
  if (knob === null) {
    const { from, to, step } = preset.sweep;
    return { knob: key, words: null, from, to, scale: "linear", grid: gridOf(from, to, step) };
  }
  if (key === preset.sweep.knob) return sweptAxis(catalogue, pair, knob, key, mostMeasured(points, key));
  if (LOADS.has(knob.id) && preset.ranges[knob.id] === undefined)
    return loadAxis(catalogue, pair, knob, key, mostMeasured(points, key));
  const [from, to] = rangeOf(catalogue, pair, knob, key, mostMeasured(points, key));
  const grid = knob.scale === "log" ? logGrid(from, to, knob.kind === "integer") : linearGrid(knob, from, to);
  return { knob: key, words: null, from, to, scale: knob.scale ?? "linear", grid };
}

/** The values of a knob at which a hand on the axis stops. */
export interface Steps {
  readonly step: number | null;
  readonly isWhole: boolean;
}

/** Words have a place each. */
export function stepsOf(knob: Knob | null): Steps {
  if (knob === null || knob.kind === "choice") return { step: 1, isWhole: true };
  return { step: knob.step, isWhole: knob.kind === "integer" };
}

export function placeOn(axis: Pick<XAxis, "words">, value: KnobValue): number {
  return axis.words === null ? Number(value) : Math.max(0, axis.words.indexOf(String(value)));
}

export function valueOn(axis: Pick<XAxis, "words">, place: number): KnobValue {
  return axis.words === null ? place : (axis.words[place] ?? "");
}

/** Knobs that may stand on the horizontal axis, scoped ones of this scenario included. */
export function sweepable(catalogue: Catalogue, keys: readonly string[]): readonly string[] {
  return keys.filter((key) => {
    const knob = findKnob(catalogue, key);
    return knob !== null && isSweepable(knob);
  });
}
