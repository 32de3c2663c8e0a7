import { describe, expect, it } from "vitest";
import { answerOf } from "../../testing/buildInput";
import { estimate } from "../../testing/buildReport";
import { plain } from "../../testing/reportFacts";
import { activeSessionsOf } from "./activeSessions";
import { responseSpreadOf, serviceSpreadOf, waitSpreadOf } from "./spread";

const columns = { "histogram/service/edge_ms": [4, 8, 16], "histogram/service/count": [3, 1] };

it("the answers of a server are told by their 99th percentile, of which nobody knows how sure it is", () => {
  const model = serviceSpreadOf(answerOf("service demand 0.5 mean 4 p99 12", columns), "B");
  expect([model?.label, model?.value.replaceAll("\u00a0", " "), model?.shares]).toEqual([
    "Answer, p99", "about 12 ms", [0.75, 0.25],
  ]);
});

it("the answers of a queue that grows have no bound: what they took is how long the run was", () =>
  expect(serviceSpreadOf(answerOf("service demand 1.2 mean 900 p99 8630 grows 2.5", columns), "B")?.value)
    .toBe("no bound"));

it("a percentile stands with its interval, and none where no transaction has ended", () => {
  const { report, ...answer } = answerOf("response 600 p99 195", columns);
  const told = (of: Partial<typeof report.response_ms>): string => {
    const response_ms = { ...report.response_ms, ...of };
    return plain(responseSpreadOf({ ...answer, report: { ...report, response_ms } }, "B").value);
  };
  expect([told({ p99_ci95: 6 }), told({ p99_ci95: 0 }), told({ p99_ci95: null }), told({ count: 0, p99: null })])
    .toEqual(["195 ms ±3 %", "195 ms ±<1 %", "about 195 ms", "–"]);
});

describe("the wait of sessions", () => {
  const waits = { "histogram/log file sync/edge_ms": [8, 16, 32], "histogram/log file sync/count": [3, 1] };
  const queues = { "histogram/run queue/edge_ms": [8, 16, 32], "histogram/run queue/count": [3, 1] };
  const told = (text: string, clockedMs: number) => {
    const answer = answerOf(text, waits);
    const { report } = answer;
    const clocked = { ...report, waits: report.waits.map((row) => ({ ...row, clocked_ms: estimate(clockedMs) })) };
    const model = waitSpreadOf({ ...answer, report: clocked });
    return [model?.event, plain(model?.label ?? ""), plain(model?.value ?? "")];
  };
  it("is told to its wake-up, and says so where the database clocks more of it", () => {
    const sync = "wait log file sync | Commit | 15.1ms 20";
    expect(told(sync, 30.8)).toEqual(["log file sync", "to wake-up", "15.1 ms"]);
    expect(told(sync, 15.12)).toEqual(["log file sync", "mean", "15.1 ms"]);
  });
  it("in the run queue says after which wait most of that is, as the chart of active sessions does", () => {
    const queue = "running 6ms 8\n queue 18ms 24\n wait log file sync | Commit | 2ms 3";
    for (const [clocked, name] of [
      [3, "run queue"], [15, "run queue"], [26.9, "run queue after log file sync"],
    ] as const) {
      const answer = answerOf(queue, { ...queues, "aas/run queue": [24, 24] });
      const waits = answer.report.waits.map((row) => ({ ...row, clocked_aas: estimate(clocked) }));
      const now = { ...answer, report: { ...answer.report, waits } };
      expect(waitSpreadOf(now)?.event).toBe(name);
      expect(activeSessionsOf(now, 8).layers.map(({ label }) => label)).toContain(name);
    }
  });
});

it("a side without a server has no answers", () => expect(serviceSpreadOf(answerOf("", columns), "B")).toBeNull());
