import { expect, it } from "vitest";
import { answerOf, buildInput } from "../../testing/buildInput";
import { trustOf } from "./trust";

const plain = (text: string | undefined): string | undefined => text?.replaceAll("\u00a0", " ");

it("a budget that ended the run is not precise enough, whatever was reached", () => {
  const precise = answerOf("precision 0.004");
  const ofB = (truncated: boolean) => {
    const { report } = precise;
    return { ...precise, report: { ...report, precision: { ...report.precision, truncated } } };
  };
  const isOk = (truncated: boolean) => trustOf(buildInput("", "", { fullB: ofB(truncated) }))?.precisionOk;
  expect([isOk(false), isOk(true)]).toEqual([true, false]);
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
