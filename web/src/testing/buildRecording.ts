/** A made-up recording: threads that take whoever has waited longest, for tests and to look at. */
import type { Recording } from "../analysis/read/recording";

export interface RecordingPlan {
  readonly threads?: number;
  readonly sessions?: number;
  readonly background?: number;
  readonly services?: number;
  readonly stays?: number;
  readonly seed?: number;
  readonly sliceMs?: number;
}

const ACTIVITIES = [
  { event: "idle", class: "Idle" }, { event: "running", class: "CPU" }, { event: "run queue", class: "run queue" },
  { event: "resmgr:cpu quantum", class: "Scheduler" }, { event: "latch: cache buffers chains", class: "Concurrency" },
];

export const KINDS = ["session", "background", "service"];

/** Numbers from 0 to 1, the same for the same seed. */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Row = readonly [process: number, activity: number, thread: number, start: number, end: number, debt: number];

/** Rows in any order as a recording. */
export function recordingOf(rows: readonly Row[], kind: readonly number[], threads: number, fromMs = 0): Recording {
  const host = { name: null, first: 0, threads, perCore: 2, perSocket: Math.max(2, threads / 2) };
  const sorted = rows.toSorted((a, b) => a[4] - b[4]);
  const column = (i: number) => Float64Array.from(sorted, (row) => row[i]!);
  return {
    fromMs, toMs: sorted.at(-1)?.[4] ?? fromMs + 1, process: column(0), activity: column(1), thread: column(2),
    startMs: column(3), endMs: column(4), debtMs: column(5), kind: Float64Array.from(kind), kinds: KINDS,
    activities: ACTIVITIES, threads, node: new Float64Array(0), hosts: [host], left: [],
  };
}

export function buildRecording({
  threads = 8, sessions = 32, background = 0, services = 0, stays = 2000, seed = 1, sliceMs = 6.8,
}: RecordingPlan = {}): Recording {
  const next = dice(seed);
  const kind = [
    ...Array.from({ length: sessions }, () => 0), ...Array.from({ length: background }, () => 1),
    ...Array.from({ length: services }, () => 2),
  ];
  const ready = kind.map(() => next() * 5);
  const free = Array.from({ length: threads }, () => 0);
  const rows: Row[] = [];
  while (rows.length < stays) {
    const thread = free.indexOf(Math.min(...free));
    const process = ready.indexOf(Math.min(...ready));
    const since = ready[process]!;
    const start = Math.max(free[thread]!, since);
    if (start > since) rows.push([process, 2, thread, since, start, 0]);
    const isService = kind[process] === 2;
    const length = isService ? 0.05 + next() * 0.3 : sliceMs * (0.4 + next() * 1.2);
    const end = start + length;
    rows.push([process, 1, thread, start, end, isService ? 0.01 : Math.min(0.8, length / 3)]);
    free[thread] = end;
    const lot = next();
    const waits = isService
      ? ([0, 2 + next() * 12] as const)
      : lot < 0.12
        ? ([3, 5 + next() * 60] as const)
        : lot < 0.2
          ? ([4, next() * 2] as const)
          : null;
    if (waits !== null) rows.push([process, waits[0], -1, end, end + waits[1], 0]);
    ready[process] = end + (waits?.[1] ?? 0);
  }
  return recordingOf(rows, kind, threads);
}
