/** The columns of a full answer. Their keys are known in this room alone. */
import type { FullAnswer } from "../../engine";
import type { WaitClass } from "./types";

type Columns = Pick<FullAnswer, "report" | "data">;

/** The values of one column; empty where the answer has none. */
export function columnOf({ report, data }: Columns, key: string): Float64Array {
  const column = report.columns.find((candidate) => candidate.key === key);
  return column === undefined ? new Float64Array(0) : data.subarray(column.offset, column.offset + column.length);
}

/** Starts of the buckets of simulated time [s]. */
export const bucketTimesS = (answer: Columns): Float64Array => columnOf(answer, "aas/time_s");

/** Average active sessions of a class, bucket by bucket; of one of several hosts, counted from 1, or of all. */
export const activeSessionsIn = (answer: Columns, name: WaitClass, host: number | null = null): Float64Array =>
  columnOf(answer, host === null ? `aas/${name}` : `aas/node${host}/${name}`);

/** How often a length between two edges was seen: of an event by its name, or of `transaction` or `service`. */
export function histogramIn(
  answer: Columns, name: string,
): { readonly edgesMs: Float64Array; readonly counts: Float64Array } {
  return {
    edgesMs: columnOf(answer, `histogram/${name}/edge_ms`), counts: columnOf(answer, `histogram/${name}/count`),
  };
}

/** Of the recording: one value a stay, but `kind` and, of several hosts, `node`, which have one a process. */
export type RecordedColumn = "process" | "activity" | "thread" | "start_ms" | "end_ms" | "debt_ms" | "kind" | "node";

export const recordedIn = (answer: Columns, name: RecordedColumn): Float64Array => columnOf(answer, `timeline/${name}`);
