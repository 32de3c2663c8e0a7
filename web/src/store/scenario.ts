/**
 * One side of a comparison: which value holds where, which act, and how it is written. The rules are rows of the
 * catalogue; the simulation's decoder reads the same rows, and a test shows that both read them alike.
 */
import {
  asKnobValue,
  findKnob,
  splitScope,
  type Catalogue,
  type Knob,
  type KnobValue,
  type KnobValues,
  type Preset,
  type When,
} from "../engine";
import { required } from "../base/assert";
import { memoBy } from "../base/memo";
import { textOf } from "./readValue";
import { ALL, covers, rankOf, scopeOfKey, Scopes, shaped, suffixOf, type Scope } from "./scope";

interface Said {
  readonly scope: Scope;
  readonly value: KnobValue;
}

/** What is said, by knob. */
type Words = ReadonlyMap<string, readonly Said[]>;

/** Stands for the value that an axis gives; no knob has it. */
const ANY = "\u0000any";

function isDependent(knob: Knob): boolean {
  return (knob.default_cases ?? knob.default_product ?? knob.default_linear) !== undefined;
}

/** What holds at a place: of the strongest scope that speaks of it. */
function winner(said: readonly Said[], place: Scope): Said | null {
  let best: Said | null = null;
  for (const one of said)
    if (covers(one.scope, place) && (best === null || rankOf(one.scope) > rankOf(best.scope))) best = one;
  return best;
}

function typed(catalogue: Catalogue, values: Readonly<Record<string, number | string>>): KnobValues {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, asKnobValue(value, findKnob(catalogue, key))]),
  );
}

/**
 * Says one more layer: each value for all of its part, whatever was said below. What crosses one below that would win
 * within a layer is said of what both speak of.
 */
function laid(scopes: Scopes, below: Words, layer: KnobValues): Words {
  const fresh = new Map<string, Said[]>();
  for (const [key, value] of Object.entries(layer)) {
    const { id } = splitScope(key);
    fresh.set(id, [...(fresh.get(id) ?? []), { scope: scopeOfKey(key), value }]);
  }
  const words = new Map(below);
  for (const [id, said] of fresh) {
    const knob = findKnob(scopes.catalogue, id);
    if (knob !== null) words.set(id, laidOver(scopes, knob, below.get(id) ?? [], said));
  }
  return words;
}

function laidOver(scopes: Scopes, knob: Knob, below: readonly Said[], fresh: readonly Said[]): readonly Said[] {
  const kept = below.filter(({ scope }) => !fresh.some((over) => covers(over.scope, scopes.full(knob, scope))));
  const shared = kept.flatMap(({ scope }) =>
    fresh
      .filter((over) => rankOf(over.scope) < rankOf(scope))
      .flatMap((over): Said[] => {
        const met = scopes.meet(knob, scope, over.scope);
        const wins = met === null ? null : winner(fresh, met);
        return met === null || wins === null ? [] : [{ scope: scopes.shortest(knob, met), value: wins.value }];
      }),
  );
  return [...new Map([...kept, ...shared, ...fresh].map((said) => [suffixOf(said.scope), said])).values()];
}

/** What a preset says itself: no knob that is moved changes it, nor how many hosts there are, for nothing is below. */
const groundOf = memoBy<Catalogue, (preset: Preset) => Words>((catalogue) =>
  memoBy<Preset, Words>((preset) => laid(new Scopes(catalogue, preset), new Map(), typed(catalogue, preset.set))),
);

export class Scenario {
  readonly catalogue: Catalogue;
  /** With the hosts that it has here. */
  readonly preset: Preset;
  readonly scopes: Scopes;
  /** The axis whose value is given later, with its scope. */
  private readonly axis: string | null;
  private readonly below: Words;
  private readonly said: Words;

  /** `layers` stand on the preset, the lowest first. The value of `axis` is left out, to be added later. */
  constructor(catalogue: Catalogue, preset: Preset, layers: readonly KnobValues[], axis: string | null = null) {
    this.catalogue = catalogue;
    this.preset = shaped(preset, layers);
    this.scopes = new Scopes(catalogue, this.preset);
    this.axis = axis;
    const ground = groundOf(catalogue)(preset);
    this.below = axis === null ? ground : laid(this.scopes, ground, { [axis]: ANY });
    const said = (axis === null ? layers : this.opened(layers, axis)).reduce(
      (words: Words, layer) => laid(this.scopes, words, layer),
      ground,
    );
    this.said = axis === null ? this.settled(said) : said;
  }

