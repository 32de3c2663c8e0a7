/**
 * Reports from text, for tests. One line a fact:
 *
 *     lio 3.35M ±0.4%              throughput, and the spread between its eight replications
 *     response 620 p50 610 p95 700 p99 960
 *     running 100.2ms 7.29         state or event, how long one lasts, sessions in it
 *     queue 0.01ms 0.00
 *     wait resmgr:cpu quantum | Scheduler | 339.8ms 24.71
 *     node threads 8 useful 6.7 switch 0.1 spin 0 slice 100 cost 802 rate 73
 *     cage slots 8 empty 0.66
 *     ledger switch_refill 0.8     a cause of the loss ledger: threads, and where they differ processes
 *     ledger run_queue - 24
 *     ledger wait 1 2 latch: cache buffers chains
 */
import type { Column, Est, LedgerRow, MetricRow, NodeRow, Report, ServiceRow, WaitRow } from "../engine/report";

const REPLICATIONS = 8;
const SIMULATED_S = 480;

function numbersIn(line: string): number[] {
  return [...line.matchAll(/(-?\d+(?:\.\d+)?)(k|M)?/g)].map(
    ([, digits, size]) => Number(digits) * (size === "M" ? 1e6 : size === "k" ? 1e3 : 1),
  );
}

/** Replications spread evenly about their mean. */
export function estimate(mean: number, spread = 0.01): Est {
  const reps = Array.from({ length: REPLICATIONS }, (_, i) => mean * (1 + spread * ((2 * i) / (REPLICATIONS - 1) - 1)));
  return { mean, ci95: mean * spread, reps };
}

function named(line: string, word: string, otherwise = 0): number {
  const found = new RegExp(`${word} (-?[\\d.]+)(k|M)?`).exec(line);
  if (found === null) return otherwise;
  return Number(found[1]) * (found[2] === "M" ? 1e6 : found[2] === "k" ? 1e3 : 1);
}

/** Nobody waits for a thread after a wait: the database clocks what is. */
function durations(meanMs: number, aas: number): Omit<WaitRow, "event" | "class" | "process_kind"> {
  return {
    aas: estimate(aas, 0.001), clocked_aas: estimate(aas, 0.001), clocked_ms: estimate(meanMs),
    clocked_p99_ms: meanMs * 2, clocked_p99_ci95: meanMs * 0.02, clocked_max_ms: meanMs * 3,
    count: meanMs > 0 ? Math.round((aas * SIMULATED_S * 1000) / meanMs) : 0, time_s: aas * SIMULATED_S, mean_ms: meanMs,
    ci95: meanMs * 0.01, reps: [], p50_ms: meanMs, p99_ms: meanMs * 2,
    max_ms: meanMs * 3, db_time_pct: 10,
  };
}

function waitOf(line: string): WaitRow {
  const [event = "", kind = "Other", figures = ""] = line.slice("wait ".length).split("|").map((part) => part.trim());
  const [meanMs = 0, aas = 0] = numbersIn(figures);
  return { ...durations(meanMs, aas), event, class: kind, process_kind: "session" };
}

function nodeOf(line: string): NodeRow {
  const useful = named(line, "useful");
  const lost = named(line, "switch");
  const spin = named(line, "spin");
  return {
    threads: named(line, "threads", 8), useful_threads: useful, switch_threads: lost, spin_threads: spin,
    cpu_busy_threads: useful + lost + spin, mean_slice_ms: named(line, "slice", 10),
    mean_switch_us: named(line, "cost", 0), switches_per_s: named(line, "rate", 100), thread_busy: [],
  };
}

/** "service demand 0.6 p99 12 mean 4 grows 2.5" */
function serviceOf(line: string): ServiceRow {
  const meanMs = named(line, "mean", 1);
  const growth = named(line, "grows");
  return {
    node: 1, demand: named(line, "demand", 0.5), answered_per_s: estimate(named(line, "answered", 100)),
    backlog: named(line, "backlog"),
    response_ms: {
      ...estimate(meanMs, 0.01), p50: meanMs, p95: meanMs * 2, p99: named(line, "p99", meanMs * 3),
      p50_ci95: null, p95_ci95: null, p99_ci95: null,
      max: meanMs * 5, count: 1000,
    },
    growth_per_s: estimate(growth, 0.01), grows: growth > 0,
  };
}

/** "metric run_queue 4 ±0.1" */
function metricsIn(lines: readonly string[]): MetricRow[] {
  return lines.filter((one) => one.startsWith("metric ")).map((one) => {
    const [, id = "", mean = ""] = one.split(/\s+/);
    return { id, ...estimate(Number(mean), 0.01) };
  });
}

