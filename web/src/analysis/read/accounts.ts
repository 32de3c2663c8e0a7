/** Where a side's CPU went, from its own report: shares of thread or slot time, in percent. */
import type { Report } from "../../engine";
import { mean } from "../../base/statistics";

export interface Account {
  readonly threads: number;
  readonly busyThreads: number;
  /** Lost to switching and refilling caches, % of thread time. */
  readonly switchPercent: number;
  /** Median stay on a thread: a few sessions that nobody disturbs would carry a mean far from what is seen. */
  readonly sliceMs: number;
  readonly switchMs: number;
  /** Slots that stood empty while a session waited, % of slot time. */
  readonly emptyPercent: number;
  /** Sessions that wanted to run and did not. */
  readonly waiting: number;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export function waitingIn(report: Report): number {
  return sum(report.aas.filter((row) => row.class !== "CPU").map((row) => row.mean));
}

function slotsOf(report: Report): { slots: number | null; empty: number } {
  const caged = report.instances.filter((instance) => instance.slots !== null);
  if (caged.length === 0) return { slots: null, empty: 0 };
  return {
    slots: sum(caged.map((instance) => instance.slots ?? 0)),
    empty: sum(caged.map((instance) => instance.slots_empty ?? 0)),
  };
}

export function medianStayMs(report: Report): number {
  return report.on_cpu.find((row) => row.state === "running")?.p50_ms ?? 0;
}

export function accountOf(report: Report): Account {
  const { nodes } = report;
  const threads = Math.max(1, sum(nodes.map((node) => node.threads)));
  const { slots, empty } = slotsOf(report);
  return {
    threads,
    busyThreads: sum(nodes.map((node) => node.cpu_busy_threads)),
    switchPercent: (100 * sum(nodes.map((node) => node.switch_threads))) / threads,
    sliceMs: medianStayMs(report),
    switchMs: mean(nodes.map((node) => node.mean_switch_us)) / 1000,
    emptyPercent: slots === null || slots === 0 ? 0 : (100 * empty) / slots,
    waiting: waitingIn(report),
  };
}
