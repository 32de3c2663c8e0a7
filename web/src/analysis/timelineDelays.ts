/** How long each dispatch had waited in the run queue: by kind, in powers of two, in the order of time. */
import type { Lanes, Recording } from "./timeline";
import { firstFrom, groupRows, type Grouped } from "./timelineSearch";

const RUNNING = 1;
const RUN_QUEUE = 2;
/** Bin 0 holds what is below 2 µs, none included, bin 10 1.024 to 2.048 ms, the last 67 s and more. */
export const BINS = 27;

export interface Delays {
  /** Dispatches of kind `k` in bin `b` stand from `offset[k * BINS + b]`, in the order of time. */
  readonly offset: Int32Array;
  readonly time: Float64Array;
  readonly delay: Float64Array;
  /** Row of the stay that the dispatch began. */
  readonly row: Int32Array;
  /** Lowest and highest bin in use. */
  readonly bins: readonly [number, number];
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

export function delaysOf(recording: Recording, kinds: number, own: Grouped, lanes: Lanes, nth: Int32Array): Delays {
  const known: number[] = [];
  const waited = new Float64Array(lanes.row.length);
  for (let p = 0; p < waited.length; p++) {
    const delay = delayBefore(recording, own, nth, lanes.row[p] as number);
    waited[p] = delay ?? 0;
    if (delay !== null) known.push(p);
  }
  const order = Int32Array.from(known).sort((a, b) => (lanes.start[a] as number) - (lanes.start[b] as number));
  const { offset, row } = groupRows(order.length, kinds * BINS, (i) => {
    const p = order[i] as number;
    return (lanes.kind[p] as number) * BINS + binOf(waited[p] as number);
  });
  const places = row.map((i) => order[i] as number);
  const used = Array.from({ length: BINS }, (_, bin) => bin).filter((bin) => Array.from({ length: kinds }, (_, k) => (offset[k * BINS + bin + 1] as number) - (offset[k * BINS + bin] as number)).some((n) => n > 0));
  return {
    offset, time: Float64Array.from(places, (p) => lanes.start[p] as number), delay: Float64Array.from(places, (p) => waited[p] as number),
    row: places.map((p) => lanes.row[p] as number), bins: [used[0] ?? 0, used.at(-1) ?? 0],
  };
}

/** Places of the dispatches of one kind and bin from one moment to another: first, and past the last. */
export function delaysIn({ offset, time }: Delays, kind: number, bin: number, from: number, to: number): readonly [number, number] {
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
