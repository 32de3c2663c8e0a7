/** The axes of the sweep chart: how far they go, what stands on their ticks. */
import { extent, max, min, ticks } from "d3-array";
import { scaleLinear, scaleLog } from "d3-scale";
import type { CurveModel, DifferencePoint } from "../../analysis/types";
import { formatKnob, formatShort } from "../../units";
import { toTrack, type Range } from "../../ui/scale";
import { textWidth } from "../frame/text";
import type { Frame, Scales } from "./plane";

export interface Tick {
  readonly at: number;
  readonly text: string;
}

/** From, to, and whether decades are even. */
export interface YDomain {
  readonly from: number;
  readonly to: number;
  readonly isLog: boolean;
}

/** A time that grows by more than this is drawn in decades: else all but the worst lies on the axis. */
const DECADES_FROM = 30;

/** The name of a place on the x axis: a number as it was set, or a word. */
export function placeText(model: Pick<CurveModel, "xWords">, x: number): string {
  return model.xWords === null ? formatKnob(x) : (model.xWords[x] ?? "");
}

/** The best a chart's y axis can do: everything measured of these values of knobs, and the bound if it is near. */
export function topOf(model: CurveModel): number {
  // Response times of a small cage grow without bound; they may leave the plot at the top.
  const family = model.metric.better === "up" ? model.family.map((curve) => curve.points) : [];
  const points = [model.a, model.b, ...family].flat();
  const measured = max([...points.map((p) => p.y), ...model.published.filter((p) => !p.hasMoved).map((p) => p.y)]) ?? 0;
  const bound = max(model.bound?.points ?? [], (p) => p.y) ?? 0;
  const top = bound > 0 && bound < measured * 1.35 ? Math.max(bound, measured) : measured;
  return top > 0 ? top : 1;
}

export function yDomainOf(model: CurveModel, floorY: number): YDomain {
  const values = [...model.a, ...model.b].map((p) => p.y);
  const to = Math.max(floorY, topOf(model));
  const low = min(values) ?? 0;
  const isLog = /_(ms|us)$/.test(model.metric.id) && low > 0 && to > DECADES_FROM * low;
  if (isLog) return { from: 10 ** Math.floor(Math.log10(low) + 0.15) , to, isLog };
  return { from: Math.min(0, low), to, isLog };
}

export function yTickValues({ from, to, isLog }: YDomain, isCompact: boolean): readonly number[] {
  if (!isLog) return ticks(from, to, isCompact ? 4 : 5);
  const decades = Math.log10(to / from);
  const steps = decades <= 2.2 ? [1, 2, 5] : [1];
  const powers = Array.from({ length: Math.ceil(decades) + 1 }, (_, i) => 10 ** (Math.floor(Math.log10(from)) + i));
  return powers
    .flatMap((power) => steps.map((step) => Number((step * power).toPrecision(6))))
    .filter((value) => value >= from * 0.999 && value <= to);
}

/** Room for the numbers of the y axis. */
export function leftMargin(domain: YDomain, isCompact: boolean): number {
  const widest = Math.max(...yTickValues(domain, isCompact).map((value) => textWidth(formatShort(value))));
  return Math.max(isCompact ? 28 : 32, Math.min(72, Math.ceil(widest) + 13));
}

/** Published points against the one where A stands, in % of that; none where none stands there. */
export function publishedChanges({ published, xA, xDomain, difference }: CurveModel): readonly DifferencePoint[] {
  const theirs = published.filter(({ x, role, hasMoved }) => role !== "measured" && !hasMoved && x <= xDomain[1]);
  const own = difference.length === 0 ? undefined : theirs.find(({ x }) => x === xA);
  if (own === undefined) return [];
  return theirs.filter(({ x }) => x !== xA).map(({ x, y }) => ({ x, value: 100 * (y / own.y - 1), ci95: null }));
}

/** What the strip has to hold. */
export const inStrip = (model: CurveModel): readonly DifferencePoint[] =>
  [...model.difference, ...publishedChanges(model)];

/** The strip's domain: holds zero and every mean; of percentages at least ±5. */
export function percentDomainOf(
  difference: readonly DifferencePoint[], floor: readonly [number, number], unit = "%",
): readonly [number, number] {
  const [low = 0, high = 0] = extent(difference, (p) => p.value);
  const span = Math.max(high, 0) - Math.min(low, 0);
  if (unit !== "%") {
    const pad = span > 0 ? span * 0.1 : 1;
    return [Math.min(floor[0], low - pad, -pad), Math.max(floor[1], high + pad, pad)];
  }
  const pad = Math.max(1, span * 0.1);
  return [Math.min(floor[0], low - pad, -2.5), Math.max(floor[1], high + pad, 5)];
}

