const HALF = 36;

/** A bar of at least one pixel, left of zero or right. */
export function barOf(difference: number, largest: number): { readonly x: number; readonly width: number } {
  const width = Math.max(1, largest > 0 ? (Math.abs(difference) / largest) * HALF : 0);
  return { x: difference < 0 ? HALF - width : HALF, width };
}
