import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { loadWasm } from "../../engine/loadWasm";
import { answerOf } from "../../testing/buildInput";
import { simulatedInput } from "../../testing/simulatedInput";
import { lanesOf, windowFor, windowOf } from "./lanes";
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

it("a stay that began before it lost then what it lost first", () => {
  const lost = (startMs: number, debtMs: number): number | undefined =>
    windowOf([{ ...slice(0, startMs, 690), debtMs }], 120, 600)[0]?.debtMs;
  expect([lost(590, 0.8), lost(590, 15), lost(600, 5), lost(620, 5)]).toEqual([0, 5, 5, 5]);
});

it("is as long as the recording where that is short", () => {
  expect(windowFor([slice(0, 0, 60), slice(0, 60, 90), slice(1, 0, 90)])).toBe(90);
  expect(windowFor([slice(0, 0, 900), slice(1, 0, 90)])).toBe(120);
  expect(windowFor([])).toBe(120);
});

it("says why nothing is drawn: where all share the threads nobody has one to himself", async () => {
  const module = await loadWasm(readFileSync(new URL("../../engine/wasm/sim_bg.wasm", import.meta.url)));
  const of = (scheduler: string) => {
    const { report } = simulatedInput(module, `#v1/cpu-queue?os_scheduler=${scheduler}`)!.fullB!;
    const { threads } = report.nodes[0]!;
    return lanesOf({ ...answerOf(""), report }, { name: null, first: 0, threads, perCore: 1, perSocket: threads });
  };
  expect(of("processor_sharing")).toMatchObject({ slices: [], caption: "all share the threads", followedName: "" });
  expect(of("round_robin")).toMatchObject({ slices: [], caption: "no switch in this time", followedName: "" });
});
