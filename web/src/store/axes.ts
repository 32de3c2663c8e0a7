/** What the sweep chart stands on: any metric of the catalogue upwards, any knob sideways. */
import { findKnob, gridOf, type Catalogue, type Knob, type KnobValue, type Metric, type Preset } from "../engine";
import { CLUSTER_NODES, scopeOfKey } from "./scope";
import { presetOf, sideOf, valueIn, type Pair } from "./values";

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

/** 1, 2 or 5 times a power of ten, at least as large. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5, 10].find((step) => step * power >= value * 0.999_999) ?? 10);
}

function rangeOf(catalogue: Catalogue, pair: Pair, knob: Knob, key: string): readonly [number, number] {
  const own = presetOf(catalogue, pair.preset).ranges[knob.id];
  const [min, max] = own === undefined ? [knob.min ?? 0, knob.max ?? 100] : [own.min, own.max];
  const here = (["A", "B"] as const).map((side) => Number(valueIn(catalogue, pair, side, key)));
  const about = Math.max(...here, Number(knob.default) || 0, knob.step ?? 0, 1);
  return own === undefined && knob.scale === "linear" && max > FAR * about
    ? [min, Math.min(max, roundUp(ROOM * about))]
    : [min, max];
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

function sweepGrid({ sweep }: Preset, knob: Knob | null): number[] {
  return gridOf(sweep.from, sweep.to, knob?.kind === "integer" ? 1 : (sweep.step ?? null));
}

export function xAxisOf(catalogue: Catalogue, pair: Pair, x: string | null): XAxis {
  const preset = presetOf(catalogue, pair.preset);
  const wanted = x ?? preset.sweep.knob;
  // What stands there by itself may speak of a host that is left out.
  const key = sideOf(catalogue, pair, "B").scopes.has(scopeOfKey(wanted)) ? wanted : CLUSTER_NODES;
  const knob = findKnob(catalogue, key);
  if (knob?.kind === "choice") {
    const words = knob.choices ?? [];
    return { knob: key, words, from: 0, to: words.length - 1, scale: "linear", grid: words.map((_, i) => i) };
  }
  if (key === preset.sweep.knob || knob === null) {
    const { from, to } = preset.sweep;
    if (knob?.scale === "log" && preset.sweep.step === 0)
      return { knob: key, words: null, from, to, scale: "log", grid: decades(from, to) };
    return { knob: key, words: null, from, to, scale: "linear", grid: sweepGrid(preset, knob) };
  }
  const [from, to] = rangeOf(catalogue, pair, knob, key);
  const grid = knob.scale === "log" ? logGrid(from, to, knob.kind === "integer") : linearGrid(knob, from, to);
  return { knob: key, words: null, from, to, scale: knob.scale, grid };
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
