/** Where the one assumption that the answer hangs on would turn its sign. */
import { numberOf, type AnalysisInput } from "../read/input";
import { namesOf } from "../read/names";
import type { DifferencePoint } from "../read/types";
import { differencePoint, differencesAt, evenPoints, signOf } from "./differences";
import type { Hinge } from "./types";

/** What both sides came to at the value here, where that lies outside the range that was tried. */
function pointHere({ preset: { hinge }, b, fullA, fullB }: AnalysisInput): DifferencePoint | null {
  const here = hinge === null ? 0 : numberOf(b, hinge.knob, 0);
  if (hinge === null || fullA === null || fullB === null || !(here > 0)) return null;
  if (here >= hinge.from && here <= hinge.to) return null;
  const { mean, ci95 } = differencesAt(fullA.report, fullB.report).throughput;
  return { x: here, value: mean, ci95 };
}

/** The difference at each value of the assumption, and here. */
export function hingeCurve(input: AnalysisInput): DifferencePoint[] {
  const tried = input.hinge.flatMap(({ value, a, b }) =>
    a === null || b === null
      ? []
      : (differencePoint(value, a, b, "throughput_lio", { unit: "LIO/s", divisor: 1 }) ?? []),
  );
  const here = tried.length === 0 ? null : pointHere(input);
  return here === null ? tried : [...tried, here].toSorted((one, other) => one.x - other.x);
}

/** Where the sign turns for certain, on a logarithmic axis where that is possible; null: nowhere in range. */
export function evenValue(points: readonly DifferencePoint[]): number | null {
  const isLog = points.every((point) => point.x > 0);
  const [first] = evenPoints(isLog ? points.map((point) => ({ ...point, x: Math.log(point.x) })) : points);
  return first === undefined ? null : isLog ? Math.exp(first) : first;
}

function endWords(
  input: AnalysisInput, certain: readonly DifferencePoint[], even: number | null,
): readonly [string, string] {
  const { wordB } = namesOf(input);
  const who = wordB === "caged" ? "cage" : "B";
  const verdict = (point: DifferencePoint | undefined): string =>
    `${who} ${(point?.value ?? 0) > 0 ? "wins" : "loses"}`;
  if (even === null) return ["", `${verdict(certain[0])} everywhere`];
  return [verdict(certain[0]), verdict(certain.at(-1))];
}

export function hingeOf(input: AnalysisInput, points: readonly DifferencePoint[]): Hinge | null {
  const { hinge } = input.preset;
  const certain = points.filter((point) => signOf(point) !== 0);
  if (hinge === null || points.length < 3 || certain.length === 0) return null;
  const knob = input.knobs.find((one) => one.id === hinge.knob);
  const even = evenValue(points);
  const [leftWord, rightWord] = endWords(input, certain, even);
  const xs = points.map(({ x }) => x);
  const [from, to] = [Math.min(hinge.from, ...xs), Math.max(hinge.to, ...xs)];
  return {
    knob: hinge.knob, unit: knob?.unit ?? "", from, to, here: numberOf(input.b, hinge.knob, hinge.from), even,
    marks: hinge.marks.filter((mark) => mark.value >= from && mark.value <= to), leftWord, rightWord,
  };
}
