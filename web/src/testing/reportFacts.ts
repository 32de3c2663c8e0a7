/** What reports say, worked out from their rows alone: what tests hold sentences to. */
import { halfWidth95, mean } from "../base/statistics";
import type { FullAnswer, Report } from "../engine";
import { formatBigCount, formatFixed, formatMs, formatPercent } from "../units";

export const plain = (text: string): string => text.replaceAll("\u00a0", " ");
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
export const none = (text: string, zero: string): string => (text === zero ? "none" : text);
export const oneDecimal = (value: number): string => none(formatFixed(value, 1), "0.0");
export const percentOrNone = (value: number): string =>
  value >= 0.05 ? plain(formatPercent(value)) : value > 0 ? "next to none" : "none";

export type Row = Report["ledger"][number];

/** Rows by the words for them in a sentence. */
const NOUNS: readonly (readonly [RegExp, (row: Row) => boolean])[] = [
  [/^refilling of caches$/, ({ cause }) => cause === "switch_refill"],
  [/^switching$/, ({ cause }) => ["switch_direct", "switch_post", "switch_wake"].includes(cause)],
  [/^refilling after moves$/, ({ cause }) => cause === "switch_migration"],
  [/^turbo lost to active cores$/, ({ cause }) => cause === "turbo"],
  [/^slowing by siblings$/, ({ cause }) => cause === "siblings"],
  [
    /^slowing by (?:shared blocks|fewer caches| or |contention between cores|remote memory|, | and )+$/,
    ({ cause }) => cause === "shared",
  ],
  [
    /^spinning and waiting for latches$/,
    ({ cause, event }) => cause === "spinning" || event?.startsWith("latch") === true,
  ],
  [/^idle time beside uneven queues$/, ({ cause }) => cause === "balance"],
  [/^idle time from CPU binding$/, ({ cause }) => cause === "binding"],
  [
    /^idle time from (?:cpu\.max|(?:cpu\.max or )?the limit of real time|CPU limits)$/,
    ({ cause }) => cause === "throttled",
  ],
  [/^time of empty slots$/, ({ cause }) => cause === "cage_empty"],
  [/^idle time behind (?:the cage|limits of consumer groups)$/, ({ cause }) => cause === "cage_limit"],
  [/^idle time for lack of work$/, ({ cause }) => cause === "no_work"],
  [
    /^(?:work of other processes|threads that others (?:have while sessions wait|had while sessions waited) .+)$/,
    ({ cause, kind }) => cause === "work" && kind !== "session",
  ],
  [/^time in the run queue$/, ({ cause }) => cause === "run_queue"],
  [/^waiting for a slot$/, ({ cause }) => cause === "cage_empty" || cause === "cage_limit"],
  [
    /^(?:idle time in stalls|waiting for a free log)$/,
    ({ cause, event }) => cause === "wait" && event === "log file switch (checkpoint incomplete)",
  ],
  [/^CPU work$/, ({ cause, kind }) => cause === "work" && kind === "session"],
];

export function rowsOf(noun: string): (row: Row) => boolean {
  const found = NOUNS.find(([words]) => words.test(noun));
  const [, own] = /^(?:idle time in )?((?:log|db|free|control|write|rdbms|enq|resmgr|buffer|cpu).*)$/.exec(noun) ?? [];
  if (found === undefined && own !== undefined) return ({ cause, event }) => cause === "wait" && event === own;
  if (found === undefined) throw new Error(`no rows are known for “${noun}”`);
  return found[1];
}

type IsOf = (row: Row) => boolean;

const total = (report: Report, law: "threads" | "processes", is: IsOf, host: number | null): number =>
  sum(report.ledger.filter((row) => (host === null || row.node === host) && is(row)).map((row) => row[law]?.mean ?? 0));

/** CPUs at reference speed, of one host or of all. */
export const threads = (report: Report, is: IsOf, host: number | null = null): number =>
  total(report, "threads", is, host);

/** Of each host at the speed of a thread alone: a count. */
function count(report: Report, law: "threads" | "processes", is: IsOf, host: number | null): number {
  const hosts = report.nodes.map((_, i) => i + 1).filter((node) => host === null || node === host);
  const speed = (node: number): number => capacity(report, node) / report.nodes[node - 1]!.threads;
  return sum(hosts.map((node) => total(report, law, is, node) / speed(node)));
}

/** Threads that stand idle. */
export const idle = (report: Report, is: IsOf, host: number | null = null): number =>
  count(report, "threads", is, host);

/** Processes that are held. */
export const held = (report: Report, is: IsOf, host: number | null = null): number =>
  count(report, "processes", is, host);