  /** The value that holds: of the narrowest part that was spoken of and holds all of it, else the default. */
  value(key: string): KnobValue {
    const { id } = splitScope(key);
    const knob = findKnob(this.catalogue, id);
    return (knob === null ? null : this.spoken(this.said, knob, scopeOfKey(key))) ?? this.standard(key);
  }

  /** The value that would hold if nothing were said of the knob. */
  standard(key: string): KnobValue {
    const { id } = splitScope(key);
    const knob = required(findKnob(this.catalogue, id), `knob ${id}`);
    if (!isDependent(knob)) return asKnobValue(knob.default, knob);
    const place = this.firstPlace(knob, scopeOfKey(key));
    if (knob.default_product !== undefined)
      return knob.default_product.reduce((product, factor) => product * Number(this.read(factor, place) ?? 1), 1);
    const linear = knob.default_linear;
    if (linear !== undefined) {
      const value = Math.floor(linear.times * Number(this.read(linear.of, place) ?? 0)) + linear.plus;
      return Math.min(Math.max(value, linear.least), knob.max ?? Infinity);
    }
    const own = knob.default_cases?.find(({ when }) => this.holds(when, place));
    return asKnobValue(own?.value ?? knob.default, knob);
  }

  /** Whether anything is said of exactly this part, by the preset or above it. */
  isSaid(key: string): boolean {
    return (
      this.said.get(splitScope(key).id)?.some(({ scope }) => suffixOf(scope) === suffixOf(scopeOfKey(key))) ?? false
    );
  }

  /** Whether the value can change anything in this scenario. */
  acts(key: string): boolean {
    const knob = findKnob(this.catalogue, key);
    if (knob === null) return false;
    const present = (place: Scope): boolean =>
      this.catalogue.process_kinds.every((kind) => kind.id !== place.kind || this.holds(kind.present, place));
    return this.scopes.places(knob, scopeOfKey(key)).some((place) => present(place) && this.holds(knob.acts, place));
  }

  /** What is said otherwise than the preset says it, in the table's order. */
  differences(): [string, KnobValue][] {
    return this.catalogue.knobs.flatMap((knob) => this.differencesOf(knob, this.said));
  }

  /** The text that the simulation decodes. */
  query(): string {
    const text = new URLSearchParams(this.differences().map(([key, value]) => [key, textOf(value)])).toString();
    return text === "" ? this.preset.id : `${this.preset.id}?${text}`;
  }

  /** Whether a value says what the preset says at every part that it speaks of. */
  isAsBelow(key: string, value: KnobValue): boolean {
    const knob = findKnob(this.catalogue, key);
    if (knob === null) return false;
    const parts = this.scopes
      .groups(knob)
      .flat()
      .filter((scope) => covers(scopeOfKey(key), this.scopes.full(knob, scope)));
    return parts.every((scope) =>
      isSame(
        this.spoken(this.below, knob, scope) ?? (isDependent(knob) ? null : asKnobValue(knob.default, knob)),
        value,
      ),
    );
  }

  /** Layers with the value of an axis left open, in the topmost that says it or more; no layer above hides it all. */
  private opened(layers: readonly KnobValues[], axis: string): readonly KnobValues[] {
    const knob = findKnob(this.catalogue, axis);
    const says = (layer: KnobValues): boolean =>
      Object.keys(layer).some((key) => key === axis || (knob !== null && this.scopes.isWithin(knob, axis, key)));
    const at = Math.max(0, layers.findLastIndex(says));
    return layers.map((layer, i) => (i === at ? { ...layer, [axis]: ANY } : layer));
  }

  /** Where narrower words say what the preset does, what else is said of a knob holds nowhere. */
  private settled(said: Words): Words {
    const words = new Map(said);
    for (const [id, own] of said) {
      const knob = findKnob(this.catalogue, id);
      const below = this.below.get(id);
      if (knob === null || own === below || this.differencesOf(knob, said).length > 0) continue;
      if (below === undefined) words.delete(id);
      else words.set(id, below);
    }
    return words;
  }

