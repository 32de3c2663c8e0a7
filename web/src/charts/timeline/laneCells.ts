/**
 * Stays as boxes, however many there are: what can be told apart is drawn one by one, the rest as one column of work.
 */
import { workUpTo, type TimelineIndex } from "../../analysis/timeline/timeline";
import type { Track } from "../../analysis/timeline/follow";
import { firstFrom, gallop } from "../../analysis/timeline/search";
import { addCell, classTone, kindTone, TONE, type Cells } from "./scene";

export interface Span {
  readonly from: number;
  readonly to: number;
  /** Left and right edge, px. */
  readonly left: number;
  readonly right: number;
}

export const pxPerMs = ({ from, to, left, right }: Span): number => (right - left) / (to - from);

export interface LaneRow {
  readonly top: number;
  readonly height: number;
}

/** Narrower than this a stay is not drawn by itself. */
const SINGLE_PX = 3;
/** Stays as wide as this get an edge, if the lane is as high as that. */
const EDGED_PX = 8;
const EDGED_HEIGHT_PX = 7;

/** Shade of one stay: neighbours on a thread are seldom of the same process, and seldom of the same shade. */
export const shadeOf = (process: number): number => (process * 7 + (process >> 2)) & 3;
/** Shade of a column: 1 to 2 stays, to 6, to 20, more. */
const density = (stays: number): number => (stays < 3 ? 4 : stays < 7 ? 5 : stays < 21 ? 6 : 7);

/** Called for every stay wide enough to be drawn by itself, work only. */
export type OnStay = (place: number, x: number, width: number) => void;

/**
 * One thread: single stays go to `onStay`, columns of many become cells, higher the more work they hold, darker the
 * more stays.
 */
export function sweepLane(
  index: TimelineIndex, thread: number, span: Span, row: LaneRow, cells: Cells, onStay: OnStay,
): void {
  const { lanes, kinds, recording } = index;
  const { start, work, end } = lanes;
  const last = lanes.offset[thread + 1] ?? 0;
  const scale = pxPerMs(span);
  const single = SINGLE_PX / scale;
  const [before, after] = [new Float64Array(kinds), new Float64Array(kinds)];
  let p = firstFrom(end, span.from, lanes.offset[thread] ?? 0, last);
  let done = span.from;
  while (p < last && (start[p] as number) < span.to) {
    if ((end[p] as number) - (start[p] as number) >= single) {
      const from = Math.max(span.from, work[p] as number);
      const to = Math.min(span.to, end[p] as number);
      if (to > from) onStay(p, span.left + (from - span.from) * scale, (to - from) * scale);
      done = end[p++] as number;
      continue;
    }
    const from = Math.max(done, start[p] as number);
    // A hair to the right: a stay that goes on at a column's edge must not fall back into it.
    const column = Math.floor((from - span.from) * scale + 1e-6);
    const edge = Math.min(span.to, span.from + (column + 1) / scale);
    const next = Math.max(p + 1, gallop(start, edge, p, last));
    // Only the last of them can reach beyond the column.
    const isWide = next > p + 1 && (end[next - 1] as number) - (start[next - 1] as number) >= single;
    const final = isWide ? next - 2 : next - 1;
    const stop = isWide ? (start[next - 1] as number) : edge;
    workUpTo(lanes, kinds, p, from, before);
    workUpTo(lanes, kinds, final, Math.min(stop, end[final] as number), after);
    let y = row.top + row.height;
    for (let k = 0; k < kinds; k++) {
      const share = Math.min(1, ((after[k] as number) - (before[k] as number)) * scale);
      if (share <= 0) continue;
      // A stay too short to see is seen all the same.
      const height = Math.max(1, share * row.height);
      y = Math.max(row.top, y - height);
      addCell(
        cells, span.left + column, y, 1, Math.min(height, row.top + row.height - y),
        kindTone(recording.kinds[k] ?? "", density(next - p)),
      );
    }
    done = stop;
    p = !isWide && (end[final] as number) > edge && edge > from ? final : final + 1;
  }
}

