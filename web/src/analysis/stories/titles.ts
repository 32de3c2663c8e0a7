/** Titles that say the finding of their chart, short enough for its column. */
import type { FullAnswer, NodeRow, Report, ServiceRow } from "../../engine";
import { formatFixed, formatMs, formatPercent, formatShort, NBSP } from "../../units";
import { clockedQueue, isOutlasted, queuedIn, waitingIn } from "../read/accounts";
import { allHostsHead, hostsOf } from "../read/host";
import type { AnalysisInput } from "../read/input";
import { capacityOf, hostLedgers, lossTo, sumBy, takenBy, type Cause } from "../read/ledger";
import { capital, namesOf, threadsText } from "../read/names";
import { serviceIn } from "../read/service";
import { hasSlaves, sharedNoun } from "../read/sharing";
import { rowDifference } from "../sides/differences";
import { humpsAt, mainWait, twoHumps } from "../sides/spread";
import type { ActiveSessionsModel, SpreadModel } from "../sides/types";
import { queueGrows } from "./service";
import type { HostTitles, Titles } from "./types";

/** The spreads of a side. */
interface Spreads {
  readonly waitSpread: SpreadModel | null;
  readonly responseSpread: SpreadModel;
}

/** "24.0 wait, caged 24.7": of A, and of B in its own word; `end`: of how many, where that is not as many as in A. */
function pairOf(input: AnalysisInput, a: number | null, b: number, what: string, end = ""): string {
  const word = (count: number): string =>
    count > 0 && count < 0.05 ? "hardly any"
      : what.endsWith("busy") ? formatShort(count, 3)
      : count > 0 ? formatFixed(count, 1)
      : "none";
  const [before, now] = [word(a ?? b), word(b)];
  const start =
    before === "none" ? `${hasSlaves(input.a, input.b) ? "slaves apart, " : ""}nobody waits` : `${before} ${what}`;
  return before === now && end === "" ? start : `${start}, ${namesOf(input).wordB} ${now}${end}`;
}

/** Sessions that do not run. */
function waitingOn({ layers }: ActiveSessionsModel): number {
  return layers.reduce((sum, layer) => sum + (layer.class === "CPU" ? 0 : layer.mean), 0);
}

/** The lowest bucket of a wide spread holds all that is next to nothing. */
const aboutHump = ({ edgesMs: [least = 0] }: SpreadModel, ms: number): string =>
  ms < least ? "next to nothing" : `about ${formatMs(Number(ms.toPrecision(2)))}`;

/** Of A and of B, where they are not the same; `of`: of what, where there is room to say so. */
function withinOf(input: AnalysisInput, answer: FullAnswer, of: string): string {
  const within = formatMs(answer.report.response_ms.p99);
  const before = input.fullA?.report.response_ms;
  const was = before === undefined || before.count === 0 || input.differs.length === 0 ? within : formatMs(before.p99);
  if (was === within) return `${of}end within ${within}`;
  return `end within ${was}, ${namesOf(input).wordB} ${within}`;
}

/** Those with a wait and those without are its length apart; as far as buckets can tell, so many times it at most. */
const ABOUT = 2;

/** Whether a side's transactions have two humps, as far apart as a wait is long. */
function areSplitBy(waitMs: number, spread: SpreadModel): boolean {
  const [low, high] = humpsAt(spread) ?? [0, 0];
  const times = (high - low) / waitMs;
  return times > 1 / ABOUT && times < ABOUT;
}

/** What splits a side's transactions or their waits in two: before its figure, the figure, after it; null: nothing. */
function splitOf(side: Spreads | null, answer: FullAnswer | null, isShort: boolean): readonly string[] | null {
  const wait = side?.waitSpread ?? null;
  if (side === null || wait === null || answer === null) return null;
  const humps = humpsAt(wait);
  // Humps that are many, and hardly any of the time, are not what is waited for.
  if (humps !== null && (mainWait(answer)?.meanMs ?? 0) <= humps[1]) {
    const [low = "", high = ""] = humps.map((ms) => aboutHump(wait, ms));
    return isShort
      ? ["waits are ", `${low}, or ${low.startsWith("about ") ? high.replace(/^about /, "") : high}`, ""]
      : ["waits split in two: ", `${low}, or ${high}`, ""];
  }
  return areSplitBy(mainWait(answer)?.meanMs ?? 0, side.responseSpread)
    ? ["waits of ", wait.value, ` split transactions${isShort ? "" : " in two"}`]
    : null;
}

/** What is said of B alone, beside charts of both, says so. */
const ofB = (input: AnalysisInput, isOfBoth: boolean, words: string): string =>
  isOfBoth ? words : `${namesOf(input).wordB}, ${words}`;

interface SidesToTell {
  readonly a: Spreads | null;
  readonly b: Spreads;
}

