/** A recording of who ran where, indexed once so that any window of it can be drawn, read and counted without a scan. */

/** The columns `timeline/…` of a report, in the order in which stays ended, and what their numbers mean. */
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
