/** Why: one to three sentences whose every number stands in the reports. They go when their numbers go. */
import type { Report } from "../../engine";
import { formatBigCount, formatFixed, formatMs, formatPercent, formatShort, formatSignedPercent } from "../../units";
import { accountOf, type Account } from "../read/accounts";
import { cpuOf } from "../read/cpu";
import { isCaged, isOpen, numberOf, type AnalysisInput, type Values } from "../read/input";
import { metricIn } from "../read/metrics";
import { capital, countWord, namesOf, placeHere, schedulerName, type Names } from "../read/names";
import { relativeDifference } from "../sides/differences";
import { accountingWhy } from "./accounting";
import { hasHosts, whyOfHosts } from "./hosts";
import { serviceWhy } from "./service";
import { lengthOf, plain, strong, strongB } from "./spans";
import type { Span } from "./types";

const MOST_CHARACTERS = 260;
/** Losses below this share of the threads explain nothing. */
const SMALLEST_PERCENT = 0.3;
/** A side is not called worse for less than this. */
const SMALLEST_EXCESS = 0.05;

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
  return [
    plain(
      `With ${names.a} ${waitWords(a.waiting)}, with ${names.b} `
        + `${b.waiting < 0.05 ? "none does" : formatFixed(b.waiting, 1)}. `,
    ),
  ];
}

function waitWords(waiting: number): string {
  return waiting < 0.05 ? "no session waits" : `${formatFixed(waiting, 1)} sessions wait`;
}

type Loss = "switching" | "caging" | "spinning";
const LOSSES: readonly Loss[] = ["switching", "caging", "spinning"];

/** How much of the threads, or of the slots, a side loses so, in percent. */
function lossPercent(account: Account, loss: Loss): number {
  if (loss === "switching") return account.switchPercent;
  if (loss === "spinning") return account.spinPercent;
  return isNarrow(account) ? (100 * (account.threads - account.busyThreads)) / account.threads : account.emptyPercent;
}

/** A small cage leaves threads of the host alone while sessions wait. */
function isNarrow(account: Account): boolean {
  const idle = account.threads - account.busyThreads;
  return (
    account.slots !== null && account.slots < account.threads && account.waiting > 0.5 && idle > 0.05 * account.threads
  );
}

/** Changing between sessions costs CPU. */
function switching({ side, account, who }: SideAccount): Sentence {
  const each = formatMs(account.switchMs);
  return [
    plain(`${who} changes session every ${formatMs(account.sliceMs)}, and each change costs ${each}: `),
    bold(side, `${formatPercent(account.switchPercent)} lost`),
    plain(". "),
  ];
}

/** A slot that was given up stands empty until the next tick. */
function caging({ side, values, account, who }: SideAccount): Sentence {
  if (isNarrow(account)) {
    const idle = `${formatFixed(account.threads - account.busyThreads, 1)} of ${formatShort(account.threads)} threads `
      + `idle`;
    return [plain(`${who} lets ${formatShort(account.slots ?? 0)} run at once: `), bold(side, idle), plain(". ")];
  }
  const tickMs = numberOf(values, "rm_tick_ms", 0);
  const until = tickMs > 0 ? ` until the next ${formatMs(tickMs)} tick` : "";
  return [
    plain(`${who} changes every ${formatMs(account.sliceMs)}, then leaves the slot empty${until}: `),
    bold(side, `${formatPercent(account.emptyPercent)} of slot time lost`),
    plain(". "),
  ];
}

function spinning({ side, account, who }: SideAccount): Sentence {
  return [plain(`${who} spins for latches: `), bold(side, `${formatPercent(account.spinPercent)} lost`), plain(". ")];
}

const sentences: Readonly<Record<Loss, (side: SideAccount) => Sentence>> = { switching, caging, spinning };

function excess(own: Account, other: Account, loss: Loss): number {
  return lossPercent(own, loss) - lossPercent(other, loss);
}

/** The loss by which one side is worse than the other; null where it is nowhere worse. */
function tellingLoss(own: Account, other: Account): Loss | null {
  const felt = LOSSES.filter(
    (loss) => lossPercent(own, loss) >= SMALLEST_PERCENT && excess(own, other, loss) > SMALLEST_EXCESS,
  );
  return felt.toSorted((one, another) => excess(own, other, another) - excess(own, other, one))[0] ?? null;
}

/** What to tell of a side: its own worst, unless the other's worst is far larger and is a loss of this side, too. */
function lossToTell(own: Account, other: Account): Loss | null {
  const [mine, theirs] = [tellingLoss(own, other), tellingLoss(other, own)];
  if (mine === null || theirs === null) return mine ?? theirs;
  const isDwarfed =
    excess(other, own, theirs) > 10 * excess(own, other, mine) && lossPercent(own, theirs) >= SMALLEST_PERCENT;
  return isDwarfed ? theirs : mine;
}

/** One side alone: its losses, the largest first. */
function lossesOf(side: SideAccount): Sentence[] {
  return LOSSES.filter((loss) => lossPercent(side.account, loss) >= SMALLEST_PERCENT)
    .toSorted((one, another) => lossPercent(side.account, another) - lossPercent(side.account, one))
    .map((loss) => sentences[loss](side));
}

/** Each side by the loss that sets it apart; a side with none is told by what the other is worse at. */
function apart(a: SideAccount, b: SideAccount): readonly [Sentence, Sentence] | null {
  const [forA, forB] = [lossToTell(a.account, b.account), lossToTell(b.account, a.account)];
  if (forA === null || forB === null) return null;
  const tell = (loss: Loss, side: SideAccount): Sentence =>
    lossPercent(side.account, loss) > 0.02 ? sentences[loss](side) : unhurt(loss, side);
  return [tell(forA, a), tell(forB, b)];
}

