/** Values between the points of a curve. */
import { scaleLog } from "d3-scale";
import { expect, it } from "vitest";
import { isBetween, valueAt, valueOn, type Scales } from "./plane";

const points = [{ x: 1, y: 80 }, { x: 100, y: 8 }, { x: 1000, y: 7.9 }];

it("lie on the line as it is drawn: half of two decades is half of the way", () => {
  const x = scaleLog([1, 1000], [0, 300]);
  const scales: Scales = { x, y: (y) => y, percent: (y) => y, toX: (pixel) => x.invert(pixel) };
  expect(valueOn(points, 10, scales)).toBeCloseTo(44, 9);
  expect(valueAt(points, 10)).toBeCloseTo(80 - (72 * 9) / 99, 9);
  expect([valueOn(points, 100, scales), valueOn(points, 0.5, scales), valueOn(points, 2000, scales)]).toEqual(
    [8, null, null],
  );
});

it("are open where the points beside them are not alike", () => {
  expect([10, 100, 300, 0.5, 2000].map((x) => isBetween(points, x))).toEqual([true, false, false, false, false]);
});
