/** A page whose numbers come from closed forms: eight threads, CFS slices against a cage of 100 ms and a 10 ms tick. */
import type {
  ActiveSessionsModel, CurvePoint, LaneSlice, MatrixModel, PageModel, SideModel, SpreadModel, Stage,
} from "../analysis/types";

const SINGLE = 0.6;
const RISE = [0, 1, 1.93, 2.79, 3.57, 4.29, 4.93, 5.5, 6];
const PLATEAU = [0, 0.55, 1.09, 1.64, 2.19, 2.51, 2.81, 3.09, 3.35];
const REFILL_MS = 0.8;
const HIGHEST = 48;

const sliceMs = (n: number): number => (n <= 8 ? 100 : Math.max(3, 24 / (n / 8)));
export const uncaged = (n: number): number =>
  SINGLE * (RISE[Math.min(8, n)] ?? 6) * (n <= 8 ? 1 : 1 - REFILL_MS / (sliceMs(n) + REFILL_MS));
export const caged = (n: number, cpus: number): number => (n <= cpus ? SINGLE * (RISE[n] ?? 6) : (PLATEAU[cpus] ?? 0));

function curve(f: (n: number) => number, relative: number, every: number): readonly CurvePoint[] {
  const points: CurvePoint[] = [];
  for (let x = 1; x <= HIGHEST; x += every)
    points.push({ x, y: f(x), ci95: f(x) * relative, reps: [], truncated: false });
  return points;
}

function bands(n: number, isCaged: boolean): ActiveSessionsModel {
  const timesS = Array.from({ length: 80 }, (_, i) => i * 0.05);
  const grown = (t: number) => Math.min(1, (t + 0.05) / 0.5);
  const wobble = (i: number) => (isCaged && n > 8 ? 0.7 - (i % 4 === 0 ? 0.35 : 0) : 0);
  const running = timesS.map((t, i) => Math.min(8 - wobble(i), n * grown(t)));
  const waiting = timesS.map((t, i) => Math.max(0, n * grown(t) - (running[i] ?? 0)));
  const last = { running: running.at(-1) ?? 0, waiting: waiting.at(-1) ?? 0 };
  return {
    timesS, bucketS: 0.05, warmupS: 1, cpuLine: 8, yMax: n, left: [],
    layers: [
      { class: "CPU", label: "running", values: running, mean: last.running },
      isCaged
        ? { class: "Scheduler", label: "resmgr:cpu quantum", values: waiting, mean: last.waiting }
        : { class: "run queue", label: "run queue", values: waiting, mean: last.waiting },
    ],
  };
}

function lanes(n: number, isCaged: boolean): SideModel["lanes"] {
  const slices: LaneSlice[] = [];
  const length = isCaged ? 100 : sliceMs(n);
  const gap = isCaged ? 10 : REFILL_MS;
  for (let thread = 0; thread < 8; thread++) {
    let at = -((thread * 37) % length);
    for (let k = 0; at < 120; k++, at += length + gap) {
      slices.push({
        thread, startMs: Math.max(0, at), endMs: Math.min(120, at + length + gap), debtMs: at < 0 ? 0 : gap,
        process: thread + 8 * (k % Math.max(1, Math.round(n / 8))),
      });
    }
  }
  return {
    threads: 8, threadsPerCore: 2, windowMs: 120, slices: slices.filter((s) => s.endMs > s.startMs), followed: 3,
    followedName: "session", caption: isCaged ? "60 of 120 ms, once" : "48 of 120 ms, 7 times",
  };
}

function spread(
  label: string, value: string, name: SpreadModel["class"], shares: Readonly<Record<number, number>>,
): SpreadModel {
  const powers = Array.from({ length: 11 }, (_, i) => i);
  return {
    label, value, class: name, edgesMs: powers.map((p) => 2 ** p),
    shares: powers.slice(0, -1).map((p) => shares[p] ?? 0), meansMs: powers.slice(0, -1).map((p) => 1.5 * 2 ** p),
  };
}

