/** Points of the throughput or response chart, and the difference between its two curves. */
import type { PointAnswer } from "../engine";
import { pairedDifference, zeroBetween } from "../base/statistics";
import type { AnalysisInput, CurveAnswers } from "./input";
import type { CurvePoint, DifferencePoint } from "./types";

/** What the y axis counts in, and how many of the answer's own units one of those is. */
export interface Scale {
  readonly unit: string;
  readonly divisor: number;
}

type Metric = AnalysisInput["metric"];

export function scaleFor(metric: Metric, largest: number): Scale {
  if (metric === "response") return largest >= 5_000 ? { unit: "s", divisor: 1_000 } : { unit: "ms", divisor: 1 };
  if (largest >= 400_000) return { unit: "M LIO/s", divisor: 1e6 };
  return largest >= 400 ? { unit: "k LIO/s", divisor: 1e3 } : { unit: "LIO/s", divisor: 1 };
}

interface Reading {
  readonly mean: number;
  readonly ci95: number | null;
  readonly reps: readonly number[];
}

export function readingOf(point: PointAnswer, metric: Metric): Reading {
  return metric === "throughput"
    ? { mean: point.lioPerS, ci95: point.lioCi95, reps: point.lioReps }
    : { mean: point.responseMs, ci95: point.responseCi95, reps: point.responseReps };
}

/** Best answer at each x, refined before coarse, from left to right. */
function bestOf(answers: CurveAnswers): [number, PointAnswer][] {
  return [...new Map([...answers.coarse, ...answers.fine])].toSorted(([x], [other]) => x - other);
}

export function largestOf(curves: readonly (CurveAnswers | null)[], metric: Metric): number {
  let largest = 0;
  for (const curve of curves) {
    for (const [, point] of curve === null ? [] : bestOf(curve)) largest = Math.max(largest, readingOf(point, metric).mean);
  }
  return largest;
}

export function curveOf(answers: CurveAnswers | null, metric: Metric, scale: Scale): CurvePoint[] {
  if (answers === null) return [];
  return bestOf(answers).map(([x, point]) => {
    const { mean, ci95, reps } = readingOf(point, metric);
    const ownUnit = (value: number): number => value / scale.divisor;
    return { x, y: ownUnit(mean), ci95: ci95 === null ? null : ownUnit(ci95), reps: reps.map(ownUnit), truncated: point.truncated };
  });
}

/** Only answers of the same fineness are compared: their replications share seeds and length. */
function pairAt(a: CurveAnswers, b: CurveAnswers, x: number): readonly [PointAnswer, PointAnswer] | null {
  const [fineA, fineB] = [a.fine.get(x), b.fine.get(x)];
  if (fineA !== undefined && fineB !== undefined) return [fineA, fineB];
  const [coarseA, coarseB] = [a.coarse.get(x), b.coarse.get(x)];
  return coarseA !== undefined && coarseB !== undefined ? [coarseA, coarseB] : null;
}

/** B − A in % of A, with the interval over pairs of replications. */
export function differencePoint(x: number, a: PointAnswer, b: PointAnswer, metric: Metric): DifferencePoint {
  const [readA, readB] = [readingOf(a, metric), readingOf(b, metric)];
  const paired = pairedDifference(readA.reps, readB.reps);
  const percentOf = (value: number): number => (readA.mean === 0 ? 0 : (100 * value) / readA.mean);
  return {
    x,
    percent: percentOf(paired.pairs > 0 ? paired.mean : readB.mean - readA.mean),
    ci95: paired.ci95 === null ? null : percentOf(paired.ci95),
  };
}

export function differencesOf(a: CurveAnswers | null, b: CurveAnswers | null, metric: Metric): DifferencePoint[] {
  if (a === null || b === null) return [];
  const xs = [...new Set([...b.coarse.keys(), ...b.fine.keys()])].toSorted((x, other) => x - other);
  return xs.flatMap((x) => {
    const pair = pairAt(a, b, x);
    return pair === null ? [] : [differencePoint(x, pair[0], pair[1], metric)];
  });
}

const SMALLEST_PERCENT = 0.05;

/** Zero where the sign is not certain. */
export function signOf(point: DifferencePoint): number {
  const isSure = point.ci95 !== null && Math.abs(point.percent) > Math.max(point.ci95, SMALLEST_PERCENT);
  return isSure ? Math.sign(point.percent) : 0;
}

/** Where the sign turns, between two points whose signs are certain. */
export function evenPoints(points: readonly DifferencePoint[]): number[] {
  const even: number[] = [];
  let sure = -1;
  points.forEach((point, i) => {
    const sign = signOf(point);
    if (sign === 0) return;
    const before = points[sure];
    if (before !== undefined && signOf(before) !== sign) even.push(turnBetween(points, sure, i));
    sure = i;
  });
  return even;
}

/** The last crossing on the line from one certain point to the next. */
function turnBetween(points: readonly DifferencePoint[], from: number, to: number): number {
  for (let i = to; i > from; i--) {
    const [left, right] = [points[i - 1], points[i]];
    if (left === undefined || right === undefined) continue;
    const zero = zeroBetween(left.x, left.percent, right.x, right.percent);
    if (zero !== null) return zero;
  }
  return points[to]?.x ?? 0;
}
