/**
 * The exports of the simulation, as the page uses them. The built package satisfies this; so does the fake in
 * `testing/`.
 */

export interface WasmRun {
  /** Simulates at most so many events; `readProgress` names the numbers. */
  advance(maxEvents: number): Float64Array;
  /** The same of what the scenario is compared with; empty where there is nothing. */
  otherProgress(): Float64Array;
  /** One throughput per replication, then one response time per replication; of A instead of B where `ofA`. */
  reps(ofA: boolean): Float64Array;
  /** Mean, half-width or NaN, then one value a replication, of the metric asked for; empty where it does not apply. */
  metric(ofA: boolean): Float64Array;
  report(ofA: boolean): string;
  data(ofA: boolean): Float64Array;
  free(): void;
}

export interface WasmFit {
  /** Tries values for about so many events: done (0 or 1), values tried, how many are tried at most. */
  advance(maxEvents: number): Float64Array;
  /** Value, range, open below and above (0 or 1), residual, figures compared; empty before a value was tried. */
  found(): Float64Array;
  free(): void;
}

export interface WasmModule {
  describe(query: string): string;
  readonly Run: new (query: string, optionsJson: string) => WasmRun;
  /** `points`: four numbers each. */
  readonly Fit: new (query: string, over: string, free: string, points: Float64Array) => WasmFit;
}
