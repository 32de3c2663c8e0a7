/**
 * How many processes stood in run queues, and before the cages of instances, at any moment, exactly, and at most over
 * any stretch.
 */
import type { Recording } from "../read/recording";
import { firstFrom, gallop } from "./search";

const RUN_QUEUE = 2;
/** Who waits in it wants a CPU, and the operating system does not know. */
const CAGE = "resmgr:cpu quantum";

/** A step function: `depth[i]` holds from `time[i]` to `time[i + 1]`, and 0 before the first. */
export interface Steps {
  readonly time: Float64Array;
  readonly depth: Int32Array;
  /** Integral up to `time[i]`. */
  readonly area: Float64Array;
}

export interface Depth {
  /** In run queues, by kind, and last of all kinds together. */
  readonly steps: readonly Steps[];
  readonly cage: Steps;
  /** In run queues and before cages. */
  readonly waiting: Steps;
  /** Of `waiting`: maxima of 1, 2, 4, 8 … neighbours. */
  readonly peaks: readonly Int32Array[];
  readonly most: number;
}

function peaksOf(values: Int32Array): readonly Int32Array[] {
  const levels = [values];
  for (let below = values; below.length > 1;) {
    const level = new Int32Array((below.length + 1) >> 1);
    for (let i = 0; i < level.length; i++)
      level[i] = Math.max(below[2 * i] as number, below[Math.min(2 * i + 1, below.length - 1)] as number);
    levels.push(level);
    below = level;
  }
  return levels;
}

/** Steps from the moments at which someone came and went, both sorted. */
export function stepsOf(comes: Float64Array, goes: Float64Array): Steps {
  const time = new Float64Array(comes.length + goes.length);
  const depth = new Int32Array(time.length);
  const area = new Float64Array(time.length);
  let [count, now, i, k] = [0, 0, 0, 0];
  while (k < goes.length) {
    const at = Math.min(comes[i] ?? Number.POSITIVE_INFINITY, goes[k] as number);
    while (i < comes.length && (comes[i] as number) <= at) { now++; i++; }
    while (k < goes.length && (goes[k] as number) <= at) { now--; k++; }
    const last = count - 1;
    time[count] = at;
    depth[count] = now;
    area[count] = count === 0 ? 0 : (area[last] as number) + (depth[last] as number) * (at - (time[last] as number));
    count++;
  }
  return { time: time.slice(0, count), depth: depth.slice(0, count), area: area.slice(0, count) };
}

/** How many stays there were of those that `isOf` picks. */
export function movesOf({ process, startMs, endMs }: Recording, isOf: (row: number) => boolean): Steps {
  const comes = new Float64Array(process.length);
  const goes = new Float64Array(process.length);
  let count = 0;
  for (let i = 0; i < process.length; i++) {
    const [start, end] = [startMs[i] as number, endMs[i] as number];
    if (end <= start || !isOf(i)) continue;
    comes[count] = start;
    goes[count++] = end;
  }
  return stepsOf(comes.subarray(0, count).sort(), goes.subarray(0, count).sort());
}

export function depthOf(recording: Recording, kinds: number): Depth {
  const { activity, activities, process, kind } = recording;
  const isQueued = (row: number) => activity[row] === RUN_QUEUE;
  const isCaged = (row: number) => activities[activity[row] as number]?.event === CAGE;
  const kindOf = (row: number) => Math.min(kinds - 1, kind[process[row] as number] ?? 0);
  const all = movesOf(recording, isQueued);
  const steps =
    kinds === 1
      ? [all, all]
      : [...Array.from({ length: kinds }, (_, k) => movesOf(recording, (i) => isQueued(i) && kindOf(i) === k)), all];
  const cage = movesOf(recording, isCaged);
  const waiting = cage.time.length === 0 ? all : movesOf(recording, (i) => isQueued(i) || isCaged(i));
  const peaks = peaksOf(waiting.depth);
  return { steps, cage, waiting, peaks, most: peaks.at(-1)?.[0] ?? 0 };
}

/** The place of the step that holds at a moment; -1 before the first. */
export function stepAt({ time }: Steps, ms: number, from = 0): number {
  const place = gallop(time, ms, from, time.length);
  return time[place] === ms ? place : place - 1;
}

export function depthAt(steps: Steps, ms: number): number {
  return steps.depth[stepAt(steps, ms)] ?? 0;
}

/** Integral of the depth up to a moment at which step `place` holds. */
export function areaTo({ time, depth, area }: Steps, place: number, ms: number): number {
  return place < 0 ? 0 : (area[place] as number) + (depth[place] as number) * (ms - (time[place] as number));
}

export function meanDepth(steps: Steps, from: number, to: number): number {
  return (areaTo(steps, stepAt(steps, to), to) - areaTo(steps, stepAt(steps, from), from)) / (to - from);
}

/** At most over a stretch that step `first` of `waiting` begins and `last` ends; before the first step nobody waits. */
export function peakIn({ peaks }: Depth, first: number, last: number): number {
  let [low, high, best] = [Math.max(0, first), last, 0];
  for (const level of peaks) {
    if (low > high) break;
    if (low & 1) best = Math.max(best, level[low++] as number);
    if (!(high & 1)) best = Math.max(best, level[high--] as number);
    low >>= 1;
    high >>= 1;
  }
  return best;
}

/** The last step that begins before a moment. */
export function stepBefore({ time }: Steps, ms: number): number {
  return firstFrom(time, ms, 0, time.length) - 1;
}
