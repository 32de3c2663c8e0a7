/** What no scheduler can exceed: the host's work rate, and what the load asks of it. */
import { formatFixed } from "../../units";
import { hostOf, hostParts, type Host } from "../read/host";
import { isOpen, numberOf, type AnalysisInput } from "../read/input";
import type { Scale } from "../read/metrics";
import { countWord } from "../read/names";
import type { CurveModel } from "./types";

interface Load {
  readonly demandMs: number;
  readonly thinkMs: number;
  readonly lio: number;
  readonly instances: number;
}

function loadOf(input: AnalysisInput): Load {
  const lio = numberOf(input.b, "lio_per_transaction", 1);
  const instances = Math.max(1, input.fullB?.report.instances.length ?? 1);
  return {
    lio, demandMs: (lio * numberOf(input.b, "lio_us", 1)) / 1000, thinkMs: numberOf(input.b, "think_time_ms", 0),
    instances,
  };
}

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

function throughputBound(input: AnalysisInput, scale: Scale, from: number, to: number): Bound {
  const host = hostOf(input.b);
  const load = loadOf(input);
  const most = (host.capacity * load.lio * 1000) / load.demandMs;
  const each = isOpen(input.b) ? load.lio : (load.lio * 1000) / (load.demandMs + load.thinkMs);
  const knee = most / (each * load.instances);
  const xs = cornersOf(input, Math.min(from, 0), knee, to);
  const points = xs.map((x) => ({ x, y: Math.min(most, x * each * load.instances) / scale.divisor }));
  return { points, label: `bound ${formatFixed(most / scale.divisor, 2)}: ${reasonOf(host)}` };
}

/** No transaction is faster than alone; N of them share the host's capacity. */
function responseBound(input: AnalysisInput, scale: Scale, from: number, to: number): Bound {
  const host = hostOf(input.b);
  const load = loadOf(input);
  const atLeast = (x: number): number =>
    isOpen(input.b)
      ? load.demandMs
      : Math.max(load.demandMs, (x * load.instances * load.demandMs) / host.capacity - load.thinkMs);
  const knee = (host.capacity * (load.demandMs + load.thinkMs)) / (load.demandMs * load.instances);
  const xs = cornersOf(input, from, knee, to);
  return { points: xs.map((x) => ({ x, y: atLeast(x) / scale.divisor })), label: `bound: ${reasonOf(host)}` };
}

/** A few active cores run faster than all do. */
function hasTurbo(values: AnalysisInput["b"]): boolean {
  return (values.cpu_type ?? "none") !== "none" || numberOf(values, "turbo_one_core", 1) > 1;
}

/**
 * Null where x is no load, or one of several hosts may be full before the others are, or turbo makes of a few sessions
 * more than as many shares, so that no such bound holds.
 */
export function boundOf(input: AnalysisInput, scale: Scale, [from, to]: readonly [number, number]): Bound | null {
  const { knob } = input.xAxis;
  if (knob !== "sessions" && knob !== "arrivals_per_s") return null;
  if (!(loadOf(input).demandMs > 0) || hostParts(input.b).length > 1 || hasTurbo(input.b)) return null;
  if (input.metric.id === "throughput_lio") return throughputBound(input, scale, from, to);
  return input.metric.id === "response_mean_ms" ? responseBound(input, scale, from, to) : null;
}
