import { describe, expect, it } from "vitest";
import type { Metric, MetricRow } from "../../engine";
import { answerOf as fullOf } from "../../testing/buildInput";
import { answerOf } from "./answer";

const metric = (id: string, unit: string): Metric => ({ id, title: id, unit, better: "neither" });
const METRICS = [
  metric("switches_per_s", "1/s"), metric("response_p99_ms", "ms"), metric("service_p99_ms", "ms"),
  metric("cpu_wait_time", "sessions"),
];

/** The figure `id` of two sides, each a mean and its replications. */
function told(id: string, a: Side | null, b: Side | null) {
  const full = (side: Side | null) => {
    const { report, ...answer } = fullOf("");
    const metrics: MetricRow[] = side === null ? [] : [{ id, mean: side[0], ci95: 1, reps: [...side[1]] }];
    return { ...answer, report: { ...report, metrics } };
  };
  return answerOf({ fullA: full(a), fullB: full(b) }, METRICS)?.[id];
}

type Side = readonly [mean: number, reps: readonly number[]];

describe("the difference of a figure that is told to a host", () => {
  it("is that of the pairs, in % of A", () => {
    expect(told("switches_per_s", [10, [9, 11]], [12, [10, 12]])?.difference).toEqual({ mean: 10, ci95: 0, unit: "%" });
  });
  it("is that of the two shown where a percentile is of all replications together", () => {
    expect(told("response_p99_ms", [10, [9, 11]], [12, [10, 12]])?.difference).toMatchObject({ mean: 20, unit: "%" });
    expect(told("service_p99_ms", [10, [9, 11]], [12, [10, 12]])?.difference).toMatchObject({ mean: 2, unit: "ms" });
  });
  it("is that of the two shown where there are no pairs", () => {
    expect(told("switches_per_s", [10, []], [12, []])?.difference).toEqual({ mean: 20, ci95: null, unit: "%" });
  });
  it("has no percentages of nothing, unless there is nothing on either side", () => {
    expect(told("switches_per_s", [0, [0, 0]], [5, [5, 5]])).toMatchObject({ a: { mean: 0 }, difference: null });
    expect(told("response_p99_ms", [0, []], [0, []])?.difference).toMatchObject({ mean: 0, unit: "%" });
    expect(told("cpu_wait_time", [0, [0, 0]], [5, [5, 5]])?.difference).toEqual({ mean: 5, ci95: 0, unit: "sessions" });
  });
  it("is none where one side has no such figure", () => {
    expect(told("switches_per_s", null, [5, [5]])).toMatchObject({ a: null, b: { mean: 5 }, difference: null });
    expect(told("switches_per_s", null, null)).toBeUndefined();
  });
});
