/** Paths of straight lines, as SVG writes them. */
export type Place = readonly [x: number, y: number];

const fine = (value: number): number => Math.round(value * 1000) / 1000;

const through = (places: readonly Place[]): string => places.map(([x, y]) => `${fine(x)},${fine(y)}`).join("L");

/** From place to place; one alone is a dot. */
export function linePath(places: readonly Place[]): string {
  return places.length === 0 ? "" : `M${through(places)}${places.length === 1 ? "Z" : ""}`;
}

/** What lies between two lines of equally many places. */
export function areaPath(low: readonly Place[], high: readonly Place[]): string {
  return low.length === 0 ? "" : `M${through([...high, ...low.toReversed()])}Z`;
}

/** Points whose interval is known, in stretches: nothing is known of what one without lies between. */
export function unbroken<P extends { readonly ci95: number | null }>(points: readonly P[]): readonly (readonly P[])[] {
  const ends = [-1, ...points.flatMap((point, at) => (point.ci95 === null ? [at] : [])), points.length];
  return ends.slice(1).map((end, nth) => points.slice((ends[nth] ?? 0) + 1, end));
}
