/** An instance with redo and database writers: its figures, and what it was like from moment to moment. */
import type { DatabaseRow, Est, FullAnswer, Report } from "../../engine";
import { columnOf } from "./columns";

/** The first of them; null where there is none. */
export const databaseIn = (report: Report): DatabaseRow | null => report.databases[0] ?? null;

/** A figure of an instance, the first where none is named, by its name; null where it has none of that name. */
export function databaseFigure(report: Report, id: string, instance?: number): Est | null {
  const row = instance === undefined ? databaseIn(report) : report.databases.find((one) => one.instance === instance);
  return row?.figures.find((figure) => figure.id === id)?.value ?? null;
}

/** Whether a figure is of what comes once a log, of which none filled while it was watched. */
export const isUnseen = (figure: Est | null): boolean => figure !== null && figure.ci95 === null && figure.mean === 0;

/** Counts are since the start, in the first replication. */
export interface Moments {
  readonly timesS: Float64Array;
  readonly commits: Float64Array;
  /** Commits answered by writes of the log. */
  readonly commitsWritten: Float64Array;
  readonly logWrites: Float64Array;
  /** CPU time of the database writers [s]. */
  readonly writersS: Float64Array;
  /** Redo for which the present log has room [MB]. */
  readonly roomMb: Float64Array;
  /** Redo whose buffers are to be written before the next log may be used again [MB]. */
  readonly lateMb: Float64Array;
  /** 1 while somebody waits for a log that is not free. */
  readonly stalled: Float64Array;
}

/** Null where nothing was recorded. */
export function momentsIn(answer: Pick<FullAnswer, "report" | "data">): Moments | null {
  const row = databaseIn(answer.report);
  const column = (name: string): Float64Array => columnOf(answer, `database${row?.instance ?? 1}/${name}`);
  const timesS = column("time_s");
  return timesS.length < 2
    ? null
    : {
        timesS, commits: column("commits"), commitsWritten: column("commits_written"),
        logWrites: column("log_writes"), writersS: column("writers_s"), roomMb: column("room_mb"),
        lateMb: column("late_mb"), stalled: column("stalled"),
      };
}
