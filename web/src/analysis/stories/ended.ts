/** Sessions that end, in sentences: how long one took, what of that was CPU, and for what it waited. */
import type { MetricRow, Report } from "../../engine";
import { mean, type Paired } from "../../base/statistics";
import { formatCount, formatLio, formatMs, formatPercent, formatShort, NBSP, unitOf } from "../../units";
import { clockedQueue, HALF, isActive } from "../read/accounts";
import { alike, type AnalysisInput, type Values } from "../read/input";
import { metricIn } from "../read/metrics";
import { capital, listed, namesOf, placeHere, whereTold } from "../read/names";
import { isCertain, relativeDifference } from "../sides/differences";
import { sizeOf, spansOf, tooLittle } from "./percent";
import { plain, strong } from "./spans";
import type { Sentence, Span } from "./types";

/** From so many times on a factor is easier to think of than a percentage. */
const TIMES = 2;
/** Below this part of A's a percentage would be nearly 100. */
const HARDLY_ANY = 0.01;
/** A part of the elapsed time below this is not told. */
const NOTABLE = 0.01;

/** Null of a steady run. */
const elapsedIn = (report: Report): MetricRow | null =>
  report.ended.length === 0 ? null : metricIn(report, "elapsed_s");

const seconds = (value: number): string => formatMs(1000 * value);

type Elapsed = Pick<MetricRow, "mean" | "reps">;
type EndedRow = Report["ended"][number];

/** Instances in which sessions of both sides end. */
const pairsOf = (a: Report, b: Report): readonly (readonly [EndedRow, EndedRow])[] =>
  a.ended.flatMap((was) => b.ended.flatMap((is) => (is.instance === was.instance ? [[was, is] as const] : [])));

/** Which share of the sessions each instance has, against the first: of another mix the mean is another. */
const mixOf = ({ ended }: Report): string =>
  String(ended.map(({ instance, sessions }) => [instance, sessions / (ended[0]?.sessions ?? 1)]));

/**
 * B − A of the elapsed time, had each instance as many sessions as it has on both sides together: exchanged the sides
 * differ as much. Null where sessions do not end on both, where instances go opposite ways in another mix, and where
 * one that a side has alone is unlike others of that side.
 */
export function elapsedDifference(a: Report, b: Report): Paired | null {
  const pairs = pairsOf(a, b);
  const [first] = pairs;
  if (first === undefined) return null;
  const by = (was: EndedRow, is: EndedRow): Paired => relativeDifference(was.elapsed_s, is.elapsed_s);
  const ways = pairs.map(([was, is]) => by(was, is)).filter(isCertain);
  const isOpposed = new Set(ways.map(({ mean: more }) => more > 0)).size > 1;
  const isUnlike = [a, b].some(({ ended }) =>
    ended.length > pairs.length && ended.some((row) => isCertain(by(ended[0] ?? row, row))),
  );
  if (isUnlike || (isOpposed && mixOf(a) !== mixOf(b))) return null;
  // Sums do where means do: only their ratio counts.
  const side = (i: 0 | 1): Elapsed => {
    const reps = first[i].elapsed_s.reps.map((_, rep) => pairs.reduce(
      (sum, pair) => sum + (pair[0].sessions + pair[1].sessions) * (pair[i].elapsed_s.reps[rep] ?? 0), 0,
    ));
    return { mean: mean(reps), reps };
  };
  return relativeDifference(side(0), side(1));
}

/** What a session takes; by instance, where the mean of the other side is of another mix. */
const takenBy = (report: Report, other: Report): string =>
  mixOf(report) !== mixOf(other) && report.ended.length > 1
    ? `${listed(report.ended.map((row) => seconds(row.elapsed_s.mean)))} by instance`
    : seconds(elapsedIn(report)?.mean ?? 0);

/** As small as it is, it would be printed as none. */
const isNone = (by: Paired): boolean => Math.max(Math.abs(by.mean), by.ci95 ?? 1) < 0.05;

/** Of one whose sign is not certain. */
const noneOf = (by: Paired): string => `No difference${isNone(by) ? "" : " shown"}`;

function comparedHeadline(input: AnalysisInput, a: Report, b: Report): string {
  const names = namesOf(input);
  const by = elapsedDifference(a, b);
  const was = takenBy(a, b);
  const is = takenBy(b, a);
  const told = `With ${names.b} a session takes ${is}, and ${was} with ${names.a}`;
  if (by === null) return told;
  if (by.ci95 === null) return tooLittle(input, by);
  if (!isCertain(by))
    return `${noneOf(by)}${whereTold(input)}: ${was === is ? "either way " : ""}a session takes ${is}`;
  const ratio = 1 + by.mean / 100;
  // Of A's time, as the interval is.
  const times = (factor: number, which: string): string => `${formatShort(factor)} times as long with the ${which}`;
  const how =
    ratio >= TIMES
      ? times(ratio, "former")
      : ratio < HARDLY_ANY
        ? times(1 / ratio, "latter")
        : `${sizeOf(by)} ${by.mean > 0 ? "longer" : "shorter"} with the former`;
  return `${told}: ${how}`;
}

/** What one side came to by itself: how long a session takes, and where sessions do not end how much they do. */
function ownWords(report: Report): string {
  const elapsed = elapsedIn(report);
  return elapsed === null
    ? `throughput is ${formatLio(report.throughput.lio_per_s.mean)}`
    : `a session takes ${seconds(elapsed.mean)} from start to end`;
}

/** Sides that nothing compares. */
export function eachHeadline(input: AnalysisInput, a: Report, b: Report): string {
  const names = namesOf(input);
  return `With ${names.b} ${ownWords(b)}; with ${names.a} ${ownWords(a)}`;
}

