import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { indexTimeline } from "../../analysis/timeline/timeline";
import { buildRecording } from "../../testing/buildRecording";
import { Desk } from "./desk";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", () => 1);
  vi.stubGlobal("cancelAnimationFrame", () => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const index = indexTimeline(buildRecording({ stays: 200 }));
const { fromMs, toMs } = index.recording;
const half = [fromMs, (fromMs + toMs) / 2].map((ms) => Number(ms.toFixed(6)));

/** A desk, and the windows that it tells. */
function opened() {
  const told: (readonly [number, number] | null)[] = [];
  const nothing = () => undefined;
  const ask = { index, track: null, frame: null, window: null, onFollow: nothing };
  const desk = new Desk({ ...ask, onWindow: (window) => void told.push(window) }, nothing);
  const zoom = () => desk.move({ type: "zoom", factor: 0.5, share: 0 });
  return { desk, told, zoom };
}

it("tells where a gesture led once it rests, and nothing more when it stops", () => {
  const { desk, told, zoom } = opened();
  zoom();
  vi.advanceTimersByTime(100);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(told).toEqual([half]);
  desk.stop();
  vi.runAllTimers();
  expect(told).toEqual([half]);
});

it("tells it at once where it stops before that, and once", () => {
  const { desk, told, zoom } = opened();
  zoom();
  desk.stop();
  expect(told).toEqual([half]);
  vi.runAllTimers();
  expect(told).toEqual([half]);
});

it("tells nothing where nobody moved", () => {
  const { desk, told } = opened();
  desk.stop();
  vi.runAllTimers();
  expect(told).toEqual([]);
});
