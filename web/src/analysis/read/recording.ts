/** The recording in a report's columns, and what its numbers mean. */
import type { Report } from "../../engine";
import { recordedIn, type RecordedColumn } from "./columns";
import { leftInFirst, whoLeft, whyLeft } from "./evictions";
import type { HostShape } from "./host";

/** The hardware threads of one host, as a recording counts them over all hosts that it shows. */
export interface HostLanes extends HostShape {
  /** "host 2"; null where the scenario has but one. */
  readonly name: string | null;
  readonly first: number;
}

/** The columns of a recording, in the order in which stays ended, and what their numbers mean. */
export interface Recording {
  readonly fromMs: number;
  readonly toMs: number;
  readonly process: Float64Array;
  /** Index into `activities`. */
  readonly activity: Float64Array;
  /** Hardware thread, counted over all hosts shown; -1 for none. */
  readonly thread: Float64Array;
  readonly startMs: Float64Array;
  readonly endMs: Float64Array;
  /** Lost at its start to switching and refilling. */
  readonly debtMs: Float64Array;
  /** Index into `kinds`, by process number. */
  readonly kind: Float64Array;
  readonly kinds: readonly string[];
  /** Index of the host, by process number; empty where there is but one. */
  readonly node: Float64Array;
  readonly activities: readonly { readonly event: string; readonly class: string }[];
  readonly threads: number;
  readonly hosts: readonly HostLanes[];
  /** Who left the cluster while it was recorded. */
  readonly left: readonly Departure[];
}

/** A node or an instance that leaves its cluster, and why. */
export interface Departure {
  readonly ms: number;
  readonly who: string;
  readonly why: string;
}

export const RUNNING = 1;
export const RUN_QUEUE = 2;

const DEFAULT_KINDS = ["session", "background", "service"];

/** Host by host, each with its place among the threads of all. */
export function hostLanesOf(shapes: readonly HostShape[]): readonly HostLanes[] {
  let first = 0;
  return shapes.map((shape, i) => {
    const host = { ...shape, name: shapes.length < 2 ? null : `host ${i + 1}`, first };
    first += shape.threads;
    return host;
  });
}

function departuresOf(report: Report, fromMs: number, toMs: number): readonly Departure[] {
  return leftInFirst(report)
    .map((row) => ({ ms: row.at_s * 1000, who: whoLeft(row), why: whyLeft(row) }))
    .filter(({ ms }) => ms >= fromMs && ms <= toMs);
}

/** null where nothing was recorded. */
export function recordingIn(
  report: Report, data: Float64Array, activities: Recording["activities"], shapes: readonly HostShape[],
): Recording | null {
  const column = (name: RecordedColumn): Float64Array => recordedIn({ report, data }, name);
  const [process, thread, startMs, endMs] = [column("process"), column("thread"), column("start_ms"), column("end_ms")];
  if (process.length === 0 || activities.length === 0) return null;
  const { timeline, kinds } = report as Partial<{
    readonly timeline: { readonly from_ms: number; readonly to_ms: number } | null;
    readonly kinds: readonly string[];
  }>;
  const hosts = hostLanesOf(
    report.nodes.map(({ threads }, i) => ({ perCore: 1, perSocket: threads, ...shapes[i], threads })),
  );
  const nodes = hosts.reduce((sum, host) => sum + host.threads, 0);
  const fromMs = timeline?.from_ms ?? startMs.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
  const toMs = timeline?.to_ms ?? endMs.at(-1) ?? 0;
  return {
    process, thread, startMs, endMs, activity: column("activity"), debtMs: column("debt_ms"), kind: column("kind"),
    kinds: kinds ?? DEFAULT_KINDS, activities, node: column("node"), hosts, fromMs, toMs,
    left: departuresOf(report, fromMs, toMs),
    threads: thread.reduce((most, one) => Math.max(most, one + 1), nodes),
  };
}

/** What was recorded of one host, counted from 1: its processes keep their numbers, its threads are counted from 0. */
export function recordedOf(recording: Recording, host: number | null): Recording {
  const own = host === null || recording.hosts.length < 2 ? undefined : recording.hosts[host - 1];
  if (own === undefined || host === null) return recording;
  const rows = Array.from(recording.process.keys()).filter(
    (row) => recording.node[recording.process[row] as number] === host - 1,
  );
  const pick = (column: Float64Array): Float64Array => Float64Array.from(rows, (row) => column[row] as number);
  return {
    ...recording, process: pick(recording.process), activity: pick(recording.activity),
    thread: pick(recording.thread).map((thread) => (thread < 0 ? thread : thread - own.first)),
    startMs: pick(recording.startMs), endMs: pick(recording.endMs), debtMs: pick(recording.debtMs),
    threads: own.threads, hosts: [{ ...own, first: 0 }],
  };
}

/** The host of a thread, and the thread's number within it. */
export function threadIn(
  { hosts }: Pick<Recording, "hosts">, thread: number,
): { readonly host: string | null; readonly thread: number } {
  const host = hosts.findLast(({ first }) => first <= thread);
  return { host: host?.name ?? null, thread: thread - (host?.first ?? 0) };
}

/** "thread 3", of several hosts "thread 3 of host 2". */
export function threadName(recording: Pick<Recording, "hosts">, thread: number): string {
  const { host, thread: own } = threadIn(recording, thread);
  return host === null ? `thread ${own}` : `thread ${own} of ${host}`;
}
