/**
 * What passes between the page and a worker. The type of a reply follows from the call, so no caller casts.
 * Requests carry a number; every message back carries the number of the request it belongs to.
 */
import type { Description, Problem } from "./generated/types";
import type { Report } from "./report";

export type { Description, Problem };

export interface RunOptions {
  readonly goal: "point" | "full";
  /** Relative half-width to stop at. */
  readonly precision: number;
  readonly seed: number;
  /** A quick first answer of few, short replications. */
  readonly coarse: boolean;
  /** Slices of the timeline to keep; 0: none. */
  readonly record: number;
  /** What a point answers beside throughput and response: an id of the catalogue's metrics. */
  readonly metric?: string;
  /** Event budget; absent: as the scenario says. */
  readonly maxEvents?: number;
  /** Another scenario, A, that goes on with this one: equal starts and horizons, so that the two can be compared. */
  readonly against?: string;
}

/** Where a run stands after a slice. */
export interface Progress {
  readonly done: boolean;
  readonly events: number;
  /** Relative half-width so far; null: too little data. */
  readonly precision: number | null;
  readonly lioPerS: number;
  readonly lioCi95: number | null;
  readonly simulatedS: number;
  readonly responseMs: number;
  readonly responseCi95: number | null;
  readonly batches: number;
  /** The run met its event budget before its precision. */
  readonly truncated: boolean;
}

/** Throughput and response of one scenario, with one mean per replication for pairing. */
export interface PointAnswer {
  readonly lioPerS: number;
  readonly lioCi95: number | null;
  readonly lioReps: readonly number[];
  readonly responseMs: number;
  readonly responseCi95: number | null;
  readonly responseReps: readonly number[];
  /** The metric that was asked for beside these two; null where none was, or where it does not apply. */
  readonly metric: { readonly mean: number; readonly ci95: number | null; readonly reps: readonly number[] } | null;
  readonly precision: number | null;
  readonly events: number;
  /** The run met its event budget before its precision. */
  readonly truncated: boolean;
  /** Real time that it took. */
  readonly elapsedMs: number;
  /** That of A, where it was asked for. */
  readonly other?: PointAnswer;
  /** Which pair it is one half of. */
  readonly pair?: string;
}

export interface FullAnswer {
  readonly report: Report;
  readonly data: Float64Array;
  readonly elapsedMs: number;
  /** That of A, where it was asked for. */
  readonly other?: FullAnswer;
  /** Which pair it is one half of. */
  readonly pair?: string;
}

/** One knob to be found from measured points. */
export interface FitAsked {
  /** The knob whose values the points have. */
  readonly over: string;
  /** The knob to find. */
  readonly free: string;
  /** Four numbers a point: value on the axis, transactions/s, LIO/s, mean response in ms; NaN: not measured. */
  readonly points: readonly number[];
}

export interface Fitted {
  readonly free: string;
  readonly value: number;
  /** The 99 % range; open where the points do not tell on that side. */
  readonly low: number;
  readonly high: number;
  readonly isOpenBelow: boolean;
  readonly isOpenAbove: boolean;
  /** Root mean square of the relative residuals. */
  readonly residual: number;
  /** Figures that were compared. */
  readonly figures: number;
}

/** How far a fit is. */
export interface Trying {
  readonly tried: number;
  readonly most: number;
}

export interface Calls {
  init: { args: Record<string, never>; reply: null };
  describe: { args: { readonly query: string }; reply: Description };
  point: { args: { readonly query: string; readonly options: RunOptions }; reply: PointAnswer };
  full: { args: { readonly query: string; readonly options: RunOptions }; reply: FullAnswer };
  fit: { args: { readonly query: string; readonly asked: FitAsked }; reply: Fitted };
  cancel: { args: { readonly ids: readonly number[] }; reply: null };
}

export type CallName = keyof Calls;

export type Request = {
  [K in CallName]: { readonly id: number; readonly call: K; readonly args: Calls[K]["args"] };
}[CallName];

/** What went wrong; `scenario`: whatever the simulation itself says in words. */
export type EngineCode = "trap" | "silent" | "cancelled" | "not-ready" | "scenario";

export interface EngineError {
  readonly code: EngineCode;
  readonly message: string;
  /** Path of the knob that is wrong, where there is one. */
  readonly field: string | null;
}

export type Reply =
  | { readonly kind: "progress"; readonly id: number; readonly progress: Progress }
  | { readonly kind: "trying"; readonly id: number; readonly trying: Trying }
  | { readonly kind: "failed"; readonly id: number; readonly error: EngineError }
  | {
      [K in CallName]: {
        readonly kind: "done";
        readonly id: number;
        readonly call: K;
        readonly value: Calls[K]["reply"];
      };
    }[CallName];

export type Post = (reply: Reply, transfer: readonly Transferable[]) => void;
