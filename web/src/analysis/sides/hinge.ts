/** Where the one assumption that the answer hangs on would turn its sign. */
import type { Paired } from "../../base/statistics";
import type { PointAnswer } from "../../engine";
import { asksOtherwise, numberOf, type AnalysisInput } from "../read/input";
import { namesOf } from "../read/names";
import type { DifferencePoint } from "../read/types";
import { differencePoint, evenPoints, signOf } from "./differences";
import type { Hinge } from "./types";

/** The figure whose sign is asked for, and B − A of it here. */
export interface Compared {
  readonly metric: "throughput_lio" | "response_mean_ms" | "elapsed_s";
  readonly difference: Paired;
}

/** What both sides came to at the value here: what the headline says. */
function pointHere({ preset: { hinge }, b }: AnalysisInput, { difference }: Compared): DifferencePoint | null {
  const here = hinge === null ? Number.NaN : numberOf(b, hinge.knob, Number.NaN);
  return here >= 0 ? { x: here, value: difference.mean, ci95: difference.ci95 } : null;
}

/** A point runs until its throughput is precise; its few responses may then say nothing, whatever their interval. */
function isPrecise({ responseMs, responseCi95 }: PointAnswer, { precisionAsked }: AnalysisInput): boolean {
  return responseCi95 !== null && responseCi95 <= precisionAsked * responseMs;
}

/** The difference at each value of the assumption that was tried, and here, of which most is known. */
export function hingeCurve(input: AnalysisInput, compared: Compared | null): DifferencePoint[] {
  if (compared === null) return [];
  const isOfResponse = compared.metric === "response_mean_ms";
  const tried = input.hinge.flatMap(({ value, a, b }) => {
    if (a === null || b === null || (isOfResponse && !(isPrecise(a, input) && isPrecise(b, input)))) return [];
    return differencePoint(value, a, b, compared.metric, { unit: "", divisor: 1 }) ?? [];
  });
  // A knob that does nothing here, as a refill where working sets stand for it, leaves each answer as it is.
  if (tried.every(({ value }) => value === tried[0]?.value)) return [];
  const here = pointHere(input, compared);
  if (here === null) return tried;
  return [...tried.filter(({ x }) => x !== here.x), here].toSorted((one, other) => one.x - other.x);
}

/** In two digits, or in as many more as keep it on its side of every point whose sign is certain. */
function rounded(value: number, points: readonly DifferencePoint[]): number {
  const staysAt = (shown: number): boolean =>
    points.every((point) => signOf(point) === 0 || (point.x - shown) * (point.x - value) > 0);
  return [2, 3, 4].map((digits) => Number(value.toPrecision(digits))).find(staysAt) ?? value;
}

/** Where the sign turns for certain, on a straight line between points: what a cost takes grows with it; or null. */
export function evenValue(points: readonly DifferencePoint[]): number | null {
  const [first, second] = evenPoints(points);
  return first === undefined || second !== undefined ? null : rounded(first, points);
}

function endWord({ value }: DifferencePoint, input: AnalysisInput, metric: Compared["metric"]): string {
  const who = namesOf(input).wordB === "caged" ? "cage" : "B";
  // Of time less is better.
  return `${who} ${value > 0 === (metric === "throughput_lio") ? "wins" : "loses"}`;
}

/** Its axis goes as far as signs are certain; null where nothing hangs on it for certain. */
export function hingeOf(
  input: AnalysisInput, points: readonly DifferencePoint[], compared: Compared | null,
): Hinge | null {
  const hinge = asksOtherwise(input) ? null : input.preset.hinge;
  const certain = points.filter((point) => signOf(point) !== 0);
  const [first, last] = [certain[0], certain.at(-1)];
  if (hinge === null || compared === null || first === undefined || last === undefined || first === last) return null;
  const [even, here] = [evenValue(points), numberOf(input.b, hinge.knob, hinge.from)];
  const isOutside = here < first.x || here > last.x;
  // Of a sign that turns twice no word is true; of one that is not certain here, others say nothing unless it turns.
  const isSame = certain.every((one) => signOf(one) === signOf(first));
  const isSureHere = points.every((point) => point.x !== here || signOf(point) !== 0);
  if (isOutside || (even === null && !(isSame && isSureHere))) return null;
  const word = endWord(last, input, compared.metric);
  const isSureAll = points.every((point) => point.x < first.x || point.x > last.x || signOf(point) !== 0);
  return {
    knob: hinge.knob, unit: input.knobs.find((one) => one.id === hinge.knob)?.unit ?? "", from: first.x, to: last.x,
    here, even, marks: hinge.marks.filter((mark) => mark.value >= first.x && mark.value <= last.x),
    leftWord: even === null ? "" : endWord(first, input, compared.metric),
    rightWord: even === null ? `${word} ${isSureAll ? "everywhere" : "where certain"}` : word,
  };
}
