/** What a change between processes costs: itself, caches to be filled again, and after a move those elsewhere. */
import type { Report } from "../../../engine";
import { formatBigCount, formatMs, formatPercent } from "../../../units";
import { metricIn } from "../../read/metrics";
import type { Sentence } from "../types";
import {
  bySides, capacityOfPart, hostSum, moreThanA, onHost, ownNoun, percentIn, takes, type Told, type Words,
} from "./words";

interface Changes {
  /** Between one change and the next of a busy thread, mean. */
  readonly everyMs: number;
  readonly eachMs: number;
}

/** Threads that change. */
const lostIn = (report: Report, told: Told): number => hostSum(told, report, (row) => row.switch_threads);

/** Of one host, or of all; null where next to nothing changes. */
function changesIn(report: Report, told: Told): Changes | null {
  const [perS, lost] = [hostSum(told, report, (row) => row.switches_per_s), lostIn(report, told)];
  if (!(perS > 0) || !(lost > 0)) return null;
  const busy = hostSum(told, report, (row) => row.cpu_busy_threads);
  return { everyMs: (1000 * busy) / perS, eachMs: (1000 * lost) / perS };
}

const inWords = ({ everyMs, eachMs }: Changes): string => `every ${formatMs(everyMs)} at ${formatMs(eachMs)} each`;

/** How often threads change process in the time that they are busy, and at what cost. */
function changes(told: Told): Sentence {
  const of = (report: Report): string => {
    const one = changesIn(report, told);
    return one === null ? "hardly ever" : inWords(one);
  };
  return bySides(told, `A busy thread${onHost(told)} changes process `, of);
}

const sentences = (words: Words) => (told: Told): readonly Sentence[] => [changes(told), takes(words, told)];

const headline = (what: string) => (told: Told): string | null =>
  moreThanA(
    told, (report) => percentIn(report, told), formatPercent,
    (percent) => `${what} takes ${percent} of ${capacityOfPart(told.part)}`,
  );

export const refill: Words = {
  cause: "refill", noun: ownNoun, sentences: (told) => sentences(refill)(told),
  headline: headline("refilling caches"),
};

export const switching: Words = {
  cause: "switching", noun: ownNoun, sentences: (told) => sentences(switching)(told),
  headline: headline("switching"),
};

/** Moves of the kind that there are: between last-level caches where those are worth telling, else between cores. */
export function moves(told: Told): Sentence {
  const { a, b, part } = told;
  if (part.node !== null) return [];
  const rate = (report: Report | null, id: string): number =>
    (report === null ? undefined : metricIn(report, id)?.mean) ?? 0;
  const isOfCaches = Math.max(rate(a, "socket_migrations_per_s"), rate(b, "socket_migrations_per_s")) >= 1;
  const id = isOfCaches ? "socket_migrations_per_s" : "migrations_per_s";
  const often = (report: Report): string => {
    const perS = rate(report, id);
    return perS < 0.5 ? "hardly ever" : `${formatBigCount(perS)} times a second`;
  };
  // A move may cost more, too: what goes the other way, or does not go, explains nothing.
  if (a !== null && rate(b, id) > rate(a, id) !== part.now > part.before) return [];
  return bySides(told, `Processes change ${isOfCaches ? "last-level cache" : "core"} `, often);
}

export const migration: Words = {
  cause: "migration", noun: ownNoun,
  sentences: (told) => [moves(told), takes(migration, told)].filter((one) => one.length > 0),
  headline: headline("refilling after moves"),
};
