/** Where on the x axis to compute, and in which order: the frame first, then the neighbourhood of the hand. */

/** Points of a curve at most. */
const MOST_POINTS = 32;
/** A first sketch takes every so many-th point. */
const STRIDE = 6;
/** So few points are their own sketch. */
const FEW = 9;

/**
 * Every step where the range is short; else dense at its foot, where curves bend, and even above. `step` null: no
 * steps.
 */
export function gridOf(from: number, to: number, step: number | null): number[] {
  if (step === null) {
    return Array.from({ length: MOST_POINTS }, (_, i) => from + ((to - from) * i) / (MOST_POINTS - 1));
  }
  const count = Math.floor((to - from) / step) + 1;
  if (count <= MOST_POINTS) return Array.from({ length: count }, (_, i) => from + i * step);
  const dense = MOST_POINTS / 2;
  const rest = MOST_POINTS - dense;
  const foot = Array.from({ length: dense }, (_, i) => from + i * step);
  const above = Array.from(
    { length: rest }, (_, i) => from + Math.round(dense - 1 + ((count - dense) * (i + 1)) / rest) * step,
  );
  return [...foot, ...above];
}

/** The points of the first sketch: enough to draw the curve's shape. */
export function sketchOf(grid: readonly number[]): number[] {
  if (grid.length <= FEW) return [...grid];
  return grid.filter((_, i) => i % STRIDE === 0 || i === grid.length - 1);
}

/** The sketch first, then the rest; within each, the nearest to `x` first. */
export function visitOrder(grid: readonly number[], x: number): number[] {
  const sketch = new Set(sketchOf(grid));
  const byDistance = (a: number, b: number): number => Math.abs(a - x) - Math.abs(b - x) || a - b;
  const rest = grid.filter((value) => !sketch.has(value));
  return [...[...sketch].toSorted(byDistance), ...rest.toSorted(byDistance)];
}
