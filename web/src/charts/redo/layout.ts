/** Redo over time: one column a side, four rows on one clock; heights on one scale for both sides. */
import { max, ticks } from "d3-array";
import { scaleLinear } from "d3-scale";
import type { RedoModel, RedoPoint, RedoSide } from "../../analysis/types";
import {
  decimalsFor, formatFixed, formatIntervalOf, formatKnob, formatMs, formatNumber, formatShort,
} from "../../units";
import type { Column } from "../frame/columns";
import { textWidth } from "../frame/text";

export type Letter = "A" | "B";
export type RedoPart = NonNullable<RedoModel["a"]>;

/** Rows from above: where their words and their drawing stand. */
export const ROWS = {
  rate: { words: 12, top: 36, bottom: 92 },
  late: { words: 116, top: 124, bottom: 196 },
  batch: { words: 220, top: 228, bottom: 264 },
  writers: { words: 288, top: 296, bottom: 332 },
} as const;
export type RowName = keyof typeof ROWS;
export const HEIGHT = 356;

export interface Heights {
  readonly rate: number;
  readonly late: number;
  readonly batch: number;
  readonly writers: number;
}

export interface StallMark {
  readonly x: number;
  readonly width: number;
  /** Its length, where there is room for it. */
  readonly label: { readonly text: string; readonly x: number } | null;
}

export interface RedoColumn {
  readonly letter: Letter;
  readonly column: Column;
  readonly paths: Readonly<Record<RowName, string>>;
  readonly stalls: readonly StallMark[];
  /** Where the warm-up ends, of which no figure speaks; null: it is not drawn. */
  readonly warmupX: number | null;
  /** What the whole run says, at the end of each row's words. */
  readonly totals: Readonly<Record<Exclude<RowName, "late">, string>>;
  readonly xTicks: readonly {
    readonly at: number;
    readonly text: string;
    readonly anchor: "start" | "middle" | "end";
  }[];
  readonly toX: (timeS: number) => number;
}

const TOPS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

const round = (value: number): number => Math.round(value * 100) / 100;

/** The next number of one or two digits that a scale may end with. */
function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (TOPS.find((top) => top * power >= value * 0.999) ?? 10);
}

/** The tops of the rows' scales, round. */
export function heightsOf(sides: readonly RedoSide[]): Heights {
  const most = (read: (side: RedoSide) => readonly (number | null)[]): number =>
    roundUp(max(sides, (side) => max(read(side), (value) => value ?? 0) ?? 0) ?? 0);
  return {
    rate: most((side) => side.commitsPerS),
    late: most((side) => side.late.map(({ value }) => value)),
    batch: most((side) => side.commitsPerWrite),
    writers: most((side) => side.writersCpus),
  };
}

/** A line through points; straight between them. */
function through(points: readonly RedoPoint[], toX: (t: number) => number, toY: (v: number) => number): string {
  const at = ({ timeS, value }: RedoPoint): string => `${round(toX(timeS))} ${round(toY(value))}`;
  return points.map((point, i) => `${i === 0 ? "M" : "L"}${at(point)}`).join("");
}

/** Steps, one a bin; nothing where there is no value. */
function steps(
  values: readonly (number | null)[], binS: number, toX: (t: number) => number, toY: (v: number) => number,
): string {
  return values
    .map((value, i) => {
      if (value === null) return "";
      const joins = i > 0 && values[i - 1] !== null;
      const y = round(toY(value));
      return `${joins ? `V${y}` : `M${round(toX(i * binS))} ${y}`}H${round(toX((i + 1) * binS))}`;
    })
    .join("");
}

/** Bars, and their lengths above those for which there is room. */
function stallsOf({ stalls }: RedoSide, { left, right }: Column, toX: (t: number) => number): readonly StallMark[] {
  let free = left;
  return stalls.map(({ fromS, toS, ms }) => {
    const x = Math.max(left, toX(fromS));
    const width = Math.max(1, Math.min(right, toX(toS)) - x);
    const text = formatMs(Number(ms.toPrecision(ms < 100 ? 2 : 3)));
    const half = textWidth(text) / 2;
    const middle = Math.min(right - half, Math.max(left + half, x + width / 2));
    const fits = middle - half >= free;
    if (fits) free = middle + half + 8;
    return { x, width, label: fits ? { text, x: middle } : null };
  });
}

