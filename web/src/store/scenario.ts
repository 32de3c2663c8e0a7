/**
 * One side of a comparison: which value holds where, which act, and how it is written. The rules are rows of the
 * catalogue; the simulation's decoder reads the same rows, and a test shows that both read them alike.
 */
import {
  asKnobValue, findKnob, splitScope, type Catalogue, type Knob, type KnobValue, type KnobValues, type Preset, type When,
} from "../engine";
import { required } from "../base/assert";
import { partsOf } from "./address";
import { textOf } from "./readValue";

/** Where a condition is asked; a preset has one host. Empty: of all. */
interface Place {
  /** `@instance2`. */
  readonly instance: string;
  /** `@session`. */
  readonly kind: string;
}

const NOWHERE: Place = { instance: "", kind: "" };

function isDependent(knob: Knob): boolean {
  return knob.default_cases !== undefined || knob.default_product !== undefined;
}

/**
 * Layers, the lowest first: preset, B, A. A later layer that uses a bare name speaks for every part; within a layer
 * the narrower name wins.
 */
function laid(layers: readonly Readonly<Record<string, KnobValue>>[]): Map<string, KnobValue> {
  const said = new Map<string, KnobValue>();
  for (const layer of layers) {
    for (const key of said.keys()) if (key.includes("@") && layer[splitScope(key).id] !== undefined) said.delete(key);
    for (const [key, value] of Object.entries(layer)) said.set(key, value);
  }
  return said;
}

function typed(catalogue: Catalogue, values: Readonly<Record<string, number | string>>): KnobValues {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, asKnobValue(value, findKnob(catalogue, key))]),
  );
}

export class Scenario {
  readonly catalogue: Catalogue;
  readonly preset: Preset;
  private readonly said: Map<string, KnobValue>;
  private readonly below: Map<string, KnobValue>;

  /** `layers` stand on the preset, the lowest first. */
  constructor(catalogue: Catalogue, preset: Preset, layers: readonly KnobValues[]) {
    this.catalogue = catalogue;
    this.preset = preset;
    this.below = laid([typed(catalogue, preset.set)]);
    this.said = laid([Object.fromEntries(this.below), ...layers]);
  }

  /** The value that holds: of the part, else of all, else the default. */
  value(key: string): KnobValue {
    return this.said.get(key) ?? this.said.get(splitScope(key).id) ?? this.standard(key);
  }

  /** The value that would hold if nothing were said of the knob. */
  standard(key: string): KnobValue {
    const { id, scope } = splitScope(key);
    const knob = required(findKnob(this.catalogue, id), `knob ${id}`);
    if (knob.default_product !== undefined)
      return knob.default_product.reduce((product, factor) => product * Number(this.valueIf(factor) ?? 1), 1);
    const place = {
      instance: knob.name_scope === "instance" && scope !== null ? `@${scope}` : "",
      kind: knob.name_scope === "kind" && scope !== null ? `@${scope}` : "",
    };
    const own = knob.default_cases?.find(({ when }) => this.holds(when, place));
    return asKnobValue(own?.value ?? knob.default, knob);
  }

  /** Whether anything is said of exactly this part, by the preset or above it. */
  isSaid(key: string): boolean {
    return this.said.has(key);
  }

  /** Whether the value can change anything in this scenario. */
  acts(key: string): boolean {
    const { id, scope } = splitScope(key);
    const knob = findKnob(this.catalogue, id);
    if (knob === null) return false;
    const kinds =
      knob.name_scope === "kind"
        ? this.catalogue.process_kinds.filter((kind) => scope === null || kind.id === scope)
        : [null];
    const instances = scope?.startsWith("instance") === true ? [`@${scope}`] : this.instances();
    return kinds.some((kind) => instances.some((instance) => {
      const place = { instance, kind: kind === null ? "" : `@${kind.id}` };
      return (kind === null || this.holds(kind.present, place)) && this.holds(knob.acts, place);
    }));
  }

  /** What is said otherwise than the preset says it, in the table's order. `apart`: a knob whose parts stay apart. */
  differences(apart: string | null = null): [string, KnobValue][] {
    return this.catalogue.knobs.flatMap((knob) => this.differencesOf(knob, knob.id !== apart));
  }

  /** What the preset says stands again at this address. */
  without(key: string): Scenario {
    const back = new Scenario(this.catalogue, this.preset, []);
    const below = back.said.get(key);
    back.said.clear();
    for (const [other, value] of this.said) back.said.set(other, value);
    if (below === undefined) back.said.delete(key);
    else back.said.set(key, below);
    return back;
  }

  /** The text that the simulation decodes. */
  query(apart: string | null = null): string {
    const text = new URLSearchParams(this.differences(apart).map(([key, value]) => [key, textOf(value)])).toString();
    return text === "" ? this.preset.id : `${this.preset.id}?${text}`;
  }

  private differencesOf(knob: Knob, mayJoin: boolean): [string, KnobValue][] {
    const parts = partsOf(this.catalogue, this.preset, knob);
    // A default that depends on other values is never left to them where a value was said.
    const fixed = isDependent(knob) ? null : asKnobValue(knob.default, knob);
    const told = (said: Map<string, KnobValue>, part: string): KnobValue | null =>
      said.get(`${knob.id}${part}`) ?? said.get(knob.id) ?? fixed;
    const rows = parts.map((part) => ({
      key: `${knob.id}${part}`, value: told(this.said, part), below: told(this.below, part),
    }));
    const fresh = rows.filter(({ value, below }) => value !== null && !isSame(value, below));
    const [first] = rows;
    if (fresh.length === 0 || first === undefined) return [];
    if (mayJoin && first.value !== null && rows.every(({ value }) => isSame(value, first.value)))
      return [[knob.id, first.value]];
    return fresh.flatMap(({ key, value }): [string, KnobValue][] => (value === null ? [] : [[key, value]]));
  }

  private instances(): readonly string[] {
    return this.preset.instances === 1
      ? [""]
      : Array.from({ length: this.preset.instances }, (_, i) => `@instance${i + 1}`);
  }

  private valueIf(id: string): KnobValue | null {
    return findKnob(this.catalogue, id) === null ? null : this.value(id);
  }

  private read(id: string, place: Place): KnobValue | null {
    const knob = findKnob(this.catalogue, id);
    if (knob === null) return null;
    const part = { run: "", node: "", instance: place.instance, kind: place.kind }[knob.name_scope];
    return this.value(`${id}${part}`);
  }

  private holds(when: When, place: Place = NOWHERE): boolean {
    if (when === "always") return true;
    if ("is" in when) {
      const value = this.read(when.is[0], place);
      return value !== null && when.is[1].includes(textOf(value));
    }
    if ("above" in when) return Number(this.read(when.above[0], place) ?? Number.NaN) > when.above[1];
    if ("not" in when) return !this.holds(when.not, place);
    if ("all" in when) return when.all.every((one) => this.holds(one, place));
    if ("any" in when) return when.any.some((one) => this.holds(one, place));
    return this.holds(when.at[1], { ...place, kind: `@${when.at[0]}` });
  }
}

export function isSame(one: KnobValue | null, other: KnobValue | null): boolean {
  return one === other || (one !== null && other !== null && textOf(one) === textOf(other));
}
