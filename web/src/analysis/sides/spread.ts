/** Distributions in power-of-two buckets: averages hide, these do not. */
import type { FullAnswer, WaitRow } from "../../engine";
import { formatMs } from "../../units";
import { classOf } from "../read/classes";
import { histogramIn } from "../read/columns";
import { serviceIn } from "../read/service";
import { USERS } from "./eventTable";
import type { SpreadModel } from "./types";

export interface Buckets {
  readonly edgesMs: readonly number[];
  readonly shares: readonly number[];
}

/** Below the longest by so many powers of two, all is next to nothing and stands in one bucket. */
const MOST_POWERS = 10;

/** Pools fine buckets into powers of two of a millisecond; the tails without counts are left off. */
export function powersOfTwo(edges: ArrayLike<number>, counts: ArrayLike<number>): Buckets {
  const byPower = new Map<number, number>();
  let total = 0;
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i] ?? 0;
    if (count <= 0) continue;
    const middle = ((edges[i] ?? 0) + (edges[i + 1] ?? 0)) / 2;
    const power = Math.floor(Math.log2(Math.max(middle, 2 ** -10)));
    byPower.set(power, (byPower.get(power) ?? 0) + count);
    total += count;
  }
  if (total === 0) return { edgesMs: [], shares: [] };
  const high = Math.max(...byPower.keys());
  const low = Math.max(Math.min(...byPower.keys()), high - MOST_POWERS + 1);
  for (const [power, count] of [...byPower]) {
    if (power < low) byPower.set(low, (byPower.get(low) ?? 0) + count);
  }
  const powers = Array.from({ length: high - low + 1 }, (_, i) => low + i);
  return {
    edgesMs: [...powers, high + 1].map((power) => 2 ** power),
    shares: powers.map((power) => (byPower.get(power) ?? 0) / total),
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

const ofSessions = (wait: WaitRow): boolean => wait.process_kind === USERS;

/** The wait in which the side's sessions spend the most time: an event, or the run queue. */
export function mainWait(
  answer: FullAnswer,
): { readonly name: string; readonly class: SpreadModel["class"]; readonly meanMs: number } | null {
  const { waits, on_cpu: onCpu } = answer.report;
  const queue = onCpu.find((row) => row.state === "run queue");
  const rows: { name: string; class: SpreadModel["class"]; meanMs: number; aas: number }[] = waits
    .filter(ofSessions)
    .map((wait) => ({ name: wait.event, class: classOf(wait.class), meanMs: wait.mean_ms, aas: wait.aas.mean }));
  if (queue !== undefined)
    rows.push({ name: "run queue", class: "run queue", meanMs: queue.mean_ms, aas: queue.aas.mean });
  const [main] = rows.filter((row) => row.aas >= 0.01).toSorted((a, b) => b.aas - a.aas);
  return main ?? null;
}

export function waitSpreadOf(answer: FullAnswer): SpreadModel | null {
  const main = mainWait(answer);
  if (main === null) return null;
  const buckets = bucketsOf(answer, main.name);
  if (buckets.shares.length === 0) return null;
  return { event: main.name, label: "mean", value: formatMs(main.meanMs), class: main.class, ...buckets };
}

export function serviceSpreadOf(answer: FullAnswer, side: "A" | "B"): SpreadModel | null {
  const row = serviceIn(answer.report);
  const buckets = bucketsOf(answer, "service");
  return row === null || buckets.shares.length === 0
    ? null
    : { label: "Answer, p99", value: formatMs(row.response_ms.p99), class: side, ...buckets };
}

export function responseSpreadOf(answer: FullAnswer, side: "A" | "B"): SpreadModel {
  const { count, p99 } = answer.report.response_ms;
  return {
    label: "Transaction, p99", value: count === 0 ? "–" : formatMs(p99), class: side,
    ...bucketsOf(answer, "transaction"),
  };
}
