/** What the chart of redo over time is called. */
import { describe, expect, it } from "vitest";
import type { RedoTotals } from "../sides/types";
import { redoTitle } from "./redo";

function totals(stallMs: number, stallsPerS: number, switchesPerS: number): RedoTotals {
  const figure = (value: number) => ({ value, ci95: null });
  return {
    commitsPerS: figure(0), commitsPerWrite: figure(0), writersCpus: figure(0), stallMs: figure(stallMs),
    stallsPerS: figure(stallsPerS), switchesPerS: figure(switchesPerS),
  };
}

describe("what its title says", () => {
  it.each([
    [null, totals(180, 0.3, 0.3), "Stalls: 180 ms at every switch"],
    [totals(171, 0.31, 0.31), totals(68, 0.27, 0.3), "Stalls: 171 ms at every switch, in B 68 ms at 9 of 10 switches"],
    [totals(171, 0.31, 0.31), totals(70, 0.3, 0.3), "Stalls: 171 ms at every switch, in B 70 ms"],
    [totals(0, 0, 0.3), totals(0, 0, 0.2), "No log switch waits for a checkpoint"],
    [totals(50, 0.006, 0.3), totals(0, 0, 0.2), "Stalls: 50 ms at 2 of 100 switches, in B none"],
    [null, totals(0, 0, 0), "No log fills while it is watched, so no stall is seen"],
    [totals(0, 0, 0), totals(0, 0, 0), "No log fills while it is watched, so no stall is seen"],
    [totals(0, 0, 0), totals(50, 0.2, 0.2), "Stalls: none seen (no log fills), in B 50 ms at every switch"],
    [totals(0, 0, 0.2), totals(0, 0, 0), "Stalls: none, in B none seen (no log fills)"],
    [totals(50, 0.3, 0.3), totals(50, 0.2, 0.2), "Stalls: 50 ms at every switch, in A and in B"],
  ])("%#", (a, b, title) => {
    expect(redoTitle(a, b, "in B").replaceAll("\u00a0", " ")).toBe(title);
  });
});
