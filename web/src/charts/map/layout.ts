/** The map of two knobs: a cell for each place, tinted by its value, the lowest row at the bottom. */
import type { MapCell, MapModel, MapPlace } from "../../analysis/types";
import { formatFixed, formatHalfWidth, formatIntervalOf, formatShort, formatSigned, NONE, unitOf } from "../../units";
import { decimalsFor } from "../../units/format";
import { textWidth } from "../frame/text";

export const ROW = 30;
/** The name of the upright knob stands above the cells; places, name and reading of the other below. */
const HEAD = 20;
const FOOT = 52;
const MOST_LABEL = 132;
/** How strong a tint is, from the least value to the most: ink stays legible on it. */
const PALEST = 0.04;
const STRONGEST = 0.46;

export interface CellMark {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly tint: "more" | "less";
  readonly strength: number;
  /** Empty where there is no room for it. */
  readonly text: string;
  /** As precise as asked and told from nothing. */
  readonly isFirm: boolean;
}

export interface Tick {
  readonly at: number;
  readonly text: string;
}

export interface MapLayout {
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
  readonly columnWidth: number;
  readonly cells: readonly CellMark[];
  readonly columns: readonly Tick[];
  readonly rows: readonly Tick[];
  /** The cell in which B stands; null: between them. */
  readonly here: number | null;
}

export const heightOf = ({ ys }: Pick<MapModel, "ys">): number => HEAD + ROW * ys.length + FOOT;

function cut(text: string, width: number): string {
  const most = Math.max(1, Math.floor(width / textWidth("m", "mono")));
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** A number for a cell: three digits, signed where it is a difference; shorter, or none, where there is no room. */
export function cellText({ value, isEndless }: MapCell, isDifference: boolean, room = Infinity): string {
  if (value === null) return isEndless ? "∞" : "·";
  const texts = isDifference
    ? [formatSigned(value, Math.abs(value) >= 99.95 ? 0 : 1), formatSigned(value, 0)]
    : [formatShort(value), formatShort(value, 2)];
  return texts.find((text) => textWidth(text) <= room) ?? "";
}

/** Nothing of a difference whose sign is not certain; of what is no answer yet half, for its number is pale. */
function tintOf(
  { value, sign, isSketch, isCut }: MapCell, isDifference: boolean, [low, high]: readonly [number, number],
): number {
  if (value === null || (isDifference && sign === 0)) return 0;
  const part = isDifference ? Math.abs(value) / high : high > low ? (value - low) / (high - low) : 1;
  return (PALEST + (STRONGEST - PALEST) * part) * (isSketch || isCut ? 0.5 : 1);
}

function rangeOf(cells: readonly MapCell[], isDifference: boolean): readonly [number, number] {
  const known = cells.flatMap(({ value, sign }) => (value === null || (isDifference && sign === 0) ? [] : [value]));
  const sizes = isDifference ? known.map(Math.abs) : known;
  return [Math.min(...sizes), Math.max(...sizes)];
}

/** Labels that do not touch: each, or each second, third … */
function ticksOf(places: readonly MapPlace[], left: number, width: number): Tick[] {
  const widest = Math.max(...places.map(({ label }) => textWidth(label, "mono"))) + 8;
  const stride = Math.max(1, Math.ceil(widest / width));
  return places.flatMap(({ label }, i) => (i % stride === 0 ? [{ at: left + (i + 0.5) * width, text: label }] : []));
}

export function layoutMap(model: MapModel, width: number): MapLayout {
  const { cells, xs, ys, isDifference } = model;
  const widest = Math.max(...ys.map(({ label }) => textWidth(label, "mono")));
  const left = Math.min(MOST_LABEL, width * 0.3, widest) + 8;
  const columnWidth = (width - left) / xs.length;
  const range = rangeOf(cells, isDifference);
  const yOf = (row: number): number => HEAD + (ys.length - 1 - row) * ROW;
  const mark = (cell: MapCell, i: number): CellMark => ({
    x: left + (i % xs.length) * columnWidth, y: yOf(Math.floor(i / xs.length)), width: columnWidth,
    tint: cell.sign < 0 ? "less" : "more", strength: tintOf(cell, isDifference, range),
    text: cellText(cell, isDifference, columnWidth - 4),
    isFirm: cell.value !== null && !cell.isSketch && !cell.isCut && (!isDifference || cell.sign !== 0),
  });
  return {
    left, top: HEAD, bottom: HEAD + ROW * ys.length, columnWidth, cells: cells.map(mark),
    columns: ticksOf(xs, left, columnWidth),
    rows: ys.map(({ label }, i) => ({ at: yOf(i) + ROW / 2, text: cut(label, left - 8) })),
    here: model.x < 0 || model.y < 0 ? null : model.y * xs.length + model.x,
  };
}

/** The cell under a point of the drawing, the nearest where it is outside. */
export function cellAt({ xs, ys }: MapModel, { left, columnWidth }: MapLayout, x: number, y: number): number {
  const within = (value: number, count: number): number => Math.max(0, Math.min(count - 1, Math.floor(value)));
  const row = within((y - HEAD) / ROW, ys.length);
  return (ys.length - 1 - row) * xs.length + within((x - left) / columnWidth, xs.length);
}

/** Where a cell stands on both knobs. */
export const placeAt = (
  { xs, ys }: Pick<MapModel, "xs" | "ys">, index: number,
): readonly [x: MapPlace | undefined, y: MapPlace | undefined] =>
  [xs[index % xs.length], ys[Math.floor(index / xs.length)]];

function valueText({ value, ci95, isEndless, isCut, isSketch }: MapCell, { isDifference, unit }: MapModel): string {
  if (value === null) return isEndless ? "grows without bound" : NONE;
  const decimals = isDifference ? Math.max(1, decimalsFor(value, 2)) : decimalsFor(value);
  const shown = isDifference ? formatSigned(value, decimals) : formatFixed(value, decimals);
  const width = isDifference ? formatHalfWidth(ci95, decimals) : formatIntervalOf(value, ci95, decimals);
  const known = [shown, width, unitOf(shown, unit)].filter(Boolean).join(" ");
  return known + (isCut ? ", its budget of events ended" : isSketch ? ", a sketch" : "");
}

/** What the cursor says: both knobs, and the value with its interval. */
export function saidAt(model: MapModel, index: number | null): string {
  const { cells, xLabel, yLabel, isDifference, word } = model;
  const cell = index === null ? undefined : cells[index];
  if (index === null || cell === undefined) return "";
  const [x, y] = placeAt(model, index);
  const where = `${xLabel} ${x?.label ?? ""}, ${yLabel} ${y?.label ?? ""}`;
  return `${where}: ${isDifference ? "B minus A" : word} ${valueText(cell, model)}`;
}
