/** Published figures beside the simulated ones: how each is read off one or two reports, and the table of all. Misses stay in it. */
import { assertNever } from "../base/assert";
import { halfWidth95, mean } from "../base/statistics";
import type { Preset, PublishedFigure, Report, WaitRow } from "../engine";
import { decimalsFor, formatHalfWidth, formatNumber, formatShort, formatSignedPercent, NBSP, NONE } from "../units";

export interface FigureReading {
  /** Null where the run has nothing of the kind. */
  readonly simulated: number | null;
  /** 95 % half-width; of the difference or the ratio where it is a comparison. */
  readonly ci95: number | null;
  readonly errorPct: number | null;
}

type Value = Pick<FigureReading, "simulated" | "ci95">;

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
function ratioOf(report: Report, against: Report | null): Value {
  if (against === null) return NOTHING;
  const [a, b] = [report.throughput.lio_per_s, against.throughput.lio_per_s];
  const ratio = a.mean / b.mean;
  const pairs = Math.min(a.reps.length, b.reps.length);
  const rests = Array.from({ length: pairs }, (_, i) => (a.reps[i] ?? 0) - ratio * (b.reps[i] ?? 0));
  const half = halfWidth95(rests);
  return plain(ratio, half === null ? null : half / mean(b.reps.slice(0, pairs)));
}

function percentAgainst({ simulated, ci95 }: Value): Value {
  return simulated === null ? NOTHING : plain((simulated - 1) * 100, ci95 === null ? null : ci95 * 100);
}

function valueOf(reading: PublishedFigure["reading"], report: Report, against: Report | null): Value {
  const quantum = quantumOf(report);
  const { lio_per_s: lio } = report.throughput;
  switch (reading) {
    case "lio_millions":
      return plain(lio.mean / 1e6, lio.ci95 === null ? null : lio.ci95 / 1e6);
    case "quantum_wait":
      return plain(quantum?.mean_ms, quantum?.ci95);
    case "quantum_share":
      return plain(quantum?.db_time_pct);
    case "quantum_waits":
      return plain(quantum && (quantum.count / report.simulated_s) * SECONDS_OF_A_TEST);
    case "longest_quantum_wait":
      return plain(quantum && quantum.max_ms / 1e3);
    case "cpus_used":
      return plain(report.nodes.reduce((sum, node) => sum + node.cpu_busy_threads, 0));
    case "lio_against":
      return percentAgainst(ratioOf(report, against));
    case "lio_ratio":
      return ratioOf(report, against);
    default:
      return assertNever(reading);
  }
}

/** The same as `figures::read` of the simulation, with the half-width. */
export function readFigure(figure: Pick<PublishedFigure, "reading" | "value">, report: Report, against: Report | null): FigureReading {
  const value = valueOf(figure.reading, report, against);
  const hasBoth = value.simulated !== null && figure.value !== null;
  return { ...value, errorPct: hasBoth ? ((value.simulated ?? 0) / (figure.value ?? 0) - 1) * 100 : null };
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
    error: errorPct === null ? NONE : formatSignedPercent(errorPct),
  };
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

/** Every scenario behind the figures, once, in the order in which the table shows them. */
export function figureQueries(figures: readonly PublishedFigure[], presets: readonly Named[], present: string): readonly string[] {
  return [...new Set(byPreset(figures, presets, present).flatMap(([, own]) => own.flatMap(queriesOf)))];
}

export function figureTable(figures: readonly PublishedFigure[], presets: readonly Named[], present: string, answers: FigureAnswers): FigureTable {
  const queries = figureQueries(figures, presets, present);
  const failures = queries.filter((query) => answers.failed.has(query)).length;
  const isEnded = queries.every((query) => answers.reports.has(query) || answers.failed.has(query));
  const groups = byPreset(figures, presets, present).map(([{ id, title }, own]) => ({ preset: id, title, rows: own.map((figure) => rowOf(figure, answers)) }));
  const all = `All ${queries.length} scenarios behind these figures have run`;
  return { groups, ended: !isEnded || queries.length === 0 ? "" : failures === 0 ? `${all}.` : `${all}; ${failures} failed.` };
}
