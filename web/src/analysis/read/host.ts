/** What the knobs say of a host: its threads, and the work they do together. */
import { numberOf, type Values } from "./input";

export interface Host {
  readonly cores: number;
  readonly threads: number;
  /** Work of all threads together, in threads that run alone on their cores. */
  readonly capacity: number;
}

/** The yield with all threads of a core busy: the last entry of a list, or the one number. */
function fullYield(values: Values, threadsPerCore: number): number {
  const text = String(values["smt_yield"] ?? "1");
  const entries = text.split(/[/,]/).map(Number).filter(Number.isFinite);
  return threadsPerCore <= 1 ? 1 : Math.max(1, ...entries.slice(0, Math.max(1, threadsPerCore)));
}

export function hostOf(values: Values): Host {
  const cores = numberOf(values, "sockets", 1) * numberOf(values, "cores_per_socket", 1);
  const perCore = numberOf(values, "threads_per_core", 1);
  return { cores, threads: cores * perCore, capacity: cores * fullYield(values, perCore) };
}
