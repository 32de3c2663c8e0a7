/** The cluster as a picture: hosts with what their CPUs do, and what goes between them. */
import type { Report } from "../../engine";
import type { ClusterLink, ClusterModel, ClusterNode } from "./types";

/** CPUs that the processes of a kind use on a host. */
function cpusOf({ processes, simulated_s: spanS }: Report, node: number, kind: string): number {
  const rows = processes.filter((row) => row.node === node && row.kind === kind);
  return spanS > 0 ? rows.reduce((sum, row) => sum + row.cpu_s, 0) / spanS : 0;
}

function nodeOf(report: Report, instance: number, node: number): ClusterNode {
  const gone = report.evictions.find((row) => row.instance === instance);
  const row = report.nodes[node - 1];
  return {
    instance, node, cpus: row?.threads ?? 0, busy: row?.cpu_busy_threads ?? 0, lms: cpusOf(report, node, "lms"),
    lgwr: cpusOf(report, node, "lgwr"), perS: report.instances[instance - 1]?.transactions_per_s.mean ?? 0,
    goneS: gone?.at_s ?? null,
  };
}

/** Blocks a second that one instance sends to another, and their mean time. */
function sent({ pairs }: Report, server: number, from: number): readonly [perS: number, meanMs: number] {
  const rows = pairs.filter((row) => row.server === server && row.from === from && row.reply.endsWith("block"));
  const perS = rows.reduce((sum, row) => sum + row.per_s.mean, 0);
  const time = rows.reduce((sum, row) => sum + row.per_s.mean * row.mean_ms.mean, 0);
  return [perS, perS > 0 ? time / perS : 0];
}

function linkOf(report: Report, one: number, other: number): ClusterLink {
  const [there, thereMs] = sent(report, one, other);
  const [back, backMs] = sent(report, other, one);
  return { one, other, there, thereMs, back, backMs };
}

/** `hosts`: of each instance its host. */
export function clusterOf(report: Report, hosts: readonly number[]): ClusterModel {
  // Every instance is a member, also one that writes no redo and so has no row of a database.
  const members = report.instances.map((_, i) => i + 1);
  const links = members.flatMap((one, at) => members.slice(at + 1).map((other) => linkOf(report, one, other)));
  return { nodes: members.map((instance) => nodeOf(report, instance, hosts[instance - 1] ?? instance)), links };
}
