/** Top timed events of both sides, each difference with its own interval. */
import type { Est, OnCpuRow, Report, WaitRow } from "../../engine";
import { formatSigned, formatFixed } from "../../units";
import { isActive } from "../read/accounts";
import { allHosts } from "../read/host";
import { classOf } from "../read/classes";
import { added, type Sum } from "../read/ledger";
import { rowDifference } from "./differences";
import type { EventRow, EventTableModel } from "./types";

const MOST_ROWS = 8;
const SMALLEST_AAS = 0.005;
const NONE: Sum = { mean: 0, reps: [] };
/** Whose waits bear the name of the event alone. */
export const USERS = "session";

interface Side {
  /** null: it never ended while it was watched. */
  readonly meanMs: number | null;
  readonly aas: Est;
}

interface Line {
  readonly event: string;
  readonly isDatabaseEvent: boolean;
  readonly isOfSessions: boolean;
  readonly class: EventRow["class"];
  readonly a: Side | null;
  readonly b: Side | null;
}

const lastsOf = (each: Est): number | null => (each.reps.length > 0 ? each.mean : null);

/** As the database clocks it: a wait with the run queue after it, which is no part of ON CPU then. */
const sideOf = (row: WaitRow | OnCpuRow): Side => ({ meanMs: lastsOf(row.clocked_ms), aas: row.clocked_aas });

function sidesOf(report: Report): Map<string, Omit<Line, "a" | "b"> & { side: Side }> {
  const rows = new Map<string, Omit<Line, "a" | "b"> & { side: Side }>();
  for (const wait of report.waits) {
    const isOfSessions = wait.process_kind === USERS;
    const name = isOfSessions ? wait.event : `${wait.event} (${wait.process_kind})`;
    // In front, where it is seen before the name.
    const event = isActive(wait.class) ? name : `idle: ${name}`;
    rows.set(event, {
      event, isDatabaseEvent: true, isOfSessions, class: classOf(wait.class), side: sideOf(wait),
    });
  }
  for (const row of report.on_cpu) {
    const event = `ON CPU, ${row.state}`;
    const name = row.state === "running" ? ("CPU" as const) : ("run queue" as const);
    rows.set(event, { event, isDatabaseEvent: false, isOfSessions: true, class: name, side: sideOf(row) });
  }
  return rows;
}

function rowOf({ event, isDatabaseEvent, isOfSessions, class: of, a, b }: Line): EventRow {
  return {
    event, isDatabaseEvent, isOfSessions, class: of, meanMsA: a?.meanMs ?? null, meanMsB: b?.meanMs ?? null,
    aasA: a?.aas.mean ?? null, aasB: b?.aas.mean ?? null, ...rowDifference(a?.aas ?? NONE, b?.aas ?? NONE),
  };
}

/** Of sessions, as the rows have them: a run queue after an idle wait stands in that, as a database sees it. */
const aasSum = (report: Report): Sum =>
  added([...report.waits.filter((row) => row.process_kind === USERS && isActive(row.class)), ...report.on_cpu]
    .map((row) => row.clocked_aas));

/** `isCompared` is false where A is B: then the title speaks of one side alone. */
export function eventTableOf(a: Report, b: Report, isCompared = true): EventTableModel {
  const all = allHosts(isCompared && a.nodes.length !== b.nodes.length ? null : b.nodes.length);
  const head = all === null ? "Events" : `Events of ${all}`;
  const [inA, inB] = [sidesOf(a), sidesOf(b)];
  const lines = [...new Set([...inB.keys(), ...inA.keys()])].flatMap((event): Line[] => {
    const [rowA, rowB] = [inA.get(event), inB.get(event)];
    const known = rowB ?? rowA;
    return known === undefined ? [] : [{ ...known, a: rowA?.side ?? null, b: rowB?.side ?? null }];
  });
  const rows = lines
    .map(rowOf)
    .filter((row) => Math.max(row.aasA ?? 0, row.aasB ?? 0) >= SMALLEST_AAS)
    .toSorted((one, other) => sizeOf(other) - sizeOf(one) || one.event.localeCompare(other.event, "en"))
    .slice(0, MOST_ROWS);
  const active = rows.filter((row) => isActive(row.class));
  const title = (isCompared ? titleOf(active) : aloneTitle(active)).replace(/^Events/, head);
  const [sumA, sumB] = [aasSum(a), aasSum(b)];
  return { title, rows, sum: { aasA: sumA.mean, aasB: sumB.mean, ...rowDifference(sumA, sumB) } };
}

