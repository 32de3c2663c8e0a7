/**
 * What changed, in one sentence: subject first, numbers in, the price beside the gain. Each clause hangs on a figure.
 */
import type { Report } from "../../engine";
import type { Paired } from "../../base/statistics";
import { formatFixed, formatLio, formatMs, formatPercent } from "../../units";
import { waitingIn } from "../read/accounts";
import { allHosts, hostsOf } from "../read/host";
import { asksOtherwise, isOpen, type AnalysisInput } from "../read/input";
import { capital, namesOf, placeHere, whereTold, type Names } from "../read/names";
import { differencesAt, isCertain, isEqual, type Differences } from "../sides/differences";
import {
  basisOf, comparedBy, isDraft, isLongerOrShorter, isOfBAlone, isOfHosts, isOtherMix, KNOWN, tailRatio,
} from "./basis";
import { eachHeadline, endedHeadline, endedShort } from "./ended";
import { evictionHeadline } from "./evictions";
import { byHost, hasHosts } from "./hosts";
import { manyTimes, signedWithWidth, sizeOf, spansOf, tooLittle } from "./percent";
import { serviceHeadline, serviceShort } from "./service";
import { plain, strong } from "./spans";
import type { Finding, Span } from "./types";
import { causesOf, whyOf } from "./why";

/** Characters for which two lines of the headline have room. */
const TWO_LINES = 113;

/** The second clause goes where both together would take a third line. */
function withClause(first: string, second: string): string {
  return first.length + second.length > TWO_LINES ? first : first + second;
}

/** Where the slowest begin: the 99th percentile, in the digits that it has beside the chart. */
const tailClause = (a: Report, b: Report): string | null =>
  tailRatio(a, b) === null
    ? null
    : `1 % of transactions take ${formatMs(b.response_ms.p99)} or more, not ${formatMs(a.response_ms.p99)}`;

/** "costs", and of several "cost". */
const verbOf = ({ isMany }: Names, verb: string): string => (isMany ? verb : `${verb}s`);

/** What a factor is of. */
const asWith = ({ a }: Names, where: string): string => ` as with ${a}${where.replace(/^ against .*/, "")}`;

/** Its price is what is longer in sum: how long one wait lasts is none, for there may be fewer of them. */
function gainHeadline(names: Names, where: string, by: Paired, a: Report, b: Report): string {
  const tail = tailClause(a, b);
  const price = tail === null ? "" : `, ${(tailRatio(a, b) ?? 0) > 1 ? "but" : "and"} ${tail}`;
  const times = manyTimes(by);
  const how = times === null
    ? `${verbOf(names, "add")} ${sizeOf(by)} to throughput${where}`
    : `${verbOf(names, "make")} throughput ${times} as high${asWith(names, where)}`;
  return withClause(`${names.subject} ${how}`, price);
}

function lossHeadline(
  input: AnalysisInput, names: Names, where: string, by: Paired, a: Report, b: Report,
): string {
  const first = `${names.subject} ${verbOf(names, "cost")} ${sizeOf(by)} of throughput${where}`;
  if (hasHosts(input) && hostsOf(input) !== null) return withClause(first, `: ${byHost(input, a, b)}`);
  const cause = causesOf(input)[0]?.headline ?? null;
  const tail = (tailRatio(a, b) ?? 1) < 1 ? tailClause(a, b) : null;
  const rest = tail !== null ? `, but ${tail}` : cause !== null ? `: ${cause}` : "";
  return withClause(first, rest);
}

/** "mean response +5.5 % ±0.2", and of what no pair differs in that it does not. */
function changeIn(what: string, by: Paired): string {
  const { number, width } = signedWithWidth(by);
  return isEqual(by) ? `no difference in ${what}` : `${what} ${number} ${width}`.trim();
}

/** Where throughput is given by the arrivals, or the same, response time has the word. */
function responseHeadline(input: AnalysisInput, names: Names, response: Paired, a: Report, b: Report): string {
  const where = whereTold(input);
  const tail = tailClause(a, b);
  if (isLongerOrShorter(response)) {
    if (isOtherMix(input, a, b))
      return `With ${names.b} transactions are another mix: mean response ${formatMs(b.response_ms.mean)}, `
        + `not ${formatMs(a.response_ms.mean)} with ${names.a}`;
    const verb = verbOf(names, response.mean > 0 ? "lengthen" : "shorten");
    const times = manyTimes(response);
    const how =
      times === null
        ? `${verb} transactions by ${sizeOf(response)}${where}`
        : `${verbOf(names, "make")} transactions ${times} as long${asWith(names, where)}`;
    return withClause(
      `${names.subject} ${how}`,
      tail === null ? "" : `; ${tail}`,
    );
  }
  const change = changeIn("mean response", response);
  if (tail !== null) {
    const isAlong = isCertain(response) && response.mean > 0 === (tailRatio(a, b) ?? 0) > 1;
    return withClause(`With ${names.b} ${change}`, `, ${isAlong ? "and" : "but"} ${tail}`);
  }
  return isCertain(response) || isEqual(response)
    ? capital(change) + where
    : `No difference shown${where}: ${change}`;
}

