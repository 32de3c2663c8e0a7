import { expect, it } from "vitest";
import { fixturePage } from "../../testing/fixturePage";
import { textWidth } from "../frame/text";
import { rowsOf } from "./ActiveSessions";
import { bucketAt, hasEnded, layoutActiveSessions, stack, withoutOverlaps } from "./layout";

const column = { left: 24, right: 200 };
const side = (sessions: number, letter: "a" | "b") =>
  fixturePage({ sessions })[letter]?.activeSessions
  ?? (() => {
    throw new Error("no side");
  })();

it("stacks in the order given: what runs below, what waits on it", () => {
  const tops = stack(side(32, "a"));
  expect(tops[0]?.at(-1)).toBe(8);
  expect(tops[1]?.at(-1)).toBe(32);
});

it("puts a label in its band where there is room, else above", () => {
  expect(layoutActiveSessions(side(32, "b"), column, 172, 32).labels.map((label) => label.isInside)).toEqual([
    true, true,
  ]);
  expect(layoutActiveSessions(side(9, "b"), column, 172, 32).labels.map((label) => label.isInside)).toEqual([
    true, false,
  ]);
});

it("keeps words off ragged rims, in the strip that their band has throughout", () => {
  const model = side(32, "a");
  const [below, above] = model.layers;
  if (below === undefined || above === undefined) throw new Error("no two layers");
  // What waits is 24 high on average; here from 8 up to 18 at every other moment, and up to 46 else.
  const values = above.values.map((_, i) => (i % 2 === 0 ? 10 : 38));
  const layout = layoutActiveSessions({ ...model, cpuLine: 0, layers: [below, { ...above, values }] }, column, 172, 48);
  const label = layout.labels[1];
  const toY = (value: number) => 150 - (value * 146) / 48;
  expect(label?.isInside).toBe(true);
  expect(label?.y).toBeCloseTo((toY(8) + toY(18)) / 2 + 4, 3);
});

it("moves words aside where their band is thin in the middle", () => {
  const model = side(32, "a");
  const [below, above] = model.layers;
  if (below === undefined || above === undefined) throw new Error("no two layers");
  const last = Math.round(above.values.length * 0.6);
  const values = above.values.map((_, i) => (i < last ? 1 : 30));
  const layout = layoutActiveSessions({ ...model, cpuLine: 0, layers: [below, { ...above, values }] }, column, 172, 48);
  const label = layout.labels[1];
  const toX = (i: number) => 24 + (176 * i) / above.values.length;
  expect(label?.isInside).toBe(true);
  expect((label?.x ?? 0) - textWidth("run queue", "sans") / 2).toBeGreaterThanOrEqual(toX(last) - 1e-9);
});

it("keeps words that move aside clear of the warm-up", () => {
  const model = side(32, "a");
  const [below, above] = model.layers;
  if (below === undefined || above === undefined) throw new Error("no two layers");
  // A stall in the middle of what has settled: the tallest room would reach back over the warm-up.
  const from = model.timesS.findIndex((t) => t >= model.warmupS);
  const middle = Math.round((from + above.values.length) / 2);
  const values = above.values.map((_, i) => (i === middle ? 0 : i < middle ? 30 : 25));
  const layout = layoutActiveSessions({ ...model, cpuLine: 0, layers: [below, { ...above, values }] }, column, 172, 48);
  const label = layout.labels[1];
  expect(label?.isInside).toBe(true);
  expect((label?.x ?? 0) - (label?.reach ?? 0)).toBeGreaterThanOrEqual(layout.warmupX - 1e-9);
});

it("leaves words out that would lie over those of a band below", () => {
  const [lower] = layoutActiveSessions(side(32, "b"), column, 172, 32).labels;
  if (lower === undefined) throw new Error("no label");
  const at = (x: number, y: number, isInside = true) => ({ ...lower, x, y, reach: 40, isInside });
  const [first, over, beside, above, outside] =
    [at(100, 100), at(130, 90), at(181, 90), at(100, 86), at(100, 80, false)];
  expect(withoutOverlaps([first, over, beside, above, outside])).toEqual([first, beside, above, outside]);
});

