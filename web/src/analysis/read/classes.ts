/** Wait classes, in the order in which charts stack them. */
import type { WaitClass } from "./types";

export const CLASSES: readonly WaitClass[] = [
  "CPU", "run queue", "Scheduler", "User I/O", "System I/O", "Concurrency", "Application", "Commit", "Configuration",
  "Cluster", "Other", "Idle",
];

export function classOf(name: string): WaitClass {
  return CLASSES.find((known) => known === name) ?? "Other";
}
