/** The one table of knobs and presets, as the simulation describes itself. */
import type {
  CacheSnapshot, Catalogue as Tables, Knob as KnobRow, Listing, Preset as PresetRow, PublishedFigure, Snapshot, Term,
  Work,
} from "./generated/types";

export type {
  Activity, Metric, PublishedFigure, Snapshot, Sweep, Verdict, When,
} from "./generated/types";

/** What help says of a knob, and where its default is from. */
export type KnobWords = Pick<KnobRow, "help" | "source">;
/** Without what it asks and the words on what it leans on, which are fetched. */
export type Preset = Omit<PresetRow, "note" | "question">;
/** What most say is left out: linear, constant, neither in front nor asking for a restart. */
type Usual = "scale" | "status" | "front" | "restart";
export type Knob = Omit<KnobRow, keyof KnobWords | Usual> & Partial<Pick<KnobRow, Usual>>;
type Fetched = "published" | "snapshots" | "cache_snapshots" | "listings" | "terms" | "works" | "events";
/** What the page is built with. */
export type Catalogue = Omit<Tables, "knobs" | "presets" | Fetched> & {
  readonly knobs: readonly Knob[];
  readonly presets: readonly Preset[];
};

/** What is fetched when it is shown. */
export interface Texts {
  readonly published: readonly PublishedFigure[];
  /** Published reports of Statspack. */
  readonly snapshots: readonly Snapshot[];
  readonly cache_snapshots: readonly CacheSnapshot[];
  /** Published listings of tkprof. */
  readonly listings: readonly Listing[];
  /** Words that the page explains where they first stand; longer names first. */
  readonly terms: readonly Term[];
  /** Works that sources name, and where they are. */
  readonly works: readonly Work[];
  /** What each preset leans on, by its name. */
  readonly notes: Readonly<Record<string, string>>;
  /** What each asks, by its name. */
  readonly questions: Readonly<Record<string, string>>;
  /** By the knob's name, without its scope. */
  readonly knobs: Readonly<Record<string, KnobWords>>;
}

export type KnobValue = number | string;
/** Keys may carry a scope: `cpu_count@instance2`. */
export type KnobValues = Readonly<Record<string, KnobValue>>;

/** Splits `cpu_count@instance2` into the knob and its scope. */
export function splitScope(key: string): { readonly id: string; readonly scope: string | null } {
  const at = key.indexOf("@");
  return at < 0 ? { id: key, scope: null } : { id: key.slice(0, at), scope: key.slice(at + 1) };
}

const indices = new WeakMap<Catalogue, ReadonlyMap<string, Knob>>();

function indexOf(catalogue: Catalogue): ReadonlyMap<string, Knob> {
  const known = indices.get(catalogue);
  if (known !== undefined) return known;
  const index = new Map(catalogue.knobs.map((knob) => [knob.id, knob]));
  indices.set(catalogue, index);
  return index;
}

export function findKnob(catalogue: Catalogue, key: string): Knob | null {
  return indexOf(catalogue).get(splitScope(key).id) ?? null;
}

export function findPreset(catalogue: Catalogue, id: string): Preset | null {
  return catalogue.presets.find((preset) => preset.id === id) ?? null;
}

/** A catalogue value as one value of that knob: what reads as a number is one, lists keep their slashes. */
export function asKnobValue(value: number | string, knob: Knob | null = null): KnobValue {
  if (typeof value === "number") return value;
  const isNumber =
    knob !== null
    && knob.kind !== "choice"
    && knob.kind !== "cpus"
    && value.trim() !== ""
    && Number.isFinite(Number(value));
  return isNumber ? Number(value) : value;
}
