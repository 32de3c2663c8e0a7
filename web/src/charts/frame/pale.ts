import type { WaitClass } from "../../analysis/types";

const PALE: ReadonlySet<string> = new Set<WaitClass>(["Scheduler", "Cluster", "Idle"]);

/** Hardly told from paper: what is filled with it has an edge. */
export const isPale = (name: string): boolean => PALE.has(name);
