import { expect, it } from "vitest";
import type { Fitted } from "../../store";
import { fittedText } from "./fitText";

const found: Fitted = {
  free: "lio_us", value: 2.299, low: 2.232, high: 2.367, isOpenBelow: false, isOpenAbove: false,
  residual: 0.0187, figures: 12,
};

it("says the value, the range that fits hardly worse, and by how much the figures are off", () => {
  expect(fittedText(found, "µs")).toBe(
    "lio_us 2.299 µs fits best; 2.232 µs to 2.367 µs fit hardly worse (99 %). The 12 measured figures are then off by "
      + "1.9 % (root mean square).",
  );
  expect(fittedText({ ...found, free: "cpu_count", value: 5, low: 5, high: 5 }, null)).toBe(
    "cpu_count 5 fits best; no other value fits. The 12 measured figures are then off by 1.9 % (root mean square).",
  );
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
