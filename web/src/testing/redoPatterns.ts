/** Sentences about redo, and what their numbers are in the rows of the reports. */
import { expect } from "vitest";
import type { Report } from "../engine";
import { formatMs, formatNumber, formatPercent, formatShort } from "../units";
import { plain } from "./reportFacts";

type Pattern = readonly [string, (found: readonly string[], sides: { readonly a: Report; readonly b: Report }) => void];

const figure = (report: Report, id: string): number =>
  report.databases[0]!.figures.find((row) => row.id === id)!.value.mean;

function stalls(report: Report): string {
  const often = figure(report, "stalls_per_s");
  return often > 0 ? plain(`${formatMs(figure(report, "stall_ms"))} every ${formatNumber(1 / often, 2)} s`) : "never";
}

function sync(report: Report): string {
  const mean = (event: string): number => report.waits.find((row) => row.event === event)?.clocked_ms.mean ?? 0;
  const [wait, write] = [mean("log file sync"), mean("log file parallel write")];
  if (wait === 0) return "none";
  const ratio = write === 0 ? "" : `, as long as ${formatShort(wait / write, 2)} writes of the log`
    .replace(" 1 writes", " 1 write");
  return plain(`${formatMs(wait)}${ratio}${answers(report)}`);
}

/** By the writes of each instance, as AWR counts them. */
function answers(report: Report): string {
  const of = (row: Report["databases"][number], id: string): number =>
    row.figures.find((one) => one.id === id)?.value.mean ?? 0;
  let [writes, late, ms] = [0, 0, 0];
  for (const row of report.databases) {
    const count = of(row, "log_writes_per_s") * of(row, "redo_write_broadcast_ack_percent") / 100;
    writes += of(row, "log_writes_per_s");
    late += count;
    ms += count * of(row, "redo_write_broadcast_ack_ms");
  }
  if (late === 0 || late < 0.01 * writes) return "";
  const share = formatPercent(100 * late / writes);
  return `; other instances’ answers come ${formatMs(ms / late)} after ${share} of these`;
}

export const redoPatterns: readonly Pattern[] = [
  [
    "A log switch waits for the checkpoint: (.+?) with {A}, (.+?) with {B}\\.",
    ([, was, is], { a, b }) => expect([was, is]).toEqual([stalls(a), stalls(b)]),
  ],
  [
    "Blocks written a second: (\\S+) with {A}, (\\S+) with {B}\\.",
    ([, was, is], { a, b }) =>
      expect([was, is]).toEqual([a, b].map((report) => formatShort(figure(report, "blocks_written_per_s")))),
  ],
  [
    "A commit waits (.+?) with {A}, (.+?) with {B}\\.",
    ([, was, is], { a, b }) => expect([was, is]).toEqual([sync(a), sync(b)]),
  ],
];
