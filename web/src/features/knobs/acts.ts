/** Which knobs can change anything in a scenario: those that cannot are folded away. What the decoder accepts is another matter. */

/** Reads a knob's value, of the same part where it has one. */
export type Read = (id: string) => string | number;

type Rule = (read: Read) => boolean;

const isOneOf = (id: string, ...words: readonly string[]): Rule => (read) => words.includes(String(read(id)));
const isAbove = (id: string, least: number): Rule => (read) => Number(read(id)) > least;
const not = (rule: Rule): Rule => (read) => !rule(read);
const both = (one: Rule, other: Rule): Rule => (read) => one(read) && other(read);

const hasPlan = not(isOneOf("resource_manager_plan", "none"));
const hasSockets = isAbove("sockets", 1);
const isThreaded = not(isOneOf("os_scheduler", "round_robin", "fifo", "processor_sharing"));
const isLinux = isOneOf("os_scheduler", "CFS", "EEVDF", "O1");
const isFair = isOneOf("os_scheduler", "CFS", "EEVDF");
const isClosed = isOneOf("arrivals", "closed");
const isMessages = isOneOf("arrivals", "messages");
const hasGroup = both(isFair, isOneOf("cgroup", "own"));
const hasLatch = both(isAbove("latch_hold_us", 0), isAbove("latch_share", 0));
const hasSmt = isAbove("threads_per_core", 1);
const hasRealTime: Rule = (read) => ["session", "background", "service"].some((kind) => ["FIFO", "RR"].includes(String(read(`class@${kind}`))));

const rules: Readonly<Record<string, Rule>> = {
  cpu_count: hasPlan, rm_quantum_ms: hasPlan, rm_tick_ms: hasPlan, rm_safe_point_ms: hasPlan, rm_short_wait_us: hasPlan, rm_block_handoff: hasPlan, rm_post_us: hasPlan,
  latch_exclusive_share: hasLatch, latch_spin_us: hasLatch,
  sessions: isClosed, think_time_ms: isClosed, session_start_spread_ms: isClosed, arrivals_per_s: isOneOf("arrivals", "open"),
  message_groups: isMessages, message_pairs: isMessages, message_buffer: isMessages,
  socket_coherence: hasSockets, llc_share_penalty: hasSockets, socket_refill_us: hasSockets,
  sched_latency_ms: isOneOf("os_scheduler", "CFS"), sched_min_granularity_ms: isOneOf("os_scheduler", "CFS"), sched_wakeup_granularity_ms: isOneOf("os_scheduler", "CFS"),
  sched_migration_cost_ms: isFair, eevdf_base_slice_ms: isOneOf("os_scheduler", "EEVDF"), eevdf_generation: isOneOf("os_scheduler", "EEVDF"), rr_quantum_ms: isOneOf("os_scheduler", "round_robin"),
  tick_hz: isThreaded, migration_refill_us: isThreaded, idle_scan_cpus: isLinux, interrupt_cpus: isThreaded,
  sched_rt_runtime_us: both(isLinux, hasRealTime), sched_rt_period_us: both(isLinux, hasRealTime),
  sched_r: isOneOf("os_scheduler", "AIX"), sched_d: isOneOf("os_scheduler", "AIX"),
  sched_preferred: isOneOf("affinity", "soft"), sched_allowed: isOneOf("affinity", "soft"),
  class: isThreaded, nice: both(isThreaded, isOneOf("class", "TS", "IA")), priority: not(isOneOf("class", "TS", "IA")), cpus_allowed: isThreaded,
  affinity: isThreaded, affinity_cpus: not(isOneOf("affinity", "none")),
  cgroup: isFair, cpu_weight: hasGroup, cpu_max_quota_ms: hasGroup, cpu_max_period_ms: both(hasGroup, isAbove("cpu_max_quota_ms", 0)),
  background_busy_ms: isAbove("background_processes", 0), background_sleep_ms: isAbove("background_processes", 0),
  service_us: isAbove("service_per_s", 0), service_distribution: isAbove("service_per_s", 0),
  smt_yield: hasSmt, guest_sees_smt: hasSmt, vcpu_remap_ms: both(hasSmt, isOneOf("guest_sees_smt", "no")),
  numa_memory: hasSockets, numa_remote: both(hasSockets, not(isOneOf("numa_memory", "local"))), numa_socket: both(hasSockets, isOneOf("numa_memory", "bound")),
};

const kinds: Readonly<Record<string, Rule>> = { background: isAbove("background_processes", 0), service: isAbove("service_per_s", 0) };

/** `key` may carry a scope: `class@service`. */
export function acts(key: string, read: Read): boolean {
  const [id = "", scope = ""] = key.split("@");
  const hasKind = kinds[scope]?.(read) ?? true;
  return hasKind && (rules[id]?.(read) ?? true);
}

const groups: Readonly<Record<string, string>> = {
  class: "Process kinds", nice: "Process kinds", priority: "Process kinds", cpus_allowed: "Process kinds",
  background_processes: "Process kinds", background_busy_ms: "Process kinds", background_sleep_ms: "Process kinds",
  service_per_s: "Service", service_us: "Service", service_distribution: "Service",
  affinity: "Instance", affinity_cpus: "Instance", cgroup: "Instance", cpu_weight: "Instance", cpu_max_quota_ms: "Instance", cpu_max_period_ms: "Instance",
  numa_memory: "Instance", numa_remote: "Instance", numa_socket: "Instance",
};

const order = ["Instance", "Workload", "Service", "Process kinds", "Operating system", "Host", "Run"];

/** Where the column lists a knob: of the catalogue's groups the largest is parted. */
export function groupOf(key: string, group: string): string {
  return groups[key.split("@")[0] ?? key] ?? group;
}

export function byGroup(one: string, other: string): number {
  return order.indexOf(one) - order.indexOf(other);
}
