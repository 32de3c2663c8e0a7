/** Measured points from a table as text: a header, then a point a line. */
import { dsvFormat } from "d3-dsv";
import { LOADS, MEASURES, MOST_MEASURED, type Measured } from "../../analysis";

export type ReadCsv =
  | { readonly measured: Measured; readonly leftOut: readonly string[] }
  | { readonly wrong: string };

/** Longest text that is read [characters]. */
const MOST = 100_000;
const TAKES = "sessions or arrivals/s; transactions/s or LIO/s; response ms or response s";

interface Column {
  readonly id: (typeof LOADS)[number] | (typeof MEASURES)[number];
  /** How many of its own unit one of the table's is. */
  readonly factor: number;
}

const quote = (text: string): string => `“${text.length > 30 ? `${text.slice(0, 30)}…` : text}”`;

/** `Response time (ms)` and `response_time_ms` are one. */
function plain(name: string): string {
  const spaced = name.toLowerCase().replace(/[\s_()[\].-]+/g, " ");
  return spaced.replace(/ ?\/ ?| per /g, "/").replace(/\/(sec|second)s?\b/, "/s").trim();
}

const NAMES: readonly (readonly [RegExp, Column["id"], number])[] = [
  [/^(load|sessions?|users?|clients?|concurrency)$/, "sessions", 1],
  [/^arrivals?\/s$/, "arrivals_per_s", 1],
  [/^(transactions?|trx|tx)\/s$|^tps$/, "throughput_transactions", 1],
  [/^(lio|lios|logical reads?)\/s$/, "throughput_lio", 1],
  [/^k ?(lio|lios|logical reads?)\/s$/, "throughput_lio", 1e3],
  [/^m ?(lio|lios|logical reads?)\/s$/, "throughput_lio", 1e6],
  [/^(response|response time|latency),? ms$/, "response_mean_ms", 1],
  [/^(response|response time|latency),? s$/, "response_mean_ms", 1e3],
];

function columnOf(name: string): Column | null {
  // `M LIO/s` and `m lio/s` are a million; nothing is counted in thousandths.
  const row = NAMES.find(([is]) => is.test(plain(name)));
  return row === undefined ? null : { id: row[1], factor: row[2] };
}

function delimiterOf(header: string): string {
  return ["\t", ";"].find((one) => header.includes(one)) ?? ",";
}

/** Whether a comma in a number is its decimal sign; null where it might as well part thousands. */
function hasDecimalCommas(delimiter: string, cells: readonly string[]): boolean | null {
  if (delimiter !== "\t") return delimiter === ";";
  const all = cells.filter((cell) => cell.includes(","));
  if (all.length === 0) return false;
  return all.some((cell) => /^\d*,(\d{1,2}|\d{4,})$/.test(cell)) ? true : null;
}

/** The table's columns that are of use, by their places; or what is wrong with its header. */
function columnsOf(header: readonly string[]): (Column | null)[] | string {
  const columns = header.map(columnOf);
  const bare = header.find((name) => /^(response|response time|latency)$/.test(plain(name)));
  if (bare !== undefined) return `${quote(bare)}: in ms or in s? Write response ms or response s.`;
  const ids = columns.flatMap((column) => column?.id ?? []);
  const twice = ids.find((id, i) => ids.indexOf(id) < i);
  if (twice !== undefined) return `Two columns say ${twice}.`;
  const loads = ids.filter((id) => (LOADS as readonly string[]).includes(id));
  const names = `The header is ${header.slice(0, 6).map(quote).join(", ")}; it takes ${TAKES}.`;
  if (loads.length > 1) return "Two columns say the load: sessions or arrivals, not both.";
  if (loads.length === 0) return `No column says the load. ${names}`;
  return ids.length < 2 ? `No column says what was measured. ${names}` : columns;
}

/** A point, or what is wrong with its line. */
function rowOf(
  columns: readonly (Column | null)[], cells: readonly string[], isComma: boolean,
): Map<string, number> | string {
  if (cells.length !== columns.length) return `has ${cells.length} values for ${columns.length} columns.`;
  const row = new Map<string, number>();
  for (const [i, column] of columns.entries()) {
    if (column === null) continue;
    const cell = (cells[i] ?? "").trim();
    const text = isComma ? cell.replace(",", ".") : cell;
    if (!/^(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?$/i.test(text)) return `${quote(cell)} is no number that can be measured.`;
    row.set(column.id, Number(text) * column.factor);
  }
  return row;
}

export function readCsv(text: string): ReadCsv {
  if (text.length > MOST) return { wrong: `That is ${text.length} characters long; ${MOST} are read at most.` };
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  const first = lines.findIndex((line) => line.trim() !== "");
  const delimiter = delimiterOf(lines[first] ?? "");
  const table = dsvFormat(delimiter).parseRows(lines.join("\n"));
  const [header = [], ...rest] = table.slice(table.findIndex((cells) => cells.join("").trim() !== ""));
  const columns = columnsOf(header);
  if (typeof columns === "string") return { wrong: columns };
  const numbered = rest.map((cells, i) => ({ cells, line: first + i + 2 }));
  const filled = numbered.filter(({ cells }) => cells.join("").trim() !== "");
  if (filled.length === 0) return { wrong: "There is a header, and no point below it." };
  if (filled.length > MOST_MEASURED)
    return { wrong: `${filled.length} points: a link keeps ${MOST_MEASURED}. Leave some out.` };
  const isComma = hasDecimalCommas(delimiter, filled.flatMap(({ cells }) => cells.map((cell) => cell.trim())));
  if (isComma === null) return { wrong: "A comma may part thousands or decimals here: write 1500 or 1.5." };
  const rows: Map<string, number>[] = [];
  for (const { cells, line } of filled) {
    const row = rowOf(columns, cells, isComma);
    if (typeof row === "string") return { wrong: `Line ${line}: ${row}` };
    rows.push(row);
  }
  const load = LOADS.find((id) => rows[0]?.has(id)) ?? "sessions";
  const metrics = MEASURES.filter((id) => rows[0]?.has(id));
  const numbers = rows.map((row) => [load, ...metrics].map((id) => row.get(id) ?? 0));
  return { measured: { load, metrics, rows: numbers }, leftOut: header.filter((_, i) => columns[i] === null) };
}
