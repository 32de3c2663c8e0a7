/** Active sessions over time: bands stacked in the order given, one column a side, one height scale for both. */
import { bisectRight, ticks } from "d3-array";
import { scaleLinear } from "d3-scale";
import type { ActiveSessionsModel, WaitClass } from "../../analysis/types";
import { formatFixed, formatKnob, formatShort } from "../../units";
import type { Column } from "../frame/columns";
import { textWidth } from "../frame/text";

export interface BandLayout {
  readonly class: WaitClass;
  readonly path: string;
  readonly rim: string;
}

export interface BandLabel {
  readonly class: WaitClass;
  readonly lines: readonly string[];
  readonly isMono: boolean;
  readonly value: string;
  readonly x: number;
  readonly y: number;
  /** Half of its width. */
  readonly reach: number;
  /** Inside its band, in the band's own ink; else above the stack. */
  readonly isInside: boolean;
  readonly isOneLine: boolean;
}

export interface ActiveSessionsLayout {
  readonly column: Column;
  readonly bands: readonly BandLayout[];
  readonly labels: readonly BandLabel[];
  readonly warmupX: number;
  readonly limitY: number | null;
  readonly limitLabel: {
    readonly text: string;
    readonly x: number;
    readonly y: number;
    readonly class: WaitClass | null;
  } | null;
  readonly xTicks: readonly {
    readonly at: number;
    readonly text: string;
    readonly anchor: "start" | "middle" | "end";
  }[];
  /** Who left the cluster: a line at its moment, and the name beside it. */
  readonly left: readonly {
    readonly x: number;
    readonly y: number;
    readonly text: string;
    readonly title: string;
    readonly anchor: "start" | "end";
  }[];
  readonly toX: (timeS: number) => number;
  readonly endS: number;
  readonly baseline: number;
  readonly top: number;
}

const TOP = 4;
const FOOT = 22;
const INSIDE_FROM = 30;
const INNER_FROM = 15;
const TWO_LINES_FROM = 48;
const LINE_HEIGHT = 14;

const round = (value: number) => Math.round(value * 100) / 100;

/** Cumulated tops of the bands, bucket by bucket. */
export function stack(model: ActiveSessionsModel): readonly (readonly number[])[] {
  const tops: number[][] = [];
  model.layers.forEach((layer, i) => {
    const below = tops[i - 1];
    tops.push(layer.values.map((value, k) => value + (below?.[k] ?? 0)));
  });
  return tops;
}

function steps(
  times: readonly number[], values: readonly number[], toX: (t: number) => number, toY: (v: number) => number,
  endX: number,
): string {
  return times
    .map(
      (t, i) =>
        `${i === 0 ? "M" : "V"}${i === 0 ? `${round(toX(t))} ` : ""}${round(toY(values[i] ?? 0))}H`
          + `${round(i + 1 < times.length ? toX(times[i + 1] ?? t) : endX)}`,
    )
    .join("");
}

/** Heights of a label's words above and below its middle. */
const spanOf = (lines: number, isOneLine: boolean): readonly [number, number] =>
  isOneLine ? [11, 4] : [lines * 8.5 + 10, lines * 8.5 + 4];

/** The middle of a label in its band, beside the line of the CPU count where that would strike it through. */
function clearOfLimit(
  middle: number, [above, below]: readonly [number, number], limitY: number | null,
  { topY, bottomY }: { topY: number; bottomY: number },
): number {
  if (limitY === null || limitY < middle - above || limitY > middle + below) return middle;
  const [over, under] = [limitY - 3 - below, limitY + 3 + above];
  if (over - above >= topY) return over;
  return under + below <= bottomY ? under : middle;
}

interface Place {
  readonly x: number;
  readonly width: number;
  readonly column: Column;
  readonly limitY: number | null;
  readonly toX: (timeS: number) => number;
  readonly toY: (value: number) => number;
}

interface Room {
  readonly x: number;
  readonly topY: number;
  readonly bottomY: number;
}

/** The strip that a band has throughout behind words: in the middle if it is tall enough there, else where tallest. */
function roomOf(
  model: ActiveSessionsModel, [above, below]: readonly [readonly number[], readonly number[]], place: Place,
  words: number, enough: number,
): Room | null {
  const { column, toX, toY } = place;
  const xs = [...model.timesS, endOf(model)].map(toX);
  const at = (i: number): number => xs[i] ?? 0;
  // Clear of the warm-up where they fit behind it.
  const left = words <= place.width ? column.right - place.width : column.left;
  const stripAt = (middle: number): Room => {
    const x = Math.max(left + words / 2, Math.min(middle, column.right - words / 2));
    const rims = (values: readonly number[]) =>
      model.timesS.flatMap((_, i) => (at(i) < x + words / 2 && at(i + 1) > x - words / 2 ? toY(values[i] ?? 0) : []));
    return { x, topY: Math.max(...rims(above)), bottomY: Math.min(...rims(below)) };
  };
  const tall = (room: Room) => room.bottomY - room.topY;
  const inTheMiddle = stripAt(place.x);
  if (tall(inTheMiddle) >= enough) return inTheMiddle;
  const best = model.timesS
    .flatMap((t, i) => (t >= model.warmupS ? [stripAt((at(i) + at(i + 1)) / 2)] : []))
    .reduce((most, room) => (tall(room) > tall(most) ? room : most), inTheMiddle);
  return tall(best) >= enough ? best : null;
}

