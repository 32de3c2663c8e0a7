import type { PublishedRow } from "../features/about/PublishedDialog";
import { formatNumber, formatShort, NONE } from "../units";
import type { AppState } from "../store";

interface Figure {
  readonly id: string;
  readonly what: string;
  readonly value: number | null;
  readonly unit?: string | null;
  readonly role: string;
  readonly query?: string | null;
  readonly note?: string | null;
  readonly simulated?: number | null;
  readonly error_pct?: number | null;
}

function isFigure(value: unknown): value is Figure {
  return typeof value === "object" && value !== null && "id" in value && "what" in value && "role" in value;
}

const worded = (value: number | null | undefined, unit: string): string => (value === null || value === undefined ? NONE : `${formatShort(value, 4)}${unit}`);

/** The published figures that the catalogue carries. */
export function publishedRows(state: AppState): readonly PublishedRow[] {
  const figures = (state.catalogue as { readonly published?: unknown }).published;
  if (!Array.isArray(figures)) return [];
  return figures.filter(isFigure).map((figure) => {
    const unit = figure.unit ? `\u00a0${figure.unit}` : "";
    return {
      link: figure.query ? `${location.pathname}#v1/${figure.query}` : null,
      id: figure.id, what: figure.what, role: figure.role, note: figure.note ?? "", published: worded(figure.value, unit), simulated: worded(figure.simulated, unit),
      error: figure.error_pct === null || figure.error_pct === undefined ? NONE : `${formatNumber(figure.error_pct, 2)}\u00a0%`,
    };
  });
}
