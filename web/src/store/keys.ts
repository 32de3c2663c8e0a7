/** Names of the answers that the present state is about: scenarios, their curves, and what they are compared in. */
import {
  asKnobValue, findKnob, type Catalogue, type KnobValue, type KnobValues, type Metric, type Preset,
} from "../engine";
import type { Measured } from "../analysis";
import type { AppState } from "./state";
import { memoLast } from "../base/memo";
import { axisKeyOf, metricOf, placeOn, valueOn, xAxisOf, type XAxis } from "./axes";
import { growthOf } from "./reach";
import { CLUSTER_NODES, scopeOfKey } from "./scope";
import { actsOnEither, presetOf, queryOf, sideOf, valueIn, type Pair } from "./values";

const HINGE_POINTS = 9;
/** Places of a map of two knobs, each way. */
const MOST_COLUMNS = 9;
const MOST_ROWS = 7;
/** What sessions that end are, as the name of a curve says it. */
const BY_END = " of=elapsed_s";

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
  /** A second knob across the axis; null: none is asked for, or none that can be. */
  readonly map: MapKeys | null;
}

export interface MapKeys {
  readonly by: XAxis;
  /** Where B stands on it. */
  readonly place: number;
  /** Places of the axis at which its rows have points. */
  readonly xs: readonly number[];
  /** Curves of both sides, where all but the second knob stays as it is. */
  readonly rows: readonly ({ readonly place: number } & WholePair)[];
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
  readonly byKnob: string | null;
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

export function withKnob(whole: string, axis: XAxis, x: number): string {
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

export function metricOfKey(key: string): string | undefined {
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

/** So many places of a grid, the ends and that on which one stands among them. */
function thinned(grid: readonly number[], most: number, here: number): readonly number[] {
  const last = grid.length - 1;
  const places = last < most ? [...grid] : Array.from({ length: most }, (_, i) => Math.round((i * last) / (most - 1)))
    .flatMap((i) => grid[i] ?? []);
  if (places.includes(here)) return places;
  const inner = places.slice(1, -1).toSorted((one, other) => Math.abs(one - here) - Math.abs(other - here));
  const rest = places.length < most ? places : places.filter((place) => place !== inner[0]);
  return [...rest, here].toSorted((one, other) => one - other);
}

/** How many hosts there are is no second knob: what is said of one that is left out would have to go with it. */
export function mayCross(catalogue: Catalogue, pair: Pair, by: string, x: string): boolean {
  const knob = findKnob(catalogue, by);
  const { scopes } = sideOf(catalogue, pair, "B");
  const isThere = knob !== null && by !== CLUSTER_NODES && scopes.has(scopeOfKey(by));
  return isThere && !scopes.areJoined(knob, by, x);
}

function mapKeys(
  scope: Scope, axis: XAxis, curveOf: (side: "A" | "B", more: KnobValues) => string,
): MapKeys | null {
  const { catalogue, byKnob } = scope;
  if (byKnob === null || !mayCross(catalogue, scope, byKnob, axis.knob)) return null;
  const by = xAxisOf(catalogue, scope, byKnob);
  const place = placeOn(by, valueIn(catalogue, scope, "B", byKnob));
  // Under a hand on the axis the columns stay where they were.
  const x = placeOn(axis, valueIn(catalogue, scope.held ?? scope, "B", axis.knob));
  const rows = thinned(by.grid, MOST_ROWS, place).map((row) => {
    const more = { [byKnob]: valueOn(by, row) };
    return { place: row, curveA: curveOf("A", more), curveB: curveOf("B", more) };
  });
  return { by, place, xs: thinned(axis.grid, MOST_COLUMNS, x), rows };
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
    map: mapKeys(scope, axis, curve),
  };
}

/** Remembered: the reducer, the selectors and the effects all ask for the same state. */
const keysOfParts = memoLast(
  (
    catalogue: Catalogue, preset: string, base: KnobValues, ghost: KnobValues, seed: number, budgetFactor: number,
    y: string | null, xKnob: string | null, byKnob: string | null, held: Pair | null, points: Measured | null,
  ): Keys => keysOfScope({ catalogue, preset, base, ghost, seed, budgetFactor, y, xKnob, byKnob, held, points }),
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
    state.view.x, state.view.by, heldOf(state), state.view.points,
  );
  return keys.hinge.length > 0 && areEnded(state, keys) ? byEnd(keys) : keys;
}

/** The run behind the timeline. */
export function timelineKey(state: AppState, keys: Keys): string {
  return state.view.timelineSide === "a" ? keys.fullA : keys.fullB;
}
