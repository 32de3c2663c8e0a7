/** What a change between processes costs: itself, caches to be filled again, and after a move those elsewhere. */
import type { Report } from "../../../engine";
import { formatBigCount, formatMs, formatPercent } from "../../../units";
import { metricIn } from "../../read/metrics";
import type { Sentence } from "../types";
import { plain, strong, strongB } from "../spans";
import {
  capacityOfPart, hostSum, moreThanA, namesIn, onHost, ownNoun, percentIn, takes, type Told, type Words,
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

/** How often threads change process, and at what cost. */
function changes(told: Told): Sentence | null {
  const { a, b } = told;
  const [was, is] = [a === null ? null : changesIn(a, told), changesIn(b, told)];
  const names = namesIn(told);
  const start = `Threads${onHost(told)} change process `;
  if (a === null) return is === null ? null : [plain(start), strongB(inWords(is)), plain(". ")];
  if (was === null && is === null) return null;
  const of = (one: Changes | null): string => (one === null ? "hardly ever" : inWords(one));
  return [plain(start), strong(of(was)), plain(` with ${names.a}, `), strongB(of(is)), plain(` with ${names.b}. `)];
}

const sentences = (words: Words) => (told: Told): readonly Sentence[] => {
  const how = changes(told);
  return how === null ? [takes(words, told)] : [how, takes(words, told)];
};

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
export function moves(told: Told): Sentence | null {
  const { a, b, part } = told;
  if (part.node !== null) return null;
  const rate = (report: Report | null, id: string): number =>
    (report === null ? undefined : metricIn(report, id)?.mean) ?? 0;
  const isOfCaches = Math.max(rate(a, "socket_migrations_per_s"), rate(b, "socket_migrations_per_s")) >= 1;
  const id = isOfCaches ? "socket_migrations_per_s" : "migrations_per_s";
  const often = (report: Report): string => {
    const perS = rate(report, id);
    return perS < 0.5 ? "hardly ever" : `${formatBigCount(perS)} times a second`;
  };
  const start = plain(`Processes change ${isOfCaches ? "last-level cache" : "core"} `);
  if (a === null) return [start, strongB(often(b)), plain(". ")];
  const names = namesIn(told);
  // A move may cost more, too: what goes the other way, or does not go, explains nothing.
  const isCause = rate(b, id) > rate(a, id) === part.now > part.before && often(a) !== often(b);
  if (!isCause) return null;
  return [start, strong(often(a)), plain(` with ${names.a}, `), strongB(often(b)), plain(` with ${names.b}. `)];
}

export const migration: Words = {
  cause: "migration", noun: ownNoun,
  sentences: (told) => [...[moves(told)].filter((one) => one !== null), takes(migration, told)],
  headline: headline("refilling after moves"),
};
