/** Several hosts in sentences: what is of one is told of that one, and nothing of one is blamed on another. */
import type { Est, FullAnswer, Report } from "../../engine";
import { formatFixed, formatPercent, formatShort } from "../../units";
import { settledMean } from "../read/columns";
import type { AnalysisInput } from "../read/input";
import { capital, namesOf, placeHere } from "../read/names";
import type { Paired } from "../../base/statistics";
import { isCertain, relativeDifference } from "../sides/differences";
import { lengthOf, plain, strong, strongB } from "./spans";
import type { Span } from "./types";

const MOST_CHARACTERS = 260;
/** Threads that differ by less are as busy on both sides. */
const SMALLEST_THREADS = 0.1;
/** Losses below this share of a host's threads explain nothing. */
const SMALLEST_PERCENT = 0.3;

export const hasHosts = (input: AnalysisInput): boolean => input.preset.nodes > 1;

/** "a", "a and b", "a, b and c". */
function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`;
}

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

/** "host 1 loses 4.6 %, host 2 71 %". */
export function byHost(input: AnalysisInput, a: Report, b: Report): string {
  let last = "";
  return gainsOf(input, a, b).map((gain, i) => {
    const verb = !isCertain(gain) ? "shows no difference" : gain.mean > 0 ? "gains" : "loses";
    const said = verb === last ? "" : ` ${verb}`;
    last = verb;
    return `host ${i + 1}${said}${isCertain(gain) ? ` ${size(gain)}` : ""}`;
  }).join(", ");
}

/** Whether any host's own difference is certain. */
export function isAnyHostCertain(input: AnalysisInput, a: Report, b: Report): boolean {
  return gainsOf(input, a, b).some(isCertain);
}

/** Sessions that do not run on a host, over the time that counts. */
function waitingOn(answer: FullAnswer, host: number): number {
  return settledMean(answer, host, (name) => name !== "CPU");
}

function waitingOnEach(answer: FullAnswer): string {
  return listed(numbers(answer.report).map((host) => formatFixed(waitingOn(answer, host), 1)));
}

const eachHost = (report: Report): string => `hosts ${listed(numbers(report).map(String))}`;

/** How many wait on each host, on both sides. */
function crowd(input: AnalysisInput, a: FullAnswer | null, b: FullAnswer): readonly Span[] {
  const names = namesOf(input);
  if (a === null) {
    const threads = listed(b.report.nodes.map(({ threads: count }) => formatShort(count)));
    return [plain(`${capital(placeHere(input))} on ${threads} threads: ${waitingOnEach(b)} sessions wait. `)];
  }
  return [
    plain(
      `With ${names.a}, ${waitingOnEach(a)} sessions wait on ${eachHost(b.report)}; with ${names.b}, `
        + `${waitingOnEach(b)}. `,
    ),
  ];
}

/** The host whose number changes most between the sides; null where none changes by so much. */
function mostChanged(a: readonly number[], b: readonly number[], smallest: number): number | null {
  const changes = b.map((now, i) => Math.abs(now - (a[i] ?? now)));
  const most = Math.max(...changes);
  return most < smallest ? null : changes.indexOf(most);
}

/** Threads that stand idle, of the host where that changes most. */
function idleThreads(input: AnalysisInput, a: Report, b: Report): readonly Span[] | null {
  const idle = (report: Report): readonly number[] => report.nodes.map((row) => row.threads - row.cpu_busy_threads);
  const at = mostChanged(idle(a), idle(b), SMALLEST_THREADS);
  const threads = at === null ? undefined : b.nodes[at]?.threads;
  if (at === null || threads === undefined || a.nodes[at]?.threads !== threads) return null;
  const names = namesOf(input);
  const of = (report: Report): string => {
    const count = idle(report)[at] ?? 0;
    return count < 0.05 ? "none" : formatFixed(count, 1);
  };
  return [
    plain(`Of host ${at + 1}’s ${formatShort(threads)} threads `),
    strong(of(a) === "none" ? "none stands idle" : `${of(a)} stand idle`),
    plain(` with ${names.a}, `), strongB(of(b)), plain(` with ${names.b}. `),
  ];
}

/** What switching takes, of the host where that changes most. */
function switching(input: AnalysisInput, a: Report, b: Report): readonly Span[] | null {
  const lost = (report: Report): readonly number[] =>
    report.nodes.map((row) => (100 * row.switch_threads) / Math.max(1, row.threads));
  const at = mostChanged(lost(a), lost(b), SMALLEST_PERCENT);
  if (at === null) return null;
  const names = namesOf(input);
  const of = (report: Report): string => formatPercent(lost(report)[at] ?? 0);
  return [
    plain(`Switching takes `), strong(of(a)), plain(` of host ${at + 1}’s threads with ${names.a}, `), strongB(of(b)),
    plain(` with ${names.b}. `),
  ];
}

/** What each host has to do: of one scenario alone, or on both sides where that is the same. */
function busyThreads(input: AnalysisInput, a: Report | null, b: Report): readonly Span[] {
  const of = (report: Report): string =>
    listed(
      report.nodes.map(
        (row, i) => `${formatFixed(row.cpu_busy_threads, 1)} of host ${i + 1}’s ${formatShort(row.threads)}`,
      ),
    );
  const start = a === null ? "" : of(a) === of(b) ? "Either way " : `With ${namesOf(input).b} `;
  return [...(start === "" ? [] : [plain(start)]), strongB(of(b)), plain(" threads are busy. ")];
}

/** Sentences that stand on the figures of one host each, in order, as many as fit. */
export function whyOfHosts(input: AnalysisInput, a: FullAnswer | null, b: FullAnswer): readonly Span[] {
  const compared = a === null ? null : [idleThreads(input, a.report, b.report), switching(input, a.report, b.report)];
  const found = (compared ?? []).filter((sentence) => sentence !== null);
  const rest = found.length > 0 ? found : [busyThreads(input, a?.report ?? null, b.report)];
  const kept: Span[] = [];
  for (const sentence of [crowd(input, a, b), ...rest])
    if (lengthOf(kept) + lengthOf(sentence) - 1 <= MOST_CHARACTERS) kept.push(...sentence);
  const last = kept.at(-1);
  return last === undefined ? [] : [...kept.slice(0, -1), { ...last, text: last.text.trimEnd() }];
}
