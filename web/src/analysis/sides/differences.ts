/** B − A: paired by replication, on a curve and in a whole report. */
import type { PointAnswer, Report } from "../../engine";
import { pairedDifference, zeroBetween, type Paired } from "../../base/statistics";
import type { CurveAnswers } from "../read/input";
import { comparesInPercent, isPooled, readingOf, type Scale } from "../read/metrics";
import type { Sum } from "../read/ledger";
import type { DifferencePoint } from "../read/types";
import type { RowDifference } from "./types";

/** A change beyond this \[%\] is plain on an axis from zero. */
const PLAIN_FROM = 25;

/** Only answers of the same fineness are compared: their replications share seeds and length. */
function pairAt(
  a: CurveAnswers, b: CurveAnswers, xB: number, xA: number,
): readonly [PointAnswer, PointAnswer] | null {
  const [fineA, fineB] = [a.fine.get(xA), b.fine.get(xB)];
  if (fineA !== undefined && fineB !== undefined) return [fineA, fineB];
  const [coarseA, coarseB] = [a.coarse.get(xA), b.coarse.get(xB)];
  return coarseA !== undefined && coarseB !== undefined ? [coarseA, coarseB] : null;
}

/** Of nothing there are no percentages, unless there is nothing on either side. */
export const isFromNothing = (a: Pick<Sum, "mean">, b: Pick<Sum, "mean">): boolean => a.mean === 0 && b.mean !== 0;

/** B − A over pairs of replications, or of all together as one, times a scale. */
function scaledDifference(a: Sum, b: Sum, scale: number, isOfAll = false): Paired {
  const { mean, ci95, pairs } = pairedDifference(a.reps, b.reps);
  const difference = pairs > 0 && !isOfAll ? mean : b.mean - a.mean;
  return { mean: difference * scale, ci95: ci95 === null ? null : ci95 * scale, pairs };
}

/** What makes a difference one in % of A. */
const percentOf = ({ mean }: Sum): number => (mean === 0 ? 0 : 100 / mean);

/** B − A of a metric: in % of A, or in its unit over a divisor where there are no ratios; null: of nothing. */
export function metricDifference(metric: string, a: Sum, b: Sum, divisor = 1): Paired | null {
  const isRatio = comparesInPercent(metric);
  if (isRatio && isFromNothing(a, b)) return null;
  return scaledDifference(a, b, isRatio ? percentOf(a) : 1 / divisor, isPooled(metric));
}

/** The same of a place of two curves. */
export function differencePoint(
  x: number, a: PointAnswer, b: PointAnswer, metric: string, scale: Scale,
): DifferencePoint | null {
  const [readA, readB] = [readingOf(a, metric), readingOf(b, metric)];
  if (readA === null || readB === null) return null;
  const by = metricDifference(metric, readA, readB, scale.divisor);
  return by === null ? null : { x, value: by.mean, ci95: by.ci95 };
}

/** `xA`: where A stands on its own curve; as a rule where B does. */
export function differencesOf(
  a: CurveAnswers | null, b: CurveAnswers | null, metric: string, scale: Scale, xA?: number,
): DifferencePoint[] {
  if (a === null || b === null) return [];
  const xs = [...new Set([...b.coarse.keys(), ...b.fine.keys()])].toSorted((x, other) => x - other);
  return xs.flatMap((x) => {
    const pair = pairAt(a, b, x, xA ?? x);
    const point = pair === null ? null : differencePoint(x, pair[0], pair[1], metric, scale);
    return point === null ? [] : [point];
  });
}

/** How a curve runs against its value where A stands, if that is by so little that an axis from zero hides it. */
export function differencesAlong(
  curve: CurveAnswers | null, xA: number, metric: string, scale: Scale,
): readonly DifferencePoint[] {
  const points = comparesInPercent(metric) ? differencesOf(curve, curve, metric, scale, xA) : [];
  return points.every(({ value }) => Math.abs(value) <= PLAIN_FROM) ? points : [];
}

const SMALLEST = 0.05;

/** Zero where the sign is not certain. */
export function signOf(point: DifferencePoint): number {
  const isSure = point.ci95 !== null && Math.abs(point.value) > Math.max(point.ci95, SMALLEST);
  return isSure ? Math.sign(point.value) : 0;
}

/** Sessions or CPUs: a row that differs by less does not. */
const SMALLEST_OF_ROWS = 0.005;

/** B − A of a row: what is not there on one side has nothing of it in every start of the other. */
export function rowDifference(a: Sum, b: Sum): RowDifference {
  const like = (own: Sum, other: Sum): Sum => (own.reps.length > 0 ? own : { ...own, reps: other.reps.map(() => 0) });
  const { mean: difference, ci95 } = scaledDifference(like(a, b), like(b, a), 1);
  const isSignificant = ci95 !== null && Math.abs(difference) > Math.max(ci95, SMALLEST_OF_ROWS);
  return { difference, ci95, isSignificant };
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
    const zero = zeroBetween(left.x, left.value, right.x, right.value);
    if (zero !== null) return zero;
  }
  return points[to]?.x ?? 0;
}

/** B − A in % of A, from replications that shared their seeds. */
export function relativeDifference(a: Sum, b: Sum): Paired {
  const by = scaledDifference(a, b, percentOf(a));
  return isFromNothing(a, b) ? { ...by, ci95: null } : by;
}

/** The sign is known: the interval leaves zero out. A difference below 0.05 % is none. */
export function isCertain(difference: Paired): boolean {
  return difference.ci95 !== null && Math.abs(difference.mean) > Math.max(difference.ci95, 0.05);
}

export interface Differences {
  readonly throughput: Paired;
  readonly response: Paired;
}

/**
 * Throughput is told in logical reads; in transactions where the axis, `metric`, has these and they say the same: the
 * difference is as certain, and no other within its interval.
 */
export function differencesAt(a: Report, b: Report, metric = ""): Differences {
  const [{ throughput: was }, { throughput: is }] = [a, b];
  const reads = relativeDifference(was.lio_per_s, is.lio_per_s);
  const own = relativeDifference(was.transactions_per_s, is.transactions_per_s);
  const isSame = isCertain(own) && isCertain(reads) && Math.abs(own.mean - reads.mean) <= (own.ci95 ?? 0);
  return {
    throughput: isSame && metric === "throughput_transactions" ? own : reads,
    response: relativeDifference(a.response_ms, b.response_ms),
  };
}

/** Relative differences below this are rounding [%]. */
const ROUNDING = 1e-9;

/** Pair by pair the same: there is no variance, and no doubt. */
export function isEqual(difference: Paired): boolean {
  return difference.ci95 !== null && Math.max(Math.abs(difference.mean), difference.ci95) < ROUNDING;
}
