/** Titles that say the finding of their chart, short enough for its column. */
import type { FullAnswer } from "../../engine";
import { formatFixed, formatMs, formatShort, NBSP } from "../../units";
import { accountOf, type Account } from "../read/accounts";
import type { AnalysisInput } from "../read/input";
import { capital, namesOf } from "../read/names";
import { serviceIn } from "../read/service";
import { twoHumps } from "../sides/spread";
import type { SpreadModel } from "../sides/types";
import type { Titles } from "./types";

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

function waitingTitle(input: AnalysisInput, a: Account | null, b: Account): string {
  const names = namesOf(input);
  const now = formatFixed(b.waiting, 1);
  if (a === null || input.differs.length === 0) return `Active sessions: ${now} wait`;
  return `Active sessions: ${formatFixed(a.waiting, 1)} wait, ${names.wordB === "B" ? "in B" : names.wordB} ${now}`;
}

/** The middle of a bucket; the lowest of a wide spread holds all that is next to nothing. */
function aboutBucket(spread: SpreadModel, i: number): string {
  if (i === 0 && spread.shares.length >= 10) return "next to nothing";
  const middle = (spread.edgesMs[i] ?? 0) * Math.SQRT2;
  return `about ${formatMs(Number(middle.toPrecision(1)))}`;
}

function spreadTitle(side: Spreads, answer: FullAnswer): string {
  const wait = side.waitSpread;
  const humps = wait === null ? null : twoHumps(wait.shares);
  if (wait !== null && humps !== null)
    return `Waits split in two: ${aboutBucket(wait, humps[0])}, or ${aboutBucket(wait, humps[1])}`;
  if (wait !== null && twoHumps(side.responseSpread.shares) !== null)
    return `Waits of ${wait.value} split transactions in two`;
  return `99${NBSP}% of transactions end within ${formatMs(answer.report.response_ms.p99)}`;
}

function serviceTitle({ report }: FullAnswer): string {
  const row = serviceIn(report);
  if (row === null) return "";
  if (row.grows) return `The server’s queue grows by ${formatShort(row.growth_per_s.mean)} a second`;
  return `99${NBSP}% of requests are answered within ${formatMs(row.response_ms.p99)}`;
}

export function titlesOf(input: AnalysisInput, sideB: Spreads | null): Titles {
  const { fullA, fullB } = input;
  if (fullB === null || sideB === null) return { service: "", activeSessions: "", threads: "", spread: "" };
  const accountA = fullA === null || input.differs.length === 0 ? null : accountOf(fullA.report);
  const accountB = accountOf(fullB.report);
  return {
    service: serviceTitle(fullB),
    activeSessions: waitingTitle(input, accountA, accountB),
    threads: capital(threadsTitle(accountA, accountB)),
    spread: spreadTitle(sideB, fullB),
  };
}