/** Causes that belong to a host, not to its sessions. */
const OF_HOSTS: ReadonlySet<string> = new Set(["capacity", "no_work"]);

function ledgerIn(lines: readonly string[]): LedgerRow[] {
  const figure = (text: string | undefined): Est | null =>
    text === undefined || text === "-" ? null : estimate(Number(text), 0);
  return lines.filter((one) => one.startsWith("ledger ")).map((one): LedgerRow => {
    const [, cause = "", threads, processes, ...event] = one.split(/\s+/);
    const isOfHost = OF_HOSTS.has(cause);
    return {
      cause, event: event.length === 0 ? null : event.join(" "), node: 1, instance: isOfHost ? null : 1,
      kind: isOfHost ? null : "session",
      threads: figure(threads), processes: figure(isOfHost ? undefined : (processes ?? threads)),
    };
  });
}

export interface BuiltReport {
  readonly report: Report;
  readonly data: Float64Array;
}

/** Columns by key, laid out one after another. */
export function columnsOf(columns: Readonly<Record<string, readonly number[]>>): {
  columns: Column[];
  data: Float64Array;
} {
  const rows: Column[] = [];
  const values: number[] = [];
  for (const [key, column] of Object.entries(columns)) {
    rows.push({ key, offset: values.length, length: column.length });
    values.push(...column);
  }
  return { columns: rows, data: Float64Array.from(values) };
}

export function buildReport(text: string, columns: Readonly<Record<string, readonly number[]>> = {}): BuiltReport {
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const line = (word: string): string => lines.find((candidate) => candidate.startsWith(word)) ?? "";
  const [lio = 3e6, lioSpread = 0.5] = numbersIn(line("lio"));
  const waits = lines.filter((candidate) => candidate.startsWith("wait ")).map(waitOf);
  const onCpu = (["running", "queue"] as const).map((word) => {
    const [meanMs = 0, aas = 0] = numbersIn(line(word));
    return { ...durations(meanMs, aas), state: word === "queue" ? "run queue" : "running" };
  });
  const [responseMs = 100] = numbersIn(line("response"));
  const cageLine = line("cage");
  const cpu = (word: string): Est => estimate(named(line("cpu"), word), 0.001);
  const instance = {
    transactions_per_s: estimate(lio / 60_000), lio_per_s: estimate(lio, lioSpread / 100),
    cpu: { on_cpu: cpu("on"), time: cpu("time"), purr: cpu("purr") },
  };
  const { columns: rows, data } = columnsOf(columns);
  const report: Report = {
    version: 1, warnings: [], query: "test", seed: 42,
    throughput: { transactions_per_s: estimate(lio / 60_000), lio_per_s: estimate(lio, lioSpread / 100) },
    response_ms: {
      ...estimate(responseMs, 0.01), p50: named(line("response"), "p50", responseMs),
      p95: named(line("response"), "p95", responseMs * 1.2), p99: named(line("response"), "p99", responseMs * 1.5),
      p50_ci95: responseMs * 0.01, p95_ci95: responseMs * 0.01,
      p99_ci95: named(line("response"), "p99", responseMs * 1.5) * 0.002, max: responseMs * 2, count: 5000,
    },
    waits,
    on_cpu: onCpu,
    aas: [
      { class: "CPU", ...estimate(onCpu[0]?.aas.mean ?? 0, 0.001) },
      { class: "run queue", ...estimate(onCpu[1]?.aas.mean ?? 0, 0.001) },
      ...waits.map((wait) => ({ ...wait.aas, class: wait.class })),
    ],
    instances: [
      cageLine === ""
        ? { ...instance, slots: null, slot_utilisation: null, slot_utilisation_ci95: null, slots_empty: null }
        : {
            ...instance, slots: named(cageLine, "slots"), slot_utilisation: 0.909, slot_utilisation_ci95: 0.001,
            slots_empty: named(cageLine, "empty"),
          },
    ],
    processes: [], services: line("service") === "" ? [] : [serviceOf(line("service"))], databases: [], pairs: [],
    evictions: [],
    ended: [], statements: [],
    metrics: metricsIn(lines),
    ledger: ledgerIn(lines), timeline: null,
    kinds: ["session", "background", "service"], nodes: [nodeOf(line("node"))], simulated_s: SIMULATED_S,
    warmup_s: 1, replications: REPLICATIONS, batches: 160, batch_s: 3, events: named(line("events"), "events", 48_300),
    precision: {
      asked: 0.03, reached: named(line("precision"), "precision", 0.004), ok: !line("precision").includes("stopped"),
      truncated: line("precision").includes("stopped"),
    },
    checks: [{ law: "Little's law", residual: named(line("law"), "law", 1e-9), ok: !line("law").includes("broken") }],
    columns: rows,
  };
  return { report, data };
}
