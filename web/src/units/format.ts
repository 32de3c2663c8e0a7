/**
 * Numbers as text. No locale is asked: the same value gives the same characters on every machine.
 * Three significant digits, commas between thousands, a true minus, a no-break space before the unit.
 */
import type { LioPerSecond, Millis, Percent } from "./brands";

export const MINUS = "\u2212";
export const NBSP = "\u00a0";
export const NONE = "\u2013";

/** Thousands commas and a true minus on a plain decimal text. */
function dress(text: string): string {
  const isNegative = text.startsWith("-");
  const bare = isNegative ? text.slice(1) : text;
  const [whole = "0", fraction] = bare.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const isZero = !/[1-9]/.test(bare);
  return (isNegative && !isZero ? MINUS : "") + grouped + (fraction === undefined ? "" : `.${fraction}`);
}

/** How many decimals show `digits` significant digits of `value`. */
export function decimalsFor(value: number, digits = 3): number {
  const size = Math.abs(value);
  if (!Number.isFinite(size) || size === 0) return 0;
  const rounded = Number(size.toPrecision(digits));
  return Math.min(6, Math.max(0, digits - 1 - Math.floor(Math.log10(rounded))));
}

/** A fixed number of decimals. */
export function formatFixed(value: number, decimals: number): string {
  return Number.isFinite(value) ? dress(value.toFixed(decimals)) : NONE;
}

/** Sessions or CPUs in a column of seven signs: two decimals, from a thousand on none. */
export const formatMean = (value: number): string => formatFixed(value, value < 999.995 ? 2 : 0);

/** Three significant digits; whole numbers of four digits and more keep all of them. */
export function formatNumber(value: number, digits = 3): string {
  return formatFixed(value, decimalsFor(value, digits));
}

