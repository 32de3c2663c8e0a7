/** Who waits, and for how long somebody stays on a thread. */
import type { Report } from "../../engine";

/** Whether transactions outlast the run: their mean is by Little's law then, and how they spread is not known. */
export const isOutlasted = ({ response_ms: response }: Report): boolean => response.count === 0 && response.mean > 0;

/** Who is idle is no active session. */
export const isActive = (name: string): boolean => name !== "Idle";

/** Whether a class is waiting: who is in another runs, or is idle. */
export const isWaiting = (name: string): boolean => name !== "CPU" && isActive(name);

/** Active sessions in run queues. */
export const queuedIn = (report: Report): number => report.aas.find((row) => row.class === "run queue")?.mean ?? 0;

/** The same as the database clocks them: who queues after a wait is in that. */
export const clockedQueue = (report: Report): number =>
  report.on_cpu.find(({ state }) => state === "run queue")?.clocked_aas.mean ?? 0;

/** The run queue by name: where most in it come from waits, the database counts them with those. */
export const queueName = (report: Report): string =>
  clockedQueue(report) < queuedIn(report) / 2 ? "run queue after waits" : "run queue";

/** Active sessions that do not run. */
export function waitingIn(report: Report): number {
  return report.aas.reduce((sum, row) => sum + (isWaiting(row.class) ? row.mean : 0), 0);
}
