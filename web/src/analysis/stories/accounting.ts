/** What each way of counting CPU would say. */
import type { Report } from "../../engine";
import { formatShort } from "../../units";
import { cpuOf, hasPurr, threadsPerCore } from "../read/cpu";
import type { AnalysisInput } from "../read/input";
import { plain, strongB } from "./spans";
import type { Span } from "./types";

/** A difference smaller than this is no CPU wait to speak of. */
const SMALLEST_WAIT = 0.05;

/** "7.29 cores", "1 core". */
const counted = (value: number, one: string): string =>
  `${formatShort(value)} ${formatShort(value) === "1" ? one : `${one}s`}`;

/** What each way of counting would say of B. */
export function accountingWhy(input: AnalysisInput, report: Report): readonly Span[] | null {
  const { onCpu, time, purr } = cpuOf(report);
  const [wait, wrong] = [onCpu - time, onCpu - purr];
  if (!hasPurr(input.b) || threadsPerCore(input.b) < 2 || wrong - wait < 0.5) return null;
  const truth = wait < SMALLEST_WAIT ? "there is none" : `it is ${formatShort(wait)}`;
  return [
    plain(
      `ASH has ${counted(onCpu, "session")} on CPU, PURR ${counted(purr, "core")}. CPU wait from PURR would be `
        + `${formatShort(wrong)}; `,
    ),
    strongB(truth), plain(". "),
  ];
}
