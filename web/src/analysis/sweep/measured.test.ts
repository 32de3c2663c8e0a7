import { expect, it } from "vitest";
import { buildInput, curveFrom } from "../../testing/buildInput";
import type { Measured } from "../read/measured";
import { pageOf } from "../page";

const measured: Measured = {
  load: "sessions", metrics: ["throughput_lio", "response_mean_ms"], rows: [[8, 2.4e6, 110], [32, 3.1e6, 600]],
};
const curves = { curveA: curveFrom("1:0.6 32:3.2"), curveB: curveFrom("1:0.6 32:3.3") };

function dots(more: Parameters<typeof buildInput>[2]): string[] {
  const { published } = pageOf(buildInput("", "", { ...curves, measured, ...more })).curve;
  return published.filter(({ role }) => role === "measured").map(({ x, y, label }) => `${x}: ${y} ${label}`);
}

it("what was measured stands on curves that have its axes, in their unit", () => {
  expect(dots({})).toEqual(["8: 2.4 measured 2.4", "32: 3.1 3.1"]);
  const response = { id: "response_mean_ms", title: "Response time, mean", unit: "ms", better: "down" } as const;
  expect(dots({ metric: response })).toEqual(["8: 110 measured 110", "32: 600 600"]);
});

it("and on no others", () => {
  expect(dots({ measured: null })).toEqual([]);
  expect(dots({ metric: { id: "throughput_transactions", title: "", unit: "1/s", better: "up" } })).toEqual([]);
  expect(dots({ xAxis: { knob: "cpu_count", words: null, from: 1, to: 8, scale: "linear", grid: [] } })).toEqual([]);
});
