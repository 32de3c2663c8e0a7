/** Published figures beside the simulated ones: how each is read off one or two reports, and the table of all. Misses stay in it. */
import { halfWidth95, mean } from "../base/statistics";
import type { Est, Preset, PublishedFigure, Report, WaitRow } from "../engine";
import { decimalsFor, formatHalfWidth, formatNumber, formatShort, formatSigned, formatSignedPercent, NBSP, NONE } from "../units";
import { metricIn } from "./metrics";

export interface FigureReading {
  /** Null where the run has nothing of the kind. */
  readonly simulated: number | null;
  /** 95 % half-width; of the difference or the ratio where it is a comparison. */
  readonly ci95: number | null;
  readonly errorPct: number | null;
}

type Value = Pick<FigureReading, "simulated" | "ci95">;

/** Readings that are differences in percent: an error of them is told in points. */
const DIFFERENCES: ReadonlySet<PublishedFigure["reading"]> = new Set(["lio_against", "transactions_against"]);

/** Of one query: its report, that it failed, or, when it is in neither, that it is still to come. */
export interface FigureAnswers {
  readonly reports: ReadonlyMap<string, Report>;
  readonly failed: ReadonlySet<string>;
}

export interface FigureRow {
  readonly id: string;
  readonly what: string;
  readonly note: string;
  readonly role: PublishedFigure["role"];
  /** The scenario that simulates it. */
  readonly query: string;
  readonly published: string;
  readonly simulated: string;
  /** “±0.8”, or nothing. */
  readonly halfWidth: string;
  readonly error: string;
}

/** The figures of one preset. */
export interface FigureGroup {
  readonly preset: string;
  readonly title: string;
  /** Its scenarios are run and its rows shown. */
  readonly isAsked: boolean;
  readonly count: number;
  readonly rows: readonly FigureRow[];
}

export interface FigureTable {
  readonly groups: readonly FigureGroup[];
  /** What a screen reader is told when the last run is in; empty before. */
  readonly ended: string;
}

const QUANTUM_EVENT = "resmgr:cpu quantum";
const SECONDS_OF_A_TEST = 300;
const NOTHING: Value = { simulated: null, ci95: null };

const plain = (simulated: number | undefined, ci95: number | null = null): Value => (simulated === undefined ? NOTHING : { simulated, ci95 });

function quantumOf(report: Report): WaitRow | undefined {
  return report.waits.find((row) => row.event === QUANTUM_EVENT);
}

/** Ratio of two means. Replications share their seeds, so its interval is that of a − ratio · b over pairs. */
function ratioOf(metric: string, report: Report, against: Report | null): Value {
  const [a, b] = [metricOf(report, metric), against === null ? null : metricOf(against, metric)];
  if (a === null || b === null) return NOTHING;
  const ratio = a.mean / b.mean;
  const pairs = Math.min(a.reps.length, b.reps.length);
  const rests = Array.from({ length: pairs }, (_, i) => (a.reps[i] ?? 0) - ratio * (b.reps[i] ?? 0));
  const half = halfWidth95(rests);
  return plain(ratio, half === null ? null : half / mean(b.reps.slice(0, pairs)));
}

/** The two that every report has, else the row of the metric. */
function metricOf(report: Report, metric: string): Est | null {
  if (metric === "throughput_lio") return report.throughput.lio_per_s;
  if (metric === "throughput_transactions") return report.throughput.transactions_per_s;
  return metric === "response_mean_ms" ? report.response_ms : metricIn(report, metric);
}

function scaled(report: Report, metric: string, divisor = 1): Value {
  const row = metricOf(report, metric);
  return row === null ? NOTHING : plain(row.mean / divisor, row.ci95 === null ? null : row.ci95 / divisor);
}

function percentAgainst({ simulated, ci95 }: Value): Value {
  return simulated === null ? NOTHING : plain((simulated - 1) * 100, ci95 === null ? null : ci95 * 100);
}

/** Readings that are one metric, and how many of its own units one of the figure's is. */
const METRICS: Partial<Record<PublishedFigure["reading"], readonly [string, number?]>> = {
  lio_millions: ["throughput_lio", 1e6], lio_thousands: ["throughput_lio", 1e3], lio_per_session: ["lio_per_session", 1e3],
  transactions_per_session: ["transactions_per_session"], purr_cores: ["cpu_purr"], cpu_wait: ["cpu_wait_time"],
  cpu_wait_purr: ["cpu_wait_purr"], service_p99: ["service_p99_ms"], service_growth: ["service_backlog_growth_per_s"],
};

/** Sessions in all, where their number is fixed: what the sessions read, against what one reads. */
function sessionsIn(report: Report): number | null {
  const [all, one] = [metricOf(report, "throughput_transactions"), metricIn(report, "transactions_per_session")];
  return all === null || one === null || one.mean === 0 ? null : Math.round(all.mean / one.mean);
}

function quantumValue(reading: PublishedFigure["reading"], report: Report): Value {
  const quantum = quantumOf(report);
  switch (reading) {
    case "quantum_wait":
      return plain(quantum?.mean_ms, quantum?.ci95);
    case "quantum_share":
      return plain(quantum?.db_time_pct);
    case "quantum_waits":
      return plain(quantum && (quantum.count / report.simulated_s) * SECONDS_OF_A_TEST);
    case "longest_quantum_wait":
      return plain(quantum && quantum.max_ms / 1e3);
    default:
      return NOTHING;
  }
}

