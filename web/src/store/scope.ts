/**
 * Scopes: the part of a scenario that a value speaks of, a product of process kind, instance and host. Which kinds
 * there are, of what, and on which host each instance runs are rows of the catalogue.
 */
import { memoBy } from "../base/memo";
import { splitScope, type Catalogue, type Knob, type KnobValues, type Preset } from "../engine";

export interface Scope {
  readonly kind: string | null;
  /** Counted from 1, as hosts are. */
  readonly instance: number | null;
  readonly node: number | null;
}

export const ALL: Scope = { kind: null, instance: null, node: null };

/** `@session@instance2`: kind, instance, host; empty for all. */
export function suffixOf({ kind, instance, node }: Scope): string {
  const parts = [kind, instance === null ? null : `instance${instance}`, node === null ? null : `node${node}`];
  return parts.map((part) => (part === null ? "" : `@${part}`)).join("");
}

/** The scope of a key that the page wrote itself. */
export function scopeOfKey(key: string): Scope {
  const { scope } = splitScope(key);
  let read = ALL;
  for (const part of scope === null ? [] : scope.split("@")) {
    const [, of, digits] = /^(node|instance)(\d+)$/.exec(part) ?? [];
    read =
      of === "node"
        ? { ...read, node: Number(digits) }
        : of === "instance"
          ? { ...read, instance: Number(digits) }
          : { ...read, kind: part };
  }
  return read;
}

function speaks<T>(part: T | null, other: T | null): boolean {
  return part === null || part === other;
}

/** Whether it speaks of all that the other speaks of, which names the host of its instance. */
export function covers(one: Scope, other: Scope): boolean {
  return speaks(one.kind, other.kind) && speaks(one.instance, other.instance) && speaks(one.node, other.node);
}

/**
 * Of two scopes of one layer the greater wins: the narrower; of equally many parts the one with a kind, then with an
 * instance.
 */
export function rankOf({ kind, instance, node }: Scope): number {
  const parts = Number(kind !== null) + Number(instance !== null) + Number(node !== null);
  return 4 * parts + 2 * Number(kind !== null) + Number(instance !== null);
}

