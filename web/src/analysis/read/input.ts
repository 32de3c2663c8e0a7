/** What analysis is given: scenarios as values, and the answers there are. */
import type { FullAnswer, Knob, KnobValue, Metric, PointAnswer, Preset, Progress } from "../../engine";
import type { Measured } from "./measured";

export type Values = Readonly<Record<string, KnobValue>>;

export interface CurveAnswers {
  readonly coarse: ReadonlyMap<number, PointAnswer>;
  readonly fine: ReadonlyMap<number, PointAnswer>;
  /** Places that are refused, for more arrives there than can be done. */
  readonly endless?: ReadonlySet<number>;
}

export interface HingeAnswer {
  readonly value: number;
  readonly a: PointAnswer | null;
  readonly b: PointAnswer | null;
}

export interface VariantAnswer {
  readonly label: string;
  readonly a: PointAnswer | null;
  readonly b: PointAnswer | null;
}

/** Points of both sides across the axis and a second knob, as far as they are in. */
export interface MapInput {
  readonly by: XAxisInput;
  /** Where B stands on the second knob. */
  readonly place: number;
  /** Places of the axis that are looked at. */
  readonly xs: readonly number[];
  readonly rows: readonly {
    readonly place: number;
    readonly a: CurveAnswers | null;
    readonly b: CurveAnswers | null;
    /** Both sides are not the same there. */
    readonly isCompared: boolean;
  }[];
}

/** What the page was built with: models of the analysis itself, of which `page.ts` alone knows which. */
export interface KeptModels {
  readonly finding: unknown;
  readonly events: unknown;
}

export interface XAxisInput {
  readonly knob: string;
  readonly words: readonly string[] | null;
  readonly from: number;
  readonly to: number;
  readonly scale: "linear" | "log";
  /** The places at which the curves have points. */
  readonly grid: readonly number[];
}

export interface AnalysisInput {
  readonly preset: Preset;
  readonly knobs: readonly Knob[];
  readonly a: Values;
  readonly b: Values;
  /** Knobs in which A and B differ. */
  readonly differs: readonly string[];
  /** Knobs of which B says otherwise than its preset. */
  readonly moved: readonly string[];
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
  /** The host looked at, counted from 1; null: all of them. */
  readonly host: number | null;
  readonly precisionAsked: number;
  readonly curveA: CurveAnswers | null;
  readonly curveB: CurveAnswers | null;
  /** No point of the two curves is to come any more, though some places may have none, or none but a sketch. */
  readonly areCurvesOver: boolean;
  readonly family: readonly { readonly value: number; readonly answers: CurveAnswers }[];
  readonly fullA: FullAnswer | null;
  readonly fullB: FullAnswer | null;
  /** The full answers are first sketches. */
  readonly isCoarse: boolean;
  /** A hand has stopped the runs: what stands does not narrow. */
  readonly isStopped: boolean;
  readonly progress: Progress | null;
  /** What the first sketch came to when the page was built, while none of the scenario has run here. */
  readonly kept: KeptModels | null;
  readonly failure: string | null;
  /** Why the present knobs cannot be simulated; answers are those from before. */
  readonly refusal: string | null;
  /** No hand is on a knob, and the answers are still those of other values. */
  readonly isBehind: boolean;
  readonly hinge: readonly HingeAnswer[];
  /** What the published difference could come from, as far as it has run. */
  readonly variants: readonly VariantAnswer[];
  readonly areVariantsAsked: boolean;
  /** Null: no second knob is asked for. */
  readonly map: MapInput | null;
  /** What the reader measured; null: nothing. */
  readonly measured: Measured | null;
  /** Points of the whole chart, and the real time that those there are took. */
  readonly points: number;
  readonly spentMs: number;
}

export function numberOf(values: Values, id: string, otherwise: number): number {
  const value = Number(values[id]);
  return Number.isFinite(value) ? value : otherwise;
}

/**
 * What a knob has in each of its parts, hosts or instances; what it has, where there is but one. What a link says of
 * the host of an instance is no part beside that.
 */
export function everywhere(values: Values, id: string): readonly KnobValue[] {
  const part = new RegExp(`^${id}@(?:node|instance)\\d+$`);
  const parts = Object.keys(values).filter((key) => part.test(key));
  const own = parts.filter((key) => key.includes("@instance"));
  return (own.length > 0 ? own : parts.length > 0 ? parts : [id]).flatMap((key) => values[key] ?? []);
}

/** Whether a knob is above a number in any of its parts. */
export function numbersAbove(values: Values, knob: string, limit: number): boolean {
  return everywhere(values, knob).some((value) => Number(value) > limit);
}

/** The value that holds everywhere; null where parts differ. */
export function alike(values: Values, id: string): KnobValue | null {
  const [first, ...others] = everywhere(values, id);
  return first !== undefined && others.every((other) => other === first) ? first : null;
}

/** What the axis says at a place. */
export function wordAt(axis: Pick<XAxisInput, "words">, place: number): KnobValue {
  return axis.words === null ? place : (axis.words[place] ?? "");
}

/** Whether every instance has a cage. */
export function isCaged(values: Values): boolean {
  const plans = everywhere(values, "resource_manager_plan");
  return plans.length > 0 && plans.every((plan) => plan !== "none");
}

/** Whether no instance has one. */
export function isFree(values: Values): boolean {
  return everywhere(values, "resource_manager_plan").every((plan) => plan === "none");
}

/** Whether what stands is a beginning: of other figures as well as wider intervals. */
export const isUnderWay = ({ isCoarse, progress }: AnalysisInput): boolean => isCoarse || progress !== null;

/** Whether nothing goes on any more, whatever is missing. */
export const isHalted = ({ isStopped, refusal }: AnalysisInput): boolean => isStopped || refusal !== null;

/** Whether fewer or more arrivals are asked for: that is no cost, nor a gain, whatever comes of it. */
export const asksOtherwise = ({ differs }: AnalysisInput): boolean =>
  differs.some((key) => key.startsWith("arrivals"));

/** Whether transactions come to every instance as they like. */
export function isOpen(values: Values): boolean {
  return alike(values, "arrivals") === "open";
}
