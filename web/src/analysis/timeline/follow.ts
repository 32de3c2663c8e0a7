/** One process through run queue, CPU and waits; and the cursor that goes from stay to stay. */
import { RUNNING } from "../read/recording";
import { delayBefore } from "./delays";
import { firstFrom } from "./search";
import type { TimelineIndex } from "./timeline";

/** All stays of one process in the order of time. */
export interface Track {
  readonly process: number;
  readonly row: Int32Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly activity: Uint8Array;
  /** Time spent in activity `a` before stay `i`, at `i * activities + a`. */
  readonly before: Float64Array;
}

const known = new WeakMap<TimelineIndex, Map<number, Track>>();

/** Worked out once for each process of a recording. */
export function trackOf(index: TimelineIndex, process: number): Track {
  const tracks = known.get(index) ?? new Map<number, Track>();
  known.set(index, tracks);
  const track = tracks.get(process) ?? newTrack(index, process);
  tracks.set(process, track);
  return track;
}

function newTrack({ own, recording }: TimelineIndex, process: number): Track {
  const row = own.row.subarray(own.offset[process] ?? 0, own.offset[process + 1] ?? 0);
  const kinds = recording.activities.length;
  const start = Float64Array.from(row, (i) => recording.startMs[i] as number);
  const end = Float64Array.from(row, (i) => recording.endMs[i] as number);
  const activity = Uint8Array.from(row, (i) => Math.min(kinds - 1, recording.activity[i] as number));
  const before = new Float64Array((row.length + 1) * kinds);
  for (let i = 0; i < row.length; i++) {
    for (let a = 0; a < kinds; a++) before[(i + 1) * kinds + a] = before[i * kinds + a] as number;
    const place = (i + 1) * kinds + (activity[i] as number);
    before[place] = (before[place] as number) + (end[i] as number) - (start[i] as number);
  }
  return { process, row, start, end, activity, before };
}

/** The stay on a thread at a moment, as a row; -1 when nobody ran. */
export function rowAt({ lanes }: TimelineIndex, thread: number, ms: number): number {
  const last = lanes.offset[thread + 1] ?? 0;
  const place = firstAfter(lanes.end, ms, lanes.offset[thread] ?? 0, last);
  return place < last && (lanes.start[place] as number) <= ms ? (lanes.row[place] as number) : -1;
}

/** The first place whose number is beyond `ms`. */
function firstAfter(sorted: Float64Array, ms: number, low: number, high: number): number {
  let place = firstFrom(sorted, ms, low, high);
  while (place < high && sorted[place] === ms) place++;
  return place;
}

/** What a process was doing at a moment, as a row; -1 when that is not known. */
export function rowOnTrack(track: Track, ms: number): number {
  const place = firstAfter(track.end, ms, 0, track.end.length);
  return place < track.end.length && (track.start[place] as number) <= ms ? (track.row[place] as number) : -1;
}

/** The stay on a thread that is nearest to a moment. */
export function nearestRow({ lanes }: TimelineIndex, thread: number, ms: number): number {
  const [first, last] = [lanes.offset[thread] ?? 0, lanes.offset[thread + 1] ?? 0];
  if (first >= last) return -1;
  const place = Math.min(last - 1, firstAfter(lanes.end, ms, first, last));
  const isBefore = place > first && (lanes.start[place] as number) - ms > ms - (lanes.end[place - 1] as number);
  return lanes.row[isBefore ? place - 1 : place] as number;
}

export type Step = "next" | "previous" | "first" | "last";

/** The neighbour of a stay on its thread. */
export function alongLane({ lanes, place, recording }: TimelineIndex, row: number, step: Step): number {
  const thread = recording.thread[row] as number;
  const [first, last] = [lanes.offset[thread] as number, (lanes.offset[thread + 1] as number) - 1];
  const here = place[row] as number;
  const there = { next: here + 1, previous: here - 1, first, last }[step];
  return lanes.row[Math.min(last, Math.max(first, there))] as number;
}

/** The next or last time that a process ran, seen from a moment. */
export function alongTrack(track: Track, ms: number, step: "next" | "previous"): number {
  const way = step === "next" ? 1 : -1;
  let place =
    step === "next"
      ? firstAfter(track.start, ms, 0, track.start.length)
      : firstFrom(track.start, ms, 0, track.start.length) - 1;
  while (place >= 0 && place < track.row.length && track.activity[place] !== RUNNING) place += way;
  return track.row[place] ?? -1;
}

/** All that is known of one stay. */
export interface Stay {
  readonly row: number;
  readonly process: number;
  readonly kind: string;
  readonly what: string;
  readonly class: string;
  readonly isRunning: boolean;
  /** null: on no thread. */
  readonly thread: number | null;
  readonly startMs: number;
  readonly lengthMs: number;
  readonly lostMs: number;
  /** Run-queue time right before it; null when it is no dispatch or not known. */
  readonly delayMs: number | null;
}

export function stayOf({ recording, own, nth }: TimelineIndex, row: number): Stay {
  const at = (column: Float64Array) => column[row] as number;
  const [process, startMs, thread] = [at(recording.process), at(recording.startMs), at(recording.thread)];
  const activity = recording.activities[at(recording.activity)];
  const isRunning = at(recording.activity) === RUNNING;
  return {
    row, process, startMs, isRunning, kind: kindName(recording, process), what: activity?.event ?? "",
    class: activity?.class ?? "Other", thread: isRunning && thread >= 0 ? thread : null,
    lengthMs: at(recording.endMs) - startMs, lostMs: at(recording.debtMs),
    delayMs: isRunning ? delayBefore(recording, own, nth, row) : null,
  };
}

export function kindName({ kind, kinds }: TimelineIndex["recording"], process: number): string {
  return kinds[kind[process] ?? 0] ?? "process";
}
