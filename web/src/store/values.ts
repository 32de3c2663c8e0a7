/** Values of knobs: what a scenario means, and what a knob may hold. */
import {
  asKnobValue,
  findKnob,
  findPreset,
  splitScope,
  type Catalogue,
  type Knob,
  type KnobValue,
  type KnobValues,
} from "../engine";
import { required } from "../base/assert";
import { memoLast } from "../base/memo";
import type { Preset } from "../engine";
import { readCpus, trimmed } from "./readValue";
import { Scenario } from "./scenario";
import { CLUSTER_NODES, compareScopes, named, scopeOfKey, Scopes } from "./scope";

/** A scenario pair as the link says it: a preset, what B sets in it, and what A sets otherwise than B. */
export interface Pair {
  readonly preset: string;
  readonly base: KnobValues;
  readonly ghost: KnobValues;
}

export function presetOf(catalogue: Catalogue, id: string): Preset {
  return findPreset(catalogue, id) ?? required(catalogue.presets[0], "a preset in the catalogue");
}

/** The scopes of a pair: those of hosts that a side leaves out with them. */
export function scopesOf(catalogue: Catalogue, { preset, base, ghost }: Pair): Scopes {
  return new Scopes(catalogue, named(presetOf(catalogue, preset), [base, ghost]));
}

const sidesOf = memoLast((catalogue: Catalogue, preset: string, base: KnobValues, ghost: KnobValues) => {
  const of = presetOf(catalogue, preset);
  return { A: new Scenario(catalogue, of, [base, ghost]), B: new Scenario(catalogue, of, [base]) };
});

/** B, or A: B with what A sets laid over it. */
export function sideOf(catalogue: Catalogue, pair: Pair, side: "A" | "B"): Scenario {
  return sidesOf(catalogue, pair.preset, pair.base, pair.ghost)[side];
}

/** Whether a knob can change anything on either side. */
export const actsOnEither = (catalogue: Catalogue, pair: Pair, key: string): boolean =>
  (["A", "B"] as const).some((side) => sideOf(catalogue, pair, side).acts(key));

export function valueIn(catalogue: Catalogue, pair: Pair, side: "A" | "B", key: string): KnobValue {
  return sideOf(catalogue, pair, side).value(key);
}

export function sameValue(a: KnobValue, b: KnobValue): boolean {
  return a === b || String(a) === String(b);
}

/** What a key and its smallest parts have on a side: one value, or several. */
export function valuesWithin(side: Scenario, knob: Knob, id: string): readonly KnobValue[] {
  const values = side.scopes.partsOf(knob, id).map((key) => side.value(key));
  return values.length === 0 ? [side.value(id)] : values;
}

/** Every knob's value on one side, scoped ones and those of each of several hosts or instances included. */
export function valuesOf(catalogue: Catalogue, pair: Pair, side: "A" | "B"): Record<string, KnobValue> {
  const values: Record<string, KnobValue> = {};
  const scenario = sideOf(catalogue, pair, side);
  const preset = presetOf(catalogue, pair.preset);
  const scoped = [...Object.keys(preset.set), ...Object.keys(pair.base), ...Object.keys(pair.ghost)].filter((key) =>
    key.includes("@"),
  );
  const ofParts = catalogue.knobs
    .filter((knob) => knob.name_scope === "node" || knob.name_scope === "instance")
    .flatMap((knob) => scenario.scopes.keysOf(knob));
  for (const key of [...catalogue.knobs.map(({ id }) => id), ...ofParts, ...scoped]) values[key] = scenario.value(key);
  return values;
}

/** A's default overrides of a preset. */
export function compareOf(catalogue: Catalogue, preset: Preset): KnobValues {
  return Object.fromEntries(
    Object.entries(preset.compare).map(([key, value]) => [key, asKnobValue(value, findKnob(catalogue, key))]),
  );
}

/** Steps are the slider's: what is typed stays, but for digits that nobody means. */
const rounded = (knob: Knob, value: number): number =>
  knob.kind === "integer" ? Math.round(value) : Number(Number(value.toPrecision(6)).toFixed(9));

/** The nearest value that the knob may hold; null where there is none. */
export function coerce(knob: Knob, value: KnobValue): KnobValue | null {
  if (knob.kind === "choice") return (knob.choices ?? []).includes(String(value)) ? String(value) : null;
  if (knob.kind === "vector" && typeof value === "string")
    return /^[\d.,/eE+-]{1,400}$/.test(value) ? asKnobValue(value, knob) : null;
  if (knob.kind === "cpus") return readCpus(trimmed(String(value)));
  const number = typeof value === "number" ? value : Number(value);
  if (!Number.isFinite(number)) return null;
  const near = rounded(knob, number);
  return Math.min(knob.max ?? near, Math.max(knob.min ?? near, near));
}

/** What is said on top of a preset without what changes nothing, in the catalogue's order. */
export function tidy(catalogue: Catalogue, preset: Preset, values: KnobValues): KnobValues {
  const whole = named(preset, [values]);
  const below = new Scenario(catalogue, whole, []);
  const { [CLUSTER_NODES]: nodes, ...rest } = values;
  const changed = new Set(new Scenario(catalogue, whole, [rest]).differences().map(([key]) => splitScope(key).id));
  if (nodes !== undefined && !below.isAsBelow(CLUSTER_NODES, nodes)) changed.add(CLUSTER_NODES);
  const { scopes } = below;
  // Beside a word about more, or about what crosses it, a word about a part says something wherever the other is moved.
  const isBeside = (knob: Knob, key: string): boolean =>
    Object.keys(values).some(
      (other) =>
        other !== key &&
        splitScope(other).id === knob.id &&
        !scopes.isWithin(knob, other, key) &&
        scopes.meet(knob, scopeOfKey(key), scopeOfKey(other)) !== null,
    );
  const kept = Object.entries(values).filter(([key, value]) => {
    const knob = findKnob(catalogue, key);
    return (
      knob !== null && changed.has(knob.id) && (key === knob.id || isBeside(knob, key) || !below.isAsBelow(key, value))
    );
  });
  const rank = (key: string): number => catalogue.knobs.findIndex((knob) => knob.id === splitScope(key).id);
  return Object.fromEntries(
    kept.toSorted(([a], [b]) => rank(a) - rank(b) || compareScopes(catalogue, scopeOfKey(a), scopeOfKey(b))),
  );
}

/** The scenario text that the simulation decodes, with `more` on top. `without`: the value of an axis, added later. */
export function queryOf(
  catalogue: Catalogue,
  pair: Pair,
  side: "A" | "B",
  more: KnobValues = {},
  without: string | null = null,
): string {
  const layers = [pair.base, ...(side === "A" ? [pair.ghost] : []), more];
  return new Scenario(catalogue, presetOf(catalogue, pair.preset), layers, without).query();
}
