/** The words on the throughput chart: placed beside what they name, never on one another. */
import { reached } from "../../analysis";
import type { CurveModel, CurvePoint } from "../../analysis/types";
import { formatMs, formatNumber } from "../../units";
import { overlaps, textBox, textWidth, type Box } from "../frame/text";
import { placeText, publishedChanges } from "./axes";
import { differenceText, differenceWidth } from "./words";
import { isBetween, valueAt, type Frame, type Place, type Scales } from "./plane";

type Anchor = "start" | "middle" | "end";

export interface EndLabel {
  readonly side: "A" | "B";
  readonly name: string;
  readonly value: string;
  readonly x: number;
  readonly y: number;
}

export interface FamilyLabel {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** The lowest numeral carries the name of what is counted. */
  readonly name: string | null;
}

export interface PublishedMark {
  readonly x: number;
  readonly y: number;
  readonly role: string;
  readonly hasMoved: boolean;
  readonly label: { readonly text: string; readonly x: number; readonly y: number; readonly anchor: Anchor } | null;
  readonly box: Box;
}

/** A published change against where A stands: a cross in the strip, and its words beside it. */
export interface ChangeMark {
  readonly x: number;
  readonly y: number;
  readonly textX: number;
  readonly text: string;
  readonly anchor: "start" | "end";
}

export interface HandleLabel {
  readonly kind: "A" | "B" | "difference";
  readonly text: string;
  readonly suffix: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: Anchor;
  readonly box: Box;
}

const LINE = 16;

/** In the unit of the axis, but for milliseconds on an axis that goes far into seconds; no time, of what never is. */
const valueText = ({ unit }: CurveModel, value: number): string =>
  value === 0 && /^(m|µ)?s$/.test(unit) ? "none"
    : unit === "s" && value > 0 && value < 0.1 ? formatMs(value * 1000) : formatNumber(value);

const isAtEnd = (model: CurveModel, frame: Frame, scales: Scales): boolean => frame.right - scales.x(model.x) < 12;

/** Room beside the lines in which their ends are named. */
const ROOM_FOR_ENDS = 60;

/** Where lines end; one without points is no end. */
const endsOf = ({ a, b }: CurveModel): readonly number[] => [a, b].flatMap((points) => reached(points).at(-1)?.x ?? []);

/** The difference as far as both lines go: beyond, one of the two was not reached. */
export function comparedPoints(model: CurveModel): CurveModel["difference"] {
  return model.difference.filter(({ x }) => endsOf(model).every((end) => x <= end));
}

/** Where a value at the end of a line is of, if not all lines end there, or all do far from the end of the axis. */
export function placeOfEnd(model: CurveModel, x: number): string {
  const [from, to] = model.xDomain;
  return endsOf(model).every((end) => end === x) && x >= (from + to) / 2 ? "" : ` at ${placeText(model, x)}`;
}

/** Names at the lines' ends, pushed apart to one line of type. */
export function endLabels(model: CurveModel, frame: Frame, scales: Scales): readonly EndLabel[] {
  const b = reached(model.b).at(-1);
  const a = reached(model.a).at(-1);
  if (b === undefined) return [];
  // Clear of the handle where that stands at the end.
  const isHeldThere = isAtEnd(model, frame, scales);
  const x = frame.right + (isHeldThere ? 24 : 8);
  const room = frame.width - x;
  const make = (side: "A" | "B", name: string, point: CurvePoint, y: number): EndLabel => {
    const isUnbound = model.xWords === null && model[`endless${side}`].some((place) => place > point.x);
    const text = isUnbound ? "no bound" : `${valueText(model, point.y)}${placeOfEnd(model, point.x)}`;
    return { side, x, y: y + 4, value: text, name: textWidth(`${side} ${name}: ${text}`) > room + 8 ? "" : name };
  };
  const yB = scales.y(b.y);
  if (a === undefined) return [make("B", model.alongB, b, yB)];
  const yA = scales.y(a.y);
  const push = Math.max(0, LINE - Math.abs(yA - yB)) / 2;
  const sign = yA >= yB ? 1 : -1;
  return [make("B", model.alongB, b, yB - sign * push), make("A", model.alongA, a, yA + sign * push)];
}

