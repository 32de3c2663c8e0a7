/** What a headline and its reasons are about: one scenario, a server, throughput, responses; and the parts of these. */
import { memoBy } from "../../base/memo";
import type { Paired } from "../../base/statistics";
import type { Report } from "../../engine";
import { isOpen, type AnalysisInput } from "../read/input";
import { differencesAt, isCertain, isFromNothing } from "../sides/differences";
import { responseParts, throughputParts, type Part } from "../sides/ledger";
import { hasHosts, isAnyHostCertain } from "./hosts";
import { serviceHeadline } from "./service";

export type Basis = "alone" | "server" | "throughput" | "response";

/** A tail that changed by less is not worth a clause. */
const NOTABLE = 1.15;
/** A mean response that changed by less, where throughput did not, is not the finding [%]. */
const SMALLEST_RESPONSE = 5;

/** A quantile whose interval is wider is told in no sentence that compares, as a share of it. */
export const KNOWN = 0.15;

/** B's slowest 1 % over A's; null where they are alike, too little known to say, or there are none. */
export function tailRatio(a: Report, b: Report): number | null {
  const [before, now] = [a.response_ms.p99 ?? 0, b.response_ms.p99 ?? 0];
  const [halfA, halfB] = [a.response_ms.p99_ci95, b.response_ms.p99_ci95];
  if (!(before > 0) || !(now > 0) || halfA === null || halfB === null) return null;
  if (halfA > KNOWN * before || halfB > KNOWN * now || Math.abs(now - before) <= Math.hypot(halfA, halfB)) return null;
  return now > NOTABLE * before || now * NOTABLE < before ? now / before : null;
}

/** Whether B does something and A nothing: no percentage compares them, and each is told by its own. */
export const isOfBAlone = ({ throughput: a }: Report, { throughput: b }: Report): boolean =>
  isFromNothing(a.lio_per_s, b.lio_per_s);

/** Whether throughput is what arrives, on both sides. */
function isGiven(input: AnalysisInput, throughput: Paired): boolean {
  return areArrivalsOpen(input) && Math.abs(throughput.mean) < 1;
}

/** Whether what one of several hosts differs in is certain. */
export const isOfHosts = (input: AnalysisInput, a: Report, b: Report): boolean =>
  hasHosts(input) && isAnyHostCertain(input, a, b);

/** Whether responses have the word: throughput is given, or the same, and they are not. */
function isOfResponses(input: AnalysisInput, a: Report, b: Report): boolean {
  const { throughput, response } = differencesAt(a, b);
  if (throughput.ci95 === null) return false;
  if (isGiven(input, throughput)) return true;
  if (isCertain(throughput) || isOfHosts(input, a, b)) return false;
  return (isCertain(response) && Math.abs(response.mean) >= SMALLEST_RESPONSE) || tailRatio(a, b) !== null;
}

export const isLongerOrShorter = (response: Paired): boolean =>
  isCertain(response) && Math.abs(response.mean) >= SMALLEST_RESPONSE;

/** A share of an instance that changes by less makes no other mix. */
const SAME_MIX = 0.01;

/** Whether a mean over all transactions is of another mix of the instances', as others are asked for. */
export function isOtherMix({ differs }: AnalysisInput, a: Report, b: Report): boolean {
  const share = (report: Report, i: number): number =>
    (report.instances[i]?.transactions_per_s.mean ?? 0) / report.throughput.transactions_per_s.mean;
  return differs.some((key) => /^(arrivals|sessions)/.test(key))
    && b.instances.some((_, i) => Math.abs(share(b, i) - share(a, i)) > SAME_MIX);
}

/** Of a sketch, and under a hand, what the arrivals leave to be compared, whatever its figures are. */
export const isDraft = ({ isInHand, isCoarse }: AnalysisInput): boolean => isInHand || isCoarse;

const areArrivalsOpen = ({ a, b }: AnalysisInput): boolean => isOpen(a) && isOpen(b);

/** What of the sessions is compared, in the headline and wherever else. */
export const comparedBy = (input: AnalysisInput, a: Report, b: Report): "throughput" | "response" =>
  (isDraft(input) ? areArrivalsOpen(input) : isOfResponses(input, a, b)) ? "response" : "throughput";

export function basisOf(input: AnalysisInput): Basis {
  const { fullA, fullB } = input;
  if (fullB !== null && serviceHeadline(input, fullA?.report ?? null, fullB.report) !== null) return "server";
  if (fullA === null || fullB === null || input.differs.length === 0) return "alone";
  return comparedBy(input, fullA.report, fullB.report);
}

/** What is to be explained [% of A's]. */
export function differenceOf(input: AnalysisInput): Paired | null {
  const { fullA, fullB } = input;
  if (fullA === null || fullB === null) return null;
  const by = differencesAt(fullA.report, fullB.report, input.metric.id);
  return basisOf(input) === "response" ? by.response : by.throughput;
}

/** The parts that sum to it. */
export const partsOf = memoBy((input: AnalysisInput): readonly Part[] => {
  const { fullA, fullB } = input;
  if (fullA === null || fullB === null || input.differs.length === 0) return [];
  return basisOf(input) === "response"
    ? responseParts(fullA.report, fullB.report)
    : throughputParts(fullA.report, fullB.report);
});
