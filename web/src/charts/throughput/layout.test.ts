import { describe, expect, it } from "vitest";
import { fixturePage } from "../../testing/fixturePage";
import { formatNumber } from "../../units";
import { overlaps, textBox, textWidth } from "../frame/text";
import { layoutThroughput, WALL_WORDS, type Size } from "./layout";
import { valueAt } from "./plane";

const desk: Size = { width: 656, height: 400, floorY: 0, floorPercent: [0, 0] };
const phone: Size = { ...desk, width: 358, height: 308 };
const at = (sessions: number) => fixturePage({ sessions }).curve;

describe("scales", () => {
  it("starts at zero and ends at the bound", () => {
    const layout = layoutThroughput(at(32), desk);
    expect([layout.scales.y(0), layout.yTop]).toEqual([layout.frame.bottom, 3.6]);
    expect(layout.scales.x(48)).toBe(layout.frame.right);
  });
  it("may grow while held, and never shrinks", () => {
    const held = layoutThroughput(at(32), { ...desk, floorY: 8, floorPercent: [-40, 60] });
    expect([held.yTop, ...held.percentDomain]).toEqual([8, -40, 60]);
  });
  it("finds the value between two points, and none beyond the last", () => {
    expect(valueAt([{ x: 1, y: 2 }, { x: 3, y: 6 }], 2)).toBe(4);
    expect(valueAt([{ x: 1, y: 2 }], 2)).toBeNull();
  });
});

describe("the band", () => {
  it("ends where the plot does, however little is known", () => {
    const { b, ...curve } = at(32);
    const wide = b.map((point) => ({ ...point, ci95: 9 * point.y }));
    const { bandB, frame } = layoutThroughput({ ...curve, b: wide }, desk);
    const heights = [...bandB.matchAll(/,(-?[\d.]+)/g)].map((found) => Number(found[1]));
    expect([Math.min(...heights), Math.max(...heights)]).toEqual([frame.top, frame.bottom]);
  });
  it("bridges no point whose interval is yet to come, nor does the doubt of the difference", () => {
    const { b, difference, ...curve } = at(32);
    const gap = <P extends { readonly ci95: number | null }>(points: readonly P[]): P[] =>
      points.map((point, nth) => ({ ...point, ci95: nth % 8 < 4 ? 0.1 : null }));
    const layout = layoutThroughput({ ...curve, b: gap(b), difference: gap(difference) }, desk);
    const stretches = (path: string | undefined): number => path?.split("Z").filter((part) => part !== "").length ?? 0;
    expect(stretches(layout.bandB)).toBe(Math.ceil(b.length / 8));
    expect(stretches(layout.strip?.doubt)).toBe(Math.ceil(difference.length / 8));
  });
});