/** Numerals on the family like heights on contours; the column steps aside for the handle. */
export function familyLabels(
  model: CurveModel, frame: Frame, scales: Scales, published: readonly PublishedMark[],
): readonly FamilyLabel[] {
  const width = frame.right - frame.left;
  const clearOf = (x: number) => Math.abs(x - scales.x(model.x)) > width * 0.13;
  const x = [0.27, 0.42, 0.6].map((share) => frame.left + width * share).find(clearOf) ?? frame.left + width * 0.75;
  const at = scales.toX(x);
  const heights = model.family
    .map((curve) => ({ text: curve.label, value: valueAt(curve.points, at) }))
    .flatMap((row) => (row.value === null ? [] : [{ text: row.text, y: scales.y(row.value) }]))
    .toSorted((one, other) => other.y - one.y);
  const yB = heightAt(model.b, at, scales);
  const yA = heightAt(model.a, at, scales);
  const kept: FamilyLabel[] = [];
  for (const row of heights.filter(({ y }) => y > frame.top)) {
    const isClear = [yB, yA, kept.at(-1) === undefined ? null : (kept.at(-1)?.y ?? 0) - 4].every(
      (y) => y === null || Math.abs(y - row.y) >= 12,
    );
    const box = textBox(x, row.y + 4, 16, "middle");
    if (isClear && !published.some((mark) => overlaps(mark.box, box))) {
      kept.push({ text: row.text, x, y: row.y + 4, name: kept.length === 0 ? model.familyName : null });
    }
  }
  return kept;
}

function heightAt(points: CurveModel["a"], at: number, scales: Scales): number | null {
  const value = valueAt(points, at);
  return value === null ? null : scales.y(value);
}

/** Whether A's value right of the handle would stand in a name at the end of a line. */
function meetsEnds(model: CurveModel, frame: Frame, scales: Scales, a: number | null): boolean {
  if (a === null || frame.isCompact || model.xA !== null) return false;
  const right = scales.x(model.x) + 10 + textWidth(`A ${valueText(model, a)}`);
  const y = Math.max(...[a, valueAt(model.b, model.x) ?? a].map((value) => scales.y(value))) + 18;
  return endLabels(model, frame, scales).some((end) => end.x < right + 4 && Math.abs(end.y - y) < LINE);
}

/** Between points that are not alike a value is only about so. */
function aboutOf({ a, b, x, xA }: CurveModel): { readonly a: string; readonly b: string } {
  const of = (points: CurveModel["a"], at: number): string => (isBetween(points, at) ? "≈ " : "");
  return { a: of(xA !== null && a.length === 0 ? b : a, xA ?? x), b: of(b, x) };
}

/** A line that rises from the ring runs through what stands above it; between the rings there may be room. */
function clearOfItsLine(
  model: CurveModel, scales: Scales, above: HandleLabel, [yB, yA]: readonly [number, number],
): HandleLabel {
  if (yA - yB < 3 * LINE || !runsThrough(onPlane(model.b, scales), above.box)) return above;
  return label(above.kind, above.text, above.suffix, above.x, yB + 18, above.anchor);
}

/** Under a ring, but off the axis: where there is no room for so many lines before it, over the ring. */
function under(frame: Frame, ring: number, lines = 1): number {
  const last = frame.bottom - 5 - LINE * (lines - 1);
  return last < ring + 12 ? ring - 8 - LINE * (lines - 1) : Math.min(ring + 18, last);
}

/** The values at the handle: B left, A right of the hairline, under both rings; near the left edge above and below. */
function valuesAt(
  model: CurveModel, frame: Frame, scales: Scales,
  at: { readonly a: number | null; readonly b: number | null },
): readonly HandleLabel[] {
  const x = scales.x(model.x);
  const yA = at.a === null ? null : scales.y(at.a);
  const isApart = model.xA !== null;
  const yB = at.b === null ? null : scales.y(at.b);
  const isLeft = x - frame.left < Math.min(124, (frame.right - frame.left) * 0.28);
  const isRight = !isLeft && (frame.width - x < 76 || meetsEnds(model, frame, scales, at.a));
  const lower = under(frame, Math.max(yA ?? 0, yB ?? 0), isRight || (isLeft && yA === yB) ? 2 : 1);
  const upper = Math.min((yA ?? 1e9) - 13, (yB ?? 1e9) - 13, lower - LINE);
  const about = aboutOf(model);
  const upperB = isLeft && !isApart && yA !== null && yB !== null && yB < yA;
  const ofB = at.b === null || yB === null ? null : label(
    "B", `B ${about.b}${valueText(model, at.b)}`, "", isLeft ? x + 10 : x - 10,
    isApart ? under(frame, yB) : upperB ? upper : lower, isLeft ? "start" : "end",
  );
  const labels = ofB === null ? [] : [upperB ? clearOfItsLine(model, scales, ofB, [yB, yA]) : ofB];
  if (at.a !== null && yA !== null && model.xA !== null) {
    const [text, xA] = [`A ${about.a}${valueText(model, at.a)}`, scales.x(model.xA)];
    const half = textWidth(text) / 2;
    const [textX, anchor] =
      xA + half > frame.width
        ? [frame.width, "end" as const]
        : xA - half < frame.left + 4
          ? [frame.left + 4, "start" as const]
          : [xA, "middle" as const];
    labels.push(label("A", text, "", textX, Math.max(12, yA - 13), anchor));
  } else if (at.a !== null && yA !== null) {
    const besideB = isRight
      ? lower + LINE
      : isLeft && yB !== null && yA < yB
        ? upper
        : isLeft
          ? lower + (yA === yB ? LINE : 0)
          : lower;
    labels.push(
      label(
        "A", `A ${about.a}${valueText(model, at.a)}`, "", isRight ? x - 10 : x + 10, Math.max(12, besideB),
        isRight ? "end" : "start",
      ),
    );
  }
  return labels;
}