function evenHeadline(input: AnalysisInput, throughput: Paired, a: Report, b: Report): string {
  const where = whereTold(input);
  const [was, is] = [a, b].map((report) => formatLio(report.throughput.lio_per_s.mean));
  const isSame = was === is && Math.abs(throughput.mean) < 0.05 && (throughput.ci95 ?? 1) < 0.05;
  const { mean, ci95 } = b.throughput.lio_per_s;
  // A level may be known far less well than that both sides have it.
  const about = (ci95 ?? mean) > input.precisionAsked * mean ? "about " : "";
  if (isSame) return `No difference${where}: either way ${about}${is}`;
  const { number, width } = signedWithWidth(throughput);
  return `No difference shown${where}: ${number} ${width}`.trim();
}

/** With its interval where that is wide. */
function rough(ms: number, half: number | null): string {
  if (half === null) return `about ${formatMs(ms)}`;
  return half > KNOWN * ms ? `${formatMs(ms)} ±${formatPercent((100 * half) / ms, 0)}` : formatMs(ms);
}

function aloneHeadline(input: AnalysisInput, report: Report): string {
  const place = capital(placeHere(input));
  const waiting = waitingIn(report);
  if (isOpen(input.b)) {
    const { mean, ci95, p99, p99_ci95: half } = report.response_ms;
    // Of none that has ended there are no slowest.
    const tail = p99 === null ? "" : `, 1 % of them ${rough(p99, half)} or more`;
    return `${place}: a transaction takes ${rough(mean, ci95)}${tail}`;
  }
  const all = allHosts(hostsOf(input));
  const waits =
    waiting < 0.05
      ? "nobody waits"
      : `${formatFixed(waiting, 1)} sessions ${all === null ? "" : `of ${all} `}wait at any moment`;
  return `${place} at ${formatLio(report.throughput.lio_per_s.mean)}: ${waits}`;
}

/**
 * Of a sketch, under a hand, and where less is asked for: one form, whatever the number. Responses are left to what
 * stands, for those of short runs are of the transactions that ended early; but where the arrivals give the throughput
 * nothing else is left.
 */
function draftHeadline(input: AnalysisInput, names: Names, by: Differences, a: Report, b: Report): string {
  // Where nothing ends there is no response that could differ.
  const isResponseEqual = isEqual(by.response) || b.throughput.lio_per_s.mean === 0;
  if (isEqual(by.throughput) && isResponseEqual) return evenHeadline(input, by.throughput, a, b);
  const ofResponses = comparedBy(input, a, b) === "response";
  const [what, own, as] = ofResponses
    ? ["mean response", by.response, "long"] as const : ["throughput", by.throughput, "high"] as const;
  const [times, where] = [manyTimes(own), whereTold(input)];
  const change = times === null ? changeIn(what, own) + where : `${what} ${times} as ${as}${asWith(names, where)}`;
  return `${names.subject}: ${change}`;
}

function headlineOf(input: AnalysisInput, b: Report, a: Report | null): string {
  const isAlone = a === null || input.differs.length === 0;
  const first = evictionHeadline(input, a, b) ?? endedHeadline(input, a, b)
    ?? serviceHeadline(input, isAlone ? null : a, b);
  if (first !== null) return first;
  if (isAlone) return aloneHeadline(input, b);
  const names = namesOf(input);
  const where = whereTold(input);
  const differences = differencesAt(a, b, input.metric.id);
  const by = differences.throughput;
  if (isOfBAlone(a, b)) return eachHeadline(input, a, b);
  if (by.ci95 === null) return tooLittle(input, by);
  // A load of another kind neither costs nor adds.
  if (isDraft(input) || input.differs.some((key) => /^arrivals\b/.test(key)))
    return draftHeadline(input, names, differences, a, b);
  if (comparedBy(input, a, b) === "response")
    return responseHeadline(input, names, differences.response, a, b);
  if (!isCertain(by) && isOfHosts(input, a, b))
    return withClause(
      `No difference shown over ${allHosts(hostsOf(input)) ?? ""}${where}`,
      `: ${byHost(input, a, b)}`,
    );
  if (!isCertain(by)) return evenHeadline(input, by, a, b);
  if (asksOtherwise(input))
    return draftHeadline(input, names, differences, a, b);
  return by.mean > 0
    ? gainHeadline(names, where, by, a, b)
    : lossHeadline(input, names, where, by, a, b);
}

/** What the headline is about, in one line. */
function shortOf(input: AnalysisInput, b: Report, a: Report | null): readonly Span[] {
  const evicted = evictionHeadline(input, a, b);
  const first = evicted === null ? (endedShort(input, a, b) ?? serviceShort(input, a, b)) : [plain(evicted)];
  if (first !== null) return first;
  const basis = basisOf(input);
  const isAlone = a === null || basis === "alone" || isOfBAlone(a, b);
  const isOfResponses = isAlone ? isOpen(input.b) : basis === "response";
  const own = isOfResponses
    ? `mean response ${rough(b.response_ms.mean, b.response_ms.ci95)}` : formatLio(b.throughput.lio_per_s.mean);
  if (isAlone) return [strong(own), plain(` at ${placeHere(input)}`)];
  const { response, throughput } = differencesAt(a, b, input.metric.id);
  return spansOf(input, isOfResponses ? response : throughput, own);
}

/** Nothing to say before the first answer. */
export function findingOf(input: AnalysisInput): Finding {
  const { fullA, fullB } = input;
  if (fullB === null) return { headline: "", short: [], why: [] };
  const [a, b] = [fullA?.report ?? null, fullB.report];
  return { headline: headlineOf(input, b, a), short: shortOf(input, b, a), why: whyOf(input) };
}
