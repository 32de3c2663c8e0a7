/**
 * The strip at the foot: what was asked and reached, what was cut, which laws hold, what it cost here and would cost
 * there.
 */
import type { Report } from "../../engine";
import { formatBigCount, formatCount, formatHalfWidth, formatMs, formatPercent, formatShort, NBSP } from "../../units";
import { isHalted, isUnderWay, type AnalysisInput } from "../read/input";
import { capital } from "../read/names";
import { worse } from "../read/stage";
import type { TrustModel } from "./types";

function precisionText(input: AnalysisInput, report: Report): string {
  const asked = `${formatShort(100 * input.precisionAsked)} % asked`;
  const reached = worse(input.progress?.precision ?? report.precision.reached, input.fullA);
  if (reached === null) return `no interval yet, ${asked}`;
  const width = `${formatHalfWidth(100 * reached, 1)}${NBSP}%`;
  const how = isHalted(input) ? "stopped" : "narrowing";
  return isUnderWay(input) ? `${width} and ${how}` : `${width}, ${asked}`;
}

function hours(minutes: number): string {
  if (minutes < 90) return `${formatShort(minutes, 2)} min`;
  return minutes < 48 * 60 ? `${formatShort(minutes / 60, 2)} h` : `${formatShort(minutes / 1440, 2)} days`;
}

/** The chart's points, as many minutes each as a run on the real machine takes. */
function costText(input: AnalysisInput): string {
  const here = `${formatMs(Math.max(1, input.spentMs))} here`;
  const minutes = input.preset.cost_note;
  return !(minutes > 0) ? here : `${here}, ${hours(minutes * input.points)} on the machine`;
}

/** Short enough for the strip. */
const lawName = (law: string): string => (law.startsWith("threads:") ? "Thread time adds up" : capital(law));

function residualText(residual: number): string {
  if (Math.abs(residual) < 1e-4) return "";
  return formatPercent(100 * residual, Math.abs(residual) < 0.01 ? 2 : 1);
}

/** A law holds where it does on both sides. */
function lawsOf(reports: readonly Report[]): TrustModel["laws"] {
  const checks = reports.flatMap((report) => report.checks);
  const told = new Map([...checks, ...checks.filter(({ ok }) => !ok)].map((check) => [check.law, check]));
  return [...told.values()].map(({ law, ok, residual }) => ({
    name: lawName(law), ok, residual: residualText(residual),
  }));
}

export function trustOf(input: AnalysisInput): TrustModel | null {
  const answer = input.fullB;
  if (answer === null) return null;
  const { report, elapsedMs } = answer;
  const both = [(input.fullA ?? answer).report, report];
  const wholeS = report.simulated_s / Math.max(1, report.replications) + report.warmup_s;
  return {
    precision: precisionText(input, report),
    precisionOk: isUnderWay(input) || both.every(({ precision }) => precision.ok && !precision.truncated),
    warmup: report.ended.length > 0
      ? `none: ${formatMs(1000 * wholeS)} to the end`
      : `${formatMs(1000 * report.warmup_s)} of ${formatMs(1000 * wholeS)} cut`,
    seed: formatCount(input.seed).replaceAll(",", ""),
    events: `${formatBigCount(report.events)} events in ${formatMs(Math.max(1, Math.round(elapsedMs)))}`,
    laws: lawsOf(both),
    cost: costText(input),
  };
}
