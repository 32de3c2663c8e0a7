/** Where everything in the throughput chart stands: numbers in, pixels out. The difference strip shares the x axis. */
import { extent, ticks } from "d3-array";
import { isSketch, reached } from "../../analysis";
import type { CurveModel, CurvePoint, DifferencePoint } from "../../analysis/types";
import { formatFixed, formatKnob, formatShort, formatSigned } from "../../units";
import {
  inStrip, leftMargin, percentDomainOf, placeText, scalesOf, xTicksOf, yDomainOf, yTickValues,
  type Tick, type YDomain,
} from "./axes";
import { areaPath, linePath, unbroken, type Place } from "./paths";
import { differenceText } from "./words";
import { overlaps, textBox, textWidth, type Box } from "../frame/text";
import {
  changeMarks, comparedPoints, endLabels, familyLabels, handleLabels, placeOfEnd, publishedMarks, type ChangeMark,
  type EndLabel, type FamilyLabel, type HandleLabel, type PublishedMark,
} from "./labels";
import { valueAt, valueOn, type Frame, type Scales } from "./plane";

export interface Size {
  readonly width: number;
  readonly height: number;
  /** y axis top that may not shrink, while something is in the hand. */
  readonly floorY: number;
  readonly floorPercent: readonly [number, number];
}

export interface Strip {
  readonly line: string;
  readonly gain: string;
  readonly loss: string;
  readonly doubt: string;
  readonly ticks: readonly Tick[];
  readonly zero: number;
  readonly even: readonly {
    readonly x: number;
    readonly y: number;
    readonly dot: number;
    readonly text: string;
    readonly anchor: "start" | "end";
  }[];
  readonly words: readonly { readonly x: number; readonly y: number; readonly text: string; readonly isB: boolean }[];
  readonly end: { readonly y: number; readonly text: string } | null;
  readonly published: readonly ChangeMark[];
}

export interface Handle {
  readonly x: number;
  readonly xA: number;
  readonly yB: number | null;
  readonly yA: number | null;
  readonly yDifference: number | null;
  readonly text: string;
  readonly pillWidth: number;
  readonly labels: readonly HandleLabel[];
  readonly before: { readonly x: number; readonly y: number; readonly text: string } | null;
}

/** Where a line ends because no further point was reached. */
export interface Wall {
  readonly x: number;
  /** What it is of, where the other line ends elsewhere. */
  readonly text: string;
  readonly textY: number;
  readonly top: number;
  readonly bottom: number;
  readonly textX: number;
  readonly anchor: "start" | "end";
}

export interface ThroughputLayout {
  readonly frame: Frame;
  readonly scales: Scales;
  readonly yTop: number;
  /** Where zero lies; the foot of the plot where the axis has none. */
  readonly zeroY: number;
  readonly percentDomain: readonly [number, number];
  /** Whether places are words: dots, no lines between them. */
  readonly isOrdinal: boolean;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly lineA: string;
  readonly lineB: string;
  readonly bandB: string;
  readonly dotsB: readonly { readonly x: number; readonly y: number }[];
  /** Of words: A's rings, and what each dot might as well be. */
  readonly dotsA: readonly { readonly x: number; readonly y: number }[];
  readonly whiskers: string;
  readonly family: readonly string[];
  readonly familyLabels: readonly FamilyLabel[];
  readonly bound: string;
  readonly boundLabel: { readonly x: number; readonly y: number; readonly text: string } | null;
  readonly published: readonly PublishedMark[];
  readonly endLabels: readonly EndLabel[];
  readonly walls: readonly Wall[];
  readonly strip: Strip | null;
  readonly handle: Handle;
}

const COMPACT_BELOW = 480;

