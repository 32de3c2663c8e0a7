import { describe, expect, it } from "vitest";
import { fromTrack, nudge, toTrack, valueForKey, type Range } from "./scale";

const sessions: Range = { min: 1, max: 48, step: 1, scale: "linear", isWhole: true };
const refill: Range = { min: 0, max: 3000, step: 1, scale: "log", isWhole: false };
const reads: Range = { min: 100, max: 1_000_000, step: null, scale: "log", isWhole: true };

describe("a track and its values", () => {
  it("meets both ends", () => {
    for (const range of [sessions, refill, reads]) {
      expect([toTrack(range, range.min), toTrack(range, range.max)]).toEqual([0, 1]);
      expect([fromTrack(range, 0), fromTrack(range, 1)]).toEqual([range.min, range.max]);
    }
  });
  it("comes back to the value it left", () => {
    for (const value of [1, 9, 32, 48]) expect(fromTrack(sessions, toTrack(sessions, value))).toBe(value);
    for (const value of [0, 1, 55, 420, 800, 3000]) expect(fromTrack(refill, toTrack(refill, value))).toBe(value);
  });
  it("gives round numbers on a log scale", () => expect(fromTrack(reads, 0.5001)).toBe(10_000));
});

describe("keys", () => {
  it.each([
    ["ArrowRight", 33], ["ArrowLeft", 31], ["PageUp", 37], ["PageDown", 27], ["Home", 1], ["End", 48], ["x", null],
  ])("%s", (key, value) => expect(valueForKey(sessions, 32, key)).toBe(value));
  it("always moves on a log scale, down to zero and back", () => {
    expect(nudge(refill, 1, -1, 1)).toBe(0);
    expect(nudge(refill, 0, 1, 1)).toBe(1);
    expect(nudge(refill, 1, 1, 1)).toBe(2);
    expect(nudge(refill, 800, 1, 1)).toBe(880);
    expect(nudge(refill, 800, 1, 10)).toBe(1600);
  });
  it("stops at the ends", () => expect([nudge(sessions, 48, 1, 1), nudge(sessions, 1, -1, 10)]).toEqual([48, 1]));
});