it("veils the warm-up and names the CPU count on its line", () => {
  const layout = layoutActiveSessions(side(32, "a"), column, 172, 32);
  expect(layout.warmupX).toBeCloseTo(24 + 176 / 4, 6);
  expect(layout.limitLabel?.text).toBe("8 threads");
});

it("keeps words clear of the line of the CPU count, on the side where there is room", () => {
  const limited = (cpuLine: number) => {
    const layout = layoutActiveSessions({ ...side(32, "a"), cpuLine }, column, 172, 32);
    return layout.labels.map((label) => {
      const [above, below] = label.isOneLine ? [11, 4] : [8.5 + 10, 8.5 + 4];
      return (layout.limitY ?? 0) < label.y - above || (layout.limitY ?? 0) > label.y + below;
    });
  };
  // Through the middle of the wait's band, near its foot, and near its top.
  for (const cpuLine of [20, 19, 21, 18, 12, 30]) expect(limited(cpuLine)[1]).toBe(true);
});

it("finds the bucket of a time, at the ends too", () => {
  expect([-1, 0, 0.06, 99].map((t) => bucketAt(side(32, "a"), t))).toEqual([0, 0, 1, 79]);
});

it("marks who leaves the cluster at the moment, clear of the limit's name", () => {
  const left = [{ atS: 1.5, who: "node 3", why: "heartbeats were missing" }];
  const { left: [mark], limitLabel, toX } = layoutActiveSessions(
    { ...side(32, "a"), cpuLine: 32, left }, column, 172, 32,
  );
  expect([mark?.x, mark?.text, mark?.title]).toEqual([
    toX(1.5), "node 3 leaves", "node 3 leaves the cluster after 1.5 s: heartbeats were missing",
  ]);
  expect(Math.abs((mark?.y ?? 0) - (limitLabel?.y ?? 0))).toBeGreaterThanOrEqual(15);
  expect(limitLabel?.y).toBeLessThan(30);
  expect(layoutActiveSessions(side(32, "a"), column, 172, 32).left).toEqual([]);
});

it("says the class of a wait whose name has no room", () => {
  const model = side(9, "b");
  const long = {
    ...model,
    layers: model.layers.map((layer) => ({
      ...layer, ...(layer.class === "CPU" ? {} : { class: "User I/O" as const, label: "db file sequential read x" }),
    })),
  };
  const { labels } = layoutActiveSessions(long, { left: 24, right: 120 }, 172, 32);
  expect(labels.map(({ lines }) => lines.join(" "))).toContain("User I/O");
});

it("keeps words in their column where a short run is mostly warm-up", () => {
  for (const warmupS of [1, 3, 3.9]) {
    const { labels } = layoutActiveSessions({ ...side(32, "a"), warmupS }, column, 172, 32);
    for (const { lines, value, isOneLine, x } of labels) {
      const half = textWidth(isOneLine ? `${lines.join(" ")} ${value}` : lines.join(" ")) / 2;
      expect(x - half).toBeGreaterThanOrEqual(column.left);
      expect(x + half).toBeLessThanOrEqual(column.right);
    }
  }
});

it("reads nothing of a run after its end", () => {
  const model = side(32, "a");
  expect([0, 3.95, 3.999, 4, 5].map((time) => hasEnded(model, time))).toEqual([false, false, false, true, true]);
});

it("counts one thread as one", () =>
  expect(layoutActiveSessions({ ...side(32, "a"), layers: [], cpuLine: 1 }, column, 172, 4).limitLabel?.text)
    .toBe("1 thread"));

it("has nothing in the table of a run that has ended by then", () => {
  const { a, b } = fixturePage({ sessions: 32 });
  if (a === null || b === null) throw new Error("no side");
  const short = { ...b, activeSessions: { ...b.activeSessions, timesS: b.activeSessions.timesS.slice(0, 40) } };
  const { columns, rows } = rowsOf({ a, b: short });
  expect(columns).toEqual(["time (s)", "A running", "A run queue", "B running", "B resmgr:cpu quantum"]);
  expect(rows).toHaveLength(80);
  const filled = rows.map((row) => row.slice(1).map((value) => value !== null));
  expect(filled.slice(0, 40)).toEqual(Array.from({ length: 40 }, () => [true, true, true, true]));
  expect(filled.slice(40)).toEqual(Array.from({ length: 40 }, () => [true, true, false, false]));
});
