import { expect, it } from "vitest";
import { engineRows, ratio } from "./bench/rows.mjs";

const turns = (each) => Array.from({ length: 15 }, (_, turn) => each * (1 + 0.001 * turn));
const native = {
  groups: [{
    "minimum-32-on-8": turns(10), "minimum-with-books-32-on-8": turns(20), "round-robin-32-on-8": turns(25),
    "seed-point": turns(90),
  }],
  with_ledger: { "minimum-32-on-8": turns(10), "seed-point": turns(100) },
  recording_pct: { "cfs-32-on-8": 4.25 }, events_a_request: 9.87,
};

it("says of each workload what share of the minimum's speed it has, or what an event costs, and what is wanted", () => {
  const rows = engineRows(native, [{ ...native.groups[0], "round-robin-32-on-8": turns(50) }]);
  const found = new Map(rows.map(([name, ...rest]) => [name, rest]));
  const both = ["share", "0.40 (0.40–0.40)", "0.56", "0.20 (0.20–0.20)", "0.55"];
  expect(found.get("round-robin-32-on-8")).toEqual(both);
  const ofBooks = ["share", "0.80 (0.80–0.80)", "0.90", "0.40 (0.40–0.40)", "0.75"];
  expect(found.get("round-robin-32-on-8, of the minimum with books")).toEqual(ofBooks);
  expect(found.get("minimum-with-books-32-on-8")?.slice(0, 3)).toEqual(["share", "0.50 (0.50–0.50)", "-"]);
  expect(found.get("seed-point")).toEqual(["cost", "9.0 (9.0–9.0)", "6.5", "9.0 (9.0–9.0)", "-"]);
  expect(found.get("seed-point, with the loss ledger")?.[1]).toBe("10.0 (10.0–10.0)");
  expect(rows.every((row) => row.length === 6)).toBe(true);
});

it("tells the best and, turn against turn, the range without the outermost tenth", () => {
  const ours = [20, 21, 60, 22, 20, 20, 20, 20, 20, 20];
  const theirs = [10, 10, 10, 11, 10, 10, 10, 10, 10, 10];
  expect(ratio(ours, theirs)).toEqual({ best: 2, low: 2, high: 2.1 });
});
