/** What a published difference could come from: throughput of A over that of B in pairs that were run for it. */
import type { PointAnswer } from "../../engine";
import { formatNumber } from "../../units";
import type { AnalysisInput, VariantAnswer } from "../read/input";
import { readingOf, type Reading } from "../read/metrics";
import { ratioOf } from "../read/verdict";
import type { VariantRow, VariantsModel } from "./types";

const rateOf = (point: PointAnswer | null): Reading | null =>
  point === null ? null : (point.metric ?? readingOf(point, "throughput_lio"));

function rowOf({ label, a, b }: VariantAnswer): VariantRow {
  const [one, other] = [rateOf(a), rateOf(b)];
  const ratio = one === null || other === null ? null : ratioOf(one, other);
  return {
    label, a: one?.mean ?? null, b: other?.mean ?? null, ratio: ratio?.value ?? null, ci95: ratio?.ci95 ?? null,
  };
}

/** The one that comes nearest to the first published ratio, once all have run. */
function titleOf(question: string, rows: readonly VariantRow[], published: number | undefined): string {
  if (published === undefined || rows.some(({ ratio }) => ratio === null)) return question;
  const distance = ({ ratio }: VariantRow): number => Math.abs((ratio ?? 0) - published);
  const [nearest] = rows.toSorted((one, other) => distance(one) - distance(other));
  return nearest === undefined
    ? question
    : `Nearest to the published ${formatNumber(published, 4)}: ${nearest.label}, ${(nearest.ratio ?? 0).toFixed(3)}`;
}

/** Null where the preset asks for none. */
export function variantsOf({ preset, variants, areVariantsAsked }: AnalysisInput): VariantsModel | null {
  if (preset.variants === null || variants.length === 0) return null;
  const rows = variants.map(rowOf);
  const published = preset.variants.published.map(([ratio, label]) => ({ ratio, label }));
  return {
    title: titleOf(preset.variants.title, rows, published[0]?.ratio), rows, published, isAsked: areVariantsAsked,
  };
}