/** In the order of canonical links. */
export function compareScopes(catalogue: Catalogue, one: Scope, other: Scope): number {
  const places = ({ kind, instance, node }: Scope): number[] => [
    kind === null ? -1 : catalogue.process_kinds.findIndex(({ id }) => id === kind),
    instance ?? 0,
    node ?? 0,
  ];
  const [a, b] = [places(one), places(other)];
  const at = a.findIndex((place, i) => place !== b[i]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** The knob that says how many hosts are joined, with an instance each. */
export const CLUSTER_NODES = "cluster_nodes";

/** Whether each host has one instance, of the same number, so that hosts can be added and left out. */
function isByHost({ nodes, instances }: Preset): boolean {
  return nodes === instances.length && instances.every((node, at) => node === at + 1);
}

function resized(preset: Preset, nodes: number): Preset {
  if (nodes === preset.nodes || !Number.isInteger(nodes) || nodes < 1 || !isByHost(preset)) return preset;
  const sizes = sizesOf(preset);
  const known = sizes.get(nodes);
  if (known !== undefined) return known;
  const instances = Array.from({ length: nodes }, (_, at) => at + 1);
  const own: Preset = { ...preset, nodes, instances };
  sizes.set(nodes, own);
  return own;
}

/** One object for each size, so that what is remembered of a preset is found again. */
const sizesOf = memoBy<Preset, Map<number, Preset>>(() => new Map());

/** A preset with as many hosts as the last layer says. New ones are as what is said for all; the last go first. */
export function shaped(preset: Preset, layers: readonly KnobValues[]): Preset {
  const nodes = layers.findLast((layer) => layer[CLUSTER_NODES] !== undefined)?.[CLUSTER_NODES];
  return resized(preset, Number(nodes ?? preset.nodes));
}

/** With those that are left out: what is said of them is kept for when they are back. */
export function named(preset: Preset, layers: readonly KnobValues[]): Preset {
  const all = layers.map((layer) => shaped(preset, [layer]));
  return all.reduce((most, one) => (one.nodes > most.nodes ? one : most), preset);
}

/** What follows from hosts and instances alone, so that no movement of a knob changes it. */
interface Lists {
  /** Of each knob. */
  readonly keys: Map<Knob, readonly string[]>;
  /** Of each knob, by key. */
  readonly parts: Map<Knob, Map<string, readonly string[]>>;
  /** By what a knob can differ between, and by scope. */
  readonly places: Map<string, readonly Scope[]>;
}

const listsOf = memoBy<Catalogue, (preset: Preset) => Lists>(() =>
  memoBy<Preset, Lists>(() => ({ keys: new Map(), parts: new Map(), places: new Map() })),
);

/** The scopes of one preset: its hosts, its instances and where they run. */
export class Scopes {
  readonly catalogue: Catalogue;
  readonly preset: Preset;

  private readonly lists: Lists;

  constructor(catalogue: Catalogue, preset: Preset) {
    this.catalogue = catalogue;
    this.preset = preset;
    this.lists = listsOf(catalogue)(preset);
  }

  /** Whether host and instance that it names are there. */
  has({ instance, node }: Scope): boolean {
    return (node ?? 1) <= this.preset.nodes && (instance ?? 1) <= this.preset.instances.length;
  }

  hostOf(instance: number): number | null {
    return this.preset.instances[instance - 1] ?? null;
  }

  isPerInstance(kind: string): boolean {
    return this.catalogue.process_kinds.some(({ id, per }) => id === kind && per === "instance");
  }

  /** Whether what is said there can only be of something that an instance has. */
  isOfInstance(knob: Knob, { kind }: Scope): boolean {
    return knob.name_scope === "instance" || (knob.name_scope === "kind" && kind !== null && this.isPerInstance(kind));
  }

  /** With all that follows from it: the only instance or host, and the host of an instance. */
  full(knob: Knob, scope: Scope): Scope {
    const isOnly = this.preset.instances.length === 1 && this.isOfInstance(knob, scope);
    const instance = scope.instance ?? (isOnly ? 1 : null);
    if (instance !== null) return { ...scope, instance, node: this.hostOf(instance) };
    return scope.node === null && this.preset.nodes === 1 ? { ...scope, node: 1 } : scope;
  }

  /**
   * Without the host of an instance, the only host or the only instance. What speaks of a host that is left out never
   * speaks of the one that is there.
   */
  shortest(knob: Knob, scope: Scope): Scope {
    const isHere = this.has(scope);
    const isOnly = isHere && this.preset.instances.length === 1 && this.isOfInstance(knob, scope);
    const short = isOnly ? { ...scope, instance: null, node: null } : scope;
    return short.instance !== null || (isHere && this.preset.nodes === 1) ? { ...short, node: null } : short;
  }

  /** Whether there is anything that it speaks of. */
  isThere(knob: Knob, scope: Scope): boolean {
    if (scope.node === null) return true;
    if (scope.instance !== null) return this.hostOf(scope.instance) === scope.node;
    return !this.isOfInstance(knob, scope) || this.preset.instances.includes(scope.node);
  }

  /** What both speak of; null where there is nothing. */
  meet(knob: Knob, one: Scope, other: Scope): Scope | null {
    const [a, b] = [this.full(knob, one), this.full(knob, other)];
    const met = { kind: a.kind ?? b.kind, instance: a.instance ?? b.instance, node: a.node ?? b.node };
    const isWhole = covers(a, met) && covers(b, met);
    const isApart = met.kind !== null && met.instance !== null && !this.isPerInstance(met.kind);
    return isWhole && !isApart && this.isThere(knob, met) ? met : null;
  }

  /** The parts that processes of a kind are of: each host, or each instance. */
  partsOfKind(kind: string): readonly Scope[] {
    if (this.isPerInstance(kind)) return this.preset.instances.map((node, at) => ({ kind, instance: at + 1, node }));
    return this.nodes().map((node) => ({ kind, instance: null, node }));
  }

  /** The smallest parts that a knob can differ between, of process kinds a group for each. */
  groups(knob: Knob): readonly (readonly Scope[])[] {
    const all = {
      run: () => [[ALL]],
      node: () => [this.nodes().map((node) => ({ ...ALL, node }))],
      instance: () => [this.preset.instances.map((_, at) => ({ ...ALL, instance: at + 1 }))],
      kind: () => this.catalogue.process_kinds.map(({ id }) => this.partsOfKind(id)),
    }[knob.name_scope]();
    return all.map((group) => group.map((scope) => this.shortest(knob, scope)));
  }

  /**
   * Where a condition on the knob is asked: each part with its host and, of what a host has, at each of its instances.
   */
  places(knob: Knob, scope: Scope): readonly Scope[] {
    const name = `${knob.name_scope}${suffixOf(scope)}`;
    const found = this.lists.places.get(name) ?? this.allPlaces(knob, scope);
    this.lists.places.set(name, found);
    return found;
  }

  private allPlaces(knob: Knob, scope: Scope): readonly Scope[] {
    const whole = this.full(knob, scope);
    const all = {
      run: () => this.hosts(),
      node: () => this.hosts(),
      instance: () => this.preset.instances.map((node, at) => ({ kind: null, instance: at + 1, node })),
      kind: () => this.catalogue.process_kinds.flatMap(({ id }) => this.partsOfKind(id)),
    }[knob.name_scope]();
    return all.filter((place) => covers(whole, place));
  }

  /** Keys of a knob that may have values of their own: its bare name, each kind, each of the smallest parts. */
  keysOf(knob: Knob): readonly string[] {
    const found = this.lists.keys.get(knob) ?? this.allKeys(knob);
    this.lists.keys.set(knob, found);
    return found;
  }

  /** The smallest parts of what a key speaks of, without itself. */
  partsOf(knob: Knob, id: string): readonly string[] {
    const found = this.lists.parts.get(knob)?.get(id);
    if (found !== undefined) return found;
    const within = this.keysOf(knob).filter((key) => this.isWithin(knob, key, id));
    const smallest = within.filter((key) => !within.some((other) => this.isWithin(knob, other, key)));
    this.lists.parts.set(knob, (this.lists.parts.get(knob) ?? new Map<string, readonly string[]>()).set(id, smallest));
    return smallest;
  }

  private allKeys(knob: Knob): readonly string[] {
    const scopes = this.groups(knob).flatMap((group) => [
      ...group.slice(0, 1).map(({ kind }) => ({ ...ALL, kind })),
      ...group,
    ]);
    return [...new Set([knob.id, ...scopes.map((scope) => `${knob.id}${suffixOf(scope)}`)])];
  }

  /** Whether a key speaks of a part of what another speaks of. */
  isWithin(knob: Knob, key: string, whole: string): boolean {
    return (
      key !== whole &&
      splitScope(key).id === splitScope(whole).id &&
      covers(scopeOfKey(whole), this.full(knob, scopeOfKey(key)))
    );
  }

  /** Whether there is anything that both keys speak of. */
  areJoined(knob: Knob, key: string, other: string): boolean {
    return splitScope(key).id === splitScope(other).id && this.meet(knob, scopeOfKey(key), scopeOfKey(other)) !== null;
  }

  private nodes(): readonly number[] {
    return Array.from({ length: this.preset.nodes }, (_, i) => i + 1);
  }

  /** Each host with each of its instances, or alone. */
  private hosts(): readonly Scope[] {
    return this.nodes().flatMap((node) => {
      const here = this.preset.instances.flatMap((host, at) =>
        host === node ? [{ kind: null, instance: at + 1, node }] : [],
      );
      return here.length === 0 ? [{ ...ALL, node }] : here;
    });
  }
}
