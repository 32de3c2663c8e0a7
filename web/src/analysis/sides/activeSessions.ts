/** Average active sessions over simulated time, one layer a class. */
import type { FullAnswer } from "../../engine";
import { isActive, queueName } from "../read/accounts";
import { CLASSES, classOf } from "../read/classes";
import { activeSessionsIn, bucketTimesS } from "../read/columns";
import { leftInFirst, whoLeft, whyLeft } from "../read/evictions";
import { sessionsOn } from "../read/ledger";
import type { WaitClass } from "../read/types";
import { USERS } from "./eventTable";
import type { ActiveSessionsModel } from "./types";

/** A chart a hand wide shows no more. */
const MOST_BUCKETS = 120;
const SHORTEST_S = 4;
/** So many warm-ups are shown, the cut one included. */
const WARMUPS = 4;

/** A class with one event is called by it; CPU is what runs. */
function labelOf(answer: FullAnswer, name: WaitClass, host: number | null): string {
  if (name === "CPU") return "running";
  if (name === "run queue") return host === null ? queueName(answer.report) : name;
  const events = answer.report.waits.filter((wait) => wait.process_kind === USERS && classOf(wait.class) === name);
  return events.length === 1 ? (events[0]?.event ?? name) : name;
}

/** Means of `size` neighbours. */
function pooled(values: Float64Array | readonly number[], size: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    let sum = 0;
    for (let j = i * size; j < (i + 1) * size; j++) sum += values[j] ?? 0;
    return sum / size;
  });
}

/** Simulated seconds from one bucket to the next. */
const bucketOf = (times: Float64Array): number => (times.length > 1 ? (times[1] ?? 1) - (times[0] ?? 0) : 1);

/**
 * How much of the start is shown, in simulated seconds, the same of each: up to a few warm-ups of the longest, but
 * never less than a few seconds, and no more than each has. Runs that end are shown whole, whatever each takes.
 */
export function shownUntilS(answers: readonly FullAnswer[]): number {
  if (answers.every(({ report }) => report.ended.length > 0)) return Number.POSITIVE_INFINITY;
  const times = answers.map(bucketTimesS);
  const wanted = answers.map(({ report }, i) =>
    Math.max(SHORTEST_S, WARMUPS * report.warmup_s, 20 * bucketOf(times[i] ?? new Float64Array())));
  return Math.min(Math.max(...wanted), ...times.map((one) => one.length * bucketOf(one)));
}

/** `host`: one of several, counted from 1; null: the only one. `untilS`: how much of the start, simulated seconds. */
export function activeSessionsOf(
  answer: FullAnswer, cpuLine: number, host: number | null = null, untilS = shownUntilS([answer]),
): ActiveSessionsModel {
  const { report } = answer;
  const times = bucketTimesS(answer);
  const bucketS = bucketOf(times);
  const shown = Math.min(times.length, Math.ceil(untilS / bucketS));
  const size = Math.max(1, Math.ceil(shown / MOST_BUCKETS));
  const count = Math.floor(shown / size);
  const means = new Map(report.aas.map((row) => [classOf(row.class), row.mean]));
  const layers = CLASSES.filter(isActive).flatMap((name) => {
    const column = activeSessionsIn(answer, name, host);
    const mean = host === null ? (means.get(name) ?? 0) : sessionsOn(report, host, (one) => one === name);
    if (column.length === 0 || (mean < 0.005 && name !== "CPU")) return [];
    return [{ class: name, label: labelOf(answer, name, host), values: pooled(column, size, count), mean }];
  });
  const sums = Array.from({ length: count }, (_, i) => layers.reduce((sum, layer) => sum + (layer.values[i] ?? 0), 0));
  return {
    timesS: Array.from({ length: count }, (_, i) => times[i * size] ?? 0),
    bucketS: bucketS * size,
    warmupS: report.warmup_s,
    layers,
    cpuLine,
    left: leftInFirst(report)
      .filter(({ at_s: atS }) => atS < (times[count * size - 1] ?? 0) + bucketS)
      .map((row) => ({ atS: row.at_s, who: whoLeft(row), why: whyLeft(row) })),
    yMax: Math.max(cpuLine, ...sums, layers.reduce((sum, layer) => sum + layer.mean, 0)),
  };
}
