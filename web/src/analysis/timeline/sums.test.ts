import { describe, expect, it } from "vitest";
import { buildRecording, recordingOf } from "../../testing/buildRecording";
import { neighbourIn, processesFor, seenIn, someOfEach } from "./find";
import { meansOf, sumsOf } from "./sums";
import { indexTimeline } from "./timeline";

/** Two sessions and a service; one session waits for the cage, then runs. */
const index = indexTimeline(
  recordingOf(
    [
      [0, 1, 0, 0, 8, 0], [0, 1, 0, 8, 20, 0], [1, 3, -1, 2, 12, 0], [1, 1, 1, 12, 20, 0], [2, 0, -1, 0, 5, 0],
      [2, 1, 1, 5, 6, 0], [2, 0, -1, 6, 20, 0],
    ],
    [0, 0, 2],
    2,
  ),
);

describe("sums of a window", () => {
  it("are of what lies in it, by event, the longest first; each is as long as it really was", () => {
    expect(sumsOf(index, 4, 14, null)).toEqual([
      { event: "running", class: "CPU", mean: 1.3, sumMs: 13, count: 4, eachMs: 1 },
      { event: "idle", class: "Idle", mean: 0.9, sumMs: 9, count: 2, eachMs: null },
      { event: "resmgr:cpu quantum", class: "Scheduler", mean: 0.8, sumMs: 8, count: 1, eachMs: 10 },
    ]);
  });
  it("of one process are its own", () => {
    expect(sumsOf(index, 0, 20, 1).map(({ event, sumMs, count }) => [event, sumMs, count])).toEqual([
      ["resmgr:cpu quantum", 10, 1], ["running", 8, 1],
    ]);
    expect(sumsOf(index, 0, 20, 99)).toEqual([]);
  });
  it("of all processes are the sums of each, in any window", () => {
    const big = indexTimeline(buildRecording({ threads: 4, sessions: 12, background: 2, services: 1, stays: 3000 }));
    for (const [from, to] of [[0, 5000], [100, 140], [333, 333.5]] as const) {
      const means = meansOf(big, from, to);
      for (const { event, mean } of sumsOf(big, from, to, null))
        expect(means.find((one) => one.event === event)?.mean).toBeCloseTo(mean, 8);
      const each = seenIn(big).flatMap((process) => sumsOf(big, from, to, process));
      for (const { event, sumMs, count } of sumsOf(big, from, to, null)) {
        const own = each.filter((one) => one.event === event);
        expect(own.reduce((sum, one) => sum + one.sumMs, 0)).toBeCloseTo(sumMs, 6);
        expect(own.reduce((sum, one) => sum + one.count, 0)).toBe(count);
      }
    }
  });
});

describe("search", () => {
  const many = indexTimeline(buildRecording({ threads: 4, sessions: 12, background: 2, services: 1, stays: 3000 }));
  it.each([
    ["service", [14]], ["Session", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]], ["session  1", [1]], ["11", [11]],
    ["ckgr", [12, 13]], ["", []], ["nobody", []],
  ])("of %j finds %j", (text, found) => expect(processesFor(many, text)).toEqual(found));
  it("goes round", () => {
    expect([neighbourIn([3, 5], 5, 1), neighbourIn([3, 5], 3, -1), neighbourIn([3, 5], 5, -1)]).toEqual([3, 5, 3]);
    expect([neighbourIn([3, 5], null, 1), neighbourIn([3, 5], 4, -1), neighbourIn([], 3, 1)]).toEqual([3, 5, null]);
  });
  it("shows some of each kind where there is no room for all, and whoever is followed", () => {
    expect(someOfEach(many, 99, null)).toHaveLength(15);
    expect(someOfEach(many, 5, null)).toEqual([0, 1, 12, 13, 14]);
    expect(someOfEach(many, 4, 9)).toEqual([0, 9, 12, 14]);
  });
});
