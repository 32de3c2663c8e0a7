/** Two knobs together: what each place says, and what is said of all. */
import { describe, expect, it } from "vitest";
import { buildInput, curveFrom, pointOf } from "../../testing/buildInput";
import type { AnalysisInput } from "../read/input";
import { mapIn } from "../tables";
import type { MapModel } from "../types";

const report = "";
type Row = NonNullable<AnalysisInput["map"]>["rows"][number];

function modelOf(rows: readonly Row[], more: Partial<AnalysisInput> = {}): MapModel {
  const map: AnalysisInput["map"] = {
    by: { knob: "cpu_count", words: null, from: 2, to: 4, scale: "linear", grid: [2, 4] },
    place: 4, xs: [1, 2], rows,
  };
  const model = mapIn(buildInput(report, report, { map, ...more }));
  if (model === null) throw new Error("no map");
  return model;
}

const alone = (place: number, text: string, spread?: number): Row => {
  const curve = curveFrom(text, spread);
  return { place, a: curve, b: curve, isCompared: false };
};
const pair = (place: number, a: string, b: string, spread?: number): Row => ({
  place, a: curveFrom(a, spread), b: curveFrom(b, spread), isCompared: true,
});

describe("a map of one side", () => {
  const model = modelOf([alone(2, "1:0.6 2:0.8"), alone(4, "1:0.6 2:1.2")], { xHandle: 2 });
  it("has a value in the curve's unit in each place, the lowest row first", () => {
    expect(model.cells.map(({ value }) => value)).toEqual([0.6, 0.8, 0.6, 1.2]);
    expect(model.cells.map(({ ci95 }) => ci95?.toFixed(4))).toEqual(["0.0006", "0.0008", "0.0006", "0.0012"]);
    expect([model.unit, model.isDifference]).toEqual(["M LIO/s", false]);
  });
  it("knows where B stands, and that it may stand between", () => {
    expect([model.x, model.y]).toEqual([1, 1]);
    expect(modelOf([alone(2, "1:0.6 2:0.8")], { xHandle: 9 }).x).toBe(-1);
  });
  it("tells least and most, and how many places are missing", () => {
    expect(model.title).toBe("Throughput by sessions and cpu_count: 0.6 to 1.2 M LIO/s");
    const less = modelOf([alone(2, "1:0.6"), alone(4, "1:0.6 2:1.2")]);
    expect(less.title).toBe("Throughput by sessions and cpu_count: 0.6 to 1.2 M LIO/s; 1 of 4 places are not known");
    expect(less.cells[1]).toMatchObject({ value: null, isSketch: false });
    const none: Row = { place: 2, a: null, b: null, isCompared: false };
    expect(modelOf([none]).title).toBe("Throughput by sessions and cpu_count");
  });
  it("names words by their words", () => {
    const words = ["CFS", "EEVDF"];
    const map: AnalysisInput["map"] = {
      by: { knob: "os_scheduler", words, from: 0, to: 1, scale: "linear", grid: [0, 1] }, place: 1, xs: [1, 2],
      rows: [alone(0, "1:0.6 2:0.8"), alone(1, "1:0.6 2:0.8")],
    };
    expect(mapIn(buildInput(report, report, { map }))?.ys).toEqual([
      { at: 0, value: "CFS", label: "CFS" }, { at: 1, value: "EEVDF", label: "EEVDF" },
    ]);
  });
});

describe("a map of two sides", () => {
  it("is of B − A in per cent of A, and counts what is told apart", () => {
    const model = modelOf([pair(2, "1:1 2:1", "1:1.1 2:0.8"), pair(4, "1:1 2:1", "1:1 2:1.5")]);
    expect(model.cells.map(({ value }) => Math.round(value ?? 99))).toEqual([10, -20, 0, 50]);
    expect(model.cells.map(({ sign }) => sign)).toEqual([1, -1, 0, 1]);
    expect(model.title).toBe(
      "Throughput by sessions and cpu_count: B above A in 2 of 4 places, below in 1, not told apart in 1",
    );
    expect([model.unit, model.isDifference]).toEqual(["%", true]);
  });
  it("is in the unit of what has no percentages", () => {
    const metric = { id: "service_mean_ms", title: "Answer", unit: "ms", better: "down" } as const;
    const curve = (mean: number) => {
      const point = { ...pointOf(1e6, 0.03), metric: { mean, ci95: 0.03 * mean, reps: [mean, mean] }, precision: 0.03 };
      return { coarse: new Map(), fine: new Map([[1, point]]) };
    };
    const model = modelOf([{ place: 4, a: curve(20), b: curve(50), isCompared: true }], { metric });
    expect([model.unit, model.cells[0]?.value]).toEqual(["ms", 30]);
  });
  it("has no sign where the interval holds zero", () => {
    const a = { coarse: new Map(), fine: new Map([[1, pointOf(1e6, 0.2)]]) };
    const reps = pointOf(1.01e6, 0.2).lioReps.toReversed();
    const b = { coarse: new Map(), fine: new Map([[1, { ...pointOf(1.01e6, 0.2), lioReps: reps }]]) };
    const [cell] = modelOf([{ place: 4, a, b, isCompared: true }]).cells;
    expect(cell?.sign).toBe(0);
    expect(cell?.value).toBeGreaterThan(0);
  });
  it("has no difference where both sides are one scenario", () => {
    const model = modelOf([alone(2, "1:1 2:1"), pair(4, "1:1 2:1", "1:2 2:2")]);
    expect(model.cells.slice(0, 2).map(({ value, ci95, sign }) => [value, ci95, sign])).toEqual([[0, 0, 0], [0, 0, 0]]);
    expect(Math.round(model.cells[3]?.value ?? 0)).toBe(100);
  });
});

it("tells sketches, and runs that met their budget, from answers", () => {
  const sketch = { coarse: new Map([[1, pointOf(1e6, 0.2)], [2, pointOf(1e6, 0.01)]]), fine: new Map() };
  const row: Row = { place: 4, a: sketch, b: sketch, isCompared: false };
  expect(modelOf([row]).cells.map(({ isSketch }) => isSketch)).toEqual([true, false]);
  const cut = { coarse: new Map(), fine: new Map([[1, { ...pointOf(1e6, 0.2), truncated: true }], [2, pointOf(1e6)]]) };
  expect(modelOf([{ ...row, a: cut, b: cut }]).cells.map(({ isCut }) => isCut)).toEqual([true, false]);
});

it("says where more arrives than can be done", () => {
  const b = { ...curveFrom("1:1"), endless: new Set([2]) };
  const metric = { id: "response_mean_ms", title: "Mean response", unit: "ms", better: "down" } as const;
  const model = modelOf([{ place: 4, a: b, b, isCompared: false }], { metric });
  expect(model.cells.map(({ isEndless, value }) => [isEndless, value])).toEqual([[false, 100], [true, null]]);
  expect(model.title).toContain("; without bound in 1");
  expect(model.title).not.toContain("not known");
  const before = { ...curveFrom("1:1 2:1"), endless: new Set([2]) };
  const known = modelOf([{ place: 4, a: before, b: before, isCompared: false }], { metric });
  expect(known.title).not.toContain("without bound");
});
