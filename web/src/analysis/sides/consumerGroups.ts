/** Consumer groups of the instances that have several. */
import type { Report } from "../../engine";
import { plainText } from "../../base/plainText";
import type { ConsumerGroup } from "./types";

/** In the order of the report; null where no instance has several. */
export function consumerGroupsOf(report: Report): readonly ConsumerGroup[] | null {
  const isOne = report.instances.length === 1;
  const rows = report.consumer_groups?.map((row): ConsumerGroup => ({
    instance: isOne ? null : row.instance,
    name: plainText(row.name),
    sessions: row.sessions,
    perSecond: row.transactions_per_s.mean,
    perSecondHalf: row.transactions_per_s.ci95,
    response_ms: row.transactions_per_s.mean > 0 ? row.response_ms.mean : null,
    responseHalf_ms: row.response_ms.ci95,
    onThread: row.cpu.mean,
    runQueue: row.run_queue.mean,
    waits: row.waits.map(({ event, aas }) => [event, aas.mean] as const),
  }));
  return rows ?? null;
}
