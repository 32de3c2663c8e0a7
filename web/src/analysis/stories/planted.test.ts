/** Scenarios in which one thing alone makes the difference: it is named first, and explains nearly all. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { loadWasm } from "../../engine/loadWasm";
import { simulatedInput, simulatedPair } from "../../testing/simulatedInput";
import type { AnalysisInput } from "../read/input";
import { throughputParts } from "../sides/ledger";
import { findingOf } from "./finding";

const module = await loadWasm(readFileSync(new URL("../../engine/wasm/sim_bg.wasm", import.meta.url)));

/** Eight threads of four cores, no cage. */
const free = "instance-caging-metal?resource_manager_plan=none";
/** Four threads of as many cores, no cage and no cost of a change. */
const bare = `${free}&threads_per_core=1&switch_direct_us=0&switch_refill_us=0`;
const affine = "soft-affinity-tpcc?affinity=none&a.affinity=none&llc_share_penalty=0&socket_coherence=0";

/** What is planted in B, the link, and how the causes begin. */
const links: readonly (readonly [string, string, string])[] = [
  ["cache refill", `${free}&sessions=16&switch_refill_us=1500&a.switch_refill_us=0`, "Refilling of caches"],
  [
    "migration", `${bare}&os_scheduler=round_robin&rr_quantum_ms=5&sessions=10&migration_refill_us=1000`
      + "&a.migration_refill_us=0", "Refilling after moves",
  ],
  ["dead ticks", "caging-nine-on-six?rm_tick_ms=50&a.rm_tick_ms=0", "Time of empty slots"],
  ["a narrow cage", "caging-nine-on-six?cpu_count=3&rm_tick_ms=0&a.cpu_count=6", "Idle time behind the cage"],
  [
    "a held latch", `${bare}&migration_refill_us=0&latch_hold_us=2.1&latch_share=0.05&latch_exclusive_share=1`
      + "&latch_spin_us=1000&sessions=8&a.latch_share=0", "Spinning and waiting for latches",
  ],
  ["siblings", `${free}&sessions=8&smt_yield=1.1&a.smt_yield=2`, "Slowing by siblings"],
  ["remote memory", `${affine}&numa_memory=interleaved&a.numa_memory=local`, "Slowing by remote memory"],
  ["shared blocks", "lpar-smt4?core_coherence=0.1&a.core_coherence=0", "Slowing by shared blocks"],
  [
    "contention", "lpar-smt4?core_coherence=0&scaling_kappa=0.005&a.scaling_kappa=0&a.core_coherence=0",
    "Slowing by contention between cores",
  ],
  [
    "binding", `${free}&sessions=8&cpus_allowed@session=0-3&a.cpus_allowed@session=all`, "Idle time from CPU binding",
  ],
  [
    "cpu.max of a kind", `${free}&sessions=8&kind_cpu_weight@session=100&kind_cpu_max_quota_ms@session=400`
      + "&a.kind_cpu_max_quota_ms@session=0", "Idle time from cpu.max",
  ],
  ["cpu.max", `${free}&sessions=8&cgroup=own&cpu_max_quota_ms=300&a.cpu_max_quota_ms=0`, "Idle time from cpu.max"],
  [
    "uneven queues", `${free}&os_scheduler=AIX&sched_migration_cost_ms=50&sessions=12&lio_per_transaction=3000`
      + "&think_time_ms=5&demand_distribution=exponential&a.sched_migration_cost_ms=0",
    "Idle time beside uneven queues",
  ],
  [
    "load beside", `${free}&sessions=8&background_processes=6&background_sleep_ms=0&a.background_processes=0`,
    "Work of other processes",
  ],
  ["too few sessions", `${bare}&sessions=2&a.sessions=4`, "Idle time for lack of work"],
];

/** The first cause with its points, and the whole difference in percent. */
function firstOf(input: AnalysisInput): { readonly words: string; readonly points: number; readonly whole: number } {
  const why = findingOf(input).why.map(({ text }) => text).join("").replaceAll("\u00a0", " ");
  const [, words = why, sign, points] = /^(.+?): ([+−])([\d.,]+) points[;.]/.exec(why) ?? [];
  const [a, b] = [input.fullA, input.fullB].map((full) => full!.report.throughput.lio_per_s.mean);
  return { words, points: Number(points) * (sign === "−" ? -1 : 1), whole: 100 * (b! / a! - 1) };
}

function expectFirst(input: AnalysisInput, words: string): void {
  const found = firstOf(input);
  expect(found.words).toBe(words);
  expect(found.whole).toBeLessThan(-1);
  expect(found.points / found.whole).toBeGreaterThan(0.9);
  expect(found.points / found.whole).toBeLessThan(1.1);
}

it.each(links)("%s", (_, link, words) => {
  const input = simulatedInput(module, `#v1/${link}`);
  expect(input).not.toBeNull();
  expectFirst(input!, words);
});

it("a capped consumer group", () => {
  const groups = (limit: number) => [
    { name: "OLTP", shares: 1, level: 1 }, { name: "BATCH", shares: 1, level: 1, utilization_limit: limit },
  ];
  const scenario = (limit: number) => JSON.stringify({
    version: 1, nodes: [{ cores_per_socket: 8, threads_per_core: 1 }],
    instances: [{
      sessions: 8, resource_manager_plan: "default", cpu_count: 8, rm_tick_ms: 0, consumer_groups: groups(limit),
    }],
  });
  const [fullA, fullB] = simulatedPair(module, scenario(25), scenario(100));
  // The page has no document: names are those of any link, what is told is of the reports.
  const input = simulatedInput(module, "#v1/caging-nine-on-six?cpu_count=8");
  expect(input).not.toBeNull();
  const capped = { ...input!, fullA, fullB };
  expectFirst(capped, "Idle time behind limits of consumer groups");
  // Of four sessions of a group of two slots, two wait; so two of eight threads have nobody.
  expect(findingOf(capped).why.map(({ text }) => text).join("").replaceAll("\u00a0", " ")).toContain(
    "Limits of consumer groups leave slots free while 2.0 sessions wait: none of 8 threads idle for that",
  );
});

