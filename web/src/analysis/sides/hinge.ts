/** Where the one assumption that the answer hangs on would turn its sign. */
import type { Paired } from "../../base/statistics";
import { numberOf, type AnalysisInput } from "../read/input";
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

/** The difference at each value of the assumption that was tried, and here, of which most is known. */
export function hingeCurve(input: AnalysisInput, compared: Compared | null): DifferencePoint[] {
  if (compared === null) return [];
  const tried = input.hinge.flatMap(({ value, a, b }) =>
    a === null || b === null ? [] : (differencePoint(value, a, b, compared.metric, { unit: "", divisor: 1 }) ?? []),
  );
  const here = tried.length === 0 ? null : pointHere(input, compared);
  if (here === null) return tried;
  return [...tried.filter(({ x }) => x !== here.x), here].toSorted((one, other) => one.x - other.x);
}

/** In two digits, or in as many more as keep it on its side of every point whose sign is certain. */
function rounded(value: number, points: readonly DifferencePoint[]): number {
  const staysAt = (shown: number): boolean =>
    points.every((point) => signOf(point) === 0 || (point.x - shown) * (point.x - value) > 0);
  return [2, 3, 4, 5].map((digits) => Number(value.toPrecision(digits))).find(staysAt) ?? value;
}

/** Where the sign turns for certain, on a logarithmic axis where that is possible; null: nowhere in range, or twice. */
export function evenValue(points: readonly DifferencePoint[]): number | null {
  const isLog = points.every((point) => point.x > 0);
  const [first, second] = evenPoints(isLog ? points.map((point) => ({ ...point, x: Math.log(point.x) })) : points);
  if (first === undefined || second !== undefined) return null;
  return rounded(isLog ? Math.exp(first) : first, points);
}

function endWords(
  input: AnalysisInput, certain: readonly DifferencePoint[], even: number | null, { metric }: Compared,
): readonly [string, string] {
  const { wordB } = namesOf(input);
  const who = wordB === "caged" ? "cage" : "B";
  // Of time less is better.
  const better = metric === "throughput_lio" ? 1 : -1;
  const verdict = (point: DifferencePoint | undefined): string =>
    `${who} ${better * (point?.value ?? 0) > 0 ? "wins" : "loses"}`;
  if (even === null) return ["", `${verdict(certain[0])} everywhere`];
  return [verdict(certain[0]), verdict(certain.at(-1))];
}

export function hingeOf(
  input: AnalysisInput, points: readonly DifferencePoint[], compared: Compared | null,
): Hinge | null {
  const { hinge } = input.preset;
  const certain = points.filter((point) => signOf(point) !== 0);
  if (hinge === null || compared === null || points.length < 3 || certain.length === 0) return null;
  const knob = input.knobs.find((one) => one.id === hinge.knob);
  const even = evenValue(points);
  // Of a sign that turns twice nothing can be said in one word.
  if (even === null && certain.some((point) => signOf(point) !== signOf(certain[0] ?? point))) return null;
  const [leftWord, rightWord] = endWords(input, certain, even, compared);
  const xs = points.map(({ x }) => x);
  const [from, to] = [Math.min(hinge.from, ...xs), Math.max(hinge.to, ...xs)];
  return {
    knob: hinge.knob, unit: knob?.unit ?? "", from, to, here: numberOf(input.b, hinge.knob, hinge.from), even,
    marks: hinge.marks.filter((mark) => mark.value >= from && mark.value <= to), leftWord, rightWord,
  };
}
