import { expect, it } from "vitest";
import { buildInput, curveFrom } from "../../testing/buildInput";
import type { AnalysisInput } from "../read/input";
import { pageOf } from "../page";

const curveB = curveFrom("1:0.6 8:3.6 48:3.4");
const modelOf = (more: Partial<AnalysisInput>) => pageOf(buildInput("", "", { curveB, ...more })).curve;

it("the family leaves out the value of B, whose curve stands by itself", () => {
  const family = [4, 8].map((value) => ({ value, answers: curveB }));
  expect(modelOf({ family }).family.map(({ label }) => label)).toEqual(["4"]);
});

it.each([
  ["LIO/s", 3.6e6], ["k LIO/s", 3_600], ["M LIO/s", 3.6],
])("a point published in %s stands where the curve has its like", (unit, y) => {
  const { preset } = buildInput("", "");
  const published = [{ x: 8, y, label: "published", role: "input" as const, unit }];
  const model = modelOf({ preset: { ...preset, published } });
  expect([model.unit, model.published.map((point) => point.y)]).toEqual(["M LIO/s", [3.6]]);
});

it.each([[60, [1, 60]], [0, [0, 48]], [32, [1, 48]]])("the axis reaches the handle at %d", (xHandle, domain) => {
  expect(modelOf({ xHandle }).xDomain).toEqual(domain);
});
