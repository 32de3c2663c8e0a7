/** Why: one to three sentences whose every number stands in the reports. They go when their numbers go. */
import type { Report } from "../engine";
import { formatFixed, formatMs, formatPercent, formatShort } from "../units";
import { accountOf, type Account } from "./accounts";
import { isCaged, isOpen, numberOf, type AnalysisInput, type Values } from "./input";
import type { Span } from "./types";
import { capital, countWord, lengthOf, namesOf, placeOf, plain, schedulerName, strong, strongB, type Names } from "./words";

const MOST_CHARACTERS = 260;
/** Losses below this share of the threads explain nothing. */
const SMALLEST_PERCENT = 0.3;

type Side = "A" | "B";
type Sentence = readonly Span[];

interface SideAccount {
  readonly side: Side;
  readonly values: Values;
  readonly account: Account;
  /** Subject of the side's sentence. */
  readonly who: string;
}

function bold(side: Side, text: string): Span {
  return side === "A" ? strong(text) : strongB(text);
}

function aboutSessions(count: number): string {
  return count >= 10 ? `some ${formatFixed(count, 0)} sessions` : `${formatFixed(count, 1)} sessions`;
}

function crowd(a: Account, b: Account, place: string, names: Names): Sentence {
  const threads = `${countWord(b.threads)} threads`;
  if (a.waiting < 0.05 && b.waiting < 0.05) return [plain(`${capital(place)} on ${threads}: next to nobody waits. `)];
  const isAlike = Math.abs(a.waiting - b.waiting) <= Math.max(0.15, 0.1 * Math.max(a.waiting, b.waiting));
  if (isAlike) return [plain(`Either way ${aboutSessions((a.waiting + b.waiting) / 2)} wait for ${threads}. `)];
  return [plain(`With ${names.a} ${formatFixed(a.waiting, 1)} sessions wait, with ${names.b} ${formatFixed(b.waiting, 1)}. `)];
}

/** Changing between sessions costs CPU. */
function switching({ side, account, who }: SideAccount): Sentence | null {
  if (account.switchPercent < SMALLEST_PERCENT) return null;
  const each = formatMs(account.switchMs);
  return [
    plain(`${who} changes session every ${formatMs(account.sliceMs)}, and each change costs ${each}: `),
    bold(side, `${formatPercent(account.switchPercent)} lost`),
    plain(". "),
  ];
}

/** A slot that was given up stands empty until the next tick; a small cage leaves threads of the host alone. */
function caging({ side, values, account, who }: SideAccount): Sentence | null {
  if (account.slots === null) return null;
  const idle = account.threads - account.busyThreads;
  if (account.slots < account.threads && account.waiting > 0.5 && idle > 0.05 * account.threads) {
    return [
      plain(`${who} lets ${formatShort(account.slots)} run at once: `),
      bold(side, `${formatFixed(idle, 1)} of ${formatShort(account.threads)} threads idle`),
      plain(". "),
    ];
  }
  if (account.emptyPercent < SMALLEST_PERCENT) return null;
  const tickMs = numberOf(values, "rm_tick_ms", 0);
  const until = tickMs > 0 ? ` until the next ${formatMs(tickMs)} tick` : "";
  return [
    plain(`${who} changes every ${formatMs(account.sliceMs)}, then leaves the slot empty${until}: `),
    bold(side, `${formatPercent(account.emptyPercent)} of slot time lost`),
    plain(". "),
  ];
}

function spinning({ side, account, who }: SideAccount): Sentence | null {
  if (account.spinPercent < SMALLEST_PERCENT) return null;
  return [plain(`${who} spins for latches: `), bold(side, `${formatPercent(account.spinPercent)} lost`), plain(". ")];
}

/** The losses of one side, the largest first. */
function lossesOf(side: SideAccount): Sentence[] {
  const { account } = side;
  const found: { size: number; sentence: Sentence | null }[] = [
    { size: account.switchPercent, sentence: switching(side) },
    { size: Math.max(account.emptyPercent, account.slots !== null && account.slots < account.threads ? 50 : 0), sentence: caging(side) },
    { size: account.spinPercent, sentence: spinning(side) },
  ];
  return found.toSorted((a, b) => b.size - a.size).flatMap(({ sentence }) => (sentence === null ? [] : [sentence]));
}

