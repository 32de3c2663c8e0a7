/** A run as Statspack prints it: load profile, and the top five timed events with those of background processes. */
import type { Report } from "../../engine";
import { databaseFigure, databaseIn, isUnseen } from "../read/database";
import { numberOf, type Values } from "../read/input";
import type { ClassRow, StatspackEvent, StatspackModel } from "./types";

/** A snapshot of a quarter of an hour, as DBAs take them [s]. */
const SECONDS = 900;
const TOP = 5;
const WRITES = "blocks_written_per_s";
/** A report is published of each number of them. */
const WRITERS = "db_writer_processes";

/** Calls of a transaction; of those that are one call each, several may be one together. */
function callsOf(values: Values): number {
  const calls = numberOf(values, "calls_per_transaction", 1);
  return calls === 1 ? 1 / Math.max(1, numberOf(values, "commits_per_call", 1)) : calls;
}

function eventsOf(report: Report): readonly StatspackEvent[] {
  const cpu = report.on_cpu.find(({ state }) => state === "running");
  const times = new Map<string, { waits: number; timeS: number }>();
  for (const row of report.waits) {
    const known = times.get(row.event) ?? { waits: 0, timeS: 0 };
    const waits = (row.count / report.simulated_s) * SECONDS;
    // As the database counts it: a wait that goes on is in no sum, unless there is nothing else.
    const timeS = waits > 0 ? (waits * row.clocked_ms.mean) / 1000 : row.clocked_aas.mean * SECONDS;
    times.set(row.event, { waits: known.waits + waits, timeS: known.timeS + timeS });
  }
  const all = [
    { event: "CPU time", waits: null, timeS: (cpu?.aas.mean ?? 0) * SECONDS },
    ...[...times].map(([event, { waits, timeS }]) => ({ event, waits, timeS })),
  ];
  const sum = all.reduce((total, { timeS }) => total + timeS, 0);
  return all
    .filter(({ timeS }) => timeS > 0)
    .toSorted((one, other) => other.timeS - one.timeS)
    .map(({ event, waits, timeS }) => ({
      event, waits, timeS, meanMs: waits === null || waits === 0 ? null : (1000 * timeS) / waits,
      percent: (100 * timeS) / sum,
    }));
}

function profileOf(report: Report, values: Values): StatspackModel["profile"] {
  const figure = (id: string, factor = 1): number => factor * (databaseFigure(report, id)?.mean ?? 0);
  const transactions = figure("commits_per_s");
  const rows: readonly (readonly [string, number | null])[] = [
    ["Redo size", figure("redo_mb_per_s", 1e6)], ["Logical reads", report.throughput.lio_per_s.mean],
    ["Block changes", figure("block_changes_per_s")], ["Physical reads", figure("blocks_read_per_s")],
    ["Physical writes", isUnseen(databaseFigure(report, WRITES)) ? null : figure(WRITES)],
    ["User calls", transactions * callsOf(values)], ["Transactions", transactions],
  ];
  // A query is a call of its own, and no transaction here.
  const shown = rows.filter(([name]) => name !== "User calls" || numberOf(values, "query_percent", 0) === 0);
  return shown.map(([name, perS]) => ({
    name, perS,
    perTransaction: name === "Transactions" || transactions === 0 || perS === null ? null : perS / transactions,
  }));
}

const CLASSES = [["Transactions that change blocks", "update"], ["Queries", "query"]] as const;

/** None where there is one class alone. */
function classesOf(report: Report): readonly ClassRow[] {
  const rows = CLASSES.flatMap(([name, id]): ClassRow[] => {
    const [rate, response] = ["transactions_per_s", "response_ms"].map((of) => databaseFigure(report, `${id}_${of}`));
    if (!rate || !response || !(rate.mean > 0)) return [];
    return [{
      name, perS: rate.mean, perSCi95: rate.ci95, responseMs: response.mean, responseCi95: response.ci95,
    }];
  });
  return rows.length > 1 ? rows : [];
}

/** Of a run with one instance that has redo and writers; null of any other. */
export function statspackOf(
  report: Report, values: Values, preset: string, moved: readonly string[] = [],
): StatspackModel | null {
  if (databaseIn(report) === null || report.instances.length !== 1) return null;
  const events = eventsOf(report);
  return {
    seconds: SECONDS, preset, writers: numberOf(values, WRITERS, 1), moved: moved.filter((key) => key !== WRITERS),
    profile: profileOf(report, values), classes: classesOf(report), top: events.slice(0, TOP),
    others: events.slice(TOP),
  };
}
