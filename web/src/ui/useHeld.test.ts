import { expect, it } from "vitest";
import { heldEnd } from "./useHeld";

it("ends an axis where it does now, and while something is in the hand no nearer than before", () => {
  expect([heldEnd(true, 8, 5, Math.max), heldEnd(true, 8, 9, Math.max)]).toEqual([8, 9]);
  expect([heldEnd(true, -4, -1, Math.min), heldEnd(true, -4, -5, Math.min)]).toEqual([-4, -5]);
  expect([heldEnd(false, 8, 5, Math.max), heldEnd(true, null, 5, Math.max)]).toEqual([5, 5]);
});
