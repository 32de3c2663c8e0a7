/** What a fit says of a knob, in words that hold whatever it found. */
import type { Fitted, Trying } from "../../store";
import { decimalsFor, formatCount, formatKnob, formatPercent } from "../../units";

const percent = (part: number): string => formatPercent(100 * part, decimalsFor(100 * part, 2));

/** How far it is; nothing is known of the most before the first value is tried. */
export function triedText({ tried, most }: Trying, free: string): string {
  const values = `${formatCount(tried)} ${tried === 1 ? "value" : "values"} of ${free} tried`;
  return tried === 0 ? `No value of ${free} tried yet.` : `${values}, ${formatCount(most)} at most.`;
}

export function fittedText(fitted: Fitted, unit: string | null): string {
  const [value, low, high] = [fitted.value, fitted.low, fitted.high].map(
    (one) => `${formatKnob(one)}${unit === null ? "" : ` ${unit}`}`,
  );
  const { free, isOpenBelow, isOpenAbove } = fitted;
  if (isOpenBelow && isOpenAbove)
    return `These points do not tell ${free}: everything tried from ${low} to ${high} fits as well.`;
  if (isOpenBelow) return `These points do not tell how small ${free} is: everything tried up to ${high} fits as well.`;
  if (isOpenAbove)
    return `These points do not tell how large ${free} is: everything tried from ${low} on fits as well.`;
  const range =
    fitted.low === fitted.high ? "no other of the values tried fits" : `${low} to ${high} fit hardly worse (99 %)`;
  const off = `The ${fitted.figures} measured figures are then off by ${percent(fitted.residual)}`;
  return `${free} ${value} fits best; ${range}. ${off} (root mean square).`;
}