function timeTicks(
  { spanS, warmupS }: RedoSide, { left, right }: Column, toX: (t: number) => number,
): RedoColumn["xTicks"] {
  const last = `${formatShort(spanS)} s`;
  const first = warmupS > 0 ? "warm-up cut" : "0";
  const isClear = (t: number): boolean => {
    const half = textWidth(formatKnob(t)) / 2 + 6;
    return toX(t) - half > left + textWidth(first) && toX(t) + half < right - textWidth(last);
  };
  const inner = ticks(0, spanS, 4).filter((t) => t > 0 && isClear(t));
  return [
    { at: left, text: first, anchor: "start" },
    ...inner.map((t) => ({ at: toX(t), text: formatKnob(t), anchor: "middle" as const })),
    { at: right, text: last, anchor: "end" },
  ];
}

/** Two digits where nothing else is said. */
function withWidth(
  { value, ci95 }: { value: number; ci95: number | null }, decimals = decimalsFor(value, 2),
): string {
  return `${formatFixed(value, decimals)} ${formatIntervalOf(value, ci95, decimals)}`.trim();
}

export function layoutRedo(
  letter: Letter, { side, totals }: RedoPart, column: Column, heights: Heights,
): RedoColumn {
  const toX = scaleLinear([0, side.spanS || 1], [column.left, column.right]);
  const toY = (row: RowName) => scaleLinear([0, heights[row]], [ROWS[row].bottom, ROWS[row].top]);
  return {
    letter, column, toX,
    paths: {
      rate: steps(side.commitsPerS, side.binS, toX, toY("rate")),
      late: through(side.late, toX, toY("late")),
      batch: steps(side.commitsPerWrite, side.binS, toX, toY("batch")),
      writers: steps(side.writersCpus, side.binS, toX, toY("writers")),
    },
    stalls: stallsOf(side, column, toX),
    warmupX: side.warmupS > 0 ? round(toX(side.warmupS)) : null,
    totals: {
      rate: withWidth(totals.commitsPerS), batch: withWidth(totals.commitsPerWrite, 2),
      writers: withWidth(totals.writersCpus, 2),
    },
    xTicks: timeTicks(side, column, toX),
  };
}

/** Whether a stall is under way. */
const isStalled = ({ stalls }: RedoSide, time: number): boolean =>
  stalls.some(({ fromS, toS }) => fromS <= time && time < toS);

/** The value of a line at a time. */
function valueAt(points: readonly RedoPoint[], time: number): number {
  const after = points.findIndex(({ timeS }) => timeS >= time);
  const [one, other] = [points[Math.max(0, after - 1)], points[after === -1 ? points.length - 1 : after]];
  if (one === undefined || other === undefined || other.timeS <= one.timeS) return other?.value ?? 0;
  return one.value + (other.value - one.value) * ((time - one.timeS) / (other.timeS - one.timeS));
}

/** What one side says at a bin. */
export interface RedoReading {
  readonly rate: string;
  readonly late: string;
  readonly batch: string;
  readonly writers: string;
}

export function readingAt(side: RedoSide, bin: number): RedoReading {
  const time = (bin + 0.5) * side.binS;
  const batch = side.commitsPerWrite[bin] ?? null;
  return {
    rate: `${formatNumber(side.commitsPerS[bin] ?? 0, 2)}${isStalled(side, time) ? ", stalled" : ""}`,
    late: `${formatShort(valueAt(side.late, time), 2)} MB`,
    batch: batch === null ? "none written" : formatFixed(batch, 2),
    writers: formatFixed(side.writersCpus[bin] ?? 0, 2),
  };
}
