import { expect, it } from "vitest";
import { windowFor, windowOf } from "./lanes";
import type { LaneSlice } from "./types";

const slice = (thread: number, startMs: number, endMs: number, debtMs = 0): LaneSlice => ({ thread, startMs, endMs, debtMs, process: thread });

it("begins where every thread is known, so that an unrecorded slice is no idle time", () => {
  // Thread 1 was busy before 60 ms, too; its slice began before the recording did.
  const window = windowOf([slice(0, 0, 100), slice(0, 100, 200), slice(1, 60, 160), slice(1, 160, 260)], 120);
  expect(window.map(({ thread, startMs, endMs }) => [thread, startMs, endMs])).toEqual([[0, 0, 40], [0, 40, 120], [1, 0, 100], [1, 100, 120]]);
});

it("cuts the debt of a slice with its head", () => {
  expect(windowOf([slice(0, 0, 200, 50), slice(1, 30, 230)], 120)[0]?.debtMs).toBe(20);
});

it("keeps the whole window where the recording is short", () => {
  expect(windowOf([slice(0, 0, 120), slice(1, 90, 120)], 120).map((one) => one.startMs)).toEqual([0, 90]);
});

it("ends where a slice of a short recording had not ended, so that it is no idle time", () => {
  expect(windowFor([slice(0, 0, 60), slice(0, 60, 150), slice(1, 0, 90)])).toBe(90);
  expect(windowFor([slice(0, 0, 900), slice(1, 0, 90)])).toBe(120);
});
