/** Blocks from other instances, where sessions wait for them more than for anything else: whose, and in which part. */
import type { Report } from "../../engine";
import { formatMs } from "../../units";
import { namesOf } from "../read/names";
import type { AnalysisInput } from "../read/input";
import { isCertain, relativeDifference } from "../sides/differences";
import { plain, strong, strongB } from "./spans";
import type { Sentence } from "./types";

type Pair = Report["pairs"][number];

/** Sessions that have to wait for blocks, for it to be worth a sentence. */
const NOTABLE = 0.05;
/** What is more than this of a whole is most of it. */
const MOST = 0.5;

const isOfSession = (row: Report["waits"][number]): boolean => row.process_kind === "session";

/** Sessions that wait, by event; those for blocks as one, but for such as wait for another session's. */
function waitsOf(report: Report): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const row of report.waits.filter(isOfSession)) {
    const name = row.class === "Cluster" && !row.event.startsWith("gc buffer") ? "blocks" : row.event;
    sums.set(name, (sums.get(name) ?? 0) + row.aas.mean);
  }
  return sums;
}

/** Whether most sessions that wait here and not there, or the other way round, wait for blocks. */
function areTheMatter(a: Report | null, b: Report): boolean {
  const [was, is] = [a === null ? new Map<string, number>() : waitsOf(a), waitsOf(b)];
  const by = (name: string): number => Math.abs((is.get(name) ?? 0) - (was.get(name) ?? 0));
  const others = [...new Set([...was.keys(), ...is.keys()])].filter((name) => name !== "blocks");
  return by("blocks") >= NOTABLE && others.every((name) => by(name) <= by("blocks"));
}

const waiting = ({ per_s, mean_ms }: Pair): number => per_s.mean * mean_ms.mean;

const nameOf = ({ from, server, reply }: Pair): string => {
  const what = `${reply.startsWith("cr") ? "CR" : "current"} ${reply.split(" ")[1] ?? ""}`;
  return `A ${what} from instance ${server} to instance ${from} takes `;
};

interface PartOfBoth {
  readonly part: string;
  readonly before: number;
  readonly now: number;
}

/** How much longer one is than the other; of one alone how long it is. */
const growth = (was: Pair | null, is: Pair): number => is.mean_ms.mean - (was?.mean_ms.mean ?? 0);

/** The part that makes most of the two's difference: what went the other way makes none. Of one alone its largest. */
function largestPart(was: Pair | null, is: Pair): PartOfBoth {
  const sign = Math.sign(growth(was, is));
  const parts = is.parts.map(({ part, mean_ms: now }) => {
    const before = was?.parts.find((one) => one.part === part)?.mean_ms ?? 0;
    return { part, before, now };
  });
  return parts.reduce((most, one) => (sign * (one.now - one.before) > sign * (most.now - most.before) ? one : most));
}

function aloneSentence(is: Pair): Sentence {
  const { part, now } = largestPart(null, is);
  return [
    plain(nameOf(is)), strong(formatMs(is.mean_ms.mean)), plain(` from request to use, of that ${part} `),
    strong(formatMs(now)), plain(". "),
  ];
}

function comparedSentence(input: AnalysisInput, was: Pair, is: Pair): Sentence {
  const { part, before, now } = largestPart(was, is);
  const share = (now - before) / growth(was, is) > MOST ? "most of the difference" : "the largest part of it";
  const why = `${share} is ${part}: ${formatMs(now)} instead of ${formatMs(before)}. `;
  return [
    plain(nameOf(is)), strongB(formatMs(is.mean_ms.mean)), plain(" from request to use, and "),
    strong(formatMs(was.mean_ms.mean)), plain(` with ${namesOf(input).a}; ${why}`),
  ];
}

/** Null where blocks are not what sessions wait for, or no pair of instances shows it. */
export function blocksSentence(input: AnalysisInput, a: Report | null, b: Report): Sentence | null {
  if (!areTheMatter(a, b) || b.pairs.length === 0) return null;
  if (a === null) return aloneSentence(b.pairs.reduce((most, one) => (waiting(one) > waiting(most) ? one : most)));
  const both = b.pairs.flatMap((is) => {
    const was = a.pairs.find((one) => one.from === is.from && one.server === is.server && one.reply === is.reply);
    return was === undefined ? [] : [{ was, is, most: Math.max(waiting(is), waiting(was)) }];
  });
  // Among many pairs some would differ for certain by chance: one is chosen by what does not tell.
  const [most] = both.toSorted((one, other) => other.most - one.most);
  return most === undefined || !isCertain(relativeDifference(most.was.mean_ms, most.is.mean_ms))
    ? null : comparedSentence(input, most.was, most.is);
}