function frameOf(model: CurveModel, size: Size, domain: YDomain): Frame {
  const isCompact = size.width < COMPACT_BELOW;
  const right = isCompact ? size.width - 4 : size.width - endMargin(model);
  const stripBottom = size.height - (isCompact ? 32 : 36);
  const whole = isCompact ? 62 : Math.min(140, Math.max(92, size.height * 0.235));
  // Where A and B differ in the axis itself, and by much, there is nothing to magnify: the plot takes the strip's room.
  const hasStrip = model.xA === null || model.difference.length > 0;
  const stripTop = stripBottom - (hasStrip ? whole : 0);
  return {
    width: size.width, height: size.height, isCompact, right, stripTop, stripBottom,
    left: leftMargin(domain, isCompact), top: isCompact ? 33 : 34,
    bottom: stripTop - (!hasStrip ? 0 : isCompact ? 40 : 42),
    axisText: size.height - 8,
  };
}

/** Room right of the plot for the names at the lines' ends, in steps so that it does not breathe with every digit. */
function endMargin(model: CurveModel): number {
  const longest = Math.max(...[model.alongA, model.alongB].map((name) => textWidth(`B ${name}: 0.00`)));
  return Math.min(156, Math.max(100, Math.ceil((longest + 12) / 28) * 28));
}

const round = (value: number) => Math.round(value * 100) / 100;

type Dot = { readonly x: number; readonly y: number };

const dotsOf = (points: readonly Dot[], scales: Scales): Dot[] =>
  points.map((p) => ({ x: round(scales.x(p.x)), y: round(scales.y(p.y)) }));

/** A stroke at the height of each point: a family has no lines where places are words. */
function strokesOf(points: readonly Dot[], scales: Scales): string {
  return dotsOf(points, scales).map(({ x, y }) => `M${x - 12} ${y}h24`).join("");
}

function whiskersOf(points: readonly CurvePoint[], scales: Scales): string {
  return points
    .filter((p) => p.ci95 !== null)
    .map(
      (p) => `M${round(scales.x(p.x))} ${round(scales.y(p.y - (p.ci95 ?? 0)))}V${round(scales.y(p.y + (p.ci95 ?? 0)))}`,
    )
    .join("");
}

function pathOf(points: readonly Dot[], scales: Scales): string {
  return linePath(points.map((p) => [round(scales.x(p.x)), round(scales.y(p.y))]));
}

/** Why nothing is drawn beyond: its words stand where the plot has room for them. */
export const WALL_WORDS = "event budget spent";

function wallsOf({ a, b }: CurveModel, { top, bottom, right }: Frame, scales: Scales): readonly Wall[] {
  const sides = [["A", a], ["B", b]] as const;
  const ends = sides.flatMap(([side, points]) => {
    const known = reached(points);
    return known.length < points.length ? [{ side, x: scales.x(known.at(-1)?.x ?? 0) }] : [];
  });
  // One of both, where both end there, and of the only line there is.
  const areOne = a.length === 0 || (ends.length === 2 && ends[0]?.x === ends[1]?.x);
  return (areOne ? ends.slice(0, 1) : ends).map(({ side, x }, i) => {
    const text = areOne ? WALL_WORDS : `${side}: ${WALL_WORDS}`;
    const isRight = x + 6 + textWidth(text) <= right;
    // At the top, for the marks of the present value are most often further down.
    return {
      x, top, bottom, text, textX: isRight ? x + 6 : x - 6, textY: top + 10 + 16 * i,
      anchor: isRight ? "start" : "end",
    };
  });
}

/** As far as it is within the plot. */
function bandOf(points: readonly CurvePoint[], scales: Scales, frame: Frame): string {
  const within = (value: number): number => round(Math.min(frame.bottom, Math.max(frame.top, scales.y(value))));
  const edge = (known: readonly CurvePoint[], sign: number) =>
    known.map((p): Place => [round(scales.x(p.x)), within(p.y + sign * (p.ci95 ?? 0))]);
  return unbroken(points).map((known) => areaPath(edge(known, -1), edge(known, 1))).join("");
}

/** The difference's zero crossings are put in, so that the two tints meet on the axis. */
function withCrossings(points: readonly DifferencePoint[]): readonly DifferencePoint[] {
  return points.flatMap((p, i) => {
    const before = points[i - 1];
    if (before === undefined || before.value * p.value >= 0) return [p];
    const x = before.x + ((p.x - before.x) * before.value) / (before.value - p.value);
    return [{ x, value: 0, ci95: null }, p];
  });
}

