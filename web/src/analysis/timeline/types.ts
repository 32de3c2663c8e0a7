/** What short lanes show. */

export interface LaneSlice {
  readonly thread: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly debtMs: number;
  readonly process: number;
}

/** Who ran on which hardware thread, one short window. */
export interface LanesModel {
  readonly threads: number;
  readonly threadsPerCore: number;
  readonly windowMs: number;
  readonly slices: readonly LaneSlice[];
  readonly followed: number | null;
  /** Its kind; empty where nobody is followed. */
  readonly followedName: string;
  /** What it does; where nobody is followed why there is nothing to draw. */
  readonly caption: string;
}
