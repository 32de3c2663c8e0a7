/** Random pairs of scenarios that the simulation takes, always the same for a seed. */
import { pairedDifference } from "../base/statistics";
import type { AnalysisInput } from "../analysis";
import type { WasmModule } from "../engine/wasmModule";
import { simulatedInput } from "./simulatedInput";

const PRESETS = [
  "instance-caging-vm", "instance-caging-metal", "caging-nine-on-six", "two-instances", "cpu-queue", "lpar-smt4",
  "soft-affinity-tpcc", "starved-service", "two-hosts", "instance-caging-metal", "two-hosts",
];

const KNOBS: Readonly<Record<string, readonly (number | string)[]>> = {
  sessions: [1, 3, 8, 20, 60, 200], cpu_count: [1, 2, 5, 8, 16], think_time_ms: [0, 5, 50, 400],
  cores_per_socket: [1, 4, 8, 20], threads_per_core: [1, 2], os_scheduler: ["CFS", "EEVDF", "O1", "AIX", "Solaris"],
  resource_manager_plan: ["none", "default"], switch_refill_us: [0, 100, 800], latch_share: [0, 0.01, 0.2],
  rm_quantum_ms: [10, 200], demand_distribution: ["constant", "exponential"], cpu_max_quota_ms: [0, 150],
  background_processes: [0, 3], turbo_one_core: [1, 1.2], smt_yield: [1.2, 1.5], lio_us: [1, 2.5],
  "cpus_allowed@session": ["0-3"], numa_memory: ["local", "interleaved"], core_coherence: [0, 0.1],
  scaling_sigma: [0, 0.02],
  "class@session": ["FIFO", "TS"], migration_refill_us: [0, 1000], sockets: [1, 2], arrivals: ["open", "closed"],
  guest_sees_smt: ["yes", "no"], rm_tick_ms: [0, 10],
};

/** Scenarios with redo and database writers. */
const REDO_PRESETS = ["dbwr-heavy", "dbwr-moderate", "slow-redo-device", "log-writer-starved", "dbwr-heavy"];

const REDO_KNOBS: typeof KNOBS = {
  sessions: [4, 16, 40], db_writer_processes: [1, 2, 8], redo_io_ms: [0.2, 1, 8], data_io_ms: [1, 4, 12],
  redo_log_mb: [10, 18.4, 200], commit_wait: ["nowait"], log_file_sync: ["polling", "adaptive"],
  redo_storage: ["shared"], think_time_ms: [0, 20], cores_per_socket: [2, 8, 16], os_scheduler: ["CFS", "EEVDF", "O1"],
  "class@lgwr": ["FIFO"], redo_log_members: [1, 2], log_buffer_mb: [0.1, 14], lgwr_after_us: [0, 500],
  block_changes_per_transaction: [0, 4, 40], data_io_at_once: [4, 33], dbwr_waits_for: ["all"],
  fast_start_mttr_target: [1, 60], client_ms: [0, 2],
};

/** Numbers of a linear congruence: the same list on every machine. */
function drawing(seed: number): (count: number) => number {
  let state = seed;
  return (count) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * count);
  };
}

function pick<T>(draw: (count: number) => number, of: readonly T[]): T {
  return of[draw(of.length)]!;
}

function randomLink(
  draw: (count: number) => number, presets: readonly string[], knobs: typeof KNOBS,
): string {
  const values = new Map<string, string>();
  const say = (prefix: string): void => {
    const knob = pick(draw, Object.keys(knobs));
    values.set(`${prefix}${knob}`, String(pick(draw, knobs[knob]!)));
    if (knob === "cpu_max_quota_ms") values.set("cgroup", "own");
  };
  for (let i = draw(3); i >= 0; i--) say("");
  for (let i = draw(2); i >= 0; i--) say("a.");
  return `${pick(draw, presets)}?${[...values].map(([key, value]) => `${key}=${value}`).join("&")}`;
}

export interface RandomPair {
  readonly link: string;
  readonly input: AnalysisInput;
}

/** So many of them; of some both sides are one scenario. */
export function randomPairs(
  module: WasmModule, seed: number, count: number, events: number, of: "sessions" | "redo" = "sessions",
): readonly RandomPair[] {
  const draw = drawing(seed);
  const [presets, knobs] = of === "redo" ? [REDO_PRESETS, REDO_KNOBS] : [PRESETS, KNOBS];
  const pairs: RandomPair[] = [];
  while (pairs.length < count) {
    const link = randomLink(draw, presets, knobs);
    const input = simulatedInput(module, `#v1/${link}`, events);
    if (input !== null) pairs.push({ link, input });
  }
  return pairs;
}

/** Half the width of the interval of the difference in throughput [% of A]. */
export function unsureOf({ fullA, fullB }: RandomPair["input"]): number {
  const [a, b] = [fullA, fullB].map((one) => one?.report.throughput.transactions_per_s);
  return a && b ? (100 * (pairedDifference(a.reps, b.reps).ci95 ?? 0)) / a.mean : 0;
}