/** Where nothing is lost, what there was to do and how long it stood in line. */
function ledger(report: Report, side: Side, values: Values): Sentence {
  const { busyThreads, usefulThreads, threads, runQueue } = accountOf(report);
  const perS = report.throughput.transactions_per_s.mean;
  const name = side === "A" ? "A" : "B";
  if (isOpen(values) && perS > 0) {
    const lineMs = (1000 * runQueue) / perS;
    return [
      plain(`In ${name} a transaction takes ${formatMs(report.response_ms.mean)}, `),
      bold(side, `${formatMs(lineMs)} of it in the run queue`),
      plain(". "),
    ];
  }
  return [
    plain(`${name} has ${formatFixed(busyThreads, 2)} of ${formatShort(threads)} threads busy, `),
    bold(side, `${formatFixed(usefulThreads, 2)} with useful work`),
    plain(". "),
  ];
}

/** Sentences in order of worth, as many as fit. */
function fitted(sentences: readonly Sentence[], worth: readonly number[]): Span[] {
  const ranked = sentences.map((sentence, i) => ({ sentence, i, worth: worth[i] ?? 0 })).toSorted((a, b) => b.worth - a.worth);
  const kept: typeof ranked = [];
  let length = 0;
  for (const one of ranked) {
    if (length + lengthOf(one.sentence) - 1 > MOST_CHARACTERS) continue;
    kept.push(one);
    length += lengthOf(one.sentence);
  }
  const spans = kept.toSorted((a, b) => a.i - b.i).flatMap(({ sentence }) => sentence);
  const last = spans.at(-1);
  return last === undefined ? [] : [...spans.slice(0, -1), { ...last, text: last.text.trimEnd() }];
}

function subjects(input: AnalysisInput): readonly [string, string] {
  const [cagedA, cagedB] = [isCaged(input.a), isCaged(input.b)];
  const who = (values: Values, caged: boolean): string => (caged ? "The cage" : capital(schedulerName(values)));
  if (cagedA !== cagedB) return [who(input.a, cagedA), who(input.b, cagedB)];
  const names = namesOf(input);
  return [`A (${names.a})`, `B (${names.b})`];
}

/** One scenario alone: what it loses, or what it does. */
function whyAlone(input: AnalysisInput, report: Report): Span[] {
  const own = accountOf(report);
  const who = isCaged(input.b) ? "The cage" : capital(schedulerName(input.b));
  const waits = own.waiting < 0.05 ? "next to nobody waits" : `${aboutSessions(own.waiting)} wait`;
  const start: Sentence = [plain(`${capital(placeOf(input.xKnob, input.x))} on ${countWord(own.threads)} threads: ${waits}. `)];
  const losses = lossesOf({ side: "B", values: input.b, account: own, who });
  const rest = losses.length > 0 ? losses : [ledger(report, "B", input.b)];
  return fitted([start, ...rest], [2, ...rest.map((_, i) => 3 - i)]);
}

export function whyOf(input: AnalysisInput): Span[] {
  const { fullA, fullB } = input;
  if (fullB === null) return [];
  if (fullA === null || input.differs.length === 0) return whyAlone(input, fullB.report);
  const [whoA, whoB] = subjects(input);
  const a = { side: "A" as const, values: input.a, account: accountOf(fullA.report), who: whoA };
  const b = { side: "B" as const, values: input.b, account: accountOf(fullB.report), who: whoB };
  const [lossesA, lossesB] = [lossesOf(a), lossesOf(b)];
  const isAnyLost = lossesA.length + lossesB.length > 0;
  const start = crowd(a.account, b.account, placeOf(input.xKnob, input.x), namesOf(input));
  const restA = isAnyLost ? lossesA : [ledger(fullA.report, "A", input.a)];
  const restB = isAnyLost ? lossesB : [ledger(fullB.report, "B", input.b)];
  const worth = [isAnyLost ? 2 : 0, ...restA.map((_, i) => 3 - 2 * i), ...restB.map((_, i) => 3 - 2 * i)];
  return fitted([start, ...restA, ...restB], worth);
}
