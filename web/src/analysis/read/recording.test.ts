/** A recording of two hosts, and what is of one of them. */
import { expect, it } from "vitest";
import { recordingOf } from "../../testing/buildRecording";
import { indexTimeline } from "../timeline/timeline";
import { stayColumns, staysIn, threadsTitle, timelineFinding } from "../timeline/words";
import { recordedOf, threadIn, threadName, type Recording } from "./recording";

/** Host 1 has threads 0 and 1 and process 0; host 2 threads 2 to 5 and processes 1 and 2. */
const two: Recording = {
  ...recordingOf(
    [[0, 1, 0, 0, 30, 0], [1, 1, 2, 0, 10, 0], [2, 2, 2, 5, 10, 0], [2, 1, 2, 10, 20, 0], [1, 3, -1, 10, 20, 0],
      [1, 1, 2, 20, 30, 0]],
    [0, 0, 0],
    6,
  ),
  node: Float64Array.of(0, 1, 1),
  hosts: [
    { name: "host 1", first: 0, threads: 2, perCore: 2, perSocket: 2 },
    { name: "host 2", first: 2, threads: 4, perCore: 1, perSocket: 4 },
  ],
};

it("counts threads within their hosts", () => {
  expect([0, 1, 2, 5].map((thread) => threadName(two, thread))).toEqual([
    "thread 0 of host 1", "thread 1 of host 1", "thread 0 of host 2", "thread 3 of host 2",
  ]);
  expect(threadIn(recordingOf([[0, 1, 3, 0, 1, 0]], [0], 4), 3)).toEqual({ host: null, thread: 3 });
});

it("has of one host its own stays, on threads from 0, under the same process numbers", () => {
  const one = recordedOf(two, 2);
  expect([one.threads, [...one.process], [...one.thread], [...one.startMs]]).toEqual([
    4, [1, 2, 2, 1, 1], [0, 0, 0, -1, 0], [0, 5, 10, 10, 20],
  ]);
  expect([...recordedOf(two, 1).process]).toEqual([0]);
  expect(recordedOf(two, null)).toBe(two);
});

it("is told in words with the host's name", () => {
  const plain = (text: string) => text.replaceAll("\u00a0", " ");
  const both = indexTimeline(two);
  expect(plain(timelineFinding(both, 0, 30))).toBe(
    "0.167 in the run queue; 0.333 wait for the cage. Thread 0 of host 2 changes hands every 15 ms",
  );
  expect(plain(threadsTitle(both, 0, 30))).toMatch(/^Both hosts, 6 threads: 33\.3 % at work/);
  expect(plain(threadsTitle(indexTimeline(recordedOf(two, 2)), 0, 30))).toMatch(/^Host 2, 4 threads: 25\.0 %/);
  const at = stayColumns(both).indexOf("host");
  expect(staysIn(both, 0, 30, 9).rows.map((row) => row.slice(at, at + 2).join(" ")).toSorted()).toEqual([
    " ", " ", "host 1 0", "host 2 0", "host 2 0", "host 2 0",
  ]);
});
