/** What no scheduler can exceed: the host's work rate, and what the load asks of it. */
import { formatFixed } from "../../units";
import { hostOf, hostsOf, type Host } from "../read/host";
import { everywhere, isOpen, numberOf, type AnalysisInput } from "../read/input";
import type { Scale } from "../read/metrics";
import { countWord } from "../read/names";
import type { CurveModel } from "./types";

function reasonOf(host: Host): string {
  if (host.threads === 1) return "one thread";
  const threads = `${countWord(host.threads)} threads`;
  const isSmt = Math.abs(host.capacity - host.threads) > 0.005;
  if (!isSmt) return threads;
  const cores = `${countWord(host.cores)} ${host.cores === 1 ? "core" : "cores"}`;
  if (host.capacity > host.full + 0.005)
    return `${cores} with ${Math.abs(host.capacity - host.cores) < 0.005 ? "one thread each" : "some threads idle"}`;
  const whole = Number.isInteger(Number(host.capacity.toFixed(2)))
    ? countWord(Math.round(host.capacity))
    : formatFixed(host.capacity, 2);
  return `${threads} do the work of ${whole} cores`;
}

const LOG_STEPS = 49;

type Bound = NonNullable<CurveModel["bound"]>;

/** Where a line that bends at `knee` needs points: in decades a straight one is not straight. */
function cornersOf({ xAxis }: AnalysisInput, start: number, knee: number, to: number): number[] {
  if (xAxis.scale !== "log") return [start, ...(knee > start && knee < to ? [knee] : []), to];
  const first = Math.max(xAxis.from, to / 10_000);
  const steps = Array.from({ length: LOG_STEPS }, (_, i) => first * (to / first) ** (i / (LOG_STEPS - 1)));
  return [...steps, knee].filter((x) => x >= first && x <= to).toSorted((a, b) => a - b);
}

/**
 * What all must have alike. With others than the values here transactions are other reads than they say, or come
 * without their pause, or a few active cores run faster than all do.
 */
const TERMS: Readonly<Record<string, readonly unknown[]>> = {
  workload: ["logical_reads", "oltp"], executions: [0], query_percent: [0], commits_per_call: [1],
  cpu_type: ["none"], turbo_one_core: [1],
  lio_us: [], lio_per_transaction: [], think_time_ms: [],
  sockets: [], cores_per_socket: [], threads_per_core: [], smt_yield: [],
};

/** What arrives where x is the load. */
const LOADS: Readonly<Record<string, string>> = { sessions: "closed", arrivals_per_s: "open" };

/** Whether one line holds for both sides and all instances: one of several hosts may be full before the others are. */
function isOne(input: AnalysisInput): boolean {
  const { a, b, differs, moved, xAxis: { knob } } = input;
  const all = (id: string): readonly unknown[] => [a, b].flatMap((values) => everywhere(values, id));
  const terms: typeof TERMS = { ...TERMS, arrivals: [LOADS[knob]] };
  return hostsOf(input) === 1
    && Object.entries(terms).every(([id, own]) =>
      all(id).every((value, _, [first]) => (own.length > 0 ? own : [first]).includes(value)))
    && ![...differs, ...moved].some((key) => key.startsWith(`${knob}@`));
}

/**
 * N sessions or arrivals share the host's capacity, and no transaction is faster than alone. Null where x is not the
 * load of all, or no such bound holds.
 */
export function boundOf(input: AnalysisInput, scale: Scale, [from, to]: readonly [number, number]): Bound | null {
  const { b, metric: { id }, preset } = input;
  const isRate = id === "throughput_lio";
  if (!isOne(input) || !(isRate || id === "response_mean_ms")) return null;
  const host = hostOf(b);
  const [lioUs, thinkMs] = [numberOf(b, "lio_us", 1), numberOf(b, "think_time_ms", 0)];
  const demandMs = (numberOf(b, "lio_per_transaction", 1) * lioUs) / 1000;
  const most = (host.capacity * 1e6) / lioUs;
  // One of x asks for a transaction in so long a time.
  const eachMs = isOpen(b) ? 1000 : demandMs + thinkMs;
  const knee = (host.capacity * eachMs) / (demandMs * preset.instances.length);
  const responseMs = (x: number): number => isOpen(b) ? demandMs : Math.max(demandMs, (x * eachMs) / knee - thinkMs);
  const points = cornersOf(input, isRate ? Math.min(from, 0) : from, knee, to)
    .map((x) => ({ x, y: (isRate ? most * Math.min(1, x / knee) : responseMs(x)) / scale.divisor }));
  return { points, label: `bound${isRate ? ` ${formatFixed(most / scale.divisor, 2)}` : ""}: ${reasonOf(host)}` };
}
