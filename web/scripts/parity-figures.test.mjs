import { expect, it } from "vitest";
import { digestOf, moved } from "./parity-figures.mjs";

const report = (changes) =>
  JSON.stringify({ throughput: { mean: 1.5 }, waits: [], nodes: [{ threads: 8 }], version: 1, ...changes });

it("a digest tells figures apart, and not what was added to a report", () => {
  const digest = digestOf([report({})]);
  expect(digestOf([report({ version: 2, links: [] })])).toBe(digest);
  expect(digestOf([report({ throughput: { mean: 1.5000000000000002 } })])).not.toBe(digest);
  expect(digestOf([report({ nodes: [{ threads: 9 }] })])).not.toBe(digest);
  expect(digestOf([report({}), report({})])).not.toBe(digest);
});

it("each preset whose figures moved is named, and one that has come or gone", () => {
  expect(moved({ a: "1", b: "2" }, { a: "1", b: "2" })).toEqual([]);
  expect(moved({ a: "1", b: "3", d: "5" }, { a: "1", b: "2", c: "4" })).toEqual([
    "b: 2 is kept, 3 was found", "c: 4 is kept, none was found", "d: none is kept, 5 was found",
  ]);
});
