/** Points of the sweep chart, and the difference between its two curves. */
import type { PointAnswer } from "../../engine";
import type { CurveAnswers } from "../read/input";
import { readingOf, type Scale } from "../read/metrics";
import type { CurvePoint } from "./types";

/** Best answer at each x, refined before coarse, from left to right. */
function bestOf(answers: CurveAnswers): [number, PointAnswer][] {
  return [...new Map([...answers.coarse, ...answers.fine])].toSorted(([x], [other]) => x - other);
}

export function largestOf(curves: readonly (CurveAnswers | null)[], metric: string): number {
  let largest = 0;
  for (const curve of curves) {
    for (const [, point] of curve === null ? [] : bestOf(curve))
      largest = Math.max(largest, Math.abs(readingOf(point, metric)?.mean ?? 0));
  }
  return largest;
}

export function curveOf(answers: CurveAnswers | null, metric: string, scale: Scale): CurvePoint[] {
  if (answers === null) return [];
  const ownUnit = (value: number): number => value / scale.divisor;
  return bestOf(answers).flatMap(([x, point]) => {
    const reading = readingOf(point, metric);
    if (reading === null) return [];
    const { mean, ci95, reps } = reading;
    return [
      {
        x, y: ownUnit(mean), ci95: ci95 === null ? null : ownUnit(ci95), reps: reps.map(ownUnit),
        truncated: point.truncated,
      },
    ];
  });
}
