/**
 * The loss ledger of a report: where the threads' capacity and the sessions' time went, host by host, by causes that a
 * person understands. Its columns are known here alone. Unit: CPUs at reference speed, unless said otherwise.
 */
import type { LedgerRow, Report } from "../../engine";
import { isOutlasted, queuedIn } from "./accounts";
import { classOf } from "./classes";
import type { WaitClass } from "./types";

/** Causes as sentences tell them; waits that have no name of their own by their event. */
export type Cause =
  | "beside" | "refill" | "switching" | "migration" | "turbo" | "siblings" | "shared" | "latch" | "polling" | "rounding"
  | "balance" | "binding" | "throttled" | "empty" | "limit" | "nothing" | "run queue" | `wait ${string}`;

const NOUNS: Readonly<Record<string, string>> = {
  beside: "work of other processes", refill: "refilling of caches", switching: "switching",
  migration: "refilling after moves", turbo: "turbo lost to active cores", siblings: "slowing by siblings",
  shared: "slowing by shared data", latch: "spinning and waiting for latches", polling: "polling",
  rounding: "rounding", balance: "idle time beside uneven queues", binding: "idle time from CPU binding",
  throttled: "idle time from CPU limits", empty: "time of empty slots", limit: "idle time behind the cage",
  nothing: "idle time for lack of work", "run queue": "time in the run queue",
};

/** While a block has not come a wait for it has no other name; which it had in the end the events say. */
const UNTOLD: Readonly<Record<string, string>> = {
  "gc cr request": "gc cr waits", "gc current request": "gc current waits",
};

/** Of a wait its event. */
export const eventOf = (cause: string): string => cause.slice("wait ".length);

const underWay = (cause: Cause): string => UNTOLD[eventOf(cause)] ?? eventOf(cause);

/** What a cause is called where nothing more is known of it. */
export const nounOf = (cause: Cause): string => NOUNS[cause] ?? `idle time in ${underWay(cause)}`;

const SHORT: Readonly<Record<string, string>> = {
  refill: "refills", migration: "moves", turbo: "turbo", siblings: "siblings", shared: "shared data", latch: "latches",
  balance: "uneven queues", binding: "binding", throttled: "limits", empty: "empty slots", limit: "the cage",
};

/**
 * What threads are to a cause where there is little room: "lost to refills", "idle in log file sync". A thread that
 * idles beside a wait may lack work, so it is not called lost; and of several events it is one, so it has its name.
 */
export const lossTo = (cause: Cause): string =>
  cause.startsWith("wait ")
    ? `idle in ${underWay(cause).replace(/ \(.*/, "")}`
    : `lost to ${SHORT[cause] ?? cause}`;

/** Causes that slow a busy thread: an idle neighbour takes of them. */
export const SLOWDOWNS: readonly Cause[] = ["siblings", "turbo", "shared"];

const CAUSES: Readonly<Record<string, Cause>> = {
  switch_refill: "refill", switch_direct: "switching", switch_post: "switching", switch_wake: "switching",
  switch_migration: "migration",
  turbo: "turbo", siblings: "siblings", shared: "shared", spinning: "latch", polling: "polling", rounding: "rounding",
  balance: "balance", binding: "binding", throttled: "throttled", cage_empty: "empty", cage_limit: "limit",
  no_work: "nothing", run_queue: "run queue",
};

const IDLE: ReadonlySet<string> = new Set([
  "balance", "binding", "throttled", "cage_empty", "cage_limit", "wait", "no_work",
]);

const BACKGROUND: ReadonlySet<string> = new Set(["lgwr", "dbwr", "ckpt"]);

/** An average, and that of each start. */
export interface Sum {
  readonly mean: number;
  readonly reps: readonly number[];
}

/** What one cause takes of the threads of a host. */
export interface Taken {
  readonly cause: Cause;
  readonly threads: Sum;
  /** The part of it in idle threads. */
  readonly idle: number;
  /** Of that, what waits of processes of the instance take: what a user waits for, waits of sessions say. */
  readonly background: number;
}

/** The threads of one host: work of sessions and what everything else takes sum to the capacity. */
export interface HostLedger {
  /** Counted from 1. */
  readonly node: number;
  readonly threads: number;
  /** Threads × the speed of one with its host to itself. */
  readonly capacity: Sum;
  readonly work: Sum;
  readonly taken: readonly Taken[];
  /** Logical reads a second of its instances. */
  readonly reads: Sum;
}

