/** How far sliders and axes go: what the preset says, carried over to the host in force and to the values that are. */
import type { Catalogue, Knob, KnobValue, Preset } from "../engine";
import { Scenario } from "./scenario";
import { scopeOfKey } from "./scope";
import { presetOf, sideOf, valueIn, type Pair } from "./values";

export interface Reach {
  readonly min: number;
  readonly max: number;
}

/** Loads that ask more of a larger host; a smaller one may still have as many sessions. */
const GROWS: ReadonlySet<string> = new Set(["sessions"]);
/** What is counted in threads of the host, or cannot be more than they can do. */
const FOLLOWS: ReadonlySet<string> = new Set(["cpu_count", "arrivals_per_s"]);
/** A value beyond the end has so much room on its other side. */
const PAST = 1.1;

/** 1, 2 or 5 times a power of ten, at least as large. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5, 10].find((step) => step * power >= value * 0.999_999) ?? 10);
}

/** Hardware threads of the host that a key speaks of; of several hosts those of the largest. */
export function threadsOf(side: Scenario, key: string): number {
  const { node, instance } = scopeOfKey(key);
  const { nodes } = side.preset;
  const own = node ?? (instance === null ? null : side.scopes.hostOf(instance));
  const hosts = own === null ? Array.from({ length: nodes }, (_, at) => at + 1) : [own];
  const threadsAt = (host: number): number =>
    ["sockets", "cores_per_socket", "threads_per_core"].reduce(
      (product, id) => product * Number(side.value(nodes > 1 ? `${id}@node${host}` : id)), 1,
    );
  return Math.max(1, ...hosts.map(threadsAt));
}

const plain = new WeakMap<Preset, Scenario>();

/** A preset of which nothing is changed. */
function asItIs(catalogue: Catalogue, preset: Preset): Scenario {
  const known = plain.get(preset) ?? new Scenario(catalogue, preset, []);
  plain.set(preset, known);
  return known;
}

/** How many times the threads of the preset's host there are. */
export function growthOf(catalogue: Catalogue, pair: Pair, key: string): number {
  const here = (["A", "B"] as const).map((side) => threadsOf(sideOf(catalogue, pair, side), key));
  return Math.max(...here) / threadsOf(asItIs(catalogue, presetOf(catalogue, pair.preset)), key);
}

function carried(catalogue: Catalogue, pair: Pair, knob: Knob, key: string, max: number): number {
  if (!FOLLOWS.has(knob.id) && !GROWS.has(knob.id)) return max;
  const growth = growthOf(catalogue, pair, key);
  if (growth === 1 || (growth < 1 && GROWS.has(knob.id))) return max;
  const rounded = knob.kind === "integer" ? Math.round(max * growth) : Number((max * growth).toPrecision(2));
  return Math.max(knob.min ?? 0, Math.min(rounded, knob.max ?? rounded));
}

/** What both sides have. */
export const inForce = (catalogue: Catalogue, pair: Pair, key: string): readonly KnobValue[] =>
  (["A", "B"] as const).map((side) => valueIn(catalogue, pair, side, key));

/** From `own`, as the preset has it, to as far as the host and the values of both sides ask for. */
export function reachOf(
  catalogue: Catalogue, pair: Pair, knob: Knob, key: string, own: Reach,
  values: readonly KnobValue[] = inForce(catalogue, pair, key),
): Reach {
  const max = carried(catalogue, pair, knob, key, own.max);
  const here = values.map(Number).filter(Number.isFinite);
  const [least, most] = [Math.min(own.min, ...here), Math.max(max, ...here)];
  return { min: least, max: most > max ? Math.min(knob.max ?? most, roundUp(most * PAST)) : max };
}

/** That of a knob's slider. */
export function sliderReach(
  catalogue: Catalogue, pair: Pair, knob: Knob, key: string, values?: readonly KnobValue[],
): Reach {
  const own = presetOf(catalogue, pair.preset).ranges[knob.id] ?? { min: knob.min ?? 0, max: knob.max ?? 100 };
  return reachOf(catalogue, pair, knob, key, own, values);
}
