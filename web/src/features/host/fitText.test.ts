import { expect, it } from "vitest";
import type { Fitted } from "../../store";
import { fittedText, triedText } from "./fitText";

const found: Fitted = {
  free: "lio_us", value: 2.299, low: 2.232, high: 2.367, isOpenBelow: false, isOpenAbove: false, residual: 0.0187,
  figures: 12,
};

it("says the value, the range that fits hardly worse, and by how much the figures are off", () => {
  expect(fittedText(found, "µs")).toBe(
    "lio_us 2.299 µs fits best; 2.232 µs to 2.367 µs fit hardly worse (99 %). The 12 measured figures are then off "
      + "by 1.9\u00a0% (root mean square).",
  );
  expect(fittedText({ ...found, free: "cpu_count", value: 5, low: 5, high: 5 }, null)).toBe(
    "cpu_count 5 fits best; no other of the values tried fits. The 12 measured figures are then off by 1.9\u00a0% "
      + "(root mean square).",
  );
  for (const [residual, off] of [[1.234, "123"], [0.0004, "0.040"], [40, "4,000"]] as const)
    expect(fittedText({ ...found, residual }, "µs")).toContain(`off by ${off}\u00a0% (`);
});

it("says how far it is, and of how many", () => {
  expect(triedText({ tried: 0, most: 0 }, "lio_us")).toBe("No value of lio_us tried yet.");
  expect(triedText({ tried: 1, most: 48 }, "lio_us")).toBe("1 value of lio_us tried, 48 at most.");
  expect(triedText({ tried: 7, most: 48 }, "lio_us")).toBe("7 values of lio_us tried, 48 at most.");
});

it("says what the points do not tell, and names no best value where they do not tell either way", () => {
  const open = (below: boolean, above: boolean) =>
    fittedText({ ...found, isOpenBelow: below, isOpenAbove: above }, "µs");
  expect(open(true, true)).toBe(
    "These points do not tell lio_us: everything tried from 2.232 µs to 2.367 µs fits as well.",
  );
  expect(open(true, false)).toBe(
    "These points do not tell how small lio_us is: everything tried up to 2.367 µs fits as well.",
  );
  expect(open(false, true)).toBe(
    "These points do not tell how large lio_us is: everything tried from 2.232 µs on fits as well.",
  );
});
