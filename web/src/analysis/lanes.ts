/** Who ran on which hardware thread, in one short window. */
import type { FullAnswer, Report } from "../engine";
import { formatMs } from "../units";
import { columnOf } from "./columns";
import type { LaneSlice, LanesModel } from "./types";

const WINDOW_MS = 120;
/** In less there is nothing to see. */
const LEAST_MS = 20;

function slicesOf(answer: FullAnswer): LaneSlice[] {
  const [threads, starts, ends, debts, processes] = ["thread", "start_ms", "end_ms", "debt_ms", "process"].map((name) => columnOf(answer, `lane/${name}`));
  return [...(threads ?? [])].map((thread, i) => ({
    thread, startMs: starts?.[i] ?? 0, endMs: ends?.[i] ?? 0, debtMs: debts?.[i] ?? 0, process: processes?.[i] ?? 0,
  }));
}

/** Where every thread has shown its first slice: what began before the recording is not known, and is no idle time. */
function knownFrom(slices: readonly LaneSlice[], windowMs: number): number {
  const firsts = new Map<number, number>();
  for (const { thread, startMs } of slices) firsts.set(thread, Math.min(firsts.get(thread) ?? startMs, startMs));
  const [first, last] = [Math.min(...slices.map((slice) => slice.startMs)), Math.max(...slices.map((slice) => slice.endMs))];
  return Math.max(first, Math.min(Math.max(...firsts.values()), last - windowMs));
}

/** So long every thread is known from there: a slice that had not ended when the recording did is not in it, and is no idle time. */
function knownFor(slices: readonly LaneSlice[], windowMs: number): number {
  const from = knownFrom(slices, windowMs);
  const lasts = new Map<number, number>();
  for (const { thread, endMs } of slices) lasts.set(thread, Math.max(lasts.get(thread) ?? endMs, endMs));
  return Math.min(...lasts.values()) - from;
}

/** A whole recording is far longer than the window; in a short one the window ends where the first thread is not known any more. */
export function windowFor(slices: readonly LaneSlice[]): number {
  if (slices.length === 0) return WINDOW_MS;
  const spanMs = Math.max(...slices.map((slice) => slice.endMs)) - Math.min(...slices.map((slice) => slice.startMs));
  const windowMs = Math.min(WINDOW_MS, Math.max(1, spanMs));
  return spanMs > 4 * WINDOW_MS ? windowMs : Math.min(windowMs, knownFor(slices, windowMs));
}

/** The slices of the window, counted from its start and cut at its ends. */
export function windowOf(slices: readonly LaneSlice[], windowMs: number): LaneSlice[] {
  const from = knownFrom(slices, windowMs);
  return slices
    .map((slice) => {
      const cut = Math.max(0, from - slice.startMs);
      return { ...slice, startMs: slice.startMs + cut - from, endMs: Math.min(slice.endMs - from, windowMs), debtMs: Math.max(0, slice.debtMs - cut) };
    })
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
  const runMs = report.on_cpu.find((row) => row.state === "running")?.mean_ms ?? 0;
  if (runMs <= 0) return "";
  const waitMs = pauseMs(report);
  return waitMs <= 0 ? `one session runs ${formatMs(runMs)} at a time` : `one session ${formatMs(runMs)} in ${formatMs(runMs + waitMs)}`;
}

export function lanesOf(answer: FullAnswer, threads: number, threadsPerCore: number): LanesModel {
  const all = slicesOf(answer);
  const knownMs = windowFor(all);
  const isKnown = all.length > 0 && knownMs >= LEAST_MS;
  const windowMs = isKnown ? knownMs : WINDOW_MS;
  const slices = isKnown ? windowOf(all, windowMs) : [];
  return { threads, threadsPerCore, windowMs, slices, followed: followedIn(slices, windowMs), caption: captionOf(answer.report) };
}
