/** A small catalogue for tests: same shape as the simulation's own, fewer rows. */
import type { Catalogue, Knob, Preset, Texts } from "../engine/catalogue";

function knob(
  id: string, group: Knob["group"], min: number, max: number, value: number, more: Partial<Knob> = {},
): Knob {
  return {
    id, group, min, max, name_scope: "instance", kind: "integer", unit: null, step: 1, scale: "linear",
    default: value,
    status: "constant", restart: false, acts: "always", front: false, ...more,
  };
}

function choice(id: string, group: Knob["group"], choices: string[], more: Partial<Knob> = {}): Knob {
  return {
    id, group, choices: [...choices], name_scope: "instance", kind: "choice", unit: null, min: null, max: null,
    step: null, scale: "linear",
    default: choices[0] ?? "",
    status: "constant", restart: false, acts: "always", front: false, ...more,
  };
}

const knobs: Knob[] = [
  choice("resource_manager_plan", "Instance", ["none", "default"]),
  knob("cpu_count", "Instance", 1, 64, 8, {
    unit: "threads", default_product: ["sockets", "cores_per_socket", "threads_per_core"],
    acts: { is: ["resource_manager_plan", ["default"]] },
  }),
  knob("rm_quantum_ms", "Instance", 10, 1000, 100, { unit: "ms", kind: "number" }),
  knob("rm_tick_ms", "Instance", 0, 100, 10, { unit: "ms", kind: "number" }),
  knob("sessions", "Workload", 1, 1000, 32, { said: "{} session|{} sessions" }),
  knob("think_time_ms", "Workload", 0, 10_000, 0, { unit: "ms", kind: "number" }),
  knob("lio_per_transaction", "Workload", 1, 10_000_000, 60_000),
  knob("lio_us", "Workload", 0.1, 100, 1.667, { unit: "µs", kind: "number", scale: "log", step: null }),
  choice("os_scheduler", "Operating system", ["CFS", "EEVDF", "fifo"], {
    name_scope: "node", front: true, said: "{}",
  }),
  knob("switch_refill_us", "Operating system", 0, 5000, 55, {
    unit: "µs", kind: "number", scale: "log", status: "free",
  }),
  knob("switch_direct_us", "Operating system", 0, 100, 2, { unit: "µs", kind: "number" }),
  knob("sockets", "Host", 1, 8, 1, { name_scope: "node" }),
  knob("cores_per_socket", "Host", 1, 64, 4, { name_scope: "node", unit: "cores" }),
  knob("threads_per_core", "Host", 1, 8, 2, { name_scope: "node" }),
  knob("smt_yield", "Host", 1, 8, 1.5, { name_scope: "node", kind: "vector", unit: "×", most_entries: 16 }),
  choice("guest_sees_smt", "Host", ["no", "yes"], { name_scope: "node", acts: { above: ["threads_per_core", 1] } }),
  knob("seed", "Run", 0, 9_007_199_254_740_991, 42, { name_scope: "run" }),
];

const cage: Preset = {
  id: "instance-caging-vm",
  title: "Instance caging on a VM",
  set: { resource_manager_plan: "default", switch_refill_us: 800 },
  compare: { resource_manager_plan: "none" },
  nodes: 1,
  instances: [1],
  ranges: { sessions: { min: 1, max: 48 } },
  sweep: { knob: "sessions", from: 1, to: 48, step: 1 },
  metric: "throughput_lio",
  family: { knob: "cpu_count", values: [1, 2, 3, 4, 5, 6, 7] },
  hinge: { knob: "switch_refill_us", from: 10, to: 2000, marks: [{ value: 55, label: "bare metal" }] },
  published: [{ x: 8, y: 3.6e6, label: "published 3.6 M LIO/s", role: "input", unit: "LIO/s" }],
  opens: null,
  variants: null,
  cost_note: 5,
};

const plain: Preset = {
  id: "no-cage",
  title: "No cage at all",
  set: {},
  compare: {},
  nodes: 1,
  instances: [1],
  ranges: {},
  sweep: { knob: "sessions", from: 1, to: 20, step: 1 },
  metric: "throughput_lio",
  family: null,
  hinge: null,
  published: [],
  opens: null,
  variants: null,
  cost_note: 0,
};

const two: Preset = {
  ...plain, id: "two-cages", title: "Two instances", instances: [1, 1],
  set: { resource_manager_plan: "default" },
};

export const fakeCatalogue: Catalogue = {
  version: 1,
  knobs,
  groups: ["Instance", "Workload", "Operating system", "Host", "Run"],
  process_kinds: [
    { id: "session", per: "instance", present: "always" },
    { id: "background", per: "host", present: { above: ["background_processes", 0] } },
  ],
  limits: { link_bytes: 8_192, pairs: 100, title: 120, note: 2_000 },
  view_keys: ["view", "y", "x", "follow", "t"],
  presets: [cage, plain, two],
  metrics: [
    { id: "throughput_lio", title: "Logical reads", unit: "LIO/s", better: "up" },
    { id: "response_mean_ms", title: "Response time, mean", unit: "ms", better: "down" },
    { id: "response_p99_ms", title: "Response time, 99th percentile", unit: "ms", better: "down" },
    { id: "switches_per_s", title: "Context switches", unit: "1/s", better: "down" },
    { id: "cpu_wait_time", title: "CPU wait: on CPU less time", unit: "sessions", better: "down" },
  ],
  activities: [
    { event: "idle", class: "Idle", is_wait: false },
    { event: "running", class: "CPU", is_wait: false },
    { event: "run queue", class: "run queue", is_wait: false },
  ],
};

export const fakeTexts: Texts = {
  published: [], snapshots: [], cache_snapshots: [], listings: [], terms: [], works: [], notes: {}, questions: {},
  knobs: Object.fromEntries(knobs.map(({ id }) => [id, { help: `${id} for tests.`, source: "test" }])),
};
