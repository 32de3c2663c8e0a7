/** When blocks are told of, whose, and in which part: from reports written by hand. */
import { expect, it } from "vitest";
import type { Report } from "../../engine";
import { buildInput } from "../../testing/buildInput";
import { estimate } from "../../testing/buildReport";
import { blocksSentence } from "./blocks";
import { whyOf } from "./why";

type Row = Report["pairs"][number];

const pair = (server: number, perS: number, parts: Readonly<Record<string, number>>): Row => {
  const mean = Object.values(parts).reduce((sum, ms) => sum + ms, 0);
  return {
    from: 1, server, reply: "cr block", per_s: estimate(perS), mean_ms: estimate(mean),
    parts: Object.entries(parts).map(([part, ms]) => ({ part, mean_ms: ms })), busy_percent: 0,
    congested_percent: 0, three_way_percent: 0, three_way_ms: 0, two_way_ms: mean,
  };
};

const waits = "lio 3M\nresponse 10 p50 9 p95 20 p99 30\nrunning 1ms 2";
const input = buildInput(waits, waits);

/** Sessions that wait for blocks and for commits, and pairs. */
function report(blocks: number, commits: number, pairs: readonly Row[]): Report {
  const own = input.fullB?.report;
  if (own === undefined) throw new Error("B has run");
  const row = (event: string, of: string, aas: number): Report["waits"][number] => ({
    event, class: of, process_kind: "session", count: 100, time_s: aas, mean_ms: 1, ci95: 0, reps: [], p50_ms: 1,
    p99_ms: 1, max_ms: 1, db_time_pct: 1, aas: estimate(aas), clocked_ms: estimate(1),
    clocked_p99_ms: 1, clocked_p99_ci95: null, clocked_max_ms: 1, clocked_aas: estimate(aas),
  });
  return {
    ...own, pairs: [...pairs],
    waits: [row("gc cr block 2-way", "Cluster", blocks), row("log file sync", "Commit", commits)],
  };
}

const told = (a: Report | null, b: Report): string | null =>
  blocksSentence(input, a, b)?.map(({ text }) => text).join("").replaceAll("\u00a0", " ") ?? null;

const idle = [pair(2, 700, { wire: 0.2, "LMS dispatch": 0.02 }), pair(3, 300, { wire: 0.2, "LMS dispatch": 0.02 })];
const busy = [pair(2, 700, { wire: 0.3, "LMS dispatch": 0.02 }), pair(3, 300, { wire: 0.2, "LMS dispatch": 12 })];

it("names the pair for which most wait, and the part that differs", () => {
  const words = told(report(0.2, 1, idle), report(4, 1.5, busy));
  expect(words).toMatch(/^A CR block from instance 3 to instance 1 takes 12\.2 ms from request to use, and 220 µs /);
  expect(words).toMatch(/; most of the difference is LMS dispatch: 12 ms instead of 20 µs\. $/);
});

it("does not look for a pair that happens to differ, where the one for which most wait does not", () => {
  const noisy = { ...busy[1]!, mean_ms: { ...estimate(12.2), reps: [12, 0.1, 0.3, 0.2, 12.4, 0.2, 0.1, 0.3] } };
  const few = [pair(2, 30, { wire: 0.4, "LMS dispatch": 0.02 }), noisy];
  expect(told(report(0.2, 1, idle), report(4, 1.5, [few[0]!, busy[1]!]))).toMatch(/from instance 3/);
  expect(told(report(0.2, 1, idle), report(4, 1.5, few))).toBeNull();
});

it("says nothing of blocks while it is open which way the difference goes", () => {
  const [a, b] = [report(0.2, 1, idle), report(4, 1.5, busy)];
  const why = (isCoarse: boolean, times: number): string => {
    const scaled = estimate(b.throughput.lio_per_s.mean * times);
    const fullB = { ...input.fullB!, report: { ...b, throughput: { ...b.throughput, lio_per_s: scaled } } };
    return whyOf({ ...input, isCoarse, fullA: { ...input.fullA!, report: a }, fullB }).map(({ text }) => text).join("");
  };
  expect(why(false, 1)).toContain("A CR block from instance 3");
  expect(why(true, 0.5)).toContain("A CR block from instance 3");
  expect(why(true, 1)).not.toContain("A CR block");
});

it("is silent where sessions wait for something else, or for nothing", () => {
  expect(told(report(0.2, 1, idle), report(4, 9, busy))).toBeNull();
  expect(told(report(0.2, 1, idle), report(0.22, 1, busy))).toBeNull();
  expect(told(report(0.2, 1, []), report(4, 1, busy))).toBeNull();
});

it("says of one scenario alone which part is the largest", () => {
  expect(told(null, report(4, 1, busy))).toBe(
    "A CR block from instance 3 to instance 1 takes 12.2 ms from request to use, of that LMS dispatch 12 ms. ",
  );
});

it("explains a difference by a part that goes its way, not by a larger one that goes the other", () => {
  const longer = told(
    report(1, 1, [pair(2, 700, { "LMS queue": 5, wire: 1, "LMS work": 1 })]),
    report(3, 1, [pair(2, 700, { "LMS queue": 2, wire: 3.5, "LMS work": 3.4 })]),
  );
  expect(longer).toMatch(/is wire: 3\.5 ms instead of 1 ms\. $/);
  const shorter = told(
    report(3, 1, [pair(2, 700, { "LMS queue": 2, wire: 3.5, "LMS work": 3.4 })]),
    report(1, 1, [pair(2, 700, { "LMS queue": 5, wire: 1, "LMS work": 1 })]),
  );
  expect(shorter).toMatch(/is wire: 1 ms instead of 3\.5 ms\. $/);
});
