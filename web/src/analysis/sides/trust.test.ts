import { expect, it } from "vitest";
import { answerOf, buildInput } from "../../testing/buildInput";
import { estimate } from "../../testing/buildReport";
import type { Report } from "../../engine";
import { trustOf } from "./trust";

const plain = (text: string | undefined): string | undefined => text?.replaceAll("\u00a0", " ");

it.each(["fullA", "fullB"])("a budget that ended the run of %s is not precise enough, whatever was reached", (side) => {
  const precise = answerOf("precision 0.004");
  const cut = (truncated: boolean) => {
    const { report } = precise;
    return { ...precise, report: { ...report, precision: { ...report.precision, truncated } } };
  };
  const isOk = (truncated: boolean) => trustOf(buildInput("", "", { [side]: cut(truncated) }))?.precisionOk;
  expect([isOk(false), isOk(true)]).toEqual([true, false]);
});

it("no precision is told as none", () => {
  const told = trustOf(buildInput("precision 0.0001", "precision 0.0001"))?.precision;
  expect(plain(told)).toBe("±<0.1 %, 3 % asked");
});

it.each([
  [0.05, 4.15, false, "50 ms of 4.2 s cut"], [1, 9, false, "1 s of 10 s cut"],
  [16_802.8, 252_042.2, false, "16,803 s of 268,845 s cut"], [0, 0.000093, true, "none: 93 µs to the end"],
])("a warm-up of %d s is told in its own unit", (warmup_s, simulated_s, hasEnded, told) => {
  const { fullB, ...input } = buildInput("", "");
  if (fullB === null) throw new Error("no answer");
  const ended = hasEnded ? [{ instance: 1, elapsed_s: estimate(1), sessions: 1 }] : [];
  const report = { ...fullB.report, warmup_s, simulated_s, replications: 1, ended: ended as Report["ended"] };
  expect(plain(trustOf({ ...input, fullB: { ...fullB, report } })?.warmup)).toBe(told);
});

it("precision is that of the side that is less precise", () => {
  expect(plain(trustOf(buildInput("precision 0.07", "precision 0.01"))?.precision)).toBe("±7.0 %, 3 % asked");
});

it.each([
  ["law 0.041 broken", ""], ["", "law 0.041 broken"],
])("a law holds where it does on both sides: %s|%s", (a, b) => {
  const laws = trustOf(buildInput(a, b))?.laws.map(({ name, ok, residual }) => [name, ok, plain(residual)]);
  expect(laws?.filter(([, ok]) => ok !== true)).toEqual([["Little's law", false, "4.1 %"]]);
  expect(laws).toHaveLength(trustOf(buildInput("", ""))?.laws.length ?? 0);
});

it.each([
  [5, 10, "50 min"], [5, 288, "24 h"], [60, 600, "25 days"],
])("%d minutes for each of %d points are %s", (minutes, points, told) => {
  const { preset } = buildInput("", "");
  const trust = trustOf(buildInput("", "", { preset: { ...preset, cost_note: minutes }, points }));
  expect(plain(trust?.cost)).toBe(`700 ms here, ${told} on the machine`);
});

/** A run that goes on, and has come to 2 %. */
const progress = {
  done: false, events: 1, precision: 0.02, lioPerS: 1, lioCi95: null, simulatedS: 1, responseMs: 1,
  responseCi95: null, batches: 1, truncated: false,
};

it.each([
  ["the precision is that of the run under way, not of the sketch before it", "", "±2.0 % and narrowing"],
  ["it is that of the side that is less precise", "precision 0.38", "±38.0 % and narrowing"],
])("%s", (_, a, told) => {
  expect(plain(trustOf(buildInput(a, "precision 0.05", { progress }))?.precision)).toBe(told);
});