function labelOf(
  model: ActiveSessionsModel, index: number, tops: readonly (readonly number[])[], place: Place,
): BandLabel | null {
  const layer = model.layers[index];
  if (layer === undefined || layer.mean < 0.05) return null;
  const settled = model.timesS.flatMap((t, i) => (t >= model.warmupS ? [i] : []));
  const mean = (values: readonly number[]) =>
    settled.reduce((sum, i) => sum + (values[i] ?? 0), 0) / Math.max(1, settled.length);
  const isMono = /[:]|^(db|log|latch|enq|gc)/.test(layer.label);
  const font = isMono ? "mono" : "sans";
  const value = formatFixed(layer.mean, 1);
  const rims = [tops[index] ?? [], tops[index - 1] ?? []] as const;
  const average = { x: place.x, topY: place.toY(mean(rims[0])), bottomY: place.toY(mean(rims[1])) };
  const isTop = index === model.layers.length - 1 || place.toY(mean(tops.at(-1) ?? [])) > average.topY - 3;
  const hasSky = isTop && average.topY >= 17;
  const found =
    roomOf(model, rims, place, textWidth(layer.label, font), TWO_LINES_FROM)
    ?? roomOf(model, rims, place, textWidth(`${layer.label} ${value}`, font), hasSky ? INSIDE_FROM : INNER_FROM);
  const { topY, bottomY } = found ?? average;
  const isInside = found !== null;
  const tall = bottomY - topY;
  // Words that have no room in their band nor above the stack are left out: the table says the number.
  if (tall < 2.5 || (!isInside && !hasSky)) return null;
  const isOneLine = !isInside || tall < TWO_LINES_FROM;
  const { left, right } = place.column;
  const oneLine = textWidth(`${layer.label} ${value}`, font) <= (isInside ? place.width : right - left);
  const fits = textWidth(layer.label, font) <= place.width;
  const cut = layer.label.indexOf(":") + 1 || layer.label.indexOf(" after") + 1;
  const lines =
    isOneLine || fits || cut === 0
      ? [oneLine || !isOneLine ? layer.label : shorter(layer)]
      : [layer.label.slice(0, cut).trim(), layer.label.slice(cut).trim()];
  // Little is left of a short run behind its warm-up: words may reach back over that, and not out of the column.
  const widest = isOneLine ? [`${lines.join(" ")} ${value}`] : [...lines, value];
  const reach = Math.max(...widest.map((line) => textWidth(line, font))) / 2;
  return {
    class: layer.class, lines, isMono, value, isInside, isOneLine, reach,
    x: Math.max(left + reach, Math.min((found ?? average).x, right - reach)),
    y: isInside
      ? clearOfLimit((topY + bottomY) / 2 + 4, spanOf(lines.length, isOneLine), place.limitY, { topY, bottomY })
      : topY - 6,
  };
}

/** What is said where there is no room for an event's name: its class, which a word of the name would not tell. */
const shorter = ({ label, class: name }: ActiveSessionsModel["layers"][number]): string =>
  name === "CPU" ? label : name;

/** Of words in bands that would lie over one another the lower ones stay: the table says the others' numbers. */
export function withoutOverlaps(labels: readonly BandLabel[]): readonly BandLabel[] {
  const kept: BandLabel[] = [];
  for (const label of labels) {
    const isOver = ({ x, y, reach }: BandLabel) =>
      Math.abs(y - label.y) < LINE_HEIGHT && Math.abs(x - label.x) < reach + label.reach;
    if (!label.isInside || !kept.some(isOver)) kept.push(label);
  }
  return kept;
}

/** Labels that stand above their thin bands are pushed up until they are clear of one another. */
function clearAbove(labels: readonly BandLabel[]): readonly BandLabel[] {
  let ceiling = Number.POSITIVE_INFINITY;
  return labels.map((label) => {
    if (label.isInside) return label;
    const y = Math.max(11, Math.min(label.y, ceiling - 15));
    ceiling = y;
    return { ...label, y };
  });
}

