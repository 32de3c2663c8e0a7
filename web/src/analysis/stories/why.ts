/** Why: a sum of causes, then how the first of them come about. Every number stands in the reports. */
import type { FullAnswer, Report } from "../../engine";
import { formatPercent, formatSignedPercent } from "../../units";
import { threadsPerCore } from "../read/cpu";
import { capital, listed, namesOf, placeHere, threadWords } from "../read/names";
import { isUnderWay, type AnalysisInput } from "../read/input";
import { capacityOf, hostLedgers, takenBy, type Cause } from "../read/ledger";
import { isCertain, relativeDifference } from "../sides/differences";
import type { Part } from "../sides/ledger";
import { accountingWhy } from "./accounting";
import { blocksSentence } from "./blocks";
import { basisOf, differenceOf, partsOf } from "./basis";
import { wordsFor } from "./causes";
import { changeOf, ofResponse, takes, type Told, type Words } from "./causes/words";
import { crowdOf, waitersOf } from "./crowd";
import { endedWhy } from "./ended";
import { crowdOfHosts, hasHosts } from "./hosts";
import { fitted, notable, ranked, sumSentence } from "./rank";
import { serviceWhy } from "./service";
import { plain, strongB } from "./spans";
import type { Claim, Sentence, Span, Story } from "./types";

/** Of one scenario, a cause below so much of the capacity is left to the rest [%]. */
const SMALLEST_SHARE = 1;

/** What makes responses longer and is no time that a transaction spends. */
const NO_TIME: ReadonlySet<Part["cause"]> = new Set(["unfinished", "speed"]);

/** Before another in order, and by nothing that could be seen. */
const JUST_MORE = 1 + 1e-9;

/** A part that the starts do not show is told where it is this much of the largest that they do. */
const LARGE = 0.5;

/** Of the many parts of single hosts some would be certain at 95 % by chance: they are from twice the interval on. */
const isCertainly = ({ node, points, ci95 }: Part): boolean =>
  ci95 === null || Math.abs(points) > (node === null ? ci95 : 2 * ci95);

/** Nothing of a part that the starts do not show, unless the sum would be a riddle without it. */
function isShown(part: Part, all: readonly Part[]): boolean {
  const most = Math.max(0, ...all.filter(isCertainly).map(({ points }) => Math.abs(points)));
  return isCertainly(part) || (most > 0 && Math.abs(part.points) > LARGE * most);
}

/** Its points; where it comes before another cause, no less than that one's. */
function worthOf(words: Words, told: Told, all: readonly Part[]): number {
  const cause = words.before?.(told) ?? null;
  const other = all.find((one) => one.cause === cause && one.node === told.part.node && isSameWay(one, told.part));
  return Math.max(Math.abs(told.part.points), JUST_MORE * Math.abs(other?.points ?? 0));
}

const isSameWay = (one: Part, other: Part): boolean => one.points * other.points > 0;

/** The story of one cause of a difference. */
export const causeStory = (cause: Part["cause"], node: number | null): Story => (input) => {
  const part = partsOf(input).find((one) => one.cause === cause && one.node === node);
  const words = wordsFor(cause);
  const { fullA, fullB } = input;
  if (part === undefined || words === null || fullA === null || fullB === null) return null;
  if (!isShown(part, partsOf(input))) return null;
  const told: Told = { input, a: fullA.report, b: fullB.report, part };
  const isResponse = basisOf(input) === "response";
  const own = isResponse && !NO_TIME.has(cause) ? [ofResponse(words, told)] : words.sentences?.(told);
  const short = own ?? [takes(words, told)];
  const more = words.more?.(told) ?? [];
  return {
    worth: worthOf(words, told, partsOf(input)), share: { words: changeOf(words, told), points: part.points },
    headline: isResponse ? null : (words.headline?.(told) ?? null),
    sentences: [...(more.length === 0 ? [] : short.map((one) => [...one, ...more])), ...short]
      .filter((sentence) => sentence.length > 0),
  };
};

/** Whether it is not known which way the difference goes. */
function isOpenStill(input: AnalysisInput): boolean {
  const by = differenceOf(input);
  return by !== null && !isCertain(by);
}

