import { expect, it } from "vitest";
import { scaleFor } from "./metrics";

it.each([
  ["LIO/s", 399, "LIO/s", 1], ["LIO/s", 400, "k LIO/s", 1e3], ["LIO/s", 399_999, "k LIO/s", 1e3],
  ["LIO/s", 400_000, "M LIO/s", 1e6],
  ["ms", 4_999, "ms", 1], ["ms", 6_000, "s", 1e3],
  ["µs", 4_999, "µs", 1], ["µs", 5_000, "ms", 1e3], ["µs", 4_999_999, "ms", 1e3], ["µs", 5_000_000, "s", 1e6],
  ["s", 0.000_402, "µs", 1e-6], ["s", 0.001, "ms", 1e-3], ["s", 0.099, "ms", 1e-3], ["s", 0.1, "s", 1],
  ["s", 0, "s", 1],
  ["1/s", 9_999, "1/s", 1], ["1/s", 10_000, "thousand/s", 1e3], ["1/s", 9_999_999, "thousand/s", 1e3],
  ["1/s", 10_000_000, "million/s", 1e6],
  ["sessions", 1e9, "sessions", 1],
])("%s up to %d are counted in %s of %d", (own, largest, unit, divisor) => {
  expect(scaleFor(own, largest)).toEqual({ unit, divisor });
});
