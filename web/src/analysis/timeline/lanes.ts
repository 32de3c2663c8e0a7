/** Who ran on which hardware thread, in one short window. */
import type { FullAnswer, Report } from "../../engine";
import { formatMs } from "../../units";
import { recordedIn } from "../read/columns";
import { areThreadsShared } from "../read/ledger";
import { RUNNING, type HostLanes } from "../read/recording";
import type { LaneSlice, LanesModel } from "./types";

const WINDOW_MS = 120;
const SESSION = "session";
const NONE = new Float64Array(0);

/** Stays on the threads of one host, which are counted from 0. */
function slicesOf(answer: FullAnswer, { first, threads: count }: HostLanes): LaneSlice[] {
  const names = ["thread", "activity", "start_ms", "end_ms", "debt_ms", "process"] as const;
  const [threads = NONE, activities = NONE, starts = NONE, ends = NONE, debts = NONE, processes = NONE] = names.map(
    (name) => recordedIn(answer, name),
  );
  const slices: LaneSlice[] = [];
  for (let i = 0; i < threads.length; i++) {
    const thread = (threads[i] ?? 0) - first;
    if (activities[i] !== RUNNING || thread < 0 || thread >= count) continue;
    slices.push({
      thread, startMs: starts[i] ?? 0, endMs: ends[i] ?? 0, debtMs: debts[i] ?? 0,
      process: processes[i] ?? 0,
    });
  }
  return slices;
}

/** The window's length: the recording's own where that is shorter. */
export function windowFor(slices: readonly LaneSlice[]): number {
  if (slices.length === 0) return WINDOW_MS;
  return Math.min(
    WINDOW_MS, Math.max(...slices.map((slice) => slice.endMs)) - Math.min(...slices.map((slice) => slice.startMs)),
  );
}

const firstStart = (slices: readonly LaneSlice[]): number => Math.min(...slices.map((slice) => slice.startMs));

/** The slices of the window, counted from where it begins and cut at its ends: what is lost is lost first of all. */
export function windowOf(slices: readonly LaneSlice[], windowMs: number, from = firstStart(slices)): LaneSlice[] {
  return slices
    .map((slice) => ({
      ...slice, startMs: Math.max(0, slice.startMs - from), endMs: Math.min(slice.endMs - from, windowMs),
      debtMs: Math.max(0, slice.debtMs - Math.max(0, from - slice.startMs)),
    }))
    .filter((slice) => slice.startMs < windowMs && slice.endMs > slice.startMs);
}

/**
 * The process to follow: one that comes back, and if none does, one whose whole stay is seen; a session where any runs.
 */
export function followedIn(
  slices: readonly LaneSlice[], windowMs: number, isSession: (process: number) => boolean = () => true,
): number | null {
  const stays = new Map<number, number>();
  const whole = new Set<number>();
  const ofSessions = slices.filter(({ process }) => isSession(process));
  for (const slice of ofSessions.length > 0 ? ofSessions : slices) {
    stays.set(slice.process, (stays.get(slice.process) ?? 0) + 1);
    if (slice.startMs > 0 && slice.endMs < windowMs) whole.add(slice.process);
  }
  const candidates = [...stays].filter(([process]) => whole.size === 0 || whole.has(process));
  const [best] = candidates.toSorted(([one, times], [other, otherTimes]) => otherTimes - times || one - other);
  return best?.[0] ?? null;
}

/** How much of the window the followed process runs, and in how many stays: what can be counted in the drawing. */
export function captionOf(slices: readonly LaneSlice[], followed: number | null, windowMs: number): string {
  const own = slices.filter(({ process }) => process === followed);
  if (own.length === 0) return "";
  const runs = own.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  return `${formatMs(runs)} of ${formatMs(windowMs)}, ${own.length === 1 ? "once" : `${own.length} times`}`;
}

/** The threads of one host in the last stretch that was recorded. */
export function lanesOf(answer: FullAnswer, host: HostLanes): LanesModel {
  const all = slicesOf(answer, host);
  const { report } = answer;
  const { timeline } = report;
  // Where the recording says between which moments it is whole, its last stretch; there every thread is known.
  const windowMs = timeline === null ? windowFor(all) : Math.min(WINDOW_MS, timeline.to_ms - timeline.from_ms);
  const slices = timeline === null ? windowOf(all, windowMs) : windowOf(all, windowMs, timeline.to_ms - windowMs);
  const [kinds, kind] = [report.kinds as Report["kinds"] | undefined, recordedIn(answer, "kind")];
  const kindOf = (process: number): string => kinds?.[kind[process] ?? 0] ?? SESSION;
  const followed = followedIn(slices, windowMs, (process) => kindOf(process) === SESSION);
  return {
    threads: host.threads, threadsPerCore: host.perCore, windowMs, slices, followed,
    followedName: followed === null ? "" : kindOf(followed),
    caption:
      followed !== null ? captionOf(slices, followed, windowMs)
      : areThreadsShared(report) ? "all share the threads" : "no switch in this time",
  };
}
