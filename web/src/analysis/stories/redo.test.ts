/** What the chart of redo over time is called. */
import { describe, expect, it } from "vitest";
import { buildInput, textOf } from "../../testing/buildInput";
import { estimate } from "../../testing/buildReport";
import type { RedoTotals } from "../sides/types";
import { stall } from "./causes/redo";
import { redoTitle } from "./redo";

function totals(stallMs: number, stallsPerS: number, switchesPerS: number, switchMs: number | null = null): RedoTotals {
  const figure = (value: number) => ({ value, ci95: null });
  return {
    commitsPerS: figure(0), commitsPerWrite: figure(0), writersCpus: figure(0), stallMs: figure(stallMs),
    stallsPerS: figure(stallsPerS), switchesPerS: figure(switchesPerS), switchMs,
  };
}

const STALLS = "Stalls for a checkpoint";

describe("what its title says", () => {
  it.each([
    [null, totals(180, 0.3, 0.3), `${STALLS}: 180 ms at every switch`],
    [totals(171, 0.31, 0.31), totals(68, 0.27, 0.3),
      `${STALLS}: 171 ms at every switch, in B 68 ms at 9 of 10 switches`],
    [totals(171, 0.31, 0.31), totals(70, 0.3, 0.3), `${STALLS}: 171 ms at every switch, in B 70 ms`],
    [totals(0, 0, 0.3), totals(0, 0, 0.2), "No log switch waits for a checkpoint"],
    [totals(50, 0.006, 0.3), totals(0, 0, 0.2), `${STALLS}: 50 ms at 2 of 100 switches, in B none`],
    [null, totals(0, 0, 0), "No log fills while it is watched, so no stall is seen"],
    [totals(0, 0, 0), totals(0, 0, 0), "No log fills while it is watched, so no stall is seen"],
    [totals(0, 0, 0), totals(50, 0.2, 0.2), `${STALLS}: none seen (no log fills), in B 50 ms at every switch`],
    [totals(0, 0, 0.2), totals(0, 0, 0), `${STALLS}: none, in B none seen (no log fills)`],
    [totals(0, 0.1, 0), totals(267, 0.3, 0.3), `${STALLS}: one that has not ended, in B 267 ms at every switch`],
    [totals(50, 0.3, 0.3), totals(50, 0.2, 0.2), `${STALLS}: 50 ms at every switch, in A and in B`],
  ])("%#", (a, b, title) => {
    expect(redoTitle(a, b, "in B").replaceAll("\u00a0", " ")).toBe(title);
  });
  it.each([
    [null, totals(0, 0, 0.3, 204), "No log switch waits for a checkpoint; each wait for a switch itself: 204 ms"],
    [totals(0, 0, 0.2, 204.2), totals(0, 0, 0.2, 204.3),
      "No log switch waits for a checkpoint; each wait for a switch itself: 204 ms"],
    [totals(372, 0.06, 0.3, 204), totals(0, 0, 0.3, null), `${STALLS}: 372 ms at 2 of 10 switches, in B none`
      + "; each wait for a switch itself: 204 ms, in B none"],
    [totals(0, 0, 0.2), totals(0, 0, 0.2, 7), "No log switch waits for a checkpoint; each wait for a switch itself: "
      + "none, in B 7 ms"],
  ])("has what a switch itself takes %#", (a, b, title) => {
    expect(redoTitle(a, b, "in B").replaceAll("\u00a0", " ")).toBe(title);
  });
  it("says of a run that narrows that it is a beginning", () => {
    const [some, none] = [totals(85, 0.5, 0.5), totals(0, 0, 0.3)];
    const told = (...[a, b]: Parameters<typeof redoTitle>): string =>
      redoTitle(a, b, "in B", true).replaceAll("\u00a0", " ");
    expect([told(null, some, ""), told(some, none, ""), told(none, none, "")]).toEqual([
      `${STALLS} so far: 85 ms at every switch`, `${STALLS} so far: 85 ms at every switch, in B none`,
      "So far no log switch waits for a checkpoint",
    ]);
  });
});

describe("the sentence about stalls", () => {
  const told = (perS: readonly [number, number], isCoarse: boolean): string => {
    const input = { ...buildInput("lio 3M", "lio 3M"), isCoarse };
    const [a, b] = perS.map((often, i) => {
      const figures = [["stall_ms", 194 - 85 * i], ["stalls_per_s", often], ["blocks_written_per_s", 900 + i]] as const;
      const row = { instance: 1, figures: figures.map(([id, mean]) => ({ id, unit: "", value: estimate(mean) })) };
      return { ...input.fullB!.report, databases: [row] };
    });
    const part = { cause: stall.cause as "work", node: null, points: 1, ci95: 1, before: 1, now: 1, eased: 1 };
    return textOf(stall.sentences?.({ input, a: a!, b: b!, part: { ...part, isOfUnlike: false } })[1] ?? []);
  };
  it("says of a run that narrows that it is a beginning", () => {
    expect(told([1 / 3.1, 1 / 3.6], false)).toBe("A log switch waits for the checkpoint: "
      + "[194 ms every 3.1 s] with no cage, [109 ms every 3.6 s] with cpu_count 8. ");
    expect(told([1 / 3.12, 1 / 2.96], false)).toMatch(/ every 3\.1 s\] .* every 3\.0 s\] /);
    expect(told([1 / 3.1, 1 / 3.6], true)).toMatch(/^So far a log switch waits for the checkpoint: /);
  });
});
