/** The rules that random scenarios are held to, each on a page that breaks it and on one that does not. */
import { expect, it } from "vitest";
import { differsFrom, disagreements } from "../../e2e/fixtures/agreement";
import { faultsOf } from "../../e2e/fixtures/textFaults";

const one = { preset: { id: "p" }, hash: "#v1/p", metric: "throughput_lio" };
const right = {
  stage: "settled", headline: "Caging costs 41.0 % of throughput at 32 sessions: threads stand idle",
  why: "Why. More idle time behind the cage: −38.0 points; the rest: −3.0.",
  sure: "−41.0 % ±0.3 at 95 %, from 8 paired replications.",
  handle: "32, B 2.10 M LIO/s, −41.0 % ±0.3 against A", blocks: ["8 threads are busy"], fields: [], pieces: [],
  curves: { bound: "M0 100L100 20L200 20", lines: ["M0 100L100 30L200 30"] },
  losses: [["Idle time behind the cage", 3], ["Refilling of caches", -0.5], ["Capacity", 0]],
  events: [["ON CPU, running", "4.00"]],
};

it("finds nothing on a page that is right", () => {
  expect([...faultsOf(right, one.metric), ...disagreements(right, one)]).toEqual([]);
});

it.each([
  ["a bound below its curve", { curves: { ...right.curves, bound: "M0 100L100 60L200 60" } }, /30 px above its bound/],
  [
    "a bound that dips between its ends",
    { curves: { bound: "M0 20L100 60L200 20", lines: ["M0 100L100 40L200 90"] } }, /20 px above its bound/,
  ],
  ["numbers run together", { blocks: ["host 2 66 %", "waits 2 3.5 ms"] }, /two numbers run together/],
  ["one of several", { blocks: ["wait for 1 threads"] }, /one of several/],
  ["no number", { blocks: ["takes NaN ms"] }, /no number/],
  ["nothing that takes time", { blocks: ["99 % of transactions end within 0 ms"] }, /a time of nothing/],
  ["four dots", { blocks: ["with class FX of lgwr …."] }, /a double mark/],
])("catches %s", (_, change, fault) => {
  expect(faultsOf({ ...right, ...change }, one.metric).join("\n")).toMatch(fault);
});

it("holds response times to a bound from below", () => {
  const under = { ...right, curves: { bound: "M0 100L200 20", lines: ["M0 100L200 60"] } };
  expect(faultsOf(under, "response_mean_ms").join("\n")).toMatch(/40 px below its bound/);
  expect(faultsOf({ ...under, curves: { ...under.curves, lines: ["M0 100L200 2"] } }, "response_mean_ms")).toEqual([]);
});

it.each([
  [
    "a cause that the ledger ranks second",
    { losses: [["Idle time behind the cage", 0.8], ["Refilling of caches", 2.4]] },
    /names “More idle time behind the cage” \(0.8 CPUs\) first, the table ranks “Refilling of caches”/,
  ],
  ["a cause that went the other way", { losses: [["Idle time behind the cage", -3]] }, /the table -3 CPUs/],
  ["a headline of another size", { headline: "Caging costs 40.0 % of throughput" }, /the headline 40.0 %/],
  ["a headline of the other sign", { headline: "Caging adds 41.0 % to throughput" }, /the other sign/],
  ["no difference beside a certain one", { headline: "No difference at 32 sessions" }, /how sure is certain/],
  ["another number at the handle", { handle: "32, B 2.10 M LIO/s, −39.0 % ±0.3 against A" }, /the strip -39 %/],
])("catches %s", (_, change, fault) => {
  expect(disagreements({ ...right, ...change }, one).join("\n")).toMatch(fault);
});

it("catches digits that the command line does not print", () => {
  const of = (mean) => ({
    metrics: [{ id: "throughput_lio", mean, reps: [mean, mean] }],
    waits: [{ event: "ON CPU, running", clocked_aas: { mean: 4.001 } }],
  });
  const a = of(2.1e6 / 0.59);
  expect(differsFrom(right, one, of(2.1e6), a)).toEqual([]);
  expect(differsFrom(right, one, of(2.12e6), a).join("\n")).toMatch(/the handle says 2.10.*\n.*strip says -41 %/);
  const slow = { ...of(2.1e6), waits: [{ event: "ON CPU, running", clocked_aas: { mean: 4.01 } }] };
  expect(differsFrom(right, one, slow, a)).toEqual(["ON CPU, running: 4.00 on the page, 4.01 printed"]);
});
