/** Everything the sweep chart paints. */
import type { KnobValue } from "../../engine";
import type { DifferencePoint, Stage } from "../read/types";

/** One point of a throughput or response curve. `y` is in the curve's unit. */
export interface CurvePoint {
  readonly x: number;
  readonly y: number;
  readonly ci95: number | null;
  readonly reps: readonly number[];
  readonly truncated: boolean;
}

export interface PublishedPoint {
  readonly x: number;
  readonly y: number;
  readonly label: string;
  /** `measured`: by the reader. */
  readonly role: "input" | "consistency check" | "prediction" | "measured";
  /** Knobs besides those of the chart are not as they were in the test. */
  readonly hasMoved: boolean;
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
  /** Between two of its numbers that follow one another nothing stands. */
  readonly isWhole?: boolean;
  readonly xDomain: readonly [number, number];
  readonly x: number;
  /** Value before the drag began; null when nothing is in the hand. */
  readonly xBefore: number | null;
  /** Where A stands, if not where B does: on B's curve, where the two differ in nothing else, or on its own. */
  readonly xA: number | null;
  readonly nameA: string;
  readonly nameB: string;
  /** The same of whole curves: without the knob of the axis; empty where they differ in nothing else. */
  readonly alongA: string;
  readonly alongB: string;
  readonly a: readonly CurvePoint[];
  readonly b: readonly CurvePoint[];
  /** Where a queue grows for ever: answers and responses have no bound there. */
  readonly endlessA: readonly number[];
  readonly endlessB: readonly number[];
  readonly family: readonly { readonly label: string; readonly points: readonly CurvePoint[] }[];
  readonly familyName: string;
  readonly bound: {
    readonly points: readonly { readonly x: number; readonly y: number }[];
    readonly label: string;
  } | null;
  readonly published: readonly PublishedPoint[];
  readonly difference: readonly DifferencePoint[];
  /** Where the difference crosses zero, x units; null when it does not or is not certain. */
  readonly even: readonly number[];
  readonly stage: Stage;
}

/** A row or a column of the map. */
export interface MapPlace {
  readonly at: number;
  readonly value: KnobValue;
  readonly label: string;
}

/** One place of the map: of B, or B − A. */
export interface MapCell {
  /** In the map's unit; null: not known, or without bound. */
  readonly value: number | null;
  readonly ci95: number | null;
  /** Of a difference; 0 where it is not certain. */
  readonly sign: number;
  /** A first sketch, less precise than asked. */
  readonly isSketch: boolean;
  /** The run met its event budget before its precision. */
  readonly isCut: boolean;
  readonly isEndless: boolean;
}

/** Two knobs together. Cells stand row by row, the lowest first. */
export interface MapModel {
  readonly title: string;
  readonly word: string;
  readonly unit: string;
  /** B − A; else B. */
  readonly isDifference: boolean;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly xs: readonly MapPlace[];
  readonly ys: readonly MapPlace[];
  /** The column and the row in which B stands; −1: in none of them. */
  readonly x: number;
  readonly y: number;
  readonly cells: readonly MapCell[];
}