/** By the larger of the two sides: an order that a small move of a knob does not shuffle. */
function sizeOf(row: EventRow): number {
  return Math.max(row.aasA ?? 0, row.aasB ?? 0);
}

/** Of whom the title speaks, whatever background processes wait for. */
const NO_SESSIONS = "Events: no active sessions";

function aloneTitle(rows: readonly EventRow[]): string {
  const first = rows.find((row) => row.isOfSessions);
  return first === undefined ? NO_SESSIONS : `Events: ${formatFixed(first.aasB ?? 0, 1)} sessions in ${first.event}`;
}

const sessionsOf = ({ difference }: EventRow): string =>
  formatSigned(difference, Math.abs(difference) < 0.05 ? 2 : 1);

/** Where sessions differ in nothing, what background processes wait for may, and then is named. */
function unshown(all: readonly EventRow[]): string {
  const [own] = largestFirst(all.filter((row) => !row.isOfSessions && row.isSignificant));
  const areSessions = all.some((row) => row.isOfSessions);
  const none = areSessions ? "Events: no difference shown in active sessions" : NO_SESSIONS;
  if (own === undefined) return none;
  return areSessions
    ? `${none}, ${sessionsOf(own)} background in ${own.event}`
    : `Events: ${sessionsOf(own)} in ${own.event}`;
}

const largestFirst = (rows: readonly EventRow[]): EventRow[] =>
  rows.toSorted((one, other) => Math.abs(other.difference) - Math.abs(one.difference));

/** Of the sessions, as far as these differ. */
function titleOf(all: readonly EventRow[]): string {
  const rows = all.filter((row) => row.isOfSessions);
  const sure = rows.filter((row) => row.isSignificant);
  const queue = sure.find((row) => row.class === "run queue");
  const event = sure.find((row) => row.isDatabaseEvent && queue !== undefined && isTaken(queue, row));
  const [largest] = largestFirst(sure);
  if (queue !== undefined && event !== undefined && (largest === queue || isExchange(queue, event))) {
    const [left, came] = [formatFixed(Math.abs(queue.difference), 1), formatFixed(Math.abs(event.difference), 1)];
    if (queue.difference > 0) return `Events: ${came} under a name became ${left} in the run queue`;
    return isExchange(queue, event) && (queue.aasB ?? 0) <= HARDLY_ANY * (queue.aasA ?? 0)
      ? `Events: the run queue’s ${left} sessions now wait under a name`
      : `Events: ${left} in the run queue became ${came} under a name`;
  }
  return largest === undefined ? unshown(all) : `Events: ${sessionsOf(largest)} sessions in ${largest.event}`;
}

/** Of a run queue, so much of what it was. */
const HARDLY_ANY = 0.1;

/** Printed as nothing, or as less than half of the other, neither became the other. */
function isTaken(queue: EventRow, event: EventRow): boolean {
  const ratio = event.difference / queue.difference;
  return ratio <= -0.5 && ratio >= -2 && Math.min(Math.abs(event.difference), Math.abs(queue.difference)) >= 0.05;
}

/** What one lost the other gained, about. */
function isExchange(queue: EventRow, event: EventRow): boolean {
  const ratio = Math.abs(event.difference / queue.difference);
  return ratio > 0.8 && ratio < 1.25;
}
