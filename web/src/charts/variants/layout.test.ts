/** Ratios in rows: even, published, and with intervals. */
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { VariantsModel } from "../../analysis/types";
import { heightOf, layoutVariants } from "./layout";
import { Axis, rowsOf } from "./VariantsChart";

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

it("has A's rate and B's in the table beneath their names", () => {
  const { columns, rows } = rowsOf(model);
  expect(columns.slice(1, 4)).toEqual(["A (transactions/s)", "B (transactions/s)", "A over B"]);
  expect(rows[0]).toEqual(["as here", 1350, 1385, 0.975, 0.002]);
  expect(rows.at(-1)).toEqual(["published, other", null, null, 1.122, null]);
});

it("says at each end of the axis who does more there", () => {
  const text = renderToStaticMarkup(Axis({ layout }));
  const ends = [...text.matchAll(/x="([\d.]+)"[^>]*>([AB]) does more/g)].map(([, x, who]) => [Number(x), who]);
  expect(ends).toEqual([[layout.left, "B"], [layout.right, "A"]]);
});