function tint(
  points: readonly DifferencePoint[], scales: Scales, isOrdinal: boolean, keep: (value: number) => number,
): string {
  const zero = round(scales.percent(0));
  if (isOrdinal)
    return points
      .filter((p) => keep(p.value) !== 0)
      .map((p) => `M${round(scales.x(p.x) - 12)} ${zero}h24V${round(scales.percent(p.value))}h-24z`)
      .join("");
  const edge = (yOf: (value: number) => number) =>
    withCrossings(points).map((p): Place => [round(scales.x(p.x)), yOf(p.value)]);
  return areaPath(edge(() => scales.percent(0)), edge((value) => round(scales.percent(keep(value)))));
}

/** What is printed as 0.0 is no lead [%]. */
const LEAST_LEAD = 0.05;

/** "B ahead", "A ahead": where that is certain, clear of the label at the handle and of the even points. */
function aheadWords(model: CurveModel, frame: Frame, scales: Scales, taken: readonly Box[]): Strip["words"] {
  if (model.metric.better === "neither" || model.xWords !== null || model.xA !== null) return [];
  const isHigherBetter = model.metric.better === "up";
  return [true, false].flatMap((isB) => {
    const isPositive = isB === isHigherBetter;
    const least = model.differenceUnit === "%" ? LEAST_LEAD : 0;
    const side = model.difference.filter(
      (p) => p.value > 0 === isPositive && p.ci95 !== null && Math.abs(p.value) > Math.max(p.ci95, least),
    );
    const [from, to] = extent(side, (p) => scales.x(p.x));
    if (from === undefined || to === undefined || to - from < 70) return [];
    const spots = (isPositive ? [0.8, 0.6, 0.9] : [0.55, 0.8, 0.3]).map((share) => {
      const x = Math.min(frame.right - 34, from + (to - from) * share);
      const here = valueAt(model.difference.map((p) => ({ x: p.x, y: p.value })), scales.toX(x)) ?? 0;
      const tall = Math.abs(scales.percent(here) - scales.percent(0));
      const y = scales.percent(0) + (isPositive ? (tall > 22 ? -8 : -tall - 6) : tall > 22 ? 16 : tall + 16);
      return { x, y: Math.min(y, frame.stripBottom + 8) };
    });
    const isAhead = (x: number): boolean =>
      side.some((p) => p === model.difference.find((at) => at.x >= scales.toX(x)));
    const spot = spots.find(
      ({ x, y }) => isAhead(x) && !taken.some((box) => overlaps(box, textBox(x, y, 48, "middle"))),
    );
    return spot === undefined ? [] : [{ ...spot, text: isB ? "B ahead" : "A ahead", isB }];
  });
}

/** None where the handle says it: against where A stands, at the end. */
function differenceEnd(model: CurveModel, scales: Scales, last: DifferencePoint): Strip["end"] {
  if (model.xA !== null && model.x === last.x) return null;
  const text = `${differenceText(model, last.value)}${placeOfEnd(model, last.x)}`;
  return { y: scales.percent(last.value) + 4, text };
}

/** Between whole numbers: of those that were not tried nobody knows on which side they lie. */
function evenText({ difference, isWhole, xDomain }: CurveModel, v: number): string {
  const i = difference.findIndex(({ x }) => x >= v);
  const [from = v, to = v] = [difference[i - 1]?.x, difference[i]?.x];
  const [left, right] = [from, to].map(formatKnob);
  return isWhole === true && to > v
    ? to - from > 1 ? `even ${left} to ${right}` : `even between ${left} and ${right}`
    : `even at ${formatFixed(v, v < 10 && !Number.isInteger(xDomain[1]) ? 1 : 0)}`;
}

