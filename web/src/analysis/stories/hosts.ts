/** Several hosts in sentences: what is of one is told of that one, and nothing of one is blamed on another. */
import type { Est, Report } from "../../engine";
import { formatFixed, formatPercent, formatShort } from "../../units";
import { isWaiting } from "../read/accounts";
import type { AnalysisInput } from "../read/input";
import { sessionsOn } from "../read/ledger";
import { capital, listed, namesOf, placeHere, threadsText } from "../read/names";
import type { Paired } from "../../base/statistics";
import { isCertain, relativeDifference } from "../sides/differences";
import { plain } from "./spans";
import type { Span } from "./types";

export const hasHosts = (input: AnalysisInput): boolean => input.preset.nodes > 1;

const numbers = (report: Report): readonly number[] => report.nodes.map((_, i) => i + 1);

/** Logical reads a second of the instances on one host, counted from 1. */
function readsOn(input: AnalysisInput, report: Report, host: number): Pick<Est, "mean" | "reps"> {
  const rows = report.instances.filter((_, i) => input.preset.instances[i] === host);
  const reps = (rows[0]?.lio_per_s.reps ?? []).map((_, i) =>
    rows.reduce((sum, { lio_per_s: lio }) => sum + (lio.reps[i] ?? 0), 0),
  );
  return { mean: rows.reduce((sum, { lio_per_s: lio }) => sum + lio.mean, 0), reps };
}

/** B − A of each host's throughput, in % of A. */
function gainsOf(input: AnalysisInput, a: Report, b: Report): readonly Paired[] {
  return numbers(b).map((host) => relativeDifference(readsOn(input, a, host), readsOn(input, b, host)));
}

function size({ mean, ci95 }: Paired): string {
  return formatPercent(Math.abs(mean), Math.abs(mean) >= 10 || (ci95 ?? 1) >= 1 ? 0 : 1);
}

/** "host 1 loses 4.6 %, host 2 loses 71 %": each has its verb, or "host 2 71 %" is two numbers in a row. */
export function byHost(input: AnalysisInput, a: Report, b: Report): string {
  return gainsOf(input, a, b).map((gain, i) => {
    const unshown = gain.ci95 === null ? "does nothing in A" : "shows no difference";
    return `host ${i + 1} ${isCertain(gain) ? `${gain.mean > 0 ? "gains" : "loses"} ${size(gain)}` : unshown}`;
  }).join(", ");
}

/** Whether any host's own difference is certain. Where one side has more hosts, none is held against another. */
export function isAnyHostCertain(input: AnalysisInput, a: Report, b: Report): boolean {
  return a.nodes.length === b.nodes.length && gainsOf(input, a, b).some(isCertain);
}

/** Sessions that do not run on a host. */
const waitingOn = (report: Report, host: number): number => sessionsOn(report, host, isWaiting);

const waitingOnEach = (report: Report): string =>
  listed(numbers(report).map((host) => formatFixed(waitingOn(report, host), 1)));

const eachHost = (report: Report): string => `hosts ${listed(numbers(report).map(String))}`;

/** How many wait on each host, on both sides. */
export function crowdOfHosts(input: AnalysisInput, a: Report | null, b: Report): readonly Span[] {
  const names = namesOf(input);
  if (a === null) {
    const counts = b.nodes.map((row) => row.threads);
    const threads = counts.includes(1)
      ? listed(counts.map(threadsText))
      : `${listed(counts.map((count) => formatShort(count)))} threads`;
    return [plain(`${capital(placeHere(input))}, hosts of ${threads}: ${waitingOnEach(b)} sessions wait. `)];
  }
  if ([a, b].every((side) => numbers(side).every((host) => waitingOn(side, host) < 0.05)))
    return [plain("Next to nobody waits. ")];
  const own = a.nodes.length === b.nodes.length ? "" : ` on ${eachHost(b)}`;
  return [
    plain(
      `With ${names.a}, ${waitingOnEach(a)} sessions wait on ${eachHost(a)}; with ${names.b}, `
        + `${waitingOnEach(b)}${own}. `,
    ),
  ];
}
