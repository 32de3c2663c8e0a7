/** Answers to commits that come late, from rows written by hand. */
import { expect, it } from "vitest";
import type { Report } from "../../engine";
import { buildReport, estimate } from "../../testing/buildReport";
import { messagingOf } from "../sides/cacheTables";
import { lateAnswersOf } from "./broadcast";

const { report: base } = buildReport("lio 1M\n response 10\n running 1ms 2");
const [WRITES, PERCENT, MS] = ["log_writes_per_s", "redo_write_broadcast_ack_percent", "redo_write_broadcast_ack_ms"];

/** Log writes a second, how many of them are late [%], and by how much [ms], of each instance. */
const reportOf = (...rows: readonly (readonly [number, number, number] | readonly [number])[]): Report => ({
  ...base, databases: rows.map((values, i) => ({
    instance: i + 1,
    figures: values.map((mean, at) => ({ id: [WRITES, PERCENT, MS][at]!, unit: "", value: estimate(mean) })),
  })),
});

it("weighs instances by their writes", () => {
  // 300 late of 400, by 5 ms each; 100 of 200 by 1 ms.
  expect(lateAnswersOf(reportOf([400, 75, 5], [200, 50, 1]))).toEqual({ percent: 400 / 6, ms: 4 });
  expect(lateAnswersOf(reportOf([100, 0.5, 5], [100, 1, 5]))).toBeNull();
  expect(lateAnswersOf(reportOf([100, 0, 0], [0, 0, 0]))).toBeNull();
});

it("says nothing where nothing is broadcast", () => {
  expect(lateAnswersOf(reportOf([400], [200]))).toBeNull();
  expect(messagingOf(reportOf([400], [200])).map(({ name }) => name)).toHaveLength(3);
});

it("tells them beside the messages, where there are writes, and late ones", () => {
  const [count, time] = messagingOf(reportOf([400, 75, 5], [200, 0, 0], [0, 0, 0], [100])).slice(3);
  expect(count).toEqual({
    name: "redo write broadcast ack count (% of log writes)", values: [75, 0, null, null],
  });
  expect(time).toEqual({ name: "redo write broadcast ack time, each (ms)", values: [5, null, null, null] });
});