/** The values and their difference; at the end of the lines their names there have the values. */
export function handleLabels(
  model: CurveModel, frame: Frame, scales: Scales,
  at: { readonly a: number | null; readonly b: number | null; readonly difference: number | null },
): readonly HandleLabel[] {
  const hasRoom = frame.width - frame.right > ROOM_FOR_ENDS;
  const areAtEnds =
    isAtEnd(model, frame, scales) && hasRoom && model.xA === null && placeOfEnd(model, model.x) === "";
  const values = areAtEnds ? [] : valuesAt(model, frame, scales, at);
  return at.difference === null ? values : [...values, differenceLabel(model, frame, scales, at.difference)];
}

const changeBox = ({ textX, y, text, anchor }: ChangeMark): Box => textBox(textX, y + 4, textWidth(text), anchor);

/** Those whose words would lie on an earlier one's have a cross alone. */
export function changeMarks(model: CurveModel, frame: Frame, scales: Scales): readonly ChangeMark[] {
  const taken: Box[] = [];
  return publishedChanges(model).map(({ x: place, value }) => {
    const [x, y, text] = [scales.x(place), scales.percent(value), `published ${differenceText(model, value)}`];
    const isLate = x > frame.width / 2;
    const mark: ChangeMark = { x, y, text, textX: isLate ? x - 8 : x + 8, anchor: isLate ? "end" : "start" };
    const box = changeBox(mark);
    if (taken.some((other) => overlaps(other, box))) return { ...mark, text: "" };
    taken.push(box);
    return mark;
  });
}

function differenceLabel(model: CurveModel, frame: Frame, scales: Scales, value: number): HandleLabel {
  const x = scales.x(model.x);
  const point = model.difference.find((p) => p.x === model.x) ?? null;
  const text = differenceText(model, value);
  const suffix = differenceWidth(model, value, point?.ci95 ?? null);
  const isLeft = x - frame.left < textWidth(text + suffix, "bold") + 48;
  const rises = slopeAt(model, model.x);
  const place = (isRight: boolean, above: boolean, off = 0): HandleLabel => {
    const wanted = scales.percent(value) + (above ? -8 - off : 16 + off);
    const y = Math.min(frame.stripBottom + 2, Math.max(frame.stripTop + 2, wanted));
    return label("difference", text, suffix, isRight ? x + 10 : x - 10, y, isRight ? "start" : "end");
  };
  const free = isLeft ? rises <= 0 : rises >= 0;
  const wanted = place(isLeft, free);
  const others = [
    place(isLeft, !free), ...(isLeft ? [] : [place(true, !free), place(true, free)]), place(isLeft, true, LINE),
    place(isLeft, false, LINE),
  ];
  const told = changeMarks(model, frame, scales).filter((mark) => mark.text !== "").map(changeBox);
  const isClear = ({ box }: HandleLabel): boolean =>
    box.right <= frame.right && !isStruck(model, scales, box) && !told.some((other) => overlaps(other, box));
  return isClear(wanted) ? wanted : (others.find(isClear) ?? wanted);
}

/** Does the line of zero, or that of the difference, run through the box? */
function isStruck(model: CurveModel, scales: Scales, box: Box): boolean {
  const zero = scales.percent(0);
  const line = model.difference.map((p) => ({ x: scales.x(p.x), y: scales.percent(p.value) }));
  return zero > box.top && zero < box.bottom || runsThrough(line, box);
}

