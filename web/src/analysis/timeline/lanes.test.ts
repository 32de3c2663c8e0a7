import { expect, it } from "vitest";
import { windowFor, windowOf } from "./lanes";
import type { LaneSlice } from "./types";

const slice = (thread: number, startMs: number, endMs: number): LaneSlice => ({
  thread, startMs, endMs, debtMs: 0, process: thread,
});

it("shows the first stretch of the recording, counted from its start and cut at its end", () => {
  const window = windowOf([slice(0, 500, 600), slice(0, 600, 700), slice(1, 560, 1500), slice(2, 640, 700)], 120);
  expect(window.map(({ thread, startMs, endMs }) => [thread, startMs, endMs])).toEqual([
    [0, 0, 100], [0, 100, 120], [1, 60, 120],
  ]);
});

it("is as long as the recording where that is short", () => {
  expect(windowFor([slice(0, 0, 60), slice(0, 60, 90), slice(1, 0, 90)])).toBe(90);
  expect(windowFor([slice(0, 0, 900), slice(1, 0, 90)])).toBe(120);
  expect(windowFor([])).toBe(120);
});