function stripOf(
  model: CurveModel, frame: Frame, scales: Scales, domain: readonly [number, number], labels: readonly HandleLabel[],
): Strip | null {
  const points = model.difference;
  const last = points.at(-1);
  if (last === undefined) return null;
  const isRising = (v: number) => (points.find((p) => p.x > v)?.value ?? 0) > 0;
  const at = scales.x(model.x);
  const isOrdinal = model.xWords !== null;
  const { better } = model.metric;
  const [up, down] = [(v: number) => Math.max(0, v), (v: number) => Math.min(0, v)];
  const [gain, loss] = better === "down" ? [down, up] : [up, down];
  // The name stands where the line is on the other side of zero, unless the handle's hairline is there.
  const even = (isOrdinal ? [] : model.even.slice(0, 2)).map((v) => {
    const [dot, text] = [scales.x(v), evenText(model, v)];
    const start = dot - textWidth(text);
    const isCrossed = start < frame.left || (at < dot && at > start - 6);
    const anchor = isRising(v) && !isCrossed ? ("end" as const) : ("start" as const);
    const y = scales.percent(0) + (anchor === "start" && isRising(v) ? 16 : -8);
    const x = dot + (anchor === "end" ? -2 : 2);
    const isTaken = labels.some((item) => overlaps(item.box, textBox(x, y, textWidth(text), anchor)));
    return { x, y, dot, text: isTaken ? "" : text, anchor };
  });
  const hairline: Box = { left: at - 4, right: at + 4, top: frame.stripTop, bottom: frame.stripBottom };
  return {
    line: isOrdinal ? "" : linePath(points.map((p) => [round(scales.x(p.x)), round(scales.percent(p.value))])),
    gain: better === "neither" ? "" : tint(points, scales, isOrdinal, gain),
    loss: tint(points, scales, isOrdinal, better === "neither" ? (v) => v : loss),
    doubt: doubtOf(unbroken(points), scales, domain, isOrdinal),
    ticks: differenceTicks(domain, frame.isCompact ? 3 : 4).map(({ value, text }) => ({
      at: scales.percent(value), text,
    })),
    zero: scales.percent(0),
    even,
    words: aheadWords(model, frame, scales, [
      hairline, ...labels.map((item) => item.box),
      ...even.map((item) => textBox(item.x, item.y, textWidth(item.text), item.anchor)),
    ]),
    end: frame.isCompact || isOrdinal ? null : differenceEnd(model, scales, last),
    published: changeMarks(model, frame, scales),
  };
}

/** From 10,000 on in thousands, for six letters have room beside the axis; else in as many digits as they differ in. */
function differenceTicks([low, high]: readonly [number, number], count: number) {
  const values = ticks(low, high, count);
  const step = (values[1] ?? 1) - (values[0] ?? 0);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const textOf = (value: number): string => {
    if (value === 0) return "0";
    if (Math.max(-low, high) >= 1e4) return `${formatSigned(value / 1000, step < 1000 ? 1 : 0)}\u00a0k`;
    return formatSigned(value, Number.isInteger(value) ? 0 : decimals);
  };
  return values.map((value) => ({ value, text: textOf(value) }));
}

function doubtOf(
  known: readonly (readonly DifferencePoint[])[], scales: Scales, domain: readonly [number, number],
  isOrdinal: boolean,
): string {
  const [low, high] = ([-1, 1] as const).map(
    (sign) => (p: DifferencePoint) => round(scales.percent(clampTo(domain, p.value + sign * (p.ci95 ?? 0)))),
  );
  if (low === undefined || high === undefined) return "";
  const mark = (p: DifferencePoint): string => `M${round(scales.x(p.x) - 3)} ${low(p)}h6V${high(p)}h-6z`;
  if (isOrdinal) return known.flat().map(mark).join("");
  const edge = (points: readonly DifferencePoint[], yOf: typeof low) =>
    points.map((p): Place => [round(scales.x(p.x)), yOf(p)]);
  return known.map((points) => areaPath(edge(points, low), edge(points, high))).join("");
}

const clampTo = (domain: readonly [number, number], value: number) => Math.min(domain[1], Math.max(domain[0], value));

