/** What every cause has words for, and the sentences of those that need none of their own. */
import type { Report } from "../../../engine";
import { formatFixed, formatMs, formatPercent } from "../../../units";
import type { AnalysisInput } from "../../read/input";
import { capacityOf, takenBy, type Cause } from "../../read/ledger";
import { namesOf, type Names } from "../../read/names";
import { nounIn } from "../../read/sharing";
import type { Part, PartCause } from "../../sides/ledger";
import { plain, strong, strongB } from "../spans";
import type { Sentence } from "../types";

/** A part of a difference and what it is told from; of one scenario alone A is null and the part is B's own. */
export interface Told {
  readonly input: AnalysisInput;
  readonly a: Report | null;
  readonly b: Report;
  readonly part: Part;
}

export interface Words {
  readonly cause: PartCause | "wait";
  /** A noun without a plural: "switching". */
  readonly noun: (told: Told) => string;
  /** Where "less switching" and "more switching" would not do; null: they do here. */
  readonly change?: (told: Told) => string | null;
  /** How it comes about, in figures, the longest first; else what it takes of the capacity. */
  readonly sentences?: (told: Told) => readonly Sentence[];
  /** What is said beside what it takes, where there is room. */
  readonly more?: (told: Told) => Sentence;
  /** The cause that it comes before, however small it is itself: to take that away would change nothing. */
  readonly before?: (told: Told) => PartCause | null;
  /** As the cause of a loss. */
  readonly headline?: (told: Told) => string | null;
}

/** What the ledger's own name says. */
export const ownNoun = ({ input, part }: Told): string => nounIn(part.cause as Cause, input.a, input.b);

/** " on host 2", where there are several. */
export const onHost = ({ part }: Told): string => (part.node === null ? "" : ` on host ${part.node}`);

/** Of its host, or of all. */
export const hostSum = ({ part }: Told, { nodes }: Report, read: (row: Report["nodes"][number]) => number): number =>
  nodes.reduce((sum, row, i) => sum + (part.node === null || i + 1 === part.node ? read(row) : 0), 0);

export const threadsIn = (told: Told, report: Report): number => hostSum(told, report, ({ threads }) => threads);

/** "3.0", and where it rounds to nought "none". */
export function threadCount(threads: number): string {
  const text = formatFixed(threads, 1);
  return text === "0.0" ? "none" : text;
}

/** Of which there was next to none before. */
const isNew = ({ before, now }: Part): boolean => before < 0.05 * now;

/** "less switching", "more switching", and "switching" where there was none before. */
export function changeOf(words: Words, told: Told): string {
  const own = words.change?.(told) ?? null;
  if (own !== null) return own + onHost(told);
  const { part } = told;
  const how = isNew(part) ? "" : part.now > part.before ? "more " : "less ";
  return how + words.noun(told) + onHost(told);
}

export const namesIn = ({ input }: Told): Names => namesOf(input);

/** Share of the capacity of its host that a cause takes [%]. */
export function percentIn(report: Report, { part }: Told): number {
  return (100 * takenBy(report, part.cause as Cause, part.node)) / Math.max(1e-9, capacityOf(report, part.node));
}

export const capacityOfPart = ({ node }: Part): string =>
  node === null ? "the capacity" : `host ${node}’s capacity`;

/** What each side says, or this scenario alone; nothing where both say the same. */
export function bySides(
  told: Told, start: string, say: (report: Report) => string, again = say,
): Sentence {
  const { a, b } = told;
  if (a === null) return [plain(start), strongB(say(b)), plain(". ")];
  if (say(a) === say(b)) return [];
  const names = namesIn(told);
  return [
    plain(start), strong(say(a)), plain(` with ${names.a}, `), strongB(again(b)), plain(` with ${names.b}. `),
  ];
}

/** A figure of B as the cause of a loss, and A's if that has some; null where, as it is told, B has no more of it. */
export function moreThanA(
  { a, b }: Told, of: (report: Report) => number, say: (value: number) => string, tell: (now: string) => string,
): string | null {
  const [was, is] = [a === null ? 0 : of(a), of(b)];
  const [before, now] = [say(was), say(is)];
  if (was > is || before === now) return null;
  return tell(now) + (before === say(0) ? "" : `, ${before.replace(/ sessions?/, "")} in A`);
}

/** What it takes of the capacity, on both sides; of one scenario its shares say that. */
export function takes(words: Words, told: Told): Sentence {
  const { a, b, part } = told;
  if (a === null) return [];
  const of = (report: Report): string => {
    const percent = percentIn(report, told);
    if (percent >= 0.05) return formatPercent(percent);
    return percent > 0 ? "next to none" : "none";
  };
  // Of another capacity more may be a smaller share.
  if (percentIn(b, told) > percentIn(a, told) !== part.now > part.before) return [];
  return bySides(told, `Of ${capacityOfPart(part)}, ${words.noun(told)} takes `, of);
}

/** Where a transaction's time goes. */
export function ofResponse(words: Words, told: Told): Sentence {
  const { a, b, part } = told;
  if (a === null) return [];
  const names = namesIn(told);
  const whole = (report: Report): string => formatMs(report.response_ms.mean);
  // Both are estimates: the part may come out longer.
  const own = ({ response_ms: { mean } }: Report, ms: number): string =>
    ms < 0.0005 * mean ? "none" : formatMs(Math.min(ms, mean));
  return [
    plain(`Of a transaction’s ${whole(a)} with ${names.a}, `), strong(own(a, part.before)),
    plain(` is ${words.noun(told)}; of ${whole(b)} with ${names.b}, `), strongB(own(b, part.now)), plain(". "),
  ];
}
