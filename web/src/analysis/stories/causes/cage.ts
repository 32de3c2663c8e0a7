/** What a cage leaves idle: slots that stand empty for a while, and threads that nobody inside it needs. */
import type { Report } from "../../../engine";
import { formatMs, formatPercent, formatShort } from "../../../units";
import { everywhere } from "../../read/input";
import { heldBy, heldIn, idleFor, type Cause } from "../../read/ledger";
import { threadsText } from "../../read/names";
import { countOf } from "../crowd";
import { plain, strongB } from "../spans";
import type { Sentence } from "../types";
import { idleSentences } from "./idle";
import { bySides, moreThanA, onHost, ownNoun, threadCount, threadsIn, type Told, type Words } from "./words";

/** Whether an instance is of the host that is told of, or all are told of. */
const isHere = ({ input, part }: Told, i: number): boolean =>
  part.node === null || input.preset.instances[i] === part.node;

/** Instances of one host, or all, that have a cage. */
const cagedIn = (told: Told, report: Report): Report["instances"] =>
  report.instances.filter((row, i) => row.slots !== null && isHere(told, i));

const total = (rows: Report["instances"], read: (row: Report["instances"][number]) => number | null): number =>
  rows.reduce((sum, row) => sum + (read(row) ?? 0), 0);

/** "3.0 sessions", "one session". */
export function sessionsOf(count: number): string {
  const text = countOf(count);
  return text === "1.0" ? "one session" : `${text} sessions`;
}

/** Sessions that a cause holds in B, as that of a loss. */
export const held = (told: Told, tell: (sessions: string) => string): string | null =>
  moreThanA(told, (report) => heldBy(report, told.part.cause as Cause, told.part.node), sessionsOf, tell);

const waiting = (sessions: string): string => `${sessions} ${sessions === "one session" ? "waits" : "wait"}`;

/** Of slot time, what stands empty while somebody waits [%]. */
function emptyPercent(told: Told, report: Report): number {
  const caged = cagedIn(told, report);
  return (100 * total(caged, (row) => row.slots_empty)) / Math.max(1, total(caged, (row) => row.slots));
}

/** Slots that stand empty until the next tick, where all cages have the same one. */
function untilTick({ input }: Told): string {
  const [tick, ...others] = new Set(everywhere(input.b, "rm_tick_ms").map(Number));
  return tick === undefined || others.length > 0 || !(tick > 0) ? "" : ` until the next ${formatMs(tick)} tick`;
}

function emptySentences(told: Told): readonly Sentence[] {
  const { a, b, part } = told;
  if (a !== null && emptyPercent(told, a) >= 0.05) return idleSentences(told, "empty", "Idle beside empty slots");
  const percent = emptyPercent(told, b);
  const short: Sentence = [
    plain(`A slot given up${onHost(told)} stands empty${untilTick(told)}: `),
    strongB(`${formatPercent(percent)} of slot time`),
  ];
  const isLess = a !== null && part.eased < 0.9 && Math.abs(part.points) < 0.9 * percent;
  const eased: Sentence = [...short, plain("; sibling threads run faster meanwhile. ")];
  return [...(isLess ? [eased] : []), [...short, plain(". ")]];
}

export const empty: Words = {
  cause: "empty", noun: ownNoun, sentences: emptySentences,
  headline: (told) => whileHeld(told, (sessions) => `slots stand empty while ${waiting(sessions)}`),
};

/** The side on which the cage holds more back. */
const caging = ({ a, b, part }: Told): Report =>
  a !== null && heldBy(a, "limit", part.node) > heldBy(b, "limit", part.node) ? a : b;

/** Whether slots are free that those of an instance who wait may not take: their consumer group has all it may. */
function isOfGroups(told: Told): boolean {
  const report = caging(told);
  return report.instances.some((row, i) => {
    const [slots, used] = [row.slots ?? 0, (row.slot_utilisation ?? 1) * (row.slots ?? 0)];
    const isFree = slots - used - (row.slots_empty ?? 0) > 0.05 * slots;
    return isFree && isHere(told, i) && heldIn(report, "limit", i + 1) > 0.05;
  });
}

/** Sessions of a host, or of all, that wait for their cage, whichever loss that is. */
const heldBack = (report: Report, node: number | null): number =>
  heldBy(report, "limit", node) + heldBy(report, "empty", node);

/** The same of B, as the cause of a loss. */
const whileHeld = (told: Told, tell: (sessions: string) => string): string | null =>
  moreThanA(told, (report) => heldBack(report, told.part.node), sessionsOf, tell);

/** Where several have a cage, who has fewer sessions than slots is not held by his. */
function cagesThatHold(told: Told, report: Report): string {
  const all = cagedIn(told, report);
  const full = all.filter((row) => (row.slot_utilisation ?? 1) > 0.9);
  const [first, ...others] = full.length === 0 ? all : full;
  if (first === undefined) return "The cage";
  const isOne = others.length === 0;
  const whose = isOne && all.length > 1 ? ` of instance ${report.instances.indexOf(first) + 1}` : "";
  const slots = formatShort(total([first, ...others], (row) => row.slots));
  return `${isOne ? "The cage" : "Cages"}${whose}${onHost(told)} ${isOne ? "lets" : "let"} ${slots} run at once`;
}

function limitSentences(told: Told): readonly Sentence[] {
  const { node } = told.part;
  const report = caging(told);
  const who = isOfGroups(told) ? "Limits of consumer groups leave slots free" : cagesThatHold(told, report);
  const idle = (of: Report): string => threadCount(idleFor(of, "limit", node));
  const full = (of: Report): string => `${idle(of)} of ${threadsText(threadsIn(told, of))} idle for that`;
  return [bySides(told, `${who} while ${waiting(sessionsOf(heldBack(report, node)))}: `, full, idle)];
}

export const limit: Words = {
  cause: "limit",
  noun: (told) => (isOfGroups(told) ? "idle time behind limits of consumer groups" : "idle time behind the cage"),
  sentences: limitSentences,
  headline: (told) => {
    const who = isOfGroups(told) ? "limits of consumer groups hold" : "the cage holds";
    return whileHeld(told, (whom) => `${who} ${whom} back beside idle threads`);
  },
};

export const slot: Words = { cause: "slot", noun: () => "waiting for a slot" };