export const capacity = (report: Report, host: number | null = null): number =>
  threads(report, ({ cause }) => cause === "capacity", host);

export const nodesOf = (report: Report, host: number | null): Report["nodes"] =>
  report.nodes.filter((_, i) => host === null || i + 1 === host);

export const countOf = (report: Report, host: number | null): number =>
  sum(nodesOf(report, host).map((row) => row.threads));

/** How many times as long as to its wake-up a wait of sessions is as the database clocks it. */
export function clockedOver(report: Report, event: string): number {
  const row = report.waits.find((wait) => wait.event === event && wait.process_kind === "session");
  return row === undefined ? 1 : row.clocked_aas.mean / row.aas.mean;
}

/** What sessions spend of a response [ms]. */
export function msOf(report: Report, noun: string): number {
  const is = rowsOf(noun);
  const rows = report.ledger.filter((row) => row.kind === "session" && is(row));
  const full = (row: Row): number => capacity(report, row.node) / report.nodes[row.node - 1]!.threads;
  const seconds = sum(rows.map((row) => (row.processes?.mean ?? 0) / full(row)));
  return (1000 * seconds) / report.throughput.transactions_per_s.mean;
}

export const lio = (report: Report): number => report.throughput.lio_per_s.mean;

/** Mean of what pairs of starts differ by, and its half-width, in percent of A. */
export function paired(
  a: { mean: number; reps: number[] }, b: { mean: number; reps: number[] },
): readonly [number, number | null] {
  const differences = a.reps.slice(0, b.reps.length).map((rep, i) => b.reps[i]! - rep);
  const scale = a.mean === 0 ? 0 : 100 / a.mean;
  const half = halfWidth95(differences);
  return [scale * mean(differences), half === null ? null : scale * half];
}

/** The same of throughput: in transactions where the axis has these and they tell the same, else in logical reads. */
export function pairedThroughput(a: Report, b: Report, metric: string): readonly [number, number | null] {
  const [reads, own] = (["lio_per_s", "transactions_per_s"] as const).map((of) =>
    paired(a.throughput[of], b.throughput[of])) as [ReturnType<typeof paired>, ReturnType<typeof paired>];
  const isSure = [reads, own].every(([by, half]) => half !== null && Math.abs(by) > Math.max(0.05, half));
  const isSame = isSure && Math.abs(own[0] - reads[0]) <= (own[1] ?? 0);
  return metric === "throughput_transactions" && isSame ? own : reads;
}

export function changes(report: Report, host: number | null): string {
  const of = (read: (row: Report["nodes"][number]) => number): number => sum(nodesOf(report, host).map(read));
  const perS = of((row) => row.switches_per_s);
  const lost = of((row) => row.switch_threads);
  if (!(perS > 0) || !(lost > 0)) return "hardly ever";
  const every = formatMs((1000 * of((row) => row.cpu_busy_threads)) / perS);
  return plain(`every ${every} at ${formatMs((1000 * lost) / perS)} each`);
}

export function rate(report: Report, what: string): string {
  const id = what === "last-level cache" ? "socket_migrations_per_s" : "migrations_per_s";
  const perS = report.metrics.find((row) => row.id === id)?.mean ?? 0;
  return perS < 0.5 ? "hardly ever" : plain(`${formatBigCount(perS)} times a second`);
}


/** Sessions that do not run. */
export const waiting = (report: Report): number =>
  sum(report.aas.filter((row) => row.class !== "CPU" && row.class !== "Idle").map((row) => row.mean));

/** The same on one host, over the buckets after the warm-up of the replication that is drawn. */
export function waitingOn({ report, data }: FullAnswer, host: number): number {
  const column = (key: string): Float64Array => {
    const found = report.columns.find((one) => one.key === key);
    return found === undefined ? new Float64Array(0) : data.subarray(found.offset, found.offset + found.length);
  };
  const from = column("aas/time_s").findIndex((time) => time >= report.warmup_s - 1e-9);
  const keys = report.columns.map(({ key }) => key);
  const own = keys.filter((key) => key.startsWith(`aas/node${host}/`) && !/\/(CPU|Idle)$/.test(key));
  return sum(own.map((key) => mean([...column(key).subarray(from)])));
}

/** "3.0 sessions wait", "one session waits". */
export function sessions(count: number): string {
  const text = formatFixed(count, count >= 100 ? 0 : 1);
  return text === "1.0" ? "one session" : `${text} sessions`;
}

export const crowd = (report: Report): string =>
  waiting(report) < 0.05 ? "nobody waits" : `${sessions(waiting(report))} wait`.replace(/^one.*/, "one session waits");
