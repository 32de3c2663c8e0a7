/** What analysis is given: scenarios as values, and the answers there are. */
import type { FullAnswer, Knob, KnobValue, Metric, PointAnswer, Preset, Progress } from "../../engine";

export type Values = Readonly<Record<string, KnobValue>>;

export interface CurveAnswers {
  readonly coarse: ReadonlyMap<number, PointAnswer>;
  readonly fine: ReadonlyMap<number, PointAnswer>;
}

export interface HingeAnswer {
  readonly value: number;
  readonly a: PointAnswer | null;
  readonly b: PointAnswer | null;
}

export interface XAxisInput {
  readonly knob: string;
  readonly words: readonly string[] | null;
  readonly from: number;
  readonly to: number;
  readonly scale: "linear" | "log";
}

export interface AnalysisInput {
  readonly preset: Preset;
  readonly knobs: readonly Knob[];
  readonly a: Values;
  readonly b: Values;
  /** Knobs in which A and B differ. */
  readonly differs: readonly string[];
  /** The knob sideways; a word's place is its number in `words`. */
  readonly xAxis: XAxisInput;
  /** Where the handle stands; during a drag the answers may be a moment behind. */
  readonly xHandle: number;
  readonly xBefore: number | null;
  /** Where A stands, where it differs in that knob. */
  readonly xA: number | null;
  readonly isInHand: boolean;
  readonly metric: Metric;
  readonly seed: number;
  readonly precisionAsked: number;
  readonly curveA: CurveAnswers | null;
  readonly curveB: CurveAnswers | null;
  readonly family: readonly { readonly value: number; readonly answers: CurveAnswers }[];
  readonly fullA: FullAnswer | null;
  readonly fullB: FullAnswer | null;
  /** The full answers are first sketches. */
  readonly isCoarse: boolean;
  readonly progress: Progress | null;
  readonly failure: string | null;
  readonly hinge: readonly HingeAnswer[];
  /** Points of the whole chart, and the real time that those there are took. */
  readonly points: number;
  readonly spentMs: number;
}

export function numberOf(values: Values, id: string, otherwise: number): number {
  const value = Number(values[id]);
  return Number.isFinite(value) ? value : otherwise;
}

/** What the axis says at a place. */
export function wordAt(axis: Pick<XAxisInput, "words">, place: number): KnobValue {
  return axis.words === null ? place : (axis.words[place] ?? "");
}

export function isCaged(values: Values): boolean {
  const plan = values["resource_manager_plan"];
  return plan !== undefined && plan !== "none";
}

export function isOpen(values: Values): boolean {
  return values["arrivals"] === "open";
}