  private spoken(words: Words, knob: Knob, scope: Scope): KnobValue | null {
    const said = words.get(knob.id);
    return said === undefined ? null : (winner(said, this.scopes.full(knob, scope))?.value ?? null);
  }

  private differencesOf(knob: Knob, said: Words): [string, KnobValue][] {
    // What no layer spoke of is the preset's own list: of most knobs there is no more to know.
    if (said.get(knob.id) === this.below.get(knob.id)) return [];
    // A default that depends on other values is never left to them where a value was said.
    const fixed = isDependent(knob) ? null : asKnobValue(knob.default, knob);
    const groups = this.scopes
      .groups(knob)
      .map((group) =>
        group.map((scope) => ({
          scope,
          value: this.spoken(said, knob, scope) ?? fixed,
          below: this.spoken(this.below, knob, scope) ?? fixed,
        })),
      );
    const all = groups.flat();
    const isFresh = ({ value, below }: (typeof all)[number]): boolean => value !== null && !isSame(value, below);
    const isJoined = (rows: typeof all): boolean =>
      rows.every(({ value }) => value !== null && isSame(value, rows[0]?.value ?? null));
    const row = (scope: Scope, value: KnobValue | null): [string, KnobValue][] =>
      value === null ? [] : [[`${knob.id}${suffixOf(scope)}`, value]];
    if (!all.some(isFresh)) return [];
    const mayJoin = this.axis === null || splitScope(this.axis).id !== knob.id;
    if (mayJoin && isJoined(all)) return row(ALL, all[0]?.value ?? null);
    return groups.flatMap((group) => {
      const [first] = group;
      if (!group.some(isFresh) || first === undefined) return [];
      if (mayJoin && first.scope.kind !== null && isJoined(group))
        return row({ ...ALL, kind: first.scope.kind }, first.value);
      return group.filter(isFresh).flatMap(({ scope, value }) => row(scope, value));
    });
  }

  /** The first place that an address speaks of. */
  private firstPlace(knob: Knob, scope: Scope): Scope {
    const full = this.scopes.full(knob, scope);
    const isFirst = full.instance === null && this.scopes.isOfInstance(knob, full);
    const at = isFirst ? this.preset.instances.findIndex((host) => full.node === null || host === full.node) : -1;
    const instance = at < 0 ? full.instance : at + 1;
    return { ...full, instance, node: instance === null ? (full.node ?? 1) : this.scopes.hostOf(instance) };
  }

  /** The value of a knob at a place; nothing of an instance where there is none. */
  private read(id: string, { kind, instance, node }: Scope): KnobValue | null {
    const knob = findKnob(this.catalogue, id);
    if (knob === null || (knob.name_scope === "instance" && instance === null)) return null;
    const own = kind === null || this.scopes.isPerInstance(kind) ? instance : null;
    const scope = {
      run: ALL,
      node: { ...ALL, node },
      instance: { kind: null, instance, node },
      kind: { kind, instance: own, node },
    }[knob.name_scope];
    return (
      this.spoken(this.said, knob, scope) ??
      (isDependent(knob)
        ? this.standard(`${id}${suffixOf(this.scopes.shortest(knob, scope))}`)
        : asKnobValue(knob.default, knob))
    );
  }

  private holds(when: When, place: Scope): boolean {
    if (when === "always") return true;
    if ("is" in when) {
      const value = this.read(when.is[0], place);
      return value !== null && when.is[1].includes(textOf(value));
    }
    if ("above" in when) return Number(this.read(when.above[0], place) ?? Number.NaN) > when.above[1];
    if ("not" in when) return !this.holds(when.not, place);
    if ("all" in when) return when.all.every((one) => this.holds(one, place));
    if ("any" in when) return when.any.some((one) => this.holds(one, place));
    if ("anywhere" in when) {
      const holdsAt = (node: number, at: number) => this.holds(when.anywhere, { kind: null, instance: at + 1, node });
      return this.preset.instances.some(holdsAt);
    }
    if ("of" in when) return place.kind === when.of;
    const [kind, inner] = when.at;
    // A host alone has none of the processes that only instances have.
    return (place.instance !== null || !this.scopes.isPerInstance(kind)) && this.holds(inner, { ...place, kind });
  }
}

export function isSame(one: KnobValue | null, other: KnobValue | null): boolean {
  return one === other || (one !== null && other !== null && textOf(one) === textOf(other));
}