export function addStay(cells: Cells, x: number, width: number, { top, height }: LaneRow, tone: number): void {
  if (width < EDGED_PX || height < EDGED_HEIGHT_PX) {
    addCell(cells, x, top, width, height, tone);
    return;
  }
  addCell(cells, x, top, width, height, TONE.edge);
  addCell(cells, x + 1, top + 1, width - 2, height - 2, tone);
}

/** The followed process on the threads: every stay of it is seen, once a column and thread. */
export function followedCells(
  index: TimelineIndex, track: Track, span: Span, rows: readonly LaneRow[], cells: Cells, onStay: OnStay,
): void {
  const { lanes, place } = index;
  const scale = pxPerMs(span);
  const drawn = new Int32Array(rows.length).fill(-1);
  for (
    let i = firstFrom(track.end, span.from, 0, track.row.length);
    i < track.row.length && (track.start[i] as number) < span.to;
    i++
  ) {
    const p = place[track.row[i] as number] as number;
    if (p < 0) continue;
    const thread = index.recording.thread[track.row[i] as number] as number;
    const row = rows[thread];
    const from = Math.max(span.from, lanes.work[p] as number);
    const width = (Math.min(span.to, lanes.end[p] as number) - from) * scale;
    const x = span.left + (from - span.from) * scale;
    if (row === undefined || width < 0 || (width < 1 && drawn[thread] === Math.floor(x))) continue;
    drawn[thread] = Math.floor(x);
    addCell(cells, x, row.top, Math.max(1, width), row.height, TONE.accent);
    onStay(p, x, width);
  }
}

/** Running fills the track, a run queue half of it and more, a wait less: height says it, too. */
const HEIGHTS = [0.08, 1, 0.62];
const WAIT_HEIGHT = 0.36;
const followedHeight = (activity: number): number => HEIGHTS[activity] ?? WAIT_HEIGHT;

/** What one process did, one after another. `onStay` gets the place in the track. */
export function trackCells(
  track: Track, classes: readonly string[], span: Span, row: LaneRow, cells: Cells, onStay: OnStay,
  heightOf = followedHeight, running: number = TONE.accent,
): void {
  const scale = pxPerMs(span);
  const { start, end, activity, before } = track;
  const tone = (a: number) => (a === 1 ? running : a === 0 ? TONE.hair : classTone(classes[a] ?? ""));
  const bottom = row.top + row.height;
  let i = firstFrom(end, span.from, 0, end.length);
  while (i < end.length && (start[i] as number) < span.to) {
    const [from, to] = [Math.max(span.from, start[i] as number), Math.min(span.to, end[i] as number)];
    const [x, width] = [span.left + (from - span.from) * scale, (to - from) * scale];
    const edge = span.from + (Math.floor(x - span.left) + 1) / scale;
    // Of all that begin in one column only the last can reach beyond it.
    const next = Math.max(i + 1, gallop(start, edge, i, end.length));
    const stop = next > i + 1 && (end[next - 1] as number) > edge ? next - 1 : next;
    if (width >= SINGLE_PX || stop === i + 1) {
      const height = row.height * heightOf(activity[i] as number);
      addStay(cells, x, width, { top: bottom - height, height }, tone(activity[i] as number));
      onStay(i++, x, width);
      continue;
    }
    let y = bottom;
    for (let k = 1; k <= classes.length; k++) {
      const a = k % classes.length;
      const share = Math.min(
        1, ((before[stop * classes.length + a] as number) - (before[i * classes.length + a] as number)) * scale,
      );
      const height = Math.min(y - row.top, share * row.height);
      if (height <= 0) continue;
      y -= height;
      addCell(cells, Math.floor(x), y, 1, height, tone(a));
    }
    i = stop;
  }
}

/** A process that is idle is a thread in the middle of its row. */
const stateHeight = (activity: number): number => (activity === 0 ? 0.25 : 1);
const noWord: OnStay = () => undefined;

/** Processes, a row each, in the colours of what they do: the class of the wait, or CPU. */
export function stateCells(
  tracks: readonly Track[], followed: number | null, classes: readonly string[], span: Span,
  rows: readonly LaneRow[], cells: Cells,
): void {
  tracks.forEach((track, i) => {
    const row = rows[i];
    if (row === undefined) return;
    const running = track.process === followed ? TONE.accent : classTone("CPU");
    trackCells(track, classes, span, row, cells, noWord, stateHeight, running);
  });
}
