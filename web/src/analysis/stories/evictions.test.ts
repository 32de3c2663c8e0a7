/** Who leaves a cluster, from rows written by hand. */
import { expect, it } from "vitest";
import { buildReport } from "../../testing/buildReport";
import type { Report } from "../../engine";
import { evictionLine, leftInFirst, type Eviction } from "../read/evictions";
import type { AnalysisInput } from "../read/input";
import { evictionHeadline } from "./evictions";

const row = (replication: number, at_s: number, rest: Partial<Eviction> = {}): Eviction => ({
  replication, at_s, instance: 3, node: 3, reason: "misscount", ...rest,
});

const reportWith = (replications: number, evictions: readonly Eviction[]): Report => ({
  ...buildReport("lio 1M\n response 10\n running 1ms 2").report, replications, evictions: [...evictions],
});

const alone = { differs: [] } as unknown as AnalysisInput;

it("says who left, when, and in how many starts", () => {
  const told = (replications: number, rows: readonly Eviction[]) =>
    evictionHeadline(alone, null, reportWith(replications, rows));
  expect(told(3, [])).toBeNull();
  expect(told(3, [row(1, 30), row(2, 30.4), row(3, 30.8)]))
    .toBe("Node 3 leaves the cluster after 30 to 30.8 s, as heartbeats are missing");
  expect(told(3, [row(1, 30), row(3, 31)]))
    .toBe("Node 3 leaves the cluster after 30 to 31 s in 2 of 3 starts, as heartbeats are missing");
  // Their mean is 30.25: 30.3, and of the times as they are listed 30.2.
  expect(told(3, [row(1, 30.047), row(2, 30.041), row(3, 30.675)])).toContain(" after 30 to 30.7 s, ");
  expect(told(1, [row(1, 80, { reason: "lms hung", instance: 2, node: 4 })]))
    .toBe("Instance 2 leaves the cluster after 80 s, as an LMS does not move");
  expect(told(1, [row(1, 31), row(1, 31, { node: 4 })]))
    .toBe("Node 3 leaves the cluster after 31 s, as heartbeats are missing, and 1 more");
});

it("lists each with its moment and reason", () => {
  expect(evictionLine(row(2, 30.44)))
    .toBe("Start 2: node 3 left the cluster at 30.4 s: heartbeats were missing for css_misscount_s");
  expect(evictionLine(row(1, 80, { reason: "lms hung" })))
    .toBe("Start 1: instance 3 left the cluster at 80 s: an LMS had not moved for 70 s");
});

it("says once what both sides say", () => {
  const both = reportWith(3, [row(1, 30), row(2, 30), row(3, 30)]);
  expect(evictionHeadline({ differs: ["sessions"] } as unknown as AnalysisInput, both, both))
    .toBe("Either way node 3 leaves the cluster after 30 s, as heartbeats are missing");
});

it("draws beside the first start who left in that one alone", () => {
  const [first, second] = [row(1, 30), row(2, 31)];
  expect(leftInFirst({ evictions: [first, second] })).toEqual([first]);
});