/** Three significant digits without the zeros that say nothing: 10, 2.1, 0.5. */
export function formatShort(value: number, digits = 3): string {
  const text = formatNumber(value, digits);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** As it is printed: what rounds to a thousand is told in the larger unit. */
const sizeShown = (value: number): number => Number(Math.abs(value).toPrecision(3));

/** A count: whole, with commas. */
export function formatCount(value: number): string {
  return formatFixed(Math.round(value), 0);
}

/** A count made short where it is large: 950, 48,300, 20 M. */
export function formatBigCount(value: number): string {
  const size = sizeShown(value);
  if (size >= 1e9) return `${formatShort(value / 1e9)}${NBSP}G`;
  if (Math.abs(value) >= 1e6) return `${formatShort(value / 1e6)}${NBSP}M`;
  return formatCount(value);
}

/** A signed number: +5.5, −23.97, 0.0. */
export function formatSigned(value: number, decimals: number): string {
  const text = formatFixed(value, decimals);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

export function formatPercent(value: Percent | number, decimals = 1): string {
  return Number.isFinite(value) ? `${formatFixed(value, decimals)}${NBSP}%` : NONE;
}

export function formatSignedPercent(value: Percent | number, decimals = 1): string {
  return Number.isFinite(value) ? `${formatSigned(value, decimals)}${NBSP}%` : NONE;
}

/** Half of a 95 % interval, in the decimals of the number it stands beside; never ±0, which would claim too much. */
export function formatHalfWidth(value: number | null, decimals: number): string {
  if (value === null || !Number.isFinite(value)) return "";
  const text = formatFixed(value, decimals);
  return /[1-9]/.test(text) ? `±${text}` : `±<${formatFixed(10 ** -decimals, decimals)}`;
}

/** The same beside what cannot be negative: from zero, where half of it would reach below. */
export function formatIntervalOf(value: number, half: number | null, decimals: number): string {
  if (half === null || !Number.isFinite(half)) return "";
  const [shown, width] = [Number(value.toFixed(decimals)), Number(half.toFixed(decimals))];
  if (value >= 0 && shown === 0 && width === 0) return `(under ${formatFixed(10 ** -decimals, decimals)})`;
  const reachesBelow = value >= 0 && width > shown;
  return reachesBelow ? `(0 to ${formatFixed(value + half, decimals)})` : formatHalfWidth(half, decimals);
}

/** The unit in which a time is told, and how many of it a millisecond is. */
const unitOfMs = (size: number): readonly [unit: string, of: number] =>
  size >= 1000 ? ["s", 1 / 1000] : size >= 1 || size === 0 ? ["ms", 1] : ["µs", 1000];

/** Milliseconds with the unit chosen by size: 10 µs, 6.8 ms, 340 ms, 3.42 s. */
export function formatMs(value: Millis | number | null): string {
  if (value === null || !Number.isFinite(value)) return NONE;
  const [unit, of] = unitOfMs(sizeShown(value));
  return `${formatShort(value * of)}${NBSP}${unit}`;
}

/** The interval of a time in its unit and digits, never ±0; from zero, where half of it would reach below. */
export function formatMsInterval(value: Millis | number, half: number | null): string {
  if (half === null || !Number.isFinite(half)) return "";
  if (half > value) return `(0 to ${formatMs(value + half)})`;
  const [unit, of] = unitOfMs(sizeShown(value));
  return `${formatHalfWidth(half * of, decimalsFor(value * of))}${NBSP}${unit}`;
}

/** Milliseconds for a column of a table: one decimal, so that the points stand under one another; else seconds. */
export function formatMsColumn(value: Millis | number | null): string {
  if (value === null || !Number.isFinite(value)) return NONE;
  const size = Math.abs(value);
  if (size >= 999.95) return `${formatFixed(value / 1000, size >= 10_000 ? 1 : 2)}${NBSP}s`;
  if (size >= 0.1) return `${formatFixed(value, 1)}${NBSP}ms`;
  return `${formatFixed(value * 1000, 0)}${NBSP}µs`;
}

/** Logical reads per second: 3.35 M LIO/s. */
export function formatLio(value: LioPerSecond | number): string {
  if (!Number.isFinite(value)) return NONE;
  const size = sizeShown(value);
  if (size >= 1e6) return `${formatNumber(value / 1e6)}${NBSP}M${NBSP}LIO/s`;
  if (size >= 1e3) return `${formatNumber(value / 1e3)}${NBSP}k${NBSP}LIO/s`;
  return `${formatNumber(value)}${NBSP}LIO/s`;
}

const SINGULAR: Readonly<Record<string, string>> = {
  threads: "thread", cores: "core", CPUs: "CPU", sessions: "session", processes: "process", blocks: "block",
  points: "point", buffers: "buffer", sockets: "socket", messages: "message", writes: "write",
  "logical reads": "logical read",
};

/** A unit as it stands behind a number: a noun in the singular beside 1, and what is a number itself in words. */
export function unitOf(shown: string, unit: string): string {
  if (unit === "1/s") return "a second";
  return shown === "1" ? (SINGULAR[unit] ?? unit) : unit;
}

/** A number with its unit, the unit chosen by size where it has a larger one. */
export function formatQuantity(value: number, unit: string): string {
  if (unit === "LIO/s") return formatLio(value);
  if (unit === "ms") return formatMs(value);
  if (unit === "µs") return formatMs(value / 1000);
  return Number.isFinite(value) ? `${formatShort(value)}${NBSP}${unitOf(formatShort(value), unit)}` : NONE;
}

/** The value of a knob, as precise as it was set: 800, 1.5, 60,000. */
export function formatKnob(value: number): string {
  if (!Number.isFinite(value)) return NONE;
  return dress(String(Number(value.toPrecision(7))));
}

/** ", before sockets moved", ", before 2 knobs moved": behind what was published of other values. */
export function beforeMoved(knobs: readonly string[]): string {
  return knobs.length === 0 ? "" : `, before ${knobs.length === 1 ? knobs[0] : `${knobs.length} knobs`} moved`;
}

/**
 * What a person typed, or null. Accepts commas between thousands, spaces, a true minus and the suffixes k and M. A
 * comma elsewhere may stand for a point, and is refused.
 */
export function parseTyped(text: string): number | null {
  const spaceless = text.replace(/[\s\u00a0]/g, "").replace(MINUS, "-");
  const clean = spaceless.replace(/^-?[1-9]\d{0,2}(?:,\d{3})+(?!\d)/, (thousands) => thousands.replace(/,/g, ""));
  const match = /^(-?\d*\.?\d+(?:e[+-]?\d+)?)([kKmM]?)$/.exec(clean);
  if (match === null) return null;
  const scale = match[2] === "" ? 1 : match[2]?.toLowerCase() === "k" ? 1e3 : 1e6;
  const value = Number(match[1]) * scale;
  return Number.isFinite(value) ? value : null;
}
