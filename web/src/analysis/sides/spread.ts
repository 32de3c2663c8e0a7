/** Distributions in power-of-two buckets: averages hide, these do not. */
import type { FullAnswer, WaitRow } from "../../engine";
import { formatMs, NBSP } from "../../units";
import { queueName } from "../read/accounts";
import { classOf } from "../read/classes";
import { histogramIn } from "../read/columns";
import { serviceIn, tailOf } from "../read/service";
import { USERS } from "./eventTable";
import type { SpreadModel } from "./types";

export interface Buckets {
  readonly edgesMs: readonly number[];
  readonly shares: readonly number[];
  /** Of what is in each. */
  readonly meansMs: readonly number[];
}

/** Below the longest by so many powers of two, all is next to nothing and stands in one bucket. */
const MOST_POWERS = 10;

/** Pools fine buckets into powers of two of a millisecond; the tails without counts are left off. */
export function powersOfTwo(edges: ArrayLike<number>, counts: ArrayLike<number>): Buckets {
  const found: { readonly power: number; readonly count: number; readonly middle: number }[] = [];
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i] ?? 0;
    const middle = ((edges[i] ?? 0) + (edges[i + 1] ?? 0)) / 2;
    if (count > 0) found.push({ power: Math.floor(Math.log2(Math.max(middle, 2 ** -10))), count, middle });
  }
  if (found.length === 0) return { edgesMs: [], shares: [], meansMs: [] };
  const all = found.map(({ power }) => power);
  const high = Math.max(...all);
  const low = Math.max(Math.min(...all), high - MOST_POWERS + 1);
  const [counted, spent] = [new Float64Array(high - low + 1), new Float64Array(high - low + 1)];
  for (const { power, count, middle } of found) {
    const at = Math.max(0, power - low);
    counted[at] = (counted[at] ?? 0) + count;
    spent[at] = (spent[at] ?? 0) + count * middle;
  }
  const total = counted.reduce((sum, count) => sum + count);
  return {
    edgesMs: Array.from({ length: counted.length + 1 }, (_, i) => 2 ** (low + i)),
    shares: [...counted].map((count) => count / total),
    meansMs: [...spent].map((sum, i) => sum / Math.max(1, counted[i] ?? 0)),
  };
}

function bucketsOf(answer: FullAnswer, name: string): Buckets {
  const { edgesMs, counts } = histogramIn(answer, name);
  return powersOfTwo(edgesMs, counts);
}

/** Indices of two humps with a valley between them that is less than half as high as the lower one; null: one hump. */
export function twoHumps(shares: readonly number[]): readonly [number, number] | null {
  const at = (i: number): number => shares[i] ?? 0;
  const peaks = shares.flatMap((share, i) => (share >= 0.05 && share >= at(i - 1) && share > at(i + 1) ? [i] : []));
  let best: readonly [number, number] | null = null;
  for (const left of peaks) {
    for (const right of peaks) {
      if (right <= left + 1) continue;
      const valley = Math.min(...shares.slice(left + 1, right));
      const lower = Math.min(at(left), at(right));
      const isBetter = best === null || lower > Math.min(at(best[0]), at(best[1]));
      if (valley < lower / 2 && isBetter) best = [left, right];
    }
  }
  return best;
}

/** Where they lie [ms]: each is the mean of its bucket and of those beside it, the valley left out; null: one hump. */
export function humpsAt({ shares, meansMs }: Buckets): readonly [number, number] | null {
  const humps = twoHumps(shares);
  if (humps === null) return null;
  const between = shares.slice(humps[0] + 1, humps[1]);
  const valley = humps[0] + 1 + between.indexOf(Math.min(...between));
  const at = (hump: number): number => {
    const near = [hump - 1, hump, hump + 1].filter((i) => i !== valley);
    const sum = (of: (i: number) => number): number => near.reduce((total, i) => total + of(i), 0);
    return sum((i) => (shares[i] ?? 0) * (meansMs[i] ?? 0)) / sum((i) => shares[i] ?? 0);
  };
  return [at(humps[0]), at(humps[1])];
}

const ofSessions = (wait: WaitRow): boolean => wait.process_kind === USERS;

interface MainWait {
  readonly name: string;
  readonly class: SpreadModel["class"];
  readonly meanMs: number;
  /** What the mean is, where the table of events may have another. */
  readonly label: string;
}

/** The wait in which the side's sessions spend the most time: an event, or the run queue. */
export function mainWait(answer: FullAnswer): MainWait | null {
  const { waits, on_cpu: onCpu } = answer.report;
  const queue = onCpu.find((row) => row.state === "run queue");
  const rows: (MainWait & { aas: number })[] = waits
    .filter(ofSessions)
    .map(({ event, class: of, mean_ms: meanMs, clocked_ms: clocked, aas }) => ({
      name: event, class: classOf(of), meanMs, aas: aas.mean,
      label: formatMs(clocked.mean) === formatMs(meanMs) ? "mean" : `to${NBSP}wake-up`,
    }));
  if (queue !== undefined)
    rows.push({ name: "run queue", class: "run queue", meanMs: queue.mean_ms, aas: queue.aas.mean, label: "mean" });
  const [main] = rows.filter((row) => row.aas >= 0.01).toSorted((a, b) => b.aas - a.aas);
  return main ?? null;
}

export function waitSpreadOf(answer: FullAnswer): SpreadModel | null {
  const main = mainWait(answer);
  if (main === null) return null;
  const buckets = bucketsOf(answer, main.name);
  if (buckets.shares.length === 0) return null;
  const event = main.name === "run queue" ? queueName(answer.report) : main.name;
  return { event, label: main.label, value: formatMs(main.meanMs), class: main.class, ...buckets };
}

export function serviceSpreadOf(answer: FullAnswer, side: "A" | "B"): SpreadModel | null {
  const row = serviceIn(answer.report);
  const buckets = bucketsOf(answer, "service");
  return row === null || buckets.shares.length === 0
    ? null
    : { label: "Answer, p99", value: row.grows ? "no bound" : tailOf(row.response_ms), class: side, ...buckets };
}

export function responseSpreadOf(answer: FullAnswer, side: "A" | "B"): SpreadModel {
  return {
    label: "Transaction, p99", value: tailOf(answer.report.response_ms), class: side,
    ...bucketsOf(answer, "transaction"),
  };
}
