/** Waits for the log: what commits and stalls are made of. */
import type { Report } from "../../../engine";
import { lateAnswersOf } from "../../read/broadcast";
import { databaseFigure, isUnseen } from "../../read/database";
import { isUnderWay } from "../../read/input";
import { formatMs, formatNumber, formatPercent, formatShort, unitOf } from "../../../units";
import { basisOf } from "../basis";
import { bySides, moreThanA, type Told, type Words } from "./words";

const SYNC = "log file sync";
const WRITE = "log file parallel write";
const STALL = "log file switch (checkpoint incomplete)";

/** Of a transaction's time it is the wait itself; of the threads' the time that they idle beside it. */
const nounOf = (what: string, idle: string) => ({ input }: Told): string =>
  basisOf(input) === "response" ? what : idle;

const meanOf = (report: Report, event: string): number | null =>
  report.waits.find((row) => row.event === event)?.clocked_ms.mean ?? null;

/** "68.3 ms every 3.1 s"; how often is told by stalls alone. */
function stallsOf(report: Report): string {
  const [each, often] = [databaseFigure(report, "stall_ms"), databaseFigure(report, "stalls_per_s")];
  if (each === null || often === null || !(often.mean > 0)) return "never";
  if (!(each.mean > 0)) return "without an end yet";
  return `${formatMs(each.mean)} every ${formatNumber(1 / often.mean, 2)} s`;
}

function writesOf(report: Report): string {
  const written = databaseFigure(report, "blocks_written_per_s");
  if (isUnseen(written)) return "none seen (no log fills)";
  return `${written?.ci95 === null ? "about " : ""}${formatShort(written?.mean ?? 0)}`;
}

/** All sessions that make redo stand still until the writers are far enough. */
export const stall: Words = {
  cause: `wait ${STALL}`, noun: nounOf("waiting for a free log", "idle time in stalls"),
  headline: () => "log switches wait for the checkpoint",
  sentences: (told) => {
    const what = "log switch waits for the checkpoint: ";
    const lasts = bySides(told, isUnderWay(told.input) ? `So far a ${what}` : `A ${what}`, stallsOf);
    const writes = bySides(told, "Blocks written a second: ", writesOf);
    return [[...lasts, ...writes], lasts].filter((sentence) => sentence.length > 0);
  },
};

/** "; other instances’ answers come 8.2 ms after 96.3 % of these", where their SCN is broadcast. */
function answersOf(report: Report): string {
  const late = lateAnswersOf(report);
  if (late === null) return "";
  return `; other instances’ answers come ${formatMs(late.ms)} after ${formatPercent(late.percent)} of these`;
}

/** "2.46 ms, as long as 2.8 writes of the log". */
function syncOf(report: Report): string {
  const [sync, write] = [meanOf(report, SYNC), meanOf(report, WRITE)];
  if (sync === null) return "none";
  if (write === null || write === 0) return formatMs(sync);
  const writes = formatShort(sync / write, 2);
  return `${formatMs(sync)}, as long as ${writes} ${unitOf(writes, "writes")} of the log${answersOf(report)}`;
}

/** A commit waits for what is left of the write under way, for its own, and for the log writer's CPU. */
export const sync: Words = {
  cause: `wait ${SYNC}`, noun: nounOf(SYNC, `idle time in ${SYNC}`),
  headline: (told) =>
    moreThanA(told, (report) => meanOf(report, SYNC) ?? 0, formatMs, (ms) => `commits wait ${ms}`),
  more: (told) => bySides(told, "A commit waits ", syncOf),
};
