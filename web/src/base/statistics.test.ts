import { describe, expect, it } from "vitest";
import { halfWidth95, mean, pairedDifference, studentT975, zeroBetween } from "./statistics";

describe("Student's t", () => {
  // Quantiles as printed in tables, four decimals.
  it.each([
    [1, 12.7062], [7, 2.3646], [30, 2.0423], [40, 2.0211], [60, 2.0003], [120, 1.9799],
  ])("%s degrees: %s", (df, t) => expect(Math.abs(studentT975(df) - t)).toBeLessThan(6e-4));
  it("has no value without a degree of freedom", () => expect(studentT975(0)).toBe(Number.POSITIVE_INFINITY));
});

describe("intervals", () => {
  it("of 1, 2, 3 are 2 ± 4.303 / √3", () => {
    expect(mean([1, 2, 3])).toBe(2);
    expect(halfWidth95([1, 2, 3])).toBeCloseTo(4.303 / Math.sqrt(3), 6);
  });
  it("need two values", () => expect([halfWidth95([]), halfWidth95([5])]).toEqual([null, null]));
  it("of pairs leave out what both share", () => {
    expect(pairedDifference([10, 20, 30], [11, 21, 31])).toEqual({ mean: 1, ci95: 0, pairs: 3 });
    expect(pairedDifference([10], [12, 99])).toEqual({ mean: 2, ci95: null, pairs: 1 });
  });
});

describe("a zero between two points", () => {
  it.each([[0, -1, 2, 1, 1], [0, -1, 4, 3, 1], [0, 1, 1, 2, null], [0, 0, 1, 0, null], [0, 0, 1, 5, 0]])(
    "(%s, %s) to (%s, %s): %s", (x0, y0, x1, y1, zero) => expect(zeroBetween(x0, y0, x1, y1)).toBe(zero));
});
