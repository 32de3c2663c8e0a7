/**
 * What changed, in one sentence: subject first, numbers in, the price beside the gain. Each clause hangs on a figure.
 */
import type { FullAnswer, Report, WaitRow } from "../../engine";
import type { Paired } from "../../base/statistics";
import { formatFixed, formatLio, formatMs, formatShort } from "../../units";
import { waitingIn } from "../read/accounts";
import { allHosts, hostsOf } from "../read/host";
import { isOpen, type AnalysisInput } from "../read/input";
import { capital, namesOf, placeHere, whereTold, type Names } from "../read/names";
import { differencesAt, isCertain, isEqual, type Differences } from "../sides/differences";
import { USERS } from "../sides/eventTable";
import { comparedBy, isLongerOrShorter, isOfHosts, NOTABLE, tailRatio } from "./basis";
import { endedHeadline, endedShort } from "./ended";
import { evictionHeadline } from "./evictions";
import { byHost, hasHosts } from "./hosts";
import { signedWithWidth, sizeOf } from "./percent";
import { serviceHeadline } from "./service";
import { plain, strong, strongB } from "./spans";
import type { Finding, Span } from "./types";
import { causesOf, whyOf } from "./why";

/** Below this share of transactions a wait is left to the table. */
const RARE = 0.02;
/** Characters for which two lines of the headline have room. */
const TWO_LINES = 113;

/** The second clause goes where both together would take a third line. */
function withClause(first: string, second: string): string {
  return first.length + second.length > TWO_LINES ? first : first + second;
}

/** The wait of B's sessions that A's have not, or have much shorter: by what is told, as the database clocks it. */
function newWait(a: Report, b: Report): WaitRow | null {
  const ofSessions = ({ waits }: Report): readonly WaitRow[] =>
    waits.filter((wait) => wait.process_kind === USERS && wait.count > 0);
  const found = ofSessions(b).filter(({ event, clocked_ms: lasts }) => {
    const before = ofSessions(a).find((other) => other.event === event);
    const isLong = lasts.mean >= 0.05 * b.response_ms.mean;
    return isLong && (before === undefined || lasts.mean >= 2 * before.clocked_ms.mean);
  });
  return found.toSorted((one, other) => other.time_s - one.time_s)[0] ?? null;
}

function waitClause(a: Report, b: Report): string | null {
  const wait = newWait(a, b);
  if (wait === null || b.response_ms.count === 0) return null;
  const share = wait.count / b.response_ms.count;
  if (share < RARE) return null;
  const lasts = formatMs(wait.clocked_ms.mean);
  // How often is a mean: who waits, and who not at all, is not known.
  if (share < 0.5) return `there is one wait of ${lasts} to every ${formatShort(1 / share, 2)} transactions`;
  if (share < 0.95) return `there are ${formatShort(10 * share, 1)} waits of ${lasts} to every 10 transactions`;
  const times = formatShort(share, 2);
  return `transactions wait ${lasts}, ${times === "1" ? "once" : `${times} times`} each`;
}

/** Where the slowest begin: the 99th percentile, in the digits that it has beside the chart. */
const tailClause = (a: Report, b: Report): string | null =>
  tailRatio(a, b) === null
    ? null
    : `1 % of transactions take ${formatMs(b.response_ms.p99)} or more, not ${formatMs(a.response_ms.p99)}`;

/** "costs", and of several "cost". */
const verbOf = ({ isMany }: Names, verb: string): string => (isMany ? verb : `${verb}s`);

function gainHeadline(names: Names, where: string, by: Paired, a: Report, b: Report): string {
  const waits = waitClause(a, b);
  const tail = tailClause(a, b);
  const worse = a.response_ms.p99 > 0 && b.response_ms.p99 > NOTABLE * a.response_ms.p99;
  const price = waits !== null && worse ? `, but ${waits}` : worse && tail !== null ? `, but ${tail}` : "";
  const bonus = !worse && tail !== null ? `, and ${tail}` : "";
  return withClause(`${names.subject} ${verbOf(names, "add")} ${sizeOf(by)} to throughput${where}`, price + bonus);
}

function lossHeadline(
  input: AnalysisInput, names: Names, where: string, by: Paired, a: Report, b: Report,
): string {
  const first = `${names.subject} ${verbOf(names, "cost")} ${sizeOf(by)} of throughput${where}`;
  if (hasHosts(input) && hostsOf(input) !== null) return withClause(first, `: ${byHost(input, a, b)}`);
  const cause = causesOf(input)[0]?.headline ?? null;
  const tail = b.response_ms.p99 * NOTABLE < a.response_ms.p99 ? tailClause(a, b) : null;
  const rest = tail !== null ? `, but ${tail}` : cause !== null ? `: ${cause}` : "";
  return withClause(first, rest);
}