function valueOf(reading: PublishedFigure["reading"], report: Report, against: Report | null): Value {
  const metric = METRICS[reading];
  if (metric !== undefined) return scaled(report, ...metric);
  switch (reading) {
    case "cpus_used":
      return plain(report.nodes.reduce((sum, node) => sum + node.cpu_busy_threads, 0));
    case "lio_against":
      return percentAgainst(ratioOf("throughput_lio", report, against));
    case "transactions_against":
      return percentAgainst(ratioOf("throughput_transactions", report, against));
    case "lio_ratio":
      return ratioOf("throughput_lio", report, against);
    case "response_ratio":
      return ratioOf("response_mean_ms", report, against);
    case "purr_per_session":
      return scaled(report, "cpu_purr", sessionsIn(report) ?? Number.NaN);
    default:
      return quantumValue(reading, report);
  }
}

/** The same as `figures::read` of the simulation, with the half-width. */
export function readFigure(figure: Pick<PublishedFigure, "reading" | "value">, report: Report, against: Report | null): FigureReading {
  const value = valueOf(figure.reading, report, against);
  const isRelative = value.simulated !== null && figure.value !== null && figure.value !== 0 && !DIFFERENCES.has(figure.reading);
  return { ...value, errorPct: isRelative ? ((value.simulated ?? 0) / (figure.value ?? 0) - 1) * 100 : null };
}

const presetOfQuery = (query: string): string => query.split("?")[0] ?? query;
const queriesOf = ({ query, against }: PublishedFigure): string[] => (against === null ? [query] : [query, against]);

function simulatedWords(figure: PublishedFigure, { reports, failed }: FigureAnswers): Pick<FigureRow, "simulated" | "halfWidth" | "error"> {
  if (queriesOf(figure).some((query) => failed.has(query))) return { simulated: "failed", halfWidth: "", error: NONE };
  const report = reports.get(figure.query);
  const against = figure.against === null ? null : reports.get(figure.against);
  if (report === undefined || against === undefined) return { simulated: "running", halfWidth: "", error: "" };
  const { simulated, ci95, errorPct } = readFigure(figure, report, against);
  if (simulated === null) return { simulated: NONE, halfWidth: "", error: NONE };
  return {
    simulated: `${formatNumber(simulated, 4)}${NBSP}${figure.unit}`,
    halfWidth: formatHalfWidth(ci95, decimalsFor(simulated, 4)),
    error: errorPct === null ? differenceWords(figure, simulated) : formatSignedPercent(errorPct),
  };
}

/** Where no percentage makes sense: points of percent, or the unit of the figure. */
function differenceWords({ value, unit }: PublishedFigure, simulated: number): string {
  if (value === null) return NONE;
  return unit === "%" ? `${formatSigned(simulated - value, 1)}${NBSP}points` : `${formatSigned(simulated - value, 2)}${NBSP}${unit}`;
}

function rowOf(figure: PublishedFigure, answers: FigureAnswers): FigureRow {
  const { id, what, note, role, query, value, unit } = figure;
  return { id, what, note, role, query, published: value === null ? NONE : `${formatShort(value, 5)}${NBSP}${unit}`, ...simulatedWords(figure, answers) };
}

/** The present preset's first, then in the order of the catalogue. */
function inOrder<P extends { readonly id: string }>(presets: readonly P[], present: string): readonly P[] {
  return [...presets.filter(({ id }) => id === present), ...presets.filter(({ id }) => id !== present)];
}

type Named = Pick<Preset, "id" | "title">;

function byPreset(figures: readonly PublishedFigure[], presets: readonly Named[], present: string): readonly (readonly [Named, readonly PublishedFigure[]])[] {
  return inOrder(presets, present)
    .map((preset) => [preset, figures.filter(({ query }) => presetOfQuery(query) === preset.id)] as const)
    .filter(([, own]) => own.length > 0);
}

/** Every scenario behind the figures of the experiments asked for, once, in the order in which the table shows them. */
export function figureQueries(figures: readonly PublishedFigure[], presets: readonly Named[], present: string, asked: ReadonlySet<string>): readonly string[] {
  const groups = byPreset(figures, presets, present).filter(([{ id }]) => asked.has(id));
  return [...new Set(groups.flatMap(([, own]) => own.flatMap(queriesOf)))];
}

export function figureTable(figures: readonly PublishedFigure[], presets: readonly Named[], present: string, answers: FigureAnswers, asked: ReadonlySet<string>): FigureTable {
  const queries = figureQueries(figures, presets, present, asked);
  const failures = queries.filter((query) => answers.failed.has(query)).length;
  const isEnded = queries.every((query) => answers.reports.has(query) || answers.failed.has(query));
  const groups = byPreset(figures, presets, present).map(([{ id, title }, own]) => {
    const isAsked = asked.has(id);
    return { preset: id, title, isAsked, count: own.length, rows: isAsked ? own.map((figure) => rowOf(figure, answers)) : [] };
  });
  const all = `All ${queries.length} scenarios behind these figures have run`;
  return { groups, ended: !isEnded || queries.length === 0 ? "" : failures === 0 ? `${all}.` : `${all}; ${failures} failed.` };
}