const NOTHING: Sum = { mean: 0, reps: [] };

export function added(sums: readonly Sum[]): Sum {
  const longest = Math.max(0, ...sums.map(({ reps }) => reps.length));
  return {
    mean: sums.reduce((total, { mean }) => total + mean, 0),
    reps: Array.from({ length: longest }, (_, i) => sums.reduce((total, { reps }) => total + (reps[i] ?? 0), 0)),
  };
}

const threadsIn = (rows: readonly LedgerRow[]): Sum => added(rows.flatMap(({ threads }) => threads ?? []));

const isWork = (row: LedgerRow): boolean => row.cause === "work" && row.kind === "session";

function causeOf({ cause, event }: LedgerRow): Cause | null {
  if (cause === "work") return "beside";
  if (cause !== "wait") return CAUSES[cause] ?? null;
  return event?.startsWith("latch") === true ? "latch" : `wait ${event ?? ""}`;
}

/** Rows by cause, in the order in which causes first come. */
function byCause(rows: readonly LedgerRow[]): ReadonlyMap<Cause, readonly LedgerRow[]> {
  const found = new Map<Cause, LedgerRow[]>();
  for (const row of rows) {
    const cause = causeOf(row);
    if (cause !== null) found.set(cause, [...(found.get(cause) ?? []), row]);
  }
  return found;
}

function hostLedger(report: Report, rows: readonly LedgerRow[], node: number): HostLedger {
  const own = new Set(rows.flatMap(({ instance }) => instance ?? []));
  const losses = rows.filter((row) => row.threads !== null && !isWork(row));
  return {
    node, threads: Math.max(1, report.nodes[node - 1]?.threads ?? 1),
    capacity: threadsIn(rows.filter(({ cause }) => cause === "capacity")),
    work: threadsIn(rows.filter(isWork)),
    taken: [...byCause(losses)].map(([cause, of]) => ({
      cause, threads: threadsIn(of), idle: threadsIn(of.filter((row) => IDLE.has(row.cause))).mean,
      background: threadsIn(of.filter(({ cause: row, kind }) => row === "wait" && BACKGROUND.has(kind ?? ""))).mean,
    })),
    reads: added(report.instances.filter((_, i) => own.has(i + 1)).map((row) => row.lio_per_s)),
  };
}

/** Host by host; empty where the report has no ledger. */
export function hostLedgers(report: Report): readonly HostLedger[] {
  return report.nodes.map((_, i) => i + 1).flatMap((node) => {
    const rows = report.ledger.filter((row) => row.node === node);
    return rows.some(({ cause }) => cause === "capacity") ? [hostLedger(report, rows, node)] : [];
  });
}

const rowsOf = (report: Report, cause: Cause, node: number | null): readonly LedgerRow[] =>
  report.ledger.filter((row) => causeOf(row) === cause && (node === null || row.node === node));

/** What a cause takes of all threads of some host, or of all hosts. */
export const sumBy = (report: Report, cause: Cause, node: number | null): Sum =>
  threadsIn(rowsOf(report, cause, node).filter((row) => !isWork(row)));

export const takenBy = (report: Report, cause: Cause, node: number | null = null): number =>
  sumBy(report, cause, node).mean;

/** The whole that causes take of. */
export function capacityOf(report: Report, node: number | null = null): number {
  const rows = report.ledger.filter((row) => row.cause === "capacity" && (node === null || row.node === node));
  return threadsIn(rows).mean;
}

/** Speed of a thread with its host to itself. */
function fullSpeed(report: Report, node: number): number {
  return capacityOf(report, node) / Math.max(1, report.nodes[node - 1]?.threads ?? 1);
}

/** As threads or processes: rows at the speed of a thread with its host to itself. */
function counted(report: Report, rows: readonly LedgerRow[], law: "threads" | "processes"): number {
  return rows.reduce((sum, row) => sum + (row[law]?.mean ?? 0) / fullSpeed(report, row.node), 0);
}

/** Threads idle for a cause, on some host or on all. */
export const idleFor = (report: Report, cause: Cause, node: number | null = null): number =>
  counted(report, rowsOf(report, cause, node), "threads");

/** Sessions, or processes of another kind, that a cause holds, on some host or on all. */
export const heldBy = (report: Report, cause: Cause, node: number | null = null, of = "session"): number =>
  counted(report, rowsOf(report, cause, node).filter(({ kind }) => kind === of), "processes");

