/** Shapes that every room knows. Units stand in the names. */

/**
 * A mean with its 95 % half-width; `ci95` is null where there is too little data for one. `reps`: one mean per
 * replication.
 */
export interface Estimate {
  readonly mean: number;
  readonly ci95: number | null;
  readonly reps: readonly number[];
}

/** How far an answer is: from nothing to as precise as asked, or why not. */
export type Stage =
  | { readonly kind: "empty" }
  /** Nothing has run here; what is shown was kept when the page was built. */
  | { readonly kind: "kept"; readonly isStopped: boolean }
  | { readonly kind: "coarse"; readonly isStopped: boolean }
  | { readonly kind: "refining"; readonly precision: number | null; readonly asked: number }
  | { readonly kind: "settled"; readonly precision: number; readonly asked: number }
  | { readonly kind: "truncated"; readonly precision: number | null; readonly asked: number; readonly events: number }
  | { readonly kind: "failed"; readonly message: string }
  /** The knobs ask for what cannot be simulated: what is shown is an answer from before. */
  | { readonly kind: "refused"; readonly message: string };

/** One point of the paired difference, in % of A or in the curve's unit. */
export interface DifferencePoint {
  readonly x: number;
  readonly value: number;
  readonly ci95: number | null;
}

export type WaitClass =
  | "CPU" | "run queue" | "Scheduler" | "User I/O" | "System I/O"
  | "Concurrency" | "Application" | "Commit" | "Configuration" | "Cluster" | "Other" | "Idle";
