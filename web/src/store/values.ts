/** Values of knobs: what a scenario means, and what a knob may hold. */
import { asKnobValue, findKnob, findPreset, splitScope, type Catalogue, type Knob, type KnobValue, type KnobValues } from "../engine";
import { required } from "../base/assert";
import type { Preset } from "../engine";

/** A scenario pair as the link says it: a preset, what B sets in it, and what A sets otherwise than B. */
export interface Pair {
  readonly preset: string;
  readonly base: KnobValues;
  readonly ghost: KnobValues;
}

export function presetOf(catalogue: Catalogue, id: string): Preset {
  return findPreset(catalogue, id) ?? required(catalogue.presets[0], "a preset in the catalogue");
}

/** What a preset sets; null where it leaves the knob at its default. */
export function presetValue(catalogue: Catalogue, preset: Preset, key: string): KnobValue | null {
  const set = preset.set[key] ?? preset.set[splitScope(key).id];
  return set === undefined ? null : asKnobValue(set, findKnob(catalogue, key));
}

/** A default; that of `cpu_count` is a word, for it depends on the host: every hardware thread. */
export function defaultOf(catalogue: Catalogue, knob: Knob, read: (id: string) => KnobValue): KnobValue {
  const value = asKnobValue(knob.default, knob);
  if (knob.kind !== "integer" || typeof value === "number") return value;
  const factor = (id: string): number => (findKnob(catalogue, id) === null ? 1 : Number(read(id)));
  return factor("sockets") * factor("cores_per_socket") * factor("threads_per_core");
}

export function valueIn(catalogue: Catalogue, pair: Pair, side: "A" | "B", key: string): KnobValue {
  const plain = splitScope(key).id;
  const ghost = side === "A" ? pair.ghost : {};
  // What is said of one part holds against what is said of all.
  const said =
    ghost[key] ?? pair.base[key] ?? ghost[plain] ?? pair.base[plain] ?? presetValue(catalogue, presetOf(catalogue, pair.preset), key);
  if (said !== null) return said;
  const knob = required(findKnob(catalogue, key), `knob ${key}`);
  return defaultOf(catalogue, knob, (id) => valueIn(catalogue, pair, side, id));
}

/** Every knob's value on one side, scoped ones included. */
export function valuesOf(catalogue: Catalogue, pair: Pair, side: "A" | "B"): Record<string, KnobValue> {
  const values: Record<string, KnobValue> = {};
  for (const knob of catalogue.knobs) values[knob.id] = valueIn(catalogue, pair, side, knob.id);
  const preset = presetOf(catalogue, pair.preset);
  for (const key of [...Object.keys(preset.set), ...Object.keys(pair.base), ...Object.keys(pair.ghost)]) {
    if (key.includes("@")) values[key] = valueIn(catalogue, pair, side, key);
  }
  return values;
}

/** A's default overrides of a preset. */
export function compareOf(catalogue: Catalogue, preset: Preset): KnobValues {
  return Object.fromEntries(Object.entries(preset.compare).map(([key, value]) => [key, asKnobValue(value, findKnob(catalogue, key))]));
}

function roundToStep(knob: Knob, value: number): number {
  if (knob.kind === "integer") return Math.round(value);
  if (knob.step === null || knob.scale === "log" || knob.step <= 0) return Number(Number(value.toPrecision(6)).toFixed(9));
  const from = knob.min ?? 0;
  return Number((from + Math.round((value - from) / knob.step) * knob.step).toPrecision(9));
}

/** Written as the kernel writes lists of CPUs: `0-21,44-65`, or `all`. Whether those CPUs are there the decoder knows. */
export function isCpuList(text: string): boolean {
  return text.length <= 400 && /^(all|\d+(-\d+)?(,\d+(-\d+)?)*)$/.test(text);
}

/** The nearest value that the knob may hold; null where there is none. */
export function coerce(knob: Knob, value: KnobValue): KnobValue | null {
  if (knob.kind === "choice") return (knob.choices ?? []).includes(String(value)) ? String(value) : null;
  if (knob.kind === "vector" && typeof value === "string") return /^[\d.,/eE+-]{1,400}$/.test(value) ? asKnobValue(value, knob) : null;
  if (knob.kind === "cpus") return isCpuList(String(value)) ? String(value) : null;
  const number = typeof value === "number" ? value : Number(value);
  if (!Number.isFinite(number)) return null;
  const rounded = roundToStep(knob, number);
  return Math.min(knob.max ?? rounded, Math.max(knob.min ?? rounded, rounded));
}

/** Overrides without those that say what the preset says anyway, in the catalogue's order. */
export function tidy(catalogue: Catalogue, preset: Preset, values: KnobValues): KnobValues {
  const rank = (key: string): number => catalogue.knobs.findIndex((knob) => knob.id === splitScope(key).id);
  const kept = Object.entries(values).filter(([key, value]) => {
    if (findKnob(catalogue, key) === null) return false;
    // A scoped override says something wherever the unscoped one is moved, too.
    const plain = splitScope(key).id;
    if (plain !== key && values[plain] !== undefined) return true;
    const knob = findKnob(catalogue, key);
    const set = presetValue(catalogue, preset, key) ?? (knob === null ? null : asKnobValue(knob.default, knob));
    return value !== set;
  });
  return Object.fromEntries(kept.toSorted(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b, "en")));
}

/** The scenario text that the simulation decodes. */
export function queryOf(catalogue: Catalogue, pair: Pair, side: "A" | "B", more: KnobValues = {}, without: string | null = null): string {
  const preset = presetOf(catalogue, pair.preset);
  const values: Record<string, KnobValue> = { ...pair.base, ...(side === "A" ? pair.ghost : {}), ...more };
  if (without !== null) delete values[without];
  const query = new URLSearchParams(Object.entries(tidy(catalogue, preset, values)).map(([key, value]) => [key, String(value)]));
  const text = query.toString();
  return text === "" ? preset.id : `${preset.id}?${text}`;
}
