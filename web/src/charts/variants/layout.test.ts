/** Ratios in rows: even, published, and with intervals. */
import { expect, it } from "vitest";
import type { VariantsModel } from "../../analysis/types";
import { heightOf, layoutVariants } from "./layout";

const model: VariantsModel = {
  title: "Where from?", isAsked: true, published: [{ ratio: 1.081, label: "one" }, { ratio: 1.122, label: "other" }],
  rows: [
    { label: "as here", a: 1350, b: 1385, ratio: 0.975, ci95: 0.002 },
    { label: "slower", a: 1350, b: 1254, ratio: 1.076, ci95: 0.01 },
    { label: "far off", a: 450, b: 898, ratio: 0.501, ci95: 0.02 },
    { label: "not run", a: null, b: null, ratio: null, ci95: null },
  ],
};
const layout = layoutVariants(model, 630);

it("has all ratios with their intervals between its ends, in order", () => {
  const [here, slower, far] = layout.rows;
  const xs = [far!.from, far!.x!, here!.x!, layout.evenX, slower!.x!, layout.published[0]!.x, layout.published[1]!.x];
  expect(xs.toSorted((one, other) => one - other)).toEqual(xs);
  expect(xs[0]).toBeGreaterThan(layout.left);
  expect(xs.at(-1)).toBeLessThan(layout.right);
  expect(slower!.to - slower!.from).toBeCloseTo(5 * (here!.to - here!.from));
});

it("writes a ratio beside its interval, away from the middle where that does not hit the words", () => {
  const [here, slower, far] = layout.rows;
  expect([here!.value?.isRight, slower!.value?.isRight, far!.value?.isRight]).toEqual([false, true, true]);
  expect([here!.value?.text, here!.rates]).toEqual(["0.975", "1,350 : 1,385"]);
});

it("has a row without a mark for what has not run, and no rates where it is narrow", () => {
  expect(layout.rows[3]).toMatchObject({ x: null, value: null, rates: "" });
  const narrow = layoutVariants(model, 358);
  expect(narrow.ratesX).toBe(0);
  expect(narrow.left).toBeLessThan(20);
  expect(narrow.rows[0]!.y - narrow.rows[0]!.labelY).toBeGreaterThan(12);
  expect([heightOf(4, 630) - heightOf(3, 630), heightOf(4, 358) - heightOf(3, 358)]).toEqual([26, 42]);
});
