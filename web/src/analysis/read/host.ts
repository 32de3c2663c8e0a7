/** What the knobs say of the hosts: their threads, and the work these do together. */
import type { KnobValue } from "../../engine";
import { formatCount } from "../../units";
import { numberOf, type AnalysisInput, type Values } from "./input";

export interface Host {
  readonly cores: number;
  readonly threads: number;
  /** The most work of its threads together, in threads that run alone on their cores. */
  readonly capacity: number;
  /** That of all threads busy: less where a core does less with more of them. */
  readonly full: number;
}

/** What a core does with 1, 2, … threads busy; of one number the last alone. */
function yieldsOf(values: Values, part: string, threadsPerCore: number): readonly number[] {
  const text = String(values[`smt_yield${part}`] ?? "1");
  const entries = text.split(/[/,]/).map(Number).filter(Number.isFinite);
  return threadsPerCore <= 1 ? [1] : entries.slice(0, threadsPerCore);
}

function hostAt(values: Values, part: string): Host {
  const cores = numberOf(values, `sockets${part}`, 1) * numberOf(values, `cores_per_socket${part}`, 1);
  const perCore = numberOf(values, `threads_per_core${part}`, 1);
  const yields = yieldsOf(values, part, perCore);
  const [most, full] = [Math.max(1, ...yields), yields.at(-1) ?? 1];
  return { cores, threads: cores * perCore, capacity: cores * most, full: cores * full };
}

/** The parts of the hosts: `@node1`, `@node2`; empty text where there is but one. */
export function hostParts(values: Values): readonly string[] {
  const parts = Object.keys(values).flatMap((key) => /^sockets(@node\d+)$/.exec(key)?.[1] ?? []);
  return parts.length === 0 ? [""] : parts;
}

/** The only host; of several all together. */
export function hostOf(values: Values): Host {
  const hosts = hostParts(values).map((part) => hostAt(values, part));
  const sum = (read: (host: Host) => number): number => hosts.reduce((total, host) => total + read(host), 0);
  return {
    cores: sum(({ cores }) => cores),
    threads: sum(({ threads }) => threads),
    capacity: sum(({ capacity }) => capacity),
    full: sum(({ full }) => full),
  };
}

/** Values with those of one host, counted from 1, by their bare names. */
export function valuesAt(values: Values, node: number): Values {
  const part = `@node${node}`;
  const own = Object.entries(values)
    .filter(([key]) => key.endsWith(part))
    .map(([key, value]): [string, KnobValue] => [key.slice(0, -part.length), value]);
  return { ...values, ...Object.fromEntries(own) };
}

/** How the hardware threads of one host stand in cores and sockets. */
export interface HostShape {
  readonly threads: number;
  readonly perCore: number;
  readonly perSocket: number;
}

/** Host by host, the first first. */
export function shapesOf(values: Values): readonly HostShape[] {
  return hostParts(values).map((part) => {
    const perCore = Math.max(1, numberOf(values, `threads_per_core${part}`, 1));
    const { threads } = hostAt(values, part);
    return { threads, perCore, perSocket: Math.max(1, perCore * numberOf(values, `cores_per_socket${part}`, 1)) };
  });
}

/** How many hosts both sides have; null where one has more. */
export function hostsOf({ preset, differs }: Pick<AnalysisInput, "preset" | "differs">): number | null {
  return differs.includes("cluster_nodes") ? null : preset.nodes;
}

/** How sentences call all hosts together; null where there is but one. Without a number the sides have not as many. */
export function allHosts(hosts: number | null): string | null {
  if (hosts === null) return "all hosts";
  return hosts < 2 ? null : hosts === 2 ? "both hosts" : `all ${formatCount(hosts)} hosts`;
}

/** "Both hosts: ", before a title about sums over hosts; empty where there is but one. */
export function allHostsHead(hosts: number | null): string {
  const all = allHosts(hosts);
  return all === null ? "" : `${all.charAt(0).toUpperCase()}${all.slice(1)}: `;
}