function xScaleOf(model: CurveModel, { left, right }: Frame): Pick<Scales, "x" | "toX"> {
  const [low, high] = model.xDomain;
  if (model.xWords !== null) {
    const each = (right - left) / Math.max(1, model.xWords.length);
    return {
      x: (place) => left + (place + 0.5) * each,
      toX: (pixel) => Math.min(high, Math.max(0, Math.floor((pixel - left) / each))),
    };
  }
  if (model.xScale === "log") {
    const range: Range = { min: low, max: high, step: null, scale: "log", isWhole: false };
    const ground = low > 0 ? low : high / 10_000;
    const zeroPart = low > 0 ? 0 : toTrack(range, ground);
    const toX = (pixel: number): number => {
      const share = Math.min(1, Math.max(0, (pixel - left) / (right - left)));
      return share < zeroPart / 2 ? low : ground * (high / ground) ** Math.max(0, (share - zeroPart) / (1 - zeroPart));
    };
    return { x: (value) => left + toTrack(range, value) * (right - left), toX };
  }
  const x = scaleLinear([Math.min(0, low), high], [left, right]);
  return { x, toX: (pixel) => x.invert(pixel) };
}

export function scalesOf(
  model: CurveModel, frame: Frame, domain: YDomain, percentDomain: readonly [number, number],
): Scales {
  const y = (domain.isLog ? scaleLog : scaleLinear)([domain.from, domain.to], [frame.bottom, frame.top]);
  const percent = scaleLinear([...percentDomain], [frame.stripBottom, frame.stripTop]);
  return { ...xScaleOf(model, frame), y: (value) => y(domain.isLog ? Math.max(domain.from, value) : value), percent };
}

function linearValues([low, high]: CurveModel["xDomain"]): number[] {
  const span = high - low;
  const step = span > 24 && span <= 64 && low >= 0 ? 8 : (ticks(low, high, 6)[1] ?? 1) - (ticks(low, high, 6)[0] ?? 0);
  const values: number[] = [];
  for (let v = Math.ceil(low / step) * step; v <= high + 1e-9; v += step) values.push(Number(v.toPrecision(9)));
  return values.filter((v) => (low < 0 || v > 0) && v < high);
}

function logValues({ xDomain: [low, high], a, b }: CurveModel): number[] {
  const from = Math.floor(Math.log10(low > 0 ? low : high / 10_000));
  const values = Array.from({ length: Math.ceil(Math.log10(high)) - from + 1 }, (_, i) => 10 ** (from + i)).map((v) =>
    Number(v.toPrecision(3)),
  );
  // Before the first that was tried none may stand: a cache of a sequence has no values, or two and more.
  const first = min([...a, ...b].filter(({ x }) => x > 0), ({ x }) => x) ?? 0;
  return [...(low <= 0 ? [0] : []), ...values.filter((v) => v >= Math.max(low, first) && v < high)];
}

/** As much of a word as there is room for. */
export function cut(word: string, room: number): string {
  const most = Math.max(2, Math.floor(room / 6.6));
  return word.length <= most ? word : `${word.slice(0, most - 1)}…`;
}

/** The end of the axis: its number and the knob's name. */
export function endText(model: CurveModel): string {
  return model.xWords === null ? `${formatKnob(model.xDomain[1])} ${model.xLabel}` : model.xLabel;
}

export function xTicksOf(
  model: CurveModel, frame: Frame, scales: Scales,
  pill: { readonly x: number; readonly width: number },
): readonly Tick[] {
  const beforeX = model.xBefore === null ? null : scales.x(model.xBefore);
  if (model.xWords !== null) {
    const each = (frame.right - frame.left) / Math.max(1, model.xWords.length);
    return model.xWords
      .map((word, place) => ({ at: scales.x(place), text: cut(word, each - 8) }))
      .filter(({ at, text }) => Math.abs(at - pill.x) > (pill.width + textWidth(text)) / 2);
  }
  const lastWidth = textWidth(endText(model));
  const lastLeft = frame.isCompact ? frame.right - lastWidth : Math.min(frame.right - 8, frame.width - lastWidth);
  let last = Number.NEGATIVE_INFINITY;
  return (model.xScale === "log" ? logValues(model) : linearValues(model.xDomain))
    .map((v) => ({ at: scales.x(v), text: formatKnob(v) }))
    .filter(({ at, text }) => Math.abs(at - pill.x) > pill.width / 2 + Math.max(12, textWidth(text) / 2 + 4))
    .filter(({ at }) => beforeX === null || Math.abs(at - beforeX) > 34)
    .filter(({ at, text }) => at + textWidth(text) / 2 + 4 < lastLeft)
    .filter(({ at, text }) => {
      const isClear = at - last > textWidth(text) + 8;
      if (isClear) last = at;
      return isClear;
    });
}
