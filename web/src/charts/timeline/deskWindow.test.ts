/** The window of the timeline as keys move it, and as the page is told of it. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { indexTimeline } from "../../analysis/timeline/timeline";
import { recordingOf } from "../../testing/buildRecording";
import { Desk } from "./desk";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", () => 1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const index = indexTimeline(recordingOf([[0, 1, 0, 0, 100, 0]], [0], 1));

/** A desk on 100 ms, and all windows that the page has been told of. */
function deskOn(window: readonly [number, number] | null) {
  const told: (readonly [number, number] | null)[] = [];
  const ask = {
    index, track: null, frame: null, window, onFollow: () => undefined,
    onWindow: (next: readonly [number, number] | null) => told.push(next),
  };
  return { desk: new Desk(ask, () => undefined), told };
}

it("turns a page towards the end, and one back", () => {
  const after = (key: string) => {
    const { desk } = deskOn([40, 50]);
    expect(desk.key(key)).toBe(true);
    return desk.gesture.window;
  };
  expect(after("PageDown")).toEqual({ from: 48, to: 58 });
  expect(after("PageUp")).toEqual({ from: 32, to: 42 });
});

it("tells a window that begins or ends where the recording does, and none only of all of it", () => {
  const { desk, told } = deskOn(null);
  for (const [from, to] of [[0, 10], [90, 100], [0, 100]] as const) {
    desk.move({ type: "show", window: { from, to } });
    vi.runAllTimers();
  }
  expect(told).toEqual([[0, 10], [90, 100], null]);
});
