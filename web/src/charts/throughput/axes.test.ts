import { describe, expect, it } from "vitest";
import type { CurveModel } from "../../analysis/types";
import { fixturePage } from "../../testing/fixturePage";
import { overlaps, textBox, textWidth } from "../frame/text";
import { topOf } from "./axes";
import { layoutThroughput, type Size } from "./layout";
import { handleText, readingAt, rowsOf } from "./words";

const desk: Size = { width: 656, height: 400, floorY: 0, floorPercent: [0, 0] };
const base = fixturePage().curve;
const point = (x: number, y: number, ci95: number | null = null) => ({ x, y, ci95, reps: [], truncated: false });
const words: CurveModel = {
  ...base, metric: { id: "service_p99_ms", title: "", better: "down" }, unit: "ms", xLabel: "class@service",
  xWords: ["TS", "IA", "FIFO"], xDomain: [0, 2], x: 0, family: [], published: [], bound: null, even: [],
  a: [point(0, 4), point(2, 4)], b: [point(0, 8, 1), point(2, 5, 0.5)],
  difference: [
    { x: 0, value: 100, ci95: 5 }, { x: 2, value: 25, ci95: null },
  ],
};

describe("a knob of words", () => {
  it("has dots at its words and no line between them", () => {
    const { lineA, lineB, bandB, dotsA, dotsB, whiskers, scales, frame } = layoutThroughput(words, desk);
    expect([lineA, lineB, bandB]).toEqual(["", "", ""]);
    expect([dotsA.length, dotsB.length, whiskers.split("M").length - 1]).toEqual([2, 2, 2]);
    expect(scales.x(1)).toBeCloseTo((frame.left + frame.right) / 2, 6);
    expect([0, 1, 2].map((place) => scales.toX(scales.x(place)))).toEqual([0, 1, 2]);
  });
  it("names each word but the one under the pill", () => {
    const { xTicks, handle } = layoutThroughput(words, desk);
    expect([handle.text, ...xTicks.map(({ text }) => text)]).toEqual(["TS", "IA", "FIFO"]);
  });
  it("is read and tabled by its words", () => {
    expect(readingAt(words, 2).x).toBe("class@service FIFO");
    expect(handleText(words).replaceAll("\u00a0", " ")).toBe("class@service TS, B 8.00 ms, +100.0 % ±5.0 against A");
    expect(rowsOf(words).rows.map(([x]) => x)).toEqual(["TS", "FIFO"]);
  });
});

describe("gain", () => {
  const tinted = (better: "up" | "down" | "neither") => {
    const { strip } = layoutThroughput({ ...words, metric: { ...words.metric, better } }, desk);
    return [strip?.gain !== "", strip?.loss !== ""];
  };
  it.each([
    ["up", true, false], ["down", false, true], ["neither", false, true],
  ] as const)("of more where %s is better: tinted %s, loss %s", (better, gain, loss) => {
    expect(tinted(better)).toEqual([gain, loss]);
  });
});

