/** In what throughput is compared, and in which words. */
import { expect, it } from "vitest";
import { buildInput, cagedValues, textOf } from "../../testing/buildInput";
import { plain as seen } from "../../testing/reportFacts";
import { findingOf } from "./finding";
import { howSureOf } from "./howSure";

const side = (lio: string): string => `lio ${lio} ±0.2%
  response 600 p99 195
  running 6ms 8.00
  node threads 8 useful 6.93 switch 1.07
  ledger capacity 8
  ledger work 5.2`;
const [uncaged, caged] = [side("3.0M"), side("3.3M")];

it("is told in transactions where the axis has these and they tell the same, else in logical reads", () => {
  const { fullA, fullB, metric, ...input } = buildInput(uncaged, caged);
  if (fullA === null || fullB === null) throw new Error("no answer");
  const told = (id: string, percent: number, spread: number): string => {
    const was = fullA.report.throughput.transactions_per_s;
    const reps = was.reps.map((rep, i) => rep * (1 + percent / 100 + spread * (i % 2 === 0 ? 1 : -1)));
    const transactions_per_s = { ...was, reps, mean: was.mean * (1 + percent / 100) };
    const report = { ...fullB.report, throughput: { ...fullB.report.throughput, transactions_per_s } };
    const one = { ...input, fullA, fullB: { ...fullB, report }, metric: { ...metric, id } };
    const sure = howSureOf(one).sentence.map(({ text }) => text).join("");
    return seen(`${findingOf(one).headline.split(" to ")[0]}: ${sure.split(" ±")[0]}`);
  };
  const [reads, own] = ["Caging adds 10.0 %: +10.0 %", "Caging adds 10.5 %: +10.5 %"];
  expect(told("throughput_lio", 10.5, 0.01)).toBe(reads);
  expect(told("response_mean_ms", 10.5, 0.01)).toBe(reads);
  expect(told("throughput_transactions", 10.5, 0.01)).toBe(own);
  // More than its interval away, or not certain: another thing was measured.
  expect(told("throughput_transactions", 30, 0.01)).toBe(reads);
  expect(told("throughput_transactions", 10.5, 0.5)).toBe(reads);
});

it.each([
  ["29.9M", 3, "Caging adds 897 % to throughput at 32 sessions", "[+897 %] ±1 at 32 sessions: 29.9 M LIO/s"],
  [
    "69M", 3, "Caging makes throughput 23 times as high as with no cage at 32 sessions",
    "[23 times as much] at 32 sessions: 69.0 M LIO/s",
  ],
  [
    "69M", 1, "32 sessions make throughput 23 times as high as with 1 session",
    "[23 times as much] as with 1 session: 69.0 M LIO/s",
  ],
])("from ten times on is told as a factor: %s against %d", (lio, which, headline, short) => {
  const ofSessions = { a: { ...cagedValues, sessions: 1 }, differs: ["sessions"] };
  const input = buildInput(uncaged, side(lio), which === 1 ? ofSessions : {});
  const { headline: told, short: line } = findingOf(input);
  expect([seen(told), seen(textOf(line))]).toEqual([headline, short]);
});

it("a factor that is not certain is none, and under a hand it stands in the form of then", () => {
  const input = buildInput(uncaged, side("69M"));
  const { fullA } = input;
  if (fullA === null) throw new Error("no answer");
  expect(seen(findingOf({ ...input, isInHand: true }).headline))
    .toBe("Caging: throughput 23 times as high as with no cage at 32 sessions");
  const reps = fullA.report.throughput.lio_per_s.reps.map((rep, i) => (i % 2 === 0 ? rep : 50 * rep));
  const throughput = { ...fullA.report.throughput, lio_per_s: { ...fullA.report.throughput.lio_per_s, reps } };
  const unsure = { ...input, fullA: { ...fullA, report: { ...fullA.report, throughput } } };
  expect(findingOf(unsure).headline).not.toContain("times");
});
