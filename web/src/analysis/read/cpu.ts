/** CPU of a report in its three ways of counting. */
import type { Est, Report } from "../../engine";
import { everywhere, type Values } from "./input";

/** Sessions on CPU, threads by time, cores by PURR. */
export interface Cpu {
  readonly onCpu: number;
  readonly time: number;
  readonly purr: number;
}

export function cpuOf(report: Report): Cpu {
  const sum = (read: (row: Report["instances"][number]["cpu"]) => Est): number =>
    report.instances.reduce((total, { cpu }) => total + read(cpu).mean, 0);
  return { onCpu: sum((cpu) => cpu.on_cpu), time: sum((cpu) => cpu.time), purr: sum((cpu) => cpu.purr) };
}

/** PURR is a register of POWER: of the systems here it is AIX that charges by it. */
export const hasPurr = (values: Values): boolean => everywhere(values, "os_scheduler").includes("AIX");

/** The most on any host. */
export const threadsPerCore = (values: Values): number =>
  Math.max(1, ...everywhere(values, "threads_per_core").map(Number).filter(Number.isFinite));
