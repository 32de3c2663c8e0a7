/** The answer as plain numbers: what is told to a page that holds this one. */
import type { FullAnswer, Metric, MetricRow } from "../../engine";
import { comparesInPercent, metricIn } from "../read/metrics";
import type { AnalysisInput } from "../read/input";
import { metricDifference } from "./differences";

/** `ci95`: half the width of the 95 % interval; null where too little was run for one. */
export interface Told {
  readonly mean: number;
  readonly ci95: number | null;
}

export interface ToldFigure {
  /** Of both sides. */
  readonly unit: string;
  /** Null where that side has no such figure. */
  readonly a: Told | null;
  readonly b: Told | null;
  /** B − A, paired by replication: in % of A, or in the figure's own unit where that may be nought or less. */
  readonly difference: (Told & { readonly unit: string }) | null;
}

/** By the name of the figure, as the vertical axis has it. */
export type ToldFigures = Readonly<Record<string, ToldFigure>>;

const toldOf = (row: MetricRow | null): Told | null => (row === null ? null : { mean: row.mean, ci95: row.ci95 });

function differenceOf(id: string, unit: string, a: MetricRow, b: MetricRow): ToldFigure["difference"] {
  const by = metricDifference(id, a, b);
  return by === null ? null : { mean: by.mean, ci95: by.ci95, unit: comparesInPercent(id) ? "%" : unit };
}

function figureOf({ id, unit }: Metric, a: FullAnswer, b: FullAnswer): readonly (readonly [string, ToldFigure])[] {
  const [rowA, rowB] = [metricIn(a.report, id), metricIn(b.report, id)];
  if (rowA === null && rowB === null) return [];
  const difference = rowA === null || rowB === null ? null : differenceOf(id, unit, rowA, rowB);
  return [[id, { unit, a: toldOf(rowA), b: toldOf(rowB), difference }]];
}

/** Every figure that applies to one of the sides; null until both have run. */
export function answerOf(
  { fullA, fullB }: Pick<AnalysisInput, "fullA" | "fullB">, metrics: readonly Metric[],
): ToldFigures | null {
  if (fullA === null || fullB === null) return null;
  return Object.fromEntries(metrics.flatMap((metric) => figureOf(metric, fullA, fullB)));
}