function handleOf(model: CurveModel, frame: Frame, scales: Scales): Handle {
  const x = scales.x(model.x);
  const ofA = model.xA !== null && model.a.length === 0 ? model.b : model.a;
  const [a, b] = [valueOn(ofA, model.xA ?? model.x, scales), valueOn(model.b, model.x, scales)];
  const at = valueOn(model.difference.map((p) => ({ x: p.x, y: p.value })), model.x, scales);
  const text = placeText(model, model.x);
  const beforeY = model.xBefore === null ? null : valueOn(model.b, model.xBefore, scales);
  return {
    x, xA: model.xA === null ? x : scales.x(model.xA), text, pillWidth: Math.max(32, textWidth(text, "bold") + 18),
    yB: b === null ? null : scales.y(b), yA: a === null ? null : scales.y(a),
    yDifference: at === null ? null : scales.percent(at),
    labels: handleLabels(model, frame, scales, { a, b, difference: at }),
    before:
      model.xBefore === null || model.xBefore === model.x || beforeY === null
        ? null
        : { x: scales.x(model.xBefore), y: scales.y(beforeY), text: `was ${placeText(model, model.xBefore)}` },
  };
}

function boundLabelOf(model: CurveModel, frame: Frame, scales: Scales, yTop: number) {
  const last = model.bound?.points.at(-1);
  if (model.bound === null || last === undefined || last.y > yTop * 1.0001) return null;
  const short = model.bound.label.split(":")[0] ?? model.bound.label;
  if (model.metric.better === "down") return { x: frame.right, y: scales.y(last.y) + 16, text: "bound" };
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
  const cut =
    a !== undefined && b !== undefined ? [{ x: a.x + ((b.x - a.x) * (yTop - a.y)) / (b.y - a.y), y: yTop }] : [];
  return pathOf(crossing < 0 ? inside : [...points.slice(0, crossing), ...cut], scales);
}

export function layoutThroughput(model: CurveModel, size: Size): ThroughputLayout {
  const yDomain = yDomainOf(model, size.floorY);
  const yTop = yDomain.to;
  const frame = frameOf(model, size, yDomain);
  const percentDomain = percentDomainOf(inStrip(model), size.floorPercent, model.differenceUnit);
  const scales = scalesOf(model, frame, yDomain, percentDomain);
  const isOrdinal = model.xWords !== null;
  const lineOf = (points: readonly Dot[]): string => (isOrdinal ? "" : pathOf(points, scales));
  const handle = handleOf(model, frame, scales);
  const known = reached(model.b);
  const knownA = reached(model.a);
  const published = publishedMarks(model, frame, scales, handle);
  return {
    frame,
    scales,
    yTop,
    isOrdinal,
    percentDomain,
    handle,
    published,
    xTicks: xTicksOf(model, frame, scales, { x: handle.x, width: handle.pillWidth }),
    zeroY: yDomain.isLog ? frame.bottom : scales.y(0),
    yTicks: yTickValues(yDomain, frame.isCompact).map((v) => ({ at: scales.y(v), text: formatShort(v) })),
    lineA: lineOf(knownA),
    lineB: lineOf(known),
    bandB: isOrdinal ? "" : bandOf(known, scales, frame),
    dotsB: isOrdinal || (isSketch(model.stage) && known.length <= 16) ? dotsOf(known, scales) : [],
    dotsA: isOrdinal ? dotsOf(knownA, scales) : [],
    whiskers: isOrdinal ? whiskersOf(known, scales) : "",
    family: model.family.map((curve) => (isOrdinal ? strokesOf(curve.points, scales) : pathOf(curve.points, scales))),
    familyLabels: familyLabels(model, frame, scales, published),
    bound: boundPath(model, scales, yTop),
    boundLabel: boundLabelOf(model, frame, scales, yTop),
    endLabels: frame.isCompact ? [] : endLabels(model, frame, scales),
    walls: wallsOf(model, frame, scales),
    strip: stripOf({ ...model, difference: comparedPoints(model) }, frame, scales, percentDomain, handle.labels),
  };
}

