import { describe, expect, it } from "vitest";
import { fixturePage } from "../../testing/fixturePage";
import { handleText, noteOf, placesOf, readingAt, readingText, rowsOf } from "./words";

const { curve } = fixturePage();
const seen = (text: string) => text.replaceAll("\u00a0", " ");

describe("what is said of a point", () => {
  it("names value, unit and result at the handle", () =>
    expect(seen(handleText(curve))).toMatch(/^32 sessions, B 3\.35 M LIO\/s, \+[\d.]+ % ±[\d.]+ against A$/));
  it("tells a figure without bound from one that is not known yet, and from none", () => {
    const of = (more: Partial<typeof curve>) => seen(handleText({ ...curve, b: [], difference: [], ...more }));
    expect(of({ endlessB: [32] })).toBe("32 sessions, B without bound");
    expect(of({ endlessB: [34] })).toBe("32 sessions, B none");
    expect(of({ stage: { kind: "coarse", isStopped: false } })).toBe("32 sessions, B not known yet");
  });
  it("gives every number with its interval at the cursor", () => {
    expect(seen(readingText(readingAt(curve, 8), curve.unit))).toBe(
      "8 sessions: B 3.60 ±0.01 M LIO/s, A 3.60 ±0.01, B minus A 0.0 % ±0.2",
    );
  });
  it("begins an interval at zero, but where the figure may be less", () => {
    const point = { x: 8, y: 0.16, ci95: 0.24, reps: [], truncated: false };
    const about = (id: string) => readingAt({ ...curve, b: [point], metric: { ...curve.metric, id } }, 8).b;
    expect([about("response_mean_ms"), about("cpu_wait_time")]).toEqual(["0.160 (0 to 0.400)", "0.160 ±0.240"]);
  });
  it("says so where nothing is known yet, or will be", () => {
    const at = (kind: "refining" | "settled") =>
      handleText({ ...curve, b: [], stage: { kind, precision: 0.1, asked: 0.03 } });
    expect([at("refining"), at("settled")].map((text) => /B ([a-z ]+)/.exec(text)?.[1])).toEqual([
      "not known yet", "none",
    ]);
  });
});

it("has a row for every place, with the family beside it", () => {
  const { columns, rows } = rowsOf(curve);
  expect(rows).toHaveLength(placesOf(curve).length);
  expect(rows.every((row) => row.length === columns.length)).toBe(true);
  expect(columns.at(-1)).toBe("cpu_count 7 (M LIO/s)");
});

describe("how far the answer is", () => {
  it("needs no words when it is as precise as asked", () =>
    expect(noteOf({ kind: "settled", precision: 0.01, asked: 0.03 }, null)).toBeNull());
  it("narrows to what was asked, or goes on where that is there", () => {
    const text = (precision: number) => seen(noteOf({ kind: "refining", precision, asked: 0.03 }, null)?.text ?? "");
    expect([text(0.07), text(0.019)]).toEqual(["±7 %, narrowing to 3 %", "±1.9 %, narrowing"]);
  });
  it("says what stopped it, and how to go on", () => {
    const note = noteOf({ kind: "truncated", precision: 0.07, asked: 0.03, events: 20e6 }, null);
    expect([seen(note?.text ?? ""), note?.actions[0]?.label]).toEqual([
      "Stopped after 20 M events at ±7 %, 3 % asked.", "Run longer",
    ]);
    const precise = noteOf({ kind: "truncated", precision: 0.006, asked: 0.03, events: 20e6 }, null);
    expect(seen(precise?.text ?? "")).toBe("Stopped after 20 M events at ±0.6 %, not sure to have settled.");
  });
  it("puts a broken law before the precision", () =>
    expect(noteOf({ kind: "coarse", isStopped: false }, "Little’s law misses by 4 %")?.isAlarm).toBe(true));
});

it("says in the table's head of what a difference is a percentage, or in which unit it is", () => {
  const head = (differenceUnit: string) => rowsOf({ ...curve, differenceUnit }).columns.slice(0, 7);
  expect(head("%")).toEqual([
    "sessions", "B (M LIO/s)", "B ±95 %", "A (M LIO/s)", "A ±95 %", "B − A (% of A)", "B − A ±95 %",
  ]);
  expect(head("ms")[5]).toBe("B − A (ms)");
});
