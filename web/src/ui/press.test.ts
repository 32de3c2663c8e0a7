import { expect, it } from "vitest";
import { Press } from "./press";

/** What a press tells that begins at 32 and leads to these values before it is let go. */
function told(...values: readonly number[]): readonly (readonly [number, string])[] {
  const all: [number, string][] = [];
  const tell = (value: number, phase: string) => void all.push([value, phase]);
  const press = new Press(32);
  for (const value of values) press.lead(value, tell);
  press.release(tell);
  return all;
}

it("changes nothing without a move", () => expect([told(), told(32, 32)]).toEqual([[], []]));
it("tells each value once, and the last when it is let go", () =>
  expect(told(32, 31, 31, 30)).toEqual([[31, "drag"], [30, "drag"], [30, "commit"]]));
it("ends a drag also where it comes back to where it began", () =>
  expect(told(31, 32)).toEqual([[31, "drag"], [32, "drag"], [32, "commit"]]));
