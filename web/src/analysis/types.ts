/** Shapes that analysis hands to charts and panels: plain data, no React, no store. Units stand in the names. */

/** A mean with its 95 % half-width; `ci95` is null where there is too little data for one. `reps`: one mean per replication. */
export interface Estimate {
  readonly mean: number;
  readonly ci95: number | null;
  readonly reps: readonly number[];
}

/** How far an answer is: from nothing to as precise as asked, or why not. */
export type Stage =
  | { readonly kind: "empty" }
  | { readonly kind: "coarse" }
  | { readonly kind: "refining"; readonly precision: number | null; readonly asked: number }
  | { readonly kind: "settled"; readonly precision: number; readonly asked: number }
  | { readonly kind: "truncated"; readonly precision: number | null; readonly asked: number; readonly events: number }
  | { readonly kind: "failed"; readonly message: string };

/** One point of a throughput or response curve. `y` is in the curve's unit. */
export interface CurvePoint {
  readonly x: number;
  readonly y: number;
  readonly ci95: number | null;
  readonly reps: readonly number[];
  readonly truncated: boolean;
}

/** One point of the paired difference, in % of A or in the curve's unit. */
export interface DifferencePoint {
  readonly x: number;
  readonly value: number;
  readonly ci95: number | null;
}

export interface PublishedPoint {
  readonly x: number;
  readonly y: number;
  readonly label: string;
  readonly role: "input" | "consistency check" | "prediction";
}

/** Everything the sweep chart paints. */
export interface CurveModel {
  readonly title: string;
  readonly metric: { readonly id: string; readonly title: string; readonly better: "up" | "down" | "neither" };
  readonly unit: string;
  readonly differenceUnit: string;
  readonly xLabel: string;
  /** Words of a knob without numbers: place 0 is the first. */
  readonly xWords: readonly string[] | null;
  readonly xScale: "linear" | "log";
  readonly xDomain: readonly [number, number];
  readonly x: number;
  /** Value before the drag began; null when nothing is in the hand. */
  readonly xBefore: number | null;
  /** Where A stands on B's own curve, where the two differ in nothing but the knob of the axis. */
  readonly xA: number | null;
  readonly nameA: string;
  readonly nameB: string;
  readonly a: readonly CurvePoint[];
  readonly b: readonly CurvePoint[];
  readonly family: readonly { readonly label: string; readonly points: readonly CurvePoint[] }[];
  readonly familyName: string;
  readonly bound: { readonly points: readonly { readonly x: number; readonly y: number }[]; readonly label: string } | null;
  readonly published: readonly PublishedPoint[];
  readonly difference: readonly DifferencePoint[];
  /** Where the difference crosses zero, x units; null when it does not or is not certain. */
  readonly even: readonly number[];
  readonly stage: Stage;
}

export type WaitClass =
  | "CPU" | "run queue" | "Scheduler" | "User I/O" | "System I/O"
  | "Concurrency" | "Application" | "Commit" | "Cluster" | "Other";

/** Active sessions over simulated time, stacked from the bottom in the order given. */
export interface ActiveSessionsModel {
  readonly timesS: readonly number[];
  readonly bucketS: number;
  readonly warmupS: number;
  readonly layers: readonly { readonly class: WaitClass; readonly label: string; readonly values: readonly number[]; readonly mean: number }[];
  readonly cpuLine: number;
  readonly yMax: number;
}

export interface LaneSlice {
  readonly thread: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly debtMs: number;
  readonly process: number;
}

/** Who ran on which hardware thread, one short window. */
export interface LanesModel {
  readonly threads: number;
  readonly threadsPerCore: number;
  readonly windowMs: number;
  readonly slices: readonly LaneSlice[];
  readonly followed: number | null;
  readonly caption: string;
}

/** A histogram in power-of-two buckets. */
export interface SpreadModel {
  readonly label: string;
  readonly value: string;
  readonly class: WaitClass | "A" | "B";
  readonly edgesMs: readonly number[];
  readonly shares: readonly number[];
}

export interface EventRow {
  readonly event: string;
  readonly isDatabaseEvent: boolean;
  readonly class: WaitClass;
  readonly meanMsA: number | null;
  readonly meanMsB: number | null;
  readonly aasA: number | null;
  readonly aasB: number | null;
  readonly difference: number;
  readonly ci95: number | null;
  readonly isSignificant: boolean;
}

export interface EventTableModel {
  readonly title: string;
  readonly rows: readonly EventRow[];
  readonly sumA: number;
  readonly sumB: number;
}

/** A sentence in parts, so that numbers and names keep their faces. */
export interface Span {
  readonly text: string;
  readonly face?: "strong" | "strong-b" | "mono";
}

export interface Finding {
  readonly headline: string;
  /** One line for the phone when the knob sheet is open. */
  readonly short: readonly Span[];
  readonly why: readonly Span[];
}

export interface HowSure {
  readonly sentence: readonly Span[];
  readonly hinge: {
    readonly knob: string;
    readonly unit: string;
    readonly from: number;
    readonly to: number;
    readonly here: number;
    readonly even: number | null;
    readonly marks: readonly { readonly value: number; readonly label: string }[];
    readonly leftWord: string;
    readonly rightWord: string;
  } | null;
}

export interface TrustModel {
  readonly precision: string;
  readonly precisionOk: boolean;
  readonly warmup: string;
  readonly seed: string;
  readonly events: string;
  readonly laws: readonly { readonly name: string; readonly ok: boolean; readonly residual: string }[];
  readonly cost: string;
}

/** CPU in every way of counting it. */
export interface AccountingModel {
  readonly title: string;
  /** Threads share a core in more than two: then this is the question. */
  readonly isOpen: boolean;
  readonly rows: readonly { readonly name: string; readonly a: string | null; readonly b: string }[];
}

/** What one side (A or B) shows in the matrix. */
export interface SideModel {
  readonly name: string;
  readonly activeSessions: ActiveSessionsModel;
  readonly lanes: LanesModel;
  readonly waitSpread: SpreadModel | null;
  readonly responseSpread: SpreadModel;
  /** Answers of the host's server, where there is one. */
  readonly serviceSpread: SpreadModel | null;
}

/** The whole page, derived from (scenario, results, view state). */
export interface PageModel {
  readonly finding: Finding;
  readonly howSure: HowSure;
  readonly curve: CurveModel;
  readonly titles: { readonly service: string; readonly activeSessions: string; readonly threads: string; readonly spread: string };
  readonly a: SideModel | null;
  readonly b: SideModel | null;
  readonly events: EventTableModel | null;
  readonly accounting: AccountingModel | null;
  readonly trust: TrustModel | null;
  readonly stage: Stage;
}