/**
 * What can be said of a difference, cause by cause, the first first. One that is not shown has no causes, unless they
 * go both ways, or are of one of several hosts.
 */
export function causesOf(input: AnalysisInput): readonly Claim[] {
  const isOpen = isOpenStill(input);
  if (isOpen && isUnderWay(input)) return [];
  const claims = partsOf(input).flatMap(({ cause, node }) => causeStory(cause, node)(input) ?? []);
  const causes = notable(ranked(claims, differenceOf(input)?.mean ?? 0));
  const ways = new Set(causes.map(({ share }) => share.points > 0));
  return isOpen && !hasHosts(input) && ways.size < 2 ? [] : causes;
}

/** What takes of the capacity, of one scenario. */
function lossesOf(input: AnalysisInput, report: Report): readonly Claim[] {
  const causes = [...new Set(hostLedgers(report).flatMap(({ taken }) => taken.map(({ cause }) => cause)))];
  const whole = Math.max(1e-9, capacityOf(report));
  const parts = causes.map((cause: Cause): Part => {
    const now = takenBy(report, cause);
    const points = (100 * now) / whole;
    return { cause, node: null, points, ci95: null, before: 0, now, eased: 1, isOfUnlike: false };
  });
  return parts.flatMap((part): Claim[] => {
    const { cause, points } = part;
    const words = wordsFor(cause);
    if (words === null || points < SMALLEST_SHARE) return [];
    const told: Told = { input, a: null, b: report, part };
    return [{ worth: worthOf(words, told, parts), share: { words: words.noun(told), points }, headline: null,
      sentences: words.sentences?.(told) ?? [] }];
  }).toSorted((one, other) => other.worth - one.worth);
}

/** Of the capacity: work, the largest losses, and the rest; together all of it. */
function sharesSentence(report: Report, losses: readonly Claim[], threads: number, start: string): Sentence {
  const work = hostLedgers(report).reduce((sum, host) => sum + host.work.mean, 0);
  const whole = capacityOf(report);
  if (!(whole > 0)) return [];
  const items = [
    ...(work > 0 ? [{ words: "sessions’ work", points: (100 * work) / whole }] : []),
    ...losses.slice(0, 3).flatMap(({ share }) => share ?? []),
  ];
  const rest = 100 - items.reduce((sum, { points }) => sum + points, 0);
  const all = rest < 0.05 ? items : [...items, { words: "the rest", points: rest }];
  const of = `${threadWords(threads)}’${threads === 1 ? "s" : ""}`;
  return [
    plain(`${start === "" ? "Of" : `${start} of`} ${of} capacity, `),
    ...all.flatMap(({ words, points }, i): Sentence => [
      plain(`${words} ${i === 0 ? "is " : ""}`), strongB(formatPercent(points)),
      plain(i === all.length - 1 ? ". " : ", "),
    ]),
  ];
}

const threadsOf = (report: Report): number => report.nodes.reduce((sum, { threads }) => sum + threads, 0);

const placeOn = (input: AnalysisInput, report: Report): string =>
  `${capital(placeHere(input))} on ${threadWords(threadsOf(report))}`;

/** One scenario alone: who waits, and where the capacity goes. */
function whyAlone(input: AnalysisInput, full: FullAnswer): readonly Span[] {
  const { report } = full;
  const losses = lossesOf(input, report);
  const start: Sentence = hasHosts(input)
    ? crowdOfHosts(input, null, report)
    : [plain(`${placeOn(input, report)}: ${waitersOf(report)}. `)];
  const counted = accountingWhy(input, report);
  const shares = sharesSentence(report, losses, threadsOf(report), "");
  const blocks = blocksSentence(input, null, report);
  return fitted([[start], ...(blocks === null ? [] : [[blocks]]), [shares], ...(counted === null ? [] : [[counted]]),
    ...losses.map(({ sentences }) => sentences)]);
}

/** Instances of which one gains and another loses more for certain are the first thing to tell [%]. */
const APART = 1;

