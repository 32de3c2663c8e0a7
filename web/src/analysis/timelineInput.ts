/** The recording in a report's columns. */
import type { Report } from "../engine";
import type { Recording } from "./timeline";

const NONE = new Float64Array(0);
const DEFAULT_KINDS = ["session", "background", "service"];

/** null where nothing was recorded. */
export function recordingIn(report: Report, data: Float64Array, activities: Recording["activities"], threadsPerCore: number, threadsPerSocket: number): Recording | null {
  const column = (name: string): Float64Array => {
    const found = report.columns.find(({ key }) => key === `timeline/${name}`);
    return found === undefined ? NONE : data.subarray(found.offset, found.offset + found.length);
  };
  const [process, thread, startMs, endMs] = [column("process"), column("thread"), column("start_ms"), column("end_ms")];
  if (process.length === 0 || activities.length === 0) return null;
  const { timeline, kinds } = report as Partial<{ readonly timeline: { readonly from_ms: number; readonly to_ms: number } | null; readonly kinds: readonly string[] }>;
  const nodes = report.nodes.reduce((sum, node) => sum + node.threads, 0);
  return {
    process, thread, startMs, endMs, activity: column("activity"), debtMs: column("debt_ms"), kind: column("kind"), kinds: kinds ?? DEFAULT_KINDS, activities,
    fromMs: timeline?.from_ms ?? startMs.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY), toMs: timeline?.to_ms ?? (endMs.at(-1) as number),
    threads: thread.reduce((most, one) => Math.max(most, one + 1), nodes), threadsPerCore, threadsPerSocket,
  };
}
