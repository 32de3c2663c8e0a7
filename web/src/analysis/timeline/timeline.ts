/**
 * A recording of who ran where, indexed once so that any window of it can be drawn, read and counted without a scan.
 */
import { RUNNING, type Recording } from "../read/recording";
import { delaysOf, type Delays } from "./delays";
import { depthOf, stepsOf, type Depth, type Steps } from "./depth";
import { firstFrom, groupRows, type Grouped } from "./search";

/** Stays on hardware threads, thread after thread, each in the order of time. They do not overlap. */
export interface Lanes {
  /** Stays of thread `t` stand from `offset[t]` to `offset[t + 1]`. */
  readonly offset: Int32Array;
  readonly row: Int32Array;
  readonly start: Float64Array;
  /** Where what is lost to the switch ends and work begins. */
  readonly work: Float64Array;
  readonly end: Float64Array;
  /** Index into `kinds`. */
  readonly kind: Uint8Array;
  readonly process: Int32Array;
  /**
   * Work done before stay `p` by kind `k`, at `p * kinds + k`: the work of any stretch is a difference, however many
   * stays it holds.
   */
  readonly before: Float64Array;
}

export interface TimelineIndex {
  readonly recording: Recording;
  readonly kinds: number;
  readonly lanes: Lanes;
  /** Place of a row among the lanes; -1 for a stay on no thread. */
  readonly place: Int32Array;
  /** Stays of each process in the order of time. */
  readonly own: Grouped;
  /** Place of a row among the stays of its process. */
  readonly nth: Int32Array;
  readonly depth: Depth;
  readonly delays: Delays;
  /** Threads taken. */
  readonly taken: Steps;
  /** Kinds that ran at some time. */
  readonly ran: readonly number[];
}

function lanesOf(recording: Recording, kinds: number): Lanes {
  const { process, activity, thread, startMs, endMs, debtMs, kind: kindOf, threads } = recording;
  const isLane = (row: number) =>
    activity[row] === RUNNING && (thread[row] as number) >= 0 && (thread[row] as number) < threads;
  const { offset, row } = groupRows(process.length, threads, (i) => (isLane(i) ? (thread[i] as number) : -1));
  const count = row.length;
  const [start, work, end] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  const [kind, owner] = [new Uint8Array(count), new Int32Array(count)];
  const before = new Float64Array((count + 1) * kinds);
  for (let p = 0; p < count; p++) {
    const i = row[p] as number;
    const [from, to] = [startMs[i] as number, endMs[i] as number];
    start[p] = from;
    end[p] = to;
    work[p] = Math.min(to, from + (debtMs[i] as number));
    owner[p] = process[i] as number;
    kind[p] = Math.min(kinds - 1, kindOf[process[i] as number] ?? 0);
    for (let k = 0; k < kinds; k++) before[(p + 1) * kinds + k] = before[p * kinds + k] as number;
    const own = (p + 1) * kinds + (kind[p] as number);
    before[own] = (before[own] as number) + to - (work[p] as number);
  }
  return { offset, row, start, work, end, kind, process: owner, before };
}

function placesOf(count: number, rows: Int32Array): Int32Array {
  const places = new Int32Array(count).fill(-1);
  for (let p = 0; p < rows.length; p++) places[rows[p] as number] = p;
  return places;
}

export function indexTimeline(recording: Recording): TimelineIndex {
  const count = recording.process.length;
  const kinds = Math.max(1, recording.kinds.length);
  const lanes = lanesOf(recording, kinds);
  let processes = recording.kind.length;
  for (let i = 0; i < count; i++) processes = Math.max(processes, (recording.process[i] as number) + 1);
  const own = groupRows(count, processes, (i) => recording.process[i] as number);
  const nth = placesOf(count, own.row);
  return {
    recording, kinds, lanes, own, nth, place: placesOf(count, lanes.row), depth: depthOf(recording, kinds),
    delays: delaysOf(recording, kinds, own, lanes, nth), taken: stepsOf(lanes.start.toSorted(), lanes.end.toSorted()),
    ran: [...new Set(lanes.kind)].toSorted((one, other) => one - other),
  };
}

/** Work by kind, counted from the first stay of all, up to a moment inside stay `p` or in the pause before it. */
export function workUpTo(
  { work, end, kind, before }: Lanes, kinds: number, p: number, ms: number, into: Float64Array,
): void {
  for (let k = 0; k < kinds; k++) into[k] = before[p * kinds + k] as number;
  const part = Math.min(ms, end[p] as number) - (work[p] as number);
  if (part > 0) into[kind[p] as number] = (into[kind[p] as number] as number) + part;
}

/** Adds to `into` the work of a thread in a stretch, by kind. */
function addWork({ lanes, kinds }: TimelineIndex, thread: number, from: number, to: number, into: Float64Array): void {
  const [first, last] = [lanes.offset[thread] as number, lanes.offset[thread + 1] as number];
  const [a, b] = [new Float64Array(kinds), new Float64Array(kinds)];
  const upTo = (ms: number, sums: Float64Array) => {
    const place = firstFrom(lanes.end, ms, first, last);
    workUpTo(lanes, kinds, place, place < last ? ms : Number.NEGATIVE_INFINITY, sums);
  };
  upTo(from, a);
  upTo(to, b);
  for (let k = 0; k < kinds; k++) into[k] = (into[k] as number) + (b[k] as number) - (a[k] as number);
}

/** Share of a stretch in which thread `thread` was at work, and held at all: a switch holds it, too. */
export function busyShare(index: TimelineIndex, thread: number, from: number, to: number): number {
  const work = new Float64Array(index.kinds);
  addWork(index, thread, from, to, work);
  return work.reduce((sum, one) => sum + one, 0) / (to - from);
}

/** Threads at work for each kind, on average over a stretch. */
export function workByKind(index: TimelineIndex, from: number, to: number): Float64Array {
  const work = new Float64Array(index.kinds);
  for (let thread = 0; thread < index.recording.threads; thread++) addWork(index, thread, from, to, work);
  return work.map((ms) => ms / (to - from));
}
