/** Published figures beside the simulated ones. Misses stay in the table. */
import type { Preset, PublishedFigure, Report } from "../../engine";
import {
  decimalsFor, formatHalfWidth, formatIntervalOf, formatNumber, formatQuantity, formatShort, formatSigned, NBSP, NONE,
} from "../../units";
import { readFigure, type FigureReading } from "../read/figures";
import { isDifference } from "../read/verdict";

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
  /** “±0.05”: what that is rounded from; empty where it is exact, or a direction. */
  readonly rounding: string;
  readonly simulated: string;
  /** “±0.8”, or nothing. */
  readonly halfWidth: string;
  /** A star says so. */
  readonly isTruncated: boolean;
  readonly error: string;
  /** “met within 10 %”; of a prediction hit, miss or that it cannot be told. A dash where nothing is published. */
  readonly verdict: string;
  /** Whether what is published is inside the interval; nothing of a prediction, whose verdict says so. */
  readonly beside: string;
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
  /** Runs that are over, of all that are asked for; null: none is under way. */
  readonly progress: { readonly done: number; readonly all: number } | null;
}

const presetOfQuery = (query: string): string => query.split("?")[0] ?? query;
const queriesOf = ({ query, against }: PublishedFigure): string[] => (against === null ? [query] : [query, against]);

type Words = Pick<FigureRow, "simulated" | "halfWidth" | "isTruncated" | "error" | "verdict" | "beside">;

const UNTOLD = { halfWidth: "", isTruncated: false, verdict: "", beside: "" } as const;

/** What may be less than nothing. */
const SIGNED: ReadonlySet<PublishedFigure["reading"]> = new Set(["cpu_wait", "cpu_wait_purr", "service_growth"]);
const isSigned = ({ reading }: PublishedFigure): boolean => isDifference(reading) || SIGNED.has(reading);

function simulatedWords(figure: PublishedFigure, { reports, failed }: FigureAnswers): Words {
  if (queriesOf(figure).some((query) => failed.has(query))) return { ...UNTOLD, simulated: "failed", error: NONE };
  const report = reports.get(figure.query);
  const against = figure.against === null ? null : reports.get(figure.against);
  if (report === undefined || against === undefined) return { ...UNTOLD, simulated: "running", error: "" };
  const reading = readFigure(figure, report, against);
  const { simulated, ci95, isTruncated } = reading;
  if (simulated === null) return { ...UNTOLD, simulated: NONE, error: NONE };
  const decimals = decimalsFor(simulated, 4);
  return {
    simulated: `${formatNumber(simulated, 4)}${NBSP}${figure.unit}`,
    halfWidth: isSigned(figure) ? formatHalfWidth(ci95, decimals) : formatIntervalOf(simulated, ci95, decimals),
    isTruncated,
    error: errorWords(figure, simulated, reading),
    ...verdictWords(figure, reading),
  };
}

/** A reader asks of an input or a check whether it is near: a narrow interval leaves out even the nearest. */
function verdictWords(figure: PublishedFigure, { verdict, isMet }: FigureReading): Pick<Words, "verdict" | "beside"> {
  if (isMet === null) return { verdict: verdict ?? NONE, beside: "" };
  const side = figure.claim.kind === "value" ? `${verdict === "hit" ? "in" : "out"}side the interval` : "";
  return {
    verdict: (isMet ? "met" : "not met") + withinWords(figure), beside: verdict === "cannot tell" ? verdict : side,
  };
}

/** “+1.4 % ±0.2”; where no percentage makes sense in points of percent, or in the unit of the figure. */
function errorWords({ value, unit }: PublishedFigure, simulated: number, { ci95, errorPct }: FigureReading): string {
  if (value === null) return NONE;
  const [error, half, decimals, of] =
    errorPct === null ? [simulated - value, ci95, unit === "%" ? 1 : 2, unit === "%" ? "points" : unit]
    : [errorPct, ci95 === null ? null : (ci95 / Math.abs(value)) * 100, 1, "%"];
  return [formatSigned(error, decimals), formatHalfWidth(half, decimals), of].filter((word) => word !== "").join(NBSP);
}

/** “ within 10 %”: the tolerance of an input or a check. */
function withinWords({ tolerance, value, unit, reading }: PublishedFigure): string {
  if (tolerance === null) return "";
  const [within, of] =
    value !== null && value !== 0 && !isDifference(reading)
      ? [(tolerance.within / Math.abs(value)) * 100, "%"]
      : [tolerance.within, unit === "%" ? "points" : unit];
  return ` within ${formatQuantity(within, of)}`;
}

/** What the published figure was rounded from, or read off a chart to. */
function roundingWords({ claim }: PublishedFigure): string {
  return claim.kind === "value" && claim.uncertainty > 0 ? `±${formatShort(claim.uncertainty)}` : "";
}

function rowOf(figure: PublishedFigure, answers: FigureAnswers): FigureRow {
  const { id, what, role, query, value, unit, unmet } = figure;
  const note = unmet === null ? figure.note : `${figure.note}. Not met: ${unmet}`;
  return {
    id, what, note, role, query, published: value === null ? NONE : `${formatShort(value, 5)}${NBSP}${unit}`,
    rounding: roundingWords(figure), ...simulatedWords(figure, answers),
  };
}

/** The present preset's first, then in the order of the catalogue. */
function inOrder<P extends { readonly id: string }>(presets: readonly P[], present: string): readonly P[] {
  return [...presets.filter(({ id }) => id === present), ...presets.filter(({ id }) => id !== present)];
}

type Named = Pick<Preset, "id" | "title">;

function byPreset(
  figures: readonly PublishedFigure[], presets: readonly Named[], present: string,
): readonly (readonly [Named, readonly PublishedFigure[]])[] {
  return inOrder(presets, present)
    .map((preset) => [preset, figures.filter(({ query }) => presetOfQuery(query) === preset.id)] as const)
    .filter(([, own]) => own.length > 0);
}

/** Every scenario behind the figures of the experiments asked for, once, in the order in which the table shows them. */
export function figureQueries(
  figures: readonly PublishedFigure[], presets: readonly Named[], present: string, asked: ReadonlySet<string>,
): readonly string[] {
  const groups = byPreset(figures, presets, present).filter(([{ id }]) => asked.has(id));
  return [...new Set(groups.flatMap(([, own]) => own.flatMap(queriesOf)))];
}

export function figureTable(
  figures: readonly PublishedFigure[], presets: readonly Named[], present: string, answers: FigureAnswers,
  asked: ReadonlySet<string>,
): FigureTable {
  const queries = figureQueries(figures, presets, present, asked);
  const failures = queries.filter((query) => answers.failed.has(query)).length;
  const done = queries.filter((query) => answers.reports.has(query) || answers.failed.has(query)).length;
  const isEnded = done === queries.length;
  const groups = byPreset(figures, presets, present).map(([{ id, title }, own]) => {
    const isAsked = asked.has(id);
    return {
      preset: id, title, isAsked, count: own.length, rows: isAsked ? own.map((figure) => rowOf(figure, answers)) : [],
    };
  });
  const all = `All ${queries.length} scenarios behind these figures have run`;
  return {
    groups,
    ended: !isEnded || queries.length === 0 ? "" : failures === 0 ? `${all}.` : `${all}; ${failures} failed.`,
    progress: isEnded ? null : { done, all: queries.length },
  };
}