describe("the handle", () => {
  it("stands on B, with A's ring and the difference on the same hairline", () => {
    const { handle, scales } = layoutThroughput(at(32), desk);
    expect(handle.x).toBe(scales.x(32));
    expect(handle.yB).toBe(scales.y(3.35));
    expect(handle.labels.map((label) => label.kind)).toEqual(["B", "A", "difference"]);
  });
  it("shows where it was only while it is away from there", () => {
    expect(layoutThroughput(fixturePage({ sessions: 9, before: 32 }).curve, desk).handle.before?.text).toBe("was 32");
    expect(layoutThroughput(fixturePage({ sessions: 32, before: 32 }).curve, desk).handle.before).toBeNull();
  });
  it.each([desk, phone])(
    "keeps its labels inside, and off one another, wherever it is dragged ($width wide)",
    (size) => {
      for (let sessions = 1; sessions <= 48; sessions++) {
        const { handle, frame } = layoutThroughput(at(sessions), size);
        for (const label of handle.labels) {
          expect(label.box.left, `${label.kind} at ${sessions}`).toBeGreaterThanOrEqual(-4);
          expect(label.box.right, `${label.kind} at ${sessions}`).toBeLessThanOrEqual(frame.width + 4);
        }
        const [one, other] = handle.labels;
        expect(one !== undefined && other !== undefined && overlaps(one.box, other.box), `at ${sessions}`).toBe(false);
      }
    },
  );
  it("keeps its values off the names at the ends of flat lines", () => {
    for (let sessions = 30; sessions <= 48; sessions++) {
      const { a, b, ...curve } = at(sessions);
      const flat = (points: typeof a) => points.map((point) => ({ ...point, y: 3.33 }));
      const { handle, endLabels } = layoutThroughput({ ...curve, a: flat(a), b: flat(b) }, desk);
      const ends = endLabels.map(({ x, y, side, name, value }) =>
        textBox(x, y, textWidth(`${side} ${name}: ${value}`), "start"));
      const values = handle.labels.filter(({ kind }) => kind !== "difference");
      const met = values.filter(({ box }) => ends.some((end) => overlaps(end, box)));
      expect(met.map(({ text }) => text), `at ${sessions}`).toEqual([]);
    }
  });
  it.each([0, 0.3, 1, 4, 9, 30])("keeps its values apart near both axes, the lines %i px apart or so", (px) => {
    for (const sign of [1, -1]) {
      const model = at(2);
      const { yTop, frame } = layoutThroughput(model, desk);
      const unit = yTop / (frame.bottom - frame.top);
      const flat = (value: number) => model.b.map((point) => ({ ...point, y: value, ci95: null }));
      const [a, b] = [flat((2 + px * (sign > 0 ? 1 : 0)) * unit), flat((2 + px * (sign > 0 ? 0 : 1)) * unit)];
      const { handle } = layoutThroughput({ ...model, a, b, difference: [] }, { ...desk, floorY: yTop });
      const [one, other] = handle.labels;
      expect([one?.kind, other?.kind]).toEqual(["B", "A"]);
      expect(overlaps(one!.box, other!.box), `${one?.y} and ${other?.y}`).toBe(false);
    }
  });
  it("tells milliseconds as such where the axis goes into seconds", () => {
    const { a, ...curve } = at(32);
    const small = { ...curve, unit: "s", a: a.map((point) => ({ ...point, y: 0.0112 })) };
    const { handle, endLabels } = layoutThroughput(small, desk);
    expect(handle.labels.map(({ text }) => text.replace("\u00a0", " ")).slice(0, 2)).toEqual(["B 3.35", "A 11.2 ms"]);
    expect(endLabels.map(({ value }) => value.replace("\u00a0", " "))).toContain("11.2 ms");
  });
  it("has no time for what never is, and a nought of what is counted", () => {
    const curve = at(32);
    const b = curve.b.map((point) => ({ ...point, y: 0 }));
    const told = (unit: string) => layoutThroughput({ ...curve, unit, b }, desk).handle.labels[0]?.text;
    expect(["ms", "s", "µs", "sessions", "1/s"].map(told)).toEqual(["B none", "B none", "B none", "B 0", "B 0"]);
  });
  it("tells differences of tens of times in thousands, small ones in as many digits as tell them apart", () => {
    const { difference, ...curve } = at(32);
    const words = (times: number, differenceUnit = "%") =>
      layoutThroughput({
        ...curve, differenceUnit,
        difference: difference.map((one) => ({ ...one, value: one.value * times })),
      }, phone)
        .strip?.ticks.map(({ text }) => text.replace("\u00a0", " "));
    expect(words(1)).toEqual(["0", "+5", "+10"]);
    expect(words(2000)).toEqual(["0", "+10 k", "+20 k"]);
    expect(words(0.06, "sessions")).toEqual(["0", "+0.5"]);
    expect(words(0.000005, "sessions")).toEqual(["−0.00002", "0", "+0.00002", "+0.00004", "+0.00006"]);
  });
  it("keeps a difference that is next to nothing beside later ones off the line of zero", () => {
    for (let sessions = 2; sessions <= 16; sessions++) {
      const { difference, ...curve } = at(sessions);
      const rising = difference.map((one) => ({ ...one, value: one.x * one.x, ci95: 1 }));
      const { handle, strip } = layoutThroughput({ ...curve, difference: rising }, desk);
      const { box } = handle.labels.find(({ kind }) => kind === "difference")!;
      expect(strip!.zero > box.bottom || strip!.zero < box.top, `at ${sessions}`).toBe(true);
    }
  });
  it("says no value twice at the end of the lines, where their names have it", () => {
    const kinds = (size: typeof desk, sessions: number) =>
      layoutThroughput(at(sessions), size).handle.labels.map(({ kind }) => kind);
    expect([kinds(desk, 48), kinds(desk, 46), kinds(phone, 48)]).toEqual([
      ["difference"], ["B", "A", "difference"], ["B", "A", "difference"],
    ]);
  });
  it("leaves the axis number free under its pill", () => {
    for (let sessions = 1; sessions <= 48; sessions++) {
      const { handle, xTicks } = layoutThroughput(at(sessions), desk);
      expect(xTicks.every((tick) => Math.abs(tick.at - handle.x) > handle.pillWidth / 2)).toBe(true);
    }
  });
  it("keeps long numbers beside the pill off it", () => {
    const wide = { ...at(32), xScale: "log" as const, xDomain: [1, 100_000_000] as const, x: 1_000_000 };
    const { handle, xTicks } = layoutThroughput(wide, desk);
    const halves = xTicks.map(({ at: middle, text }) => Math.abs(middle - handle.x) - textWidth(text) / 2);
    expect(xTicks.length).toBeGreaterThan(3);
    expect(Math.min(...halves)).toBeGreaterThan(handle.pillWidth / 2);
  });
});