function side(n: number, isCaged: boolean, cpus: number): SideModel {
  return isCaged
    ? {
        name: `cpu_count ${cpus}`, activeSessions: bands(n, true), lanes: lanes(n, true),
        waitSpread: spread("One wait, mean", "340 ms", "Scheduler", { 8: 1 }),
        responseSpread: spread("Transaction, p99", "380 ms", "B", { 3: 0.19, 4: 0.53, 5: 0.05, 8: 0.22 }),
        serviceSpread: null,
      }
    : {
        name: "no cage", activeSessions: bands(n, false), lanes: lanes(n, false),
        waitSpread: spread("One wait, mean", "20.7 ms", "run queue", { 4: 1 }),
        responseSpread: spread("Transaction, p99", "195 ms", "A", { 5: 0.15, 6: 0.6, 7: 0.24 }), serviceSpread: null,
      };
}

export interface FixtureOptions {
  readonly sessions?: number;
  readonly before?: number | null;
  readonly cpus?: number;
  readonly stage?: Stage;
}

const settled: Stage = { kind: "settled", precision: 0.004, asked: 0.03 };

export function fixturePage({ sessions = 32, before = null, cpus = 8, stage = settled }: FixtureOptions = {}): PageModel
  & Pick<MatrixModel, "a" | "b"> {
  const relative = stage.kind === "coarse" ? 0.06 : stage.kind === "refining" ? 0.021 : 0.004;
  const every = stage.kind === "coarse" ? 6 : 1;
  const isEmpty = stage.kind === "empty";
  const a = isEmpty ? [] : curve(uncaged, relative, every);
  const b = isEmpty
    ? []
    : curve((n) => caged(n, cpus), relative, every).map((p) => ({
        ...p, truncated: stage.kind === "truncated" && p.x > 36,
      }));
  const difference = b.map((p, i) => ({ x: p.x, value: (p.y / (a[i]?.y ?? 1) - 1) * 100, ci95: relative * 50 }));
  const turn = difference.find((p, i) => i > 0 && p.value >= 0 && (difference[i - 1]?.value ?? 0) < 0);
  return {
    stage,
    finding: {
      headline: "Caging adds 5.5 % to throughput at 32 sessions, "
        + "but 1 % of transactions take 380 ms or more, not 195 ms",
      short: [
        { text: "+5.5 %", face: "strong-b" }, { text: " throughput, p99 195 → " }, { text: "380 ms", face: "strong" },
      ],
      why: [
        {
          text: "Some 24 sessions wait for eight threads on both sides. Linux takes a session off every 6.8 ms and "
            + "each change refills the cache for 0.8 ms: ",
        },
        { text: "11.8 % lost", face: "strong" },
        { text: ". The cage holds on for 100 ms, then its slot stands empty to the next 10 ms tick: " },
        { text: "6.9 % lost", face: "strong-b" },
        { text: "." },
      ],
      isSaid: true,
    },
    curve: {
      title: "Without the cage, throughput falls past 8 sessions",
      metric: { id: "throughput_lio", title: "Logical reads", better: "up" }, unit: "M LIO/s", differenceUnit: "%",
      xLabel: "sessions", xWords: null, xScale: "linear", xA: null, xDomain: [1, HIGHEST], x: sessions, xBefore: before,
      nameA: "no cage", nameB: `cpu_count ${cpus}`, alongA: "no cage", alongB: `cpu_count ${cpus}`, a, b,
      endlessA: [], endlessB: [],
      family: isEmpty
        ? []
        : [1, 2, 3, 4, 5, 6, 7].map((c) => ({ label: String(c), points: curve((n) => caged(n, c), 0.01, 1) })),
      familyName: "cpu_count",
      bound: {
        points: [
          { x: 0, y: 0 }, { x: 6, y: 3.6 }, { x: HIGHEST, y: 3.6 },
        ],
        label: "bound 3.60: eight threads do the work of six cores",
      },
      published: [{ x: 8, y: 3.6, label: "published 3.6", role: "input", hasMoved: false }], difference,
      even: turn === undefined ? [] : [turn.x], stage,
    },
    a: isEmpty ? null : side(sessions, false, cpus),
    b: isEmpty ? null : side(sessions, true, cpus),
    trust: isEmpty
      ? null
      : {
          precision: "±0.4 %, 3 % asked", precisionOk: stage.kind !== "truncated", warmup: "1.0 s of 60 s cut",
          seed: "42", events: "48,300 events in 38 ms",
          laws: [
            { name: "Little’s law", ok: stage.kind !== "failed", residual: "4.1 %" },
            { name: "Utilisation law", ok: true, residual: "0 %" },
            { name: "Classes sum to 32.00", ok: true, residual: "0 %" },
          ],
          cost: "0.7 s here, 24 h on the machine",
        },
  };
}
