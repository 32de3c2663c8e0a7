/** CPU as ASH counts it, as a clock does, and as PURR does; and the CPU wait that follows from each. */
import type { Est, Report } from "../../engine";
import { formatFixed, formatIntervalOf, formatShort } from "../../units";
import { cpuOf, hasPurr, threadsPerCore } from "../read/cpu";
import { allHostsHead, hostsOf } from "../read/host";
import type { AnalysisInput } from "../read/input";
import type { AccountingModel } from "./types";

/** One row a way of counting, with the figure's own interval where there is one alone. */
function rowsOf(report: Report): string[] {
  const cpu = cpuOf(report);
  const [only] = report.instances;
  const text = (value: number, est: Est | undefined): string => {
    const hasOwn = report.instances.length === 1 && est !== undefined;
    return `${formatFixed(value, 2)} ${hasOwn ? formatIntervalOf(value, est.ci95, 2) : ""}`.trim();
  };
  return [
    text(cpu.onCpu, only?.cpu.on_cpu), text(cpu.time, only?.cpu.time), text(cpu.purr, only?.cpu.purr),
    formatFixed(cpu.onCpu - cpu.time, 2), formatFixed(cpu.onCpu - cpu.purr, 2),
  ];
}

const NAMES = [
  "ASH, sessions on CPU", "Time, threads", "PURR, cores", "CPU wait, ASH − time", "wrongly, ASH − PURR",
];

/** Null where nothing counts by PURR, and where threads have cores of their own: there both ways agree. */
export function accountingOf(input: AnalysisInput): AccountingModel | null {
  const { fullA, fullB } = input;
  const widest = Math.max(threadsPerCore(input.a), threadsPerCore(input.b));
  if (fullB === null || widest < 2 || !(hasPurr(input.a) || hasPurr(input.b))) return null;
  const [rowsA, rowsB] = [
    fullA === null || input.differs.length === 0 ? null : rowsOf(fullA.report), rowsOf(fullB.report),
  ];
  const cpu = cpuOf(fullB.report);
  return {
    title: `${allHostsHead(hostsOf(input)) || "CPU: "}${formatShort(cpu.onCpu)} on CPU, `
      + `${formatShort(cpu.time)} by time, ${formatShort(cpu.purr)} ${input.preset.nodes > 1 ? "" : "by "}PURR`,
    isOpen: widest > 2,
    rows: NAMES.map((name, i) => ({ name, a: rowsA?.[i] ?? null, b: rowsB[i] ?? "" })),
  };
}
