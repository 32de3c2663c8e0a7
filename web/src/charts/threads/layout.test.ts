import { describe, expect, it } from "vitest";
import type { LanesModel } from "../../analysis/types";
import { textWidth } from "../frame/text";
import { busyAt, coreLabels, laneRows, layoutSides, layoutThreads, momentOf, PLACES } from "./layout";

/** Thread 0 loses 2 ms, then works 8; thread 1 rests. */
const lanes: LanesModel = {
  threads: 2, threadsPerCore: 2, windowMs: 10, followed: 7, followedName: "session", caption: "",
  slices: [{ thread: 0, startMs: 0, endMs: 10, debtMs: 2, process: 7 }],
};

it("draws useful work only, so that area is truth", () => {
  const layout = layoutThreads(lanes, { left: 0, right: 100 }, 152);
  expect(layout.followed).toMatch(/^M20 2h80v/);
  expect(layout.others).toBe("");
});

it("knows a thread that is held from one that works", () => {
  expect([1, 5, 10].map((ms) => busyAt(lanes, ms))).toEqual([
    { held: 1, useful: 0 }, { held: 1, useful: 1 }, { held: 0, useful: 0 },
  ]);
});

it("reads the middle of each place in the side's own window: at its ends all begin and end", () => {
  for (const windowMs of [10, 7, 0.4]) {
    const own: LanesModel = { ...lanes, windowMs, slices: [{ ...lanes.slices[0]!, endMs: windowMs, debtMs: 0 }] };
    const read = [0, PLACES - 1].map((place) => busyAt(own, momentOf(own, place)));
    expect(read).toEqual([{ held: 1, useful: 1 }, { held: 1, useful: 1 }]);
  }
});

describe("two sides", () => {
  const cores = (threads: number, threadsPerCore: number) =>
    layoutSides([lanes, { ...lanes, threads, threadsPerCore }], 400, 152);
  it("of the same cores have their names once", () =>
    expect(cores(2, 2).map((side) => side.cores.map(({ text }) => text))).toEqual([["0–1"], []]));
  it.each([[2, 1], [4, 2], [64, 4]])("of other cores have names of their own, with room for them: %i, %i", (...b) => {
    const [a, other] = cores(...b);
    expect(other?.cores).toEqual(coreLabels(...b, 152));
    const widest = Math.max(...other!.cores.map(({ text }) => textWidth(text)));
    expect(other!.column.left - a!.column.right).toBeGreaterThan(widest);
    expect(other!.column.right - other!.column.left).toBeCloseTo(a!.column.right - a!.column.left);
  });
});

describe("many threads", () => {
  it.each([1, 2, 8, 64, 128, 512])("%i lanes stay inside the plot", (threads) => {
    const rows = laneRows(threads, 2, 152);
    const last = rows.at(-1);
    expect((last?.top ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(114.001);
    expect(rows.every((row) => row.height > 0)).toBe(true);
  });
  it("names as many cores as there is room for", () => {
    expect(coreLabels(8, 2, 152).map((label) => label.text)).toEqual(["0–1", "2–3", "4–5", "6–7"]);
    expect(coreLabels(128, 2, 152).length).toBeLessThan(11);
    expect(coreLabels(3, 1, 152).map((label) => label.text)).toEqual(["0", "1", "2"]);
  });
});

it.each([5.5, 104, 116, 119.7, 120, 230, 1130])("a window of %i ms: no time touches the last one", (windowMs) => {
  for (let right = 120; right < 400; right += 7) {
    const { xTicks } = layoutThreads({ ...lanes, windowMs }, { left: 24, right }, 152);
    const [one, last] = [xTicks.at(-2)!, xTicks.at(-1)!];
    const end = one.anchor === "start" ? one.at + textWidth(one.text) : one.at + textWidth(one.text) / 2;
    expect(last.at - textWidth(last.text) - end, `${one.text} | ${last.text}`).toBeGreaterThan(4);
  }
});

it("says that it draws the end of what was recorded: the title is of the whole run", () => {
  const { xTicks } = layoutThreads({ ...lanes, windowMs: 120 }, { left: 24, right: 190 }, 152);
  expect(xTicks.map(({ text }) => text)).toEqual(["0", "50", "last 120 ms"]);
});