describe("an axis", () => {
  it("goes in decades where a time grows beyond measure, and only then", () => {
    const grown = {
      ...words, xWords: null, xDomain: [0, 2] as const, a: [], b: [point(0, 4), point(1, 40), point(2, 4000)],
    };
    const log = layoutThroughput(grown, desk);
    expect(log.yTicks.map(({ text }) => text)).toEqual(["1", "10", "100", "1,000"]);
    expect(layoutThroughput({ ...grown, b: [point(0, 4), point(2, 40)] }, desk).yTicks[0]?.text).toBe("0");
  });
  it("is not stretched by what was published of other values, which is left out where it has no room", () => {
    const told = (y: number, hasMoved: boolean) =>
      ({ x: 1, y, label: "65.54", role: "prediction", hasMoved }) as unknown as CurveModel["published"][number];
    const low = { ...words, xWords: null, xDomain: [0, 2] as const, b: [point(0, 8), point(2, 5)] };
    const top = (published: CurveModel["published"]) => {
      const { published: marks, scales, frame } = layoutThroughput({ ...low, published }, desk);
      return [Math.round(scales.y(8) - frame.top) > 100, marks.length];
    };
    expect(top([told(80, false)])).toEqual([true, 1]);
    expect(top([told(80, true)])).toEqual([false, 0]);
    expect(top([told(6, true)])).toEqual([false, 1]);
  });
  it("holds what is less than nothing", () => {
    const { zeroY, frame, scales } = layoutThroughput(
      {
        ...words, xWords: null, a: [], b: [point(0, -3), point(2, 5)], metric: { ...words.metric, id: "cpu_wait_time" },
      },
      desk,
    );
    expect(zeroY).toBeLessThan(frame.bottom);
    expect(scales.y(-3)).toBeCloseTo(frame.bottom, 6);
  });
  it("divides a logarithmic knob evenly, zero before its least", () => {
    const log = layoutThroughput(
      { ...words, xWords: null, xScale: "log", xDomain: [0, 1000], b: [point(0, 1), point(1000, 2)], a: [] }, desk,
    );
    const [one, ten, hundred] = [1, 10, 100].map(log.scales.x);
    expect((ten ?? 0) - (one ?? 0)).toBeCloseTo((hundred ?? 0) - (ten ?? 0), 6);
    expect(log.scales.toX(log.frame.left)).toBe(0);
    expect(log.scales.toX(log.scales.x(100))).toBeCloseTo(100, 6);
  });
  it("shows A on B's own curve where they differ in the knob of the axis alone", () => {
    const { handle, scales } = layoutThroughput({ ...words, a: [], difference: [], xA: 2 }, desk);
    expect([handle.xA, handle.yA]).toEqual([scales.x(2), scales.y(5)]);
    expect(handle.labels.map(({ kind, text }) => `${kind} ${text}`)).toEqual(["B B 8.00", "A A 5.00"]);
  });
  it("magnifies a small difference from where A stands, with the published one", () => {
    const published = [
      { x: 0, y: 50, label: "", role: "input", hasMoved: false },
      { x: 2, y: 46, label: "", role: "prediction", hasMoved: false },
      { x: 1, y: 60, label: "", role: "measured", hasMoved: false },
    ] as const;
    const along = {
      ...words, xWords: null, a: [], b: [point(0, 40), point(2, 41)], xA: 0, x: 2, published,
      difference: [{ x: 0, value: 0, ci95: 0 }, { x: 2, value: 2.5, ci95: 1 }], differenceUnit: "%",
    };
    const { strip, frame, scales, percentDomain } = layoutThroughput(along, desk);
    expect(frame.bottom).toBeLessThan(frame.stripTop);
    const text = "published −8.0\u00a0%";
    expect(strip?.published).toMatchObject([{ x: scales.x(2), y: scales.percent(-8), text, anchor: "end" }]);
    expect(percentDomain[0]).toBeLessThan(-8);
    expect([strip?.words, strip?.end]).toEqual([[], null]);
    // The words of both stand apart wherever the published one lies.
    for (const y of [46, 47, 48, 48.85, 49.35, 50, 51, 52]) {
      const near = [published[0], { ...published[1], y }];
      const difference = [{ x: 0, value: 0, ci95: 0 }, { x: 2, value: -1.3, ci95: 2.2 }];
      const { handle, strip: own } = layoutThroughput({ ...along, difference, published: near }, desk);
      const { text: words, textX, y: height, anchor } = own!.published[0]!;
      const theirs = textBox(textX, height + 4, textWidth(words), anchor);
      expect(overlaps(handle.labels.find(({ kind }) => kind === "difference")!.box, theirs)).toBe(false);
    }
    const moved = published.map((one) => ({ ...one, hasMoved: true }));
    for (const other of [{ ...along, published: moved }, { ...along, published: published.slice(1) }])
      expect(layoutThroughput(other, desk).strip?.published).toEqual([]);
    const plain = layoutThroughput({ ...along, difference: [] }, desk);
    expect([plain.strip, plain.frame.bottom]).toEqual([null, plain.frame.stripBottom]);
  });
  it("keeps the published figure off B's line, its value and the handle on a phone", () => {
    const phone: Size = { ...desk, width: 358, height: 308 };
    const more = { x: 8, role: "prediction", hasMoved: false } as const;
    const label = "1,257, from 57.9 : 62.6";
    const published = [{ ...more, y: 1257, label }, { ...more, y: 1211, label: "1,211, by commits" }];
    const b = [point(1, 1359), point(4, 1375), point(8, 1374)];
    const along = { ...words, xWords: null, xDomain: [0, 8] as const, xA: 1, x: 8, a: [], b, published };
    const difference = [{ x: 1, value: 0, ci95: 0 }, { x: 8, value: 1.1, ci95: 0.4 }];
    const { published: [mark], handle, scales } = layoutThroughput({ ...along, difference }, phone);
    const box = mark?.box ?? { left: 0, right: 0, top: 0, bottom: 0 };
    expect(mark?.label?.text).toBe(label);
    expect(box.top).toBeGreaterThan(scales.y(1374));
    expect(handle.labels.some((one) => overlaps(one.box, box))).toBe(false);
  });
  it("writes no published change over another", () => {
    const derived = (y: number) => ({ x: 8, y, label: "", role: "prediction", hasMoved: false }) as const;
    const along = {
      ...words, xWords: null, xDomain: [0, 8] as const, xA: 1, x: 8, a: [], b: [point(1, 1359), point(8, 1374)],
      published: [{ ...derived(1359), x: 1, role: "input" } as const, derived(1257), derived(1211)],
      difference: [{ x: 1, value: 0, ci95: 0 }, { x: 8, value: 1.1, ci95: 0.4 }], differenceUnit: "%",
    };
    const texts = (size: Size) => layoutThroughput(along, size).strip?.published.map(({ text }) => text);
    expect(texts(desk)).toEqual(["published −7.5\u00a0%", "published −10.9\u00a0%"]);
    expect(texts({ ...desk, width: 358, height: 308 })).toEqual(["published −7.5\u00a0%", ""]);
  });
});

