/** The one line that a phone shows with its knobs up: what the headline is about. */
import { expect, it } from "vitest";
import type { FullAnswer, Report } from "../../engine";
import { buildInput, cagedValues, textOf, uncagedValues } from "../../testing/buildInput";
import type { AnalysisInput } from "../read/input";
import { findingOf } from "./finding";
import { howSureOf } from "./howSure";

const short = (input: AnalysisInput): string => textOf(findingOf(input).short);
const server = (row: string, lio = "3M"): string => `lio ${lio}\n node threads 2\n service demand 0.6 ${row}`;
const asked = { a: { ...uncagedValues, service_per_s: 300 }, b: { ...cagedValues, service_per_s: 300 } };

it("is of the server where that has the word", () => {
  const [grows, answers] = [server("p99 900 answered 197 grows 101"), server("p99 9")];
  expect(short(buildInput(answers, grows, asked))).toBe(
    "[+101 requests a second in queue] at 32 sessions; 99 % within about 9 ms with no cage",
  );
  const swapped = short(buildInput(grows, answers, asked));
  expect(swapped).toMatch(/^\[99 % within about 9 ms\] .*; \+101 requests a second in queue with /);
  expect(short(buildInput(grows, answers, { ...asked, differs: [] }))).toBe("[99 % within about 9 ms] at 32 sessions");
  expect(short(buildInput(answers, answers, asked))).toContain("LIO/s");
});

it("is of responses where the headline compares those, or the only scenario's are given", () => {
  const of = (ms: number): string => `lio 3M ±0.1%\n response ${ms} p50 10 p95 20 p99 30`;
  expect(short(buildInput(of(100), of(120)))).toBe("[+20.0 %] ±0.1 at 32 sessions: mean response 120 ms");
  expect(short(buildInput(of(100), of(100)))).toBe("[equal] at 32 sessions: 3.00 M LIO/s");
  const open = { ...cagedValues, arrivals: "open" };
  const alone = short(buildInput(of(100), of(120), { a: open, b: open, differs: [] }));
  expect(alone).toMatch(/^\[mean response 120 ms\] at/);
});

it("says who leaves the cluster, and that one pair is too little", () => {
  const input = buildInput("lio 3M", "lio 3.3M");
  const but = (change: Partial<Report>): FullAnswer | null =>
    input.fullB && { ...input.fullB, report: { ...input.fullB.report, ...change } };
  const eviction = { replication: 1, at_s: 30, instance: 3, node: 3, reason: "misscount" };
  const left = { ...input, fullB: but({ evictions: [eviction], replications: 1 }) };
  expect(short(left)).toContain("node 3 leaves the cluster after 30 s");
  const lio = { mean: 3.3e6, ci95: null, reps: [3.3e6] };
  const once = { ...input, fullB: but({ throughput: { ...input.fullB!.report.throughput, lio_per_s: lio } }) };
  expect(short(once)).toMatch(/^Too little was run to compare at 32 sessions: .* %, without an interval$/);
});

it("how sure says nothing of sessions where there are none beside a server", () => {
  const sure = (lio: string): string =>
    textOf(howSureOf(buildInput(server("p99 9", lio), server("p99 11", lio), asked)).sentence);
  expect(sure("3M")).toContain(" of the sessions");
  expect(sure("0")).not.toContain("sessions");
});
