import { expect, it } from "vitest";
import { renderToStaticMarkup } from "react-dom/server";
import { HowSurePanel } from "./HowSurePanel";

const hinge = {
  knob: "switch_refill_us", unit: "µs", from: 10, to: 1000, here: 800, even: 420, marks: [], leftWord: "cage loses",
  rightWord: "cage wins",
};

it("keeps the place of the axis while that is fetched, and none where there is no axis", () => {
  const markup = (has: boolean) =>
    renderToStaticMarkup(<HowSurePanel howSure={{ sentence: [], hinge: has ? hinge : null }} />);
  expect(markup(true)).toContain('<div class="chart" style="height:44px">');
  expect(markup(false)).not.toContain("chart");
});
