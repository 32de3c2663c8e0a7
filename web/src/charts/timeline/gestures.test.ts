import { expect, it } from "vitest";
import { bounded, moved, SHORTEST_MS, withMoment, type Gesture, type Motion } from "./gestures";

const bounds = { from: 100, to: 1100 };
const start: Gesture = { window: { from: 200, to: 400 }, fingers: [], isMoved: false };
const after = (...motions: Motion[]) => motions.reduce((gesture, motion) => moved(gesture, motion, bounds), start);

it("zooms at the pointer: what is under it stays under it", () => {
  expect(after({ type: "zoom", factor: 0.5, share: 0.25 }).window).toEqual({ from: 225, to: 325 });
  expect(after({ type: "zoom", factor: 100, share: 0.5 }).window).toEqual(bounds);
  const { from, to } = after({ type: "zoom", factor: 1e-9, share: 0.5 }).window;
  expect(to - from).toBeCloseTo(SHORTEST_MS, 9);
});

it("drags by one finger, and stops at the ends of the recording", () => {
  expect(after({ type: "down", id: 1, share: 0.5 }, { type: "move", id: 1, share: 0.25 }).window).toEqual({
    from: 250, to: 450,
  });
  expect(after({ type: "down", id: 1, share: 0 }, { type: "move", id: 1, share: 1 }).window).toEqual({
    from: 100, to: 300,
  });
});

it("takes a press that only shakes for a click", () => {
  const click = after({ type: "down", id: 1, share: 0.5 }, { type: "move", id: 1, share: 0.502 });
  expect([click.isMoved, click.window]).toEqual([false, start.window]);
  expect(after({ type: "down", id: 1, share: 0.5 }, { type: "move", id: 1, share: 0.6 }).isMoved).toBe(true);
});

it("pinches by two fingers, and goes on with the one that stays", () => {
  const pinched = after(
    { type: "down", id: 1, share: 0.25 }, { type: "down", id: 2, share: 0.75 }, { type: "move", id: 1, share: 0 },
    { type: "move", id: 2, share: 1 },
  );
  expect(pinched.window).toEqual({ from: 250, to: 350 });
  const left = moved(moved(pinched, { type: "up", id: 2 }, bounds), { type: "move", id: 1, share: 0.5 }, bounds);
  expect(left.window).toEqual({ from: 200, to: 300 });
});

it("pans, centres and shows", () => {
  expect(after({ type: "pan", share: 0.5 }).window).toEqual({ from: 300, to: 500 });
  expect(after({ type: "centre", ms: 1090 }).window).toEqual({ from: 900, to: 1100 });
  expect(after({ type: "show", window: { from: 0, to: 5000 } }).window).toEqual(bounds);
});

it("brings a moment into the window by the shortest way", () => {
  expect(withMoment({ from: 200, to: 300 }, 250)).toEqual({ from: 200, to: 300 });
  expect(withMoment({ from: 200, to: 300 }, 400)).toEqual({ from: 308, to: 408 });
  expect(bounded({ from: 0, to: 100 }, bounds)).toEqual({ from: 100, to: 200 });
});

it("centres a moment in a window as long as before", () =>
  expect(moved({ ...start, window: { from: 0, to: 10 } }, { type: "centre", ms: 50 }, { from: 0, to: 100 }).window)
    .toEqual({ from: 45, to: 55 }));
