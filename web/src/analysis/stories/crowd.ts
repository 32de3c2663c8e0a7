/** Who waits, and for what. */
import type { Report } from "../../engine";
import { formatFixed } from "../../units";
import { HALF, isActive, queuedIn, queueName, waitingIn } from "../read/accounts";
import type { AnalysisInput } from "../read/input";
import { areThreadsShared } from "../read/ledger";
import { capital, namesOf } from "../read/names";
import { plain } from "./spans";
import type { Sentence } from "./types";

/** Below so many nobody waits. */
const NOBODY = 0.05;

/** "24.0", "some 200": one decimal of what is small. */
export const countOf = (count: number): string => formatFixed(count, count >= 100 ? 0 : 1);

/** Where all that are printed, or most, of a side's waiting sessions are; nothing where no place has most of them. */
export function placeOfWaits(report: Report): string {
  const waits = report.waits.filter((row) => row.process_kind === "session" && isActive(row.class));
  const events = waits.map(({ event, aas }) => ({ name: event, mean: aas.mean }));
  const queue = { name: `the ${queueName(report)}`, mean: queuedIn(report) };
  const all = waitingIn(report);
  const [most] = [queue, ...events].toSorted((one, other) => other.mean - one.mean);
  if (most === undefined || most.mean <= HALF * all) return "";
  const areAll = most.mean > 0.95 * all && countOf(most.mean) === countOf(all);
  return areAll ? ` in ${most.name}` : ` (most in ${most.name})`;
}

function sideOf(report: Report): string {
  const count = waitingIn(report);
  if (count < NOBODY) return "nobody waits";
  const text = countOf(count);
  return `${text === "1.0" ? "one session waits" : `${text} sessions wait`}${placeOfWaits(report)}`;
}

/** One scenario: "24.7 sessions wait in resmgr:cpu quantum". */
export const waitersOf = (report: Report): string =>
  areThreadsShared(report) ? "all that are ready share the threads" : sideOf(report);

/** Both sides. */
export function crowdOf(input: AnalysisInput, a: Report, b: Report): Sentence {
  if (areThreadsShared(a) || areThreadsShared(b)) return [];
  const [before, now] = [waitingIn(a), waitingIn(b)];
  const [placeA, placeB] = [placeOfWaits(a), placeOfWaits(b)];
  const names = namesOf(input);
  if (before < NOBODY && now < NOBODY) return [plain("Next to nobody waits. ")];
  if (before < NOBODY || now < NOBODY)
    return [plain(`${capital(sideOf(a))} with ${names.a}, and ${sideOf(b)} with ${names.b}. `)];
  if (countOf(before) === countOf(now) && placeA === placeB) return [plain(`Either way ${sideOf(b)}. `)];
  // Nothing said of B would be read as the place said of A.
  const again = placeA === placeB ? "" : placeB === "" ? " in several places" : placeB;
  return [plain(`${capital(sideOf(a))} with ${names.a}, ${countOf(now)}${again} with ${names.b}. `)];
}
