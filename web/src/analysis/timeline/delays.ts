/** How long each dispatch had waited in the run queue: by kind, in powers of two, in the order of time. */
import type { Recording } from "../read/recording";
import { firstFrom, groupRows, type Grouped } from "./search";
import type { Lanes } from "./timeline";

const RUNNING = 1;
const RUN_QUEUE = 2;
/** Bin 0 holds what is below 2 µs, nothing included, bin 10 1.024 to 2.048 ms, the last 67 s and more. */
export const BINS = 27;

export interface Delays {
  /** Dispatches of kind `k` in bin `b` stand from `offset[k * BINS + b]`, in the order of time. */
  readonly offset: Int32Array;
  readonly time: Float64Array;
  readonly delay: Float64Array;
  /** Row of the stay that the dispatch began. */
  readonly row: Int32Array;
  /** Lowest and highest bin shown. */
  readonly bins: readonly [number, number];
  /** The longest, ms. */
  readonly most: number;
}

export function binOf(ms: number): number {
  return Math.max(0, Math.min(BINS - 1, Math.floor(Math.log2(Math.max(ms * 1000, 1)))));
}

/** Lower edge of a bin, ms. */
export function edgeOf(bin: number): number {
  return 2 ** bin / 1000;
}

/** Run-queue time right before a stay on a thread; null when it went on from another one, or is not known whole. */
export function delayBefore(recording: Recording, own: Grouped, nth: Int32Array, row: number): number | null {
  const { process, activity, startMs, endMs, fromMs } = recording;
  const start = startMs[row] as number;
  const first = own.offset[process[row] as number] as number;
  const place = nth[row] as number;
  if (place === first) return start > fromMs ? 0 : null;
  const last = own.row[place - 1] as number;
  const isNext = Math.abs((endMs[last] as number) - start) < 1e-6;
  if (!isNext) return 0;
  if (activity[last] === RUNNING) return null;
  if (activity[last] !== RUN_QUEUE) return 0;
  return (startMs[last] as number) > fromMs ? start - (startMs[last] as number) : null;
}

/** So many steps the axis has at least. */
const FEWEST = 5;

/** The highest bin in use, and the lowest that more than a few in two hundred fall below; those few count in it. */
function binsOf(delays: Float64Array): readonly [number, number] {
  const counts = new Int32Array(BINS);
  for (const delay of delays) counts[binOf(delay)] = (counts[binOf(delay)] as number) + 1;
  const high = Math.max(0, counts.findLastIndex((count) => count > 0));
  let [low, below] = [0, 0];
  while (low < high - FEWEST && (below += counts[low] as number) <= delays.length / 200) low++;
  return [low, Math.max(high, low + FEWEST)];
}

export function delaysOf(recording: Recording, kinds: number, own: Grouped, lanes: Lanes, nth: Int32Array): Delays {
  const all = lanes.row.length;
  const waited = new Float64Array(all);
  const known = new Int32Array(all);
  let count = 0;
  for (let p = 0; p < all; p++) {
    const delay = delayBefore(recording, own, nth, lanes.row[p] as number);
    waited[p] = delay ?? 0;
    if (delay !== null) known[count++] = p;
  }
  // Threads are sorted runs already, which a plain array's sort makes use of and a typed one's does not.
  const order = Array.from(known.subarray(0, count)).sort(
    (a, b) => (lanes.start[a] as number) - (lanes.start[b] as number),
  );
  const bins = binsOf(Float64Array.from(order, (p) => waited[p] as number));
  const { offset, row: places } = groupRows(count, kinds * BINS, (i) => {
    const p = order[i] as number;
    return (lanes.kind[p] as number) * BINS + Math.max(bins[0], binOf(waited[p] as number));
  });
  const [time, delay, row] = [new Float64Array(count), new Float64Array(count), new Int32Array(count)];
  for (let i = 0; i < count; i++) {
    const p = order[places[i] as number] as number;
    time[i] = lanes.start[p] as number;
    delay[i] = waited[p] as number;
    row[i] = lanes.row[p] as number;
  }
  return { offset, time, delay, row, bins, most: delay.reduce((most, one) => Math.max(most, one), 0) };
}

/** Places of the dispatches of one kind and bin from one moment to another: first, and past the last. */
export function delaysIn(
  { offset, time }: Delays, kind: number, bin: number, from: number, to: number,
): readonly [number, number] {
  const [first, last] = [offset[kind * BINS + bin] as number, offset[kind * BINS + bin + 1] as number];
  return [firstFrom(time, from, first, last), firstFrom(time, to, first, last)];
}

/** Dispatches of a kind in a window, by bin, and the longest among them; its time says where to look. */
export interface DelayHistogram {
  readonly counts: readonly number[];
  readonly total: number;
  readonly worstMs: number;
  readonly worstRow: number;
}

export function histogramOf(delays: Delays, kind: number, from: number, to: number): DelayHistogram {
  const counts = Array.from({ length: BINS }, () => 0);
  let [total, worstMs, worstRow] = [0, 0, -1];
  for (let bin = BINS - 1; bin >= 0; bin--) {
    const [first, last] = delaysIn(delays, kind, bin, from, to);
    counts[bin] = last - first;
    if (total === 0) {
      for (let i = first; i < last; i++) {
        if (worstRow >= 0 && (delays.delay[i] as number) <= worstMs) continue;
        worstMs = delays.delay[i] as number;
        worstRow = delays.row[i] as number;
      }
    }
    total += last - first;
  }
  return { counts, total, worstMs, worstRow };
}
