import { describe, expect, it } from "vitest";
import { buildRecording, dice, recordingOf } from "../../testing/buildRecording";
import type { Recording } from "../read/recording";
import { binOf, BINS, delaysIn, edgeOf, histogramOf } from "./delays";
import { depthAt, meanDepth, peakIn, stepAt, stepBefore } from "./depth";
import { alongLane, alongTrack, nearestRow, rowAt, rowOnTrack, stayOf, trackOf } from "./follow";
import { firstFrom, gallop } from "./search";
import { busyShare, indexTimeline } from "./timeline";

const recordings = [1, 2, 3, 4].map((seed) =>
  buildRecording({ seed, threads: 2 * seed, sessions: 5 * seed, background: seed - 1, services: seed % 3, stays: 900 }),
);
const rowsOf = (recording: Recording) => Array.from(recording.process, (_, i) => i);
const kindOf = (recording: Recording, row: number) => recording.kind[recording.process[row]!]!;

/** Windows of all sizes, some beyond the edges. */
function windows(recording: Recording, seed: number, count = 60): [number, number][] {
  const next = dice(seed);
  const span = recording.toMs - recording.fromMs;
  return Array.from({ length: count }, () => {
    const from = recording.fromMs + span * (next() * 1.1 - 0.05);
    return [from, from + span * 10 ** (-4 * next())];
  });
}

it("finds the same place from anywhere", () => {
  const sorted = Float64Array.from([1, 2, 2, 3, 5, 8, 8, 8, 9]);
  for (let wanted = 0; wanted < 11; wanted += 0.5) {
    const honest = [...sorted].filter((one) => one < wanted).length;
    expect(firstFrom(sorted, wanted, 0, 9)).toBe(honest);
    for (let low = 0; low <= honest; low++) expect(gallop(sorted, wanted, low, 9)).toBe(honest);
  }
});

describe.each(recordings.map((recording, i) => ({ recording, seed: i + 1 })))(
  "recording $seed",
  ({ recording, seed }) => {
    const index = indexTimeline(recording);
    const { startMs, endMs, debtMs, thread, activity, process } = recording;
    const cut = (a: number, b: number, from: number, to: number) => Math.max(0, Math.min(b, to) - Math.max(a, from));

    it("tells the work of any stretch of any thread as a scan of all stays does", () => {
      for (const [from, to] of windows(recording, seed)) {
        for (let lane = 0; lane < recording.threads; lane++) {
          const honest = rowsOf(recording)
            .filter((i) => thread[i] === lane && activity[i] === 1)
            .reduce((sum, i) => sum + cut(Math.min(endMs[i]!, startMs[i]! + debtMs[i]!), endMs[i]!, from, to), 0);
          expect(busyShare(index, lane, from, to)).toBeCloseTo(honest / (to - from), 9);
        }
      }
    });

    it("tells who ran, and the stay nearest to a moment", () => {
      for (const [ms] of windows(recording, seed + 10)) {
        const runs = rowsOf(recording).filter((i) => activity[i] === 1 && thread[i] === 0);
        expect(rowAt(index, 0, ms)).toBe(runs.find((i) => startMs[i]! <= ms && ms < endMs[i]!) ?? -1);
        const distance = (i: number) => Math.max(0, startMs[i]! - ms, ms - endMs[i]!);
        expect(distance(nearestRow(index, 0, ms))).toBe(Math.min(...runs.map(distance)));
      }
    });

    it("counts run queues at, over and on average of any stretch", () => {
      for (const [from, to] of windows(recording, seed + 20)) {
        for (let k = 0; k <= 3; k++) {
          const queue = rowsOf(recording).filter((i) => activity[i] === 2 && (k === 3 || kindOf(recording, i) === k));
          const depth = (ms: number) => queue.filter((i) => startMs[i]! <= ms && ms < endMs[i]!).length;
          const steps = index.depth.steps[k]!;
          expect(depthAt(steps, from)).toBe(depth(from));
          expect(meanDepth(steps, from, to)).toBeCloseTo(
            queue.reduce((sum, i) => sum + cut(startMs[i]!, endMs[i]!, from, to), 0) / (to - from), 8,
          );
          if (k < 3) continue;
          const caged = rowsOf(recording).filter((i) => activity[i] === 3);
          expect(meanDepth(index.depth.cage, from, to)).toBeCloseTo(
            caged.reduce((sum, i) => sum + cut(startMs[i]!, endMs[i]!, from, to), 0) / (to - from), 8,
          );
          const all = [...queue, ...caged];
          const waiting = (ms: number) => all.filter((i) => startMs[i]! <= ms && ms < endMs[i]!).length;
          const moments = [
            from, ...all.flatMap((i) => [startMs[i]!, endMs[i]!]).filter((ms) => ms > from && ms < to),
          ].map(waiting);
          const { waiting: both } = index.depth;
          expect(peakIn(index.depth, stepAt(both, from), stepBefore(both, to))).toBe(Math.max(...moments));
        }
      }
    });

    it("counts dispatches by what they had waited", () => {
      for (const [from, to] of windows(recording, seed + 30)) {
        for (let k = 0; k < 3; k++) {
          const runs = rowsOf(recording).filter(
            (i) => activity[i] === 1 && kindOf(recording, i) === k && startMs[i]! >= from && startMs[i]! < to,
          );
          const known = runs.map((i) => ({ i, delay: stayOf(index, i).delayMs })).filter(({ delay }) => delay !== null);
          const histogram = histogramOf(index.delays, k, from, to);
          expect(histogram.counts).toEqual(
            Array.from(
              { length: BINS },
              (_, bin) => known.filter(({ delay }) => Math.max(index.delays.bins[0], binOf(delay!)) === bin).length,
            ),
          );
          expect(histogram.worstMs).toBe(Math.max(0, ...known.map(({ delay }) => delay!)));
        }
      }
    });

    it("follows one process through all it did", () => {
      const track = trackOf(index, 1);
      const all = rowsOf(recording).filter((i) => process[i] === 1);
      expect([...track.row]).toEqual(all);
      for (const [ms] of windows(recording, seed + 40)) {
        expect(rowOnTrack(track, ms)).toBe(all.find((i) => startMs[i]! <= ms && ms < endMs[i]!) ?? -1);
        expect(alongTrack(track, ms, "next")).toBe(all.find((i) => activity[i] === 1 && startMs[i]! > ms) ?? -1);
        expect(alongTrack(track, ms, "previous")).toBe(
          all.findLast((i) => activity[i] === 1 && startMs[i]! < ms) ?? -1,
        );
      }
    });
  },
);

