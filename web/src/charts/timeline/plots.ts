/** Run queues and dispatch delays under the lanes, on the same axis of time. */
import type { TimelineIndex } from "../../analysis/timeline/timeline";
import { BINS, edgeOf, type Delays, type DelayHistogram } from "../../analysis/timeline/delays";
import { areaTo, peakIn, stepAt, stepBefore, type Steps } from "../../analysis/timeline/depth";
import { firstFrom, gallop } from "../../analysis/timeline/search";
import { pxPerMs, type Span } from "./laneCells";
import { addCell, classTone, kindTone, TONE, type Cells } from "./scene";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Mean depth of each kind, one on the other, and before the cage; above them, pale, what stood there at most. */
export function depthCells(
  { depth, kinds, recording }: TimelineIndex, span: Span, { y, height }: Box, cells: Cells,
): void {
  const scale = pxPerMs(span);
  const unit = height / Math.max(1, depth.most);
  const columns = Math.ceil(span.right - span.left);
  const { waiting } = depth;
  const stack = [
    ...Array.from({ length: kinds }, (_, k) => ({
      steps: depth.steps[k] as Steps, tone: kindTone(recording.kinds[k] ?? "", 5),
    })),
    { steps: depth.cage, tone: classTone("Scheduler") },
  ];
  const places = stack.map(({ steps }) => stepAt(steps, span.from));
  for (let column = 0; column < columns; column++) {
    const from = span.from + column / scale;
    const to = Math.min(span.to, from + 1 / scale);
    let top = y + height;
    stack.forEach(({ steps, tone }, k) => {
      const place = places[k] as number;
      const next = stepAt(steps, to, Math.max(0, place));
      const tall = ((areaTo(steps, next, to) - areaTo(steps, place, from)) / (to - from)) * unit;
      places[k] = next;
      if (tall <= 0) return;
      top -= tall;
      addCell(cells, span.left + column, top, 1, tall, tone);
    });
    const peak = y + height - peakIn(depth, stepAt(waiting, from), stepBefore(waiting, to)) * unit;
    if (top - peak > 0.5) addCell(cells, span.left + column, peak, 1, top - peak, TONE.hair);
  }
}

/** Threads taken, and on top of them who waited, over the whole recording. */
export function overviewCells(
  { taken, depth, kinds, recording }: TimelineIndex, { x, y, width, height }: Box, cells: Cells,
): void {
  const { waiting } = depth;
  const queue = depth.steps[kinds] as Steps;
  const unit = height / Math.max(1, recording.threads + depth.most);
  const perPx = (recording.toMs - recording.fromMs) / width;
  for (let column = 0; column < width; column++) {
    const from = recording.fromMs + column * perPx;
    const mean = (steps: Steps) =>
      (areaTo(steps, stepAt(steps, from + perPx), from + perPx) - areaTo(steps, stepAt(steps, from), from)) / perPx;
    const busy = mean(taken) * unit;
    const most = peakIn(depth, stepAt(waiting, from), stepBefore(waiting, from + perPx)) * unit;
    const queued = depth.cage.time.length === 0 ? most : Math.min(most, mean(queue) * unit);
    addCell(cells, x + column, y + height - busy, 1, busy, kindTone("session", 0));
    addCell(cells, x + column, y + height - busy - queued, 1, queued, classTone("run queue"));
    addCell(cells, x + column, y + height - busy - most, 1, most - queued, classTone("Scheduler"));
  }
}

/** Height of a delay on the axis of powers of two; bin 0 holds zero, too. */
export function delayY({ bins: [low, high] }: Delays, { y, height }: Box, ms: number): number {
  const power = Math.log2(Math.max(ms, edgeOf(low)) / edgeOf(0));
  return y + height - ((Math.min(high + 1, power) - low) / (high + 1 - low)) * height;
}

const COLUMN_PX = 2;
/** So few are drawn one by one. */
const DOTS = 1200;
const DOT_PX = 3;

/**
 * Dots while they can be told apart, then a map: columns of time by powers of two, each kind in its own part of a row,
 * darker the more dispatches. No count is lost from sight.
 */
export function delayCells({ delays, kinds, recording }: TimelineIndex, span: Span, box: Box, cells: Cells): void {
  const { offset, time, delay, bins: [low, high] } = delays;
  const scale = pxPerMs(span);
  const tall = box.height / (high + 1 - low);
  const present = Array.from({ length: kinds }, (_, k) => k).filter((k) => offset[(k + 1) * BINS] !== offset[k * BINS]);
  const part = (tall - 0.5) / present.length;
  const groups = present.flatMap((k, nth) => Array.from({ length: high + 1 - low }, (_, i) => {
    const first = firstFrom(
      time, span.from, offset[k * BINS + low + i] as number, offset[k * BINS + low + i + 1] as number,
    );
    return {
      k, first, last: firstFrom(time, span.to, first, offset[k * BINS + low + i + 1] as number),
      y: box.y + box.height - i * tall - (nth + 1) * part,
    };
  }));
  const isFew = groups.reduce((sum, { first, last }) => sum + last - first, 0) <= DOTS;
  for (const { k, first, last, y } of groups) {
    const name = recording.kinds[k] ?? "";
    for (let i = first; i < last;) {
      const at = ((time[i] as number) - span.from) * scale;
      if (isFew) {
        addCell(
          cells, span.left + at - DOT_PX / 2, delayY(delays, box, delay[i++] as number) - DOT_PX / 2, DOT_PX, DOT_PX,
          kindTone(name, 7),
        );
        continue;
      }
      const column = Math.floor(at / COLUMN_PX);
      const next = Math.max(i + 1, gallop(time, span.from + ((column + 1) * COLUMN_PX) / scale, i, last));
      const shade = next - i < 2 ? 4 : next - i < 5 ? 5 : next - i < 17 ? 6 : 7;
      addCell(cells, span.left + column * COLUMN_PX, y, COLUMN_PX, part, kindTone(name, shade));
      i = next;
    }
  }
}

/** Shares of one kind's dispatches, lying on the axis of the delays. */
export function histogramCells(
  { counts, total }: DelayHistogram, { bins: [low, high] }: Delays, kind: string, { x, y, width, height }: Box,
  cells: Cells,
): void {
  const tall = height / (high + 1 - low);
  const most = Math.max(...counts, 1);
  for (let bin = low; bin <= high; bin++) {
    const share = (counts[bin] ?? 0) / most;
    if (share > 0 && total > 0)
      addCell(
        cells, x, y + height - (bin - low + 1) * tall, Math.max(1, share * width), Math.max(1, tall - 1),
        kindTone(kind, 5),
      );
  }
}
