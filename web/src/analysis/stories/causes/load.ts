/** How much there is to share, who else has a part of it, and what a read costs. */
import type { Report } from "../../../engine";
import { formatFixed, formatMs, formatPercent, formatShort } from "../../../units";
import { areThreadsShared, eventOf } from "../../read/ledger";
import { USERS } from "../../sides/eventTable";
import { responseParts, type Part } from "../../sides/ledger";
import type { Sentence } from "../types";
import { bySides, moreThanA, onHost, ownNoun, percentIn, takes, threadsIn, type Told, type Words } from "./words";

/** How many times as long as to its wake-up a wait is as the database clocks it: with the run queue after it. */
function clocked({ waits }: Report, { cause }: Part): number {
  const row = waits.find(({ event, process_kind: kind }) => event === eventOf(cause) && kind === USERS);
  return row !== undefined && row.aas.mean > 0 ? row.clocked_aas.mean / row.aas.mean : 1;
}

/**
 * The wait that makes a transaction longer, before all else: then others have what sessions leave to them; or shorter,
 * where others have less.
 */
function decidingWait({ a, b, part }: Told): Part | null {
  if (a === null || part.node !== null) return null;
  const way = Math.sign(part.now - part.before);
  const [most] = responseParts(a, b).toSorted((one, other) => way * (other.points - one.points));
  if (most?.cause.startsWith("wait ") !== true || way * most.points <= 0) return null;
  const [before, now] = [most.before * clocked(a, most), most.now * clocked(b, most)];
  return way * (now - before) > 0 ? { ...most, before, now } : null;
}

export const beside: Words = {
  cause: "beside", noun: ownNoun,
  change: (told) => {
    const wait = decidingWait(told);
    const [have, waits] = isMore(told) ? ["have", "wait"] : ["had", "waited"];
    return wait && `threads that others ${have} while sessions ${waits} longer for ${eventOf(wait.cause)}`;
  },
  sentences: (told) => {
    const wait = decidingWait(told);
    if (wait === null) return [takes(beside, told)];
    const ms = (report: Report): string => formatMs(report === told.a ? wait.before : wait.now);
    return [bySides(told, `Of a transaction ${eventOf(wait.cause)} takes `, ms)];
  },
  headline: (told) => {
    const wait = decidingWait(told);
    return moreThanA(
      told, (report) => (wait === null ? percentIn(report, told) : report === told.a ? wait.before : wait.now),
      wait === null ? formatPercent : formatMs,
      (now) =>
        wait === null
          ? `others’ work takes ${now} of capacity`
          : `a transaction waits ${now} for ${eventOf(wait.cause)}`,
    );
  },
};

const isMore = ({ part }: Told): boolean => part.now > part.before;

function threadsSentences(told: Told): readonly Sentence[] {
  const of = (report: Report): string => formatShort(threadsIn(told, report));
  return [bySides(told, `Threads${onHost(told)}: `, of)];
}

export const capacity: Words = {
  cause: "capacity", noun: () => "threads", change: (told) => (isMore(told) ? "more threads" : "fewer threads"),
  sentences: threadsSentences, headline: (told) => `fewer threads${onHost(told)}`,
};

/** That of a thread with its host to itself. */
export const speed: Words = {
  cause: "speed", noun: () => "speed of a thread", sentences: () => [],
  change: (told) => (isMore(told) ? "faster threads" : "slower threads"),
  headline: (told) => `slower threads${onHost(told)}`,
};

/** Whether a read costs as much as before in each instance: then only their shares have changed. */
function isMix({ a, b, part }: Told): boolean {
  const costOf = (report: Report, instance: number): number => {
    const work = report.ledger.filter((row) => row.cause === "work" && row.instance === instance + 1);
    const cpus = work.reduce((sum, { threads }) => sum + (threads?.mean ?? 0), 0);
    const reads = report.instances[instance]?.lio_per_s.mean ?? 0;
    return reads > 0 ? cpus / reads : 1;
  };
  if (a === null || b.instances.length < 2 || part.before === part.now) return false;
  return b.instances.every((_, i) => Math.abs(costOf(b, i) / costOf(a, i) - 1) < 0.01);
}

export const demand: Words = {
  cause: "demand", noun: () => "CPU time of a read",
  change: (told) =>
    isMix(told) ? "another share of the instances"
      : told.part.now > told.part.before ? "less CPU time a read" : "more CPU time a read",
  sentences: (told) => {
    const us = (reads: number): string => `${formatFixed(1e6 / reads, 2)} µs`;
    const { part } = told;
    const { before, now } = part;
    if (isMix(told) || part.isOfUnlike || !(before > 0) || !(now > 0)) return [];
    return [bySides(told, "CPU time of a read: ", (report) => us(report === told.a ? before : now))];
  },
  headline: (told) => (isMix(told) ? null : "a read takes more CPU time"),
};

/** What transactions that have not ended have taken counts in no response. */
export const unfinished: Words = {
  cause: "unfinished", noun: () => "time of transactions left unfinished", sentences: () => [],
  change: (told) => `${isMore(told) ? "fewer" : "more"} transactions left unfinished`,
};

/** Of a response: the work itself, and the time ready without a thread. */
export const work: Words = { cause: "work", noun: () => "CPU work" };
export const runQueue: Words = {
  cause: "run queue",
  noun: (told) =>
    [told.a, told.b].some((report) => report !== null && areThreadsShared(report))
      ? "time that others have the threads"
      : ownNoun(told),
};
