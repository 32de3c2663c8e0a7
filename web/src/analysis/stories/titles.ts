/** Titles that say the finding of their chart, short enough for its column. */
import type { FullAnswer, NodeRow } from "../../engine";
import { formatFixed, formatMs, formatPercent, formatShort, NBSP } from "../../units";
import { accountOf, type Account } from "../read/accounts";
import { allHostsHead } from "../read/host";
import type { AnalysisInput } from "../read/input";
import { capital, namesOf, type Names } from "../read/names";
import { serviceIn } from "../read/service";
import { twoHumps } from "../sides/spread";
import type { ActiveSessionsModel, SpreadModel } from "../sides/types";
import type { HostTitles, Titles } from "./types";

/** The spreads of a side. */
interface Spreads {
  readonly waitSpread: SpreadModel | null;
  readonly responseSpread: SpreadModel;
}

function inMs(part: number, whole: number): string {
  return part < 0.1 ? `${formatMs(part)} in ${formatMs(whole)}` : `${formatShort(part, 2)} ms in ${formatShort(whole)}`;
}

/** "0.8 ms in 6.8": what a thread or slot loses, in how long. */
function lossOf(account: Account): string | null {
  const emptyShare = account.emptyPercent / 100;
  if (emptyShare > 0.005 && account.emptyPercent > account.switchPercent) {
    const gapMs = (account.sliceMs * emptyShare) / (1 - emptyShare);
    return inMs(gapMs, account.sliceMs + gapMs);
  }
  if (account.switchPercent < 0.1) return null;
  return inMs(account.switchMs, account.sliceMs);
}

function threadsTitle(a: Account | null, b: Account): string {
  const lossB = lossOf(b);
  const lossA = a === null ? lossB : lossOf(a);
  if (lossA === null && lossB === null)
    return `Threads: ${formatFixed(b.busyThreads, 1)} of ${formatShort(b.threads)} busy`;
  if (a === null || lossA === lossB) return `Threads lose ${lossB ?? "next to nothing"}`;
  if (lossA === null) return `Threads lose next to nothing, or ${lossB ?? ""}`;
  return lossB === null
    ? `Threads lose ${lossA}, or next to nothing`
    : `Threads lose ${lossA}, or ${lossB.replace(/ ms in/, " in")}`;
}

/** "caged 24.7", "in B 24.7". */
const wordOf = ({ wordB }: Names): string => (wordB === "B" ? "in B" : wordB);

/** "24.0 wait, caged 24.7": of A, and of B in its own word. */
function pairOf(input: AnalysisInput, a: number | null, b: number, what: string): string {
  const names = namesOf(input);
  const isOfThreads = what.endsWith("busy");
  const isNobody = (count: number): boolean => what === "sessions wait" && count < 0.05;
  const shown = (count: number): string => (isOfThreads ? formatShort(count, 3) : formatFixed(count, 1));
  const now = isNobody(b) ? "none" : shown(b);
  if (a !== null && isNobody(a)) return `nobody waits${isNobody(b) ? "" : `, ${wordOf(names)} ${now}`}`;
  if (a === null && isNobody(b)) return "nobody waits";
  return a === null
    ? `${now} ${what}`
    : `${shown(a)} ${what}, ${wordOf(names)} ${now}`;
}

/** Sessions that do not run. */
function waitingOn({ layers }: ActiveSessionsModel): number {
  return layers.reduce((sum, layer) => sum + (layer.class === "CPU" ? 0 : layer.mean), 0);
}

/** The middle of a bucket; the lowest of a wide spread holds all that is next to nothing. */
function aboutBucket(spread: SpreadModel, i: number): string {
  if (i === 0 && spread.shares.length >= 10) return "next to nothing";
  const middle = (spread.edgesMs[i] ?? 0) * Math.SQRT2;
  return `about ${formatMs(Number(middle.toPrecision(1)))}`;
}

