/** How each published figure is read off one or two reports. */
import { mean } from "../../base/statistics";
import type { Est, PublishedFigure, Report, Verdict, WaitRow } from "../../engine";
import { metricIn } from "./metrics";
import { isDifference, judge, ratioOf, type Simulated } from "./verdict";

export interface FigureReading {
  /** Null where the run has nothing of the kind. */
  readonly simulated: number | null;
  /** 95 % half-width; of the difference or the ratio where it is a comparison. Null where there is none. */
  readonly ci95: number | null;
  readonly errorPct: number | null;
  /** The event budget ended a run behind it before it was as precise as asked. */
  readonly isTruncated: boolean;
  readonly verdict: Verdict | null;
  /** Whether an input or a consistency check is within its tolerance. */
  readonly isMet: boolean | null;
}

const QUANTUM_EVENT = "resmgr:cpu quantum";
const LOG_WRITE_EVENT = "log file parallel write";
const CHECKPOINT_EVENT = "log file switch (checkpoint incomplete)";
const WRITERS_EVENT = "db file parallel write";
const SECONDS_OF_A_TEST = 300;
const SECONDS_OF_A_RUN = 900;
const plain = (value: number | undefined, ci95: number | null = null): Simulated | null =>
  value === undefined ? null : { value, ci95 };
const times = (of: Simulated | null, factor: number): Simulated | null =>
  of && { value: of.value * factor, ci95: of.ci95 === null ? null : of.ci95 * factor };

function rowOf(report: Report, event: string): WaitRow | undefined {
  return report.waits.find((row) => row.event === event);
}

function overOther(metric: string, report: Report, against: Report | null): Simulated | null {
  const [a, b] = [metricOf(report, metric), against === null ? null : metricOf(against, metric)];
  return a === null || b === null ? null : ratioOf(a, b);
}

/** The two that every report has, else the row of the metric. */
function metricOf(report: Report, metric: string): Est | null {
  if (metric === "throughput_lio") return report.throughput.lio_per_s;
  if (metric === "throughput_transactions") return report.throughput.transactions_per_s;
  return metric === "response_mean_ms" ? report.response_ms : metricIn(report, metric);
}

/** Multiplied, as the command line does: a division may differ in the last bit. */
function scaled(report: Report, metric: string, factor = 1): Simulated | null {
  const row = metricOf(report, metric);
  return row && times({ value: row.mean, ci95: row.ci95 }, factor);
}

function percentAgainst(ratio: Simulated | null): Simulated | null {
  return ratio && { value: (ratio.value - 1) * 100, ci95: ratio.ci95 === null ? null : ratio.ci95 * 100 };
}

/** How often a second somebody does what takes so long, who does nothing else. */
function perSecond(eachMs: Simulated | null): Simulated | null {
  return (
    eachMs && {
      value: 1e3 / eachMs.value,
      ci95: eachMs.ci95 === null ? null : (eachMs.ci95 / eachMs.value) * (1e3 / eachMs.value),
    }
  );
}

/** Readings that are one metric, and how many of the figure's units one of its own is. */
const METRICS: Partial<Record<PublishedFigure["reading"], readonly [string, number?]>> = {
  lio_millions: ["throughput_lio", 1e-6], lio_thousands: ["throughput_lio", 1e-3],
  lio_per_session: ["lio_per_session", 1e-3], cpus_used: ["cpu_time"], purr_cores: ["cpu_purr"],
  cpu_wait: ["cpu_wait_time"], cpu_wait_purr: ["cpu_wait_purr"], service_p99: ["service_p99_ms"],
  service_growth: ["service_backlog_growth_per_s"], transactions: ["throughput_transactions"],
  log_file_sync: ["log_file_sync_ms"], commits_per_write: ["commits_per_log_write"],
  blocks_written: ["blocks_written_per_s"], blocks_per_transaction: ["blocks_written_per_transaction"],
  writer_seconds: ["writer_cpus", SECONDS_OF_A_RUN], writer_per_block: ["writer_cpu_us_per_block"],
  cpus_busy: ["cpu_busy"], session_cpu: ["session_cpu_s"], session_elapsed: ["elapsed_s"],
  session_reads: ["session_reads"],
};

/** Sessions in all, where their number is fixed: what the sessions read, against what one reads. */
function sessionsIn(report: Report): number | null {
  const [all, one] = [metricOf(report, "throughput_transactions"), metricIn(report, "transactions_per_session")];
  return all === null || one === null || one.mean === 0 ? null : Math.round(all.mean / one.mean);
}

