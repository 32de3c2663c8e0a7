/** What sides and their tables show. */
import type { WaitClass } from "../read/types";

/** Active sessions over simulated time, stacked from the bottom in the order given. */
export interface ActiveSessionsModel {
  readonly timesS: readonly number[];
  readonly bucketS: number;
  readonly warmupS: number;
  readonly layers: readonly {
    readonly class: WaitClass;
    readonly label: string;
    readonly values: readonly number[];
    readonly mean: number;
  }[];
  readonly cpuLine: number;
  readonly yMax: number;
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
  /** Of background processes the name says so, and the title does not speak. */
  readonly isOfSessions: boolean;
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

/** What one cause takes of the threads [CPUs at reference speed]. */
export interface LossRow {
  readonly name: string;
  readonly a: number;
  readonly b: number;
  readonly difference: number;
  readonly ci95: number | null;
  readonly isSignificant: boolean;
}

/** Where the capacity goes. */
export interface LossTableModel {
  readonly title: string;
  /** Together the sums below. */
  readonly rows: readonly LossRow[];
  readonly sumA: number;
  readonly sumB: number;
}

/** The difference along one assumption. */
export interface Hinge {
  readonly knob: string;
  readonly unit: string;
  readonly from: number;
  readonly to: number;
  readonly here: number;
  readonly even: number | null;
  readonly marks: readonly { readonly value: number; readonly label: string }[];
  readonly leftWord: string;
  readonly rightWord: string;
}
