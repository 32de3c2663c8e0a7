/** The one table of knobs and presets, as the simulation describes itself. */

export type KnobValue = number | string;
/** Keys may carry a scope: `cpu_count@instance2`. */
export type KnobValues = Readonly<Record<string, KnobValue>>;

export interface Knob {
  readonly id: string;
  readonly name_scope: "run" | "node" | "instance" | "kind";
  readonly group: string;
  readonly kind: "integer" | "number" | "choice" | "vector";
  readonly unit: string | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly step: number | null;
  readonly scale: "linear" | "log";
  readonly choices?: readonly string[];
  readonly default: number | string | readonly number[];
  readonly help: string;
  readonly source: string;
  readonly status: "constant" | "calibrated" | "free";
  readonly restart: boolean;
}

export interface Sweep {
  readonly knob: string;
  readonly from: number;
  readonly to: number;
  readonly step?: number | null;
}

export interface Preset {
  readonly id: string;
  readonly title: string;
  readonly question: string;
  readonly set: Readonly<Record<string, number | string | readonly number[]>>;
  /** What A overrides. */
  readonly compare: Readonly<Record<string, number | string | readonly number[]>>;
  readonly sweep: Sweep;
  readonly family: { readonly knob: string; readonly values: readonly number[] } | null;
  readonly hinge: {
    readonly knob: string;
    readonly from: number;
    readonly to: number;
    readonly marks: readonly { readonly value: number; readonly label: string }[];
  } | null;
  readonly published: readonly {
    readonly x: number;
    readonly y: number;
    readonly label: string;
    readonly role: string;
    readonly unit: string;
  }[];
  /** Minutes that one point takes on the real machine. */
  readonly cost_note: number | null;
  /** What the model leans on here, said plainly. */
  readonly note?: string;
  /** Narrower ranges that suit sliders here. */
  readonly ranges?: Readonly<Record<string, readonly [number, number]>>;
}

export interface EventInfo {
  readonly id?: string;
  readonly event: string;
  readonly class: string;
}

export interface Catalogue {
  readonly version: string | number;
  readonly knobs: readonly Knob[];
  readonly presets: readonly Preset[];
  readonly events: readonly EventInfo[];
}

/** Splits `cpu_count@instance2` into the knob and its scope. */
export function splitScope(key: string): { readonly id: string; readonly scope: string | null } {
  const at = key.indexOf("@");
  return at < 0 ? { id: key, scope: null } : { id: key.slice(0, at), scope: key.slice(at + 1) };
}

export function findKnob(catalogue: Catalogue, key: string): Knob | null {
  const { id } = splitScope(key);
  return catalogue.knobs.find((knob) => knob.id === id) ?? null;
}

export function findPreset(catalogue: Catalogue, id: string): Preset | null {
  return catalogue.presets.find((preset) => preset.id === id) ?? null;
}

/** A catalogue value as one value of that knob: vectors become lists with slashes, numbers are numbers. */
export function asKnobValue(value: number | string | readonly number[], knob: Knob | null = null): KnobValue {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return value.length === 1 ? (value[0] ?? 0) : value.join("/");
  const isNumber = knob !== null && knob.kind !== "choice" && value.trim() !== "" && Number.isFinite(Number(value));
  return isNumber ? Number(value) : value;
}
