import { describe, expect, it } from "vitest";
import { recordingOf } from "../../testing/buildRecording";
import { indexTimeline } from "./timeline";
import { staysIn, threadsTitle, timelineFinding } from "./words";

const NBSP = "\u00a0";
const plain = (text: string) => text.replaceAll(NBSP, " ");
const two = indexTimeline(
  recordingOf(
    [
      [0, 1, 0, 0, 10, 1], [1, 2, 0, 0, 10, 0], [1, 1, 0, 10, 20, 1], [0, 2, 0, 10, 20, 0], [0, 1, 0, 20, 30, 1],
      [1, 3, -1, 20, 40, 0],
    ],
    [0, 2],
    2,
  ),
);

it("says how often a thread changes hands, and how long the service waits", () => {
  expect(plain(timelineFinding(two, 0, 30))).toBe(
    "Thread 0 changes hands every 15 ms; a session waits 10 ms for a CPU at worst; 0.333 wait for the cage",
  );
  const late = indexTimeline(recordingOf([[0, 1, 0, 0, 10, 1], [1, 2, 0, 3, 10, 0], [1, 1, 0, 10, 20, 1]], [0, 2], 1));
  expect(plain(timelineFinding(late, 0, 20))).toBe(
    "No thread changes hands more than once; the service waits 7 ms for a CPU at worst",
  );
});

it("says of a service that more is asked of it than it answers", () => {
  const late = indexTimeline(recordingOf([[0, 1, 0, 0, 10, 1], [1, 2, 0, 3, 10, 0], [1, 1, 0, 10, 20, 1]], [0, 2], 1));
  expect(plain(timelineFinding(late, 0, 20, true))).toMatch(/ for a CPU at worst, and its queue grows without bound$/);
  expect(plain(timelineFinding(two, 0, 30, true))).not.toContain("grows");
});

describe("whoever waits for the cage", () => {
  const running = [[0, 1, 0, 0, 10, 0], [0, 1, 0, 10, 20, 0]] as const;
  const finding = (rows: Parameters<typeof recordingOf>[0], kinds = [0, 0, 0]) =>
    plain(timelineFinding(indexTimeline(recordingOf([...running, ...rows], kinds, 1)), 0, 20));

  it("is counted where nobody stands in the run queue", () =>
    expect(finding([[1, 3, -1, 0, 20, 0], [2, 3, -1, 0, 10, 0]])).toBe(
      "Nobody in the run queue; 1.5 wait for the cage. No thread changes hands in these 20 ms",
    ));
  it("stands beside those who are in the run queue, however few", () => {
    expect(finding([[1, 3, -1, 0, 20, 0], [2, 2, 0, 5, 10, 0]])).toMatch(/^0\.25 in the run queue; 1 wait for the /);
    expect(finding([[1, 3, -1, 0, 20, 0], [2, 2, 0, 5, 5.01, 0]])).toMatch(/^Fewer than 0\.01 in the run queue; 1 /);
  });
  it("is no word where nobody does, or hardly anybody", () => {
    expect(finding([[1, 4, -1, 0, 20, 0]])).not.toContain("cage");
    expect(finding([[1, 3, -1, 0, 0.5, 0]])).not.toContain("cage");
  });
});

it("says so when nothing happens", () => {
  expect(plain(timelineFinding(two, 1, 2))).toBe("No thread changes hands in these 1 ms");
  const alone = indexTimeline(recordingOf([[0, 0, -1, 0, 5, 0], [0, 1, 0, 5, 10, 0]], [0], 1));
  expect(plain(timelineFinding(alone, 0, 10))).toBe("No thread changes hands in these 10 ms; nobody waits for a CPU");
});

it("accounts for the time of all threads", () => {
  expect(plain(threadsTitle(two, 0, 30))).toBe("2 threads: 45.0 % at work, 5.0 % lost to switches, 50.0 % idle");
});

it("lists stays in the order of their starts, so many of them", () => {
  const { rows, total } = staysIn(two, 5, 25, 3);
  expect(total).toBe(6);
  expect(rows.map((row) => [row[0], row[2], row[4]])).toEqual([
    [0, "running", 0], [1, "run queue", 0], [1, "running", 10],
  ]);
});
