import { describe, expect, it } from "vitest";
import type { MapCell, MapModel } from "../../analysis/types";
import { rowsOf } from "./MapChart";
import { cellAt, cellText, heightOf, layoutMap, ROW, saidAt } from "./layout";

const cell = (value: number | null, more: Partial<MapCell> = {}): MapCell => ({
  value, ci95: 0.01, sign: 0, isSketch: false, isCut: false, isEndless: false, ...more,
});

const place = (value: number | string, at = Number(value)) => ({ at, value, label: String(value) });

const level: MapModel = {
  title: "Throughput", word: "Throughput", unit: "M LIO/s", isDifference: false, xLabel: "sessions",
  yLabel: "cpu_count", xs: [place(1), place(8), place(16)], ys: [place(2), place(4)], x: 1, y: 1,
  cells: [cell(1), cell(2), cell(2), cell(1), cell(4), cell(5)],
};
const signed = (value: number) => cell(value, { sign: Math.sign(value) });
const difference: MapModel = {
  ...level, unit: "%", isDifference: true,
  cells: [signed(10), signed(-20), cell(3), signed(5), cell(null), cell(null, { isEndless: true })],
};

describe("the cells of a map", () => {
  it("stand row by row, the lowest at the bottom, and fill the width", () => {
    const { cells, left, columnWidth, here } = layoutMap(level, 400);
    expect(left + 3 * columnWidth).toBeCloseTo(400);
    expect((cells[0]?.y ?? 0) - (cells[3]?.y ?? 0)).toBe(ROW);
    expect(cells[1]?.x).toBeCloseTo(left + columnWidth);
    expect(here).toBe(4);
    const hereIn = (x: number, y: number) => layoutMap({ ...level, x, y }, 400).here;
    expect([hereIn(2, 0), hereIn(-1, 1)]).toEqual([2, null]);
  });
  it("are found under the pointer, the nearest from outside", () => {
    const layout = layoutMap(level, 400);
    layout.cells.forEach((one, i) => expect(cellAt(level, layout, one.x + 5, one.y + 5)).toBe(i));
    expect([cellAt(level, layout, -50, 1_000), cellAt(level, layout, 1_000, -50)]).toEqual([0, 5]);
  });
  it("are tinted from the least to the most; by size, where they are differences that are told apart", () => {
    const strengths = layoutMap(level, 400).cells.map(({ strength }) => strength);
    expect(strengths[0]).toBeCloseTo(0.04);
    expect(strengths[5]).toBeCloseTo(0.46);
    expect(strengths[4]).toBeCloseTo(0.04 + 0.42 * 0.75);
    for (const more of [{ isSketch: true }, { isCut: true }]) {
      const pale = level.cells.map((one) => ({ ...one, ...more }));
      expect(layoutMap({ ...level, cells: pale }, 400).cells[5]?.strength).toBeCloseTo(0.23);
    }
    const marks = layoutMap(difference, 400).cells;
    expect(marks.map(({ strength }) => strength.toFixed(3))).toEqual([
      "0.250", "0.460", "0.000", "0.145", "0.000", "0.000",
    ]);
    expect(marks.map(({ tint }) => tint).slice(0, 2)).toEqual(["more", "less"]);
  });
  it("have ink where they are as precise as asked", () => {
    const cells = [cell(1, { isSketch: true }), cell(2, { isCut: true }), cell(3), cell(null), cell(5), cell(6)];
    expect(layoutMap({ ...level, cells }, 400).cells.map(({ isFirm }) => isFirm)).toEqual([
      false, false, true, false, true, true,
    ]);
    expect(layoutMap(difference, 400).cells.map(({ isFirm }) => isFirm)).toEqual([
      true, true, false, true, false, false,
    ]);
  });
  it("have no text where it would not fit, and no labels that touch", () => {
    const narrow = layoutMap({ ...level, cells: level.cells.map(() => cell(12_345)) }, 120);
    expect(narrow.cells.every(({ text }) => text === "")).toBe(true);
    const wide = { ...level, xs: [place("processor_sharing", 0), place("round_robin", 1), place("CFS", 2)] };
    expect(layoutMap(wide, 300).columns.map(({ text }) => text)).toEqual(["processor_sharing", "CFS"]);
    expect(layoutMap({ ...level, ys: [place("a_name_that_is_much_too_long", 0), place("b", 1)] }, 200).rows[0]?.text)
      .toMatch(/^a_name.*…$/);
  });
  it("may all be the same", () => {
    const same = layoutMap({ ...level, cells: level.cells.map(() => cell(2)) }, 400);
    expect(same.cells.every(({ strength }) => strength > 0 && strength < 0.5)).toBe(true);
    const none = layoutMap({ ...level, cells: level.cells.map(() => cell(null)) }, 400);
    expect(none.cells.every(({ strength, text }) => strength === 0 && text === "·")).toBe(true);
  });
});

it("says in a cell what is known there", () => {
  expect([cellText(cell(1234.5), false), cellText(cell(0.01234), false)]).toEqual(["1,235", "0.0123"]);
  expect([cellText(cell(12.34), true), cellText(cell(-123.4), true), cellText(cell(0), true)]).toEqual([
    "+12.3", "−123", "0.0",
  ]);
  expect([cellText(cell(-12.34), true, 25), cellText(cell(12.34), false, 20), cellText(cell(12.34), true, 8)]).toEqual([
    "−12", "12", "",
  ]);
  expect([cellText(cell(null), true), cellText(cell(null, { isEndless: true }), true)]).toEqual(["·", "∞"]);
});

it("reads a place with its interval, and how good it is", () => {
  expect(saidAt(level, 4)).toBe("sessions 8, cpu_count 4: Throughput 4.00 ±0.01 M LIO/s");
  expect(saidAt(difference, 1)).toBe("sessions 8, cpu_count 2: B minus A −20.0 ±<0.1 %");
  expect(saidAt(difference, 4)).toBe("sessions 8, cpu_count 4: B minus A –");
  expect(saidAt(difference, 5)).toBe("sessions 16, cpu_count 4: B minus A grows without bound");
  const doubtful = { ...level, cells: [cell(1, { isCut: true }), cell(2, { isSketch: true })] };
  expect(saidAt(doubtful, 0)).toMatch(/, its budget of events ended$/);
  expect(saidAt(doubtful, 1)).toMatch(/, a sketch$/);
  expect([saidAt(level, null), saidAt(level, 99)]).toEqual(["", ""]);
});

it("hands over a row for each place", () => {
  const { columns, rows } = rowsOf(difference);
  expect(columns).toEqual(["sessions", "cpu_count", "Throughput, B − A (%)", "± 95 %"]);
  expect(rows).toHaveLength(6);
  expect([rows[1], rows[4]?.[2], rows[5]?.[2]]).toEqual([[8, 2, -20, 0.01], null, "without bound"]);
  expect(heightOf(level)).toBeGreaterThan(2 * ROW);
});
