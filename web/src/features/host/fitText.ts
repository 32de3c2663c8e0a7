/** What a fit says of a knob, in words that hold whatever it found. */
import type { Fitted } from "../../store";
import { formatKnob } from "../../units";

const percent = (part: number): string => (100 * part).toPrecision(2);

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
  const range = fitted.low === fitted.high ? "no other value fits" : `${low} to ${high} fit hardly worse (99 %)`;
  const off = `The ${fitted.figures} measured figures are then off by ${percent(fitted.residual)} %`;
  return `${free} ${value} fits best; ${range}. ${off} (root mean square).`;
}
