/** Metrics: what a point or a report says of one, and in which unit it is best read. */
import type { MetricRow, PointAnswer, Report } from "../../engine";

export function metricIn(report: Report, id: string): MetricRow | null {
  return report.metrics.find((row) => row.id === id) ?? null;
}

/** The metrics that apply to a run. */
export function metricIdsOf(report: Report): readonly string[] {
  return report.metrics.map(({ id }) => id);
}

export interface Reading {
  readonly mean: number;
  readonly ci95: number | null;
  readonly reps: readonly number[];
}

/** A server that falls behind answers a thousand times later: that is told in seconds, not in per cent. */
const ANSWERS: ReadonlySet<string> = new Set(["service_mean_ms", "service_p99_ms"]);

/**
 * Whether a point is of a queue that grows: answers there take as long as the run does, so that the precision asked is
 * that of other figures.
 */
export function isEndless({ metric, precision }: PointAnswer, id: string): boolean {
  if (!ANSWERS.has(id) || metric === null || precision === null) return false;
  const own = (metric.ci95 ?? Infinity) / metric.mean;
  return Math.abs(own - precision) > 0.01 * precision;
}

/** Null where the metric does not apply, or has no bound. */
export function readingOf(point: PointAnswer, metric: string): Reading | null {
  if (metric === "throughput_lio") return { mean: point.lioPerS, ci95: point.lioCi95, reps: point.lioReps };
  if (metric === "response_mean_ms")
    return { mean: point.responseMs, ci95: point.responseCi95, reps: point.responseReps };
  return isEndless(point, metric) ? null : point.metric;
}

/** What may be nought or less has no percentages. */
const DIFFERENCES: ReadonlySet<string> = new Set(["cpu_wait_time", "cpu_wait_purr", "service_backlog_growth_per_s"]);

export function hasRatios(metric: string): boolean {
  return !DIFFERENCES.has(metric);
}

/** Whether B − A is told in per cent of A. */
export function comparesInPercent(metric: string): boolean {
  return hasRatios(metric) && !ANSWERS.has(metric);
}

/**
 * A percentile of all replications together is not the mean of theirs, nor is the mean answer of a queue that grows.
 */
const POOLED: ReadonlySet<string> = new Set([
  "response_p99_ms", "service_p99_ms", "service_mean_ms", "dispatch_delay_p99_us",
]);

export function isPooled(metric: string): boolean {
  return POOLED.has(metric);
}

/** What an axis counts in, and how many of the metric's own units one of those is. */
export interface Scale {
  readonly unit: string;
  readonly divisor: number;
}

const rate = (unit: string, largest: number): Scale => {
  if (largest >= 400_000) return { unit: `M ${unit}`, divisor: 1e6 };
  return largest >= 400 ? { unit: `k ${unit}`, divisor: 1e3 } : { unit, divisor: 1 };
};

export function scaleFor(unit: string, largest: number): Scale {
  if (unit === "LIO/s") return rate(unit, largest);
  if (unit === "ms") return largest >= 5_000 ? { unit: "s", divisor: 1_000 } : { unit, divisor: 1 };
  // As their values are told.
  if (unit === "s" && largest > 0 && largest < 0.1)
    return largest < 1e-3 ? { unit: "µs", divisor: 1e-6 } : { unit: "ms", divisor: 1e-3 };
  if (unit === "µs")
    return largest >= 5_000_000
      ? { unit: "s", divisor: 1e6 }
      : largest >= 5_000
        ? { unit: "ms", divisor: 1e3 }
        : { unit, divisor: 1 };
  if (unit === "1/s" && largest >= 10_000_000) return { unit: "million/s", divisor: 1e6 };
  if (unit === "1/s") return largest >= 10_000 ? { unit: "thousand/s", divisor: 1e3 } : { unit, divisor: 1 };
  return { unit, divisor: 1 };
}