it("walks along a thread and stops at its ends", () => {
  const recording = recordingOf(
    [
      [0, 1, 0, 0, 5, 0], [1, 2, 0, 1, 5, 0], [1, 1, 0, 5, 9, 0.5], [0, 2, 0, 5, 9, 0], [0, 1, 0, 9, 12, 0.5],
    ],
    [0, 0],
    1,
  );
  const index = indexTimeline(recording);
  const first = rowAt(index, 0, 1);
  const second = alongLane(index, first, "next");
  expect(stayOf(index, second)).toMatchObject({
    process: 1, startMs: 5, lengthMs: 4, lostMs: 0.5, delayMs: 4, thread: 0, what: "running", kind: "session",
  });
  expect([
    alongLane(index, first, "previous"), alongLane(index, second, "first"), alongLane(index, second, "last"),
  ]).toEqual([first, first, rowAt(index, 0, 10)]);
});

it("knows no delay of a wait that began before the recording, and 0 for one that never stood in line", () => {
  const recording = recordingOf(
    [
      [0, 2, 0, 10, 14, 0], [0, 1, 0, 14, 20, 0], [1, 3, -1, 12, 22, 0], [1, 1, 0, 22, 23, 0],
    ],
    [0, 0],
    1, 10,
  );
  const index = indexTimeline(recording);
  expect([15, 22.5].map((ms) => stayOf(index, rowAt(index, 0, ms)).delayMs)).toEqual([null, 0]);
  expect(delaysIn(index.delays, 0, 0, 0, 99)).toEqual([0, 1]);
  expect(edgeOf(10)).toBe(1.024);
});

it("stands an empty recording", () => {
  const index = indexTimeline(recordingOf([], [], 4));
  expect([rowAt(index, 0, 1), nearestRow(index, 0, 1), busyShare(index, 0, 0, 1), index.depth.most]).toEqual([
    -1, -1, 0, 0,
  ]);
});
