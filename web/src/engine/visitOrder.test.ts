import { describe, expect, it } from "vitest";
import { gridOf, sketchOf, visitOrder } from "./visitOrder";

describe("the grid of a sweep", () => {
  it("takes every whole number of a short range", () => expect(gridOf(1, 20, 1)).toHaveLength(20));
  it("is dense at the foot of a long one and ends at its end", () => {
    const grid = gridOf(1, 48, 1);
    expect(grid).toHaveLength(32);
    expect(grid.slice(0, 17)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18]);
    expect(grid.at(-1)).toBe(48);
  });
  it("follows the steps of a fraction", () => expect(gridOf(40, 760, 40)).toHaveLength(19));
  it("spreads fractions evenly", () => expect(gridOf(0, 31, null)[1]).toBe(1));
});

describe("the order of a visit", () => {
  it("sketches the whole curve before it fills in, the hand's neighbourhood first", () => {
    const order = visitOrder(gridOf(1, 48, 1), 30);
    const sketch = sketchOf(gridOf(1, 48, 1));
    expect(order.slice(0, sketch.length).toSorted((a, b) => a - b)).toEqual(sketch);
    expect(Math.abs((order[0] ?? 0) - 30)).toBeLessThanOrEqual(4);
    expect(order).toHaveLength(32);
  });
});
