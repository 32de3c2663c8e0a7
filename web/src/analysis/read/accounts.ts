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

/** What is no more than this of a whole is half of it, as a percentage is rounded, and not most. */
export const HALF = 0.505;

/** The database counts who waits for a CPU after a wait with that wait: where most do, the event is named, too. */
export function queueName(report: Report): string {
  const after = ({ aas, clocked_aas: of }: Report["waits"][number]): number => of.mean - aas.mean;
  const [most] = report.waits.filter((row) => row.process_kind === "session" && isActive(row.class))
    .toSorted((one, other) => after(other) - after(one));
  const isAfter = most !== undefined && after(most) > HALF * queuedIn(report);
  return isAfter ? `run queue after ${most.event}` : "run queue";
}

/** Active sessions that do not run. */
export function waitingIn(report: Report): number {
  return report.aas.reduce((sum, row) => sum + (isWaiting(row.class) ? row.mean : 0), 0);
}
