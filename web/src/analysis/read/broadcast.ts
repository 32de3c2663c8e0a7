/** Commits that wait for other instances after their redo is on disk. */
import type { Report } from "../../engine";
import { databaseFigure } from "./database";

export interface LateAnswers {
  /** Of all log writes [%]. */
  readonly percent: number;
  /** From the end of such a write to the last answer, mean [ms]. */
  readonly ms: number;
}

/** Writes of all instances whose broadcasts are answered after them; null where nearly none is, or nothing is told. */
export function lateAnswersOf(report: Report): LateAnswers | null {
  const of = (id: string, instance: number): number => databaseFigure(report, id, instance)?.mean ?? 0;
  const rows = report.databases.map(({ instance }) => {
    const writes = of("log_writes_per_s", instance);
    const late = (writes * of("redo_write_broadcast_ack_percent", instance)) / 100;
    return { writes, late, ms: late * of("redo_write_broadcast_ack_ms", instance) };
  });
  const sum = (read: (row: (typeof rows)[number]) => number): number => rows.reduce((all, row) => all + read(row), 0);
  const [writes, late] = [sum((row) => row.writes), sum((row) => row.late)];
  if (late === 0 || late < 0.01 * writes) return null;
  return { percent: (100 * late) / writes, ms: sum((row) => row.ms) / late };
}
