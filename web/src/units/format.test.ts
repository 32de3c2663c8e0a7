import { describe, expect, it } from "vitest";
import {
  formatBigCount, formatCount, formatFixed, formatHalfWidth, formatIntervalOf, formatKnob, formatLio, formatMean,
  formatMs, formatMsColumn, formatMsInterval, formatNumber, formatPercent, formatSigned, formatSignedPercent,
  parseTyped,
} from "./format";

/** No-break spaces are shown as `_` so that the table below can be read. */
const seen = (text: string) => text.replaceAll("\u00a0", "_");

describe("times choose their unit by size", () => {
  it.each([
    [0.01, "10_µs"], [0.9, "900_µs"], [1, "1_ms"], [6.8, "6.8_ms"], [23.75, "23.8_ms"], [340, "340_ms"],
    [999, "999_ms"], [3400, "3.4_s"], [3420, "3.42_s"], [0, "0_ms"], [null, "–"], [Number.NaN, "–"],
  ])("%s ms is %s", (value, text) => expect(seen(formatMs(value))).toBe(text));

  it.each([
    ["ms", formatMs, [999.7, 0.9997, -999.7], ["1_s", "1_ms", "−1_s"]],
    ["ms below", formatMs, [999.4, 0.9994], ["999_ms", "999_µs"]],
    ["LIO/s", formatLio, [999_700, 999.7, 999_400], ["1.00_M_LIO/s", "1.00_k_LIO/s", "999_k_LIO/s"]],
    ["counts", formatBigCount, [999.7e6, 999_700, 999.4e6], ["1_G", "999,700", "999_M"]],
    ["means", formatMean, [999.997, 999.994], ["1,000", "999.99"]],
  ] as const)("by the size that is printed: %s", (_, format, values, texts) =>
    expect(values.map((value) => seen(format(value)))).toEqual(texts));

  it("tells an interval in the unit of its time", () =>
    expect([[999.7, 20], [0.9997, 0.02]].map(([of = 0, half = 0]) => seen(formatMsInterval(of, half)))).toEqual([
      "±0.02_s", "±0.02_ms",
    ]));

  it("keeps one decimal in a column", () => {
    expect([0.01, 0.4, 6.8, 339.8, 999.94, 999.96, 3420, 34_200].map((v) => seen(formatMsColumn(v))))
      .toEqual(["10_µs", "0.4_ms", "6.8_ms", "339.8_ms", "999.9_ms", "1.00_s", "3.42_s", "34.2_s"]);
  });
});

describe("throughput", () => {
  it.each([[3_350_000, "3.35_M_LIO/s"], [600_000, "600_k_LIO/s"], [12_345_678, "12.3_M_LIO/s"], [12, "12.0_LIO/s"]])(
    "%s", (value, text) => expect(seen(formatLio(value))).toBe(text));
});

describe("plain numbers", () => {
  it("groups thousands", () =>
    expect([999, 1000, 48_300, 1_234_567].map(formatCount)).toEqual(["999", "1,000", "48,300", "1,234,567"]));
  it("shortens large counts", () =>
    expect([950, 48_300, 20e6, 1.25e9].map((v) => seen(formatBigCount(v)))).toEqual([
      "950", "48,300", "20_M", "1.25_G",
    ]));
  it("shows three significant digits", () =>
    expect([3.3456, 33.456, 0.033456, 9.999, 99.96].map((v) => formatNumber(v))).toEqual([
      "3.35", "33.5", "0.0335", "10.0", "100",
    ]));
  it("means of sessions have seven signs at most", () => {
    const all = [0, 23.934, 999.994, 1013.6, 10_000];
    expect(all.map(formatMean)).toEqual(["0.00", "23.93", "999.99", "1,014", "10,000"]);
  });
  it("never prints a negative zero", () =>
    expect([formatFixed(-0.001, 2), formatSigned(-0.001, 2), formatSigned(0.001, 2)]).toEqual([
      "0.00", "0.00", "0.00",
    ]));
  it("signs with a true minus", () =>
    expect([formatSigned(-23.97, 2), formatSigned(24.71, 2)]).toEqual(["−23.97", "+24.71"]));
  it("puts a space before the percent sign", () =>
    expect([seen(formatPercent(11.8)), seen(formatSignedPercent(-6.2))]).toEqual(["11.8_%", "−6.2_%"]));
  it("leaves out an interval that is not there", () =>
    expect([formatHalfWidth(null, 1), formatHalfWidth(0.24, 1)]).toEqual(["", "±0.2"]));
  it("says of an interval below the last digit that it is", () =>
    expect([formatHalfWidth(0.04, 1), formatHalfWidth(0.3, 0), formatHalfWidth(0, 2)]).toEqual([
      "±<0.1", "±<1", "±<0.01",
    ]));
  it("begins the interval of what cannot be negative at zero", () => {
    expect([[0.16, 0.24], [0.16, 0.16], [0, 0], [3, 1.5]].map(([of = 0, half = 0]) => formatIntervalOf(of, half, 2)))
      .toEqual(["(0 to 0.40)", "±0.16", "(under 0.01)", "±1.50"]);
    expect([formatIntervalOf(2, null, 1), formatIntervalOf(2, 2.04, 0)]).toEqual(["", "±2"]);
    expect([[0.16, 0.024], [0.16, 0.24], [3420, 120]].map(([of = 0, half = null]) => seen(formatMsInterval(of, half))))
      .toEqual(["±24_µs", "(0 to 400_µs)", "±0.12_s"]);
  });
  it("tells the interval of a time in the unit and the digits of the time", () => {
    const both = (of: number, half: number) => seen(`${formatMs(of)} ${formatMsInterval(of, half)}`);
    expect([both(0.43, 0), both(7.33, 0.95), both(7.33, 1), both(340, 0.2), both(0, 0)]).toEqual([
      "430_µs ±<1_µs", "7.33_ms ±0.95_ms", "7.33_ms ±1.00_ms", "340_ms ±<1_ms", "0_ms ±<1_ms",
    ]);
  });
  it("keeps a knob as it was set", () =>
    expect([800, 1.5, 60_000, 0.1 + 0.2].map(formatKnob)).toEqual(["800", "1.5", "60,000", "0.3"]));
});

describe("what a person types", () => {
  it.each([["32", 32], [" 60,000 ", 60_000], ["1.5", 1.5], ["60k", 60_000], ["2M", 2e6], ["−3", -3], [".5", 0.5],
    ["1,234,567.5", 1_234_567.5], ["−60,000", -60_000]])(
    "%s", (text, value) => expect(parseTyped(text)).toBe(value));
  it.each([
    "", "ten", "1e999", "0x10", "--1", "NaN", "0,5", "1,5", "60,00", "1,2345", "0,500", "1,234,5",
  ])("refuses %s", (text) => expect(parseTyped(text)).toBeNull());
});
