/** Who waits, and for how long somebody stays on a thread. */
import type { Report } from "../../engine";

/** Whether transactions outlast the run: their mean is by Little's law then, and how they spread is not known. */
export const isOutlasted = ({ response_ms: response }: Report): boolean => response.count === 0 && response.mean > 0;

/** Sessions that want to run and do not. */
export function waitingIn(report: Report): number {
  return report.aas.reduce((sum, row) => sum + (row.class === "CPU" ? 0 : row.mean), 0);
}

/** A few sessions that nobody disturbs would carry a mean far from what is seen. */
export function medianStayMs(report: Report): number {
  return report.on_cpu.find((row) => row.state === "running")?.p50_ms ?? 0;
}
