/**
 * What a simulated figure allows to be said of a published one. The same rule as `figures/verdict.rs` of the
 * simulation; both are held to the cases in `figures/cases.json` there.
 */
import { halfWidth95, mean } from "../../base/statistics";
import type { PublishedFigure, Verdict } from "../../engine";
import type { Reading } from "./metrics";

export interface Simulated {
  readonly value: number;
  /** 95 % half-width; null where there is none. */
  readonly ci95: number | null;
}

export interface Judgement {
  /** Null where nothing is published. */
  readonly verdict: Verdict | null;
  /** Whether an input or a consistency check is met; null of predictions and where nothing is published. */
  readonly isMet: boolean | null;
}

export type Judged = Pick<PublishedFigure, "role" | "reading" | "value" | "claim" | "tolerance">;

/** Readings that are differences in percent: an error of them is told in points. */
const DIFFERENCES: ReadonlySet<PublishedFigure["reading"]> = new Set(["lio_against", "transactions_against"]);

export function isDifference(reading: PublishedFigure["reading"]): boolean {
  return DIFFERENCES.has(reading);
}

/** An interval wider than this part of the published value agrees with too much to be called agreement. */
const WIDEST_SHARE = 0.1;
/** The same of a difference in percent, whose published value may be near zero: points. */
const WIDEST_POINTS = 0.5;

/** Of a value, what arithmetic in binary fractions may leave. */
const roundingOf = (value: number): number => 1e-9 * Math.abs(value);

function widest({ reading, tolerance }: Judged, value: number, uncertainty: number): number {
  return Math.max(
    WIDEST_SHARE * Math.abs(value), isDifference(reading) ? WIDEST_POINTS : 0, uncertainty, tolerance?.within ?? 0,
  );
}

function verdictOf(figure: Judged, { value, ci95 }: Simulated): Verdict | null {
  const { claim } = figure;
  if (claim.kind === "nothing") return null;
  if (ci95 === null) return "cannot tell";
  if (claim.kind === "above")
    return value - ci95 > claim.limit ? "hit" : value + ci95 <= claim.limit ? "miss" : "cannot tell";
  if (claim.kind === "below")
    return value + ci95 < claim.limit ? "hit" : value - ci95 >= claim.limit ? "miss" : "cannot tell";
  const published = figure.value ?? 0;
  // 0.625 is within what 0.63 is rounded from, whatever binary fractions make of it.
  if (Math.abs(value - published) > ci95 + claim.uncertainty + roundingOf(published)) return "miss";
  return ci95 <= widest(figure, published, claim.uncertainty) ? "hit" : "cannot tell";
}

/**
 * Verdict, and whether an input or a consistency check is within its tolerance; where only a direction is claimed, if
 * that is a hit.
 */
export function judge(figure: Judged, simulated: Simulated): Judgement {
  const verdict = verdictOf(figure, simulated);
  const { role, claim } = figure;
  if (role === "prediction" || claim.kind === "nothing") return { verdict, isMet: null };
  if (claim.kind !== "value") return { verdict, isMet: verdict === "hit" };
  const within = figure.tolerance?.within ?? claim.uncertainty;
  const value = figure.value ?? 0;
  const isNear = Math.abs(simulated.value - value) <= within + roundingOf(value);
  return { verdict, isMet: isNear && (simulated.ci95 ?? 0) <= within };
}

/**
 * Ratio of two means. Where both have as many replications they go in pairs, which share their random numbers: the
 * interval is that of a − ratio · b over the pairs, over the mean of b. Else both intervals count as independent.
 * Null where b is zero.
 */
export function ratioOf(a: Reading, b: Reading): Simulated | null {
  const value = a.mean / b.mean;
  if (!Number.isFinite(value)) return null;
  if (a.reps.length === b.reps.length && a.reps.length > 1) {
    const half = halfWidth95(a.reps.map((rep, i) => rep - value * (b.reps[i] ?? 0)));
    return { value, ci95: half === null ? null : half / mean(b.reps) };
  }
  if (a.ci95 === null || b.ci95 === null) return { value, ci95: null };
  return {
    value,
    ci95: Math.abs(value) * Math.sqrt((a.ci95 / a.mean) * (a.ci95 / a.mean) + (b.ci95 / b.mean) * (b.ci95 / b.mean)),
  };
}
