/** Points of the sweep chart, and the difference between its two curves. */
import { memoBy } from "../../base/memo";
import type { PointAnswer } from "../../engine";
import type { CurveAnswers } from "../read/input";
import { isEndless, readingOf, type Scale } from "../read/metrics";
import type { CurvePoint } from "./types";

/** Best answer at each x, refined before coarse, from left to right. Most curves stay as they are when one changes. */
const bestOf = memoBy(({ coarse, fine }: CurveAnswers): readonly (readonly [number, PointAnswer])[] =>
  [...new Map([...coarse, ...fine])].toSorted((one, other) => one[0] - other[0]),
);

/** The points drawn of a curve, by metric and divisor. */
const drawnOf = memoBy<CurveAnswers, Map<string, readonly CurvePoint[]>>(() => new Map());

/** A curve stops where no further point was reached; where none was at all, bands say how little is known. */
export function reached(points: readonly CurvePoint[]): readonly CurvePoint[] {
  const last = points.findLastIndex((point) => !point.truncated);
  return last < 0 ? points : points.slice(0, last + 1);
}

export function largestOf(curves: readonly (CurveAnswers | null)[], metric: string): number {
  let largest = 0;
  for (const curve of curves) {
    for (const [, point] of curve === null ? [] : bestOf(curve))
      largest = Math.max(largest, Math.abs(readingOf(point, metric)?.mean ?? 0));
  }
  return largest;
}

/** Places at which a figure has no bound: answers of a server, and responses where more arrives than can be done. */
export const endlessIn = (answers: CurveAnswers | null, metric: string): readonly number[] =>
  answers === null ? [] : [
    ...bestOf(answers).flatMap(([x, point]) => (isEndless(point, metric) ? [x] : [])),
    ...(metric.startsWith("response_") ? (answers.endless ?? []) : []),
  ].toSorted((one, other) => one - other);

export function curveOf(
  answers: CurveAnswers | null, metric: string, { divisor }: Scale,
): readonly CurvePoint[] {
  if (answers === null) return [];
  const [drawn, name] = [drawnOf(answers), `${metric}/${divisor}`];
  const known = drawn.get(name) ?? pointsOf(answers, metric, divisor);
  drawn.set(name, known);
  return known;
}

function pointsOf(answers: CurveAnswers, metric: string, divisor: number): readonly CurvePoint[] {
  const ownUnit = (value: number): number => value / divisor;
  return bestOf(answers).flatMap(([x, point]) => {
    const reading = readingOf(point, metric);
    if (reading === null) return [];
    const { mean, ci95, reps } = reading;
    // What a sketch does not reach the refined run may.
    const truncated = point.truncated && answers.fine.has(x);
    return [
      { x, y: ownUnit(mean), ci95: ci95 === null ? null : ownUnit(ci95), reps: reps.map(ownUnit), truncated },
    ];
  });
}