/** `head`: whose, where there are several hosts. */
function spreadTitle(side: Spreads, answer: FullAnswer, head: string): string {
  const wait = side.waitSpread;
  const humps = wait === null ? null : twoHumps(wait.shares);
  if (wait !== null && humps !== null)
    return head === ""
      ? `Waits split in two: ${aboutBucket(wait, humps[0])}, or ${aboutBucket(wait, humps[1])}`
      : `${head}waits ${aboutBucket(wait, humps[0])}, or ${aboutBucket(wait, humps[1]).replace(/^about /, "")}`;
  if (wait !== null && twoHumps(side.responseSpread.shares) !== null)
    return head === ""
      ? `Waits of ${wait.value} split transactions in two`
      : `${head}waits of ${wait.value} split transactions`;
  const within = formatMs(answer.report.response_ms.p99);
  return `${head}99${NBSP}% ${head === "" ? "of transactions " : ""}end within ${within}`;
}

/** Of several servers the slowest, and where it is. */
function serviceTitle(input: AnalysisInput, { report }: FullAnswer): string {
  const row = serviceIn(report);
  if (row === null) return "";
  const areMany = input.preset.nodes > 1;
  const grows = `queue grows by ${formatShort(row.growth_per_s.mean)} a second`;
  if (row.grows) return areMany ? `Host ${row.node}: the server’s ${grows}` : `The server’s ${grows}`;
  const within = `within ${formatMs(row.response_ms.p99)}`;
  return areMany
    ? `Servers: 99${NBSP}% of answers ${within} on host ${row.node}`
    : `99${NBSP}% of requests are answered ${within}`;
}

export function titlesOf(input: AnalysisInput, sideB: Spreads | null): Titles {
  const { fullB } = input;
  if (fullB === null || sideB === null) return { service: "", spread: "" };
  return {
    service: serviceTitle(input, fullB),
    spread: spreadTitle(sideB, fullB, allHostsHead(input.preset.nodes)),
  };
}

/** The loss of thread time on one host, in percent. */
function lostPercent({ threads, cpu_busy_threads: busy, useful_threads: useful }: NodeRow): number {
  return (100 * (busy - useful)) / Math.max(1, threads);
}

/** One of several hosts: how many of its threads are busy, or where that is the same, what they lose. */
function hostThreadsTitle(input: AnalysisInput, host: number, a: NodeRow | null, b: NodeRow): string {
  const of = `of ${formatShort(b.threads)} threads busy`;
  const isAlike = a !== null && Math.abs(a.cpu_busy_threads - b.cpu_busy_threads) < 0.05;
  const [lostA, lostB] = [a === null ? 0 : lostPercent(a), lostPercent(b)];
  if (!isAlike || Math.max(lostA, lostB) < 0.1) {
    const before = a === null || isAlike || a.threads !== b.threads ? null : a.cpu_busy_threads;
    return `Host ${host}: ${pairOf(input, before, b.cpu_busy_threads, of)}`;
  }
  const [before, now] = [formatPercent(lostA), formatPercent(lostB)];
  return `Host ${host}: threads lose ${now === before ? now : `${before}, ${wordOf(namesOf(input))} ${now}`}`;
}

/** `host`: one of several, counted from 1; null: the only one. */
export function hostTitlesOf(
  input: AnalysisInput, host: number | null, sideA: ActiveSessionsModel | null, sideB: ActiveSessionsModel | null,
): HostTitles {
  const { fullA, fullB } = input;
  if (fullB === null || sideB === null) return { activeSessions: "", threads: "" };
  const reportA = fullA === null || input.differs.length === 0 ? null : fullA.report;
  if (host !== null) {
    const waiting = reportA === null || sideA === null ? null : waitingOn(sideA);
    const [a = null, b] = [reportA, fullB.report].map((report) => report?.nodes[host - 1]);
    return {
      activeSessions: `Host ${host}: ${pairOf(input, waiting, waitingOn(sideB), "sessions wait")}`,
      threads: b === undefined ? "" : hostThreadsTitle(input, host, a, b),
    };
  }
  const [accountA, accountB] = [reportA === null ? null : accountOf(reportA), accountOf(fullB.report)];
  return {
    activeSessions: `Active sessions: ${pairOf(input, accountA?.waiting ?? null, accountB.waiting, "wait")}`,
    threads: capital(threadsTitle(accountA, accountB)),
  };
}
