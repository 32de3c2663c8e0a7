/** Who waits, and for how long somebody stays on a thread. */
import type { Report } from "../../engine";

/** Whether transactions outlast the run: their mean is by Little's law then, and how they spread is not known. */
export const isOutlasted = ({ response_ms: response }: Report): boolean => response.count === 0 && response.mean > 0;

/** Classes that are no waiting: who is in one runs, or is idle, and so no active session. */
const NO_WAITS: ReadonlySet<string> = new Set(["CPU", "Idle"]);

/** Active sessions that do not run. */
export function waitingIn(report: Report): number {
  return report.aas.reduce((sum, row) => sum + (NO_WAITS.has(row.class) ? 0 : row.mean), 0);
}
