/** How each published figure is read off one or two reports. */
import { mean } from "../../base/statistics";
import type { Est, PublishedFigure, Report, Verdict, WaitRow } from "../../engine";
import { databaseFigure } from "./database";
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

const SECONDS_OF_A_TEST = 300;
const SECONDS_OF_A_RUN = 900;

const plain = (of: Est | null): Simulated | null => of && { value: of.mean, ci95: of.ci95 };

/** Multiplied, as the command line does: a division may differ in the last bit. */
const times = (of: Simulated | null, factor: number): Simulated | null =>
  of && { value: of.value * factor, ci95: of.ci95 === null ? null : of.ci95 * factor };

function overOther(id: string, report: Report, against: Report | null): Simulated | null {
  const [a, b] = [metricOf(report, id), against === null ? null : metricOf(against, id)];
  return a === null || b === null ? null : ratioOf(a, b);
}

/** The two that every report has, else the row of the metric. */
function metricOf(report: Report, id: string): Est | null {
  if (id === "throughput_lio") return report.throughput.lio_per_s;
  if (id === "throughput_transactions") return report.throughput.transactions_per_s;
  return id === "response_mean_ms" ? report.response_ms : metricIn(report, id);
}

function percentAgainst(of: Simulated | null): Simulated | null {
  return of && { value: (of.value - 1) * 100, ci95: of.ci95 === null ? null : of.ci95 * 100 };
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

/** Sessions in all, where their number is fixed: what the sessions read, against what one reads. */
function sessionsIn(report: Report): number | null {
  const [all, one] = [metricOf(report, "throughput_transactions"), metricIn(report, "transactions_per_session")];
  return all === null || one === null || one.mean === 0 ? null : Math.round(all.mean / one.mean);
}

function purrPerSession(report: Report): Simulated | null {
  const sessions = sessionsIn(report);
  return sessions === null ? null : times(plain(metricOf(report, "cpu_purr")), 1 / sessions);
}

/** Its interval is that of the ratio of sessions in the wait to sessions that are active. */
function shareOf({ clocked_aas: own, db_time_pct: value }: WaitRow, report: Report): Simulated | null {
  const rows = [...report.waits.filter((row) => row.db_time_pct !== null), ...report.on_cpu];
  const reps = own.reps.map((_, rep) => rows.reduce((sum, row) => sum + (row.clocked_aas.reps[rep] ?? 0), 0));
  const half = ratioOf(own, { mean: mean(reps), ci95: null, reps })?.ci95 ?? null;
  return value === null ? null : { value, ci95: half === null ? null : half * 100 };
}

/** By Little's law waits are sessions waiting over the mean wait: so is the interval. */
function waitsIn(wait: WaitRow, report: Report, seconds: number): Simulated {
  const value = (wait.count / report.simulated_s) * seconds;
  const rate = ratioOf(wait.aas, { mean: wait.mean_ms, ci95: wait.ci95, reps: wait.reps });
  return { value, ci95: rate === null || rate.ci95 === null ? null : (rate.ci95 / Math.abs(rate.value)) * value };
}

/** Time of a run that ends, for each of its sessions [s]. */
function runOfOne(report: Report): number {
  const sessions = report.ended.reduce((sum, row) => sum + row.sessions, 0);
  return report.simulated_s / (report.replications * Math.max(sessions, 1));
}

/** Share of the CR blocks of instance 1 that came from instance 3 [%]. */
function from3(report: Report): Simulated | null {
  const row = report.pairs.find(({ from, server, reply }) => from === 1 && server === 3 && reply === "cr block");
  const all = databaseFigure(report, "gc_cr_blocks_received_per_s", 1);
  return row === undefined || all === null ? null : times(ratioOf(row.per_s, all), 100);
}

type Way = (report: Report, against: Report | null) => Simulated | null;

/** One metric, and how many of the figure's units one of its own is. */
const metric = (id: string, factor = 1): Way => (report) => times(plain(metricOf(report, id)), factor);
const ratio = (id: string): Way => (report, against) => overOther(id, report, against);
const percent = (id: string): Way => (report, against) => percentAgainst(overOther(id, report, against));
const ofInstance = (id: string, instance: number): Way => (report) => plain(databaseFigure(report, id, instance));

const ofWait = (event: string, read: (row: WaitRow, report: Report) => Simulated | null): Way => (report) => {
  const row = report.waits.find((one) => one.event === event);
  return row === undefined ? null : read(row, report);
};
/** As the database clocks it: published waits are its own. */
const meanWait = (event: string): Way => ofWait(event, (row) => plain(row.clocked_ms));
const waitsOf = (event: string, secondsOf: (report: Report) => number): Way =>
  ofWait(event, (row, report) => waitsIn(row, report, secondsOf(report)));

const QUANTUM = "resmgr:cpu quantum";
const CHECKPOINT = "log file switch (checkpoint incomplete)";

/** How each is read off its run, and the one it is compared with. */
const WAYS: Readonly<Record<PublishedFigure["reading"], Way>> = {
  lio_millions: metric("throughput_lio", 1e-6), lio_thousands: metric("throughput_lio", 1e-3),
  lio_per_session: metric("lio_per_session", 1e-3), lio_ratio: ratio("throughput_lio"),
  lio_against: percent("throughput_lio"), cpus_used: metric("cpu_time"), cpus_busy: metric("cpu_busy"),
  quantum_wait: meanWait(QUANTUM), quantum_share: ofWait(QUANTUM, shareOf),
  quantum_waits: waitsOf(QUANTUM, () => SECONDS_OF_A_TEST),
  // One observation: it has no interval.
  longest_quantum_wait: ofWait(QUANTUM, (row) => ({ value: row.max_ms * 1e-3, ci95: null })),
  transactions: metric("throughput_transactions"), transactions_ratio: ratio("throughput_transactions"),
  transactions_against: percent("throughput_transactions"), response_ratio: ratio("response_mean_ms"),
  transactions_per_session: (report) => perSecond(plain(metricOf(report, "response_mean_ms"))),
  purr_cores: metric("cpu_purr"),
  purr_per_session: purrPerSession,
  cpu_wait: metric("cpu_wait_time"), cpu_wait_purr: metric("cpu_wait_purr"), service_p99: metric("service_p99_ms"),
  service_mean: metric("service_mean_ms"), service_growth: metric("service_backlog_growth_per_s"),
  log_file_sync: metric("log_file_sync_ms"), commits_per_write: metric("commits_per_log_write"),
  log_write_time: meanWait("log file parallel write"), checkpoint_wait: meanWait(CHECKPOINT),
  checkpoint_waits: waitsOf(CHECKPOINT, () => SECONDS_OF_A_RUN),
  blocks_written: metric("blocks_written_per_s"), blocks_per_transaction: metric("blocks_written_per_transaction"),
  writer_seconds: metric("writer_cpus", SECONDS_OF_A_RUN), writer_per_block: metric("writer_cpu_us_per_block"),
  parallel_write_seconds: ofWait("db file parallel write", (row, report) =>
    times(plain(row.clocked_ms), waitsIn(row, report, SECONDS_OF_A_RUN).value / 1000),
  ),
  cr_receive_at1: ofInstance("gc_cr_block_receive_ms", 1), cr_flushes_at3: ofInstance("gc_cr_block_flush_percent", 3),
  cr_flush_time_at3: ofInstance("gc_cr_block_flush_ms", 3), cr_build_at3: ofInstance("gc_cr_block_build_ms", 3),
  cr_from3: from3, session_cpu: metric("session_cpu_s"), session_cpu_ratio: ratio("session_cpu_s"),
  session_elapsed: metric("elapsed_s"), session_reads: metric("session_reads"),
  row_cache_lock_waits: waitsOf("row cache lock", runOfOne), row_cache_lock_wait: metric("row_cache_lock_ms"),
};

type Read = Pick<PublishedFigure, "reading" | "value" | "claim" | "role" | "tolerance">;

/** The same as `figures::read` and `Figure::judge` of the simulation. */
export function readFigure(figure: Read, report: Report, against: Report | null): FigureReading {
  const found = WAYS[figure.reading](report, against);
  const isTruncated = report.precision.truncated || (against?.precision.truncated ?? false);
  if (found === null) return { simulated: null, ci95: null, errorPct: null, isTruncated, verdict: null, isMet: null };
  const isRelative = figure.value !== null && figure.value !== 0 && !isDifference(figure.reading);
  const errorPct = isRelative ? (found.value / (figure.value ?? 0) - 1) * 100 : null;
  return { simulated: found.value, ci95: found.ci95, errorPct, isTruncated, ...judge(figure, found) };
}
