import { expect, it } from "vitest";
import type { SideModel, SpreadModel } from "../../analysis/types";
import { textBox, textWidth } from "../frame/text";
import { bucketsOf, layoutRow, powerTicks, pushedBy, rangeOf } from "./layout";

const model = (edgesMs: readonly number[], shares: readonly number[]): SpreadModel => ({
  label: "Waits", value: "", class: "A", edgesMs, shares, meansMs: edgesMs,
});

it("pools finer buckets into powers of two", () => {
  expect(bucketsOf(model([8, 10, 12, 16, 32], [0.1, 0.2, 0.3, 0.4]))).toEqual([
    { power: 3, share: 0.6000000000000001 }, { power: 4, share: 0.4 },
  ]);
});

it("spans what all histograms need, without thin tails, at least six wide", () => {
  const range = rangeOf([model([8, 16], [1]), null, model([64, 128, 256], [0.996, 0.004])]);
  expect([range.from <= 2, range.to >= 7, range.to - range.from >= 6]).toEqual([true, true, true]);
});

it("names the event of a wait in full: in lines, and without its mean where that saves one", () => {
  const heading = (event: string, right: number, label = "mean"): string => {
    const own = { ...model([4, 8], [1]), event, label, value: "2.10\u00a0s" };
    const column = { left: 0, right };
    const { lines, value } = layoutRow(own, column, { top: 0, height: 80 }, { from: 1, to: 7 }).heading;
    const whole = lines.map((line, i) => (i < lines.length - 1 ? line : `${line} ${value}`.trimStart()));
    for (const line of whole) expect(textWidth(line)).toBeLessThanOrEqual(right);
    const side = { waitSpread: own } as SideModel;
    expect(pushedBy([side], [column])).toBe(15 * (lines.length - 1));
    return lines.join("|");
  };
  expect(heading("log file sync", 176)).toBe("log file sync, mean");
  expect(heading("resmgr:cpu quantum", 196)).toBe("resmgr:cpu quantum");
  expect(heading("log file switch (checkpoint incomplete)", 350)).toBe("log file switch (checkpoint incomplete), mean");
  expect(heading("log file switch (checkpoint incomplete)", 200)).toBe("log file switch (checkpoint|incomplete), mean");
  expect(heading("latch: cache buffers chains", 196)).toBe("latch: cache buffers chains,|mean");
  // That is no mean of the wait as the table has it, and is said.
  expect(heading("log file sync", 150, "to\u00a0wake-up")).toBe("log file sync,|to\u00a0wake-up");
  expect(heading("log file sync", 90)).toBe("log file sync,|mean");
});

it("writes the percent sign on the tallest only", () => {
  const row = layoutRow(
    model([4, 8, 16, 32], [0.19, 0.53, 0.28]), { left: 0, right: 176 }, { top: 0, height: 80 }, { from: 1, to: 7 },
  );
  expect(row.bars.map((bar) => bar.label)).toEqual(["19", "53\u00a0%", "28"]);
});

it("has no two ticks that touch, wherever the axis begins and ends", () => {
  for (let from = -20; from < 18; from++)
    for (let to = from + 1; to <= 20; to++)
      for (const right of [90, 120, 176, 240]) {
        const ticks = powerTicks({ from, to }, { left: 0, right });
        const boxes = ticks.map(({ at, text, anchor }) => textBox(at, 0, textWidth(text), anchor));
        const touching = boxes.some((box, i) => i > 0 && box.left < boxes[i - 1]!.right + 2);
        const words = ticks.map(({ text }) => text).join(", ");
        expect(touching, `2^${from} to 2^${to} on ${right} px: ${words}`).toBe(false);
        expect(ticks.at(-1)?.at).toBeLessThanOrEqual(right);
      }
});

it("puts the unit on the last tick", () => {
  expect(powerTicks({ from: 2, to: 8 }, { left: 0, right: 176 }).map((tick) => tick.text)).toEqual([
    "4", "16", "64", "256\u00a0ms",
  ]);
});

it("has round numbers below a millisecond", () => {
  const texts = (from: number, to: number, right: number) =>
    powerTicks({ from, to }, { left: 0, right }).map(({ text }) => text.replace("\u00a0", " "));
  expect(texts(-8, 4, 260)).toEqual(["4 µs", "32 µs", "256 µs", "2", "16 ms"]);
  expect(texts(-11, -5, 400)).toEqual(["0.5 µs", "1 µs", "2 µs", "4 µs", "8 µs", "16 µs", "32 µs"]);
});

it("leaves out the short ones of what spans more powers than an axis holds, and not the long ones", () => {
  const edges = Array.from({ length: 21 }, (_, power) => 2 ** power);
  const { from, to } = rangeOf([model(edges, edges.slice(1).map(() => 0.05))]);
  expect(to).toBeGreaterThanOrEqual(20);
  expect(to - from).toBeLessThanOrEqual(13 + 2);
});

it("has seconds of 1,024 ms", () => {
  const texts = powerTicks({ from: 5, to: 11 }, { left: 0, right: 240 }).map(({ text }) => text.replace("\u00a0", " "));
  expect(texts.slice(-2)).toEqual(["1 s", "2 s"]);
});

it("leaves out whose percentile it is where the value with its interval has no room beside that", () => {
  const own = { ...model([4, 8], [1]), label: "Transaction, p99", value: "380\u00a0ms \u00b13\u00a0%" };
  const words = (right: number): readonly string[] =>
    layoutRow(own, { left: 0, right }, { top: 0, height: 80 }, { from: 1, to: 7 }).heading.lines;
  expect([words(196), words(120)]).toEqual([["Transaction, p99"], ["p99"]]);
});
