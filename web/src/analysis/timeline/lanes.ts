/** Who ran on which hardware thread, in one short window. */
import type { FullAnswer, Report } from "../../engine";
import { formatMs } from "../../units";
import { medianStayMs } from "../read/accounts";
import { recordedIn } from "../read/columns";
import type { LaneSlice, LanesModel } from "./types";

const WINDOW_MS = 120;
/** As the catalogue counts activities. */
const RUNNING = 1;
const NONE = new Float64Array(0);

function slicesOf(answer: FullAnswer): LaneSlice[] {
  const names = ["thread", "activity", "start_ms", "end_ms", "debt_ms", "process"] as const;
  const [threads = NONE, activities = NONE, starts = NONE, ends = NONE, debts = NONE, processes = NONE] = names.map(
    (name) => recordedIn(answer, name),
  );
  const slices: LaneSlice[] = [];
  for (let i = 0; i < threads.length; i++) {
    if (activities[i] !== RUNNING) continue;
    slices.push({
      thread: threads[i] ?? 0, startMs: starts[i] ?? 0, endMs: ends[i] ?? 0, debtMs: debts[i] ?? 0,
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

/** The slices of the window, counted from where it begins and cut at its ends. */
export function windowOf(slices: readonly LaneSlice[], windowMs: number, from = firstStart(slices)): LaneSlice[] {
  return slices
    .map((slice) => ({
      ...slice, startMs: Math.max(0, slice.startMs - from), endMs: Math.min(slice.endMs - from, windowMs),
    }))
    .filter((slice) => slice.startMs < windowMs && slice.endMs > slice.startMs);
}

/** The session to follow: one that comes back, and if none does, one whose whole stay is seen. */
export function followedIn(slices: readonly LaneSlice[], windowMs: number): number | null {
  const stays = new Map<number, number>();
  const whole = new Set<number>();
  for (const slice of slices) {
    stays.set(slice.process, (stays.get(slice.process) ?? 0) + 1);
    if (slice.startMs > 0 && slice.endMs < windowMs) whole.add(slice.process);
  }
  const candidates = [...stays].filter(([process]) => whole.size === 0 || whole.has(process));
  const [best] = candidates.toSorted(([one, times], [other, otherTimes]) => otherTimes - times || one - other);
  return best?.[0] ?? null;
}

/** What it waits for longest between two stays. */
function pauseMs(report: Report): number {
  const queue = report.on_cpu.find((row) => row.state === "run queue");
  const rows = [...report.waits, ...(queue === undefined ? [] : [queue])];
  const [longest] = rows.toSorted((a, b) => b.time_s - a.time_s);
  return longest === undefined || longest.aas.mean < 0.01 ? 0 : longest.mean_ms;
}

function captionOf(report: Report): string {
  const runMs = medianStayMs(report);
  if (runMs <= 0) return "";
  const waitMs = pauseMs(report);
  return waitMs <= 0
    ? `one session runs ${formatMs(runMs)} at a time`
    : `one session ${formatMs(runMs)} in ${formatMs(runMs + waitMs)}`;
}

export function lanesOf(answer: FullAnswer, threads: number, threadsPerCore: number): LanesModel {
  const all = slicesOf(answer);
  const { timeline } = answer.report;
  // Where the recording says between which moments it is whole, its last stretch; there every thread is known.
  const windowMs = timeline === null ? windowFor(all) : Math.min(WINDOW_MS, timeline.to_ms - timeline.from_ms);
  const slices = timeline === null ? windowOf(all, windowMs) : windowOf(all, windowMs, timeline.to_ms - windowMs);
  return {
    threads, threadsPerCore, windowMs, slices, followed: followedIn(slices, windowMs),
    caption: captionOf(answer.report),
  };
}