function unhurt(loss: Loss, { who }: SideAccount): Sentence {
  const what = { switching: "next to nothing to switching", caging: "no slot time", spinning: "nothing to spinning" }[
    loss
  ];
  return [plain(`${who} loses ${what}. `)];
}

/** Where nothing is lost, what there was to do and how long it stood in line. */
function ledger(report: Report, side: Side, values: Values, name: string): Sentence {
  const { busyThreads, usefulThreads, threads, runQueue } = accountOf(report);
  const perS = report.throughput.transactions_per_s.mean;
  if (isOpen(values) && perS > 0) {
    const lineMs = (1000 * runQueue) / perS;
    const inLine = lineMs < 0.005 * report.response_ms.mean ? "none" : formatMs(lineMs);
    return [
      plain(`With ${name} a transaction takes ${formatMs(report.response_ms.mean)}, `),
      bold(side, `${inLine} of it in the run queue`), plain(". "),
    ];
  }
  const busy = `${formatFixed(busyThreads, 2)} of ${formatShort(threads)} threads are busy`;
  return [
    plain(`With ${name} ${busy}, `), bold(side, `${formatFixed(usefulThreads, 2)} with useful work`), plain(". "),
  ];
}

/** Sentences in order of worth, as many as fit. */
function fitted(sentences: readonly Sentence[], worth: readonly number[]): Span[] {
  const ranked = sentences
    .map((sentence, i) => ({ sentence, i, worth: worth[i] ?? 0 }))
    .toSorted((a, b) => b.worth - a.worth);
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
  const server = serviceWhy(input);
  if (server.length > 0) return fitted(server, server.map((_, i) => -i));
  const start: Sentence = [plain(`${capital(placeHere(input))} on ${countWord(own.threads)} threads: ${waits}. `)];
  const losses = lossesOf({ side: "B", values: input.b, account: own, who });
  const counted = accountingWhy(input, report);
  const rest = losses.length > 0 ? losses : [counted ?? ledger(report, "B", input.b, "this load")];
  return fitted([start, ...rest], [2, ...rest.map((_, i) => 3 - 2 * i)]);
}

/** A gain of each instance on its own. */
function instanceGains(a: Report, b: Report): string | null {
  if (b.instances.length < 2 || a.instances.length !== b.instances.length) return null;
  const gains = b.instances.map((row, i) =>
    relativeDifference(a.instances[i]?.transactions_per_s ?? row.transactions_per_s, row.transactions_per_s),
  );
  return gains.map(({ mean }) => formatSignedPercent(mean, Math.abs(mean) < 9.95 ? 1 : 0)).join(" and ");
}

/** Where sessions change socket more often on one side, that is what affinity is about. */
function socketWhy(input: AnalysisInput, a: Report, b: Report): Sentence[] {
  const [before, now] = [a, b].map((report) => metricIn(report, "socket_migrations_per_s")?.mean ?? 0);
  if (
    before === undefined
    || now === undefined
    || Math.max(before, now) < 1
    || Math.abs(before - now) < 0.2 * Math.max(before, now)
  )
    return [];
  const names = namesOf(input);
  const gains = instanceGains(a, b);
  const rate = (value: number): string => (value < 0.5 ? "hardly ever" : `${formatBigCount(value)} times a second`);
  return [
    [
      plain(`Sessions change socket ${rate(before)} with ${names.a}, `), strongB(rate(now)),
      plain(` with ${names.b}. `),
    ],
    ...(gains === null ? [] : [[plain("Transactions of the instances: "), strongB(gains), plain(". ")]]),
  ];
}

/** Sharing blocks between cores, where that is what sets the sides apart. */
function sharingWhy(input: AnalysisInput, b: Report): Sentence[] {
  const kappa = numberOf(input.b, "core_coherence", 0);
  const cores = Math.round(cpuOf(b).purr);
  if (!input.differs.includes("core_coherence") || kappa === 0 || cores < 2) return [];
  return [
    [
      plain(
        `Blocks shared by ${countWord(cores)} cores make a read ${formatPercent((100 * kappa * (cores - 1)) / cores)} `
          + `longer. `,
      ),
    ],
  ];
}

export function whyOf(input: AnalysisInput): Span[] {
  const { fullA, fullB } = input;
  if (fullB === null) return [];
  if (fullA === null || input.differs.length === 0) {
    const isOfHosts = hasHosts(input) && serviceWhy(input).length === 0;
    return isOfHosts ? [...whyOfHosts(input, null, fullB)] : whyAlone(input, fullB.report);
  }
  const server = serviceWhy(input);
  if (server.length > 0) return fitted(server, server.map((_, i) => -i));
  if (hasHosts(input)) return [...whyOfHosts(input, fullA, fullB)];
  const [whoA, whoB] = subjects(input);
  const names = namesOf(input);
  const a = { side: "A" as const, values: input.a, account: accountOf(fullA.report), who: whoA };
  const b = { side: "B" as const, values: input.b, account: accountOf(fullB.report), who: whoB };
  const start = crowd(a.account, b.account, placeHere(input), names);
  const both = apart(a, b);
  const sockets = socketWhy(input, fullA.report, fullB.report);
  if (sockets.length > 0) return fitted([...sockets, ...(both ?? [])], [5, 4, 3, 2]);
  if (both !== null) return fitted([start, ...both], [1, 2, 2]);
  const counted = accountingWhy(input, fullB.report);
  if (counted !== null) return fitted([start, ...sharingWhy(input, fullB.report), counted], [3, 2, 4]);
  const ledgers = [ledger(fullA.report, "A", input.a, names.a), ledger(fullB.report, "B", input.b, names.b)];
  return fitted([start, ...ledgers], [3, 2, 2]);
}