it("says who is ahead only where that is certain, and more than nothing", () => {
  const { curve } = fixturePage({ sessions: 32 });
  const words = (valueOf: (x: number) => number, ci95: number | null = 0) => {
    const difference = curve.difference.map(({ x }) => ({ x, value: valueOf(x), ci95 }));
    const { strip, scales } = layoutThroughput({ ...curve, difference }, desk);
    return (strip?.words ?? []).map(({ text, x }) => `${text} ${scales.toX(x) > 24 ? "late" : "early"}`);
  };
  expect(words(() => -3)).toEqual(["A ahead late"]);
  expect([words(() => -0.001), words(() => -3, null), words(() => -3, 4)]).toEqual([[], [], []]);
  // Both ends of the axis are B's, but all between is A's.
  expect(words((x) => (x < 4 || x > 46 ? 2 : -3))).toEqual(["A ahead late"]);
});

describe("what the stage leaves", () => {
  it("ends B at the wall when a run was cut short", () => {
    const { curve } = fixturePage({ stage: { kind: "truncated", precision: 0.07, asked: 0.03, events: 20e6 } });
    const cut = layoutThroughput(curve, desk);
    expect(cut.walls.map(({ x, text }) => [x, text])).toEqual([[cut.scales.x(36), `B: ${WALL_WORDS}`]]);
    const end = curve.b.find(({ x }) => x === 36)!;
    expect(cut.endLabels.find(({ side }) => side === "B")?.value).toBe(`${formatNumber(end.y)} at 36`);
    // Its words stay in the plot.
    const [early, late] = [12, 47].map((last) =>
      layoutThroughput({ ...curve, b: curve.b.map((point) => ({ ...point, truncated: point.x > last })) }, desk),
    );
    for (const { walls: [wall], frame } of [early!, late!]) {
      if (wall === undefined) throw new Error("no wall");
      const box = textBox(wall.textX, 0, textWidth(wall.text), wall.anchor);
      expect([box.left >= frame.left, box.right <= frame.right]).toEqual([true, true]);
    }
    expect([early!, late!].map(({ walls }) => walls[0]?.anchor)).toEqual(["start", "end"]);
  });
  it("has the values and the difference at the ends at one place, or says at which each is", () => {
    const { curve } = fixturePage();
    const until = (points: typeof curve.a, last: number) => points.map((p) => ({ ...p, truncated: p.x > last }));
    const ends = (lastA: number, lastB: number) => {
      const layout = layoutThroughput({ ...curve, a: until(curve.a, lastA), b: until(curve.b, lastB) }, desk);
      const texts = [...layout.endLabels.map(({ side, value }) => `${side} ${value}`), layout.strip?.end?.text];
      const walls = layout.walls.map(({ x, text }) => [layout.scales.toX(x), text]);
      return { layout, walls, texts: texts.map((text) => text?.replace("\u00a0", " ")) };
    };
    const value = (points: typeof curve.a, x: number) => formatNumber(points.find((p) => p.x === x)!.y);
    const [b36, a36, a48, b48] = [value(curve.b, 36), value(curve.a, 36), value(curve.a, 48), value(curve.b, 48)];
    // Both cut at one place: no words of it, for all three are of the wall.
    const same = ends(36, 36);
    expect(same.texts.slice(0, 2)).toEqual([`B ${b36}`, `A ${a36}`]);
    expect([same.texts[2]?.includes("at"), same.walls]).toEqual([false, [[36, WALL_WORDS]]]);
    const apart = ends(48, 36);
    expect(apart.texts.slice(0, 2)).toEqual([`B ${b36} at 36`, `A ${a48} at 48`]);
    expect(apart.texts[2]).toMatch(/^\+[\d.]+ % at 36$/);
    const other = ends(36, 48);
    expect(other.texts.slice(0, 2)).toEqual([`B ${b48} at 48`, `A ${a36} at 36`]);
    expect([other.walls, other.texts[2]]).toEqual([[[36, `A: ${WALL_WORDS}`]], apart.texts[2]]);
    // Each line that ends has a wall of its own, and their words lie not on one another.
    const two = ends(32, 36);
    expect(two.walls).toEqual([[32, `A: ${WALL_WORDS}`], [36, `B: ${WALL_WORDS}`]]);
    const [wallA, wallB] = two.layout.walls;
    expect((wallB?.textY ?? 0) - (wallA?.textY ?? 0)).toBeGreaterThanOrEqual(14);
  });
  it("says at its end that a side has no bound beyond, and no value there", () => {
    const { curve } = fixturePage();
    const until = (last: number) => curve.b.filter(({ x }) => x <= last);
    const { endLabels: ends, handle } = layoutThroughput({ ...curve, b: until(24), endlessB: [26, 28] }, desk);
    expect(ends.map(({ side, value }) => [side, value.replace(/[\d.]+ at/, "at")])).toEqual([
      ["B", "no bound"], ["A", "at 48"],
    ]);
    expect(handle.labels.some(({ kind }) => kind === "B")).toBe(false);
    // Where values follow it is a gap.
    const [gap] = layoutThroughput({ ...curve, endlessB: [2] }, desk).endLabels;
    expect(gap?.value).toMatch(/^[\d.]+$/);
  });
  it("draws axes alone before anything has run", () => {
    const empty = layoutThroughput(fixturePage({ stage: { kind: "empty" } }).curve, desk);
    expect([empty.lineA, empty.lineB, empty.strip, empty.walls]).toEqual(["", "", null, []]);
    expect(empty.xTicks.length).toBeGreaterThan(2);
  });
  it("marks the points of a sketch", () => {
    const { curve } = fixturePage({ stage: { kind: "coarse", isStopped: false } });
    expect(layoutThroughput(curve, desk).dotsB).toHaveLength(8);
    expect(layoutThroughput(at(32), desk).dotsB).toEqual([]);
  });
});

