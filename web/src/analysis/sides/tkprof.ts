/** A trace of one session as tkprof prints it: calls of each statement, recursive ones apart, and waits beneath. */
import type { Report } from "../../engine";
import type { Values } from "../read/input";
import type { TkprofModel, TkprofStatement } from "./types";

/** The statement as a model knows it, in words, where nothing was published of its text. */
const NAMES: Readonly<Record<string, string>> = { block: "Block of PL/SQL", select: "SELECT" };

/** The least that a listing prints [s]. */
const PRINTED_S = 0.005;

/** Of the first instance whose sessions ended, as a trace is of one session; null of a steady run. */
export function tkprofOf(
  report: Report, values: Values, preset: string, moved: readonly string[] = [],
): TkprofModel | null {
  const [ended] = report.ended;
  const all = report.statements.filter(({ instance }) => instance === ended?.instance);
  if (ended === undefined || all.length === 0) return null;
  // A block that does nothing itself but call is left out; what it calls never is, however short it was.
  const own = all.filter(({ statement, calls, waits }) =>
    statement !== "block" || waits.length > 0 || calls.some((call) => call.elapsed_s >= PRINTED_S));
  const statements = own.map((row): TkprofStatement => ({
    statement: row.statement, name: NAMES[row.statement] ?? row.statement, depth: row.depth, waits: row.waits,
    calls: row.calls,
  }));
  return {
    preset, values, moved, instance: report.instances.length > 1 ? ended.instance : null, sessions: ended.sessions,
    statements,
  };
}
