/** Ratios in rows on one axis: the even one, those published, and each pair that has run with its interval. */
import { extent, ticks } from "d3-array";
import { scaleLinear } from "d3-scale";
import type { VariantRow, VariantsModel } from "../../analysis/types";
import { formatFixed } from "../../units";
import { textWidth } from "../frame/text";

const ROW = 26;
/** A label on a line of its own, where there is no room beside the marks. */
const TALL_ROW = 42;
const NARROW = 480;
const HEAD = 34;
const FOOT = 34;

export interface VariantMark {
  readonly y: number;
  readonly labelY: number;
  readonly label: string;
  /** "1,349 : 1,385"; empty where it has not run. */
  readonly rates: string;
  readonly x: number | null;
  readonly from: number;
  readonly to: number;
  /** The ratio, on the side where there is room for it. */
  readonly value: { readonly text: string; readonly x: number; readonly isRight: boolean } | null;
}

export interface VariantsLayout {
  readonly rows: readonly VariantMark[];
  readonly ratesX: number;
  readonly evenX: number;
  readonly published: readonly {
    readonly x: number;
    readonly text: string;
    readonly textX: number;
    readonly anchor: "end" | "start";
  }[];
  readonly ticks: readonly { readonly x: number; readonly text: string }[];
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export const rowHeight = (width: number): number => (width < NARROW ? TALL_ROW : ROW);

export const heightOf = (rows: number, width: number): number => HEAD + rowHeight(width) * rows + FOOT;

const decimals = 3;

function domainOf({ rows, published }: VariantsModel): readonly [number, number] {
  const ends = rows.flatMap(({ ratio, ci95 }) => (ratio === null ? [] : [ratio - (ci95 ?? 0), ratio + (ci95 ?? 0)]));
  const [low = 1, high = 1] = extent([1, ...published.map(({ ratio }) => ratio), ...ends]);
  const room = 0.06 * (high - low);
  return [low - room, high + room];
}

export function layoutVariants(model: VariantsModel, width: number): VariantsLayout {
  const isNarrow = width < NARROW;
  const height = rowHeight(width);
  const words = Math.max(...model.rows.map(({ label }) => textWidth(label)));
  const ratesX = isNarrow ? 0 : Math.min(words + 100, width * 0.58);
  const left = isNarrow ? 8 : ratesX + 16;
  const right = width - (isNarrow ? 8 : 44);
  const toX = scaleLinear(domainOf(model), [left, right]);
  const valueOf = (ratio: number, ci95: number): VariantMark["value"] => {
    const text = formatFixed(ratio, decimals);
    const isRight = ratio > 1 || toX(ratio - ci95) - textWidth(text) - 8 < left;
    return { text, isRight, x: isRight ? toX(ratio + ci95) + 8 : toX(ratio - ci95) - 8 };
  };
  const mark = ({ label, a, b, ratio, ci95 }: VariantRow, i: number): VariantMark => ({
    y: HEAD + height * i + (isNarrow ? 29 : ROW / 2), labelY: HEAD + height * i + (isNarrow ? 15 : ROW / 2 + 4), label,
    rates: a === null || b === null ? "" : `${formatFixed(a, 0)} : ${formatFixed(b, 0)}`,
    x: ratio === null ? null : toX(ratio), from: toX((ratio ?? 1) - (ci95 ?? 0)), to: toX((ratio ?? 1) + (ci95 ?? 0)),
    value: ratio === null ? null : valueOf(ratio, ci95 ?? 0),
  });
  const bottom = HEAD + height * model.rows.length;
  return {
    rows: model.rows.map(mark), ratesX, left, right, top: HEAD, bottom, evenX: toX(1),
    published: model.published.map(({ ratio }, i) => {
      const text = `${i === 0 ? "published " : ""}${formatFixed(ratio, decimals)}`;
      return i === 0
        ? { x: toX(ratio), text, textX: toX(ratio) + 4, anchor: "end" as const }
        : { x: toX(ratio), text, textX: Math.min(toX(ratio) - 4, width - textWidth(text)), anchor: "start" as const };
    }),
    ticks: ticks(...domainOf(model), isNarrow ? 3 : 5).map((value) => ({ x: toX(value), text: formatFixed(value, 2) })),
  };
}