/** Of both sides where both split so, else of B; null where A's transactions split as well, and by no such wait. */
function splitTitle(input: AnalysisInput, { a, b }: SidesToTell, isShort: boolean): string | null {
  const [was, is] = [splitOf(a, input.fullA, isShort), splitOf(b, input.fullB, isShort)];
  if (is === null) return null;
  const [start = "", figure = "", end = ""] = is;
  const areBoth = was?.[0] === start;
  if (a !== null && !areBoth && end !== "" && twoHumps(a.responseSpread.shares) !== null) return null;
  const [before] = areBoth && was[1] !== figure ? was.slice(1) : [];
  const figures = before === undefined ? figure : `${before} (${namesOf(input).wordB} ${figure})`;
  return ofB(input, a === null || areBoth, start + figures + end);
}

/** `head`: whose, where there are several hosts. */
function spreadTitle(input: AnalysisInput, sides: SidesToTell, answer: FullAnswer, head: string): string {
  const headed = (words: string): string => (head === "" ? capital(words) : head + words);
  const split = splitTitle(input, sides, head !== "");
  if (split !== null) return headed(split);
  if (isOutlasted(answer.report)) {
    const areBoth = sides.a === null || (input.fullA !== null && isOutlasted(input.fullA.report));
    return headed(ofB(input, areBoth, "too few transactions ended to tell their spread"));
  }
  if (answer.report.response_ms.count === 0) return headed("no transaction ended");
  // Of A nothing may be known that could stand beside it.
  const isOfBoth = sides.a === null || input.differs.length === 0 || input.fullA?.report.response_ms.count !== 0;
  const within = withinOf(input, answer, head === "" && isOfBoth ? "of transactions " : "");
  return headed(ofB(input, isOfBoth, `99${NBSP}% ${within}`));
}

/** Of several servers the slowest, and where it is; A's beside it. */
function serviceTitle(input: AnalysisInput, a: Report | null, { report }: FullAnswer): string {
  const row = serviceIn(report);
  if (row === null) return "";
  const was = a === null ? null : serviceIn(a, row.node);
  const areMany = input.preset.nodes > 1;
  const isOfBoth = was === null || was.grows === row.grows;
  /** A's before B's, where both have it and it is not the same. */
  const both = (read: (of: ServiceRow) => string, unit = ""): string => {
    const [before, now] = [isOfBoth && was !== null ? read(was) : read(row), read(row)];
    return before === now ? now + unit : `${before}${unit}, ${namesOf(input).wordB} ${now}`;
  };
  if (row.grows) {
    const grown = both((of) => formatShort(of.growth_per_s.mean), " a second");
    const words = ofB(input, isOfBoth, `${queueGrows(input, row.node, isOfBoth, false)} by ${grown}`);
    return areMany ? `Host ${row.node}: ${words}` : capital(words);
  }
  const within = both((of) => formatMs(of.response_ms.p99));
  if (areMany)
    return `Servers: ${ofB(input, isOfBoth, `99${NBSP}% of answers within ${within} on host ${row.node}`)}`;
  const answered = within.includes(", ") ? "are answered" : "of requests are answered";
  return capital(ofB(input, isOfBoth, `99${NBSP}% ${answered} within ${within}`));
}

export function titlesOf(input: AnalysisInput, sideA: Spreads | null, sideB: Spreads | null): Titles {
  const { fullA, fullB } = input;
  if (fullB === null || sideB === null) return { service: "", spread: "" };
  const isCompared = fullA !== null && input.differs.length > 0;
  const sides = { a: isCompared ? sideA : null, b: sideB };
  return {
    service: serviceTitle(input, isCompared ? fullA.report : null, fullB),
    spread: spreadTitle(input, sides, fullB, allHostsHead(hostsOf(input))),
  };
}

/** Others' work is no loss, idle threads that nobody could use are none, and roundings are nobody's. */
const NO_LOSS: ReadonlySet<Cause> = new Set(["beside", "nothing", "rounding"]);

interface Loss {
  readonly cause: Cause;
  /** Of the capacity of all threads, or of those of a host [%]. */
  readonly was: number;
  readonly is: number;
}

const lossPercent = (percent: number): string => (percent < 0.05 ? "none" : formatPercent(percent));

