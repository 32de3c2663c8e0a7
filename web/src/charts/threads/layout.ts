/** Who ran on which hardware thread. What is drawn is useful work, gaps are lost time: area is truth. */
import { ticks } from "d3-array";
import { scaleLinear } from "d3-scale";
import type { LanesModel } from "../../analysis/types";
import { formatKnob } from "../../units";
import { columnsOf, GUTTER, type Column } from "../frame/columns";
import { textWidth } from "../frame/text";

export interface CoreLabel {
  readonly y: number;
  readonly text: string;
}

export interface ThreadsLayout {
  readonly column: Column;
  /** Names of cores, left of the lanes; none where they are those of the side before. */
  readonly cores: readonly CoreLabel[];
  /** All slices but the followed session's, as one path. */
  readonly others: string;
  readonly followed: string;
  readonly xTicks: readonly {
    readonly at: number;
    readonly text: string;
    readonly anchor: "start" | "middle" | "end";
  }[];
  readonly toX: (ms: number) => number;
  readonly bottom: number;
}

const TOP = 2;
const FOOT = 38;

export interface LaneRow {
  readonly top: number;
  readonly height: number;
}

/** Lanes stand in cores: 1 px between the threads of a core, more between cores. */
export function laneRows(threads: number, perCore: number, height: number): readonly LaneRow[] {
  const room = height - TOP - FOOT;
  const cores = Math.max(1, Math.ceil(threads / perCore));
  const between = Math.min(5, (room * 0.25) / cores);
  const within = threads > 32 ? 0 : 1;
  const lane = (room - between * (cores - 1) - within * (threads - cores)) / threads;
  return Array.from({ length: threads }, (_, i) => {
    const core = Math.floor(i / perCore);
    return { top: TOP + i * lane + core * between + (i - core) * within, height: lane };
  });
}

/** Names of cores on the left: every core, or as many as there is room for. */
export function coreLabels(threads: number, perCore: number, height: number): readonly CoreLabel[] {
  const rows = laneRows(threads, perCore, height);
  let last = Number.NEGATIVE_INFINITY;
  return Array.from({ length: Math.ceil(threads / perCore) }, (_, core) => {
    const first = rows[core * perCore];
    const final = rows[Math.min(threads, (core + 1) * perCore) - 1];
    const middle = first === undefined || final === undefined ? 0 : (first.top + final.top + final.height) / 2;
    const end = Math.min(threads, (core + 1) * perCore) - 1;
    const isOne = perCore === 1 || end === core * perCore;
    return { y: middle + 4, text: isOne ? String(core) : `${core * perCore}–${end}` };
  }).filter((label) => {
    if (label.y - last < 13) return false;
    last = label.y;
    return true;
  });
}

const round = (value: number) => Math.round(value * 100) / 100;

/** From the names of cores to the lanes, and to what stands left of them. */
export const TO_CORES = 6;

/** Each side in its column; B's cores have names of their own where they are not as A's. */
export function layoutSides(sides: readonly LanesModel[], width: number, height: number): readonly ThreadsLayout[] {
  const cores = sides.map(({ threads, threadsPerCore }, i) =>
    threads === sides[i - 1]?.threads && threadsPerCore === sides[i - 1]?.threadsPerCore
      ? []
      : coreLabels(threads, threadsPerCore, height));
  const room = Math.max(0, ...cores.slice(1).flat().map(({ text }) => textWidth(text) + 2 * TO_CORES));
  const columns = columnsOf(width, Math.max(1, sides.length), Math.max(GUTTER, room));
  return sides.map((model, i) => layoutThreads(model, columns[i] ?? { left: 0, right: 1 }, height, cores[i]));
}

export function layoutThreads(
  model: LanesModel, column: Column, height: number, cores: readonly CoreLabel[] = [],
): ThreadsLayout {
  const rows = laneRows(model.threads, model.threadsPerCore, height);
  const toX = scaleLinear([0, model.windowMs || 1], [column.left, column.right]).clamp(true);
  const others: string[] = [];
  const followed: string[] = [];
  for (const slice of model.slices) {
    const row = rows[slice.thread];
    const from = toX(Math.min(slice.endMs, slice.startMs + slice.debtMs));
    const width = toX(slice.endMs) - from;
    if (row === undefined || width <= 0.05) continue;
    const rect = `M${round(from)} ${round(row.top)}h${round(width)}v${round(row.height)}h${round(-width)}z`;
    (slice.process === model.followed ? followed : others).push(rect);
  }
  // The title is of the whole run, which may have ended here.
  const last = `last ${formatKnob(Number(model.windowMs.toPrecision(3)))} ms`;
  const isClear = (t: number): boolean =>
    toX(t) + textWidth(formatKnob(t)) / 2 + 6 < column.right - textWidth(last);
  const inner = ticks(0, model.windowMs, 3).filter((t) => t > 0 && toX(t) - 10 > column.left + 14 && isClear(t));
  return {
    column, cores, toX, bottom: height - FOOT, others: others.join(""), followed: followed.join(""),
    xTicks: [
      { at: column.left, text: "0", anchor: "start" },
      ...inner.map((t) => ({ at: toX(t), text: formatKnob(t), anchor: "middle" as const })),
      { at: column.right, text: last, anchor: "end" },
    ],
  };
}

/** Where a reader may stand in a window. */
export const PLACES = 120;

/** The middle of a place: at the ends of a window all begin and end. */
export const momentOf = ({ windowMs }: LanesModel, place: number): number => ((place + 0.5) / PLACES) * windowMs;

/** Threads held and threads doing useful work at one instant. */
export function busyAt(model: LanesModel, ms: number): { readonly held: number; readonly useful: number } {
  const now = model.slices.filter((slice) => slice.startMs <= ms && ms < slice.endMs);
  return { held: now.length, useful: now.filter((slice) => ms >= slice.startMs + slice.debtMs).length };
}
