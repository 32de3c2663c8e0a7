/** The recording in a report's columns, and what its numbers mean. */
import type { Report } from "../../engine";
import { recordedIn, type RecordedColumn } from "./columns";

/** The columns of a recording, in the order in which stays ended, and what their numbers mean. */
export interface Recording {
  readonly fromMs: number;
  readonly toMs: number;
  readonly process: Float64Array;
  /** Index into `activities`. */
  readonly activity: Float64Array;
  /** Hardware thread, counted over all nodes; -1 for none. */
  readonly thread: Float64Array;
  readonly startMs: Float64Array;
  readonly endMs: Float64Array;
  /** Lost at its start to switching and refilling. */
  readonly debtMs: Float64Array;
  /** Index into `kinds`, by process number. */
  readonly kind: Float64Array;
  readonly kinds: readonly string[];
  readonly activities: readonly { readonly event: string; readonly class: string }[];
  readonly threads: number;
  readonly threadsPerCore: number;
  readonly threadsPerSocket: number;
}

export const RUNNING = 1;
export const RUN_QUEUE = 2;

const DEFAULT_KINDS = ["session", "background", "service"];

/** null where nothing was recorded. */
export function recordingIn(
  report: Report, data: Float64Array, activities: Recording["activities"], threadsPerCore: number,
  threadsPerSocket: number,
): Recording | null {
  const column = (name: RecordedColumn): Float64Array => recordedIn({ report, data }, name);
  const [process, thread, startMs, endMs] = [column("process"), column("thread"), column("start_ms"), column("end_ms")];
  if (process.length === 0 || activities.length === 0) return null;
  const { timeline, kinds } = report as Partial<{
    readonly timeline: { readonly from_ms: number; readonly to_ms: number } | null;
    readonly kinds: readonly string[];
  }>;
  const nodes = report.nodes.reduce((sum, node) => sum + node.threads, 0);
  return {
    process, thread, startMs, endMs, activity: column("activity"), debtMs: column("debt_ms"), kind: column("kind"),
    kinds: kinds ?? DEFAULT_KINDS, activities,
    fromMs: timeline?.from_ms ?? startMs.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY),
    toMs: timeline?.to_ms ?? (endMs.at(-1) as number),
    threads: thread.reduce((most, one) => Math.max(most, one + 1), nodes), threadsPerCore, threadsPerSocket,
  };
}