/** Its interval is that of the ratio of sessions in the wait to sessions that are active. */
function shareOf(wait: WaitRow, report: Report): Simulated {
  const rows = [...report.waits, ...report.on_cpu];
  const reps = wait.aas.reps.map((_, rep) => rows.reduce((sum, { aas }) => sum + (aas.reps[rep] ?? 0), 0));
  const half = ratioOf(wait.aas, { mean: mean(reps), ci95: null, reps })?.ci95 ?? null;
  return { value: wait.db_time_pct, ci95: half === null ? null : half * 100 };
}

/** By Little's law waits are sessions waiting over the mean wait: so is the interval. */
function waitsIn(wait: WaitRow, report: Report, seconds: number): Simulated {
  const value = (wait.count / report.simulated_s) * seconds;
  const rate = ratioOf(wait.aas, { mean: wait.mean_ms, ci95: wait.ci95, reps: wait.reps });
  return { value, ci95: rate === null || rate.ci95 === null ? null : (rate.ci95 / Math.abs(rate.value)) * value };
}

/** A longest wait has no interval: it is one observation. */
function quantumValue(reading: PublishedFigure["reading"], report: Report): Simulated | null {
  const quantum = rowOf(report, QUANTUM_EVENT);
  if (quantum === undefined) return null;
  switch (reading) {
    case "quantum_wait":
      return plain(quantum.mean_ms, quantum.ci95);
    case "quantum_share":
      return shareOf(quantum, report);
    case "quantum_waits":
      return waitsIn(quantum, report, SECONDS_OF_A_TEST);
    case "longest_quantum_wait":
      return plain(quantum.max_ms * 1e-3);
    default:
      return null;
  }
}

/** Of waits for the log. */
function logValue(reading: PublishedFigure["reading"], report: Report): Simulated | null {
  const write = rowOf(report, LOG_WRITE_EVENT);
  if (reading === "log_write_time") return plain(write?.mean_ms, write?.ci95);
  if (reading === "parallel_write_seconds") {
    const waits = rowOf(report, WRITERS_EVENT);
    return waits === undefined ? null : times({ value: waits.aas.mean, ci95: waits.aas.ci95 }, SECONDS_OF_A_RUN);
  }
  const stall = rowOf(report, CHECKPOINT_EVENT);
  if (stall === undefined) return null;
  if (reading === "checkpoint_wait") return plain(stall.mean_ms, stall.ci95);
  return reading === "checkpoint_waits" ? waitsIn(stall, report, SECONDS_OF_A_RUN) : null;
}

function valueOf(reading: PublishedFigure["reading"], report: Report, against: Report | null): Simulated | null {
  const metric = METRICS[reading];
  if (metric !== undefined) return scaled(report, ...metric);
  switch (reading) {
    case "lio_against":
      return percentAgainst(overOther("throughput_lio", report, against));
    case "transactions_against":
      return percentAgainst(overOther("throughput_transactions", report, against));
    case "lio_ratio":
      return overOther("throughput_lio", report, against);
    case "transactions_ratio":
      return overOther("throughput_transactions", report, against);
    case "response_ratio":
      return overOther("response_mean_ms", report, against);
    case "transactions_per_session":
      return perSecond(scaled(report, "response_mean_ms"));
    case "purr_per_session":
      return times(scaled(report, "cpu_purr"), 1 / (sessionsIn(report) ?? Number.NaN));
    default:
      return quantumValue(reading, report) ?? logValue(reading, report);
  }
}

type Read = Pick<PublishedFigure, "reading" | "value" | "claim" | "role" | "tolerance">;

/** The same as `figures::read` and `Figure::judge` of the simulation. */
export function readFigure(figure: Read, report: Report, against: Report | null): FigureReading {
  const found = valueOf(figure.reading, report, against);
  const isTruncated = report.precision.truncated || (against?.precision.truncated ?? false);
  if (found === null) return { simulated: null, ci95: null, errorPct: null, isTruncated, verdict: null, isMet: null };
  const isRelative = figure.value !== null && figure.value !== 0 && !isDifference(figure.reading);
  const errorPct = isRelative ? (found.value / (figure.value ?? 0) - 1) * 100 : null;
  return { simulated: found.value, ci95: found.ci95, errorPct, isTruncated, ...judge(figure, found) };
}