it("goes as far as the bound where that is near, and not to one far above all that is measured", () => {
  const most = Math.max(...[...base.a, ...base.b].map(({ y }) => y));
  const top = (share: number) => {
    const bound = { ...base.bound!, points: [{ x: 1, y: share * most }] };
    return topOf({ ...base, family: [], published: [], bound }) / most;
  };
  expect([top(1.2), top(3), top(0.5)]).toEqual([1.2, 1, 1]);
});

describe("a whole number", () => {
  const axis: CurveModel = {
    ...base, xLabel: "sequence_cache", xScale: "log", xDomain: [0, 1000], isWhole: true, family: [], published: [],
    bound: null, x: 50, xA: null, a: [0, 2, 5, 10, 1000].map((x) => point(x, 60)),
    b: [0, 2, 5, 10, 1000].map((x) => point(x, 30)), even: [2.9],
    difference: [0, 2, 5, 10, 1000].map((x, i) => ({ x, value: [0, -44, 105, 90, 186][i] ?? 0, ci95: 1 })),
  };
  const evens = (more: Partial<CurveModel>) =>
    layoutThroughput({ ...axis, ...more }, desk).strip!.even.map(({ text }) => text);
  it("is even somewhere between two that were tried, where others lie between them", () => {
    expect(evens({})).toEqual(["even 2 to 5"]);
    expect(evens({ even: [2] })).toEqual(["even at 2"]);
    expect(evens({ isWhole: false })).toEqual(["even at 3"]);
    const next = axis.difference.map((one) => (one.x === 5 ? { ...one, x: 3 } : one));
    // Of two that follow one another it is neither, unless it is on one.
    expect(evens({ difference: next })).toEqual(["even between 2 and 3"]);
    expect(evens({ difference: next, even: [3] })).toEqual(["even at 3"]);
  });
  it("has no tick before the first that may stand there", () => {
    const ticks = (b: CurveModel["b"]) => layoutThroughput({ ...axis, a: [], b }, desk).xTicks.map(({ text }) => text);
    expect(ticks(axis.b)).toEqual(["0", "10", "100"]);
    expect(ticks([point(1, 40), ...axis.b])).toEqual(["0", "1", "10", "100"]);
  });
});
