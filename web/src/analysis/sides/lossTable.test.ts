/** The table of losses: rows in the order of what they take, the rest named, and a sum that is the capacity. */
import { expect, it } from "vitest";
import { buildInput, cagedValues } from "../../testing/buildInput";
import { estimate } from "../../testing/buildReport";
import { lossTableOf } from "./lossTable";

const before = `lio 3.0M ±0.2%\n node threads 8\n ledger capacity 8\n ledger work 5.2\n ledger siblings 2
  ledger switch_refill 0.797\n ledger switch_direct 0.003`;
const after = `lio 3.3M ±0.2%\n node threads 8\n ledger capacity 8\n ledger work 5.6\n ledger siblings 1.6
  ledger switch_refill 0.05\n ledger cage_empty 0.75`;

it("has work first, then causes by the larger of their sides, and the rest", () => {
  const model = lossTableOf(buildInput(before, after));
  expect(model?.rows.map(({ name, a, b }) => `${name} ${a.toFixed(3)} ${b.toFixed(3)}`)).toEqual([
    "Sessions’ work 5.200 5.600", "Slowing by siblings 2.000 1.600", "Refilling of caches 0.797 0.050",
    "Time of empty slots 0.000 0.750",
  ]);
  expect([model?.sumA, model?.sumB]).toEqual([8, 8]);
  expect(model?.title.replaceAll("\u00a0", " "))
    .toBe("Threads: sessions’ work is 65.0 % of their capacity, caged 70.0 %");
  // Said once where it is the same.
  expect(lossTableOf(buildInput(before, before))?.title.replaceAll("\u00a0", " "))
    .toBe("Threads: sessions’ work is 65.0 % of their capacity");
});

it("sums to the capacity, whatever is left to the rest", () => {
  const causes = ["turbo", "shared", "spinning", "polling", "balance", "binding", "throttled", "cage_limit", "no_work"];
  const many = `lio 1M\n node threads 8\n ledger capacity 8\n ledger work 1.5
    ${causes.map((cause, i) => `ledger ${cause} ${(i + 1) / 10}`).join("\n")}\n ledger siblings 2`;
  const model = lossTableOf(buildInput(many, many, { differs: [] }));
  const sum = (model?.rows ?? []).reduce((total, { b }) => total + b, 0);
  expect(sum).toBeCloseTo(8, 9);
  // Of eleven the three smallest.
  expect(model?.rows.at(-1)).toMatchObject({ name: "The rest", difference: 0 });
  expect(model?.rows.at(-1)?.b).toBeCloseTo(0.1 + 0.2 + 0.3, 9);
  expect(model?.rows).toHaveLength(9);
  expect(model?.title.replaceAll("\u00a0", " ")).toBe("Threads: sessions’ work is 18.8 % of their capacity");
});

it("marks a difference that the starts do not show, and is nothing without a ledger", () => {
  const doubtful = lossTableOf(buildInput(before, before));
  expect(doubtful?.rows.every(({ isSignificant }) => !isSignificant)).toBe(true);
  expect(lossTableOf(buildInput(before, after))?.rows.every(({ isSignificant }) => isSignificant)).toBe(true);
  expect(lossTableOf(buildInput("lio 1M", "lio 1M"))).toBeNull();
});

it("marks no difference that is smaller than its interval", () => {
  const input = buildInput(before, after);
  const { fullB } = input;
  if (fullB === null) throw new Error("no answer");
  const ledger = fullB.report.ledger.map((row) => {
    const { threads } = row;
    return { ...row, threads: threads === null ? null : estimate(threads.mean, 0.9) };
  });
  const [work] = lossTableOf({ ...input, fullB: { ...fullB, report: { ...fullB.report, ledger } } })?.rows ?? [];
  expect(work?.difference).toBeCloseTo(0.4, 9);
  expect(work?.ci95).toBeGreaterThan(0.4);
  expect(work?.isSignificant).toBe(false);
});

it("says whose work it is, and of parallel queries has that of their slaves with it", () => {
  const work = (of: string, kind: string) => {
    const input = buildInput(before, before, { differs: [], b: { ...cagedValues, workload: of } });
    const { fullB } = input;
    if (fullB === null) throw new Error("no answer");
    const ledger = fullB.report.ledger.map((row) => (row.cause === "siblings" ? { ...row, cause: "work", kind } : row));
    const both = { ...fullB, report: { ...fullB.report, ledger } };
    const model = lossTableOf({ ...input, fullA: both, fullB: both });
    return [model?.title.replaceAll("\u00a0", " "), model?.rows[1]?.name];
  };
  expect(work("parallel_query", "slave"))
    .toEqual(["Threads: all work is 90.0 % of their capacity", "Work of slaves and other processes"]);
  expect(work("cpu", "service"))
    .toEqual(["Threads: sessions’ work is 65.0 % of their capacity", "Work of other processes"]);
});
