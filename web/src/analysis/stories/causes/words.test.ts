import { expect, it } from "vitest";
import { buildInput, textOf } from "../../../testing/buildInput";
import { ofResponse, type Told } from "./words";
import { sync } from "./redo";

/** Of a response on each side [ms], so much is the wait. */
function told(wholeA: number, before: number, wholeB: number, now: number): string {
  const input = buildInput(`lio 3M\n response ${wholeA}`, `lio 3M\n response ${wholeB}`);
  const part: Told["part"] = {
    cause: sync.cause as Told["part"]["cause"], node: null, points: 100, ci95: 1, before, now, eased: 1,
    isOfUnlike: false,
  };
  return textOf(ofResponse(sync, { input, a: input.fullA!.report, b: input.fullB!.report, part }));
}

it("a part of a response is told beside its own whole, however long the other is", () => {
  expect(told(1.9, 1.6, 5130, 4000)).toMatch(
    /^Of a transaction’s 1\.9 ms .*\[1\.6 ms\] is .*of 5\.13 s .*\[4 s\]\. $/,
  );
  expect(told(5130, 4000, 1.9, 0.0001)).toMatch(/\[4 s\] is .*\[none\]\. $/);
});

it("no part is larger than the whole, of which it is an estimate of its own", () =>
  expect(told(1.9, 1.6, 5130, 5270)).toMatch(/of 5\.13 s .*\[5\.13 s\]\. $/));
