import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { TrustStrip } from "./TrustStrip";

const nothing = () => undefined;

/** Laws that are named, and how many more are said to hold. */
function shown(broken: readonly string[], holding: readonly string[]) {
  const law = (ok: boolean) => (name: string) => ({ name, ok, residual: ok ? "" : "4 %" });
  const laws = [...holding.map(law(true)), ...broken.map(law(false))];
  const trust = { precision: "", precisionOk: true, warmup: "", seed: "42", events: "", cost: "", laws };
  const text = renderToStaticMarkup(<TrustStrip trust={trust} onLeavesOut={nothing} onKeys={nothing} />);
  const words = [...text.matchAll(/(holds|broken): <\/span> ([^<]*)/g)].map(([, how, name]) => `${how} ${name}`);
  return [words, /(\d+)\s*more/.exec(text.replaceAll(/<[^>]*>/g, ""))?.[1]];
}

it("names as many laws as there is room for, the broken ones first, and counts the others", () => {
  const all = ["Flow", "Little's law", "Work", "Utilization"];
  expect(shown([], all)).toEqual([["holds Flow", "holds Work", "holds Utilization"], "1"]);
  expect(shown(["Little's law"], ["Flow", "Work"])).toEqual([
    ["broken Little’s law misses by 4 %", "holds Flow", "holds Work"], undefined,
  ]);
  expect(shown(all, ["Sum"])).toEqual([
    ["Flow", "Little’s law", "Work", "Utilization"].map((name) => `broken ${name} misses by 4 %`), "1",
  ]);
});