/** What the ledger says that threads lose most otherwise in B than in A, or of B alone the most; null: next to none. */
function lossOf(a: Report | null, b: Report, host: number | null): Loss | null {
  const share = (report: Report, cause: Cause): number =>
    (100 * takenBy(report, cause, host)) / Math.max(1e-9, capacityOf(report, host));
  const causes = new Set([a, b].flatMap((report) => (report === null ? [] : hostLedgers(report)))
    .flatMap(({ taken }) => taken.map(({ cause }) => cause)));
  const losses = [...causes].filter((cause) => !NO_LOSS.has(cause)).map((cause) => {
    const is = share(b, cause);
    return { cause, was: a === null ? is : share(a, cause), is };
  });
  // What the table doubts, or is told as one figure of both, is no difference, and says less than what both lose most.
  const differing = losses.filter(({ cause, was, is }) => a !== null && lossPercent(was) !== lossPercent(is)
    && rowDifference(sumBy(a, cause, host), sumBy(b, cause, host)).isSignificant);
  const isDifferent = differing.length > 0;
  const size = ({ was, is }: Loss): number => (isDifferent ? Math.abs(is - was) : is);
  const [most] = (isDifferent ? differing : losses)
    .toSorted((one, other) => size(other) - size(one) || other.is - one.is);
  return most === undefined || Math.max(most.was, most.is) < 0.1 ? null : most;
}

/** "13.4 % lost to refills, caged 0.9 %". */
function lossText(input: AnalysisInput, { cause, was, is }: Loss): string {
  const [before, now] = [lossPercent(was), lossPercent(is)];
  const to = cause === "shared" ? `lost to ${sharedNoun(input.a, input.b)}` : lossTo(cause);
  return `${before} ${to}${before === now ? "" : `, ${namesOf(input).wordB} ${now}`}`;
}

function threadsTitle(input: AnalysisInput, a: Report | null, b: Report): string {
  const loss = lossOf(a, b, null);
  if (loss !== null) return `Threads: ${lossText(input, loss)}`;
  return `Threads: ${busyText(input, a?.nodes ?? [], b.nodes, (threads) => formatShort(threads))}`;
}

/** "6.6 of 8 busy, in B 3.9"; where as many are busy of as many, those of B stand for both. */
function busyText(
  input: AnalysisInput, a: readonly NodeRow[], b: readonly NodeRow[], tell: (threads: number) => string,
): string {
  const sum = (rows: readonly NodeRow[], read: (row: NodeRow) => number): number =>
    rows.reduce((total, row) => total + read(row), 0);
  const [was, is] = [sum(a, (row) => row.cpu_busy_threads), sum(b, (row) => row.cpu_busy_threads)];
  const [before, threads] = [sum(a, (row) => row.threads), sum(b, (row) => row.threads)];
  if (a.length === 0 || (before === threads && Math.abs(was - is) < 0.05))
    return pairOf(input, null, is, `of ${tell(threads)} busy`);
  const end = before === threads ? "" : ` of ${formatShort(threads)}`;
  return pairOf(input, was, is, `of ${tell(before)} busy`, end);
}

/** One of several hosts: how many of its threads are busy, or where that is the same, what they lose. */
function hostThreadsTitle(input: AnalysisInput, host: number, a: Report | null, b: Report): string {
  const [rowA = null, rowB] = [a, b].map((report) => report?.nodes[host - 1]);
  if (rowB === undefined) return "";
  const isAlike = rowA !== null && Math.abs(rowA.cpu_busy_threads - rowB.cpu_busy_threads) < 0.05;
  const loss = isAlike ? lossOf(a, b, host) : null;
  if (loss !== null) return `Host ${host}: ${lossText(input, loss)}`;
  return `Host ${host}: ${busyText(input, rowA === null ? [] : [rowA], [rowB], threadsText)}`;
}

/** Sessions in the run queue after a wait, of whom the table of events says that they wait: fewer are not spoken of. */
const FEWEST_APART = 0.05;

/** Whether the chart has sessions in the run queue that the database counts with the wait before it. */
const isApart = (report: Report): boolean => queuedIn(report) - clockedQueue(report) >= FEWEST_APART;

/** `host`: one of several, counted from 1; null: the only one. */
export function hostTitlesOf(
  input: AnalysisInput, host: number | null, sideA: ActiveSessionsModel | null, sideB: ActiveSessionsModel | null,
): HostTitles {
  const { fullA, fullB } = input;
  if (fullB === null || sideB === null) return { activeSessions: "", threads: "" };
  const reportA = fullA === null || input.differs.length === 0 ? null : fullA.report;
  const queues = isApart(fullB.report) || (reportA !== null && isApart(reportA)) ? ", with run queues" : "";
  if (host !== null) {
    const waiting = reportA === null || sideA === null ? null : waitingOn(sideA);
    return {
      activeSessions: `Host ${host}${queues}: ${pairOf(input, waiting, waitingOn(sideB), "sessions wait")}`,
      threads: hostThreadsTitle(input, host, reportA, fullB.report),
    };
  }
  const waiting = reportA === null ? null : waitingIn(reportA);
  return {
    activeSessions: `Active sessions${queues}: ${pairOf(input, waiting, waitingIn(fullB.report), "wait")}`,
    threads: threadsTitle(input, reportA, fullB.report),
  };
}
