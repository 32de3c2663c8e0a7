import { expect, it } from "vitest";
import { memoryLink } from "./linkPort";

it("remembers a hundred steps of a link without a bar, and goes back through them", () => {
  const link = memoryLink("#first");
  for (let count = 0; count < 5_000; count++) link.push(`#${count}`);
  expect(link.entries).toHaveLength(100);
  expect(link.read()).toBe("#4999");
  link.back();
  expect(link.read()).toBe("#4998");
  link.open("#new");
  expect(link.read()).toBe("#new");
  expect(link.entries.slice(-2)).toEqual(["#4998", "#new"]);
  for (let count = 0; count < 200; count++) link.back();
  expect(link.read()).toBe("#4900");
});