function onPlane(points: CurveModel["b"], scales: Scales): readonly Place[] {
  return points.map((p) => ({ x: scales.x(p.x), y: scales.y(p.y) }));
}

function runsThrough(line: readonly Place[], box: Box): boolean {
  const across = Array.from({ length: 9 }, (_, i) => valueAt(line, box.left + ((box.right - box.left) * i) / 8));
  const isThrough = (y: number | null, next: number | null): boolean =>
    y !== null && next !== null && Math.max(y, next) > box.top && Math.min(y, next) < box.bottom;
  return across.some((y, i) => isThrough(y, across[i + 1] ?? y));
}

/** Does the difference rise at x? The label stands on the side the line leaves free. */
function slopeAt(model: CurveModel, x: number): number {
  const index = model.difference.findIndex((p) => p.x >= x);
  const before = model.difference[Math.max(0, index - 1)];
  const after = model.difference[Math.min(model.difference.length - 1, index + 1)];
  return before === undefined || after === undefined ? 0 : after.value - before.value;
}

function label(
  kind: HandleLabel["kind"], text: string, suffix: string, x: number, y: number, anchor: Anchor,
): HandleLabel {
  return { kind, text, suffix, x, y, anchor, box: textBox(x, y, textWidth(text + suffix, "bold"), anchor) };
}

/** The ring with its chevrons, and the hairline below it. */
function handleBoxes(x: number, yB: number | null, frame: Frame): readonly Box[] {
  if (yB === null) return [];
  // A finger's ring is the larger.
  const r = frame.isCompact ? 10 : 7;
  return [
    { left: x - r - 2, right: x + r + 2, top: yB - r - 1, bottom: yB + r + 1 },
    { left: x - r - 11, right: x + r + 11, top: yB - 4, bottom: yB + 4 },
    { left: x - 2, right: x + 2, top: yB, bottom: frame.axisText },
  ];
}

/** Published points as crosses; a label only where it touches nothing else: no other's cross, nor the handle. */
export function publishedMarks(
  model: CurveModel, frame: Frame, scales: Scales,
  handle: { readonly x: number; readonly yB: number | null; readonly labels: readonly HandleLabel[] },
): readonly PublishedMark[] {
  const taken: Box[] = [...handle.labels.map((item) => item.box), ...handleBoxes(handle.x, handle.yB, frame)];
  const bound = model.bound?.points.at(-1);
  if (bound !== undefined)
    taken.push({
      left: frame.left + (frame.right - frame.left) * 0.4, right: frame.right, top: scales.y(bound.y) - 20,
      bottom: scales.y(bound.y) - 4,
    });
  // What was published of other values may lie above all that is drawn here.
  const points = model.published.filter(
    (point) => point.x <= model.xDomain[1] && scales.y(point.y) >= frame.top,
  );
  for (const point of points) {
    const [x, y] = [scales.x(point.x), scales.y(point.y)];
    taken.push({ left: x - 4, right: x + 4, top: y - 4, bottom: y + 4 });
  }
  return points
    .map((point) => {
      const x = scales.x(point.x);
      const y = scales.y(point.y);
      const width = textWidth(point.label);
      const spots: readonly { x: number; y: number; anchor: Anchor }[] = [
        { x: x - 8, y: y - 8, anchor: "end" },
        { x, y: y - 9, anchor: "middle" },
        { x: x + 8, y: y - 8, anchor: "start" },
        { x: x + 8, y: y + 18, anchor: "start" },
        { x: x - 8, y: y + 18, anchor: "end" },
        // Beneath B's value, where A has its own place and so no value there.
        ...(model.xA === null ? [] : [{ x: x - 8, y: y + 34, anchor: "end" as const }]),
        { x: x - 22, y: y - 8, anchor: "end" },
        { x: x + 22, y: y - 8, anchor: "start" },
      ];
      const spot = spots.find((at) => {
        const box = textBox(at.x, at.y, width, at.anchor);
        return (
          box.left >= frame.left - 24
          && box.right <= frame.right
          && box.top >= 12
          && !taken.some((other) => overlaps(other, box))
        );
      });
      const box = spot === undefined ? textBox(x, y + 4, 8, "middle") : textBox(spot.x, spot.y, width, spot.anchor);
      taken.push(box);
      const label = spot === undefined ? null : { ...spot, text: point.label };
      return { x, y, role: point.role, hasMoved: point.hasMoved, box, label };
    });
}