it("slots that an instance does not want are no limit of consumer groups beside the cage of another", () => {
  const link = "#v1/two-instances?sessions@instance1=4&cpu_count@instance2=2&think_time_ms=20";
  const why = findingOf(simulatedInput(module, link)!).why.map(({ text }) => text).join("");
  expect(why).toMatch(/[Ii]dle time behind the cage/);
  expect(why).not.toMatch(/consumer groups/);
});

it("a cage narrower than the sessions is the cause however many threads there are, in headline and why alike", () => {
  const input = simulatedInput(module, "#v1/caging-nine-on-six?cores_per_socket=217");
  const first = firstOf(input!);
  expect(first.words).toBe("Idle time behind the cage");
  // Three of nine sessions, beside those that wait for the tick.
  expect(first.points).toBeCloseTo(-100 / 3, 0);
  expect(findingOf(input!).headline).toMatch(/: the cage holds 3\.5 sessions back beside idle threads$/);
});

it.each([
  // Of eight threads two run, two stand idle for who is bound and ready, four behind the cage: without it as many.
  [4, "0-1", "Idle time from CPU binding", /: 2\.0 of 8 threads idle, out of bounds$/],
  [2, "0-3", "Idle time behind the cage", /: the cage holds 14\.0 sessions back beside idle threads$/],
])("of a cage of %d and the CPUs %s the narrower is named first", (slots, cpus, words, headline) => {
  const link = `instance-caging-metal?sessions=16&cpu_count=${slots}&rm_tick_ms=0&cpus_allowed@session=${cpus}`;
  const input = simulatedInput(module, `#v1/${link}&a.resource_manager_plan=none&a.cpus_allowed@session=all`);
  expect(firstOf(input!).words).toBe(words);
  expect(findingOf(input!).headline.replaceAll("\u00a0", " ")).toMatch(headline);
  const alone = simulatedInput(module, `#v1/${link}&a=`);
  const why = findingOf(alone!).why.map(({ text }) => text).join("").replaceAll("\u00a0", " ");
  const named = words.charAt(0).toLowerCase() + words.slice(1);
  expect(why.replace(/^.*?work is .*? %, /, "")).toMatch(new RegExp(`^${named}`));
});

it("of a cage and processes beside it that are bound the larger is named first", () => {
  // Two sessions and one of two other processes run: one thread is idle for the second, four behind the cage.
  const link = "instance-caging-metal?sessions=16&cpu_count=2&rm_tick_ms=0&background_processes=2&background_sleep_ms=0"
    + "&cpus_allowed@background=0&a.resource_manager_plan=none&a.cpus_allowed@background=all";
  expect(firstOf(simulatedInput(module, `#v1/${link}`)!).words).toBe("Idle time behind the cage");
});

it("few moves between sockets explain nothing, and no rate stands before a cause", () => {
  const input = simulatedInput(module, "#v1/caging-nine-on-six?sockets=2&threads_per_core=2&sessions=30&cpu_count=14");
  const why = findingOf(input!).why.map(({ text }) => text).join("");
  expect(why).toMatch(/^Idle time behind the cage: /);
  expect(why).not.toContain("change last-level cache");
});

it("others that have threads as long as sessions wait for a commit, or had them, are not the cause themselves", () => {
  const kinds = ["session", "background", "dbwr", "ckpt"].map((kind) => `class@${kind}=TS`).join("&");
  const all = `log-writer-starved?sessions=200&os_scheduler=EEVDF&priority@lgwr=1&${kinds}`;
  const why = (b: string, a: string): string =>
    findingOf(simulatedInput(module, `#v1/${all}&class@lgwr=${b}&a.class@lgwr=${a}`)!).why.map(({ text }) => text)
      .join("").replaceAll("\u00a0", " ");
  expect(why("TS", "RR")).toMatch(
    /^Threads that others have while sessions wait longer for log file sync: −[\d.]+ points; .*Of a transaction /,
  );
  expect(why("RR", "TS")).toMatch(
    /^Threads that others had while sessions waited longer for log file sync: \+[\d.]+ points; .*Of a transaction /,
  );
});

it("threads that would stand idle cost nothing where fewer, faster ones take their place, and gain as little", () => {
  const parts = (knobs: string): readonly (readonly [string, number])[] => {
    const input = simulatedInput(module, `#v1/your-host?cpu_type=Gold_6148&${knobs}&a.cpu_type=none`)!;
    return throughputParts(input.fullA!.report, input.fullB!.report).map(({ cause, points }) => [cause, points]);
  };
  const of = (all: ReturnType<typeof parts>, cause: string): number =>
    all.reduce((sum, [own, points]) => sum + (own === cause ? points : 0), 0);
  // Of 64 threads and of 32 some nine are busy. Faster cores alone give 3.9 %.
  const fewer = parts("sessions=10&cores_per_socket=8&a.cores_per_socket=16");
  expect(Math.abs(of(fewer, "capacity"))).toBeLessThan(0.5);
  expect(of(fewer, "speed")).toBeLessThan(3);
  const more = parts("sessions=10&cores_per_socket=20&a.cores_per_socket=16");
  expect(Math.abs(of(more, "capacity"))).toBeLessThan(0.5);
  // Where all are busy, fewer are what it costs.
  const full = parts("sessions=60&cores_per_socket=4&a.cores_per_socket=16");
  expect(of(full, "capacity")).toBeLessThan(-60);
});
