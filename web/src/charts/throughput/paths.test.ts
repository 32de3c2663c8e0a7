import { expect, it } from "vitest";
import { areaPath, linePath, unbroken } from "./paths";

it("joins places by straight lines, in thousandths; one alone is a dot, none is nothing", () => {
  expect(linePath([[0, 1], [2.00049, 3], [4, -5.5]])).toBe("M0,1L2,3L4,-5.5");
  expect(linePath([[7, 8]])).toBe("M7,8Z");
  expect(linePath([])).toBe("");
});

it("fills what lies between two lines: along the one, and back along the other", () => {
  expect(areaPath([[0, 9], [1, 8]], [[0, 2], [1, 3]])).toBe("M0,2L1,3L1,8L0,9Z");
  expect(areaPath([], [])).toBe("");
});

it("takes points with intervals in stretches, without those between them", () => {
  const points = [1, null, null, 2, 3, null].map((ci95) => ({ ci95 }));
  const stretches = unbroken(points).map((some) => some.map(({ ci95 }) => ci95)).filter(({ length }) => length > 0);
  expect(stretches).toEqual([[1], [2, 3]]);
});
