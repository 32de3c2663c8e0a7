/** The global cache as AWR prints it and the picture of its cluster, from rows written by hand. */
import { expect, it } from "vitest";
import type { Report } from "../../engine";
import { buildReport, estimate } from "../../testing/buildReport";
import { loadOf, messagingOf } from "./cacheTables";
import { clusterOf } from "./cluster";

const figures = (values: Readonly<Record<string, number>>) =>
  Object.entries(values).map(([id, mean]) => ({ id, unit: "", value: estimate(mean) }));

const base = buildReport("lio 1M\n response 10\n running 1ms 2").report;

const report: Report = {
  ...base, simulated_s: 20,
  databases: [
    { instance: 1, figures: figures({
      gc_cr_blocks_received_per_s: 90, gc_current_blocks_received_per_s: 10, gc_cr_blocks_served_per_s: 20,
      gc_current_blocks_served_per_s: 8, gc_messages_told_per_s: 300, gc_messages_heard_per_s: 212,
      gc_message_queue_ms: 0.4, gc_message_send_queue_ms: 0.01, gc_message_process_ms: 0.15,
    }) },
    { instance: 2, figures: figures({ gc_message_queue_ms: 0 }) },
  ],
  instances: [
    { ...base.instances[0]!, transactions_per_s: estimate(50) },
    { ...base.instances[0]!, transactions_per_s: estimate(0) },
  ],
  nodes: [[8, 3], [2, 1]].map(([threads = 0, busy = 0]) => ({
    ...base.nodes[0]!, threads, cpu_busy_threads: busy,
  })),
  processes: [["lms", 1, 5], ["lms", 2, 8], ["lgwr", 1, 2]]
    .map(([kind, node, cpuS]) => ({ kind, node, cpu_s: cpuS }) as unknown as Report["processes"][number]),
  pairs: [
    [1, 2, "cr block", 30, 2], [1, 2, "current block", 10, 6], [2, 1, "cr block", 5, 1], [1, 2, "cr grant", 99, 1],
  ].map(([from, server, reply, perS, ms]) => ({
      from, server, reply, per_s: estimate(Number(perS)), mean_ms: estimate(Number(ms)),
    }) as unknown as Report["pairs"][number]),
  evictions: [{ replication: 1, at_s: 31, instance: 2, node: 2, reason: "misscount" }],
};

it("tells blocks, messages and traffic, a second and a transaction", () => {
  const of = (name: string) => loadOf(report).find((row) => row.name.startsWith(name))?.values;
  expect(of("Global Cache blocks received")?.[0]).toEqual({ perS: 100, perTransaction: 2 });
  expect(of("Global Cache blocks served")?.[0]).toEqual({ perS: 28, perTransaction: 0.56 });
  expect(of("GCS/GES messages sent")?.[0]?.perS).toBe(300);
  // 128 blocks of 8 KB and 512 messages of 200 B.
  expect(of("Estd Interconnect traffic (KB)")?.[0]?.perS).toBe(1024 + 100);
  expect(of("Global Cache blocks served")?.[1]).toEqual({ perS: 0, perTransaction: null });
});

it("tells no time of messages where there are none", () => {
  expect(messagingOf(report).map(({ values }) => values)).toEqual([[0.01, null], [0.4, null], [0.15, null]]);
});

it("has a host for each instance and what goes between them in either direction", () => {
  const { nodes, links } = clusterOf(report, [1, 2]);
  expect(nodes[0]).toEqual({
    instance: 1, node: 1, cpus: 8, busy: 3, lms: 0.25, lgwr: 0.1, perS: 50, goneS: null,
  });
  expect([nodes[1]?.lms, nodes[1]?.lgwr, nodes[1]?.goneS]).toEqual([0.4, 0, 31]);
  // Sent by 1: what 2 asked it for; sent by 2: thirty of 2 ms and ten of 6 ms.
  expect(links).toEqual([{ one: 1, other: 2, there: 5, thereMs: 1, back: 40, backMs: 3 }]);
});

it("has a host for each instance also where no redo is written, and so no row of a database", () => {
  const { nodes, links } = clusterOf({ ...report, databases: [] }, [1, 2]);
  expect([nodes, links].map(({ length }) => length)).toEqual([report.instances.length, 1]);
});

it("says of the instance that left, whichever host it was on", () => {
  const evictions = [{ ...report.evictions[0]!, instance: 1, node: 2 }];
  const { nodes } = clusterOf({ ...report, evictions }, [2, 1]);
  expect(nodes.map(({ instance, node, goneS }) => [instance, node, goneS])).toEqual([[1, 2, 31], [2, 1, null]]);
});