/** The difference's label, zero, and the line of the difference across the label, in pixels. */
function struck(sessions: number, size: Size, valueOf: (x: number) => number) {
  const { curve } = fixturePage({ sessions });
  const difference = curve.difference.map((point) => ({ ...point, value: valueOf(point.x) }));
  const { handle, scales } = layoutThroughput({ ...curve, difference }, size);
  const { box } = handle.labels.find(({ kind }) => kind === "difference")!;
  const line = difference.map((p) => ({ x: scales.x(p.x), y: scales.percent(p.value) }));
  const across = Array.from({ length: 33 }, (_, i) => valueAt(line, box.left + ((box.right - box.left) * i) / 32));
  return [scales.percent(0), ...across].filter((y) => y !== null && y > box.top && y < box.bottom);
}

it("writes the difference where neither zero nor its own line runs through it", () => {
  // Little above zero near the left end; then behind a steep fall, where only the right of the handle is free.
  expect(struck(8, phone, (x) => (x < 4 ? 16 : x < 8 ? 1.2 : 2))).toEqual([]);
  expect(struck(20, desk, (x) => (x < 14 ? 0 : x < 17 ? -12 : -9 + (x - 17) / 40))).toEqual([]);
});

it("writes B between the rings where its line rises through what stands above", () => {
  const { curve } = fixturePage({ sessions: 6 });
  const risesTo = (top: number) => {
    const b = curve.b.map((point) => ({ ...point, y: Math.min(top, 1.5 + (point.x - 6) / 3) }));
    const a = curve.a.map((point) => ({ ...point, y: 0.5 }));
    const { handle, scales } = layoutThroughput({ ...curve, a, b }, desk);
    const { box } = handle.labels.find(({ kind }) => kind === "B")!;
    return (box.top + box.bottom) / 2 > scales.y(valueAt(b, 6)!);
  };
  expect([risesTo(3.4), risesTo(1.5)]).toEqual([true, false]);
});

it("rings A where it stands, on its own curve, where the two differ in more than the axis", () => {
  const { curve } = fixturePage({ sessions: 32 });
  const apart = layoutThroughput({ ...curve, xA: 4, difference: [] }, desk);
  const own = curve.a.find(({ x }) => x === 4)!;
  expect([apart.handle.xA, apart.handle.yA]).toEqual([apart.scales.x(4), apart.scales.y(own.y)]);
  expect(apart.handle.labels.find(({ kind }) => kind === "A")?.text).toBe(`A ${formatNumber(own.y)}`);
  expect(apart.handle.labels.some(({ kind }) => kind === "difference")).toBe(false);
});

it("names no line by the value of its own axis", () => {
  const { curve } = fixturePage({ sessions: 32 });
  const ends = layoutThroughput({ ...curve, a: [], xA: 4, difference: [], alongA: "", alongB: "" }, desk).endLabels;
  expect(ends.map(({ side, name }) => [side, name])).toEqual([["B", ""]]);
});

