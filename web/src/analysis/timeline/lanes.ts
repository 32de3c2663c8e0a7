/** Who ran on which hardware thread, in one short window. */
import type { FullAnswer, Report } from "../../engine";
import { formatMs } from "../../units";
import { medianStayMs } from "../read/accounts";
import { recordedIn } from "../read/columns";
import { RUNNING, type HostLanes } from "../read/recording";
import type { LaneSlice, LanesModel } from "./types";

const WINDOW_MS = 120;
/** A wait with fewer active sessions is none to speak of. */
const SMALLEST_AAS = 0.01;
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
  return longest === undefined || longest.aas.mean < SMALLEST_AAS ? 0 : longest.mean_ms;
}

/** The same on one of several hosts, from the stays there that were recorded whole. */
function paceOn(answer: FullAnswer, host: number): { readonly runMs: number; readonly waitMs: number } {
  const [process, activity, start, end, node] = (
    ["process", "activity", "start_ms", "end_ms", "node"] as const
  ).map((name) => recordedIn(answer, name)) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
  const { from_ms: from = 0, to_ms: to = 0 } = answer.report.timeline ?? {};
  const runs: number[] = [];
  const waits = new Map<number, { sum: number; count: number }>();
  for (let i = 0; i < process.length; i++) {
    const [doing, since, until] = [activity[i] ?? 0, start[i] ?? 0, end[i] ?? 0];
    if (node[process[i] ?? -1] !== host || doing === 0 || since <= from || until >= to) continue;
    if (doing === RUNNING) runs.push(until - since);
    else {
      const { sum, count } = waits.get(doing) ?? { sum: 0, count: 0 };
      waits.set(doing, { sum: sum + until - since, count: count + 1 });
    }
  }
  const [longest] = [...waits.values()].toSorted((one, other) => other.sum - one.sum);
  const isFelt = longest !== undefined && longest.sum >= SMALLEST_AAS * (to - from);
  const middle = runs.toSorted((one, other) => one - other)[Math.floor(runs.length / 2)];
  return { runMs: middle ?? 0, waitMs: isFelt ? longest.sum / longest.count : 0 };
}

function captionOf(runMs: number, waitMs: number): string {
  if (runMs <= 0) return "";
  return waitMs <= 0
    ? `one session runs ${formatMs(runMs)} at a time`
    : `one session ${formatMs(runMs)} in ${formatMs(runMs + waitMs)}`;
}

/** `at`: the host shown, and which of several it is, counted from 0; null: the only one. */
export function lanesOf(answer: FullAnswer, host: HostLanes, at: number | null): LanesModel {
  const all = slicesOf(answer, host);
  const { report } = answer;
  const { timeline } = report;
  // Where the recording says between which moments it is whole, its last stretch; there every thread is known.
  const windowMs = timeline === null ? windowFor(all) : Math.min(WINDOW_MS, timeline.to_ms - timeline.from_ms);
  const slices = timeline === null ? windowOf(all, windowMs) : windowOf(all, windowMs, timeline.to_ms - windowMs);
  const { runMs, waitMs } =
    at === null ? { runMs: medianStayMs(report), waitMs: pauseMs(report) } : paceOn(answer, at);
  return {
    threads: host.threads, threadsPerCore: host.perCore, windowMs, slices, followed: followedIn(slices, windowMs),
    caption: captionOf(runMs, waitMs),
  };
}
