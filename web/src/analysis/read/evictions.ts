/** Nodes and instances that left their cluster, in words. */
import type { Report } from "../../engine";
import { formatShort } from "../../units";

export type Eviction = Report["evictions"][number];

/** A node goes with all that runs on it; LMHB ends an instance alone. */
export const whoLeft = ({ reason, node, instance }: Eviction): string =>
  reason === "misscount" ? `node ${node}` : `instance ${instance}`;

export const whyLeft = ({ reason }: Eviction): string =>
  reason === "misscount" ? "heartbeats were missing for css_misscount_s" : "an LMS had not moved for 70 s";

/** Whoever left in the start of which the page draws what happened when, the first. */
export const leftInFirst = ({ evictions }: Pick<Report, "evictions">): readonly Eviction[] =>
  evictions.filter(({ replication }) => replication === 1);

/** "Start 1: node 3 left the cluster at 30.2 s: heartbeats were missing for css_misscount_s". */
export const evictionLine = (row: Eviction): string =>
  `Start ${row.replication}: ${whoLeft(row)} left the cluster at ${formatShort(row.at_s)} s: ${whyLeft(row)}`;
