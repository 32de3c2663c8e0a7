import { expect, it } from "vitest";
import { barOf } from "./layout";

it("grows right for a gain and left for a loss, never thinner than a pixel", () => {
  expect(barOf(10, 20)).toEqual({ x: 36, width: 18 });
  expect(barOf(-20, 20)).toEqual({ x: 0, width: 36 });
  expect(barOf(-0.001, 20)).toEqual({ x: 35, width: 1 });
});
