import { expect, it } from "vitest";
import { besideValue, readTyped, type KnobItem } from "./item";

const item = {
  key: "cpu_count", base: "cpu_count", unit: null, range: { isWhole: true }, limits: { min: 0, max: 256 },
  before: null, value: 9, differs: false, other: "A", otherValue: 4, needsRestart: false, isMoved: false,
} as unknown as KnobItem;

it("takes what is typed as far as the limits, and these too", () => {
  expect(["0", "256"].map((text) => readTyped(item, text))).toEqual([{ value: 0 }, { value: 256 }]);
  expect(["-1", "257"].map((text) => readTyped(item, text))).toEqual([
    { wrong: "cpu_count is at least 0." }, { wrong: "cpu_count is at most 256." },
  ]);
});

it("says beside a value where it was before the hand took it, else what the other side has", () => {
  expect(besideValue({ ...item, before: 32, differs: true })).toBe("was 32");
  expect(besideValue({ ...item, before: 9, differs: true })).toBe("A: 4");
  expect(besideValue({ ...item, before: 9 })).toBeNull();
});