/** Whole steps over time: at most four numbers and the unit. */
function timeTicks(
  model: ActiveSessionsModel, column: Column, toX: (t: number) => number, endS: number,
): ActiveSessionsLayout["xTicks"] {
  const unit = endS >= 1 ? 1 : 1000;
  const suffix = unit === 1 ? "s" : "ms";
  const warmEnd = column.left + Math.max(textWidth("warm-up cut") + 10, toX(model.warmupS) - column.left);
  const last = `${formatShort(endS * unit)} ${suffix}`;
  const isClear = (t: number): boolean =>
    toX(t) + textWidth(formatKnob(t * unit)) / 2 + 6 < column.right - textWidth(last);
  const inner = ticks(0, endS, 4).filter((t) => toX(t) - 14 > warmEnd && isClear(t));
  return [
    ...(model.warmupS > 0
      ? [{ at: column.left, text: "warm-up cut", anchor: "start" as const }]
      : [{ at: column.left, text: "0", anchor: "start" as const }]),
    ...inner.map((t) => ({ at: toX(t), text: formatKnob(t * unit), anchor: "middle" as const })),
    { at: column.right, text: last, anchor: "end" as const },
  ];
}

/** Words stand on the side where there is more room, each a line below the one before, clear of the limit's name. */
function departures(
  model: ActiveSessionsModel, { left, right }: Column, toX: (t: number) => number,
  limit: ActiveSessionsLayout["limitLabel"],
): ActiveSessionsLayout["left"] {
  const first = TOP + 11;
  const start = limit !== null && Math.abs(limit.y - first) < 15 ? limit.y + 15 : first;
  return model.left.map(({ atS, who, why }, i) => {
    const x = toX(atS);
    const isRight = right - x >= x - left;
    return {
      x, y: start + i * 15, text: `${who} leaves`, anchor: isRight ? "start" : "end",
      title: `${who} leaves the cluster after ${formatShort(atS)} s: ${why}`,
    };
  });
}

export function layoutActiveSessions(
  model: ActiveSessionsModel, column: Column, height: number, yMax: number,
): ActiveSessionsLayout {
  const baseline = height - FOOT;
  const endS = endOf(model);
  const toX = scaleLinear([0, endS || 1], [column.left, column.right]);
  const toY = scaleLinear([0, yMax], [baseline, TOP]);
  const tops = stack(model);
  const warmupX = Math.min(column.right, toX(model.warmupS));
  const limitY = model.cpuLine > 0 && model.cpuLine <= yMax ? toY(model.cpuLine) : null;
  const middle = {
    x: (warmupX + column.right) / 2, width: column.right - warmupX, column, limitY, toX, toY,
  };
  const bands = model.layers.map((layer, i) => {
    const rim = steps(model.timesS, tops[i] ?? [], toX, toY, column.right);
    return { class: layer.class, rim, path: rim === "" ? "" : `${rim}V${baseline}H${round(column.left)}Z` };
  });
  const labels = clearAbove(withoutOverlaps(model.layers.flatMap((_, i) => labelOf(model, i, tops, middle) ?? [])));
  const limitLabel =
    limitY === null ? null : limitLabelOf(model, tops, { right: column.right, limitY, toY }, labels);
  return {
    column, bands: bands.toReversed(), labels, warmupX, limitY, baseline, toX, endS, top: TOP,
    limitLabel, xTicks: timeTicks(model, column, toX, endS), left: departures(model, column, toX, limitLabel),
  };
}

/** The limit's name stands on the line's end, above it, in the ink of the band behind it; left out where a label is. */
function limitLabelOf(
  model: ActiveSessionsModel, tops: readonly (readonly number[])[],
  at: { right: number; limitY: number; toY: (v: number) => number },
  labels: readonly BandLabel[],
): ActiveSessionsLayout["limitLabel"] {
  const y = at.limitY < 18 ? at.limitY + 14 : at.limitY - 5;
  const isTaken = labels.some(
    (label) => Math.abs(label.y - y) < 17 || (label.isInside && !label.isOneLine && Math.abs(label.y + 12 - y) < 17),
  );
  if (isTaken) return null;
  // The ink of one band only where that band is behind the whole label; else ink with a halo.
  const under = (i: number): number => tops.findIndex((values) => at.toY(values[i] ?? 0) <= y - 11);
  const count = model.timesS.length;
  const behind = new Set(
    model.timesS
      .map((_, i) => i)
      .filter((i) => i >= count * 0.66)
      .map(under),
  );
  const [only] = behind;
  return {
    text: model.cpuLine === 1 ? "1 thread" : `${formatKnob(model.cpuLine)} threads`, x: at.right - 4, y,
    class: behind.size === 1 && only !== undefined ? (model.layers[only]?.class ?? null) : null,
  };
}

export const endOf = (model: ActiveSessionsModel): number => (model.timesS.at(-1) ?? 0) + model.bucketS;

export const hasEnded = (model: ActiveSessionsModel, timeS: number): boolean => timeS >= endOf(model);

export function bucketAt(model: ActiveSessionsModel, timeS: number): number {
  return Math.max(0, Math.min(model.timesS.length - 1, bisectRight([...model.timesS], timeS) - 1));
}
