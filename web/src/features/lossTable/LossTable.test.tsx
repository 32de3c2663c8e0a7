import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { LossTable } from "./LossTable";

const row = { name: "Idle", a: 1.5, b: 3.25, difference: 1.75, ci95: 0.1, isSignificant: true };
const model = { title: "Losses", rows: [row], sumA: 8, sumB: 8 };

it("goes from A to B, in columns and on a phone", () => {
  const text = (isNarrow: boolean) => renderToStaticMarkup(<LossTable model={model} isNarrow={isNarrow} />);
  expect(text(true)).toContain("Idle<small>1.50 → 3.25 CPUs</small>");
  expect(text(false)).toContain('Idle</th><td class="was gap">1.50</td><td>3.25</td>');
});

it("says once why the points of a cause are fewer than the row of its idle time", () => {
  const text = renderToStaticMarkup(<LossTable model={model} isNarrow={false} />);
  expect(text.match(/Causes leave out idle time that other idle time makes up for\./g)).toHaveLength(1);
});