/** Where throughput is given by the arrivals, or the same, response time has the word. */
function responseHeadline(input: AnalysisInput, names: Names, response: Paired, a: Report, b: Report): string {
  const where = whereTold(input);
  const tail = tailClause(a, b);
  if (isLongerOrShorter(response)) {
    const verb = verbOf(names, response.mean > 0 ? "lengthen" : "shorten");
    // From ten times on a factor is easier to think of than a percentage.
    const factor = 1 + response.mean / 100;
    const told = whereTold(input);
    const how =
      factor < 10
        ? `${verb} transactions by ${sizeOf(response)}${told}`
        : `${verbOf(names, "make")} transactions ${formatShort(factor, 2)} times as long as with ${names.a}${
          told.replace(/^ against .*/, "")}`;
    return withClause(
      `${names.subject} ${how}`,
      tail === null ? "" : `; ${tail}`,
    );
  }
  const { number, width } = signedWithWidth(response);
  if (tail !== null) return withClause(`Mean response ${number} ${width}`, `, but with ${names.b} ${tail}`);
  return isCertain(response)
    ? `Mean response ${number} ${width}${where}`
    : `No difference shown${where}: mean response ${number} ${width}`.trim();
}

function evenHeadline(where: string, throughput: Paired, b: Report): string {
  const isSame = Math.abs(throughput.mean) < 0.05 && (throughput.ci95 ?? 1) < 0.05;
  if (isSame) return `No difference${where}: either way ${formatLio(b.throughput.lio_per_s.mean)}`;
  const { number, width } = signedWithWidth(throughput);
  return `No difference shown${where}: ${number} ${width}`.trim();
}

function aloneHeadline(input: AnalysisInput, report: Report): string {
  const place = capital(placeHere(input));
  const waiting = waitingIn(report);
  if (isOpen(input.b)) {
    return `${place}: a transaction takes ${formatMs(report.response_ms.mean)}, 1 % of them `
      + `${formatMs(report.response_ms.p99)} or more`;
  }
  const all = allHosts(hostsOf(input));
  const waits =
    waiting < 0.05
      ? "nobody waits"
      : `${formatFixed(waiting, 1)} sessions ${all === null ? "" : `of ${all} `}wait at any moment`;
  return `${place} at ${formatLio(report.throughput.lio_per_s.mean)}: ${waits}`;
}

/**
 * Of a sketch, and under a hand: one form, whatever the number. Responses are left to what stands, for those of short
 * runs are of the transactions that ended early; but where the arrivals give the throughput nothing else is left.
 */
function draftHeadline(input: AnalysisInput, names: Names, by: Differences, b: Report): string {
  // Where nothing ends there is no response that could differ.
  const isResponseEqual = isEqual(by.response) || b.throughput.lio_per_s.mean === 0;
  if (isEqual(by.throughput) && isResponseEqual) return evenHeadline(whereTold(input), by.throughput, b);
  const ofResponses = isOpen(input.a) && isOpen(input.b);
  const { number, width } = signedWithWidth(ofResponses ? by.response : by.throughput);
  const what = ofResponses ? "mean response" : "throughput";
  return `${names.subject}: ${what} ${number}${width === "" ? "" : ` ${width}`}${whereTold(input)}`;
}

function headlineOf(input: AnalysisInput, b: FullAnswer, a: FullAnswer | null): string {
  const first = evictionHeadline(input, a?.report ?? null, b.report)
    ?? endedHeadline(input, a?.report ?? null, b.report);
  if (first !== null) return first;
  if (a === null || input.differs.length === 0)
    return serviceHeadline(input, null, b.report) ?? aloneHeadline(input, b.report);
  const names = namesOf(input);
  const where = whereTold(input);
  const differences = differencesAt(a.report, b.report);
  const by = differences.throughput;
  const server = serviceHeadline(input, a.report, b.report);
  if (server !== null) return server;
  if (by.ci95 === null)
    return `Too little was run to compare${where}: ${signedWithWidth(by).number}, without an interval`;
  if (input.isInHand || input.isCoarse) return draftHeadline(input, names, differences, b.report);
  if (comparedBy(input, a.report, b.report) === "response")
    return responseHeadline(input, names, differences.response, a.report, b.report);
  if (!isCertain(by) && isOfHosts(input, a.report, b.report))
    return withClause(
      `No difference shown over ${allHosts(hostsOf(input)) ?? ""}${where}`,
      `: ${byHost(input, a.report, b.report)}`,
    );
  if (!isCertain(by)) return evenHeadline(where, by, b.report);
  return by.mean > 0
    ? gainHeadline(names, where, by, a.report, b.report)
    : lossHeadline(input, names, where, by, a.report, b.report);
}

function shortOf(input: AnalysisInput, b: FullAnswer, a: FullAnswer | null): Span[] {
  const ended = endedShort(input, a?.report ?? null, b.report);
  if (ended !== null) return [...ended];
  const own = formatLio(b.report.throughput.lio_per_s.mean);
  if (a === null || input.differs.length === 0) return [strong(own), plain(` at ${placeHere(input)}`)];
  const { number, width } = signedWithWidth(differencesAt(a.report, b.report).throughput);
  return [strongB(number), plain(`${width === "" ? "" : ` ${width}`}${whereTold(input)}: ${own}`)];
}

/** Nothing to say before the first answer. */
export function findingOf(input: AnalysisInput): Finding {
  const { fullA, fullB } = input;
  if (fullB === null) return { headline: "", short: [], why: [] };
  return { headline: headlineOf(input, fullB, fullA), short: shortOf(input, fullB, fullA), why: whyOf(input) };
}
