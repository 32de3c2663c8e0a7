/** Differences in percent, to the digits that their intervals bear. */
import type { Paired } from "../../base/statistics";
import { formatFixed, formatHalfWidth, formatPercent, formatShort, formatSignedPercent } from "../../units";
import type { AnalysisInput } from "../read/input";
import { whereTold } from "../read/names";
import { isCertain, isEqual } from "../sides/differences";
import { plain, strongB } from "./spans";
import type { Span } from "./types";

/** The interval decides the last digit; three significant ones at most. */
export function percentDecimals(difference: Paired): number {
  const width = difference.ci95 ?? 1;
  const byWidth = width >= 10 ? 0 : width >= 0.095 ? 1 : 2;
  const bySize = Math.abs(difference.mean) >= 99.95 ? 0 : Math.abs(difference.mean) >= 9.995 ? 1 : 2;
  return Math.min(byWidth, bySize);
}

/** In a headline one decimal is enough where there is one before it. */
export function sizeOf(difference: Paired): string {
  const most = Math.abs(difference.mean) >= 1 ? 1 : 2;
  return formatPercent(Math.abs(difference.mean), Math.min(most, percentDecimals(difference)));
}

/** "+5.5 % ±0.2", the spelled-out interval beside the number; "equal" where no pair differs. */
export function signedWithWidth(difference: Paired): { readonly number: string; readonly width: string } {
  if (isEqual(difference)) return { number: "equal", width: "" };
  const told = percentDecimals(difference);
  // What is certain has an interval shorter than itself, also as printed.
  const isAsLong = formatFixed(Math.abs(difference.mean), told) === formatFixed(difference.ci95 ?? 0, told);
  const decimals = isAsLong && isCertain(difference) ? told + 1 : told;
  return { number: formatSignedPercent(difference.mean, decimals), width: formatHalfWidth(difference.ci95, decimals) };
}

/** From so many times on a factor is easier to think of than a percentage. */
const MANY = 10;

/** One that is known no better than to a half is told as from where to where it may be. */
const factorWords = (factor: number, width: number): string =>
  width > factor / 2
    ? `${formatShort(factor - width, 2)} to ${formatShort(factor + width, 2)}`
    : formatShort(factor, 2);

/** "23 times" of A's; null where that is not many, or not certain. */
export function manyTimes(by: Paired): string | null {
  const factor = 1 + by.mean / 100;
  return factor >= MANY && isCertain(by) ? `${factorWords(factor, (by.ci95 ?? 0) / 100)} times` : null;
}

/** Of one pair of runs, which has no interval. */
export const tooLittle = (input: AnalysisInput, by: Paired): string =>
  `Too little was run to compare${whereTold(input)}: ${signedWithWidth(by).number}, without an interval`;

/** One line of a difference, and of B's own figure; `none`: what is said where no difference is. */
export function spansOf(input: AnalysisInput, by: Paired, own: string, none?: string): readonly Span[] {
  if (by.ci95 === null) return [plain(tooLittle(input, by))];
  const [times, where] = [manyTimes(by), whereTold(input)];
  if (times !== null) return [strongB(`${times} as much`), plain(`${where.replace(/^ against/, " as with")}: ${own}`)];
  const { number, width } = none === undefined ? signedWithWidth(by) : { number: none, width: "" };
  return [strongB(number), plain(`${width === "" ? "" : ` ${width}`}${where}: ${own}`)];
}
