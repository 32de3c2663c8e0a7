import { expect, it } from "vitest";
import { fixturePage } from "../../testing/fixturePage";
import { sidesOf } from "./sides";

it("names each side by its own letter, A before B, also where there is but one", () => {
  const { a, b } = fixturePage();
  const told = (sides: Parameters<typeof sidesOf>[0]) => sidesOf(sides).map(({ letter, model }) => [letter, model]);
  expect(told({ a, b })).toEqual([["A", a], ["B", b]]);
  expect([told({ a, b: null }), told({ a: null, b })]).toEqual([[["A", a]], [["B", b]]]);
});
