import { expect, it } from "vitest";
import { peerRows } from "./bench/peers.mjs";
import { engineRows, ratio } from "./bench/rows.mjs";
import { mainThread, visitRows } from "./bench/visit.mjs";

const turns = (each) => Array.from({ length: 15 }, (_, turn) => each * (1 + 0.001 * turn));
const native = {
  groups: [{
    // As JSON brings them: by their names.
    "aix-32-on-8": turns(40), "minimum-32-on-8": turns(10), "minimum-of-std-32-on-8": turns(15),
    "minimum-with-books-32-on-8": turns(20), "round-robin-32-on-8": turns(25), "seed-point": turns(90),
  }],
  with_ledger: { "minimum-32-on-8": turns(10), "seed-point": turns(100) },
  recording_pct: { "cfs-32-on-8": 4.25 }, events_a_request: 9.87,
};

it("says of each workload what share of the minimum's speed it has, or what an event costs, and what is wanted", () => {
  const rows = engineRows(native, [{ ...native.groups[0], "round-robin-32-on-8": turns(50) }]);
  const found = new Map(rows.map(([name, ...rest]) => [name, rest]));
  const both = ["share", "0.40 (0.40–0.40)", "0.56", "0.20 (0.20–0.20)", "0.55"];
  expect(found.get("round-robin-32-on-8")).toEqual(both);
  const ofBooks = ["share", "0.80 (0.80–0.80)", "0.90", "0.40 (0.40–0.40)", "0.75"];
  expect(found.get("round-robin-32-on-8, of the minimum with books")).toEqual(ofBooks);
  expect(found.get("minimum-with-books-32-on-8")?.slice(0, 3)).toEqual(["share", "0.50 (0.50–0.50)", "-"]);
  expect(found.get("aix-32-on-8")?.slice(0, 3)).toEqual(["share", "0.25 (0.25–0.25)", "0.38"]);
  expect(found.get("seed-point")).toEqual(["cost", "9.0 (9.0–9.0)", "6.5", "9.0 (9.0–9.0)", "-"]);
  expect(found.get("seed-point, with the loss ledger")?.[1]).toBe("10.0 (10.0–10.0)");
  expect(found.get("round-robin-32-on-8, of std")?.slice(0, 3)).toEqual(["share", "0.60 (0.60–0.60)", "0.56"]);
  expect(found.get("seed-point, of std")?.[1]).toBe("6.0 (6.0–6.0)");
  expect([...found.keys()].filter((name) => name.startsWith("minimum-"))).toEqual(["minimum-with-books-32-on-8"]);
  expect(rows.every((row) => row.length === 6)).toBe(true);
});

it("tells the best and, turn against turn, the range without the outermost tenth", () => {
  const ours = [20, 21, 60, 22, 20, 20, 20, 20, 20, 20];
  const theirs = [10, 10, 10, 11, 10, 10, 10, 10, 10, 10];
  expect(ratio(ours, theirs)).toEqual({ best: 2, low: 2, high: 2.1 });
});

it("tells our speed in times of the faster of two others", () => {
  const one = { ours: turns(20), simcore: turns(30), desim: turns(10) };
  const all = { "fifo-32-on-8": one, "open-0-on-8": { ...one, desim: turns(40) }, "round-robin-32-on-8": one };
  const rows = peerRows(all, { ...all, "fifo-32-on-8": { ...one, ours: turns(5) } });
  expect(rows[1]).toEqual(["fifo-32-on-8", "0.50 (0.50–0.50) desim", "1", "2.00 (2.00–2.00) desim", "1"]);
  expect(rows[2]?.[1]).toBe("1.50 (1.50–1.50) simcore");
});

it("adds up what the main thread of a page did between navigation and the first contentful paint", () => {
  const [pid, tid] = [7, 1];
  const task = (ts, dur, of = {}) => ({ name: "ThreadControllerImpl::RunTask", ph: "X", pid, tid, ts, dur, ...of });
  const traceEvents = [
    { name: "navigationStart", pid, tid, ts: 100 }, { name: "navigationStart", pid, tid, ts: 9_000_000 },
    { name: "firstContentfulPaint", pid, tid, ts: 50_000, args: { data: { navigationId: "A" } } },
    task(50, 1_000_000), task(1_000, 10_000, { tdur: 8_000 }), task(45_000, 20_000), task(20_000, 3_000, { tid: 2 }),
    task(20_000, 3_000, { pid: 8 }), task(60_000, 7_000), { ...task(30_000, 9_000), name: "V8.Run" },
  ];
  expect(mainThread(JSON.stringify({ traceEvents }))).toEqual({ untilPaintMs: 13, longestMs: 20 });
});

it("tells when a visit shows what, in times of its own first paint, which nothing comes before", () => {
  const seen = { paintMs: 200, firstMs: 150, sketchMs: 340, settledMs: 500, longestTaskMs: 90, events: 1_150_000 };
  const slower = { ...seen, settledMs: 700 };
  const rows = visitRows([seen, slower, seen], [110, 90, 100].map((ms) => ({ untilPaintMs: ms, longestMs: 70 })));
  expect(rows.slice(2).map((row) => row[1])).toEqual([
    "1.00 (1.00–1.00)", "1.70 (1.70–1.70)", "2.50 (2.50–3.50)", "90 (90–90)", "70 (70–70)", "100 (90–110)",
    "1.15 (1.15–1.15)",
  ]);
});