/** Sessions of an instance, counted from 1, that a cause holds. */
export const heldIn = (report: Report, cause: Cause, instance: number): number =>
  counted(
    report, rowsOf(report, cause, null).filter((row) => row.kind === "session" && row.instance === instance),
    "processes",
  );

/** Fewer sessions are the rounding of sums. */
const NOBODY = 0.001;

/** Under processor sharing everybody runs, and nobody has a whole thread: no count of who waits would be true. */
export const areThreadsShared = (report: Report): boolean =>
  heldBy(report, "run queue") > NOBODY + 2 * queuedIn(report);

/** Active sessions of one host in some classes, over all starts: of all hosts they sum to what the report has. */
export function sessionsOn(report: Report, node: number, isOf: (name: WaitClass) => boolean): number {
  // Under processor sharing everybody runs.
  const hasQueue = report.processes
    .some((row) => row.node === node && row.kind === "session" && row.run_queue.mean > 0);
  const classIn = ({ cause, event }: LedgerRow): WaitClass =>
    cause === "run_queue" && hasQueue ? "run queue"
      : cause.startsWith("cage") ? "Scheduler"
      : cause === "wait" ? classOf(report.waits.find((wait) => wait.event === event)?.class ?? "")
      : OUTSIDE.has(cause) || cause === "under_way" ? "Idle" : "CPU";
  const own = report.ledger.filter((row) => row.node === node && row.kind === "session" && isOf(classIn(row)));
  return counted(report, own, "processes");
}

/** What sessions do in a response: the causes of a process's time, work among them, and what is left unfinished. */
export type Spent = Cause | "work" | "slot" | "unfinished";

/** Both waits for a slot are one to the transaction. */
function spentOn(row: LedgerRow): Spent {
  if (isWork(row)) return "work";
  if (row.cause === "under_way") return "unfinished";
  const cause = causeOf(row);
  return cause === "empty" || cause === "limit" ? "slot" : (cause ?? "rounding");
}

/** Of no response: the whole, and time between transactions. */
const OUTSIDE: ReadonlySet<string> = new Set(["alive", "idle"]);

/** CPU work of a transaction, at reference speed [ms]. */
export function workMsOf(report: Report): Sum {
  const rate = report.throughput.transactions_per_s;
  const work = threadsIn(report.ledger.filter(isWork));
  const of = (cpus: number, perS: number): number => (perS > 0 ? (1000 * cpus) / perS : 0);
  return { mean: of(work.mean, rate.mean), reps: work.reps.map((cpus, i) => of(cpus, rate.reps[i] ?? 0)) };
}

/** Waits may come out longer than the response by so much, for both are estimates. */
const SIDE_BY_SIDE = 1.05;

/**
 * Where the mean response goes [ms a transaction]: rows that sum to it. Null where they do not: a message's time begins
 * with the write, and slaves that work for a transaction side by side wait longer together than it takes.
 */
export function responseMsBy(report: Report): ReadonlyMap<Spent, Sum> | null {
  const { transactions_per_s: rate } = report.throughput;
  const rows = report.ledger.filter((row) => row.kind === "session" && row.processes !== null);
  const known = new Set(rows.filter(({ cause }) => cause === "under_way").map(({ instance }) => instance));
  if (!(rate.mean > 0) || known.size < report.instances.length) return null;
  const found = new Map<Spent, Sum>();
  // By Little's law a mean response is all time in transactions, those that are under way with it.
  const counts = ({ cause }: LedgerRow): boolean =>
    !OUTSIDE.has(cause) && !(cause === "under_way" && isOutlasted(report));
  for (const row of rows.filter(counts)) {
    const msOf = (value: number, perS: number): number =>
      perS > 0 ? (1000 * value) / fullSpeed(report, row.node) / perS : 0;
    const { mean, reps } = row.processes ?? NOTHING;
    const own = { mean: msOf(mean, rate.mean), reps: reps.map((value, i) => msOf(value, rate.reps[i] ?? 0)) };
    const spent = spentOn(row);
    found.set(spent, added([found.get(spent) ?? NOTHING, own]));
  }
  const waits = [...found].reduce((sum, [spent, { mean }]) => sum + (spent === "work" ? 0 : Math.max(0, mean)), 0);
  return waits > SIDE_BY_SIDE * report.response_ms.mean ? null : found;
}
