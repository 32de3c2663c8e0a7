/** Where everything in the throughput chart stands: numbers in, pixels out. The difference strip shares the x axis. */
import { extent, max, ticks } from "d3-array";
import { scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import type { CurveModel, CurvePoint, DifferencePoint } from "../../analysis/types";
import { formatFixed, formatKnob, formatShort, formatSigned } from "../../units";
import { overlaps, textBox, textWidth, type Box } from "../frame/text";
import { endLabels, familyLabels, handleLabels, publishedMarks, type EndLabel, type FamilyLabel, type HandleLabel, type PublishedMark } from "./labels";
import { valueAt, type Frame, type Scales } from "./plane";

export interface Size {
  readonly width: number;
  readonly height: number;
  /** y axis top that may not shrink, while something is in the hand. */
  readonly floorY: number;
  readonly floorPercent: readonly [number, number];
}

export interface Tick {
  readonly at: number;
  readonly text: string;
}

export interface Strip {
  readonly line: string;
  readonly gain: string;
  readonly loss: string;
  readonly doubt: string;
  readonly ticks: readonly Tick[];
  readonly zero: number;
  readonly even: readonly { readonly x: number; readonly y: number; readonly dot: number; readonly text: string; readonly anchor: "start" | "end" }[];
  readonly words: readonly { readonly x: number; readonly y: number; readonly text: string; readonly isB: boolean }[];
  readonly end: { readonly y: number; readonly text: string } | null;
}

export interface Handle {
  readonly x: number;
  readonly yB: number | null;
  readonly yA: number | null;
  readonly yDifference: number | null;
  readonly text: string;
  readonly pillWidth: number;
  readonly labels: readonly HandleLabel[];
  readonly before: { readonly x: number; readonly y: number; readonly text: string } | null;
}

export interface ThroughputLayout {
  readonly frame: Frame;
  readonly scales: Scales;
  readonly yTop: number;
  readonly percentDomain: readonly [number, number];
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly lineA: string;
  readonly lineB: string;
  readonly bandB: string;
  readonly dotsB: readonly { readonly x: number; readonly y: number }[];
  readonly family: readonly string[];
  readonly familyLabels: readonly FamilyLabel[];
  readonly bound: string;
  readonly boundLabel: { readonly x: number; readonly y: number; readonly text: string } | null;
  readonly published: readonly PublishedMark[];
  readonly endLabels: readonly EndLabel[];
  readonly wall: { readonly x: number; readonly top: number; readonly bottom: number } | null;
  readonly strip: Strip | null;
  readonly handle: Handle;
}

const COMPACT_BELOW = 480;

function frameOf(model: CurveModel, size: Size): Frame {
  const isCompact = size.width < COMPACT_BELOW;
  const right = isCompact ? size.width - 4 : size.width - endMargin(model);
  const stripBottom = size.height - (isCompact ? 32 : 36);
  const stripHeight = isCompact ? 62 : Math.min(140, Math.max(92, size.height * 0.235));
  const stripTop = stripBottom - stripHeight;
  return {
    width: size.width, height: size.height, isCompact, right, stripTop, stripBottom,
    left: (isCompact ? 28 : 32) + (model.metric === "response" ? 8 : 0), top: isCompact ? 33 : 34, bottom: stripTop - (isCompact ? 40 : 42), axisText: size.height - 8,
  };
}

/** Room right of the plot for the names at the lines' ends, in steps so that it does not breathe with every digit. */
function endMargin(model: CurveModel): number {
  const longest = Math.max(...[model.nameA, model.nameB].map((name) => textWidth(`B ${name} 0.00`)));
  return Math.min(156, Math.max(100, Math.ceil((longest + 12) / 28) * 28));
}

/** The best a chart's y axis can do: everything measured, and the bound if it is near. */
export function topOf(model: CurveModel): number {
  // Response times of a small cage grow without bound; they may leave the plot at the top.
  const family = model.metric === "throughput" ? model.family.map((curve) => curve.points) : [];
  const points = [model.a, model.b, ...family].flat();
  const measured = max([...points.map((p) => p.y), ...model.published.map((p) => p.y)]) ?? 0;
  const bound = max(model.bound?.points ?? [], (p) => p.y) ?? 0;
  const top = bound > 0 && bound < measured * 1.35 ? Math.max(bound, measured) : measured;
  return top > 0 ? top : 1;
}

/** The strip's domain: holds zero and every mean, at least ±5 %. */
export function percentDomainOf(difference: readonly DifferencePoint[], floor: readonly [number, number]): readonly [number, number] {
  const [low = 0, high = 0] = extent(difference, (p) => p.percent);
  const span = Math.max(high, 0) - Math.min(low, 0);
  const pad = Math.max(1, span * 0.1);
  return [Math.min(floor[0], low - pad, -2.5), Math.max(floor[1], high + pad, 5)];
}

function scalesOf(model: CurveModel, frame: Frame, yTop: number, percentDomain: readonly [number, number]): Scales {
  const x = scaleLinear([Math.min(0, model.xDomain[0]), model.xDomain[1]], [frame.left, frame.right]);
  const y = scaleLinear([0, yTop], [frame.bottom, frame.top]);
  const percent = scaleLinear([...percentDomain], [frame.stripBottom, frame.stripTop]);
  return { x, y, percent, toX: (pixel) => x.invert(pixel) };
}

const round = (value: number) => Math.round(value * 100) / 100;

function pathOf(points: readonly { readonly x: number; readonly y: number }[], scales: Scales): string {
  return line<{ x: number; y: number }>((p) => round(scales.x(p.x)), (p) => round(scales.y(p.y)))([...points]) ?? "";
}

/** B stops at the first point that was not reached. */
function reached(points: readonly CurvePoint[]): readonly CurvePoint[] {
  const first = points.findIndex((p) => p.truncated);
  return first < 0 ? points : points.slice(0, first);
}

function bandOf(points: readonly CurvePoint[], scales: Scales): string {
  const known = points.filter((p) => p.ci95 !== null);
  return area<CurvePoint>(
    (p) => round(scales.x(p.x)), (p) => round(scales.y(Math.max(0, p.y - (p.ci95 ?? 0)))), (p) => round(scales.y(p.y + (p.ci95 ?? 0))),
  )([...known]) ?? "";
}

/** The difference's zero crossings are put in, so that the two tints meet on the axis. */
function withCrossings(points: readonly DifferencePoint[]): readonly DifferencePoint[] {
  return points.flatMap((p, i) => {
    const before = points[i - 1];
    if (before === undefined || before.percent * p.percent >= 0) return [p];
    const x = before.x + ((p.x - before.x) * before.percent) / (before.percent - p.percent);
    return [{ x, percent: 0, ci95: null }, p];
  });
}

function tint(points: readonly DifferencePoint[], scales: Scales, keep: (percent: number) => number): string {
  return area<DifferencePoint>((p) => round(scales.x(p.x)), scales.percent(0), (p) => round(scales.percent(keep(p.percent))))([...withCrossings(points)]) ?? "";
}

/** "B ahead", "A ahead": in the area they name, clear of the label at the handle and of the even points. */
function aheadWords(model: CurveModel, frame: Frame, scales: Scales, taken: readonly Box[]): Strip["words"] {
  const isHigherBetter = model.metric === "throughput";
  return [true, false].flatMap((isB) => {
    const isPositive = isB === isHigherBetter;
    const side = model.difference.filter((p) => (isPositive ? p.percent > 0 : p.percent < 0) && Math.abs(p.percent) > (p.ci95 ?? 0));
    const [from, to] = extent(side, (p) => scales.x(p.x));
    if (from === undefined || to === undefined || to - from < 70) return [];
    const spots = (isPositive ? [0.8, 0.6, 0.9] : [0.55, 0.8, 0.3]).map((share) => {
      const x = Math.min(frame.right - 34, from + (to - from) * share);
      const here = valueAt(model.difference.map((p) => ({ x: p.x, y: p.percent })), scales.toX(x)) ?? 0;
      const tall = Math.abs(scales.percent(here) - scales.percent(0));
      const y = scales.percent(0) + (isPositive ? (tall > 22 ? -8 : -tall - 6) : tall > 22 ? 16 : tall + 16);
      return { x, y: Math.min(y, frame.stripBottom + 8) };
    });
    const spot = spots.find(({ x, y }) => !taken.some((box) => overlaps(box, textBox(x, y, 48, "middle"))));
    return spot === undefined ? [] : [{ ...spot, text: isB ? "B ahead" : "A ahead", isB }];
  });
}

function stripOf(model: CurveModel, frame: Frame, scales: Scales, domain: readonly [number, number], labels: readonly HandleLabel[]): Strip | null {
  const points = model.difference;
  const last = points.at(-1);
  if (last === undefined) return null;
  const known = points.filter((p) => p.ci95 !== null);
  const isRising = (v: number) => (points.find((p) => p.x > v)?.percent ?? 0) > 0;
  const at = scales.x(model.x);
  // The name stands where the line is on the other side of zero, unless the handle's hairline is there.
  const even = model.even.slice(0, 2).map((v) => {
    const [dot, text] = [scales.x(v), `even at ${formatFixed(v, 0)}`];
    const isCrossed = at < dot && at > dot - textWidth(text) - 6;
    const anchor = isRising(v) && !isCrossed ? "end" as const : "start" as const;
    const y = scales.percent(0) + (anchor === "start" && isRising(v) ? 16 : -8);
    const x = dot + (anchor === "end" ? 2 : -2);
    const isTaken = labels.some((item) => overlaps(item.box, textBox(x, y, textWidth(text), anchor)));
    return { x, y, dot, text: isTaken ? "" : text, anchor };
  });
  const hairline: Box = { left: at - 4, right: at + 4, top: frame.stripTop, bottom: frame.stripBottom };
  const decimals = Math.abs(last.percent) >= 100 ? 0 : 1;
  return {
    line: line<DifferencePoint>((p) => round(scales.x(p.x)), (p) => round(scales.percent(p.percent)))([...points]) ?? "",
    gain: tint(points, scales, (v) => (model.metric === "throughput" ? Math.max(0, v) : Math.min(0, v))),
    loss: tint(points, scales, (v) => (model.metric === "throughput" ? Math.min(0, v) : Math.max(0, v))),
    doubt: area<DifferencePoint>((p) => round(scales.x(p.x)), (p) => round(scales.percent(clampTo(domain, p.percent - (p.ci95 ?? 0)))),
      (p) => round(scales.percent(clampTo(domain, p.percent + (p.ci95 ?? 0)))))([...known]) ?? "",
    ticks: ticks(domain[0], domain[1], frame.isCompact ? 3 : 4).map((v) => ({ at: scales.percent(v), text: formatSigned(v, Number.isInteger(v) ? 0 : 1) })),
    zero: scales.percent(0),
    even,
    words: aheadWords(model, frame, scales, [hairline, ...labels.map((item) => item.box), ...even.map((item) => textBox(item.x, item.y, textWidth(item.text), item.anchor))]),
    end: frame.isCompact ? null : { y: scales.percent(last.percent) + 4, text: `${formatSigned(last.percent, decimals)}\u00a0%` },
  };
}

const clampTo = (domain: readonly [number, number], value: number) => Math.min(domain[1], Math.max(domain[0], value));

function xTicksOf(model: CurveModel, frame: Frame, scales: Scales, pill: { x: number; width: number }): readonly Tick[] {
  const [low, high] = model.xDomain;
  const span = high - low;
  const step = span > 24 && span <= 64 ? 8 : (ticks(low, high, 6)[1] ?? 1) - (ticks(low, high, 6)[0] ?? 0);
  const values: number[] = [];
  for (let v = Math.ceil(low / step) * step; v <= high + 1e-9; v += step) values.push(v);
  const beforeX = model.xBefore === null ? null : scales.x(model.xBefore);
  const lastWidth = textWidth(`${formatKnob(high)} ${model.xLabel}`);
  const lastLeft = frame.isCompact ? frame.right - lastWidth : frame.right - 8;
  return values
    .filter((v) => v > 0 && v < high)
    .filter((v) => Math.abs(scales.x(v) - pill.x) > pill.width / 2 + 12)
    .filter((v) => beforeX === null || Math.abs(scales.x(v) - beforeX) > 34)
    .filter((v) => scales.x(v) + 12 < lastLeft)
    .map((v) => ({ at: scales.x(v), text: formatKnob(v) }));
}

function handleOf(model: CurveModel, frame: Frame, scales: Scales): Handle {
  const x = scales.x(model.x);
  const a = valueAt(model.a, model.x);
  const b = valueAt(model.b, model.x);
  const at = valueAt(model.difference.map((p) => ({ x: p.x, y: p.percent })), model.x);
  const text = formatKnob(model.x);
  const beforeY = model.xBefore === null ? null : valueAt(model.b, model.xBefore);
  return {
    x, text, pillWidth: Math.max(32, textWidth(text, "bold") + 18),
    yB: b === null ? null : scales.y(b), yA: a === null ? null : scales.y(a), yDifference: at === null ? null : scales.percent(at),
    labels: handleLabels(model, frame, scales, { a, b, difference: at }),
    before: model.xBefore === null || model.xBefore === model.x || beforeY === null
      ? null : { x: scales.x(model.xBefore), y: scales.y(beforeY), text: `was ${formatKnob(model.xBefore)}` },
  };
}

function boundLabelOf(model: CurveModel, frame: Frame, scales: Scales, yTop: number) {
  const last = model.bound?.points.at(-1);
  if (model.bound === null || last === undefined || last.y > yTop * 1.0001) return null;
  const short = model.bound.label.split(":")[0] ?? model.bound.label;
  if (model.metric === "response") return { x: frame.right, y: scales.y(last.y) + 16, text: "bound" };
  const fits = textWidth(model.bound.label) < (frame.right - frame.left) * 0.74;
  return { x: frame.right, y: scales.y(last.y) - 8, text: frame.isCompact || !fits ? short : model.bound.label };
}

/** A bound that leaves the plot at the top is cut there. */
function boundPath(model: CurveModel, scales: Scales, yTop: number): string {
  const points = model.bound?.points ?? [];
  const inside = points.filter((p) => p.y <= yTop * 1.0001);
  const crossing = points.findIndex((p) => p.y > yTop * 1.0001);
  const a = points[crossing - 1];
  const b = points[crossing];
  const cut = a !== undefined && b !== undefined ? [{ x: a.x + ((b.x - a.x) * (yTop - a.y)) / (b.y - a.y), y: yTop }] : [];
  return pathOf(crossing < 0 ? inside : [...points.slice(0, crossing), ...cut], scales);
}

export function layoutThroughput(model: CurveModel, size: Size): ThroughputLayout {
  const frame = frameOf(model, size);
  const yTop = Math.max(size.floorY, topOf(model));
  const percentDomain = percentDomainOf(model.difference, size.floorPercent);
  const scales = scalesOf(model, frame, yTop, percentDomain);
  const handle = handleOf(model, frame, scales);
  const known = reached(model.b);
  const lastKnown = known.at(-1);
  const published = publishedMarks(model, frame, scales, handle.labels);
  return {
    frame, scales, yTop, percentDomain, handle, published,
    xTicks: xTicksOf(model, frame, scales, { x: handle.x, width: handle.pillWidth }),
    yTicks: ticks(0, yTop, frame.isCompact ? 4 : 5).map((v) => ({ at: scales.y(v), text: formatShort(v) })),
    lineA: pathOf(model.a, scales),
    lineB: pathOf(known, scales),
    bandB: bandOf(known, scales),
    dotsB: model.stage.kind === "coarse" && known.length <= 16 ? known.map((p) => ({ x: scales.x(p.x), y: scales.y(p.y) })) : [],
    family: model.family.map((curve) => pathOf(curve.points, scales)),
    familyLabels: familyLabels(model, frame, scales, published),
    bound: boundPath(model, scales, yTop),
    boundLabel: boundLabelOf(model, frame, scales, yTop),
    endLabels: frame.isCompact ? [] : endLabels(model, frame, scales),
    wall: known.length < model.b.length && lastKnown !== undefined ? { x: scales.x(lastKnown.x), top: frame.top, bottom: frame.bottom } : null,
    strip: stripOf(model, frame, scales, percentDomain, handle.labels),
  };
}