/**
 * A gain of each instance on its own, of those that did something in A, where the intervals of two of them have nothing
 * in common: before everything else where one gains what another loses, for their sum says nothing of that, else after
 * the causes.
 */
function instancesWhy(input: AnalysisInput, a: Report, b: Report): readonly (readonly Sentence[])[] {
  if (hasHosts(input) || b.instances.length < 2 || a.instances.length !== b.instances.length) return [];
  const gains = b.instances.flatMap(({ transactions_per_s: is }, i) => {
    const was = a.instances[i]?.transactions_per_s ?? is;
    return was.mean === 0 ? [] : [{ name: `${i + 1}`, ...relativeDifference(was, is) }];
  });
  const most = Math.max(...gains.map(({ mean, ci95 }) => mean - (ci95 ?? Infinity)));
  const least = Math.min(...gains.map(({ mean, ci95 }) => mean + (ci95 ?? Infinity)));
  if (most <= least) return [];
  const texts = gains.map(({ mean }) => formatSignedPercent(mean, Math.abs(mean) < 9.95 ? 1 : 0));
  if (new Set(texts).size < 2) return [];
  const areAll = gains.length === b.instances.length;
  const who = areAll ? "the instances" : `instances ${listed(gains.map(({ name }) => name))}`;
  const told = [[plain(`Transactions of ${who}: `), strongB(texts.join(" and ")), plain(". ")]];
  return Math.min(most, -least) > APART ? [told] : [[], told];
}

/** Of equal responses, what takes most of them beside the work; null where responses are not the matter. */
function responseWhy(input: AnalysisInput, a: Report, b: Report): Sentence | null {
  if (basisOf(input) !== "response") return null;
  const [part] = partsOf(input)
    .filter(({ cause }) => cause !== "work" && !NO_TIME.has(cause) && wordsFor(cause) !== null)
    .toSorted((one, other) => other.now - one.now);
  const words = part === undefined ? null : wordsFor(part.cause);
  if (part === undefined || words === null) return null;
  if (Math.max(part.before / a.response_ms.mean, part.now / b.response_ms.mean) < 0.005)
    return [plain("Transactions take next to nothing but their work. ")];
  return ofResponse(words, { input, a, b, part });
}

/** A and B: the sum of causes, how they come about, and who waits. */
function whyCompared(input: AnalysisInput, a: FullAnswer, b: FullAnswer): readonly Span[] {
  const causes = causesOf(input);
  const [was, is] = [a.report, b.report];
  const crowd = hasHosts(input) ? crowdOfHosts(input, was, is) : crowdOf(input, was, is);
  const counted = accountingWhy(input, is);
  const sum = sumSentence(causes, differenceOf(input)?.mean ?? 0);
  const losses = lossesOf(input, is);
  const shares = sharesSentence(is, losses, threadsOf(is), `With ${namesOf(input).b},`);
  const lead = sum.length > 0 ? sum : (responseWhy(input, was, is) ?? shares);
  const isAboutCounting = counted !== null && (threadsPerCore(input.b) > 2 || causes.length === 0);
  const blocks = isUnderWay(input) && isOpenStill(input) ? null : blocksSentence(input, was, is);
  const [apart = [], along = []] = instancesWhy(input, was, is);
  return fitted([
    apart, ...(blocks === null ? [] : [[blocks]]), [lead], ...causes.slice(0, 2).map(({ sentences }) => sentences),
    ...(isAboutCounting ? [[counted]] : []), along, [crowd],
    ...causes.slice(2).map(({ sentences }) => sentences),
  ]);
}

export function whyOf(input: AnalysisInput): readonly Span[] {
  const { fullA, fullB } = input;
  if (fullB === null) return [];
  const ended = endedWhy(input, fullA?.report ?? null, fullB.report);
  if (ended !== null) return fitted(ended.map((sentence) => [sentence]));
  const basis = basisOf(input);
  if (basis === "server") return fitted(serviceWhy(input).map((sentence) => [sentence]));
  return basis === "alone" || fullA === null ? whyAlone(input, fullB) : whyCompared(input, fullA, fullB);
}