/** What the run is about where its sessions end; null where those of neither side do. */
export function endedHeadline(input: AnalysisInput, a: Report | null, b: Report): string | null {
  const is = elapsedIn(b);
  if (a === null || input.differs.length === 0)
    return is === null ? null : `${capital(placeHere(input))}: ${ownWords(b)}`;
  const was = elapsedIn(a);
  if (was !== null && is !== null) return comparedHeadline(input, a, b);
  return was === is ? null : eachHeadline(input, a, b);
}

/** One line for the phone. */
export function endedShort(input: AnalysisInput, a: Report | null, b: Report): readonly Span[] | null {
  if (endedHeadline(input, a, b) === null) return null;
  const is = elapsedIn(b);
  const other = a === null || input.differs.length === 0 || elapsedIn(a) === null ? b : a;
  const own = is === null ? formatLio(b.throughput.lio_per_s.mean)
    : takenBy(b, other).replace(/( by|$)/, " a session$1");
  const by = other === b ? null : elapsedDifference(other, b);
  if (by === null) return [strong(own), plain(` at ${placeHere(input)}`)];
  return spansOf(input, by, own, isCertain(by) ? undefined : noneOf(by));
}

/** Where sessions wait most of their time, or longest: as the tables have it, a wait with the run queue after it. */
function waitIn(report: Report): string {
  const waits = report.waits.filter((row) => row.process_kind === "session").map((row) => ({
    aas: row.clocked_aas.mean, name: `${isActive(row.class) ? "for" : "idle in"} ${row.event}`,
  }));
  const places = [{ aas: clockedQueue(report), name: "in run queues" }, ...waits];
  const longest = places.reduce((one, other) => (other.aas > one.aas ? other : one));
  const isMost = longest.aas >= HALF * places.reduce((sum, { aas }) => sum + aas, 0);
  return `${isMost ? "most" : "longest"} ${longest.name}`;
}

/** What of a parallel query goes to other hosts; empty where there is none, or all stays. */
function remoteWords(report: Report): string {
  const share = metricIn(report, "px_remote_rows_percent");
  if (share === null || share.mean <= 0) return "";
  return `, and ${formatPercent(share.mean)} of the rows that are sent leave their host`;
}

/** Gets of recursive statements (those of SEQ$) stand in the trace alone, while their CPU time is part of the whole. */
function hasMoreGets({ ended, statements }: Report): boolean {
  const gets = statements.flatMap((row) => row.calls).reduce((sum, call) => sum + call.query + call.current, 0);
  return gets > 1.001 * ended.reduce((sum, { reads }) => sum + reads.mean, 0);
}

/**
 * What is told of; where instances have not all as many, no number of them is. One that takes many values of a sequence
 * executes a statement for each.
 */
function executionsOf({ ended }: Report, values: Values): string {
  const [count = 1, other] = new Set(ended.map(({ executions }) => executions));
  const taken = Number(alike(values, "sequence_values_per_transaction"));
  const own = other !== undefined ? "each execution"
    : count === 1 ? "its execution" : `each of ${formatCount(count)}${NBSP}executions`;
  return taken > 1 ? `${own.replace("execution", "transaction")} of ${formatShort(taken)} values` : own;
}

/**
 * CPU, gets and waits of a session of one side; `like`: the executions of the side told before, whose number is known,
 * as one in a name is.
 */
function sideSentence(report: Report, values: Values, name: string | null, like: string | null): Sentence {
  const elapsed = elapsedIn(report);
  if (elapsed === null) return [];
  // Of all instances, as the elapsed time is.
  const sum = (of: (row: EndedRow) => number): number =>
    report.ended.reduce((total, row) => total + row.sessions * of(row), 0);
  const [executions, cpuS] = [sum((row) => row.executions), sum((row) => row.cpu_s.mean)];
  const waitS = elapsed.mean - cpuS / sum(() => 1);
  const own = executionsOf(report, values);
  const isTold = like === own || name?.includes(own.slice(8));
  const each = isTold === true ? own.replace(/ of .*/, "") : own;
  // What its only execution waits is all that a session waits; of many it is their sum.
  const who = own.startsWith("its") ? "it" : "a session";
  const waits =
    waitS < NOTABLE * elapsed.mean
      ? "a session hardly waits"
      : `${who} waits ${seconds(waitS)}, ${waitIn(report)}`;
  const count = formatShort(sum((row) => row.reads.mean) / executions);
  const whose = hasMoreGets(report) ? " of its own statements" : "";
  const gets = count === "0" ? "" : `${count} ${unitOf(count, "logical reads")}${whose} and `;
  const reads = `${gets}${formatMs((1000 * cpuS) / executions)} of CPU`;
  return [
    plain(`${name === null ? capital(each) : `With ${name} ${each}`} takes `), strong(reads),
    plain(`; ${waits}${remoteWords(report)}. `),
  ];
}

/** Null where sessions of neither side end. */
export function endedWhy(input: AnalysisInput, a: Report | null, b: Report): readonly Sentence[] | null {
  if (endedHeadline(input, a, b) === null) return null;
  const other = input.differs.length === 0 ? null : a;
  const names = namesOf(input);
  const starts = `Each of ${b.replications} starts ran to its end, without a warm-up.`;
  return [
    sideSentence(b, input.b, other === null ? null : names.b, null),
    ...(other === null ? [] : [sideSentence(other, input.a, names.a, executionsOf(b, input.b))]),
    elapsedIn(b) === null ? [] : [plain(starts.replaceAll(" starts", `${NBSP}starts`))],
  ];
}
