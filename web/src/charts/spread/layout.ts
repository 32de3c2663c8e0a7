/** Histograms in powers of two: waits above, transactions below, A and B on one axis. */
import type { SideModel, SpreadModel } from "../../analysis/types";
import { formatFixed, formatMs, formatShort, millis } from "../../units";
import type { Column } from "../frame/columns";
import { overlaps, textBox, textWidth } from "../frame/text";

/** Bucket 3 holds 8 to 16 ms. */
export interface Bucket {
  readonly power: number;
  readonly share: number;
}

export interface Bar {
  readonly x: number;
  readonly width: number;
  readonly y: number;
  readonly height: number;
  readonly label: string | null;
}

export interface Heading {
  /** Lines of words, the last with the value behind it. */
  readonly lines: readonly string[];
  readonly value: string;
  /** Of the last line. */
  readonly y: number;
}

/** From one line of a heading to the next [px]. */
export const LINE = 15;

export interface SpreadRow {
  readonly class: SpreadModel["class"];
  readonly heading: Heading;
  readonly bars: readonly Bar[];
  readonly baseline: number;
}

export interface PowerRange {
  readonly from: number;
  readonly to: number;
}

/** Shares by power of two; buckets finer than that are pooled. Shares are 0 to 1. */
export function bucketsOf(model: SpreadModel): readonly Bucket[] {
  const pooled = new Map<number, number>();
  model.shares.forEach((share, i) => {
    const low = model.edgesMs[i] ?? 0;
    const high = model.edgesMs[i + 1] ?? low;
    if (share <= 0) return;
    const middle = low > 0 ? Math.sqrt(low * high) : high / 2;
    const power = Math.floor(Math.log2(Math.max(middle, 1e-6)));
    pooled.set(power, (pooled.get(power) ?? 0) + share);
  });
  return [...pooled].map(([power, share]) => ({ power, share })).toSorted((a, b) => a.power - b.power);
}

/** Tails thinner than this do not widen the axis. */
const THIN = 0.02;
const WIDEST = 13;

/** The powers all histograms need, without thin tails, at least six wide. */
export function rangeOf(models: readonly (SpreadModel | null)[]): PowerRange {
  const powers = models.flatMap((m) =>
    m === null
      ? []
      : bucketsOf(m)
          .filter((b) => b.share >= THIN)
          .map((b) => b.power),
  );
  if (powers.length === 0) return { from: 2, to: 9 };
  const high = Math.max(...powers) + 1;
  const low = Math.max(Math.min(...powers), high - WIDEST);
  const missing = Math.max(0, 6 - (high - low));
  return { from: low - 1 - Math.floor(missing / 2), to: high + Math.ceil(missing / 2) };
}

export function powerX(power: number, range: PowerRange, column: Column): number {
  return column.left + ((power - range.from) / (range.to - range.from)) * (column.right - column.left);
}

/** A label on each bar it fits, "%" on the tallest only; neighbours that are level keep the taller one's label. */
function labelsOf(buckets: readonly Bucket[], barWidth: number): readonly (string | null)[] {
  const tallest = Math.max(...buckets.map((b) => b.share));
  return buckets.map((bucket, i) => {
    if (bucket.share < 0.005) return null;
    const text = formatFixed(bucket.share * 100, 0);
    if (bucket.share === tallest) return `${text}\u00a0%`;
    const isBesideTaller = [buckets[i - 1], buckets[i + 1]].some(
      (other) =>
        other !== undefined
        && Math.abs(other.power - bucket.power) === 1
        && other.share > bucket.share
        && other.share < bucket.share + 0.1,
    );
    const isBesideTallest = [buckets[i - 1], buckets[i + 1]].some(
      (other) =>
        other?.share === tallest && Math.abs((other?.power ?? 0) - bucket.power) === 1 && bucket.share > tallest - 0.22,
    );
    return (barWidth < 15 && isBesideTaller) || (barWidth < 26 && isBesideTallest) ? null : text;
  });
}

/** Words in as few lines as they fit into. */
function wrapped(words: string, room: number): readonly string[] {
  const lines: string[] = [];
  for (const word of words.split(" ")) {
    const last = lines.pop();
    const longer = last === undefined ? word : `${last} ${word}`;
    lines.push(...(last === undefined || textWidth(longer) <= room ? [longer] : [last, word]));
  }
  return lines;
}