it("names a published point beside it where the handle's words stand above", () => {
  const { curve } = fixturePage({ sessions: 32 });
  const last = curve.b.at(-1)!;
  const point = { ...curve.published[0]!, x: curve.x, y: (last.y / 100) * 92, label: "published 3.1" };
  const { published } = layoutThroughput({ ...curve, published: [point] }, desk);
  expect(published[0]?.label?.text).toBe("published 3.1");
});

it("keeps the words of points off the handle, off other points and off one another", () => {
  const { curve } = fixturePage({ sessions: 32 });
  const near = [26, 28, 30, 31, 32, 33, 34, 36].map((x, i) => ({
    ...curve.published[0]!, x, y: 3.3 - 0.04 * (i % 3), label: "measured 3.3", role: "measured" as const,
  }));
  const { published, handle } = layoutThroughput({ ...curve, published: near }, desk);
  const boxes = published.flatMap(({ label, box }) => (label === null ? [] : [box]));
  expect(boxes.length).toBeGreaterThan(0);
  const ring = { left: handle.x - 11, right: handle.x + 11, top: handle.yB! - 7, bottom: handle.yB! + 7 };
  const dots = published.map(({ x, y }) => ({ left: x - 3, right: x + 3, top: y - 3, bottom: y + 3 }));
  const others = [ring, ...dots, ...handle.labels.map(({ box }) => box)];
  for (const [i, box] of boxes.entries())
    expect([...others, ...boxes.slice(i + 1)].filter((other) => overlaps(box, other))).toEqual([]);
});

it("numbers the family from below, named once, clear of the published point's label", () => {
  const { familyLabels, published } = layoutThroughput(at(32), desk);
  expect(familyLabels.map((label) => label.text)).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
  expect(familyLabels.filter((label) => label.name !== null)).toHaveLength(1);
  expect(published[0]?.label?.text).toBe("published 3.6");
});

it("has the side ahead whose figure is the better one, be that the higher or the lower", () => {
  const { curve } = fixturePage({ sessions: 32 });
  const ahead = (better: "up" | "down", value: number) => {
    const difference = curve.difference.map(({ x }) => ({ x, value, ci95: 0 }));
    const { strip } = layoutThroughput({ ...curve, metric: { ...curve.metric, better }, difference }, desk);
    return strip?.words.map(({ text }) => text);
  };
  expect([ahead("up", 3), ahead("up", -3)]).toEqual([["B ahead"], ["A ahead"]]);
  expect([ahead("down", 3), ahead("down", -3)]).toEqual([["A ahead"], ["B ahead"]]);
});

it.each([desk, phone])("writes the values at the rings off the axis, however low these are ($width wide)", (size) => {
  for (const sessions of [4, 20, 32, 46]) {
    const { curve } = fixturePage({ sessions });
    for (const [lowA, lowB] of [[0, 0.3], [0.1, 2], [0.2, 0.2], [2, 0.15], [0.3, 3], [0, 0]] as const) {
      const flat = (y: number) => curve.b.map((point) => ({ ...point, y }));
      for (const xA of [null, sessions > 24 ? 8 : 40]) {
        const layout = layoutThroughput({ ...curve, a: flat(lowA), b: flat(lowB), xA }, size);
        const values = layout.handle.labels.filter(({ kind }) => kind !== "difference");
        const struck = values.filter(({ box }) => box.top < layout.frame.bottom && box.bottom > layout.frame.bottom);
        expect(struck.map(({ text }) => text), `${sessions}: ${lowA}, ${lowB}, A at ${xA}`).toEqual([]);
        const [one, other] = values;
        expect(one !== undefined && other !== undefined && overlaps(one.box, other.box), `${sessions}`).toBe(false);
      }
    }
  }
});

it("names of two even points that are close stand each on its own side, and read as two", () => {
  const curve = at(40);
  const difference = [1, 20, 21, 22, 48].map((x, i) => ({ x, value: [-5, -1, 1, -1, -5][i]!, ci95: 0.1 }));
  const { strip } = layoutThroughput({ ...curve, difference, even: [20.5, 21.5] }, { ...desk, width: 900 });
  const [one, other] = strip!.even.map(({ x, y, dot, text, anchor }) => ({
    dot, y, box: textBox(x, y, textWidth(text), anchor),
  }));
  expect(one!.y === other!.y && one!.box.right > other!.box.left - textWidth("even")).toBe(true);
  expect([one!.box.right < one!.dot, other!.box.left > other!.dot]).toEqual([true, true]);
});
