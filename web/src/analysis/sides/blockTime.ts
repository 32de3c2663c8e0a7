/** Where the time of requests for blocks goes, by who asked and who served; and the global cache as AWR prints it. */
import type { Report } from "../../engine";
import { databaseFigure } from "../read/database";
import { evictionLine } from "../read/evictions";
import { loadOf, messagingOf } from "./cacheTables";
import { clusterOf } from "./cluster";
import type { BlockTimeModel, CharacteristicRow, PairTime } from "./types";

/** As many pairs as there is room for, those first that sessions wait for most. */
const MOST = 8;

/** What there has to be any of. */
const [READ, CHANGED, COPIED, GIVEN] = [
  "gc_cr_blocks_received_per_s", "gc_current_blocks_received_per_s", "gc_cr_blocks_served_per_s",
  "gc_current_blocks_served_per_s",
] as const;

/** As AWR names them, with the figure of the report, and a figure without which there is none. */
const CHARACTERISTICS: readonly (readonly [string, string, string])[] = [
  ["Avg global cache cr block receive time (ms)", "gc_cr_block_receive_ms", READ],
  ["Avg global cache current block receive time (ms)", "gc_current_block_receive_ms", CHANGED],
  ["Avg global cache cr block build time (ms)", "gc_cr_block_build_ms", COPIED],
  ["Avg global cache cr block send time (ms)", "gc_cr_block_send_ms", COPIED],
  ["Global cache log flushes for cr blocks served %", "gc_cr_block_flush_percent", COPIED],
  ["Avg global cache cr block flush time (ms)", "gc_cr_block_flush_ms", "gc_cr_block_flush_percent"],
  ["Avg global cache current block pin time (ms)", "gc_current_block_pin_ms", GIVEN],
  ["Avg global cache current block send time (ms)", "gc_current_block_send_ms", GIVEN],
  ["Global cache log flushes for current blocks served %", "gc_current_block_flush_percent", GIVEN],
  ["Avg global cache current block flush time (ms)", "gc_current_block_flush_ms", "gc_current_block_flush_percent"],
];

function pairsOf(report: Report): readonly PairTime[] {
  const waited = ({ per_s, mean_ms }: Report["pairs"][number]): number => per_s.mean * mean_ms.mean;
  return report.pairs.toSorted((one, other) => waited(other) - waited(one)).slice(0, MOST).map((row) => ({
    from: row.from, server: row.server, reply: row.reply, perS: row.per_s.mean, meanMs: row.mean_ms.mean,
    ci95: row.mean_ms.ci95,
    parts: row.parts.map(({ part, mean_ms }) => ({ part, ms: mean_ms, share: mean_ms / (row.mean_ms.mean || 1) })),
  }));
}

function characteristicsOf(report: Report): readonly CharacteristicRow[] {
  return CHARACTERISTICS.map(([name, id, needed]) => ({
    name, id, values: report.databases.map(({ instance }) => {
      const [found, of] = [databaseFigure(report, id, instance), databaseFigure(report, needed, instance)];
      return found !== null && of !== null && of.mean > 0 ? found.mean : null;
    }),
  }));
}

/** Of a cluster in which somebody asked for a block; null of any other. */
export function blockTimeOf(report: Report, preset: string, hosts: readonly number[] = []): BlockTimeModel | null {
  if (report.pairs.length === 0) return null;
  return {
    preset, pairs: pairsOf(report), left: Math.max(0, report.pairs.length - MOST),
    instances: report.databases.map(({ instance }) => instance), rows: characteristicsOf(report),
    evictions: report.evictions.map(evictionLine), load: loadOf(report), messaging: messagingOf(report),
    cluster: clusterOf(report, hosts),
  };
}