/**
 * "log file sync, mean": no name is cut. Where that saves a line the mean is not called so. Of what the title counts
 * "p99" is enough where there is no room for more.
 */
export function headingOf({ event, label, value }: SpreadModel, { left, right }: Column): readonly string[] {
  if (event === undefined)
    return [textWidth(`${label} ${value}`) > right - left ? label.replace(/.*, /, "") : label];
  const [whole, bare] = [`${event}, ${label}`, event].map((words) =>
    wrapped(`${words} ${value.replaceAll(" ", "\u00a0")}`, right - left)) as [readonly string[], readonly string[]];
  const lines = label === "mean" && bare.length < whole.length ? bare : whole;
  return lines.map((line, i) => (i < lines.length - 1 ? line : line.slice(0, -value.length).trimEnd()));
}

/** How far headings of several lines push all down [px]. */
export const pushedBy = (sides: readonly SideModel[], columns: readonly Column[]): number =>
  LINE * Math.max(0, ...sides.map(({ waitSpread }, i) => {
    const column = columns[i];
    return waitSpread === null || column === undefined ? 0 : headingOf(waitSpread, column).length - 1;
  }));

export function layoutRow(
  model: SpreadModel, column: Column,
  place: { readonly top: number; readonly height: number },
  range: PowerRange,
): SpreadRow {
  const buckets = bucketsOf(model).filter((b) => b.power >= range.from && b.power < range.to);
  const baseline = place.top + place.height;
  const tallest = Math.max(1e-9, ...buckets.map((b) => b.share));
  const room = place.height - 34;
  const each = (column.right - column.left) / (range.to - range.from);
  const labels = labelsOf(buckets, each);
  return {
    class: model.class, baseline, heading: { lines: headingOf(model, column), value: model.value, y: place.top + 11 },
    bars: buckets.map((b, i) => {
      const height = Math.max(1, (b.share / tallest) * room * Math.min(1, 0.6 + 0.4 * tallest));
      return {
        x: powerX(b.power, range, column) + 1, width: Math.max(1, each - 2), y: baseline - height, height,
        label: labels[i] ?? null,
      };
    }),
  };
}

/** Between two numbers of an axis [px]. */
const GAP = 4;

/**
 * Seconds of 1,024 ms and milliseconds of 1,024 µs, as the database names its histograms: 256 µs, not 250. A tick
 * stands about a pixel off such a number.
 */
function powerText(ms: number, isLast: boolean): string {
  if (ms >= 1024) return `${formatFixed(ms / 1024, 0)}\u00a0s`;
  if (ms < 1) return `${formatShort(ms * 1024)}\u00a0µs`;
  return isLast ? formatMs(ms) : formatFixed(ms, 0);
}

/** 4, 16, 64, 256 ms: every second power or fewer, the unit on the last. */
export function powerTicks(
  range: PowerRange, column: Column,
): readonly { readonly at: number; readonly text: string; readonly anchor: "start" | "middle" | "end" }[] {
  const span = range.to - range.from;
  const step = Math.max(1, Math.ceil((span * (range.from < 0 ? 62 : 34)) / (column.right - column.left)));
  const powers: number[] = [];
  for (let p = range.from; p <= range.to; p += step) powers.push(p);
  const all = powers.map((p, i) => {
    return {
      at: powerX(p, range, column), text: powerText(2 ** p, i === powers.length - 1),
      anchor: p === range.from ? ("start" as const) : p === range.to ? ("end" as const) : ("middle" as const),
    };
  });
  // The last carries the unit: what it would touch gives way, and of two others the one on the right.
  const boxOf = ({ at, text, anchor }: (typeof all)[number]) => textBox(at, 0, textWidth(text) + GAP, anchor);
  const last = all.slice(-1);
  const kept: typeof all = [];
  for (const tick of all.slice(0, -1))
    if (![...kept.slice(-1), ...last].some((one) => overlaps(boxOf(tick), boxOf(one)))) kept.push(tick);
  return [...kept, ...last];
}

/** What the sides share: one axis for all four histograms. */
export function sidesRange(sides: readonly SideModel[]): PowerRange {
  return rangeOf(sides.flatMap((side) => [side.waitSpread, side.responseSpread]));
}

export function powerName(power: number): string {
  return `${formatMs(millis(2 ** power))} to ${formatMs(millis(2 ** (power + 1)))}`;
}
