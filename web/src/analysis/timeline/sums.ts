/** What processes did in a window, event by event: how many at once, how long in all, how often. */
import { meanDepth, movesOf, type Steps } from "./depth";
import type { TimelineIndex } from "./timeline";

export interface EventMean {
  readonly event: string;
  readonly class: string;
  /** Processes at once, on average over the window. */
  readonly mean: number;
}

export interface EventSum extends EventMean {
  /** ms within the window, of all processes. */
  readonly sumMs: number;
  /** Stays that touch the window. */
  readonly count: number;
  /** ms that such a stay lasts from its beginning to its end; null where none is known whole. */
  readonly eachMs: number | null;
}

/** `process`: of one alone; null: of all. The longest first; what nobody did is left out. */
export function sumsOf(index: TimelineIndex, from: number, to: number, process: number | null): readonly EventSum[] {
  const { recording, own } = index;
  const { activity, activities, startMs, endMs, fromMs, toMs } = recording;
  const sums = activities.map(() => ({ sumMs: 0, count: 0, wholeMs: 0, whole: 0 }));
  const [first, last] =
    process === null ? [0, startMs.length] : [own.offset[process] ?? 0, own.offset[process + 1] ?? 0];
  for (let i = first; i < last; i++) {
    const row = process === null ? i : (own.row[i] as number);
    const [start, end] = [startMs[row] as number, endMs[row] as number];
    const sum = sums[activity[row] as number];
    if (sum === undefined || end <= from || start >= to || end <= start) continue;
    sum.sumMs += Math.min(end, to) - Math.max(start, from);
    sum.count++;
    if (start <= fromMs || end >= toMs) continue;
    sum.wholeMs += end - start;
    sum.whole++;
  }
  return sums
    .map(({ sumMs, count, wholeMs, whole }, a) => ({
      event: activities[a]?.event ?? "", class: activities[a]?.class ?? "Other", mean: sumMs / (to - from), sumMs,
      count, eachMs: whole === 0 ? null : wholeMs / whole,
    }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.sumMs - one.sumMs);
}

const known = new WeakMap<TimelineIndex, readonly Steps[]>();

/** Processes at once in each activity, on average over a window, without a scan: for every frame of a drag. */
export function meansOf(index: TimelineIndex, from: number, to: number): readonly EventMean[] {
  const { recording } = index;
  const { activities, activity } = recording;
  const steps = known.get(index) ?? activities.map((_, a) => movesOf(recording, (row) => activity[row] === a));
  known.set(index, steps);
  return activities
    .map((one, a) => ({ ...one, mean: meanDepth(steps[a] as Steps, from, to) }))
    .filter(({ mean }) => mean > 1e-9)
    .toSorted((one, other) => other.mean - one.mean);
}
