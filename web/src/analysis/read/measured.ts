/** Points that the reader measured: a load, and what was seen under it. */

/** Kept in links, so not many. */
export const MOST_MEASURED = 40;
/** Knobs that say the load, and metrics that a measurement has. */
export const LOADS = ["sessions", "arrivals_per_s"] as const;
export const MEASURES = ["throughput_lio", "throughput_transactions", "response_mean_ms"] as const;

export interface Measured {
  readonly load: (typeof LOADS)[number];
  readonly metrics: readonly (typeof MEASURES)[number][];
  /** The load, then each metric in its own unit. */
  readonly rows: readonly (readonly number[])[];
}

/** As a link writes it: `sessions/throughput_lio,16/8100000,32/15800000`. */
export function measuredText({ load, metrics, rows }: Measured): string {
  return [[load, ...metrics], ...rows.map((row) => row.map((value) => Number(value.toPrecision(6))))]
    .map((cells) => cells.join("/"))
    .join(",");
}

function isOneOf<Word extends string>(words: readonly Word[], text: string): text is Word {
  return (words as readonly string[]).includes(text);
}

/** What a link says of them; null where it is not that. */
export function readMeasured(text: string): Measured | null {
  const [head = "", ...lines] = text.split(",");
  const [load = "", ...names] = head.split("/");
  const metrics = names.filter((name) => isOneOf(MEASURES, name));
  const numberOf = (cell: string): number => (/^[\d.]+(e[+-]?\d+)?$/.test(cell) ? Number(cell) : Number.NaN);
  const rows = lines.map((line) => line.split("/").map(numberOf));
  const isWhole =
    isOneOf(LOADS, load) && metrics.length > 0 && metrics.length === names.length
    && new Set(names).size === names.length && rows.length > 0 && rows.length <= MOST_MEASURED
    && rows.every((row) => row.length === names.length + 1 && row.every(Number.isFinite));
  return isWhole ? { load, metrics, rows } : null;
}

/** Load and value of those whose axes are these; none where they are of others. */
export function measuredOn(
  measured: Measured | null, load: string, metric: string,
): readonly (readonly [number, number])[] {
  const at = measured?.load === load ? measured.metrics.findIndex((one) => one === metric) + 1 : 0;
  return at === 0 ? [] : (measured?.rows ?? []).map((row) => [row[0] ?? 0, row[at] ?? 0]);
}

/** The largest load, where that knob stands on the axis. */
export function mostMeasured(measured: Measured | null, load: string): readonly number[] {
  return measured?.load === load ? [Math.max(...measured.rows.map(([x = 0]) => x))] : [];
}
